import BluetoothTypes
import HostStack

/// One advertising set of a controller (Core 5.4, Vol 6, Part B, 4.4.2). All times are nanoseconds.
struct AdvertisingSet: Sendable {
  /// The host's name for the set; `nil` for the one that the legacy commands are about.
  let handle: UInt8?

  // MARK: What the host has set up

  var properties = AdvertisingEventProperties.legacyConnectable
  /// From the beginning of one advertising event to the next, without the random delay.
  var interval: Int64 = 1_280_000_000
  var ownAddressType = OwnAddressType.public
  /// Whom directed advertising is for, and whose key private addresses are made with.
  var peer = BluetoothAddress(0, .public)
  /// Bit 0 is channel 37, bit 2 is channel 39.
  var channels: UInt8 = 7
  /// Bit 0: scan requests only from the accept list; bit 1: the same for connections.
  var filterPolicy: UInt8 = 0
  var primaryPHY = LinkPHY.le1M
  var secondaryPHY = LinkPHY.le1M
  var sid: UInt8 = 0
  var notifiesScanRequests = false
  /// The random address of the set alone; sets of legacy commands use the controller's.
  var randomAddress: BluetoothAddress?
  var data = AdvertisingContent()
  var response = AdvertisingContent()
  /// Tells scanners whether the data is what they have had: 12 bits that change with it.
  var dataID: UInt16 = 0

  // MARK: What goes on

  private(set) var isEnabled = false
  /// When the last event was that could be observed, or, before the first, what makes it come at once.
  private var lastEvent: Int64 = 0
  /// When the next event is; `nil` while nobody listens and none is counted.
  private(set) var nextEvent: Int64?
  /// When it ends by itself, and why.
  private(set) var end: (time: Int64, reason: HCIStatus)?
  /// How many events there may be; 0 for no limit.
  private var eventLimit: UInt8 = 0
  /// How many events there were, if they are limited.
  private(set) var eventCount: UInt8 = 0

  init(handle: UInt8?) { self.handle = handle }

  /// High duty cycle: at most 3.75 ms from one event to the next.
  static let highDutyInterval: Int64 = 3_750_000
  /// When high duty cycle directed advertising gives up (Core 5.4, Vol 6, Part B, 4.4.2.4.3).
  static let highDutyLimit: Int64 = 1_280_000_000
  /// The random delay that keeps two advertisers from meeting for ever.
  static let longestDelay: Int64 = 10_000_000

  var isLegacy: Bool { properties.contains(.legacy) }
  var isConnectable: Bool { properties.contains(.connectable) }
  var isScannable: Bool { properties.contains(.scannable) }
  var isDirected: Bool { properties.contains(.directed) }
  var isHighDuty: Bool { properties.contains(.highDutyCycleDirected) }

  private var spacing: Int64 { isHighDuty ? Self.highDutyInterval : interval }

  // MARK: On and off

  /// Starts, or starts the counting and the time anew.
  ///
  /// - Parameters:
  ///   - duration: In units of 10 ms; 0 until stopped.
  ///   - events: How many; 0 for no limit.
  mutating func enable(duration: UInt16 = 0, events: UInt8 = 0, now: Int64) {
    eventLimit = events
    eventCount = 0
    if duration > 0 {
      end = (now &+ Int64(duration) &* 10_000_000, .advertisingTimeout)
    } else {
      end = isHighDuty ? (now &+ Self.highDutyLimit, .advertisingTimeout) : nil
    }
    guard !isEnabled else { return }
    isEnabled = true
    lastEvent = now &- spacing
  }

  mutating func disable() {
    isEnabled = false
    nextEvent = nil
    end = nil
  }

  /// When it has something to do.
  var nextTime: Int64? {
    guard isEnabled else { return nil }
    guard let end else { return nextEvent }
    return min(nextEvent ?? end.time, end.time)
  }

  /// Somebody listens from now on, or nobody any more.
  ///
  /// Between two listeners the events are not stepped: where the series was is anybody's guess, so it is drawn.
  mutating func setHeard(_ isHeard: Bool, now: Int64, random: inout SeededGenerator) {
    guard isEnabled, isHeard || eventLimit > 0 else {
      nextEvent = nil
      return
    }
    guard nextEvent == nil else { return }
    let next = lastEvent &+ spacing &+ delay(&random)
    nextEvent = next >= now ? next : now &+ random.below(spacing &+ Self.longestDelay / 2)
  }

  /// An event begins. With the last of a limited number the set ends, once what belongs to the event is over.
  mutating func finishEvent(at time: Int64, random: inout SeededGenerator) {
    lastEvent = time
    nextEvent = time &+ spacing &+ delay(&random)
    guard eventLimit > 0 else { return }
    eventCount &+= 1
    guard eventCount >= eventLimit else { return }
    nextEvent = nil
    let close = time &+ longestEvent
    if (end?.time ?? .max) > close { end = (close, .limitReached) }
  }

  /// How long an event can take until somebody has connected.
  private var longestEvent: Int64 {
    let primary = 3 &* (primaryPHY.airTime(payload: 37) &+ 600_000)
    let auxiliary = secondaryPHY.airTime(payload: 255) &+ AirTime.auxiliaryConnection(on: secondaryPHY)
    return primary &+ (isLegacy ? 0 : auxiliary &+ AirTime.leastAuxiliaryOffset)
  }

  private func delay(_ random: inout SeededGenerator) -> Int64 { isHighDuty ? 0 : random.below(Self.longestDelay) }

  // MARK: Requests

  /// Whether a scan request is answered.
  func answersScan(isAccepted: Bool) -> Bool { isScannable && (filterPolicy & 1 == 0 || isAccepted) }

  /// Whether a connection is taken from a device that is the target of directed advertising or not, and in the accept
  /// list or not.
  func takesConnection(isTarget: Bool, isAccepted: Bool) -> Bool {
    guard isEnabled, isConnectable else { return false }
    // Directed advertising has no filter but its target (Core 5.4, Vol 6, Part B, 4.3.2).
    if isDirected { return isTarget }
    return filterPolicy & 2 == 0 || isAccepted
  }
}

/// The data or the scan response of a set, as its host hands it over.
struct AdvertisingContent: Sendable {
  var bytes: [UInt8] = []
  /// The last fragment has not come yet.
  var isPartial = false
}

extension AdvertisingEventProperties {
  /// The ones that stand for a packet of legacy advertising (Core 5.4, Vol 4, Part E, 7.8.53).
  static let allLegacy: [AdvertisingEventProperties] = [
    .legacyConnectable, .legacyDirected, .legacyDirectedHighDutyCycle, .legacyScannable, .legacyNonconnectable,
  ]

  /// Whether a set of this kind has advertising data.
  var takesData: Bool { contains(.legacy) ? !contains(.directed) : !contains(.scannable) }

  /// Whether a set of this kind has a scan response.
  var takesResponse: Bool { contains(.scannable) }
}
