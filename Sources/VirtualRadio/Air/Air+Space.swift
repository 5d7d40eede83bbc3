import BluetoothTypes
import RadioPort

// Where controllers are, who may hear whom, and how strongly.
extension Air {
  // MARK: Changing

  /// How far a radio reaches, in metres.
  package mutating func setRange(_ metres: Double, now: RadioInstant) {
    advance(to: now)
    propagation.range = metres
    propagation = propagation.valid
    refreshSpace()
  }

  /// Lets waves spread otherwise from now on.
  package mutating func setPropagation(_ propagation: Propagation, now: RadioInstant) {
    advance(to: now)
    self.propagation = propagation.valid
    refreshSpace()
  }

  /// Puts a controller somewhere else, where it stays.
  package mutating func setPosition(_ position: RadioPosition, of id: ControllerID, now: RadioInstant) {
    advance(to: now)
    guard let index = index(of: id) else { return }
    controllers[index].track = RadioTrack(at: position)
    refreshSpace()
  }

  /// Sends a controller on a way that begins where it is.
  package mutating func move(_ id: ControllerID, along movement: Movement, now: RadioInstant) {
    advance(to: now)
    guard let index = index(of: id) else { return }
    let position = controllers[index].track.position(at: time)
    controllers[index].track = RadioTrack(from: position, along: movement, start: time)
    refreshSpace()
  }

  /// Where a controller is; `nil` if there is none of that name.
  package func position(of id: ControllerID, now: RadioInstant) -> RadioPosition? {
    index(of: id).map { controllers[$0].track.position(at: max(time, now.nanoseconds)) }
  }

  /// Puts a controller behind thick walls, whatever its position, or takes it out again.
  package mutating func setReachable(_ isReachable: Bool, _ id: ControllerID, now: RadioInstant) {
    advance(to: now)
    guard let index = index(of: id) else { return }
    controllers[index].isReachable = isReachable
    refreshSpace()
  }

  /// Looks again who may hear whom, and when that may change by itself.
  mutating func refreshSpace() {
    refreshLinks(now: time)
    refreshActivity(now: time)
    nextSpaceChange = nextCrossing()
  }

  /// Gives a controller another public address, which its host learns when it asks again.
  mutating func setAddress(_ address: BluetoothAddress, of id: ControllerID, now: RadioInstant) {
    advance(to: now)
    if let index = index(of: id) { controllers[index].configuration.address = address }
  }

  // MARK: Hearing

  /// Whether two controllers are switched on and so near that one may hear the other.
  func hear(_ one: ControllerID, _ other: ControllerID) -> Bool {
    guard let one = index(of: one), let other = index(of: other) else { return false }
    return hear(at: one, at: other)
  }

  func hear(at one: Int, at other: Int) -> Bool {
    guard controllers[one].isOnAir, controllers[other].isOnAir else { return false }
    if !controllers[one].trouble.partial.isEmpty || !controllers[other].trouble.partial.isEmpty {
      guard !areParted(one, other) else { return false }
    }
    let (here, there) = (controllers[one].track.position(at: time), controllers[other].track.position(at: time))
    return here.distance(to: there) <= reach(one, other)
  }

  private func reach(_ one: Int, _ other: Int) -> Double {
    let power = max(controllers[one].configuration.transmitPower, controllers[other].configuration.transmitPower)
    return propagation.reach(power: power)
  }

  /// The way between two controllers.
  func path(between one: Int, and other: Int) -> SignalPath {
    let (low, high) = (min(controllers[one].id, controllers[other].id), max(controllers[one].id, controllers[other].id))
    return SignalPath(
      one: controllers[one].track,
      other: controllers[other].track,
      propagation: propagation,
      shadow: Shadow(
        key: seed ^ UInt64(low.rawValue) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(high.rawValue) &* 0xC2B2_AE3D_27D4_EB4F,
        deviation: propagation.shadowing,
        coherence: max(1, propagation.coherence.wholeNanoseconds)
      )
    )
  }

  /// How strongly the controller at `listener` hears one packet of the one at `sender` at a moment, in dBm.
  mutating func packetStrength(of sender: Int, at listener: Int, time: Int64) -> Double {
    let path = path(between: sender, and: listener)
    let strength = path.strength(power: controllers[sender].configuration.transmitPower, at: time)
    guard propagation.fading > 0 else { return strength }
    return strength + controllers[listener].random.normal(deviation: propagation.fading)
  }

  /// Whether the controller at `listener` gets a packet of that strength as it was sent.
  mutating func gets(_ payload: Int, on phy: LinkPHY = .le1M, strength: Double, at listener: Int) -> Bool {
    let errors = BitErrors(margin: strength - propagation.sensitivity - phy.handicap)
    return errors.reception(payload: payload, random: &controllers[listener].random) == .heard
  }

  // MARK: Moving

  /// When, by movement alone, two controllers next come into reach of each other or leave it, or one takes another
  /// direction; `nil` if all are at rest.
  private func nextCrossing() -> Int64? {
    var next: Int64?
    for one in controllers.indices where controllers[one].track.isMoving(at: time) {
      guard let leg = controllers[one].track.leg(at: time) else { continue }
      next = min(next ?? .max, leg.end)
      for other in controllers.indices where other != one {
        guard let crossing = crossing(one, leg, other) else { continue }
        next = min(next ?? .max, crossing)
      }
    }
    return next
  }

  private func crossing(_ one: Int, _ leg: RadioTrack.Leg, _ other: Int) -> Int64? {
    let track = controllers[other].track
    let still = track.position(at: time)
    let otherLeg =
      track.leg(at: time) ?? RadioTrack.Leg(start: time, end: time, from: still, to: still)
    let (here, there) = (leg.position(at: time), still)
    let (mine, its) = (leg.velocity, otherLeg.velocity)
    let (dx, dy, dz) = (here.x - there.x, here.y - there.y, here.z - there.z)
    let (vx, vy, vz) = (mine.x - its.x, mine.y - its.y, mine.z - its.z)
    let speed = vx * vx + vy * vy + vz * vz
    guard speed > 0 else { return nil }
    let (half, reach) = (dx * vx + dy * vy + dz * vz, reach(one, other))
    let discriminant = half * half - speed * (dx * dx + dy * dy + dz * dz - reach * reach)
    guard discriminant >= 0 else { return nil }
    let root = discriminant.squareRoot()
    for seconds in [(-half - root) / speed, (-half + root) / speed] where seconds > 0 && seconds < 1e8 {
      // A millisecond later, so that it has happened, however the numbers were rounded.
      return time &+ Int64(seconds * 1e9) &+ 1_000_000
    }
    return nil
  }
}

extension RadioTrack.Leg {
  /// Metres a second in each direction.
  var velocity: RadioPosition {
    let seconds = Double(end &- start) / 1e9
    guard seconds > 0 else { return .origin }
    return RadioPosition(x: (to.x - from.x) / seconds, y: (to.y - from.y) / seconds, z: (to.z - from.z) / seconds)
  }
}
