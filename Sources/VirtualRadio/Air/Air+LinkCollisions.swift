import BluetoothTypes

/// A packet of a link on the air. Times are nanoseconds.
private struct DataPacket {
  var sender: ControllerID
  var receiver: ControllerID
  var start: Int64
  var end: Int64
  /// When a receiver has noticed it: with the end of the access address.
  var isNoticed: Int64

  func overlaps(_ other: DataPacket) -> Bool { start < other.end && other.start < end }
}

// Links that have packets on the same channel at the same time: a receiver loses its packet, unless that is so much
// stronger than the other that it captures the receiver, as with advertisers. Empty events are counted and not stepped:
// they disturb nobody, and are not disturbed.
extension Air {
  /// Settles what packets that are about to go out, and those that are on the air, do to each other.
  mutating func collide(_ exchange: inout LinkExchange, of position: Int) {
    var channel: Int?
    for other in links.indices where other != position {
      guard let rival = links.span[other].exchange, rival.endsAt > time else { continue }
      let own = channel ?? self.channel(of: position, in: exchange.index)
      channel = own
      guard self.channel(of: other, in: rival.index) == own else { continue }
      collide(&exchange, of: position, with: rival, of: other)
    }
  }

  private mutating func collide(
    _ exchange: inout LinkExchange,
    of position: Int,
    with rival: LinkExchange,
    of other: Int
  ) {
    let (down, up) = packets(of: exchange, from: time, at: position)
    let (rivalDown, rivalUp) = packets(of: rival, from: rival.beganAt, at: other)
    let mine = [down, up].compactMap(\.self)
    let theirs = [rivalDown, rivalUp].compactMap(\.self)

    // Theirs are under way; a peripheral that has answered has answered.
    if links.span[other].exchange?.down == .heard, isLost(rivalDown, to: mine) != nil {
      links[other].exchange?.down = .corrupt
    }
    if links.span[other].exchange?.up == .heard, let loss = isLost(rivalUp, to: mine) {
      links[other].exchange?.up = loss
    }
    if exchange.down == .heard, let loss = isLost(down, to: theirs) {
      exchange.down = loss
      exchange.isAcknowledging = false
      if loss == .missed {
        exchange.up = .missed
        exchange.endsAt =
          exchange.turnsAt &+ AirTime.interFrameSpace &+ links.span[position].phys.peripheral.airTime(payload: 0)
      }
    }
    if exchange.up == .heard, let loss = isLost(up, to: theirs) { exchange.up = loss }
  }

  private func packets(
    of exchange: LinkExchange,
    from start: Int64,
    at position: Int
  ) -> (down: DataPacket, up: DataPacket?) {
    let ends = links.span[position].ends
    let (central, peripheral) = (ends.central.controller, ends.peripheral.controller)
    let phys = links.span[position].phys
    let down = DataPacket(
      sender: central,
      receiver: peripheral,
      start: start,
      end: exchange.turnsAt,
      isNoticed: start &+ phys.central.syncTime
    )
    guard exchange.down != .missed else { return (down, nil) }
    let answer = exchange.turnsAt &+ AirTime.interFrameSpace
    let up = DataPacket(
      sender: peripheral,
      receiver: central,
      start: answer,
      end: max(answer, exchange.endsAt &- AirTime.interFrameSpace),
      isNoticed: answer &+ phys.peripheral.syncTime
    )
    return (down, up)
  }

  /// What its receiver makes of a packet during others; `nil` if they do no harm.
  private func isLost(_ packet: DataPacket?, to others: [DataPacket]) -> Reception? {
    guard let packet, let sender = index(of: packet.sender), let receiver = index(of: packet.receiver) else {
      return nil
    }
    var loss: Reception?
    for other in others where packet.overlaps(other) {
      guard let rival = index(of: other.sender), rival != receiver, rival != sender, hear(at: rival, at: receiver)
      else {
        continue
      }
      let strength = path(between: sender, and: receiver)
        .strength(power: controllers[sender].configuration.transmitPower, at: packet.start)
      let disturbance = path(between: rival, and: receiver)
        .strength(power: controllers[rival].configuration.transmitPower, at: packet.start)
      guard strength - disturbance < propagation.captureThreshold else { continue }
      if other.start < packet.isNoticed { return .missed }
      loss = .corrupt
    }
    return loss
  }

  /// The channel of an event, 0 to 36.
  private func channel(of position: Int, in event: Int64) -> Int {
    let central = index(of: links.span[position].ends.central.controller)
    let map = central.map { controllers[$0].channelMap } ?? ChannelSelection.allChannels
    return ChannelSelection.channel(
      event: UInt16(truncatingIfNeeded: event),
      identifier: links.span[position].channelIdentifier,
      map: map
    )
  }
}

/// Channel selection algorithm #2 (Core 5.4, Vol 6, Part B, 4.5.8.3).
enum ChannelSelection {
  static let allChannels: UInt64 = 0x1F_FFFF_FFFF

  /// The channel of an event, 0 to 36.
  ///
  /// - Parameters:
  ///   - event: The number of the event.
  ///   - identifier: Comes of the access address of the link.
  ///   - map: A bit for each channel that may be used.
  static func channel(event: UInt16, identifier: UInt16, map: UInt64) -> Int {
    var number = event ^ identifier
    for _ in 0..<3 {
      number = permuted(number)
      number = number &* 17 &+ identifier
    }
    number ^= identifier
    let unmapped = Int(number % 37)
    let map = map & allChannels
    guard map & 1 &<< UInt64(unmapped) == 0 else { return unmapped }
    var place = (map.nonzeroBitCount &* Int(number)) &>> 16
    for channel in 0..<37 where map & 1 &<< UInt64(channel) != 0 {
      if place == 0 { return channel }
      place &-= 1
    }
    return unmapped
  }

  /// The bits of both bytes in reverse order.
  private static func permuted(_ number: UInt16) -> UInt16 {
    var number = number
    number = (number & 0xAAAA) &>> 1 | (number & 0x5555) &<< 1
    number = (number & 0xCCCC) &>> 2 | (number & 0x3333) &<< 2
    return (number & 0xF0F0) &>> 4 | (number & 0x0F0F) &<< 4
  }
}

extension LinkPHY {
  /// From the beginning of a packet to the end of its access address, in nanoseconds.
  fileprivate var syncTime: Int64 {
    switch self {
    case .le1M: 40_000
    case .le2M: 24_000
    case .codedS8, .codedS2: 336_000
    }
  }
}
