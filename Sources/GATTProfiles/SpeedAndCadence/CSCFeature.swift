import BluetoothTypes

/// What a cycling sensor can do (Cycling Speed and Cadence Service 1.0, 3.2).
public struct CSCFeature: OptionSet, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The bits; those without a name are kept.
  public let rawValue: UInt16

  /// A set from its bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// It counts the turns of the wheel.
  public static let wheelRevolutions = CSCFeature(rawValue: 1 &<< 0)
  /// It counts the turns of the crank.
  public static let crankRevolutions = CSCFeature(rawValue: 1 &<< 1)
  /// It can be told where it sits.
  public static let multipleSensorLocations = CSCFeature(rawValue: 1 &<< 2)
}

// Cycling Speed and Cadence Service 1.0, 3.
extension BluetoothUUID {
  /// 0x2A5B: ``CSCMeasurement``; notified.
  public static let cscMeasurement = BluetoothUUID(UInt16(0x2A5B))
  /// 0x2A5C: ``CSCFeature``; read.
  public static let cscFeature = BluetoothUUID(UInt16(0x2A5C))
}
