import RadioPort

/// Makes a steady distance, and whether a device is near or far, of measurements that jump.
///
/// All arithmetic is on losses in dB, where noise is about the same at all distances.
///
/// - *Outliers*: a single measurement is cut to three standard deviations around the mean of the eight before. There is
///   no median filter: on the noise that is usual it needs half as many measurements again.
/// - *The distance* comes from a Kalman filter whose state is the loss and how fast it changes.
/// - *Near or far* is a test of its own, since a threshold on a smoothed distance is either slow or unsteady. It looks at
///   the means of the newest 4 to 128 measurements. A device becomes far once one of these means lies beyond `far`,
///   and so far beyond the zone that is to be quiet that noise does that once in many million measurements (5.3 standard
///   deviations of the mean). A short walk out of the zone is seen in the short means, a step over its edge in the long
///   ones. Near likewise. The quiet zone is the middle third between near and far, 3 to 4 m by default.
/// - *Noise* is measured along the way: how much neighbours differ gives the deviation, and how much the means of blocks
///   of 16 bend gives the correlation. Where either is worse than expected, it takes more for a device to become near or
///   far.
///
/// `docs/proximity.md` tells what that gives. It is a value without a clock and does not need a radio: feed it whatever
/// was measured, in the order of time.
public struct ProximityFilter: Sendable {
  /// How sure the filter must be, in standard deviations.
  private static let certainty = 5.3
  /// Measurements over which means are taken.
  private static let windows = [4, 6, 8, 10, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96, 128]
  private static let windowDeviations = windows.map { 1 / Double($0).squareRoot() }
  /// Older measurements say nothing of now.
  private static let memory = Duration.seconds(20)
  /// By how much measured distances are taken to be wrong to begin with, as a factor.
  private static let rangingFactor = 1.15

  private let configuration: ProximityConfiguration
  private let near: Edge
  private let far: Edge
  /// In the middle between both edges; all losses are counted from here.
  private let middle: Double
  private var track: Track?
  private var candidate: (side: Proximity, since: RadioInstant)?

  /// Whether the device is near or far.
  public private(set) var proximity = Proximity.unknown

  /// How far away the device is, in metres; `nil` before anything was measured.
  public var distance: Double? {
    track?.tracker.level.map { configuration.pathLoss.distance(loss: $0 + middle) }
  }

  /// The edge of a zone, as a loss from the middle, and how far from it the quiet zone begins.
  private struct Edge: Sendable {
    var loss: Double
    var margin: Double
  }

  /// What was measured on one connection.
  private struct Track: Sendable {
    var levels = RecentLevels()
    var noise: NoiseMeter
    var tracker = LevelTracker()
    var time: RadioInstant
    private var wasAbove = false
    private var wasBelow = false

    init(expecting deviation: Double, at time: RadioInstant) {
      noise = NoiseMeter(expected: deviation)
      self.time = time
    }

    /// The level, or what may be left of it where it lies apart from the eight before. Of several that lie apart in the
    /// same direction only the first is cut: then the device has moved.
    mutating func cut(_ level: Double, to reach: Double) -> Double {
      guard levels.count >= 8 else { return level }
      let recent = levels.mean(of: 8)
      let (isAbove, isBelow) = (level > recent + reach, level < recent - reach)
      defer { (wasAbove, wasBelow) = (isAbove, isBelow) }
      if isAbove, !wasAbove { return recent + reach }
      if isBelow, !wasBelow { return recent - reach }
      return level
    }
  }

  /// A filter that knows nothing yet.
  public init(_ configuration: ProximityConfiguration) {
    let valid = configuration.valid
    let model = valid.pathLoss
    let (nearLoss, farLoss) = (model.loss(distance: valid.near), model.loss(distance: valid.far))
    let third = (valid.far - valid.near) / 3
    middle = (nearLoss + farLoss) / 2
    near = Edge(loss: nearLoss - middle, margin: model.loss(distance: valid.near + third) - nearLoss)
    far = Edge(loss: farLoss - middle, margin: farLoss - model.loss(distance: valid.far - third))
    self.configuration = valid
  }

  /// Takes in how strongly the device was heard, in dBm. What no controller can mean (outside -127 to 20 dBm, Core 5.4,
  /// Vol 4, Part E, 7.5.4) is left out.
  ///
  /// - Returns: What the device has become, if that changed.
  @discardableResult
  public mutating func add(rssi: Int, at time: RadioInstant) -> Proximity? {
    guard -127...20 ~= rssi else { return nil }
    let loss = configuration.pathLoss.powerAtOneMeter - Double(rssi)
    return add(loss - middle, at: time, deviation: configuration.shadowing)
  }

  /// Takes in a distance that was measured otherwise, in metres, such as one that the device tells. What is no distance
  /// is left out.
  ///
  /// - Returns: What the device has become, if that changed.
  @discardableResult
  public mutating func add(distance: Double, at time: RadioInstant) -> Proximity? {
    guard distance.isFinite, distance >= 0 else { return nil }
    let model = configuration.pathLoss
    let deviation = model.loss(distance: Self.rangingFactor)
    return add(model.loss(distance: distance) - middle, at: time, deviation: deviation)
  }

  /// Forgets what was measured, as for a new connection; the device counts as near or far as before until more is known.
  public mutating func forgetMeasurements() {
    track = nil
    candidate = nil
  }

  private mutating func add(_ measured: Double, at time: RadioInstant, deviation: Double) -> Proximity? {
    guard measured.isFinite else { return nil }
    if let last = track?.time, last.duration(to: time) > Self.memory || time < last { forgetMeasurements() }
    var now = track ?? Track(expecting: deviation, at: time)
    // The old copy would make the arrays be copied.
    track = nil
    defer { track = now }

    let spread = now.noise.deviation
    let level = now.cut(measured, to: 3 * spread)
    now.levels.add(level, at: time)
    let isBlock = now.levels.count.isMultiple(of: NoiseMeter.block)
    now.noise.add(level, blockMean: isBlock ? now.levels.mean(of: NoiseMeter.block) : nil)
    let pause = now.time.duration(to: time)
    now.tracker.add(level, after: Double(pause.wholeNanoseconds) / 1e9, deviation: spread)
    now.time = time
    let side = side(now.levels, spread * now.noise.correlation.squareRoot())
    return decide(side, level: now.tracker.level ?? level, at: time)
  }

  /// The side on which the device is for certain; `nil` if on none.
  private func side(_ levels: RecentLevels, _ deviation: Double) -> Proximity? {
    let now = levels.time(of: 1)
    for (index, window) in Self.windows.enumerated() where window <= levels.count {
      guard levels.time(of: window).duration(to: now) <= Self.memory else { return nil }
      let mean = levels.mean(of: window)
      let doubt = Self.certainty * deviation * Self.windowDeviations[index]
      if mean - far.loss > max(0, doubt - far.margin) { return .far }
      if near.loss - mean > max(0, doubt - near.margin) { return .near }
    }
    return nil
  }

  private mutating func decide(_ side: Proximity?, level: Double, at time: RadioInstant) -> Proximity? {
    // Long means say what was, and go on saying it for a while; who has to stay must be there at each moment.
    let isThere = configuration.dwell <= .zero || (side == .near ? level < near.loss : level > far.loss)
    guard let side, side != proximity, isThere else {
      candidate = nil
      return nil
    }
    if candidate?.side != side { candidate = (side, time) }
    guard let candidate, candidate.since.duration(to: time) >= configuration.dwell else { return nil }
    proximity = side
    self.candidate = nil
    return side
  }
}
