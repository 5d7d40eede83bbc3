import BluetoothTypes
import HostStack

/// One connection on the air: both of its ends and the times at which they meet.
///
/// Connection events are counted, not stepped: an event in which nobody has anything to say exists only as a number, and
/// whether the ends heard each other in it is drawn when somebody needs to know. All times are nanoseconds.
struct AirLink: Identifiable, Sendable {
  let id: Int
  var central: LinkEnd
  var peripheral: LinkEnd
  private(set) var timing: LinkTiming
  /// Decides which packets are lost.
  private var random: SeededGenerator
  /// Decides which channel an event is on (Core 5.4, Vol 6, Part B, 4.5.8.3.2).
  let channelIdentifier: UInt16

  /// When event number `epochIndex` begins; the other events follow from it.
  private var epoch: Int64
  private var epochIndex: Int64 = 0
  /// The last event that is over, used or not.
  private(set) var lastIndex: Int64 = -1
  /// The peripheral goes to every event until it is heard, as after one that was missed.
  private var isAttentive = true
  /// Another link had the radio at the last event, so that this one goes first when they meet again.
  private(set) var wasSkipped = false

  /// The ends can not hear each other at all, or one of them is gone.
  private(set) var isApart = false
  /// They will never hear each other again.
  private(set) var isCut = false
  /// The share of the packets in each direction that a fault takes away.
  private var downLoss = 0.0
  private var upLoss = 0.0
  /// The way between the ends, and with what power they send.
  private var path: SignalPath
  private var powers: LinkPowers
  /// Nothing is ever lost on the way, as long as nobody moves.
  private var isSteady = false
  private var conditions: LinkConditions?

  /// The packets that are on the air now.
  var exchange: LinkExchange?
  /// What changes when an event comes, in the order of the events.
  private(set) var instants: [LinkInstant] = []

  init(
    id: Int,
    central: LinkEnd,
    peripheral: LinkEnd,
    timing: LinkTiming,
    createdAt: Int64,
    firstEvent: Int64,
    path: SignalPath,
    powers: LinkPowers
  ) {
    self.id = id
    self.central = central
    self.peripheral = peripheral
    self.timing = timing
    self.path = path
    self.powers = powers
    random = SeededGenerator(seed: path.shadow.key, part: UInt64(id))
    var access = SeededGenerator(seed: path.shadow.key, part: ~UInt64(id))
    channelIdentifier = UInt16(truncatingIfNeeded: access.next())
    epoch = firstEvent
    self.central.heardAt = createdAt
    self.peripheral.heardAt = createdAt
    refresh(path, powers, now: createdAt)
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

  /// Who is at the ends; a copy of a whole end is not cheap.
  @inline(__always)
  var ends: LinkEnds {
    LinkEnds(central: central.name, peripheral: peripheral.name)
  }

  /// Whether packets of an end have arrived of which its host has not been told.
  mutating func hasCompleted(_ side: LinkSide) -> Bool {
    (side == .central ? central.completed : peripheral.completed) > 0
  }

  /// On which PHYs the ends send.
  var phys: (central: LinkPHY, peripheral: LinkPHY) { (central.phy, peripheral.phy) }

  /// Which end belongs to `controller`.
  @inline(__always)
  func side(of controller: ControllerID) -> LinkSide? {
    if central.controller == controller { return .central }
    return peripheral.controller == controller ? .peripheral : nil
  }

  // MARK: Counting events

  /// When event `index` begins.
  @inline(__always)
  func time(of index: Int64) -> Int64 { epoch &+ (index &- epochIndex) &* timing.intervalNanoseconds }

  /// The first event at or after `time`.
  @inline(__always)
  func firstIndex(from time: Int64) -> Int64 {
    let interval = timing.intervalNanoseconds
    let distance = time &- epoch
    let quotient = distance / interval
    return epochIndex &+ quotient &+ (distance % interval > 0 ? 1 : 0)
  }

  /// The beginning of the first event after `time`, whether it is used or not.
  @inline(__always)
  func anchor(after time: Int64) -> Int64 { self.time(of: max(0, firstIndex(from: time &+ 1))) }

  /// The next event to which the peripheral goes though it has nothing to say.
  private var listeningIndex: Int64 {
    let lastContact = peripheral.heardIndex
    if isAttentive || lastContact < 0 { return lastIndex &+ 1 }
    let stride = timing.stride
    if stride == 1 { return max(lastIndex, lastContact) &+ 1 }
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
    guard !isApart else {
      lastIndex = last
      isAttentive = true
      return
    }
    while true {
      let index = listeningIndex
      guard index <= last else { break }
      let time = time(of: index)
      if isSteady || max(downLoss, upLoss) == 0 && conditions(at: time).isClear {
        let until = isSteady ? .max : conditions(at: time).until
        let lastClear = until == .max ? last : min(last, max(index, firstIndex(from: until) &- 1))
        noteMeeting(at: index &+ (lastClear &- index) / timing.stride &* timing.stride)
      } else {
        drawIdleEvent(index, conditions(at: time).idle)
      }
    }
    lastIndex = last
  }

  /// - Parameters:
  ///   - down: What others have left of the central's packet.
  ///   - up: The same of the peripheral's.
  private mutating func drawIdleEvent(
    _ index: Int64,
    _ odds: IdleOdds,
    down: Reception = .heard,
    up: Reception = .heard
  ) {
    lastIndex = index
    let chance = random.unit()
    let isTakenAway = downLoss > 0 && random.unit() < downLoss || down == .missed
    let isHeard = chance >= odds.downLost && !isTakenAway && down == .heard
    if isHeard { noteHeard(.peripheral, at: index) } else { isAttentive = true }
    guard chance >= odds.downMissed, !isTakenAway, random.unit() >= odds.upLost, up == .heard else { return }
    if upLoss > 0, random.unit() < upLoss { return }
    noteHeard(.central, at: index)
  }

  /// Whether the peripheral goes to event `index`, which is not over yet, though it has nothing to say; as far as it hears
  /// the central in those before.
  func attends(_ index: Int64) -> Bool { (index &- listeningIndex) % timing.stride == 0 }

  /// Event `index`, in which nobody has anything to say, has met packets of others on its channel.
  mutating func noteDisturbed(_ index: Int64, down: Reception, up: Reception) {
    catchUp(to: time(of: index))
    guard index > lastIndex else { return }
    guard attends(index) else { return noteUsed(index) }
    drawIdleEvent(index, isSteady ? IdleOdds() : conditions(at: time(of: index)).idle, down: down, up: up)
  }

  /// An end has heard the other in event `index`.
  mutating func noteHeard(_ side: LinkSide, at index: Int64) {
    let time = time(of: index)
    self[side].noteHeard(at: index, time: time)
    lastIndex = max(lastIndex, index)
    wasSkipped = false
    if side == .peripheral { isAttentive = false }
  }

  /// Event `index` was not idle.
  mutating func noteUsed(_ index: Int64) { lastIndex = max(lastIndex, index) }

  private mutating func noteMeeting(at index: Int64) {
    noteHeard(.peripheral, at: index)
    noteHeard(.central, at: index)
  }

  /// More is to come, so that the peripheral does not sleep.
  mutating func stayAttentive() { isAttentive = true }

  /// Event `index` went by because the radio of one end was busy elsewhere.
  mutating func skip(_ index: Int64) {
    lastIndex = max(lastIndex, index)
    isAttentive = true
    wasSkipped = true
  }

  // MARK: Hearing

  /// The ends are somewhere else, or the waves spread otherwise.
  mutating func refresh(
    _ path: SignalPath,
    _ powers: LinkPowers,
    downLoss: Double = 0,
    upLoss: Double = 0,
    now: Int64
  ) {
    catchUp(to: now)
    self.downLoss = downLoss
    self.upLoss = upLoss
    self.path = path
    self.powers = powers
    conditions = nil
    let isMoving = path.one.isMoving(at: now) || path.other.isMoving(at: now)
    let power = min(powers.central, powers.peripheral)
    isSteady =
      !isMoving && max(downLoss, upLoss) == 0
      && path.propagation.isClear(power: power, distance: path.distance(at: now))
  }

  /// A PHY has changed.
  mutating func refreshPHYs() { conditions = nil }

  private mutating func conditions(at time: Int64) -> LinkConditions {
    if let conditions, time < conditions.until { return conditions }
    let made = LinkConditions(path: path, powers: powers, downPHY: central.phy, upPHY: peripheral.phy, at: time)
    conditions = made
    return made
  }

  /// What the receiver on `side` makes of a packet with `payload` bytes that is sent to it at `time` in event `index`.
  mutating func reception(_ payload: Int, at side: LinkSide, in index: Int64, time: Int64) -> Reception {
    if isApart { return .missed }
    if isSteady { return .heard }
    let loss = side == .peripheral ? downLoss : upLoss
    if loss > 0, random.unit() < loss { return .missed }
    let conditions = conditions(at: time)
    if conditions.isClear { return .heard }
    let margin =
      side == .peripheral
      ? conditions.downMargin - central.phy.handicap : conditions.upMargin - peripheral.phy.handicap
    // One channel for the whole event, and so one fading.
    var fading = SeededGenerator(seed: path.shadow.key ^ UInt64(id), part: UInt64(bitPattern: index))
    return BitErrors(margin: margin + fading.normal(deviation: path.propagation.fading))
      .reception(payload: payload, random: &random)
  }

  // MARK: Losing and finding each other

  /// The ends can not hear each other from `now` on.
  mutating func separate(now: Int64) {
    catchUp(to: now)
    isApart = true
    exchange = nil
  }

  /// The ends will never hear each other again.
  mutating func cut(now: Int64) {
    separate(now: now)
    isCut = true
  }

  /// The ends can hear each other again.
  mutating func reunite(now: Int64) {
    catchUp(to: now)
    isApart = false
    isAttentive = true
  }

  /// When the ends give up unless they hear each other before; `nil` for one that is gone, or can not lose the other.
  @inline(__always)
  private var lossTimes: (central: Int64?, peripheral: Int64?) {
    guard isApart || !isSteady else { return (nil, nil) }
    return (central.lossTime(timing), peripheral.lossTime(timing))
  }

  /// Which end gives up now, and why; `nil` if none does.
  mutating func ending(at now: Int64) -> (side: LinkSide, reason: HCIStatus)? {
    guard exchange == nil else { return nil }
    let lossTimes = lossTimes
    if let reason = central.ending(at: now, lossTime: lossTimes.central) { return (.central, reason) }
    return peripheral.ending(at: now, lossTime: lossTimes.peripheral).map { (.peripheral, $0) }
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

  // Asked for with every step of the air. Those that are called from outside count as mutating: then a link is asked where
  // it is, and not copied first.

  /// The next event that matters; `nil` if nobody has anything to say.
  @inline(__always)
  private var nextEvent: Int64? {
    guard !isApart else { return nil }
    var next: Int64?
    if central.hasWork { next = listeningIndex }
    if peripheral.hasWork { next = min(next ?? .max, lastIndex &+ 1) }
    if let instant = instants.first { next = min(next ?? .max, max(instant.index, lastIndex &+ 1)) }
    return next
  }

  /// Whether event `index` is the next that matters.
  mutating func isNext(_ index: Int64) -> Bool { nextEvent == index }

  /// Before when the hosts hear nothing of what happens next on this link: the packets of an event have to arrive first.
  mutating func nextNews(_ room: LinkRoom) -> Int64? {
    guard exchange == nil, let index = nextEvent else { return nextTime() }
    // The terms of the link change with the beginning of the event.
    if let instant = instants.first, instant.index <= index { return nextTime() }
    let arrival =
      time(of: index)
      &+ AirTime.exchange(
        central: central.leastPayload(otherEndTakesData: room.peripheral),
        central.phy,
        peripheral: peripheral.leastPayload(otherEndTakesData: room.central),
        peripheral.phy
      )
    return min(arrival, nextDeadline ?? .max)
  }

  /// When something happens next on this link.
  mutating func nextTime() -> Int64? {
    if let endsAt = exchange?.endsAt { return endsAt }
    guard let index = nextEvent else { return nextDeadline }
    return min(time(of: index), nextDeadline ?? .max)
  }

  /// What happens on this link at a moment; what nobody could observe is made up for.
  mutating func step(at now: Int64) -> LinkStep? {
    if let endsAt = exchange?.endsAt { return endsAt <= now ? .finishExchange : nil }
    if let index = nextEvent, time(of: index) <= now { return .openEvent(index) }
    // What went on in the meantime is drawn only now; perhaps the ends have heard each other.
    catchUp(to: now)
    return nil
  }

  /// When an end gives up next.
  @inline(__always)
  private var nextDeadline: Int64? {
    let lossTimes = lossTimes
    var next = lossTimes.central
    if let deadline = central.procedureDeadline { next = min(next ?? .max, deadline) }
    if let deadline = lossTimes.peripheral { next = min(next ?? .max, deadline) }
    if let deadline = peripheral.procedureDeadline { next = min(next ?? .max, deadline) }
    return next
  }
}

/// What happens on a link.
enum LinkStep {
  /// An event begins in which somebody has something to say.
  case openEvent(Int64)
  /// The packets that are on the air have arrived.
  case finishExchange
}

/// The two ends of a link.
enum LinkSide: Int, Hashable, Sendable {
  case central
  case peripheral

  var other: LinkSide { self == .central ? .peripheral : .central }
}

/// Who is at the two ends of a link.
struct LinkEnds {
  /// A controller, and what its host calls the link.
  struct Name {
    var controller: ControllerID
    var handle: UInt16
    /// Whether it is still in the link.
    var isPresent: Bool
  }

  var central: Name
  var peripheral: Name

  subscript(side: LinkSide) -> Name { side == .central ? central : peripheral }
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
