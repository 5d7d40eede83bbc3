import BluetoothTypes

/// What a glucose meter can do (Glucose Service 1.0.1, 3.3).
public struct GlucoseFeature: OptionSet, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The bits; those without a name are kept.
  public let rawValue: UInt16

  /// A set from its bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// It detects a low battery.
  public static let lowBatteryDetection = GlucoseFeature(rawValue: 1 &<< 0)
  /// It detects that the sensor fails.
  public static let sensorMalfunctionDetection = GlucoseFeature(rawValue: 1 &<< 1)
  /// It detects a sample that is too small.
  public static let sampleSizeDetection = GlucoseFeature(rawValue: 1 &<< 2)
  /// It detects a strip that is not put in well.
  public static let stripInsertionErrorDetection = GlucoseFeature(rawValue: 1 &<< 3)
  /// It detects a wrong strip.
  public static let stripTypeErrorDetection = GlucoseFeature(rawValue: 1 &<< 4)
  /// It detects a result beyond what it can process.
  public static let resultHighLowDetection = GlucoseFeature(rawValue: 1 &<< 5)
  /// It detects a temperature that is too high or too low.
  public static let temperatureHighLowDetection = GlucoseFeature(rawValue: 1 &<< 6)
  /// It detects that reading was interrupted.
  public static let readInterruptDetection = GlucoseFeature(rawValue: 1 &<< 7)
  /// It tells of general faults.
  public static let generalDeviceFault = GlucoseFeature(rawValue: 1 &<< 8)
  /// It tells that its clock may be wrong.
  public static let timeFault = GlucoseFeature(rawValue: 1 &<< 9)
  /// It bonds with several devices.
  public static let multipleBonds = GlucoseFeature(rawValue: 1 &<< 10)
}

// Glucose Service 1.0.1, 3; the record access control point is with its type.
extension BluetoothUUID {
  /// 0x2A18: ``GlucoseMeasurement``; notified.
  public static let glucoseMeasurement = BluetoothUUID(UInt16(0x2A18))
  /// 0x2A34: ``GlucoseMeasurementContext``; notified.
  public static let glucoseMeasurementContext = BluetoothUUID(UInt16(0x2A34))
  /// 0x2A51: ``GlucoseFeature``; read.
  public static let glucoseFeature = BluetoothUUID(UInt16(0x2A51))
}
