import BluetoothTypes

// Extended advertising on the general-purpose channels, which it shares with links: packets on one channel at one time
// collide, as those on the primary channels do.
extension Air {
  /// The channel of a packet of extended advertising, 0 to 36: by chance, of those that the advertiser's host has left.
  func auxiliaryChannel(of advertiser: Int, at time: Int64) -> Int {
    ChannelSelection.channel(
      event: UInt16(truncatingIfNeeded: time / 1000),
      identifier: UInt16(truncatingIfNeeded: UInt64(controllers[advertiser].id.rawValue) &* 0x9E37 ^ seed),
      map: controllers[advertiser].channelMap
    )
  }

  /// The packets of an event from the next one on, as far as nobody answers in between.
  private func packets(of event: AuxiliaryEvent, by advertiser: Int) -> [AirPacket] {
    guard let phy = event.packet.secondaryPHY else { return [] }
    var event = event
    var packets: [AirPacket] = []
    while true {
      let next = event.nextPacket()
      let end = event.time &+ phy.airTime(payload: next.payload)
      let channel = event.replyChannel ?? auxiliaryChannel(of: advertiser, at: event.time)
      packets.append(AirPacket(sender: event.advertiser, channel: channel, start: event.time, end: end))
      guard !next.isLast else { return packets }
      event.replyChannel = nil
      event.sent &+= next.data.count
      event.time = end &+ AirTime.leastAuxiliaryOffset
    }
  }

  /// Takes note of the packets that an event is about to send.
  mutating func announce(_ event: AuxiliaryEvent, by advertiser: Int, now: Int64) {
    guard canCollide else { return }
    announce(packets(of: event, by: advertiser), now: now)
  }

  /// Takes note of packets that are about to be sent, and of what they meet that is on the air.
  mutating func announce(_ packets: [AirPacket], now: Int64) {
    guard canCollide else { return }
    forgetAuxiliaryPackets(now: now)
    auxiliaryPackets += packets
    if !links.isEmpty { collide(packets) }
  }

  /// Two controllers have nobody who could disturb them.
  private var canCollide: Bool { controllers.count > 2 }

  /// An event is not carried on.
  mutating func withdraw(_ event: AuxiliaryEvent) {
    guard !auxiliaryPackets.isEmpty, let advertiser = index(of: event.advertiser) else { return }
    let gone = Set(packets(of: event, by: advertiser))
    auxiliaryPackets.removeAll { gone.contains($0) }
  }

  /// Forgets what no packet that is on the air can have met.
  mutating func forgetAuxiliaryPackets(now: Int64) {
    let horizon = now &- AirTime.longestPacket
    auxiliaryPackets.removeAll { $0.end < horizon }
    if auxiliaryPackets.isEmpty {
      auxiliaryInterference = []
    } else {
      auxiliaryInterference.removeAll { $0.end < horizon }
    }
  }

  /// Whether a listener has got a packet of extended advertising in spite of all else on its channel at the same time.
  func captures(auxiliary packet: AirPacket, at listener: Int, strength: Double) -> Bool {
    captures(packet, at: listener, strength: strength, among: auxiliaryPackets)
      && captures(packet, at: listener, strength: strength, among: auxiliaryInterference)
      && (links.isEmpty || captures(packet, at: listener, strength: strength, among: idlePackets(during: packet)))
  }
}
