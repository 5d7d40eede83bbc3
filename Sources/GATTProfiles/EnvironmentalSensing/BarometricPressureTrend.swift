import BluetoothTypes

/// How the pressure of the air changes (Environmental Sensing Service 1.0, 3.1): an open set.
public struct BarometricPressureTrend: RawRepresentable, Hashable, Sendable, ByteReadable, ByteWritable {
  /// The number.
  public let rawValue: UInt8

  /// A value from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Not known.
  public static let unknown = BarometricPressureTrend(rawValue: 0)
  /// It falls all the time.
  public static let continuouslyFalling = BarometricPressureTrend(rawValue: 1)
  /// It rises all the time.
  public static let continuouslyRising = BarometricPressureTrend(rawValue: 2)
  /// It fell and holds.
  public static let fallingThenSteady = BarometricPressureTrend(rawValue: 3)
  /// It rose and holds.
  public static let risingThenSteady = BarometricPressureTrend(rawValue: 4)
  /// It fell, and then rose by less.
  public static let fallingBeforeLesserRise = BarometricPressureTrend(rawValue: 5)
  /// It fell, and then rose by more.
  public static let fallingBeforeGreaterRise = BarometricPressureTrend(rawValue: 6)
  /// It rose, and then fell by more.
  public static let risingBeforeGreaterFall = BarometricPressureTrend(rawValue: 7)
  /// It rose, and then fell by less.
  public static let risingBeforeLesserFall = BarometricPressureTrend(rawValue: 8)
  /// It holds.
  public static let steady = BarometricPressureTrend(rawValue: 9)
}

// Environmental Sensing Service 1.0, 3.1.
extension BluetoothUUID {
  /// 0x2AA3: ``BarometricPressureTrend``.
  public static let barometricPressureTrend = BluetoothUUID(UInt16(0x2AA3))
}
