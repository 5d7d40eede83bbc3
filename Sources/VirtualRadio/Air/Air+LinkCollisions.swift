import BluetoothTypes

/// A packet of a link on the air.
struct DataPacket {
  var packet: AirPacket
  var receiver: ControllerID
  /// When a receiver has noticed it, in nanoseconds: with the end of the access address.
  var isNoticed: Int64
}

// Links that have packets on the same channel at the same time: a receiver loses its packet, unless that is so much
// stronger than the other that it captures the receiver, as with advertisers.
extension Air {
  /// Settles what packets that are about to go out, and those that are on the air, do to each other.
  mutating func collide(_ exchange: inout LinkExchange, of position: Int) {
    let channel = channel(of: position, in: exchange.index)
    for other in links.indices where other != position {
      guard let rival = links.span[other].exchange else {
        collide(&exchange, of: position, withIdle: other, on: channel)
        continue
      }
      guard rival.endsAt > time, self.channel(of: other, in: rival.index) == channel else { continue }
      collide(&exchange, of: position, with: rival, of: other)
    }
    guard !auxiliaryPackets.isEmpty else { return }
    forgetAuxiliaryPackets(now: time)
    suffer(&exchange, of: position, from: auxiliaryPackets.filter { $0.channel == channel })
    auxiliaryInterference += airPackets(of: exchange, at: position, on: channel)
  }

  private mutating func collide(
    _ exchange: inout LinkExchange,
    of position: Int,
    with rival: LinkExchange,
    of other: Int
  ) {
    let mine = airPackets(of: exchange, at: position, on: 0)
    let theirs = airPackets(of: rival, at: other, on: 0)
    collideUnderWay(other, with: mine)
    suffer(&exchange, of: position, from: theirs)
  }

  /// Settles what packets that begin do to those of a link that are under way: a peripheral that has answered has answered.
  private mutating func collideUnderWay(_ position: Int, with others: [AirPacket]) {
    guard let exchange = links.span[position].exchange else { return }
    let (down, up) = packets(of: exchange, at: position)
    if exchange.down == .heard, isLost(down, to: others) != nil { links[position].exchange?.down = .corrupt }
    if exchange.up == .heard, let loss = isLost(up, to: others) { links[position].exchange?.up = loss }
  }

  /// The same for packets of advertisers, and what those of links do to them.
  mutating func collide(_ packets: [AirPacket]) {
    for position in links.indices {
      guard let exchange = links.span[position].exchange else { continue }
      let channel = channel(of: position, in: exchange.index)
      let others = packets.filter { $0.channel == channel && $0.start < exchange.endsAt }
      guard !others.isEmpty else { continue }
      collideUnderWay(position, with: others)
      auxiliaryInterference += airPackets(of: exchange, at: position, on: channel)
    }
  }

  /// What is lost of packets that are about to go out.
  func suffer(_ exchange: inout LinkExchange, of position: Int, from others: [AirPacket]) {
    guard !others.isEmpty else { return }
    let (down, up) = packets(of: exchange, at: position)
    if exchange.down == .heard, let loss = isLost(down, to: others) {
      exchange.down = loss
      exchange.isAcknowledging = false
      if loss == .missed {
        exchange.up = .missed
        exchange.endsAt =
          exchange.turnsAt &+ AirTime.interFrameSpace &+ links.span[position].phys.peripheral.airTime(payload: 0)
      }
    }
    if exchange.up == .heard, let loss = isLost(up, to: others) { exchange.up = loss }
  }

  func airPackets(of exchange: LinkExchange, at position: Int, on channel: Int) -> [AirPacket] {
    let (down, up) = packets(of: exchange, at: position)
    var packets = [down.packet]
    if let up { packets.append(up.packet) }
    for index in packets.indices { packets[index].channel = channel }
    return packets
  }

  func packets(of exchange: LinkExchange, at position: Int) -> (down: DataPacket, up: DataPacket?) {
    let end = max(exchange.turnsAt &+ AirTime.interFrameSpace, exchange.endsAt &- AirTime.interFrameSpace)
    return packets(
      at: position,
      from: exchange.beganAt,
      turnsAt: exchange.turnsAt,
      upEnd: exchange.down == .missed ? nil : end
    )
  }

  /// The packets of an event, on a channel that is not told.
  ///
  /// - Parameter upEnd: When the peripheral's answer is over; `nil` if there is none.
  func packets(
    at position: Int,
    from start: Int64,
    turnsAt: Int64,
    upEnd: Int64?
  ) -> (down: DataPacket, up: DataPacket?) {
    let ends = links.span[position].ends
    let (central, peripheral) = (ends.central.controller, ends.peripheral.controller)
    let phys = links.span[position].phys
    let down = DataPacket(
      packet: AirPacket(sender: central, channel: 0, start: start, end: turnsAt),
      receiver: peripheral,
      isNoticed: start &+ phys.central.syncTime
    )
    guard let upEnd else { return (down, nil) }
    let answer = turnsAt &+ AirTime.interFrameSpace
    let up = DataPacket(
      packet: AirPacket(sender: peripheral, channel: 0, start: answer, end: upEnd),
      receiver: central,
      isNoticed: answer &+ phys.peripheral.syncTime
    )
    return (down, up)
  }

  /// What its receiver makes of a packet during others, whatever their channels; `nil` if they do no harm.
  func isLost(_ data: DataPacket?, to others: [AirPacket]) -> Reception? {
    guard let data, let sender = index(of: data.packet.sender), let receiver = index(of: data.receiver) else {
      return nil
    }
    var loss: Reception?
    for other in others where other.start < data.packet.end && other.end > data.packet.start {
      guard let rival = index(of: other.sender), rival != receiver, rival != sender, hear(at: rival, at: receiver)
      else {
        continue
      }
      let strength = path(between: sender, and: receiver)
        .strength(power: controllers[sender].configuration.transmitPower, at: data.packet.start)
      let disturbance = path(between: rival, and: receiver)
        .strength(power: controllers[rival].configuration.transmitPower, at: data.packet.start)
      guard strength - disturbance < propagation.captureThreshold else { continue }
      if other.start < data.isNoticed { return .missed }
      loss = .corrupt
    }
    return loss
  }

  /// The channel of an event, 0 to 36.
  func channel(of position: Int, in event: Int64) -> Int {
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
