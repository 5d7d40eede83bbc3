import BluetoothTypes
import HostStack
import RadioPort

// Connection events: when they happen, what they carry, and how links end.
extension Air {
  /// Where the link is in `links` now; `nil` if it is gone.
  func position(ofLink id: Int) -> Int? { links.index(of: id) }

  /// Lets happen what is due on a link.
  mutating func stepLink(_ id: Int, now: Int64) {
    guard let position = position(ofLink: id) else { return }
    if let endsAt = links.span[position].exchange?.endsAt {
      if endsAt <= now { finishExchange(of: id, now: now) }
    } else if let index = links.span[position].nextEvent, links.span[position].time(of: index) <= now {
      openEvent(index, of: id, now: now)
    } else {
      // What went on in the meantime is drawn only now; perhaps the ends have heard each other.
      links[position].catchUp(to: now)
    }
    giveUp(.central, of: id, now: now)
    giveUp(.peripheral, of: id, now: now)
  }

  /// Takes an end out of its link that has waited too long.
  private mutating func giveUp(_ side: LinkSide, of id: Int, now: Int64) {
    guard let position = position(ofLink: id), links.span[position].exchange == nil else { return }
    if links.span[position].hasLost(side, by: now) {
      loseEnd(side, of: id, now: now)
    } else if let deadline = links.span[position][side].procedureDeadline, deadline <= now {
      closeEnd(side, of: id, reason: .llResponseTimeout, now: now)
    }
  }

  // MARK: Events

  private mutating func openEvent(_ index: Int64, of id: Int, now: Int64) {
    guard let position = position(ofLink: id) else { return }
    links[position].catchUp(to: now)
    for change in links[position].takeChanges(at: index) { apply(change, of: id, at: index) }
    guard links.span[position].nextEvent == index else { return }

    let ends = (links[position].central.controller, links[position].peripheral.controller)
    guard !isBusy(ends.0, now: now), !isBusy(ends.1, now: now) else { return links[position].skip(index) }
    let before = links[position].peripheral.waitsForAcknowledgement ? links[position].peripheral : nil
    guard var exchange = makeExchange(of: position, index: index, at: now, closesAt: .max) else { return }

    // The radios of both ends must be free again when their next event begins, be it of this link or of another.
    var closesAt = links[position].anchor(after: now)
    // By index, as a copy of a link is not cheap.
    for other in links.indices where other != position && !links[other].isApart {
      guard links[other].side(of: ends.0) != nil || links[other].side(of: ends.1) != nil else { continue }
      let anchor = links.span[other].anchor(after: now)
      if anchor < exchange.endsAt && links[other].wasSkipped && links.span[other].nextEvent != nil {
        // What the peripheral was to hear it has not heard.
        if let before { links[position].peripheral = before }
        return links[position].skip(index)
      }
      closesAt = min(closesAt, anchor)
    }
    exchange.closesAt = max(closesAt, exchange.endsAt)
    begin(exchange, of: position)
  }

  /// The next packets of both ends, and what becomes of them; `nil` if they do not fit in, or if nobody has anything to
  /// say.
  private mutating func makeExchange(
    of position: Int,
    index: Int64,
    at time: Int64,
    closesAt: Int64,
    errors: Int = 0
  ) -> LinkExchange? {
    let centralTakesData = takesData(links[position].central.controller)
    let peripheralTakesData = takesData(links[position].peripheral.controller)
    let fromCentral = links[position].central.packet(otherEndTakesData: peripheralTakesData)
    var exchange = LinkExchange(index: index, endsAt: time, closesAt: closesAt, errors: errors)
    exchange.fromCentral = fromCentral
    exchange.down = links[position].reception(
      links[position].central.payload(of: fromCentral),
      at: .peripheral,
      in: index,
      time: time
    )
    // With a packet that it hears the peripheral also hears what the central has got, and says the next thing.
    let isOwed = links[position].peripheral.waitsForAcknowledgement
    let isAcknowledging = exchange.down == .heard && isOwed
    let before = isAcknowledging ? links[position].peripheral : nil
    if isAcknowledging { links[position].peripheral.acknowledge() }
    exchange.fromPeripheral = links[position].peripheral.packet(otherEndTakesData: centralTakesData)
    guard
      isOwed || links.span[position].central.hasNews || links.span[position].peripheral.hasNews
        || links.span[position].central.waitsForAcknowledgement
    else { return nil }
    let (central, peripheral) = (links[position].central.phy, links[position].peripheral.phy)
    if exchange.down == .missed {
      exchange.up = .missed
      exchange.endsAt = time &+ AirTime.unanswered(links[position].central.payload(of: fromCentral), central)
    } else {
      let payload = links[position].peripheral.payload(of: exchange.fromPeripheral)
      exchange.up = links[position].reception(payload, at: .central, in: index, time: time)
      exchange.endsAt =
        time
        &+ AirTime.exchange(
          central: links[position].central.payload(of: fromCentral),
          central,
          peripheral: payload,
          peripheral
        )
    }
    guard exchange.endsAt <= closesAt else {
      if let before { links[position].peripheral = before }
      return nil
    }
    return exchange
  }

  func takesData(_ id: ControllerID) -> Bool { index(of: id).map { controllers[$0].takesData } ?? false }

  private mutating func begin(_ exchange: LinkExchange, of position: Int) {
    links[position].exchange = exchange
    occupy(links[position].central.controller, until: exchange.endsAt)
    occupy(links[position].peripheral.controller, until: exchange.endsAt)
  }

  private mutating func finishExchange(of id: Int, now: Int64) {
    guard let position = position(ofLink: id), let exchange = links[position].exchange.take() else { return }
    links[position].noteUsed(exchange.index)
    if exchange.down == .heard {
      links[position].noteHeard(.peripheral, at: exchange.index)
      take(exchange.fromCentral, from: .central, of: id, isAcknowledged: exchange.up == .heard, now: now)
    }
    // A link that ended with the central's packet has no more to say.
    guard let position = self.position(ofLink: id), !links[position].isApart else { return }
    if exchange.up == .heard {
      links[position].noteHeard(.central, at: exchange.index)
      links[position].central.acknowledge()
      let isAcknowledged =
        links[position].reception(0, at: .peripheral, in: exchange.index, time: now) == .heard
      take(exchange.fromPeripheral, from: .peripheral, of: id, isAcknowledged: isAcknowledged, now: now)
    }
    guard let position = self.position(ofLink: id), !links[position].isApart else { return }

    let next = continuation(of: exchange, at: position, now: now)
    if let next {
      begin(next, of: position)
    } else if links[position].central.hasWork || links[position].peripheral.hasWork {
      links[position].stayAttentive()
    }
    reportCompletedPackets(of: position, eventIsOver: next == nil)
  }

  /// What follows in the same event; `nil` if the event is over: because all is said, a packet was missed, or two in a
  /// row had a wrong CRC (Core 5.4, Vol 6, Part B, 4.5.6).
  private mutating func continuation(of exchange: LinkExchange, at position: Int, now: Int64) -> LinkExchange? {
    guard exchange.down != .missed, exchange.up != .missed else { return nil }
    let isCorrupt = exchange.down == .corrupt || exchange.up == .corrupt
    guard !isCorrupt || exchange.errors == 0 else { return nil }
    // What was held back while the host had no room may go on once it has.
    guard links.span[position].central.hasNews || links.span[position].peripheral.hasNews else { return nil }
    return makeExchange(
      of: position,
      index: exchange.index,
      at: now,
      closesAt: exchange.closesAt,
      errors: isCorrupt ? 1 : 0
    )
  }

  /// An end gets a packet; it ignores one that it has had already.
  private mutating func take(
    _ packet: LinkPacket?,
    from side: LinkSide,
    of id: Int,
    isAcknowledged: Bool,
    now: Int64
  ) {
    guard let packet, let position = position(ofLink: id), !links[position][side].isDelivered else { return }
    links[position][side].markDelivered()
    switch packet {
    case .data(let fragment): deliver(fragment, from: side, of: position)
    case .control(.terminate(let reason)):
      terminate(id, by: side, reason: reason, isAcknowledged: isAcknowledged, now: now)
    case .control(let message): receive(message, at: side.other, of: position, now: now)
    }
  }

  /// Tells the hosts what has arrived, once an event, and earlier where half of the buffers wait for it.
  private mutating func reportCompletedPackets(of position: Int, eventIsOver: Bool) {
    reportCompletedPackets(of: position, .central, eventIsOver)
    reportCompletedPackets(of: position, .peripheral, eventIsOver)
  }

  private mutating func reportCompletedPackets(of position: Int, _ side: LinkSide, _ eventIsOver: Bool) {
    let completed = links[position][side].completed
    guard completed > 0, let index = index(of: links[position][side].controller) else { return }
    let half = UInt16(controllers[index].configuration.aclBufferCount) / 2
    guard eventIsOver || completed >= max(1, half) else { return }
    links[position][side].completed = 0
    controllers[index].completePackets(completed, of: links[position][side].handle)
  }

  private mutating func deliver(_ fragment: DataFragment, from side: LinkSide, of position: Int) {
    let receiver = side.other
    guard links[position][receiver].isPresent, let index = index(of: links[position][receiver].controller) else {
      return
    }
    notePacket(of: position)
    let delay = delay(of: position)
    guard delay > 0 || !late.isEmpty else {
      return controllers[index].deliver(fragment, handle: links[position][receiver].handle)
    }
    postpone(fragment, to: receiver, of: position, by: delay)
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

  /// An end has heard nothing for too long.
  private mutating func loseEnd(_ side: LinkSide, of id: Int, now: Int64) {
    guard let position = position(ofLink: id) else { return }
    let end = links[position][side]
    let reason: HCIStatus =
      if end.procedures.contains(.termination) {
        // It has said good-bye, and nobody was there to hear it (Core 5.4, Vol 6, Part B, 5.1.6).
        .connectionTerminatedByLocalHost
      } else {
        end.heardIndex >= 0 ? .connectionTimeout : .connectionFailedToBeEstablished
      }
    closeEnd(side, of: id, reason: reason, now: now)
  }

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
      let (one, other) = (controllers[central].trouble, controllers[peripheral].trouble)
      links[position].refresh(
        path(between: central, and: peripheral),
        powers(central, peripheral),
        downLoss: 1 - (1 - one.sendingLoss) * (1 - other.receivingLoss),
        upLoss: 1 - (1 - other.sendingLoss) * (1 - one.receivingLoss),
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
