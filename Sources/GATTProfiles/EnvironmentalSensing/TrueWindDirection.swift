import BluetoothTypes

/// Where the wind comes from, clockwise from north (Environmental Sensing Service 1.0, 3.1).
public struct TrueWindDirection: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number as sent, in units of 0.01 degrees.
  public let rawValue: UInt16

  /// A value from the number that is sent.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The value in degrees.
  public var degrees: Double { Double(rawValue) / 100 }
}

extension BluetoothUUID {
  /// 0x2A71: ``TrueWindDirection``.
  public static let trueWindDirection = BluetoothUUID(UInt16(0x2A71))
}
