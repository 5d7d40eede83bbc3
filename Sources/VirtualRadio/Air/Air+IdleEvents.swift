import BluetoothTypes

// Connection events in which nobody has anything to say. They are counted and not stepped; where one meets something that
// is stepped, it is looked at: it holds the radios of its ends, and its empty packets disturb and are disturbed.
extension Air {
  /// Whether the radio of the controller at `index` has something else to do in a span of time.
  func isTaken(_ index: Int, from start: Int64, for duration: Int64) -> Bool {
    controllers[index].busyUntil > start || isAtIdleEvent(index, from: start, until: start &+ duration)
  }

  /// Whether the radio of the controller at `index` is at such an event of one of its links in a span of time.
  func isAtIdleEvent(_ index: Int, from start: Int64, until end: Int64) -> Bool {
    let id = controllers[index].id
    for position in links.indices {
      guard let side = links.span[position].side(of: id), links.span[position].ends[side].isPresent,
        links.span[position].isIdling(side, from: start, until: end)
      else { continue }
      return true
    }
    return false
  }

  /// Whether the next event of a link has to wait, as the radio of one of its ends is at such an event of another link. Of
  /// two that meet the one that was put off last time goes first, else the one that has begun.
  mutating func yieldsToIdleEvent(_ position: Int, now: Int64) -> Bool {
    let ends = links.span[position].ends
    for other in links.indices where other != position {
      guard links.span[other].isIdling(at: ends, from: now, until: now &+ 1) else { continue }
      let from = now &- links[other].idleDuration &+ 1
      guard let event = links[other].idleEvents(from: from, until: now &+ 1).last else { continue }
      let begin = links[other].time(of: event)
      links[other].catchUp(to: begin)
      if !links[position].wasSkipped, begin < now || links[other].wasSkipped { return true }
      links[other].skip(event)
    }
    return false
  }

  // MARK: Collisions with links

  /// Settles what packets that are about to go out and an empty event of another link that is under way do to each other.
  mutating func collide(
    _ exchange: inout LinkExchange,
    of position: Int,
    withIdle other: Int,
    on channel: Int
  ) {
    let from = time &- links[other].idleDuration &+ 1
    for event in links[other].idleEvents(from: from, until: time) where self.channel(of: other, in: event) == channel {
      let theirs = idlePackets(of: other, in: event)
      let mine = airPackets(of: exchange, at: position, on: channel)
      suffer(&exchange, of: position, from: theirs.air)
      disturb(other, event, theirs, by: mine)
    }
  }

  /// The packets of an exchange have arrived: settles what they and the empty events that have begun meanwhile did to each
  /// other, and which events did not take place, as a radio was at the exchange.
  mutating func meetIdleEvents(_ exchange: inout LinkExchange, of position: Int) {
    let ends = links.span[position].ends
    var channel: Int?
    for other in links.indices where other != position {
      let events = links[other].idleEvents(from: exchange.beganAt, until: exchange.endsAt)
      guard !events.isEmpty else { continue }
      let isShared = links.span[other].shares(ends)
      for event in events {
        links[other].catchUp(to: links[other].time(of: event))
        guard !isShared else {
          links[other].skip(event)
          continue
        }
        let own = channel ?? self.channel(of: position, in: exchange.index)
        channel = own
        guard self.channel(of: other, in: event) == own else { continue }
        let theirs = idlePackets(of: other, in: event)
        let (down, up) = packets(of: exchange, at: position)
        let mine = airPackets(of: exchange, at: position, on: own)
        if exchange.down == .heard, isLost(down, to: theirs.air) != nil { exchange.down = .corrupt }
        if exchange.up == .heard, let loss = isLost(up, to: theirs.air) { exchange.up = loss }
        disturb(other, event, theirs, by: mine)
      }
    }
  }

  private mutating func disturb(_ other: Int, _ event: Int64, _ theirs: IdlePackets, by packets: [AirPacket]) {
    let down = isLost(theirs.down, to: packets)
    let up = isLost(theirs.up, to: packets)
    guard down != nil || up != nil else { return }
    links[other].noteDisturbed(event, down: down ?? .heard, up: up ?? .heard)
  }

  /// The packets of an event of a link in which nobody has anything to say.
  private func idlePackets(of position: Int, in event: Int64) -> IdlePackets {
    let phys = links.span[position].phys
    let start = links[position].time(of: event)
    let turnsAt = start &+ phys.central.airTime(payload: 0)
    let upEnd = turnsAt &+ AirTime.interFrameSpace &+ phys.peripheral.airTime(payload: 0)
    let isAnswered = links[position].attends(event)
    let (down, up) = packets(at: position, from: start, turnsAt: turnsAt, upEnd: isAnswered ? upEnd : nil)
    return IdlePackets(down: down, up: up)
  }

  // MARK: With advertisers

  /// The empty packets of links on the channel of a packet, at the same time.
  func idlePackets(during packet: AirPacket) -> [AirPacket] {
    var packets: [AirPacket] = []
    for position in links.indices {
      let from = packet.start &- links[position].idleDuration &+ 1
      for event in links[position].idleEvents(from: from, until: packet.end)
      where channel(of: position, in: event) == packet.channel {
        packets += idlePackets(of: position, in: event).air.map {
          AirPacket(sender: $0.sender, channel: packet.channel, start: $0.start, end: $0.end)
        }
      }
    }
    return packets
  }
}

/// The packets of a connection event in which nobody has anything to say.
private struct IdlePackets {
  var down: DataPacket
  /// `nil` if the peripheral sleeps.
  var up: DataPacket?

  var air: [AirPacket] { [down.packet] + (up.map { [$0.packet] } ?? []) }
}

extension AirLink {
  /// How long an event takes in which nobody has anything to say, in nanoseconds.
  var idleDuration: Int64 {
    AirTime.exchange(central: 0, central.phy, peripheral: 0, peripheral.phy) &- AirTime.interFrameSpace
  }

  /// The events that begin in a span of time, were not used, and are not over for good.
  func idleEvents(from start: Int64, until end: Int64) -> Range<Int64> {
    guard !isApart, exchange == nil else { return 0..<0 }
    let first = max(firstIndex(from: start), lastIndex &+ 1)
    return first..<max(first, firstIndex(from: end))
  }

  /// Whether one end is at such an event at any time of a span.
  func isIdling(_ side: LinkSide, from start: Int64, until end: Int64) -> Bool {
    let events = idleEvents(from: start &- idleDuration &+ 1, until: end)
    return side == .central ? !events.isEmpty : events.contains { attends($0) }
  }

  /// Whether a controller that is at one of `ends` too is at such an event at any time of a span.
  func isIdling(at ends: LinkEnds, from start: Int64, until end: Int64) -> Bool {
    let own = self.ends
    return own.central.isPresent && own.central.isAmong(ends) && isIdling(.central, from: start, until: end)
      || own.peripheral.isPresent && own.peripheral.isAmong(ends) && isIdling(.peripheral, from: start, until: end)
  }

  /// Whether one of its ends is at a controller that is at one of `ends` too.
  func shares(_ ends: LinkEnds) -> Bool {
    let own = self.ends
    return own.central.isPresent && own.central.isAmong(ends)
      || own.peripheral.isPresent && own.peripheral.isAmong(ends)
  }
}

extension LinkEnds.Name {
  fileprivate func isAmong(_ ends: LinkEnds) -> Bool {
    controller == ends.central.controller || controller == ends.peripheral.controller
  }
}
