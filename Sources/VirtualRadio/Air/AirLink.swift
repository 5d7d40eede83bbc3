import BluetoothTypes

/// One connection on the air: both of its ends and the times at which they meet.
///
/// Connection events are counted, not stepped: an event in which nobody has anything to say exists only as a number.
/// All times are nanoseconds.
struct AirLink: Sendable {
  let id: Int
  var central: LinkEnd
  var peripheral: LinkEnd
  private(set) var timing: LinkTiming

  /// When event number `epochIndex` begins; the other events follow from it.
  private var epoch: Int64
  private var epochIndex: Int64 = 0
  /// The last event that is over, used or not.
  private var lastIndex: Int64 = -1
  /// The last event in which both ends heard each other.
  private(set) var lastContact: Int64 = -1
  private var lastContactTime: Int64
  /// The peripheral goes to every event until it is heard, as after one that was missed.
  private var isAttentive = true
  /// Another link had the radio at the last event, so that this one goes first when they meet again.
  private(set) var wasSkipped = false

  /// When the link counts as lost; `nil` while the ends are in touch.
  private(set) var lostAt: Int64?
  /// The packets that are on the air now.
  var exchange: LinkExchange?
  /// What changes when an event comes, in the order of the events.
  private(set) var instants: [LinkInstant] = []

  init(id: Int, central: LinkEnd, peripheral: LinkEnd, timing: LinkTiming, createdAt: Int64, firstEvent: Int64) {
    self.id = id
    self.central = central
    self.peripheral = peripheral
    self.timing = timing
    epoch = firstEvent
    lastContactTime = createdAt
  }

  /// One end, in place: an end has much in it, and links are looked at with every packet.
  subscript(side: LinkSide) -> LinkEnd {
    _read {
      switch side {
      case .central: yield central
      case .peripheral: yield peripheral
      }
    }
    _modify {
      switch side {
      case .central: yield &central
      case .peripheral: yield &peripheral
      }
    }
  }

  // Asked for with every packet. They could change the link, for then it is not copied first.

  /// The packets of an end that have arrived and that its host has not been told of; `nil` if there are none.
  mutating func completed(_ side: LinkSide) -> (count: UInt16, controller: ControllerID, handle: UInt16)? {
    self[side].completed > 0 ? (self[side].completed, self[side].controller, self[side].handle) : nil
  }

  /// Who gets the data for an end; `nil` if that has left the connection.
  mutating func receiver(_ side: LinkSide) -> (controller: ControllerID, handle: UInt16)? {
    self[side].isPresent ? (self[side].controller, self[side].handle) : nil
  }

  /// Which end belongs to `controller`.
  func side(of controller: ControllerID) -> LinkSide? {
    if central.controller == controller { return .central }
    return peripheral.controller == controller ? .peripheral : nil
  }

  /// Whether the ends have ever heard each other.
  var isEstablished: Bool { lastContact >= 0 }

  // MARK: Counting events

  /// When event `index` begins.
  func time(of index: Int64) -> Int64 { epoch &+ (index &- epochIndex) &* timing.intervalNanoseconds }

  /// The first event at or after `time`.
  func firstIndex(from time: Int64) -> Int64 {
    let interval = timing.intervalNanoseconds
    let distance = time &- epoch
    let quotient = distance / interval
    return epochIndex &+ quotient &+ (distance % interval > 0 ? 1 : 0)
  }

  /// The beginning of the first event after `time`, whether it is used or not.
  func anchor(after time: Int64) -> Int64 { self.time(of: max(0, firstIndex(from: time &+ 1))) }

  /// The next event to which the peripheral goes though it has nothing to say.
  private var listeningIndex: Int64 {
    if isAttentive || lastContact < 0 { return lastIndex &+ 1 }
    let stride = timing.stride
    let passed = max(0, lastIndex &- lastContact)
    return lastContact &+ (passed / stride &+ 1) &* stride
  }

  /// How far an event at `time`, one of a series with another interval, stays away from this link's events.
  func gap(to time: Int64, interval: Int64) -> Int64 {
    let period = min(interval, timing.intervalNanoseconds)
    let distance = (time &- epoch) % period
    let forward = distance < 0 ? distance &+ period : distance
    return min(forward, period &- forward)
  }

  /// Takes note of the events that began before `now` and in which nothing was said.
  mutating func catchUp(to now: Int64) {
    let last = firstIndex(from: now) &- 1
    guard last > lastIndex else { return }
    guard lostAt == nil else {
      lastIndex = last
      isAttentive = true
      return
    }
    let listening = listeningIndex
    if listening <= last {
      let stride = timing.stride
      noteContact(at: listening &+ (last &- listening) / stride &* stride)
    }
    lastIndex = last
  }

  /// Both ends were in event `index`.
  mutating func noteContact(at index: Int64) {
    lastContact = max(lastContact, index)
    lastContactTime = max(lastContactTime, time(of: index))
    lastIndex = max(lastIndex, index)
    isAttentive = false
    wasSkipped = false
  }

  /// More is to come, so that the peripheral does not sleep.
  mutating func stayAttentive() { isAttentive = true }

  /// Event `index` went by because the radio of one end was busy elsewhere.
  mutating func skip(_ index: Int64) {
    lastIndex = max(lastIndex, index)
    isAttentive = true
    wasSkipped = true
  }

  // MARK: Losing and finding each other

  /// The ends can not hear each other from `now` on.
  mutating func separate(now: Int64) {
    catchUp(to: now)
    guard lostAt == nil else { return }
    exchange = nil
    // Before the first packet six intervals are allowed (Core 5.4, Vol 6, Part B, 4.5.2).
    let patience = isEstablished ? timing.timeoutNanoseconds : 6 &* timing.intervalNanoseconds
    lostAt = max(lastContactTime &+ patience, now)
  }

  /// The ends can hear each other again.
  mutating func reunite(now: Int64) {
    catchUp(to: now)
    lostAt = nil
    isAttentive = true
  }

  // MARK: Changes at an instant

  /// The event at which a change that is decided now can take effect: the peripheral must have heard of it by then.
  var instant: Int64 { lastIndex &+ 6 &+ timing.stride }

  /// Plans a change.
  mutating func plan(_ change: LinkChange, at index: Int64) {
    instants.append(LinkInstant(index: index, change: change))
    instants.sort { $0.index < $1.index }
  }

  /// Takes out the changes that are due at event `index`.
  mutating func takeChanges(at index: Int64) -> [LinkChange] {
    guard let first = instants.first, first.index <= index else { return [] }
    let due = instants.filter { $0.index <= index }.map(\.change)
    instants.removeAll { $0.index <= index }
    return due
  }

  /// Adopts another timing from event `index` on.
  mutating func adopt(_ timing: LinkTiming, at index: Int64) {
    let begin = time(of: index)
    epoch = begin
    epochIndex = index
    self.timing = timing
    isAttentive = true
  }

  // MARK: What comes next

  /// The next event that matters; `nil` if nobody has anything to say.
  var nextEvent: Int64? {
    var next: Int64?
    if central.hasWork { next = listeningIndex }
    if peripheral.hasWork { next = min(next ?? .max, lastIndex &+ 1) }
    if let instant = instants.first { next = min(next ?? .max, max(instant.index, lastIndex &+ 1)) }
    return next
  }

  /// When something happens next on this link.
  var nextTime: Int64? {
    if let lostAt { return lostAt }
    if let exchange { return exchange.endsAt }
    return nextEvent.map { time(of: $0) }
  }
}

/// The two ends of a link.
enum LinkSide: Hashable, Sendable {
  case central
  case peripheral

  var other: LinkSide { self == .central ? .peripheral : .central }
}

/// What changes at both ends in the same event.
enum LinkChange: Hashable, Sendable {
  case timing(LinkTiming, askedBy: LinkSide)
  case phys(centralToPeripheral: LinkPHY, peripheralToCentral: LinkPHY, askedBy: LinkSide)
}

/// A change and the event in which it takes effect.
struct LinkInstant: Hashable, Sendable {
  var index: Int64
  var change: LinkChange
}

/// The packets of both ends that are on the air.
struct LinkExchange: Hashable, Sendable {
  /// The event that they belong to.
  var index: Int64
  /// When the second one has arrived.
  var endsAt: Int64
  /// When the event is over, whatever there is still to say.
  var closesAt: Int64
  var fromCentral: LinkPacket?
  var fromPeripheral: LinkPacket?
}
