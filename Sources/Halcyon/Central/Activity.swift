import RadioPort
import Synchronization

/// What a central is busy with; empty when it is with nothing. It drives a spinner.
public struct Activity: OptionSet, Hashable, Sendable {
  /// One bit for each.
  public let rawValue: UInt8
  /// Activity from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A scan is iterated, also one that waits for Bluetooth.
  public static let scanning = Activity(rawValue: 1)
  /// Somebody waits for a connection. One that comes back by itself, as ``Reconnect`` says, does not count: it may take
  /// for ever.
  public static let connecting = Activity(rawValue: 2)
  /// A device is asked what it offers.
  public static let discovering = Activity(rawValue: 4)
}

extension Activity: CustomStringConvertible {
  /// The names of what it holds.
  public var description: String {
    let names = [(Activity.scanning, "scanning"), (.connecting, "connecting"), (.discovering, "discovering")]
    let held = names.filter { contains($0.0) }.map(\.1)
    return held.isEmpty ? "idle" : held.joined(separator: ", ")
  }
}

/// Counts what a central is busy with.
final class ActivityBoard: Sendable {
  let hub = UpdateHub<Activity>(.value, [])
  private let counts = Mutex<[Activity: Int]>([:])

  /// It counts for as long as the mark is held.
  func mark(_ activity: Activity) -> ActivityMark { ActivityMark(activity, on: self) }

  fileprivate func add(_ change: Int, to activity: Activity) {
    // Told under the lock, so that the last that is told is what holds.
    counts.withLock { counts in
      counts[activity, default: 0] += change
      let now = counts.reduce(into: Activity()) { all, one in if one.value > 0 { all.insert(one.key) } }
      if now != hub.current { hub.send(now) }
    }
  }
}

/// One cause of an activity, for as long as it is held.
final class ActivityMark: Sendable {
  private let activity: Activity
  private let board: ActivityBoard

  fileprivate init(_ activity: Activity, on board: ActivityBoard) {
    self.activity = activity
    self.board = board
    board.add(1, to: activity)
  }

  deinit { board.add(-1, to: activity) }
}
