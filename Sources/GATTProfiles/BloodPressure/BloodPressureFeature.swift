import BluetoothTypes

/// What a blood-pressure monitor can do (Blood Pressure Service 1.1.1, 3.3).
public struct BloodPressureFeature: OptionSet, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The bits; those without a name are kept.
  public let rawValue: UInt16

  /// A set from its bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// It detects that the body moves.
  public static let bodyMovementDetection = BloodPressureFeature(rawValue: 1 &<< 0)
  /// It detects a cuff that is too loose.
  public static let cuffFitDetection = BloodPressureFeature(rawValue: 1 &<< 1)
  /// It detects an irregular pulse.
  public static let irregularPulseDetection = BloodPressureFeature(rawValue: 1 &<< 2)
  /// It detects a pulse rate out of its range.
  public static let pulseRateRangeDetection = BloodPressureFeature(rawValue: 1 &<< 3)
  /// It detects an improper position.
  public static let measurementPositionDetection = BloodPressureFeature(rawValue: 1 &<< 4)
  /// It bonds with several devices.
  public static let multipleBonds = BloodPressureFeature(rawValue: 1 &<< 5)
  /// Its values have a checksum.
  public static let endToEndChecksum = BloodPressureFeature(rawValue: 1 &<< 6)
  /// It keeps data of its users.
  public static let userData = BloodPressureFeature(rawValue: 1 &<< 7)
  /// Its times are those that the user sees.
  public static let userFacingTime = BloodPressureFeature(rawValue: 1 &<< 8)
}

// Blood Pressure Service 1.1.1, 3.
extension BluetoothUUID {
  /// 0x2A35: ``BloodPressureMeasurement``; indicated.
  public static let bloodPressureMeasurement = BluetoothUUID(UInt16(0x2A35))
  /// 0x2A36: ``IntermediateCuffPressure``; notified.
  public static let intermediateCuffPressure = BluetoothUUID(UInt16(0x2A36))
  /// 0x2A49: ``BloodPressureFeature``; read.
  public static let bloodPressureFeature = BluetoothUUID(UInt16(0x2A49))
}
