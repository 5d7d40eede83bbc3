import RadioPort

/// Decides which command a lock is to get, and when again if it did not.
struct LockMachine: Sendable {
  typealias Command = ProximityLock.Command

  /// How long it waits after a command that was refused or failed.
  static let pause = Duration.seconds(1)

  /// What the device is to do; `nil` while that is not known.
  private(set) var wanted: Command?
  /// What it has done last on this connection, or at its end.
  private(set) var done: Command?
  private var notBefore = RadioInstant.zero

  init() {}

  /// A connection is there: what the device has done since the last one is not known.
  mutating func begin(wanting command: Command? = nil) {
    wanted = command
    done = nil
    notBefore = .zero
  }

  /// The connection is gone.
  mutating func end(wanting command: Command? = nil) { begin(wanting: command) }

  /// The device is near or far.
  mutating func follow(_ proximity: Proximity) {
    switch proximity {
    case .near: want(.disarm)
    case .far: want(.arm)
    case .unknown: break
    }
  }

  private mutating func want(_ command: Command) {
    guard wanted != command else { return }
    wanted = command
    // What held up the other command does not hold up this one.
    notBefore = .zero
  }

  /// The command to try now.
  func due(at now: RadioInstant) -> Command? {
    guard let wanted, wanted != done, now >= notBefore else { return nil }
    return wanted
  }

  /// When the command that is not done may be tried again; `nil` if there is none.
  var retry: RadioInstant? { wanted != nil && wanted != done ? notBefore : nil }

  mutating func succeeded(_ command: Command) { done = command }

  mutating func postponed(at now: RadioInstant) { notBefore = now.advanced(by: Self.pause) }
}
