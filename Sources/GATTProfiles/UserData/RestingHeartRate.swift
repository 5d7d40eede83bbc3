import BluetoothTypes

/// The heart rate of a user at rest (User Data Service 1.0, 3.1).
public struct RestingHeartRate: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number as sent, in units of 1 beats per minute.
  public let rawValue: UInt8

  /// A value from the number that is sent.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The value in beats per minute.
  public var beatsPerMinute: Double { Double(rawValue) }
}

extension BluetoothUUID {
  /// 0x2A92: ``RestingHeartRate``.
  public static let restingHeartRate = BluetoothUUID(UInt16(0x2A92))
}
