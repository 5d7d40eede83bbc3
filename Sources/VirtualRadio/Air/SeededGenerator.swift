/// The only source of chance in a world: SplitMix64, so that the same seed gives the same run on every machine.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// A generator of its own for `part`, so that what one part of a world draws does not change what another gets.
  package init(seed: UInt64, part: UInt64) {
    var mixer = SeededGenerator(seed: seed ^ (part &+ 1) &* 0xD1B5_4A32_D192_ED03)
    state = mixer.next()
  }

  /// The number of the part that `name` names: FNV-1a with 64 bits.
  static func part(_ name: String) -> UInt64 {
    name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }

  package mutating func next() -> UInt64 {
    state = state &+ 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value &>> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value &>> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value &>> 31
  }

  /// A number from 0 up to and without `bound`; 0 if there is no such number.
  package mutating func below(_ bound: Int64) -> Int64 {
    guard bound > 0 else { return 0 }
    return Int64(truncatingIfNeeded: next() % UInt64(bound))
  }

  /// A number from 0 up to and without 1.
  package mutating func unit() -> Double { Double(next() &>> 11) / 9_007_199_254_740_992 }

  /// A number of the normal distribution around 0, cut at six times `deviation`.
  package mutating func normal(deviation: Double) -> Double {
    // Twelve uniform numbers have variance 1: near enough, and without the transcendental functions whose last bits
    // differ between C libraries.
    var sum = -6.0
    for _ in 0..<12 { sum += unit() }
    return sum * deviation
  }
}
