import BluetoothTypes

/// A command to a heart-rate sensor (Heart Rate Service 1.0, 3.3): an open set.
public struct HeartRateControlPoint: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number.
  public let rawValue: UInt8

  /// A command from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Sets the energy expended back to 0.
  public static let resetEnergyExpended = HeartRateControlPoint(rawValue: 1)
}

extension ATTErrorCode {
  /// 0x80 from the heart-rate service: the sensor does not know the command.
  public static let heartRateControlPointNotSupported = ATTErrorCode(rawValue: 0x80)
}

// Heart Rate Service 1.0, 3.
extension BluetoothUUID {
  /// 0x2A37: ``HeartRateMeasurement``; notified.
  public static let heartRateMeasurement = BluetoothUUID(UInt16(0x2A37))
  /// 0x2A38: ``BodySensorLocation``; read.
  public static let bodySensorLocation = BluetoothUUID(UInt16(0x2A38))
  /// 0x2A39: ``HeartRateControlPoint``; written.
  public static let heartRateControlPoint = BluetoothUUID(UInt16(0x2A39))
}
