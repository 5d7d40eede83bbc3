import RadioPort

/// The devices that were heard lately, with the strongest first, told at most once in an interval.
struct NearbyList {
  private let interval: Duration
  private let memory: Duration?
  private let capacity: Int
  private var entries: [PeerID: Discovery] = [:]
  private var toldAt: RadioInstant?
  private var isChanged = false

  init(every interval: Duration, forgetAfter memory: Duration?, capacity: Int) {
    self.interval = max(interval, .milliseconds(1))
    self.memory = memory
    self.capacity = max(capacity, 1)
  }

  /// When the list is to be looked at again.
  var deadline: RadioInstant? {
    guard isChanged || (memory != nil && !entries.isEmpty) else { return nil }
    return toldAt.map { $0.advanced(by: interval) } ?? RadioInstant(nanoseconds: 0)
  }

  mutating func add(_ discovery: Discovery) {
    entries[discovery.id] = discovery
    isChanged = true
    guard entries.count >= capacity &* 2 else { return }
    // Among devices without number those that were heard last are kept.
    let kept = entries.values.sorted { $0.seenAt > $1.seenAt }.prefix(capacity)
    entries = Dictionary(kept.map { ($0.id, $0) }) { first, _ in first }
  }

  /// The list, if it is time to tell it and it has changed.
  mutating func take(at now: RadioInstant) -> [Discovery]? {
    guard let deadline, deadline <= now else { return nil }
    toldAt = now
    forget(at: now)
    return takeChanged()
  }

  /// The list as it is, if that was not told yet.
  mutating func takeChanged() -> [Discovery]? {
    guard isChanged else { return nil }
    isChanged = false
    return entries.values.sorted(by: Self.isStronger)
  }

  private mutating func forget(at now: RadioInstant) {
    guard let memory else { return }
    let before = entries.count
    // Who is connected does not advertise, and is near all the same.
    entries = entries.filter { $0.value.seenAt.advanced(by: memory) > now || $0.value.peripheral.state.isReady }
    if entries.count != before { isChanged = true }
  }

  /// Strongest first, those of unknown strength last, and always in the same order.
  private static func isStronger(_ left: Discovery, _ right: Discovery) -> Bool {
    switch (left.smoothedRSSI, right.smoothedRSSI) {
    case (let left?, let right?) where left != right: left > right
    case (_?, nil): true
    case (nil, _?): false
    default: (left.id.high, left.id.low) < (right.id.high, right.id.low)
    }
  }
}
