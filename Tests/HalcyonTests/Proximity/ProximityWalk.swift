import Foundation
import Halcyon

/// What a receiver hears of a device that somebody carries about: ten measurements a second, exponent 2, calibrated at
/// one metre, in whole dBm, with shadowing.
struct ProximityWalk {
  static let power = -59.0
  static let step = Duration.milliseconds(100)
  static let model = PathLoss(powerAtOneMeter: power)

  /// How the signal is disturbed.
  struct Shadowing: Hashable, Sendable {
    /// The standard deviation, in dB.
    var deviation: Double
    /// After how many seconds it has become another one (a Gauss-Markov process); 0 for another one each time.
    var coherence = 0.0
  }

  private(set) var time = RadioInstant.zero
  private let shadowing: Shadowing
  private var random: SplitMix64
  private var spare: Double?
  private var shadow: Double?

  init(_ shadowing: Shadowing, seed: UInt64) {
    self.shadowing = shadowing
    random = SplitMix64(seed: seed)
  }

  /// Measures once at `distance` metres, and goes on by a tenth of a second.
  mutating func measure(at distance: Double) -> (rssi: Int, time: RadioInstant) {
    let rssi = Self.power - 20 * log10(distance) + nextShadow()
    defer { time = time.advanced(by: Self.step) }
    return (Int(rssi.rounded()), time)
  }

  private mutating func nextShadow() -> Double {
    let fresh = shadowing.deviation * normal()
    guard shadowing.coherence > 0, let before = shadow else {
      shadow = fresh
      return fresh
    }
    let memory = exp(-0.1 / shadowing.coherence)
    let next = memory * before + (1 - memory * memory).squareRoot() * fresh
    shadow = next
    return next
  }

  // Marsaglia's polar method gives two at a time.
  private mutating func normal() -> Double {
    if let spare {
      self.spare = nil
      return spare
    }
    while true {
      let (x, y) = (2 * unit() - 1, 2 * unit() - 1)
      let square = x * x + y * y
      guard square > 0, square < 1 else { continue }
      let factor = (-2 * log(square) / square).squareRoot()
      spare = y * factor
      return x * factor
    }
  }

  private mutating func unit() -> Double { Double(random.next() >> 11) / 9_007_199_254_740_992 }
}

/// Random numbers that are the same in every run with the same seed.
private struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed &>> 31)
  }
}
