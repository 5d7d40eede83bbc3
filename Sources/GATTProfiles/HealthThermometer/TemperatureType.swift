import BluetoothTypes

/// Where a temperature is measured (Health Thermometer Service 1.0, 3.2): an open set.
public struct TemperatureType: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number.
  public let rawValue: UInt8

  /// A place from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The armpit.
  public static let armpit = TemperatureType(rawValue: 1)
  /// The body in general.
  public static let body = TemperatureType(rawValue: 2)
  /// The ear, usually its lobe.
  public static let ear = TemperatureType(rawValue: 3)
  /// A finger.
  public static let finger = TemperatureType(rawValue: 4)
  /// The gastrointestinal tract.
  public static let gastrointestinalTract = TemperatureType(rawValue: 5)
  /// The mouth.
  public static let mouth = TemperatureType(rawValue: 6)
  /// The rectum.
  public static let rectum = TemperatureType(rawValue: 7)
  /// A toe.
  public static let toe = TemperatureType(rawValue: 8)
  /// The eardrum.
  public static let tympanum = TemperatureType(rawValue: 9)
}

extension TemperatureType: CustomStringConvertible {
  /// The place in words, or the number where it has none.
  public var description: String {
    switch self {
    case .armpit: "armpit"
    case .body: "body"
    case .ear: "ear"
    case .finger: "finger"
    case .gastrointestinalTract: "gastrointestinal tract"
    case .mouth: "mouth"
    case .rectum: "rectum"
    case .toe: "toe"
    case .tympanum: "tympanum"
    default: "type \(rawValue)"
    }
  }
}
