/// A bounds-checked cursor over bytes that came from elsewhere. Integers are little-endian, as everywhere in Bluetooth.
///
/// Every read either advances past what it returns or throws and leaves the cursor where it was.
public struct ByteReader: Sendable {
  /// The whole buffer; the cursor may cover only a part of it.
  public let bytes: [UInt8]
  @usableFromInline var position: Int
  /// The first byte that no longer belongs to the value.
  public let end: Int

  /// The next byte to read, counted from the start of ``bytes``.
  @inlinable
  public var offset: Int { position }

  /// Reads all of `bytes`.
  @inlinable
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = 0
    end = bytes.count
  }

  /// Reads the part of `bytes` that lies in `range`; what reaches beyond the buffer is cut off.
  @inlinable
  public init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    position = min(max(range.lowerBound, 0), bytes.count)
    end = max(min(range.upperBound, bytes.count), min(max(range.lowerBound, 0), bytes.count))
  }

  /// How many bytes are left.
  @inlinable
  public var remaining: Int { end &- offset }

  /// Whether every byte was read.
  @inlinable
  public var isAtEnd: Bool { offset == end }

  /// Throws unless `count` bytes are left.
  @inlinable
  public func require(_ count: Int) throws(ByteError) {
    guard count >= 0, remaining >= count else {
      throw ByteError(offset: offset, problem: .truncated(needed: count, available: remaining))
    }
  }

  /// Throws if bytes are left.
  @inlinable
  public func requireEnd() throws(ByteError) {
    guard isAtEnd else { throw ByteError(offset: offset, problem: .trailing(remaining)) }
  }

  /// An error at the cursor, for a field whose value makes no sense.
  @inlinable
  public func invalid(_ reason: StaticReason) -> ByteError {
    ByteError(offset: offset, problem: .invalid(reason))
  }

  /// Reads one little-endian integer.
  @inlinable
  public mutating func read<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws(ByteError) -> Value {
    try readInteger(byteCount: Value.bitWidth / 8)
  }

  /// Reads the low `byteCount` bytes of an integer, for the 24- and 48-bit fields; the rest is zero.
  @inlinable
  public mutating func readInteger<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self,
    byteCount: Int
  ) throws(ByteError) -> Value {
    try require(byteCount)
    var value: Value = 0
    for index in 0..<byteCount {
      value |= Value(truncatingIfNeeded: bytes[offset &+ index]) &<< Value(truncatingIfNeeded: 8 &* index)
    }
    advance(byteCount)
    return value
  }

  /// Reads a Boolean: 0 is false, all else true.
  @inlinable
  public mutating func readBool() throws(ByteError) -> Bool { try read(UInt8.self) != 0 }

  /// Reads `count` bytes.
  @inlinable
  public mutating func readBytes(_ count: Int) throws(ByteError) -> [UInt8] {
    try require(count)
    let result = Array(bytes[offset..<(offset &+ count)])
    advance(count)
    return result
  }

  /// Reads all that is left.
  @inlinable
  public mutating func readRemaining() -> [UInt8] {
    let result = Array(bytes[offset..<end])
    advance(remaining)
    return result
  }

  /// Takes `count` bytes as a cursor of their own, without copying them.
  @inlinable
  public mutating func readSlice(_ count: Int) throws(ByteError) -> ByteReader {
    try require(count)
    let slice = ByteReader(bytes, in: offset..<(offset &+ count))
    advance(count)
    return slice
  }

  /// Leaves out `count` bytes.
  @inlinable
  public mutating func skip(_ count: Int) throws(ByteError) {
    try require(count)
    advance(count)
  }

  @inlinable
  mutating func advance(_ count: Int) { position &+= count }
}
