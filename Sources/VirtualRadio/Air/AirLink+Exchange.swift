/// The packets of both ends that are on the air; what is in them the ends know.
struct LinkExchange: Hashable, Sendable {
  /// The event that they belong to.
  var index: Int64
  /// When the first one begins.
  var beganAt: Int64
  /// When it is over.
  var turnsAt: Int64
  /// When the second one has arrived, or would have.
  var endsAt: Int64
  /// When the event is over, whatever there is still to say.
  var closesAt: Int64
  /// What the peripheral makes of the first packet.
  var down = Reception.heard
  /// What the central makes of the second one, which is not sent if the first was missed.
  var up = Reception.heard
  /// Whether the peripheral hears with the first packet that the central has got its last one, and says the next thing.
  var isAcknowledging = false
  /// How many packets before these ones in the event had a wrong CRC at either end.
  var errors = 0
  /// The first one was seen to.
  var isHalfOver = false
}

/// Whether the controllers of both ends take data now, as their hosts have room.
struct LinkRoom {
  var central: Bool
  var peripheral: Bool
}

// What the ends say to each other in an event.
extension AirLink {
  /// The next packets of both ends, and what becomes of them; `nil` if they do not fit in, or if nobody has anything to
  /// say.
  mutating func makeExchange(
    in index: Int64,
    at time: Int64,
    closesAt: Int64,
    errors: Int = 0,
    _ room: LinkRoom
  ) -> LinkExchange? {
    central.choosePacket(otherEndTakesData: room.peripheral)
    let downPayload = central.payload
    let turnsAt = time &+ central.phy.airTime(payload: downPayload)
    var exchange = LinkExchange(
      index: index,
      beganAt: time,
      turnsAt: turnsAt,
      endsAt: time,
      closesAt: closesAt,
      errors: errors
    )
    exchange.down = reception(downPayload, at: .peripheral, in: index, time: time)
    let isOwed = peripheral.waitsForAcknowledgement
    exchange.isAcknowledging = exchange.down == .heard && isOwed
    let upPayload: Int
    if exchange.isAcknowledging {
      // Only foreseen, as the packets may not go out after all.
      upPayload = peripheral.payloadAfterAcknowledgement(otherEndTakesData: room.central)
    } else {
      peripheral.choosePacket(otherEndTakesData: room.central)
      upPayload = peripheral.payload
    }
    guard isOwed || central.hasNews || peripheral.hasNews || central.waitsForAcknowledgement else { return nil }
    if exchange.down == .missed {
      exchange.up = .missed
      exchange.endsAt = time &+ AirTime.unanswered(downPayload, central.phy)
    } else {
      exchange.up = reception(upPayload, at: .central, in: index, time: time)
      exchange.endsAt =
        time
        &+ AirTime.exchange(central: downPayload, central.phy, peripheral: upPayload, peripheral.phy)
    }
    return exchange.endsAt <= closesAt ? exchange : nil
  }

  /// What follows in the same event; `nil` if the event is over: because all is said, a packet was missed, or two in a
  /// row had a wrong CRC (Core 5.4, Vol 6, Part B, 4.5.6).
  mutating func continuation(of exchange: LinkExchange, at now: Int64, _ room: LinkRoom) -> LinkExchange? {
    guard exchange.down != .missed, exchange.up != .missed else { return nil }
    let isCorrupt = exchange.down == .corrupt || exchange.up == .corrupt
    guard !isCorrupt || exchange.errors == 0 else { return nil }
    // What was held back while the host had no room may go on once it has.
    guard central.hasNews || peripheral.hasNews else { return nil }
    let (index, closesAt) = (exchange.index, exchange.closesAt)
    return makeExchange(in: index, at: now, closesAt: closesAt, errors: isCorrupt ? 1 : 0, room)
  }

  /// The packets go out.
  mutating func begin(_ exchange: LinkExchange, _ room: LinkRoom) {
    if exchange.isAcknowledging {
      peripheral.acknowledge()
      peripheral.choosePacket(otherEndTakesData: room.central)
    }
    self.exchange = exchange
  }

  /// The packets are no longer on the air.
  mutating func takeExchange() -> LinkExchange? {
    guard let exchange = exchange.take() else { return nil }
    noteUsed(exchange.index)
    return exchange
  }

  /// The peripheral hears the central's packet.
  mutating func hearCentral(in exchange: LinkExchange) -> LinkPacket? {
    noteHeard(.peripheral, at: exchange.index)
    return central.deliver()
  }

  /// The central hears the peripheral's packet, and with it that its own has come.
  ///
  /// - Returns: The packet, and whether the peripheral will hear in the same event that it has come.
  mutating func hearPeripheral(
    in exchange: LinkExchange,
    at now: Int64
  ) -> (packet: LinkPacket?, isAcknowledged: Bool) {
    noteHeard(.central, at: exchange.index)
    central.acknowledge()
    let isAcknowledged = reception(0, at: .peripheral, in: exchange.index, time: now) == .heard
    return (peripheral.deliver(), isAcknowledged)
  }

  /// The event is over.
  mutating func endEvent() {
    if central.hasWork || peripheral.hasWork { stayAttentive() }
  }

  /// When the next event of this link wants the radio of one of `ends`, and whether it was put off for another link
  /// last time, so that it goes first; `nil` if it never does.
  mutating func rival(on ends: LinkEnds, after now: Int64) -> (begins: Int64, goesFirst: Bool)? {
    guard !isApart, side(of: ends.central.controller) != nil || side(of: ends.peripheral.controller) != nil else {
      return nil
    }
    // What was put off may have come to its turn meanwhile, without a step.
    if wasSkipped { catchUp(to: now) }
    return (anchor(after: now), wasSkipped)
  }
}
