import BluetoothTypes

/// Where a heart-rate sensor is worn (Heart Rate Service 1.0, 3.2): an open set.
public struct BodySensorLocation: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number.
  public let rawValue: UInt8

  /// A place from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Elsewhere.
  public static let other = BodySensorLocation(rawValue: 0)
  /// The chest.
  public static let chest = BodySensorLocation(rawValue: 1)
  /// The wrist.
  public static let wrist = BodySensorLocation(rawValue: 2)
  /// A finger.
  public static let finger = BodySensorLocation(rawValue: 3)
  /// A hand.
  public static let hand = BodySensorLocation(rawValue: 4)
  /// An ear lobe.
  public static let earLobe = BodySensorLocation(rawValue: 5)
  /// A foot.
  public static let foot = BodySensorLocation(rawValue: 6)
}

extension BodySensorLocation: CustomStringConvertible {
  /// The place in words, or the number where it has none.
  public var description: String {
    switch self {
    case .other: "other"
    case .chest: "chest"
    case .wrist: "wrist"
    case .finger: "finger"
    case .hand: "hand"
    case .earLobe: "ear lobe"
    case .foot: "foot"
    default: "location \(rawValue)"
    }
  }
}
