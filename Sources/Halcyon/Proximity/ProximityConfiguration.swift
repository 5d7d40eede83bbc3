/// Whether a device is near or far.
public enum Proximity: Hashable, Sendable {
  /// Not enough was measured to tell, and it is not told from before.
  case unknown
  /// It came near, and has not gone far since.
  case near
  /// It went far, and has not come near since.
  case far
}

/// What counts as near and as far, and how a distance is made of a signal.
public struct ProximityConfiguration: Hashable, Sendable {
  /// Within this distance, in metres, a device becomes near.
  public var near: Double
  /// Beyond this distance, in metres, a device becomes far. In between it stays what it was.
  public var far: Double
  /// How the signal falls with the distance.
  public var pathLoss: PathLoss
  /// By how much single measurements of the signal differ at the same distance: the standard deviation, in dB, to begin
  /// with. Where the signal turns out to be worse, the filter notices and asks for more evidence.
  public var shadowing: Double
  /// How long a device has to be seen near or far without interruption before it counts; what noise there is in the
  /// signal is dealt with before.
  public var dwell: Duration
  /// How often the signal of a connection is measured.
  public var interval: Duration

  /// Makes a configuration: near within 2 m, far beyond 5 m, measured ten times a second.
  public init(
    pathLoss: PathLoss,
    near: Double = 2,
    far: Double = 5,
    shadowing: Double = 4,
    dwell: Duration = .zero,
    interval: Duration = .milliseconds(100)
  ) {
    self.near = near
    self.far = far
    self.pathLoss = pathLoss
    self.shadowing = shadowing
    self.dwell = dwell
    self.interval = interval
  }

  /// The same with what makes no sense set right.
  var valid: ProximityConfiguration {
    func value(_ number: Double, _ range: ClosedRange<Double>, _ instead: Double) -> Double {
      number.isNaN ? instead : min(max(number, range.lowerBound), range.upperBound)
    }
    var result = self
    result.near = value(near, 0.05...1e4, 2)
    result.far = value(far, result.near * 1.05...2e4, result.near * 2.5)
    result.shadowing = value(shadowing, 0.1...40, 4)
    result.interval = max(interval, .milliseconds(10))
    return result
  }
}
