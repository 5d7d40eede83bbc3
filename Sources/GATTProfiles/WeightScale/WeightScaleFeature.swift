import BluetoothTypes

/// What a scale can do (Weight Scale Service 1.0, 3.1).
public struct WeightScaleFeature: OptionSet, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The bits; those without a name are kept.
  public let rawValue: UInt32

  /// A set from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// It tells the time.
  public static let timestamp = WeightScaleFeature(rawValue: 1 &<< 0)
  /// It knows several users.
  public static let multipleUsers = WeightScaleFeature(rawValue: 1 &<< 1)
  /// It tells the body mass index.
  public static let bodyMassIndex = WeightScaleFeature(rawValue: 1 &<< 2)

  /// How fine the weight is: 0: not told, 1 to 7: 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005 kg.
  public var weightResolution: UInt8 { UInt8(truncatingIfNeeded: rawValue &>> 3 & 0xF) }

  /// How fine the height is: 0: not told, 1 to 3: 10, 5, 1 mm.
  public var heightResolution: UInt8 { UInt8(truncatingIfNeeded: rawValue &>> 7 & 0x7) }
}

// Weight Scale Service 1.0, 3.
extension BluetoothUUID {
  /// 0x2A9D: ``WeightMeasurement``; indicated.
  public static let weightMeasurement = BluetoothUUID(UInt16(0x2A9D))
  /// 0x2A9E: ``WeightScaleFeature``; read.
  public static let weightScaleFeature = BluetoothUUID(UInt16(0x2A9E))
}
