import RadioPort

/// A mean of the strengths with which a device was heard, in which what is older counts for less.
///
/// By time and not by number, so that it means the same for a device that is heard ten times in a second and for one that
/// is heard once.
struct SmoothedRSSI: Hashable, Sendable {
  /// After this time what was before counts for half.
  static let halfTime = Duration.seconds(1)
  /// What a sighting counts for at least, as if this time had passed since the one before.
  private static let leastStep = Duration.milliseconds(20)

  private(set) var value: Double?
  private var last: RadioInstant?

  /// Takes one sighting into account. One that is told twice, as by two scans, counts once; `nil` does not count.
  mutating func add(_ rssi: Int?, at time: RadioInstant) {
    guard let rssi else { return }
    guard let mean = value, let last else {
      value = Double(rssi)
      last = time
      return
    }
    guard time > last else { return }
    let passed = max(last.duration(to: time), Self.leastStep)
    let weight = passed / (passed + Self.halfTime)
    value = mean + (Double(rssi) - mean) * weight
    self.last = time
  }
}
