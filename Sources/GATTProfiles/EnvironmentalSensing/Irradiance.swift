import BluetoothTypes

/// The power of light on a surface (Environmental Sensing Service 1.0, 3.1).
public struct Irradiance: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number as sent, in units of 0.1 watts per square metre.
  public let rawValue: UInt16

  /// A value from the number that is sent.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The value in watts per square metre.
  public var wattsPerSquareMeter: Double { Double(rawValue) / 10 }
}

extension BluetoothUUID {
  /// 0x2A77: ``Irradiance``.
  public static let irradiance = BluetoothUUID(UInt16(0x2A77))
}
