import BluetoothTypes
import HostStack

/// The advertising state of a controller (Core 5.4, Vol 6, Part B, 4.4.2). All times are nanoseconds.
struct Advertiser: Sendable {
  /// The kinds of legacy advertising, with their numbers in HCI.
  enum Kind: UInt8, Sendable {
    case connectable = 0
    case directedHighDuty = 1
    case scannable = 2
    case nonConnectable = 3
    case directedLowDuty = 4

    var isDirected: Bool { self == .directedHighDuty || self == .directedLowDuty }
    var isConnectable: Bool { self == .connectable || isDirected }
    var isScannable: Bool { self == .connectable || self == .scannable }

    /// The event type that scanners report.
    var reportType: AdvertisingReportType {
      switch self {
      case .connectable: .connectableUndirected
      case .directedHighDuty, .directedLowDuty: .connectableDirected
      case .scannable: .scannableUndirected
      case .nonConnectable: .nonconnectableUndirected
      }
    }
  }

  var kind = Kind.connectable
  /// From the beginning of one advertising event to the next, without the random delay.
  var interval: Int64 = 1_280_000_000
  var ownAddressType = OwnAddressType.public
  var peer = BluetoothAddress(0, .public)
  /// Bit 0 is channel 37, bit 2 is channel 39.
  var channels: UInt8 = 7
  /// Bit 0: scan requests only from the accept list; bit 1: the same for connections.
  var filterPolicy: UInt8 = 0
  var data: [UInt8] = []
  var response: [UInt8] = []

  private(set) var isEnabled = false
  /// The address that it advertises with.
  private(set) var address = BluetoothAddress(0, .public)
  /// When the last event was that could be observed, or, before the first, what makes it come at once.
  private var lastEvent: Int64 = 0
  /// When the next event is; `nil` while nobody listens.
  private(set) var nextEvent: Int64?
  /// When high duty cycle directed advertising gives up (Core 5.4, Vol 6, Part B, 4.4.2.4.3).
  private(set) var endsAt: Int64?

  /// High duty cycle: at most 3.75 ms from one event to the next.
  static let highDutyInterval: Int64 = 3_750_000
  static let highDutyLimit: Int64 = 1_280_000_000
  /// The random delay that keeps two advertisers from meeting for ever.
  static let longestDelay: Int64 = 10_000_000

  private var spacing: Int64 { kind == .directedHighDuty ? Self.highDutyInterval : interval }

  mutating func enable(address: BluetoothAddress, now: Int64) {
    self.address = address
    guard !isEnabled else { return }
    isEnabled = true
    lastEvent = now &- spacing
    endsAt = kind == .directedHighDuty ? now &+ Self.highDutyLimit : nil
  }

  /// When it has something to do.
  var nextTime: Int64? {
    guard isEnabled else { return nil }
    guard let endsAt else { return nextEvent }
    return min(nextEvent ?? endsAt, endsAt)
  }

  mutating func disable() {
    isEnabled = false
    nextEvent = nil
    endsAt = nil
  }

  /// Somebody listens from now on, or nobody any more.
  ///
  /// Between two listeners the events are not stepped: where the series was is anybody's guess, so it is drawn.
  mutating func setHeard(_ isHeard: Bool, now: Int64, random: inout SeededGenerator) {
    guard isHeard && isEnabled else {
      nextEvent = nil
      return
    }
    guard nextEvent == nil else { return }
    let next = lastEvent &+ spacing &+ delay(&random)
    nextEvent = next >= now ? next : now &+ random.below(spacing &+ Self.longestDelay / 2)
  }

  /// An event is over.
  mutating func finishEvent(at time: Int64, random: inout SeededGenerator) {
    lastEvent = time
    nextEvent = time &+ spacing &+ delay(&random)
  }

  private func delay(_ random: inout SeededGenerator) -> Int64 {
    kind == .directedHighDuty ? 0 : random.below(Self.longestDelay)
  }

  /// Whether a scan request from `address` is answered.
  func answersScan(from address: BluetoothAddress, isAccepted: Bool) -> Bool {
    kind.isScannable && (filterPolicy & 1 == 0 || isAccepted)
  }

  /// Whether a connection is taken from `address`.
  func takesConnection(from address: BluetoothAddress, isAccepted: Bool) -> Bool {
    // Directed advertising has no filter but its target (Core 5.4, Vol 6, Part B, 4.3.2).
    if kind.isDirected { return address == peer }
    return kind.isConnectable && (filterPolicy & 2 == 0 || isAccepted)
  }
}
