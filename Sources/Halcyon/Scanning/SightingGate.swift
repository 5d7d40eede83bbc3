import RadioPort

/// Which sightings a scan tells of and when, by its ``Duplicates``.
enum SightingGate {
  case all
  case merge(SightingMerger)
  case throttle(SightingThrottle)

  init(_ duplicates: Duplicates, capacity: Int) {
    switch duplicates {
    case .all: self = .all
    case .merge: self = .merge(SightingMerger(capacity: capacity))
    case .every(let interval): self = .throttle(SightingThrottle(every: interval, capacity: capacity))
    }
  }

  /// How many devices are kept.
  var count: Int {
    switch self {
    case .all: 0
    case .merge(let merger): merger.count
    case .throttle(let throttle): throttle.count
    }
  }

  /// When there is something to tell, if nothing is heard until then.
  var deadline: RadioInstant? {
    switch self {
    case .all: nil
    case .merge(let merger): merger.deadline
    case .throttle(let throttle): throttle.deadline
    }
  }

  /// Returns whether the sighting is to be told now.
  mutating func add(_ sighting: Sighting, at now: RadioInstant) -> Bool {
    switch self {
    case .all: return true
    case .merge(var merger):
      self = .all
      defer { self = .merge(merger) }
      return merger.add(sighting)
    case .throttle(var throttle):
      self = .all
      defer { self = .throttle(throttle) }
      return throttle.add(sighting, at: now)
    }
  }

  /// What can not be held back any longer for want of room.
  mutating func takeOverdue() -> Sighting? {
    switch self {
    case .all: return nil
    case .merge(var merger):
      self = .all
      defer { self = .merge(merger) }
      return merger.takeOverdue()
    case .throttle(var throttle):
      self = .all
      defer { self = .throttle(throttle) }
      return throttle.takeOverdue()
    }
  }

  /// What was held back long enough at `now`; all of it without a `now`. The oldest first.
  mutating func due(at now: RadioInstant?) -> [Sighting] {
    switch self {
    case .all: return []
    case .merge(var merger):
      self = .all
      defer { self = .merge(merger) }
      return merger.due(at: now)
    case .throttle(var throttle):
      self = .all
      defer { self = .throttle(throttle) }
      return throttle.due(at: now)
    }
  }
}
