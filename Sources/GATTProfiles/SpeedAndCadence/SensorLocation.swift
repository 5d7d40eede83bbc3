import BluetoothTypes

/// Where a sensor for cycling or running sits (GATT Specification Supplement, Sensor Location): an open set.
public struct SensorLocation: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number.
  public let rawValue: UInt8

  /// A value from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Elsewhere.
  public static let other = SensorLocation(rawValue: 0)
  /// On the shoe.
  public static let topOfShoe = SensorLocation(rawValue: 1)
  /// In the shoe.
  public static let inShoe = SensorLocation(rawValue: 2)
  /// The hip.
  public static let hip = SensorLocation(rawValue: 3)
  /// The front wheel.
  public static let frontWheel = SensorLocation(rawValue: 4)
  /// The left crank.
  public static let leftCrank = SensorLocation(rawValue: 5)
  /// The right crank.
  public static let rightCrank = SensorLocation(rawValue: 6)
  /// The left pedal.
  public static let leftPedal = SensorLocation(rawValue: 7)
  /// The right pedal.
  public static let rightPedal = SensorLocation(rawValue: 8)
  /// The front hub.
  public static let frontHub = SensorLocation(rawValue: 9)
  /// The rear dropout.
  public static let rearDropout = SensorLocation(rawValue: 10)
  /// The chainstay.
  public static let chainstay = SensorLocation(rawValue: 11)
  /// The rear wheel.
  public static let rearWheel = SensorLocation(rawValue: 12)
  /// The rear hub.
  public static let rearHub = SensorLocation(rawValue: 13)
  /// The chest.
  public static let chest = SensorLocation(rawValue: 14)
  /// The spider of the crank.
  public static let spider = SensorLocation(rawValue: 15)
  /// The chain ring.
  public static let chainRing = SensorLocation(rawValue: 16)
}

// Cycling Speed and Cadence Service 1.0, 3.3.
extension BluetoothUUID {
  /// 0x2A5D: ``SensorLocation``; read.
  public static let sensorLocation = BluetoothUUID(UInt16(0x2A5D))
}
