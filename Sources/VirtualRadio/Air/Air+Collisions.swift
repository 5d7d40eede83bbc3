import BluetoothTypes

/// A packet on one of the advertising channels. Times are nanoseconds.
struct AdvertisingPacket: Hashable, Sendable {
  var sender: ControllerID
  /// 0 for channel 37.
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

  /// Whether a listener gets a packet in spite of what else it hears on the channel at the same time.
  func captures(_ listener: Int, strength: Double, channel: Int, from start: Int64, duration: Int64) -> Bool {
    for packet in interference where packet.channel == channel {
      guard packet.start < start &+ duration, packet.end > start, let other = index(of: packet.sender),
        other != listener,
        hear(at: other, at: listener)
      else { continue }
      let power = controllers[other].configuration.transmitPower
      let disturbance = path(between: other, and: listener).strength(power: power, at: start)
      if strength - disturbance < propagation.captureThreshold { return false }
    }
    return true
  }
}

extension VirtualController {
  /// The packets of an event of a set on the advertising channels, as far as nobody answers in between.
  func packets(of index: Int, from start: Int64) -> [AdvertisingPacket] {
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
    var packets: [AdvertisingPacket] = []
    var time = start
    for channel in 0..<3 where set.channels & 1 &<< UInt8(channel) != 0 {
      packets.append(AdvertisingPacket(sender: id, channel: channel, start: time, end: time &+ duration))
      time = time &+ step
    }
    return packets
  }
}
