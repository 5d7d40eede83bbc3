/// An unsigned integer of three bytes, as many characteristics carry it: `uint24` in the GATT Specification Supplement.
public struct UInt24: Hashable, Sendable {
  /// The number.
  public let value: UInt32

  /// The greatest number, 16,777,215.
  public static let max = UInt24(truncating: 0x00FF_FFFF)
  /// Nought.
  public static let min = UInt24(truncating: 0)

  /// A number, if it lies in 0...16,777,215.
  public init?(_ value: some BinaryInteger) {
    guard let exact = UInt32(exactly: value), exact <= Self.max.value else { return nil }
    self.value = exact
  }

  /// The nearest number to `value`.
  public init(clamping value: some BinaryInteger) {
    self.init(truncating: Swift.min(UInt32(clamping: value), 0x00FF_FFFF))
  }

  private init(truncating value: UInt32) { self.value = value }
}

/// A signed integer of three bytes: `sint24` in the GATT Specification Supplement.
public struct Int24: Hashable, Sendable {
  /// The number.
  public let value: Int32

  /// The greatest number, 8,388,607.
  public static let max = Int24(truncating: 0x007F_FFFF)
  /// The least number, -8,388,608.
  public static let min = Int24(truncating: -0x0080_0000)

  /// A number, if it lies in -8,388,608...8,388,607.
  public init?(_ value: some BinaryInteger) {
    guard let exact = Int32(exactly: value), Self.min.value...Self.max.value ~= exact else { return nil }
    self.value = exact
  }

  /// The nearest number to `value`.
  public init(clamping value: some BinaryInteger) {
    self.init(truncating: Swift.min(Swift.max(Int32(clamping: value), -0x0080_0000), 0x007F_FFFF))
  }

  private init(truncating value: Int32) { self.value = value }
}

extension UInt24: ByteReadable, ByteWritable, Comparable, CustomStringConvertible {
  /// Reads three bytes, least significant first.
  public init(reading reader: inout ByteReader) throws { value = try reader.readUInt24() }

  /// Appends three bytes, least significant first.
  public func write(to writer: inout ByteWriter) { writer.writeInteger(value, byteCount: 3) }

  /// By the numbers.
  public static func < (left: UInt24, right: UInt24) -> Bool { left.value < right.value }

  /// The number.
  public var description: String { "\(value)" }
}

extension Int24: ByteReadable, ByteWritable, Comparable, CustomStringConvertible {
  /// Reads three bytes, least significant first.
  public init(reading reader: inout ByteReader) throws { value = try reader.readInt24() }

  /// Appends three bytes, least significant first.
  public func write(to writer: inout ByteWriter) { writer.writeInteger(value, byteCount: 3) }

  /// By the numbers.
  public static func < (left: Int24, right: Int24) -> Bool { left.value < right.value }

  /// The number.
  public var description: String { "\(value)" }
}

extension ByteReader {
  /// Reads an unsigned integer of three bytes.
  public mutating func readUInt24() throws(ByteError) -> UInt32 { try readInteger(byteCount: 3) }

  /// Reads a signed integer of three bytes.
  public mutating func readInt24() throws(ByteError) -> Int32 {
    let value: Int32 = try integer(at: offset, byteCount: 3)
    try skip(3)
    return value
  }
}
