import BluetoothTypes

/// What a running sensor can do (Running Speed and Cadence Service 1.0, 3.2).
public struct RSCFeature: OptionSet, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The bits; those without a name are kept.
  public let rawValue: UInt16

  /// A set from its bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// It measures the length of strides.
  public static let strideLength = RSCFeature(rawValue: 1 &<< 0)
  /// It adds up the distance.
  public static let totalDistance = RSCFeature(rawValue: 1 &<< 1)
  /// It tells running from walking.
  public static let walkingOrRunning = RSCFeature(rawValue: 1 &<< 2)
  /// It can be calibrated.
  public static let calibration = RSCFeature(rawValue: 1 &<< 3)
  /// It can be told where it sits.
  public static let multipleSensorLocations = RSCFeature(rawValue: 1 &<< 4)
}

// Running Speed and Cadence Service 1.0, 3.
extension BluetoothUUID {
  /// 0x2A53: ``RSCMeasurement``; notified.
  public static let rscMeasurement = BluetoothUUID(UInt16(0x2A53))
  /// 0x2A54: ``RSCFeature``; read.
  public static let rscFeature = BluetoothUUID(UInt16(0x2A54))
}
