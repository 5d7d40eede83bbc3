import BluetoothTypes

/// What a power meter of a bike can do (Cycling Power Service 1.1, 3.1).
public struct CyclingPowerFeature: OptionSet, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The bits; those without a name are kept.
  public let rawValue: UInt32

  /// A set from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// It tells the balance of the pedals.
  public static let pedalPowerBalance = CyclingPowerFeature(rawValue: 1 &<< 0)
  /// It adds up the torque.
  public static let accumulatedTorque = CyclingPowerFeature(rawValue: 1 &<< 1)
  /// It counts the turns of the wheel.
  public static let wheelRevolutions = CyclingPowerFeature(rawValue: 1 &<< 2)
  /// It counts the turns of the crank.
  public static let crankRevolutions = CyclingPowerFeature(rawValue: 1 &<< 3)
  /// It tells the extremes of force or torque.
  public static let extremeMagnitudes = CyclingPowerFeature(rawValue: 1 &<< 4)
  /// It tells the angles of the extremes.
  public static let extremeAngles = CyclingPowerFeature(rawValue: 1 &<< 5)
  /// It tells the angles of the dead spots.
  public static let deadSpotAngles = CyclingPowerFeature(rawValue: 1 &<< 6)
  /// It adds up the energy.
  public static let accumulatedEnergy = CyclingPowerFeature(rawValue: 1 &<< 7)
  /// It tells whether the offset is compensated.
  public static let offsetCompensationIndicator = CyclingPowerFeature(rawValue: 1 &<< 8)
  /// It can be told to compensate the offset.
  public static let offsetCompensation = CyclingPowerFeature(rawValue: 1 &<< 9)
  /// Parts of its measurements can be switched off.
  public static let contentMasking = CyclingPowerFeature(rawValue: 1 &<< 10)
  /// It can be told where it sits.
  public static let multipleSensorLocations = CyclingPowerFeature(rawValue: 1 &<< 11)
  /// The length of the crank can be set.
  public static let crankLengthAdjustment = CyclingPowerFeature(rawValue: 1 &<< 12)
  /// The length of the chain can be set.
  public static let chainLengthAdjustment = CyclingPowerFeature(rawValue: 1 &<< 13)
  /// The weight of the chain can be set.
  public static let chainWeightAdjustment = CyclingPowerFeature(rawValue: 1 &<< 14)
  /// The length of the span can be set.
  public static let spanLengthAdjustment = CyclingPowerFeature(rawValue: 1 &<< 15)
  /// It measures torques, not forces.
  public static let torqueBased = CyclingPowerFeature(rawValue: 1 &<< 16)
  /// It measures in directions, which the vector tells.
  public static let instantaneousMeasurementDirection = CyclingPowerFeature(rawValue: 1 &<< 17)
  /// It tells when it was calibrated.
  public static let factoryCalibrationDate = CyclingPowerFeature(rawValue: 1 &<< 18)
  /// It can be told to compensate the offset, and says more about it.
  public static let enhancedOffsetCompensation = CyclingPowerFeature(rawValue: 1 &<< 19)
  /// It is no part of a system of several sensors.
  public static let notForDistributedSystems = CyclingPowerFeature(rawValue: 1 &<< 20)
  /// It can be a part of a system of several sensors.
  public static let forDistributedSystems = CyclingPowerFeature(rawValue: 1 &<< 21)
}

// Cycling Power Service 1.1, 3.
extension BluetoothUUID {
  /// 0x2A63: ``CyclingPowerMeasurement``; notified.
  public static let cyclingPowerMeasurement = BluetoothUUID(UInt16(0x2A63))
  /// 0x2A64: ``CyclingPowerVector``; notified.
  public static let cyclingPowerVector = BluetoothUUID(UInt16(0x2A64))
  /// 0x2A65: ``CyclingPowerFeature``; read.
  public static let cyclingPowerFeature = BluetoothUUID(UInt16(0x2A65))
}
