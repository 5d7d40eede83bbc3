import RadioPort

/// How often a controller that reports hardware errors is started again: one that reports them without end is given up.
struct RestartLimit: Sendable {
  static let count = 3
  static let window = Duration.seconds(30)

  private var times: [RadioInstant] = []

  /// Whether one more restart is in order; it is counted.
  mutating func takeOne(now: RadioInstant) -> Bool {
    times.removeAll { $0.advanced(by: Self.window) <= now }
    guard times.count < Self.count else { return false }
    times.append(now)
    return true
  }
}
