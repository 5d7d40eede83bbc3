import BluetoothTypes

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How radio waves get from one place of a world to another: how far, how weak, how steadily, and what receivers still
/// make of them.
///
/// The strength of a packet is what the sender's power and the distance leave of it, plus shadowing, which is the same in
/// both directions and changes slowly, plus fading, which is another one for each packet. A receiver hears a packet the
/// less likely the weaker it is; at its sensitivity three of ten packets are lost.
public struct Propagation: Hashable, Sendable {
  /// Beyond this many metres nothing is heard at all, as if there was a wall.
  public var range: Double
  /// What is left at one metre of a packet that is sent with 0 dBm, in dBm.
  public var strengthAtOneMetre: Double
  /// How fast the strength falls with the distance: 2 in free space, 2 to 3 indoors in sight, up to 4 through walls.
  public var exponent: Double
  /// How much the strength between two places differs from what the distance says: the standard deviation, in dB, of
  /// what people and things in between change over time. 0 for nothing.
  public var shadowing: Double
  /// After how long shadowing has become another one.
  public var coherence: Duration
  /// How much single packets differ, in dB: the standard deviation. 0 for not at all.
  public var fading: Double
  /// The strength, in dBm, at which a receiver loses 30.8 % of the packets with 37 bytes on LE 1M (Core 5.4, Vol 6, Part
  /// A, 4.1). It is 3 dB worse on LE 2M, and 4 and 8 dB better on LE Coded with S=2 and S=8.
  public var sensitivity: Double
  /// By how many dB a packet must be stronger than another one at the same time on the same channel to be heard.
  public var captureThreshold: Double

  /// Rooms of a house.
  ///
  /// The defaults are such that nearly no packet is lost up to 15 m, and most are at 30 m.
  public init(
    range: Double = 30,
    strengthAtOneMetre: Double = -50,
    exponent: Double = 2.4,
    shadowing: Double = 2,
    coherence: Duration = .seconds(5),
    fading: Double = 2,
    sensitivity: Double = -92,
    captureThreshold: Double = 8
  ) {
    self.range = range
    self.strengthAtOneMetre = strengthAtOneMetre
    self.exponent = exponent
    self.shadowing = shadowing
    self.coherence = coherence
    self.fading = fading
    self.sensitivity = sensitivity
    self.captureThreshold = captureThreshold
  }

  /// Without shadowing and fading, and with receivers that hear everything in range.
  public static let steady = Propagation(shadowing: 0, fading: 0, sensitivity: -200)

  /// The same with what is no number, or less than nothing, set right.
  var valid: Propagation {
    func value(_ number: Double, _ range: ClosedRange<Double>, _ instead: Double) -> Double {
      number.isNaN ? instead : min(max(number, range.lowerBound), range.upperBound)
    }
    return Propagation(
      range: value(range, 0...1e9, 30),
      strengthAtOneMetre: value(strengthAtOneMetre, -200...50, -50),
      exponent: value(exponent, 0...10, 2.4),
      shadowing: value(shadowing, 0...40, 2),
      coherence: max(coherence, .milliseconds(1)),
      fading: value(fading, 0...40, 2),
      sensitivity: value(sensitivity, -300...50, -92),
      captureThreshold: value(captureThreshold, 0...100, 8)
    )
  }

  /// What is left at a distance, in dBm, without shadowing and fading.
  func mean(power: Int8, distance: Double) -> Double {
    Double(power) + strengthAtOneMetre - 10 * exponent * log10(max(distance, 0.1))
  }

  /// By how many dB a strength may exceed its mean at most; beyond five deviations nobody waits for it.
  private var luck: Double { 5 * shadowing + 4 * fading }

  /// The distance beyond which nobody hears a sender of this power, whatever its luck.
  func reach(power: Int8) -> Double {
    // LE Coded gives 8 dB, and 3 dB below its sensitivity a receiver hears nothing.
    let margin = Double(power) + strengthAtOneMetre + luck - (sensitivity - 11)
    guard exponent > 0 else { return margin >= 0 ? range : 0 }
    return min(range, pow(10, margin / (10 * exponent)))
  }

  /// Whether no packet is ever lost at a distance.
  func isClear(power: Int8, distance: Double) -> Bool {
    distance <= range && mean(power: power, distance: distance) - luck >= sensitivity + 3 + BitErrors.clearMargin
  }

  /// What HCI can say of a strength: -127 to 20 dBm (Core 5.4, Vol 4, Part E, 7.7.65.2).
  static func reading(_ strength: Double) -> Int8 {
    strength.isNaN ? -127 : Int8(min(max(strength.rounded(), -127), 20))
  }
}

/// How slowly the way between two controllers gets better and worse: a stationary random process that can be asked for
/// any moment, in any order, and gives the same answer each time.
struct Shadow: Hashable, Sendable {
  /// Another process for each pair.
  let key: UInt64
  /// The standard deviation.
  let deviation: Double
  /// Nanoseconds between two values that have nothing to do with one another.
  let coherence: Int64

  /// Decibels to add.
  func value(at time: Int64) -> Double {
    guard deviation > 0 else { return 0 }
    let (index, rest) = (time / coherence, time % coherence)
    let fraction = Double(rest) / Double(coherence)
    // The weights keep the variance the same between two points; a square root is exact everywhere.
    let weight = (fraction * fraction + (1 - fraction) * (1 - fraction)).squareRoot()
    return ((1 - fraction) * point(index) + fraction * point(index &+ 1)) / weight
  }

  private func point(_ index: Int64) -> Double {
    var random = SeededGenerator(seed: key, part: UInt64(bitPattern: index))
    return random.normal(deviation: deviation)
  }
}

/// The way between two controllers, wherever they are and go.
struct SignalPath: Hashable, Sendable {
  var one: RadioTrack
  var other: RadioTrack
  var propagation: Propagation
  var shadow: Shadow

  /// The strength of what one sends at the other, in dBm, without the fading of single packets.
  func strength(power: Int8, at time: Int64) -> Double {
    propagation.mean(power: power, distance: distance(at: time)) + shadow.value(at: time)
  }

  func distance(at time: Int64) -> Double { one.position(at: time).distance(to: other.position(at: time)) }

  /// For how long a strength may be taken for constant from `time` on.
  func constantUntil(_ time: Int64) -> Int64 {
    let isMoving = one.isMoving(at: time) || other.isMoving(at: time)
    guard isMoving || propagation.shadowing > 0 else { return .max }
    let step = min(isMoving ? 200_000_000 : .max, propagation.shadowing > 0 ? max(1, shadow.coherence / 16) : .max)
    return (time / step &+ 1) &* step
  }
}
