import BluetoothTypes
import HostStack
import RadioPort

// Connection events: when they happen, what they carry, and how links end.
extension Air {
  /// Where the link is in `links` now; `nil` if it is gone.
  @inline(__always)
  func position(ofLink id: Int) -> Int? { links.index(of: id) }

  /// Lets happen what is due on a link.
  mutating func stepLink(_ id: Int, now: Int64) {
    guard let position = position(ofLink: id) else { return }
    switch links[position].step(at: now) {
    case .finishExchange: finishExchange(of: id, now: now)
    case .openEvent(let index): openEvent(index, of: id, now: now)
    case nil: break
    }
    // Takes the ends out of their link that have waited too long.
    while let position = self.position(ofLink: id), let ending = links[position].ending(at: now) {
      closeEnd(ending.side, of: id, reason: ending.reason, now: now)
    }
  }

  // MARK: Events

  private mutating func openEvent(_ index: Int64, of id: Int, now: Int64) {
    guard let position = position(ofLink: id) else { return }
    links[position].catchUp(to: now)
    for change in links[position].takeChanges(at: index) { apply(change, of: id, at: index) }
    guard links[position].isNext(index) else { return }

    let ends = links.span[position].ends
    guard !isBusy(ends.central.controller, now: now), !isBusy(ends.peripheral.controller, now: now) else {
      return links[position].skip(index)
    }
    if links.count > 1, yieldsToIdleEvent(position, now: now) { return links[position].skip(index) }
    let room = room(of: position)
    guard var exchange = links[position].makeExchange(in: index, at: now, closesAt: .max, room) else { return }

    // The radios of both ends must be free again when their next event begins, be it of this link or of another.
    var closesAt = links[position].anchor(after: now)
    for other in links.indices where other != position {
      guard let rival = links[other].rival(on: ends, after: now) else { continue }
      if rival.begins < exchange.endsAt && rival.goesFirst { return links[position].skip(index) }
      closesAt = min(closesAt, rival.begins)
    }
    exchange.closesAt = max(closesAt, exchange.endsAt)
    begin(exchange, of: position, room)
  }

  @inline(__always)
  func room(of position: Int) -> LinkRoom {
    let ends = links.span[position].ends
    return LinkRoom(central: takesData(ends.central.controller), peripheral: takesData(ends.peripheral.controller))
  }

  @inline(__always)
  func takesData(_ id: ControllerID) -> Bool { index(of: id).map { controllers.span[$0].takesData } ?? false }

  private mutating func begin(_ exchange: LinkExchange, of position: Int, _ room: LinkRoom) {
    var exchange = exchange
    if links.count > 1 || !auxiliaryPackets.isEmpty { collide(&exchange, of: position) }
    links[position].begin(exchange, room)
    let ends = links.span[position].ends
    occupy(ends.central.controller, until: exchange.endsAt)
    occupy(ends.peripheral.controller, until: exchange.endsAt)
  }

  private mutating func finishExchange(of id: Int, now: Int64) {
    guard let position = position(ofLink: id), var exchange = links[position].takeExchange() else { return }
    if links.count > 1, !exchange.isHalfOver { meetIdleEvents(&exchange, of: position) }
    if exchange.down == .heard, !exchange.isHalfOver {
      var packet = links[position].hearCentral(in: exchange)
      take(&packet, from: .central, of: id, isAcknowledged: exchange.up == .heard, now: now)
      // With the central's packet time stands still: that of the peripheral comes behind what is done about it.
      if isPaused, let position = self.position(ofLink: id), !links[position].isApart {
        exchange.isHalfOver = true
        links[position].exchange = exchange
        return
      }
    }
    // A link that ended with the central's packet has no more to say.
    guard let position = self.position(ofLink: id), !links[position].isApart else { return }
    if exchange.up == .heard {
      var (packet, isAcknowledged) = links[position].hearPeripheral(in: exchange, at: now)
      take(&packet, from: .peripheral, of: id, isAcknowledged: isAcknowledged, now: now)
    }
    guard let position = self.position(ofLink: id), !links[position].isApart else { return }

    let room = room(of: position)
    let next = links[position].continuation(of: exchange, at: now, room)
    if let next {
      begin(next, of: position, room)
    } else {
      links[position].endEvent()
    }
    // Hosts are told what has arrived once an event, and earlier where half of the buffers wait for it.
    reportCompletedPackets(of: position, .central, eventIsOver: next == nil)
    reportCompletedPackets(of: position, .peripheral, eventIsOver: next == nil)
  }

  /// An end gets a packet, which is gone then: so its data goes on where it lies, and nobody else has it.
  private mutating func take(
    _ packet: inout LinkPacket?,
    from side: LinkSide,
    of id: Int,
    isAcknowledged: Bool,
    now: Int64
  ) {
    guard let position = position(ofLink: id) else { return }
    switch packet.take() {
    case nil: break
    case .data(var fragment)?: deliver(&fragment, to: side.other, of: position)
    case .control(.terminate(let reason))?:
      terminate(id, by: side, reason: reason, isAcknowledged: isAcknowledged, now: now)
    case .control(let message)?: receive(message, at: side.other, of: position, now: now)
    }
  }

  private mutating func reportCompletedPackets(of position: Int, _ side: LinkSide, eventIsOver: Bool) {
    guard links[position].hasCompleted(side) else { return }
    let end = links.span[position].ends[side]
    guard let index = index(of: end.controller) else { return }
    let half = max(1, UInt16(controllers[index].configuration.aclBufferCount) / 2)
    guard let completed = links[position][side].takeCompleted(atLeast: eventIsOver ? 1 : half) else { return }
    controllers[index].completePackets(completed, of: end.handle)
  }

  private mutating func deliver(_ fragment: inout DataFragment, to side: LinkSide, of position: Int) {
    let end = links.span[position].ends[side]
    guard end.isPresent, let index = index(of: end.controller) else { return }
    notePacket(of: position)
    let delay = delay(of: position)
    guard delay > 0 || !late.isEmpty else { return controllers[index].deliver(&fragment, handle: end.handle) }
    postpone(fragment, to: side, of: position, by: delay)
  }

  /// A host has made room: it gets what waits for that at its controller, and what waits at other ends may be sent again.
  mutating func resumeData(towards id: ControllerID, now: Int64) {
    guard let index = index(of: id) else { return }
    controllers[index].passWaiting()
    guard controllers[index].takesData else { return }
    for position in links.indices {
      guard let side = links[position].side(of: id), links[position][side.other].isHeldBack else { continue }
      links[position].catchUp(to: now)
      links[position][side.other].isHeldBack = false
    }
  }

  // MARK: Ends

  /// One end has said that the link is over, and the other has heard it. Whether the first one knows depends on an
  /// acknowledgement; without it, it waits until its time is over.
  private mutating func terminate(
    _ id: Int,
    by side: LinkSide,
    reason: HCIStatus,
    isAcknowledged: Bool,
    now: Int64
  ) {
    closeEnd(side.other, of: id, reason: reason, now: now)
    if isAcknowledged { closeEnd(side, of: id, reason: .connectionTerminatedByLocalHost, now: now) }
  }

  /// Takes an end out of its link and tells its host; with the second one the link is gone.
  mutating func closeEnd(_ side: LinkSide, of id: Int, reason: HCIStatus, now: Int64) {
    guard let position = position(ofLink: id), links[position][side].isPresent else { return }
    tellLinkNews(of: id, to: side)
    deliverLate(of: id, to: side)
    let end = links[position][side]
    links[position][side].abandon()
    if links[position][side.other].isPresent {
      links[position].separate(now: now)
    } else {
      links.remove(at: position)
    }
    guard let index = index(of: end.controller) else { return }
    controllers[index].closeLink(end.handle, reason: reason, unsent: end.data.count &+ Int(end.completed))
    resumeData(towards: end.controller, now: now)
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

  /// Looks again how well the ends of links hear each other.
  mutating func refreshLinks(now: Int64) {
    for position in links.indices {
      let ends = (links[position].central, links[position].peripheral)
      let central = index(of: ends.0.controller)
      let peripheral = index(of: ends.1.controller)
      guard let central, let peripheral, ends.0.isPresent, ends.1.isPresent else { continue }
      let one = losses(of: central, towards: peripheral)
      let other = losses(of: peripheral, towards: central)
      links[position].refresh(
        path(between: central, and: peripheral),
        powers(central, peripheral),
        downLoss: 1 - (1 - one.sending) * (1 - other.receiving),
        upLoss: 1 - (1 - other.sending) * (1 - one.receiving),
        now: now
      )
      let areInTouch = hear(at: central, at: peripheral) && !links[position].isCut
      if areInTouch && links[position].isApart {
        links[position].reunite(now: now)
      } else if !areInTouch && !links[position].isApart {
        links[position].separate(now: now)
      }
    }
  }

  func powers(_ central: Int, _ peripheral: Int) -> LinkPowers {
    LinkPowers(
      central: controllers[central].configuration.transmitPower,
      peripheral: controllers[peripheral].configuration.transmitPower
    )
  }
}
