import RadioPort

/// Lets through the sightings of each device at most once in an interval, and the newest at its end.
///
/// Each step costs the same however many devices there are, and their number is bounded.
struct SightingThrottle {
  /// The end of a device's interval.
  private struct Turn {
    let until: RadioInstant
    let peer: PeerID
  }

  private struct Interval { var latest: Sighting? }

  private let interval: Duration
  private let capacity: Int
  /// The devices within their intervals, with what was heard since.
  private var open: [PeerID: Interval] = [:]
  /// One for each of them, in the order of the ends: all intervals are equally long.
  private var turns = ArraySlice<Turn>()

  init(every interval: Duration, capacity: Int) {
    self.interval = max(interval, .zero)
    self.capacity = max(capacity, 1)
  }

  /// When the first interval ends.
  var deadline: RadioInstant? { turns.first?.until }

  /// How many devices are kept.
  var count: Int { open.count }

  /// Returns whether the sighting is to be told now.
  mutating func add(_ sighting: Sighting, at now: RadioInstant) -> Bool {
    guard open[sighting.peer] == nil else {
      open[sighting.peer]?.latest = sighting
      return false
    }
    begin(sighting.peer, now)
    return true
  }

  /// What is to be told of devices whose interval has ended at `now`; of all of them without a `now`. The oldest first.
  mutating func due(at now: RadioInstant?) -> [Sighting] {
    var due: [Sighting] = []
    while let turn = turns.first, now.map({ turn.until <= $0 }) ?? true {
      turns.removeFirst()
      guard let sighting = open.removeValue(forKey: turn.peer)?.latest else { continue }
      due.append(sighting)
      if let now { begin(turn.peer, now) }
    }
    return due
  }

  /// Ends the oldest intervals early if there are more than there is room for. Returns what is to be told.
  mutating func takeOverdue() -> Sighting? {
    while turns.count > capacity, let turn = turns.popFirst() {
      if let sighting = open.removeValue(forKey: turn.peer)?.latest { return sighting }
    }
    return nil
  }

  private mutating func begin(_ peer: PeerID, _ now: RadioInstant) {
    open[peer] = Interval()
    turns.append(Turn(until: now.advanced(by: interval), peer: peer))
  }
}
