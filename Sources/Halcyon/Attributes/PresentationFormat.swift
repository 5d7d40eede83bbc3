import BluetoothTypes

/// What a characteristic's value is for people: a number with a unit, a text and so on (Core 5.4, Vol 3, Part G,
/// 3.3.3.5).
public struct PresentationFormat: Hashable, Sendable, ByteReadable, ByteWritable {
  /// The kind of value; an open set (Assigned Numbers, 2.4.1).
  public struct Format: RawRepresentable, Hashable, Sendable {
    /// The number of the format.
    public let rawValue: UInt8
    /// A format from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// One byte, 0 or 1.
    public static let boolean = Format(rawValue: 0x01)
    /// An unsigned integer of 8 bits.
    public static let uint8 = Format(rawValue: 0x04)
    /// An unsigned integer of 16 bits.
    public static let uint16 = Format(rawValue: 0x06)
    /// An unsigned integer of 24 bits.
    public static let uint24 = Format(rawValue: 0x07)
    /// An unsigned integer of 32 bits.
    public static let uint32 = Format(rawValue: 0x08)
    /// A signed integer of 8 bits.
    public static let sint8 = Format(rawValue: 0x0C)
    /// A signed integer of 16 bits.
    public static let sint16 = Format(rawValue: 0x0E)
    /// A signed integer of 24 bits.
    public static let sint24 = Format(rawValue: 0x0F)
    /// A signed integer of 32 bits.
    public static let sint32 = Format(rawValue: 0x10)
    /// An IEEE 754 number of 32 bits.
    public static let float32 = Format(rawValue: 0x14)
    /// An IEEE 754 number of 64 bits.
    public static let float64 = Format(rawValue: 0x15)
    /// An IEEE 11073 number of 16 bits.
    public static let medfloat16 = Format(rawValue: 0x16)
    /// An IEEE 11073 number of 32 bits.
    public static let medfloat32 = Format(rawValue: 0x17)
    /// A text in UTF-8.
    public static let utf8 = Format(rawValue: 0x19)
    /// A text in UTF-16.
    public static let utf16 = Format(rawValue: 0x1A)
    /// A structure.
    public static let structure = Format(rawValue: 0x1B)
  }

  /// The kind of value.
  public var format: Format
  /// For integers, the exponent of the base ten that the value is multiplied by.
  public var exponent: Int8
  /// The unit, as an assigned number, for example 0x2728 for volt.
  public var unit: UInt16
  /// Who gives out ``descriptionNumber``: 1 is the Bluetooth SIG.
  public var namespace: UInt8
  /// Which one it is of several, such as left or right, as an assigned number.
  public var descriptionNumber: UInt16

  /// A format from its parts.
  public init(
    _ format: Format,
    exponent: Int8 = 0,
    unit: UInt16 = 0x2700,
    namespace: UInt8 = 1,
    descriptionNumber: UInt16 = 0
  ) {
    self.format = format
    self.exponent = exponent
    self.unit = unit
    self.namespace = namespace
    self.descriptionNumber = descriptionNumber
  }

  /// Reads the seven bytes of the descriptor.
  public init(reading reader: inout ByteReader) throws {
    format = Format(rawValue: try reader.read())
    exponent = try reader.read()
    unit = try reader.read()
    namespace = try reader.read()
    descriptionNumber = try reader.read()
  }

  /// Appends the seven bytes of the descriptor.
  public func write(to writer: inout ByteWriter) {
    writer.write(format.rawValue)
    writer.write(exponent)
    writer.write(unit)
    writer.write(namespace)
    writer.write(descriptionNumber)
  }
}

/// What a characteristic allows beyond its properties (Core 5.4, Vol 3, Part G, 3.3.3.1).
public struct ExtendedProperties: OptionSet, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The bits.
  public let rawValue: UInt16
  /// Properties from their bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Several writes can be made as one.
  public static let reliableWrite = ExtendedProperties(rawValue: 0x0001)
  /// The user description can be written.
  public static let writableAuxiliaries = ExtendedProperties(rawValue: 0x0002)
}
