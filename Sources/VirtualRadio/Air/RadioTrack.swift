/// Where a controller is at any time: at one place, or on its way. All times are nanoseconds.
struct RadioTrack: Hashable, Sendable {
  /// A straight way, or a stay where both ends are the same.
  struct Leg: Hashable, Sendable {
    var start: Int64
    var end: Int64
    var from: RadioPosition
    var to: RadioPosition

    func position(at time: Int64) -> RadioPosition {
      guard end > start else { return to }
      let part = Double(time &- start) / Double(end &- start)
      return RadioPosition(
        x: from.x + (to.x - from.x) * part,
        y: from.y + (to.y - from.y) * part,
        z: from.z + (to.z - from.z) * part
      )
    }
  }

  /// In the order of time, without gaps.
  private var legs: [Leg] = []
  /// Where it is after the last leg.
  private var rest: RadioPosition
  /// The legs that begin at or after this moment are walked again and again.
  private var loopStart: Int64?

  /// It stays where it is.
  init(at position: RadioPosition) { rest = position }

  /// It moves from `position` on, from `start` on.
  init(from position: RadioPosition, along movement: Movement, start: Int64) {
    rest = position
    var time = start
    walk(movement, &time)
    guard movement.repeats else { return }
    let loopStart = time
    walk(movement, &time)
    // A loop that takes no time can not be walked.
    if time &- loopStart >= 1_000_000 { self.loopStart = loopStart }
  }

  private mutating func walk(_ movement: Movement, _ time: inout Int64) {
    for step in movement.steps {
      let from = rest
      let duration: Int64
      switch step {
      case .walk(let to, let speed):
        // Within a year it arrives, however slow and far.
        let nanoseconds = from.distance(to: to) / Movement.valid(speed) * 1e9
        duration = nanoseconds < 3.2e16 ? Int64(nanoseconds) : 32_000_000_000_000_000
        rest = to
      case .pause(let pause): duration = max(0, min(pause.wholeNanoseconds, 32_000_000_000_000_000))
      }
      guard duration > 0 else { continue }
      legs.append(Leg(start: time, end: time &+ duration, from: from, to: rest))
      time = time &+ duration
    }
  }

  /// The leg at a moment, in the time of that moment; `nil` at rest.
  func leg(at time: Int64) -> Leg? {
    guard let first = legs.first, let last = legs.last, time >= first.start else { return nil }
    var shift: Int64 = 0
    if time >= last.end {
      guard let loopStart else { return nil }
      let period = last.end &- loopStart
      shift = (time &- loopStart) / period &* period
    }
    let moment = time &- shift
    guard var leg = legs.first(where: { $0.end > moment }) else { return nil }
    leg.start = leg.start &+ shift
    leg.end = leg.end &+ shift
    return leg
  }

  func position(at time: Int64) -> RadioPosition {
    if legs.isEmpty { return rest }
    if let leg = leg(at: time) { return leg.position(at: time) }
    return time < legs[0].start ? legs[0].from : rest
  }

  /// Whether its place changes, or will.
  func isMoving(at time: Int64) -> Bool {
    guard let last = legs.last else { return false }
    return loopStart != nil || time < last.end
  }
}

/// A way through a world.
///
/// ```swift
/// band.move(along: Movement([.walk(to: RadioPosition(x: 40), speed: 1.4), .pause(.seconds(60)), .walk(to: .origin)]))
/// ```
public struct Movement: Hashable, Sendable {
  /// A part of the way.
  public enum Step: Hashable, Sendable {
    /// Straight to a place, with so many metres a second, 0.001 to 100,000; a walker makes 1.4.
    case walk(to: RadioPosition, speed: Double = 1.4)
    /// A stay.
    case pause(Duration)
  }

  /// The parts, one after the other.
  public var steps: [Step]
  /// Whether the parts are walked again and again; each time from where the last ended.
  public var repeats: Bool

  /// A way from its parts; speeds out of their range are brought into it.
  public init(_ steps: [Step], repeats: Bool = false) {
    self.steps = steps
    self.repeats = repeats
  }

  static func valid(_ speed: Double) -> Double { speed.isNaN ? 1.4 : min(max(speed, 0.001), 100_000) }
}
