import BluetoothTypes

/// The speed of the wind over ground (Environmental Sensing Service 1.0, 3.1).
public struct TrueWindSpeed: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number as sent, in units of 0.01 metres per second.
  public let rawValue: UInt16

  /// A value from the number that is sent.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The value in metres per second.
  public var metersPerSecond: Double { Double(rawValue) / 100 }
}

extension BluetoothUUID {
  /// 0x2A70: ``TrueWindSpeed``.
  public static let trueWindSpeed = BluetoothUUID(UInt16(0x2A70))
}
