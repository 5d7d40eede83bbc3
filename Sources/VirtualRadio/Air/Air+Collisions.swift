import BluetoothTypes

/// A packet on a channel. Times are nanoseconds.
struct AirPacket: Hashable, Sendable {
  var sender: ControllerID
  /// 0 to 2 of the primary advertising channels, 37 to 39; 0 to 36 of the general-purpose channels.
  var channel: Int
  var start: Int64
  var end: Int64
}

// Advertisers that send at the same time on the same channel: a listener gets neither, unless one is so much stronger that
// it captures the receiver.
extension Air {
  /// Takes note of an advertising event that begins now, and of what else is on the air during it: events that began
  /// before, and those whose time is already drawn.
  mutating func beginAdvertisingEvent(of set: Int, at index: Int, now: Int64) {
    interference = []
    sentPackets.removeAll { $0.end < now }
    let own = controllers[index].packets(of: set, from: now)
    guard let end = own.last?.end else { return }
    interference = sentPackets
    sentPackets += own
    for other in controllers.indices where controllers[other].isOnAir && !controllers[other].trouble.isMuted {
      for place in controllers[other].sets.indices where other != index || place != set {
        guard let start = controllers[other].sets[place].nextEvent, start <= end else { continue }
        interference += controllers[other].packets(of: place, from: max(start, now))
      }
    }
    // A controller has one radio: its own packets do not disturb each other.
    let id = controllers[index].id
    interference.removeAll { $0.sender == id }
  }

  /// Whether a listener gets a packet on a primary channel in spite of what else it hears there at the same time.
  func captures(_ listener: Int, strength: Double, channel: Int, from start: Int64, duration: Int64) -> Bool {
    let packet = AirPacket(
      sender: controllers[listener].id,
      channel: channel,
      start: start,
      end: start &+ duration
    )
    return captures(packet, at: listener, strength: strength, among: interference)
  }

  /// Whether a listener gets a packet in spite of `others`; its own, and those of the sender, do no harm.
  func captures(_ packet: AirPacket, at listener: Int, strength: Double, among others: [AirPacket]) -> Bool {
    for disturbing in others where disturbing.channel == packet.channel && disturbing.sender != packet.sender {
      guard disturbing.start < packet.end, disturbing.end > packet.start,
        let other = index(of: disturbing.sender),
        other != listener,
        hear(at: other, at: listener)
      else { continue }
      let power = controllers[other].configuration.transmitPower
      let disturbance = path(between: other, and: listener).strength(power: power, at: packet.start)
      if strength - disturbance < propagation.captureThreshold { return false }
    }
    return true
  }
}

extension VirtualController {
  /// The packets of an event of a set on the advertising channels, as far as nobody answers in between.
  func packets(of index: Int, from start: Int64) -> [AirPacket] {
    let set = sets[index]
    let (duration, step): (Int64, Int64)
    if set.isLegacy {
      let payload = set.isDirected ? 12 : 6 &+ set.data.bytes.count
      duration = AirTime.advertising(payload: payload)
      step = AirTime.advertisingChannel(payload: payload)
    } else {
      let packet = Advertisement(properties: set.properties, address: BluetoothAddress(0, .public))
      duration = set.primaryPHY.airTime(payload: packet.extendedIndicationPayload)
      step = duration &+ AirTime.leastAuxiliaryOffset
    }
    var packets: [AirPacket] = []
    var time = start
    for channel in 0..<3 where set.channels & 1 &<< UInt8(channel) != 0 {
      packets.append(AirPacket(sender: id, channel: channel, start: time, end: time &+ duration))
      time = time &+ step
    }
    return packets
  }
}
