import BluetoothTypes

/// A relative humidity (Environmental Sensing Service 1.0, 3.1).
public struct Humidity: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number as sent, in units of 0.01 percent; 0xFFFF: not known.
  public let rawValue: UInt16

  /// A value from the number that is sent.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Not known.
  public static let unknown = Humidity(rawValue: 0xFFFF)

  /// The value in percent; `nil` if not known.
  public var percentage: Double? { self == .unknown ? nil : Double(rawValue) / 100 }
}

extension BluetoothUUID {
  /// 0x2A6F: ``Humidity``.
  public static let humidity = BluetoothUUID(UInt16(0x2A6F))
}
