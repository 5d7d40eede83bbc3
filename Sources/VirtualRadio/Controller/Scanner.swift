import BluetoothTypes
import HostStack

/// When a scanner or an initiator has its ear on which channel (Core 5.4, Vol 6, Part B, 4.4.3).
struct ListeningWindow: Hashable, Sendable {
  /// Nanoseconds from one window to the next.
  var interval: Int64 = 10_000_000
  /// Nanoseconds that it listens in each.
  var window: Int64 = 10_000_000
  /// When the first window began.
  var start: Int64 = 0
  /// With several PHYs the windows go round: of `turns`, this PHY has the one of this number.
  var turn: Int64 = 0
  var turns: Int64 = 1

  /// Takes HCI's units of 0.625 ms.
  init(interval: UInt16 = 16, window: UInt16 = 16, start: Int64 = 0) {
    self.interval = max(1, Int64(interval)) &* 625_000
    self.window = Int64(window) &* 625_000
    self.start = start
  }

  /// Whether a packet that lasts from `time` for `duration` on `channel` (0 for 37) is heard: the window must hold all
  /// of it, and each window has one channel, in turn.
  func hears(from time: Int64, duration: Int64, channel: Int) -> Bool {
    let sinceStart = time &- start
    guard sinceStart >= 0 else { return false }
    let (index, offset) = (sinceStart / interval, sinceStart % interval)
    guard turns < 2 || index % turns == turn else { return false }
    return index / turns % 3 == Int64(channel) && offset &+ duration <= window
  }
}

/// The scanning state of a controller.
struct Scanner: Sendable {
  /// How it scans on one primary PHY.
  struct Mode: Sendable {
    var phy = LinkPHY.le1M
    var isActive = false
    var window = ListeningWindow()
  }

  /// The primary PHYs on which it scans, 1M before Coded.
  var modes = [Mode()]
  /// Set up by extended commands: it hears extended packets too, and reports all in extended reports.
  var isExtended = false
  var ownAddressType = OwnAddressType.public
  var filterPolicy = ScanningFilterPolicy.all

  private(set) var isEnabled = false
  /// Counts the times that it was enabled: what was followed before is not followed now.
  private(set) var session: UInt64 = 0
  private(set) var duplicates = DuplicateFiltering.off
  /// When it ends by itself.
  private(set) var endsAt: Int64?
  private var start: Int64 = 0
  private var duration: Int64 = 0
  private var period: Int64 = 0
  /// The period to which the memory of duplicates belongs.
  private var memoryPeriod: Int64 = 0
  /// What was reported since the scan began, the oldest first.
  private var reported: [ReportKey] = []
  /// Keeps its requests out of the way of others'.
  var backoff = ScanBackoff()

  /// Report only advertisers in the accept list.
  var filtersByAcceptList: Bool { filterPolicy.rawValue & 1 != 0 }
  /// Report what is directed to a private address that nobody here can resolve.
  var takesUnresolvedTargets: Bool { filterPolicy.rawValue & 2 != 0 }

  /// Starts, or starts anew.
  ///
  /// - Parameters:
  ///   - duration: In nanoseconds; 0 until stopped.
  ///   - period: From one beginning to the next, in nanoseconds; 0 for once.
  mutating func enable(_ duplicates: DuplicateFiltering, duration: Int64 = 0, period: Int64 = 0, now: Int64) {
    isEnabled = true
    session &+= 1
    self.duplicates = duplicates
    self.duration = duration
    self.period = period
    start = now
    endsAt = duration > 0 && period == 0 ? now &+ duration : nil
    for index in modes.indices {
      modes[index].window.start = now
      modes[index].window.turn = Int64(index)
      modes[index].window.turns = Int64(modes.count)
    }
    reported = []
    memoryPeriod = 0
    backoff = ScanBackoff()
  }

  mutating func disable() {
    isEnabled = false
    endsAt = nil
    reported = []
  }

  /// How it listens on a primary PHY at a moment; `nil` if it does not.
  func mode(on phy: LinkPHY, at time: Int64) -> Mode? {
    guard isEnabled, period == 0 || (time &- start) % period < duration else { return nil }
    return modes.first { $0.phy == phy }
  }

  /// Whether the host has had this one already.
  mutating func hasReported(_ key: ReportKey, now: Int64) -> Bool {
    guard duplicates != .off else { return false }
    if duplicates == .resetEachPeriod, period > 0 {
      let current = (now &- start) / period
      if current != memoryPeriod {
        memoryPeriod = current
        reported = []
      }
    }
    return reported.contains(key)
  }

  /// Takes note of a report; with a full memory the oldest is forgotten.
  mutating func noteReport(_ key: ReportKey, limit: Int) {
    guard duplicates != .off else { return }
    if reported.count >= limit { reported.removeFirst(reported.count &- limit &+ 1) }
    reported.append(key)
  }
}

/// Which scan requests a scanner sends: all answer an advertisement at the same moment, so that they collide until each asks
/// at another one (Core 5.4, Vol 6, Part B, 4.4.3.2).
struct ScanBackoff: Hashable, Sendable {
  /// At how many advertisements to come it asks, if not earlier.
  private(set) var upperLimit = 1
  /// At how many it does.
  private var count = 1
  private var successes = 0
  private var failures = 0

  /// An advertisement is there to be answered: whether it asks now.
  mutating func asks() -> Bool {
    count &-= 1
    return count <= 0
  }

  /// The request was answered, or was not.
  mutating func note(isAnswered: Bool, random: inout SeededGenerator) {
    successes = isAnswered ? successes &+ 1 : 0
    failures = isAnswered ? 0 : failures &+ 1
    if failures == 2 {
      failures = 0
      upperLimit = min(256, upperLimit &* 2)
    } else if successes == 2 {
      successes = 0
      upperLimit = max(1, upperLimit / 2)
    }
    count = upperLimit > 1 ? 1 &+ Int(random.below(Int64(upperLimit))) : 1
  }
}

/// What counts as the same to the duplicate filter: an advertisement and a scan response of one device count apart, and
/// extended ones also by their set and the identifier of their data (Core 5.4, Vol 6, Part B, 4.3.3).
struct ReportKey: Hashable, Sendable {
  var address: BluetoothAddress?
  var isResponse: Bool
  /// Set identifier and data identifier; `nil` for legacy packets.
  var dataInfo: UInt16?
}

/// The initiating state of a controller: a connection that is waited for.
struct Initiator: Sendable {
  /// How it listens on one primary PHY.
  struct Mode: Sendable {
    var phy: LinkPHY
    var window: ListeningWindow
  }

  /// The primary PHYs on which it listens.
  var modes: [Mode]
  /// The timing of a link by the PHY on which it begins.
  var timings: [(phy: LinkPHY, timing: LinkTiming)]
  /// Set up by extended commands: it hears extended packets too.
  var isExtended = false
  /// Whom to connect to; `nil` for anybody in the accept list.
  var peer: BluetoothAddress?
  var ownAddressType: OwnAddressType
  /// Tells this attempt from later ones.
  var session: Int64

  /// The timing of a link that begins on `phy`; that of the lowest PHY where the host has given none for it.
  func timing(on phy: LinkPHY) -> LinkTiming {
    let match = timings.first { $0.phy == phy } ?? timings.first
    return match?.timing ?? LinkTiming(interval: 24, latency: 0, timeout: 100)
  }

  func hears(on phy: LinkPHY, from time: Int64, duration: Int64, channel: Int) -> Bool {
    modes.contains { $0.phy == phy && $0.window.hears(from: time, duration: duration, channel: channel) }
  }
}
