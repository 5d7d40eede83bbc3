/// How well the ends of a link hear each other, as far as that is known in advance. All times are nanoseconds.
struct LinkConditions: Sendable {
  /// What each end hears of the other without fading, in dB above its sensitivity on LE 1M.
  var downMargin: Double
  var upMargin: Double
  /// Until when this holds.
  var until: Int64
  /// Whether no packet is lost.
  var isClear: Bool
  /// What becomes of empty packets, on the average of all fading.
  private(set) var idle = IdleOdds()

  /// - Parameters:
  ///   - path: The way between the ends.
  ///   - powers: What the ends send with, in dBm.
  init(path: SignalPath, powers: LinkPowers, downPHY: LinkPHY, upPHY: LinkPHY, at time: Int64) {
    let sensitivity = path.propagation.sensitivity
    let down = path.strength(power: powers.central, at: time) - sensitivity
    let up = down + Double(powers.peripheral) - Double(powers.central)
    let fading = path.propagation.fading
    downMargin = down
    upMargin = up
    until = path.constantUntil(time)
    isClear = min(down - downPHY.handicap, up - upPHY.handicap) - 4 * fading >= BitErrors.clearMargin
    if !isClear { idle = IdleOdds(down: down - downPHY.handicap, up: up - upPHY.handicap, fading: fading) }
  }
}

/// The probabilities that decide about an event in which nobody has anything to say.
struct IdleOdds: Sendable {
  /// The peripheral does not notice the central's packet, and so does not answer.
  var downMissed = 0.0
  /// The peripheral does not get it as it was sent.
  var downLost = 0.0
  /// The central does not get the answer as it was sent.
  var upLost = 0.0

  init() {}

  /// The average over what fading may do, by Gauss-Hermite quadrature.
  init(down: Double, up: Double, fading: Double) {
    for (deviations, weight) in Self.points {
      let one = BitErrors(margin: down + deviations * fading)
      downMissed += weight * one.miss
      downLost += weight * one.loss(payload: 0)
      upLost += weight * BitErrors(margin: up + deviations * fading).loss(payload: 0)
    }
  }

  private static let points = [
    (-2.856_970, 0.011_257_4), (-1.355_626, 0.222_075_9), (0, 0.533_333_4), (1.355_626, 0.222_075_9),
    (2.856_970, 0.011_257_4),
  ]
}

/// What the ends of a link send with, in dBm.
struct LinkPowers: Hashable, Sendable {
  var central: Int8
  var peripheral: Int8
}
