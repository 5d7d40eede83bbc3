#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How many bits of a packet a receiver gets wrong, and what becomes of the packet.
///
/// The rate of a receiver for frequency shift keying without phase, ½·exp(-E/2N), fixed at the sensitivity, where the
/// specification allows one wrong bit of a thousand (Core 5.4, Vol 6, Part A, 4.1).
struct BitErrors: Hashable, Sendable {
  /// The share of wrong bits.
  var rate: Double

  /// - Parameter margin: How much stronger than its sensitivity the receiver hears the packet, in dB.
  init(margin: Double) {
    rate = margin >= Self.clearMargin ? 0 : 0.5 * exp(-6.214_608 * pow(10, margin / 10))
  }

  /// What happens to a packet with `payload` bytes.
  func reception(payload: Int, random: inout SeededGenerator) -> Reception {
    guard rate > 0 else { return .heard }
    let draw = random.unit()
    let missed = 1 - survival(bits: Self.syncBits)
    if draw < missed { return .missed }
    return draw < 1 - survival(bits: Self.syncBits &+ Self.bits(payload)) ? .corrupt : .heard
  }

  /// The probability that a packet is not heard as it was sent.
  func loss(payload: Int) -> Double { rate > 0 ? 1 - survival(bits: Self.syncBits &+ Self.bits(payload)) : 0 }

  /// The probability that a receiver does not notice a packet.
  var miss: Double { rate > 0 ? 1 - survival(bits: Self.syncBits) : 0 }

  private func survival(bits: Int) -> Double { pow(1 - rate, Double(bits)) }

  /// The access address, by which a receiver notices a packet.
  private static let syncBits = 32

  /// Header, payload and CRC.
  private static func bits(_ payload: Int) -> Int { (payload &+ 5) &* 8 }

  /// So many dB above its sensitivity a receiver makes less than one error in a million packets of any length.
  static let clearMargin = 6.0
}

/// What a receiver makes of a packet.
enum Reception: Hashable, Sendable {
  /// It is there as it was sent.
  case heard
  /// The receiver noticed it, and the CRC does not fit.
  case corrupt
  /// The receiver did not notice it.
  case missed
}
