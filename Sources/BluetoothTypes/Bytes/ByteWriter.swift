/// Builds bytes to send. Integers are little-endian, as everywhere in Bluetooth.
public struct ByteWriter: Sendable {
  @usableFromInline var storage: [UInt8]

  /// What was written so far.
  @inlinable
  public var bytes: [UInt8] { storage }

  /// An empty writer with room for `capacity` bytes.
  @inlinable
  public init(capacity: Int = 0) {
    storage = []
    if capacity > 0 { storage.reserveCapacity(capacity) }
  }

  /// How many bytes were written.
  @inlinable
  public var count: Int { storage.count }

  /// Writes one little-endian integer.
  @inlinable
  public mutating func write<Value: FixedWidthInteger>(_ value: Value) {
    writeInteger(value, byteCount: Value.bitWidth / 8)
  }

  /// Writes the low `byteCount` bytes of an integer, for the 24- and 48-bit fields.
  @inlinable
  public mutating func writeInteger<Value: FixedWidthInteger>(_ value: Value, byteCount: Int) {
    for index in 0..<byteCount {
      storage.append(UInt8(truncatingIfNeeded: value &>> Value(truncatingIfNeeded: 8 &* index)))
    }
  }

  /// Writes a Boolean as 1 or 0.
  @inlinable
  public mutating func write(_ value: Bool) { storage.append(value ? 1 : 0) }

  /// Writes bytes as they are.
  @inlinable
  public mutating func write(_ more: some Sequence<UInt8>) { storage.append(contentsOf: more) }

  /// Overwrites an integer that was written before, such as a length that is known only at the end.
  /// Does nothing if it would not fit inside what was written.
  @inlinable
  public mutating func overwrite<Value: FixedWidthInteger>(at offset: Int, with value: Value) {
    let size = Value.bitWidth / 8
    guard offset >= 0, offset <= storage.count - size else { return }
    for index in 0..<size {
      storage[offset &+ index] = UInt8(truncatingIfNeeded: value &>> Value(truncatingIfNeeded: 8 &* index))
    }
  }
}
