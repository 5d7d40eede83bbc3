import BluetoothTypes
import RadioPort

/// The space between virtual controllers: who hears whom, when, and how strongly.
///
/// A synchronous machine. Packets from hosts go in with `receive`, time goes in with `advance`, packets to hosts are
/// drained with `takeOutputs`, and `nextEvent` says when there will be something to do. What nobody can observe, such as
/// advertisements that nobody listens to or empty connection events, takes no steps.
///
/// Inside, time is nanoseconds since the beginning.
package struct Air: Sendable {
  let seed: UInt64
  /// In the order of their names.
  var controllers: [VirtualController] = [] { didSet { isDueKnown = false } }
  /// In the order of their names.
  var links: [AirLink] = [] { didSet { isDueKnown = false } }
  /// Extended advertising events that have packets to come.
  var auxiliaryEvents: [AuxiliaryEvent] = [] { didSet { isDueKnown = false } }
  var propagation = Propagation().valid
  /// New links of which hosts have not been told.
  var newLinks: [LinkNews] = [] { didSet { isDueKnown = false } }
  /// Data that is held back by a fault, in the order in which it came.
  var late: [LateDelivery] = [] { didSet { isDueKnown = false } }
  /// Faults that wait for a packet.
  var packetWatches: [PacketWatch] = []
  /// The names of those whose packet has just passed.
  var firedWatches: [Int] = []
  /// The packets of advertising events that have begun, and what is on the air during the one that begins now.
  var sentPackets: [AirPacket] = []
  var interference: [AirPacket] = []
  /// The packets of extended advertising on the general-purpose channels: those that were on the air just now, and those to
  /// come of events that have begun.
  var auxiliaryPackets: [AirPacket] = []
  /// What links have sent on those channels at the same time.
  var auxiliaryInterference: [AirPacket] = []
  /// When movement alone changes who may hear whom.
  var nextSpaceChange: Int64? { didSet { isDueKnown = false } }
  private(set) var time: Int64 = 0
  private var controllersMade = 0
  private var linksMade = 0
  private var outputs: [(ControllerID, HCIPacket)] = []
  /// What happens next, as it was found last, and whether nothing has changed since.
  private var due: (time: Int64, due: Due)?
  private var isDueKnown = false
  /// How many things have happened, for tests of what must cost nothing.
  package private(set) var stepCount = 0

  /// A world of its own for each seed.
  package init(seed: UInt64) { self.seed = seed }

  // MARK: Controllers

  /// Switches a new controller on.
  package mutating func addController(_ configuration: ControllerConfiguration) -> ControllerID {
    controllersMade &+= 1
    let id = ControllerID(rawValue: controllersMade)
    let random = SeededGenerator(seed: seed, part: UInt64(controllersMade))
    controllers.append(VirtualController(id: id, configuration: configuration, random: random))
    if nextSpaceChange != nil { refreshSpace() }
    return id
  }

  /// Takes a controller away as if its battery was pulled: nobody is told, its links time out at their other ends.
  package mutating func removeController(_ id: ControllerID, now: RadioInstant) {
    advance(to: now)
    guard index(of: id) != nil else { return }
    abandonLinks(of: id, now: time)
    controllers.removeAll { $0.id == id }
    packetWatches.removeAll { $0.controller == id }
    refreshActivity(now: time)
  }

  /// Switches a controller off or on again. Off, it hears and says nothing and has forgotten everything; its links time
  /// out at their other ends.
  package mutating func setPowered(_ isPowered: Bool, _ id: ControllerID, now: RadioInstant) {
    advance(to: now)
    guard let index = index(of: id), controllers[index].isPowered != isPowered else { return }
    controllers[index].isPowered = isPowered
    controllers[index].reset()
    controllers[index].discardOutbox()
    abandonLinks(of: id, now: time)
    refreshActivity(now: time)
  }

  /// Where the controller is in `controllers`; `nil` if there is none of that name.
  ///
  /// Inlined, as are the other small questions on the way of a packet: an air is else copied to be asked.
  @inline(__always)
  func index(of id: ControllerID) -> Int? { controllers.index(of: id) }

  @inline(__always)
  func isBusy(_ id: ControllerID, now: Int64) -> Bool { index(of: id).map { controllers[$0].busyUntil > now } ?? false }

  mutating func occupy(_ id: ControllerID, until end: Int64) {
    guard let index = index(of: id) else { return }
    controllers[index].busyUntil = max(controllers[index].busyUntil, end)
  }

  /// A name for a new link.
  mutating func makeLinkID() -> Int {
    linksMade &+= 1
    return linksMade
  }

  // MARK: HCI

  /// Says that the way to a host is full, or has room again: data waits on the air meanwhile, and reports are dropped.
  package mutating func setStalled(_ isStalled: Bool, _ id: ControllerID, now: RadioInstant) {
    advance(to: now)
    guard let index = index(of: id), controllers[index].hostRoom.isStalled != isStalled else { return }
    controllers[index].hostRoom.isStalled = isStalled
    if !isStalled { resumeData(towards: id, now: time) }
    collectOutputs()
  }

  /// Takes one packet from the host of a controller.
  package mutating func receive(_ packet: HCIPacket, from id: ControllerID, now: RadioInstant) {
    advance(to: now)
    guard let index = index(of: id), controllers[index].isPowered else { return }
    switch packet.kind {
    case .command: receiveCommand(packet, at: index)
    case .acl: receiveData(packet, at: index)
    case .synchronous, .isochronous, .event: break  // Nothing that a host may send here.
    }
    collectOutputs()
  }

  /// What the controllers have said to their hosts since the last call, in order.
  package mutating func takeOutputs() -> [(ControllerID, HCIPacket)] {
    defer { outputs = [] }
    return outputs
  }

  /// The same, into the empty `buffer`, whose memory is used next.
  mutating func exchangeOutputs(_ buffer: inout [(ControllerID, HCIPacket)]) { swap(&outputs, &buffer) }

  /// Forgets what a controller has said and nobody has taken, as its host is gone.
  package mutating func dropOutputs(of id: ControllerID) { outputs.removeAll { $0.0 == id } }

  mutating func collectOutputs() {
    var collected: [(ControllerID, HCIPacket)] = []
    swap(&collected, &outputs)
    for index in controllers.indices where controllers.span[index].hasNews {
      controllers[index].moveOutbox(to: &collected)
    }
    swap(&collected, &outputs)
  }

  // MARK: Time

  /// What happens next.
  private enum Due: Sendable {
    case link(Int)
    case controller(ControllerID)
    case auxiliary(Int)
    case space
    case late
    case newLink
  }

  private mutating func findDue() -> (time: Int64, due: Due)? {
    var next: (time: Int64, due: Due)? = nextSpaceChange.map { ($0, .space) }
    for item in late where item.due < next?.time ?? .max { next = (item.due, .late) }
    if let time = nextLinkNews, time < next?.time ?? .max { next = (time, .newLink) }
    for index in links.indices {
      guard let time = links[index].nextTime(), time < next?.time ?? .max else { continue }
      next = (time, .link(links[index].id))
    }
    // In a span, as controllers are else copied to be asked.
    let controllers = controllers.span
    for index in controllers.indices {
      guard let time = controllers[index].nextTime, time < next?.time ?? .max else { continue }
      next = (time, .controller(controllers[index].id))
    }
    if let (time, position) = nextAuxiliary, time < next?.time ?? .max { next = (time, .auxiliary(position)) }
    return next
  }

  /// When a host may hear of something next; `nil` if none does until one says something.
  ///
  /// Until then nobody needs to call: what happens meanwhile without a word to hosts, such as the beginning of a
  /// connection event, is made up for by the next call, before anything else.
  package var nextEvent: RadioInstant? {
    mutating get { nextNews().map { RadioInstant(nanoseconds: max($0, time)) } }
  }

  private mutating func nextNews() -> Int64? {
    var next: Int64?
    func consider(_ time: Int64?) {
      if let time, time < next ?? .max { next = time }
    }
    consider(nextSpaceChange)
    for item in late { consider(item.due) }
    consider(nextLinkNews)
    // Questions to links are asked where they stand, and change nothing.
    let wasDueKnown = isDueKnown
    for position in links.indices { consider(links[position].nextNews(room(of: position))) }
    isDueKnown = wasDueKnown
    let controllers = controllers.span
    for index in controllers.indices { consider(controllers[index].nextTime) }
    consider(nextAuxiliary?.time)
    return next
  }

  /// Lets everything happen that is due until `now`.
  ///
  /// While a watched packet has passed and ``endPause()`` was not called, time stands still at that packet.
  package mutating func advance(to now: RadioInstant) {
    guard !isPaused else { return }
    let limit = max(time, now.nanoseconds)
    while true {
      if !isDueKnown {
        due = findDue()
        isDueKnown = true
      }
      guard let next = due, next.time <= limit else { break }
      time = max(time, next.time)
      stepCount &+= 1
      switch next.due {
      case .link(let id): stepLink(id, now: time)
      case .controller(let id): stepController(id, now: time)
      case .auxiliary(let position): stepAuxiliary(position, now: time)
      case .space: refreshSpace()
      case .late: deliverLate(now: time)
      case .newLink: tellLinkNews(now: time)
      }
      collectOutputs()
      guard !isPaused else { return }
    }
    time = limit
  }
}
