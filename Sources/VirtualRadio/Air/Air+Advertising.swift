import BluetoothTypes
import HostStack
import RadioPort

// Advertising events: who hears them, who asks for more, and who connects.
extension Air {
  /// Looks again whether anybody listens to the advertisers, as events that nobody hears are not stepped.
  mutating func refreshActivity(now: Int64) {
    for index in controllers.indices where controllers[index].isAdvertising {
      let isHeard =
        !controllers[index].trouble.isMuted
        && controllers.indices.contains { listener in
          listener != index && controllers[listener].isListening && hear(at: index, at: listener)
        }
      controllers[index].setHeard(isHeard, now: now)
    }
  }

  /// Lets a controller do what is due: end a scan or an advertising set, or advertise.
  mutating func stepController(_ id: ControllerID, now: Int64) {
    guard let index = index(of: id) else { return }
    if let end = controllers[index].scanner.endsAt, end <= now {
      controllers[index].endScan()
      return refreshActivity(now: now)
    }
    guard let set = controllers[index].sets.firstIndex(where: { $0.nextTime ?? .max <= now }) else { return }
    if let end = controllers[index].sets[set].end, end.time <= now {
      return controllers[index].endAdvertising(of: set, end.reason)
    }
    controllers[index].finishAdvertisingEvent(of: set, now: now)
    // A link has the radio: this event falls out.
    guard !isTaken(index, from: now, for: 1), !controllers[index].trouble.isMuted else { return }
    beginAdvertisingEvent(of: set, at: index, now: now)
    guard let packet = controllers[index].advertisement(of: set, now: now) else { return }
    guard packet.isLegacy else { return beginExtendedEvent(packet, of: set, at: index, now: now) }
    var time = now
    for channel in 0..<3 where controllers[index].sets[set].channels & 1 &<< UInt8(channel) != 0 {
      time = advertise(packet, of: set, at: index, on: channel, time: time)
      guard controllers[index].sets[set].isEnabled else { return }
    }
  }

  /// Sends the legacy advertisement of a set on one channel and returns when that is over.
  private mutating func advertise(
    _ packet: Advertisement,
    of set: Int,
    at index: Int,
    on channel: Int,
    time: Int64
  ) -> Int64 {
    let data = packet.target == nil ? controllers[index].sets[set].data.bytes : []
    let response = controllers[index].sets[set].response.bytes
    let payload = packet.target == nil ? 6 &+ data.count : 12
    let duration = AirTime.advertising(payload: payload)
    var repliers: [Replier] = []
    for listener in controllers.indices where listener != index {
      guard controllers[listener].isListening, controllers[listener].busyUntil <= time else { continue }
      guard hear(at: index, at: listener) else { continue }
      guard controllers[listener].hears(packet, channel: channel, from: time, duration: duration),
        !isAtIdleEvent(listener, from: time, until: time &+ duration)
      else { continue }
      let strength = packetStrength(of: index, at: listener, time: time)
      guard gets(payload, strength: strength, at: listener),
        captures(listener, strength: strength, channel: channel, from: time, duration: duration)
      else { continue }
      let scanned = controllers[listener].scanned(packet, channel: channel, from: time, duration: duration)
      if let scanned {
        controllers[listener].report(packet, scanned, data: data, rssi: Propagation.reading(strength), now: time)
      }
      let sender = controllers[listener].initiates(packet, channel: channel, from: time, duration: duration)
      if let sender, !isLinked(controllers[listener].id, to: sender) {
        repliers.append(.initiator(listener, sender))
      } else if let scanned, asks(listener, packet, scanned, now: time) {
        repliers.append(.scanner(listener, scanned))
      }
    }
    let end = time &+ AirTime.advertisingChannel(payload: payload)
    guard !repliers.isEmpty else { return end }
    let understood = understood(repliers.map { ($0.listener, $0.payload) }, by: index, time: time)
    for (position, replier) in repliers.enumerated() {
      switch replier {
      case .scanner(let listener, let scanned):
        var isAnswered = false
        if position == understood, let known = answersScan(index, set, listener, scanned, now: time) {
          noteScanRequest(index, set, known)
          let strength = packetStrength(of: index, at: listener, time: time)
          isAnswered = gets(6 &+ response.count, strength: strength, at: listener)
          if isAnswered {
            let rssi = Propagation.reading(strength)
            controllers[listener].report(packet, scanned, isResponse: true, data: response, rssi: rssi, now: time)
          }
        }
        controllers[listener].noteScanRequest(isAnswered: isAnswered)
      case .initiator(let listener, let sender):
        let start = time &+ duration &+ AirTime.connectIndication
        let request = ConnectionRequest(listener: listener, advertiser: index, set: set, sender: sender, time: start)
        connect(request, isHeard: position == understood)
      }
    }
    return end &+ AirTime.scanResponse(payload: response.count)
  }

  /// Which of those who reply is understood by the advertiser at `index`; `nil` if none is. All do so at the same moment
  /// on the same channel, so that they disturb each other, unless one is so much stronger that it captures the receiver.
  ///
  /// - Parameters:
  ///   - repliers: By their places in `controllers`, with the payloads of what they say.
  ///   - channel: The general-purpose channel; `nil` on a primary one.
  mutating func understood(
    _ repliers: [(listener: Int, payload: Int)],
    by index: Int,
    on phy: LinkPHY = .le1M,
    channel: Int? = nil,
    time: Int64
  ) -> Int? {
    let strengths = repliers.map { packetStrength(of: $0.listener, at: index, time: time) }
    guard let strongest = strengths.indices.max(by: { strengths[$0] < strengths[$1] }) else { return nil }
    for other in strengths.indices where other != strongest {
      guard strengths[strongest] - strengths[other] >= propagation.captureThreshold else { return nil }
    }
    let (listener, payload) = repliers[strongest]
    guard gets(payload, on: phy, strength: strengths[strongest], at: index) else { return nil }
    guard let channel else { return strongest }
    let packet = AirPacket(
      sender: controllers[listener].id,
      channel: channel,
      start: time,
      end: time &+ phy.airTime(payload: payload)
    )
    return captures(auxiliary: packet, at: index, strength: strengths[strongest]) ? strongest : nil
  }

  /// Who answers an advertisement, by the place in `controllers`.
  private enum Replier {
    case scanner(Int, ScannedAdvertisement)
    case initiator(Int, HeardAddress)

    var listener: Int {
      switch self {
      case .scanner(let listener, _), .initiator(let listener, _): listener
      }
    }

    /// That of a SCAN_REQ or of a CONNECT_IND.
    var payload: Int {
      switch self {
      case .scanner: 12
      case .initiator: 34
      }
    }
  }

  // MARK: Scan requests

  /// Whether a scanner asks for the response to a packet, now that it can.
  mutating func asks(
    _ listener: Int,
    _ packet: Advertisement,
    _ scanned: ScannedAdvertisement,
    now: Int64
  ) -> Bool {
    wantsResponse(listener, packet, scanned, now: now) && controllers[listener].scanner.backoff.asks()
  }

  /// Whether a scanner wants the response to a packet.
  mutating func wantsResponse(
    _ listener: Int,
    _ packet: Advertisement,
    _ scanned: ScannedAdvertisement,
    now: Int64
  ) -> Bool {
    scanned.isActive && packet.isScannable
      && !controllers[listener].hasReported(packet, scanned.sender, isResponse: true, now: now)
  }

  /// The scanner as the advertiser knows it, if the advertiser answers it.
  mutating func answersScan(
    _ index: Int,
    _ set: Int,
    _ listener: Int,
    _ scanned: ScannedAdvertisement,
    now: Int64
  ) -> HeardAddress? {
    let scanner = controllers[listener].scanner
    let random = controllers[listener].randomAddress
    let address = controllers[listener].ownAddress(
      scanner.ownAddressType,
      towards: scanned.sender?.device,
      random: random,
      now: now
    )
    guard let address, let known = controllers[index].recognise(address, now: now) else { return nil }
    let isAccepted = controllers[index].accepts(known)
    return controllers[index].sets[set].answersScan(isAccepted: isAccepted) ? known : nil
  }

  /// Tells the host of an advertiser that a scanner has asked, if it wants to know.
  mutating func noteScanRequest(_ index: Int, _ set: Int, _ scanner: HeardAddress) {
    guard controllers[index].sets[set].notifiesScanRequests, let handle = controllers[index].sets[set].handle else {
      return
    }
    controllers[index].send(LEScanRequestReceived(advertisingHandle: handle, scannerAddress: scanner.reported))
  }
}

extension VirtualController {
  /// A scan request was answered, or was not.
  mutating func noteScanRequest(isAnswered: Bool) {
    var random = random
    scanner.backoff.note(isAnswered: isAnswered, random: &random)
    self.random = random
  }
}
