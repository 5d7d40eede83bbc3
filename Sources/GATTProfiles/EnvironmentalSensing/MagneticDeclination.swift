import BluetoothTypes

/// Where the compass points, clockwise from north (Environmental Sensing Service 1.0, 3.1).
public struct MagneticDeclination: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number as sent, in units of 0.01 degrees.
  public let rawValue: UInt16

  /// A value from the number that is sent.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The value in degrees.
  public var degrees: Double { Double(rawValue) / 100 }
}

extension BluetoothUUID {
  /// 0x2A2C: ``MagneticDeclination``.
  public static let magneticDeclination = BluetoothUUID(UInt16(0x2A2C))
}
