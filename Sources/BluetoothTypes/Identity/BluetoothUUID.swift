/// A UUID as Bluetooth uses it: 16 and 32 bits are short for a 128-bit one (Core 5.4, Vol 3, Part B, 2.5.1).
///
/// Equality and hash hold across the three forms: `0x180D` equals `0000180D-0000-1000-8000-00805F9B34FB`.
public struct BluetoothUUID: Hashable, Sendable {
  /// The upper 64 bits of the 128-bit form.
  public let high: UInt64
  /// The lower 64 bits of the 128-bit form.
  public let low: UInt64

  @usableFromInline static let baseHigh: UInt64 = 0x0000_0000_0000_1000
  @usableFromInline static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

  /// A UUID from both halves of its 128-bit form.
  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A 16-bit UUID.
  @inlinable
  public init(_ short: UInt16) { self.init(UInt32(short)) }

  /// A 32-bit UUID.
  @inlinable
  public init(_ medium: UInt32) {
    self.init(high: UInt64(medium) &<< 32 | Self.baseHigh, low: Self.baseLow)
  }

  /// The 32-bit form, if the UUID lies on the Bluetooth base.
  @inlinable
  public var uint32: UInt32? {
    guard low == Self.baseLow, high & 0xFFFF_FFFF == Self.baseHigh else { return nil }
    return UInt32(truncatingIfNeeded: high &>> 32)
  }

  /// The 16-bit form, if there is one.
  @inlinable
  public var uint16: UInt16? { uint32.flatMap { UInt16(exactly: $0) } }

  /// The shortest length in bytes that holds this UUID in advertising data: 2, 4 or 16.
  @inlinable
  public var shortestByteCount: Int { uint32.map { $0 > 0xFFFF ? 4 : 2 } ?? 16 }

  /// Reads a UUID of 2, 4 or 16 bytes.
  public init(reading reader: inout ByteReader, byteCount: Int) throws(ByteError) {
    switch byteCount {
    case 2: self.init(try reader.read(UInt16.self))
    case 4: self.init(try reader.read(UInt32.self))
    case 16:
      try reader.require(16)
      let low = try reader.read(UInt64.self)
      self.init(high: try reader.read(UInt64.self), low: low)
    default: throw reader.invalid("a UUID has 2, 4 or 16 bytes")
    }
  }

  /// Writes the UUID with `byteCount` bytes (2, 4 or 16), cut to its low part where it has no shorter form.
  public func write(to writer: inout ByteWriter, byteCount: Int) {
    switch byteCount {
    case 2, 4: writer.writeInteger(high &>> 32, byteCount: byteCount)
    default:
      writer.write(low)
      writer.write(high)
    }
  }

  /// Writes the form that ATT allows: 2 bytes if there is a 16-bit form, else 16 (Core 5.4, Vol 3, Part F, 3.2.1).
  public func writeATT(to writer: inout ByteWriter) { write(to: &writer, byteCount: attByteCount) }

  /// 2 or 16: the length of this UUID in ATT.
  public var attByteCount: Int { uint16 == nil ? 16 : 2 }
}

extension BluetoothUUID {
  /// Why a text is no UUID.
  public struct TextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text as it was given.
    public let text: String
    /// What a UUID looks like.
    public var description: String {
      "\"\(text)\" is not a Bluetooth UUID: give 4, 8 or 32 hexadecimal digits, the last with or without dashes"
    }
  }

  /// Reads `180D`, `0x180D`, 8 digits, or 32 digits with dashes in the usual places or without any.
  ///
  /// - Throws: ``TextError`` for anything else.
  public init(_ text: String) throws {
    guard let uuid = Self.parse(text.utf8) else { throw TextError(text: text) }
    self = uuid
  }

  private static func parse(_ text: String.UTF8View) -> BluetoothUUID? {
    var digits = Array(text)
    if digits.count > 2, digits[0] == UInt8(ascii: "0"), digits[1] | 0x20 == UInt8(ascii: "x") { digits.removeFirst(2) }
    if digits.count == 36 {
      guard [8, 13, 18, 23].allSatisfy({ digits[$0] == UInt8(ascii: "-") }) else { return nil }
      digits.removeAll { $0 == UInt8(ascii: "-") }
    }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for digit in digits {
      guard let nibble = Character(UnicodeScalar(digit)).hexDigitValue else { return nil }
      high = high &<< 4 | low &>> 60
      low = low &<< 4 | UInt64(nibble)
    }
    return switch digits.count {
    case 4: BluetoothUUID(UInt16(truncatingIfNeeded: low))
    case 8: BluetoothUUID(UInt32(truncatingIfNeeded: low))
    case 32: BluetoothUUID(high: high, low: low)
    default: nil
    }
  }
}

extension BluetoothUUID: ExpressibleByStringLiteral {
  /// A UUID written in the source; a literal that is no UUID is a mistake in the program and stops it.
  public init(stringLiteral value: StaticString) {
    guard let uuid = value.withUTF8Buffer({ Self.parse(String(decoding: $0, as: UTF8.self).utf8) }) else {
      preconditionFailure("\(TextError(text: value.description))")
    }
    self = uuid
  }
}

extension BluetoothUUID: CustomStringConvertible {
  /// The shortest form in upper case: `180D`, `12345678` or the dashed 128-bit form.
  public var description: String {
    if let uint32 {
      return hexadecimal(uint32, digits: uint32 > 0xFFFF ? 8 : 4)
    }
    return [
      hexadecimal(high &>> 32, digits: 8),
      hexadecimal(high &>> 16 & 0xFFFF, digits: 4),
      hexadecimal(high & 0xFFFF, digits: 4),
      hexadecimal(low &>> 48, digits: 4),
      hexadecimal(low & 0xFFFF_FFFF_FFFF, digits: 12),
    ].joined(separator: "-")
  }
}
