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
    return index % 3 == Int64(channel) && offset &+ duration <= window
  }
}

/// The scanning state of a controller.
struct Scanner: Sendable {
  var isActive = false
  var window = ListeningWindow()
  var ownAddressType = OwnAddressType.public
  /// Report only advertisers in the accept list.
  var filtersByAcceptList = false

  private(set) var isEnabled = false
  private(set) var filtersDuplicates = false
  /// The address that scan requests come from.
  private(set) var address = BluetoothAddress(0, .public)
  /// Who was reported since the scan began, the oldest first.
  private var reported: [Reported] = []

  /// An advertisement and a scan response count apart.
  private struct Reported: Hashable {
    var address: BluetoothAddress
    var isResponse: Bool
  }

  mutating func enable(address: BluetoothAddress, filtersDuplicates: Bool, now: Int64) {
    isEnabled = true
    self.address = address
    self.filtersDuplicates = filtersDuplicates
    window.start = now
    reported = []
  }

  mutating func disable() {
    isEnabled = false
    reported = []
  }

  /// Whether the host has had this one already.
  func hasReported(_ address: BluetoothAddress, isResponse: Bool) -> Bool {
    filtersDuplicates && reported.contains(Reported(address: address, isResponse: isResponse))
  }

  /// Takes note of a report; with a full memory the oldest is forgotten.
  mutating func noteReport(_ address: BluetoothAddress, isResponse: Bool, limit: Int) {
    guard filtersDuplicates else { return }
    if reported.count >= limit { reported.removeFirst(reported.count &- limit &+ 1) }
    reported.append(Reported(address: address, isResponse: isResponse))
  }
}

/// The initiating state of a controller: a connection that is waited for.
struct Initiator: Sendable {
  var window: ListeningWindow
  /// Whom to connect to; `nil` for anybody in the accept list.
  var peer: BluetoothAddress?
  /// The address that the request comes from.
  var address: BluetoothAddress
  var timing: LinkTiming
}
