import BluetoothTypes

/// A temperature of the surroundings (Environmental Sensing Service 1.0, 3.1).
public struct Temperature: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number as sent, in units of 0.01 degrees Celsius; -0x8000: not known.
  public let rawValue: Int16

  /// A value from the number that is sent.
  public init(rawValue: Int16) { self.rawValue = rawValue }

  /// Not known.
  public static let unknown = Temperature(rawValue: -0x8000)

  /// The value in degrees Celsius; `nil` if not known.
  public var celsius: Double? { self == .unknown ? nil : Double(rawValue) / 100 }
}

extension BluetoothUUID {
  /// 0x2A6E: ``Temperature``.
  public static let temperature = BluetoothUUID(UInt16(0x2A6E))
}
