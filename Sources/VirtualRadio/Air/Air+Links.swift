import BluetoothTypes
import HostStack
import RadioPort

// Connection events: when they happen, what they carry, and how links end.
extension Air {
  /// Where the link is in `links` now; `nil` if it is gone.
  func position(ofLink id: Int) -> Int? {
    // Links are numbered as they are made, so they stand in order.
    var (low, high) = (0, links.count)
    while low < high {
      let middle = (low &+ high) / 2
      if links[middle].id < id { low = middle &+ 1 } else { high = middle }
    }
    return low < links.count && links[low].id == id ? low : nil
  }

  /// Lets happen what is due on a link.
  mutating func stepLink(_ id: Int, now: Int64) {
    guard let position = position(ofLink: id) else { return }
    if let lostAt = links[position].lostAt {
      if lostAt <= now { loseLink(id, now: now) }
    } else if let exchange = links[position].exchange {
      if exchange.endsAt <= now { finishExchange(exchange, of: id, now: now) }
    } else if let index = links[position].nextEvent, links[position].time(of: index) <= now {
      openEvent(index, of: id, now: now)
    }
  }

  // MARK: Events

  private mutating func openEvent(_ index: Int64, of id: Int, now: Int64) {
    guard let position = position(ofLink: id) else { return }
    links[position].catchUp(to: now)
    for change in links[position].takeChanges(at: index) { apply(change, of: id, at: index) }
    guard links[position].nextEvent == index else { return }

    let ends = (links[position].central.controller, links[position].peripheral.controller)
    guard !isBusy(ends.0, now: now), !isBusy(ends.1, now: now) else { return links[position].skip(index) }
    guard var exchange = makeExchange(of: position, index: index, at: now, closesAt: .max) else { return }

    // The radios of both ends must be free again when their next event begins, be it of this link or of another.
    var closesAt = links[position].anchor(after: now)
    // By index, as a copy of a link is not cheap.
    for other in links.indices where other != position && links[other].lostAt == nil {
      guard links[other].side(of: ends.0) != nil || links[other].side(of: ends.1) != nil else { continue }
      let anchor = links[other].anchor(after: now)
      if anchor < exchange.endsAt && links[other].wasSkipped && links[other].nextEvent != nil {
        return links[position].skip(index)
      }
      closesAt = min(closesAt, anchor)
    }
    exchange.closesAt = max(closesAt, exchange.endsAt)
    begin(exchange, of: position)
  }

  /// The next packets of both ends; `nil` if neither can send any.
  private mutating func makeExchange(of position: Int, index: Int64, at time: Int64, closesAt: Int64) -> LinkExchange? {
    let centralTakesData = takesData(links[position].central.controller)
    let peripheralTakesData = takesData(links[position].peripheral.controller)
    let fromCentral = links[position].central.packet(otherEndTakesData: peripheralTakesData)
    let fromPeripheral = links[position].peripheral.packet(otherEndTakesData: centralTakesData)
    guard fromCentral != nil || fromPeripheral != nil else { return nil }
    let duration = AirTime.exchange(
      central: fromCentral?.payload ?? 0,
      links[position].central.phy,
      peripheral: fromPeripheral?.payload ?? 0,
      links[position].peripheral.phy
    )
    guard time &+ duration <= closesAt else { return nil }
    return LinkExchange(
      index: index,
      endsAt: time &+ duration,
      closesAt: closesAt,
      fromCentral: fromCentral,
      fromPeripheral: fromPeripheral
    )
  }

  private func takesData(_ id: ControllerID) -> Bool { index(of: id).map { controllers[$0].takesData } ?? false }

  private mutating func begin(_ exchange: LinkExchange, of position: Int) {
    links[position].exchange = exchange
    occupy(links[position].central.controller, until: exchange.endsAt)
    occupy(links[position].peripheral.controller, until: exchange.endsAt)
  }

  private mutating func finishExchange(_ exchange: LinkExchange, of id: Int, now: Int64) {
    guard let position = position(ofLink: id) else { return }
    links[position].exchange = nil
    links[position].noteContact(at: exchange.index)
    if let packet = exchange.fromCentral { links[position].central.remove(packet) }
    if let packet = exchange.fromPeripheral { links[position].peripheral.remove(packet) }
    if case .data(let fragment)? = exchange.fromCentral { deliver(fragment, from: .central, of: position) }
    if case .data(let fragment)? = exchange.fromPeripheral { deliver(fragment, from: .peripheral, of: position) }
    if case .control(let message)? = exchange.fromCentral {
      receive(message, at: .peripheral, of: position, now: now)
    }
    if case .control(let message)? = exchange.fromPeripheral {
      // A link that ended with the central's packet has no more to say.
      guard let position = self.position(ofLink: id) else { return }
      receive(message, at: .central, of: position, now: now)
    }
    guard let position = self.position(ofLink: id) else { return }

    let next = makeExchange(of: position, index: exchange.index, at: now, closesAt: exchange.closesAt)
    if let next {
      begin(next, of: position)
    } else if links[position].central.hasWork || links[position].peripheral.hasWork {
      links[position].stayAttentive()
    }
    reportCompletedPackets(of: position, eventIsOver: next == nil)
  }

  /// Tells the hosts what has arrived, once an event, and earlier where half of the buffers wait for it.
  private mutating func reportCompletedPackets(of position: Int, eventIsOver: Bool) {
    reportCompletedPackets(of: position, .central, eventIsOver)
    reportCompletedPackets(of: position, .peripheral, eventIsOver)
  }

  private mutating func reportCompletedPackets(of position: Int, _ side: LinkSide, _ eventIsOver: Bool) {
    guard let (completed, controller, handle) = links[position].completed(side) else { return }
    guard let index = index(of: controller) else { return }
    let half = UInt16(controllers[index].configuration.aclBufferCount) / 2
    guard eventIsOver || completed >= max(1, half) else { return }
    links[position][side].completed = 0
    controllers[index].completePackets(completed, of: handle)
  }

  private mutating func deliver(_ fragment: DataFragment, from side: LinkSide, of position: Int) {
    guard let (controller, handle) = links[position].receiver(side.other), let index = index(of: controller) else {
      return
    }
    controllers[index].deliver(fragment, handle: handle)
  }

  /// Hosts have made room: what waited for them may be sent again.
  mutating func resumeData(towards id: ControllerID, now: Int64) {
    for position in links.indices {
      guard let side = links[position].side(of: id), links[position][side.other].isHeldBack else { continue }
      links[position].catchUp(to: now)
      links[position][side.other].isHeldBack = false
    }
  }

  // MARK: Ends

  /// Both ends have stopped hearing each other for too long.
  private mutating func loseLink(_ id: Int, now: Int64) {
    guard let position = position(ofLink: id) else { return }
    let reason: HCIStatus = links[position].isEstablished ? .connectionTimeout : .connectionFailedToBeEstablished
    closeLink(id, centralReason: reason, peripheralReason: reason, now: now)
  }

  /// Ends a link and tells the hosts of the ends that are still there.
  mutating func closeLink(_ id: Int, centralReason: HCIStatus, peripheralReason: HCIStatus, now: Int64) {
    guard let position = position(ofLink: id) else { return }
    let link = links.remove(at: position)
    for (end, reason) in [(link.central, centralReason), (link.peripheral, peripheralReason)] {
      guard end.isPresent, let index = index(of: end.controller) else { continue }
      controllers[index].closeLink(end.handle, reason: reason, unsent: end.data.count &+ Int(end.completed))
    }
    refreshActivity(now: now)
  }

  /// A controller leaves all its links without a word.
  mutating func abandonLinks(of id: ControllerID, now: Int64) {
    for position in links.indices {
      guard let side = links[position].side(of: id) else { continue }
      links[position][side].abandon()
      links[position].separate(now: now)
    }
    links.removeAll { !$0.central.isPresent && !$0.peripheral.isPresent }
  }

  /// Looks again which links still have both ends in reach of each other.
  mutating func refreshLinks(now: Int64) {
    for position in links.indices {
      let link = links[position]
      let areInTouch =
        link.central.isPresent && link.peripheral.isPresent
        && hear(link.central.controller, link.peripheral.controller)
      if areInTouch && link.lostAt != nil {
        links[position].reunite(now: now)
      } else if !areInTouch && link.lostAt == nil {
        links[position].separate(now: now)
      }
    }
  }
}
