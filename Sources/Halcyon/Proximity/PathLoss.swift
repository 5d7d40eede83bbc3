#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How the strength of a signal falls with the distance: the log-distance model.
///
/// What is left at `d` metres is the power at one metre less `10 × exponent × log10(d)` dB. The power has to be measured
/// once for each kind of device, in the place and the pose in which it is used: a hand around it takes 10 dB.
public struct PathLoss: Hashable, Sendable {
  /// How strongly the device is heard one metre away, in dBm, as measured.
  public var powerAtOneMeter: Double
  /// How fast the strength falls: 2 in the open and in sight, 2 to 3 indoors, up to 4 through walls.
  public var exponent: Double

  /// Makes a model.
  public init(powerAtOneMeter: Double, exponent: Double = 2) {
    self.powerAtOneMeter = powerAtOneMeter
    self.exponent = exponent
  }

  /// The model of a beacon that says how strong it is; `nil` if it does not say.
  public init?(of beacon: Beacon, exponent: Double = 2) {
    guard let power = beacon.powerAtOneMeter else { return nil }
    self.init(powerAtOneMeter: Double(power), exponent: exponent)
  }

  /// The distance at which a device is heard with a strength, in metres.
  ///
  /// - Parameter rssi: The strength in dBm. That of one packet says little: 4 dB more or less are usual, and change the
  ///   distance by a factor of 1.6. ``ProximityFilter`` makes a steady distance of many.
  public func distance(rssi: Double) -> Double { distance(loss: powerAtOneMeter - rssi) }

  /// How strongly a device is heard at a distance, in dBm.
  public func rssi(distance: Double) -> Double { powerAtOneMeter - loss(distance: distance) }

  /// The distance that a loss since the first metre stands for, in metres.
  func distance(loss: Double) -> Double { pow(10, loss / (10 * validExponent)) }

  /// What is lost between one metre and a distance, in dB; less than nothing within the first metre.
  func loss(distance: Double) -> Double { 10 * validExponent * log10(max(distance, 0.01)) }

  private var validExponent: Double { exponent.isNaN ? 2 : min(max(exponent, 0.1), 10) }
}
