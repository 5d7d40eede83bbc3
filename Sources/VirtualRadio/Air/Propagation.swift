import BluetoothTypes

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How far radio waves reach and how weak they get on the way: loss by the logarithm of the distance, as indoors, and a
/// little noise.
struct Propagation: Sendable {
  /// Beyond this many metres nothing is heard.
  var range = 30.0
  /// What is left of a power of 0 dBm at one metre, in dBm.
  var atOneMetre = -50.0
  /// 2 in free space, more where there are walls.
  var exponent = 2.4
  /// How much readings scatter, in dB.
  var deviation = 2.0

  /// A reading in dBm.
  func strength(power: Int8, distance: Double, random: inout SeededGenerator) -> Int8 {
    let loss = 10 * exponent * log10(max(distance, 0.1))
    let value = (Double(power) + atOneMetre - loss + random.normal(deviation: deviation)).rounded()
    // What HCI can say: -127 to 20 (Core 5.4, Vol 4, Part E, 7.7.65.2).
    return Int8(min(max(value, -127), 20))
  }
}

extension Air {
  /// Whether two controllers are switched on and near enough.
  func hear(_ one: ControllerID, _ other: ControllerID) -> Bool {
    guard let one = index(of: one), let other = index(of: other) else { return false }
    return hear(at: one, at: other)
  }

  func hear(at one: Int, at other: Int) -> Bool {
    guard controllers[one].isOnAir, controllers[other].isOnAir else { return false }
    let (here, there) = (controllers[one].configuration.position, controllers[other].configuration.position)
    return here.distance(to: there) <= propagation.range
  }

  /// How strongly the controller at `listener` hears the one at `sender`.
  mutating func strength(of sender: Int, at listener: Int) -> Int8 {
    let (from, to) = (controllers[sender].configuration, controllers[listener].configuration)
    var random = controllers[listener].random
    let strength = propagation.strength(
      power: from.transmitPower,
      distance: from.position.distance(to: to.position),
      random: &random
    )
    controllers[listener].random = random
    return strength
  }
}
