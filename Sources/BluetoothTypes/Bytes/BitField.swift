/// Bits of up to eight bytes that mean something one by one or in groups, such as flags and packed numbers.
///
/// Bit 0 is the least significant bit of the first byte, as in the specification's tables.
/// ```swift
/// var reader = ByteReader(bytes)
/// let field = try reader.readBitField(byteCount: 2)
/// let isWorn = try field.flag(0)
/// let mode = try field.unsigned(1..<4)
/// ```
public struct BitField: Hashable, Sendable {
  /// All the bits; those beyond ``bitCount`` are zero.
  public private(set) var bits: UInt64
  /// How many bits there are, a multiple of eight.
  public let bitCount: Int
  /// Where the field began in the bytes that it was read from, for errors.
  private let offset: Int

  /// A field of `byteCount` bytes, all zero.
  ///
  /// - Throws: ``ByteError`` unless there are 1 to 8 bytes.
  public init(byteCount: Int) throws(ByteError) {
    try self.init(bits: 0, byteCount: byteCount, offset: 0)
  }

  fileprivate init(bits: UInt64, byteCount: Int, offset: Int) throws(ByteError) {
    guard 1...8 ~= byteCount else {
      throw ByteError(offset: offset, problem: .invalid("a bit field has 1 to 8 bytes"))
    }
    self.bits = bits
    bitCount = byteCount * 8
    self.offset = offset
  }

  /// Whether a bit is set.
  ///
  /// - Throws: ``ByteError`` if the field has no such bit.
  public func flag(_ bit: Int) throws(ByteError) -> Bool {
    guard 0..<bitCount ~= bit else { throw outside(bit) }
    return bits &>> UInt64(bit) & 1 == 1
  }

  /// The number that stands in some of the bits.
  ///
  /// - Throws: ``ByteError`` if the range is empty or reaches beyond the field.
  public func unsigned(_ range: Range<Int>) throws(ByteError) -> UInt64 {
    try check(range)
    return bits &>> UInt64(range.lowerBound) & mask(range.count)
  }

  /// The number with a sign, in two's complement, that stands in some of the bits.
  ///
  /// - Throws: ``ByteError`` if the range is empty or reaches beyond the field.
  public func signed(_ range: Range<Int>) throws(ByteError) -> Int64 {
    let unused = Int64(64 &- range.count)
    return (Int64(bitPattern: try unsigned(range)) &<< unused) &>> unused
  }

  /// Sets or clears a bit.
  ///
  /// - Throws: ``ByteError`` if the field has no such bit.
  public mutating func set(_ bit: Int, to isSet: Bool) throws(ByteError) {
    guard 0..<bitCount ~= bit else { throw outside(bit) }
    let one = UInt64(1) &<< UInt64(bit)
    bits = isSet ? bits | one : bits & ~one
  }

  /// Puts a number into some of the bits.
  ///
  /// - Throws: ``ByteError`` if the range is empty or reaches beyond the field, or if the number does not fit.
  public mutating func set<Value: BinaryInteger>(_ range: Range<Int>, to value: Value) throws(ByteError) {
    try check(range)
    let pattern: UInt64
    if value < 0 {
      guard let exact = Int64(exactly: value), exact &>> Int64(range.count &- 1) == -1 else {
        throw tooGreat(range.lowerBound)
      }
      pattern = UInt64(bitPattern: exact) & mask(range.count)
    } else {
      guard let exact = UInt64(exactly: value), exact <= mask(range.count) else { throw tooGreat(range.lowerBound) }
      pattern = exact
    }
    let shift = UInt64(range.lowerBound)
    bits = bits & ~(mask(range.count) &<< shift) | pattern &<< shift
  }

  private func mask(_ count: Int) -> UInt64 { count >= 64 ? .max : (UInt64(1) &<< UInt64(count)) &- 1 }

  private func check(_ range: Range<Int>) throws(ByteError) {
    guard !range.isEmpty, range.lowerBound >= 0 else { throw outside(range.lowerBound) }
    guard range.upperBound <= bitCount else { throw outside(range.upperBound &- 1) }
  }

  private func outside(_ bit: Int) -> ByteError {
    ByteError(offset: byte(of: bit), problem: .invalid("the bit field does not have these bits"))
  }

  private func tooGreat(_ bit: Int) -> ByteError {
    ByteError(offset: byte(of: bit), problem: .invalid("the number does not fit into these bits"))
  }

  /// Where a bit stands; for one that is not there, where the field ends or begins.
  private func byte(of bit: Int) -> Int { offset &+ min(max(bit, 0), bitCount) / 8 }
}

extension ByteReader {
  /// Reads a field of bits.
  ///
  /// - Throws: ``ByteError`` if the bytes end too early, or unless there are 1 to 8 of them.
  public mutating func readBitField(byteCount: Int) throws(ByteError) -> BitField {
    let start = offset
    // Looked at first, so that the cursor stays where it is.
    var field = try BitField(bits: 0, byteCount: byteCount, offset: start)
    let bits: UInt64 = try readInteger(byteCount: byteCount)
    field = try BitField(bits: bits, byteCount: byteCount, offset: start)
    return field
  }
}

extension ByteWriter {
  /// Writes a field of bits.
  public mutating func write(_ field: BitField) { writeInteger(field.bits, byteCount: field.bitCount / 8) }
}
