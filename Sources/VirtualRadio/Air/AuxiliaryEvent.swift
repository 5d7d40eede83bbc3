import BluetoothTypes
import HostStack

/// The rest of an extended advertising event, behind its packets on the primary channels: what is on the air next, and
/// who follows it (Core 5.4, Vol 6, Part B, 4.4.2.2). An event that has begun is carried to its end with the data that
/// it began with.
struct AuxiliaryEvent: Sendable {
  /// Who has heard where the packets will be.
  struct Follower: Sendable {
    let listener: ControllerID
    /// As its scanner takes it; `nil` if it does not scan.
    var scanned: ScannedAdvertisement?
    /// Which of its scans that was.
    var scan: UInt64
    /// The advertiser, if it wants to connect to it.
    var initiates: (sender: HeardAddress, session: Int64)?
    /// Whether its host has had a part of the data.
    var hasPart = false
    /// How strongly it hears the packet that is on the air, in dBm.
    var strength = 0.0
  }

  let advertiser: ControllerID
  let handle: UInt8
  let packet: Advertisement
  let data: [UInt8]
  let response: [UInt8]
  /// When the next packet begins, or the one that is on the air ends, in nanoseconds.
  var time: Int64
  /// What is on the air.
  var onAir: OnAir?
  /// The channel of the next packet, where that is not up to the advertiser: a response comes where it was asked for.
  var replyChannel: Int?
  /// Whether it is the scan response that is sent now.
  var isResponse = false
  /// How much of it is sent.
  var sent = 0
  var followers: [Follower]

  /// A packet that is on the air, and what is in it.
  struct OnAir: Sendable {
    let packet: AirPacket
    let data: [UInt8]
    let isLast: Bool
  }

  /// The kind of the next packet.
  var part: Advertisement.Part { sent > 0 ? .chain : isResponse ? .response : .advertisement }

  /// What is sent in this part of the event; scannable advertisements have all in their response.
  private var content: [UInt8] { isResponse ? response : packet.isScannable ? [] : data }

  /// The data of the next packet, its payload, and whether it is the last one.
  func nextPacket() -> (data: [UInt8], payload: Int, isLast: Bool) {
    let rest = content.count &- sent
    let isLast = rest <= packet.room(in: part, isChained: false)
    let count = isLast ? rest : packet.room(in: part, isChained: true)
    let end = min(content.count, sent &+ count)
    let bytes = Array(content[min(sent, end)..<end])
    return (bytes, packet.payload(of: part, data: bytes.count, isChained: !isLast), isLast)
  }
}

extension Air {
  /// Sends an advertisement's extended indications on the primary channels; what they point to comes later.
  mutating func beginExtendedEvent(_ packet: Advertisement, of set: Int, at index: Int, now: Int64) {
    let duration = packet.primaryPHY.airTime(payload: packet.extendedIndicationPayload)
    var followers: [AuxiliaryEvent.Follower] = []
    var time = now
    for channel in 0..<3 where controllers[index].sets[set].channels & 1 &<< UInt8(channel) != 0 {
      for listener in controllers.indices where listener != index {
        guard controllers[listener].isListening, controllers[listener].busyUntil <= time else { continue }
        guard hear(at: index, at: listener) else { continue }
        guard controllers[listener].hears(packet, channel: channel, from: time, duration: duration),
          !isAtIdleEvent(listener, from: time, until: time &+ duration)
        else { continue }
        let strength = packetStrength(of: index, at: listener, time: time)
        let payload = packet.extendedIndicationPayload
        guard gets(payload, on: packet.primaryPHY, strength: strength, at: listener),
          captures(listener, strength: strength, channel: channel, from: time, duration: duration)
        else { continue }
        follow(packet, listener, channel: channel, from: time, duration: duration, &followers)
      }
      time &+= duration &+ AirTime.leastAuxiliaryOffset
    }
    guard let handle = controllers[index].sets[set].handle else { return }
    let event = AuxiliaryEvent(
      advertiser: controllers[index].id,
      handle: handle,
      packet: packet,
      data: controllers[index].sets[set].data.bytes,
      response: controllers[index].sets[set].response.bytes,
      time: time,
      followers: followers
    )
    // Also what nobody follows is in the way of others.
    announce(event, by: index, now: now)
    if !followers.isEmpty { auxiliaryEvents.append(event) }
  }

  private mutating func follow(
    _ packet: Advertisement,
    _ listener: Int,
    channel: Int,
    from time: Int64,
    duration: Int64,
    _ followers: inout [AuxiliaryEvent.Follower]
  ) {
    let id = controllers[listener].id
    let place = followers.firstIndex { $0.listener == id }
    var follower =
      place.map { followers[$0] }
      ?? AuxiliaryEvent.Follower(listener: id, scan: controllers[listener].scanner.session)
    if follower.scanned == nil,
      let scanned = controllers[listener].scanned(packet, channel: channel, from: time, duration: duration)
    {
      // What the host has had needs no following.
      let isKnown = controllers[listener].hasReported(packet, scanned.sender, isResponse: false, now: time)
      if !isKnown || wantsResponse(listener, packet, scanned, now: time) { follower.scanned = scanned }
    }
    if follower.initiates == nil, let session = controllers[listener].initiator?.session,
      let sender = controllers[listener].initiates(packet, channel: channel, from: time, duration: duration),
      !isLinked(id, to: sender)
    {
      follower.initiates = (sender, session)
    }
    guard follower.scanned != nil || follower.initiates != nil else { return }
    if let place { followers[place] = follower } else { followers.append(follower) }
  }

  // MARK: Auxiliary packets

  /// When the next auxiliary packet begins, and which event it belongs to.
  @inline(__always)
  var nextAuxiliary: (time: Int64, position: Int)? {
    var next: (time: Int64, position: Int)?
    for position in auxiliaryEvents.indices where auxiliaryEvents[position].time < next?.time ?? .max {
      next = (auxiliaryEvents[position].time, position)
    }
    return next
  }

  /// Sends the next packet of an event, or ends the one that is on the air.
  mutating func stepAuxiliary(_ position: Int, now: Int64) {
    guard auxiliaryEvents.indices.contains(position) else { return }
    let event = auxiliaryEvents.remove(at: position)
    if let onAir = event.onAir { return finish(onAir, of: event, now: now) }
    guard let index = index(of: event.advertiser), controllers[index].isOnAir, !isTaken(index, from: now, for: 1),
      let phy = event.packet.secondaryPHY
    else {
      withdraw(event)
      return lose(event, event.followers)
    }
    begin(event, at: index, on: phy, now: now)
  }

  private mutating func begin(_ event: AuxiliaryEvent, at index: Int, on phy: LinkPHY, now: Int64) {
    var event = event
    let (data, payload, isLast) = event.nextPacket()
    let duration = phy.airTime(payload: payload)
    occupy(event.advertiser, until: now &+ duration)
    var lost: [AuxiliaryEvent.Follower] = []
    var kept: [AuxiliaryEvent.Follower] = []
    for var follower in event.followers {
      guard let listener = self.index(of: follower.listener), !isTaken(listener, from: now, for: duration),
        receives(follower, listener, from: index)
      else {
        lost.append(follower)
        continue
      }
      occupy(follower.listener, until: now &+ duration)
      follower.strength = packetStrength(of: index, at: listener, time: now)
      guard gets(payload, on: phy, strength: follower.strength, at: listener) else {
        lost.append(follower)
        continue
      }
      kept.append(follower)
    }
    lose(event, lost)
    event.followers = kept
    guard !kept.isEmpty else { return }
    let packet = AirPacket(
      sender: event.advertiser,
      channel: event.replyChannel ?? auxiliaryChannel(of: index, at: now),
      start: now,
      end: now &+ duration
    )
    event.onAir = AuxiliaryEvent.OnAir(packet: packet, data: data, isLast: isLast)
    event.replyChannel = nil
    event.time = packet.end
    auxiliaryEvents.append(event)
  }

  /// The packet has arrived: what else was on its channel meanwhile is known.
  private mutating func finish(_ onAir: AuxiliaryEvent.OnAir, of event: AuxiliaryEvent, now: Int64) {
    var event = event
    event.onAir = nil
    guard let index = index(of: event.advertiser), controllers[index].isOnAir else {
      return lose(event, event.followers)
    }
    var lost: [AuxiliaryEvent.Follower] = []
    var kept: [AuxiliaryEvent.Follower] = []
    for var follower in event.followers {
      guard let listener = self.index(of: follower.listener), receives(follower, listener, from: index),
        captures(auxiliary: onAir.packet, at: listener, strength: follower.strength)
      else {
        lost.append(follower)
        continue
      }
      if event.isResponse, event.sent == 0 { controllers[listener].noteScanRequest(isAnswered: true) }
      report(onAir, of: event, to: &follower, listener, now: now)
      kept.append(follower)
    }
    lose(event, lost)
    event.followers = kept
    guard !kept.isEmpty else { return }
    guard onAir.isLast else {
      event.sent &+= onAir.data.count
      event.time = now &+ AirTime.leastAuxiliaryOffset
      return auxiliaryEvents.append(event)
    }
    if !event.isResponse { takeReplies(event, at: index, on: onAir.packet.channel, end: now) }
  }

  private mutating func report(
    _ onAir: AuxiliaryEvent.OnAir,
    of event: AuxiliaryEvent,
    to follower: inout AuxiliaryEvent.Follower,
    _ listener: Int,
    now: Int64
  ) {
    guard let scanned = follower.scanned, controllers[listener].scanner.session == follower.scan else { return }
    let (packet, isResponse) = (event.packet, event.isResponse)
    let isKnown = controllers[listener].hasReported(packet, scanned.sender, isResponse: isResponse, now: now)
    guard !isKnown else { return }
    controllers[listener].reportPart(
      packet,
      scanned,
      isResponse: isResponse,
      data: onAir.data,
      rssi: Propagation.reading(follower.strength),
      isLast: onAir.isLast
    )
    follower.hasPart = !onAir.isLast
  }

  private func receives(_ follower: AuxiliaryEvent.Follower, _ listener: Int, from index: Int) -> Bool {
    guard controllers[listener].isPowered, hear(at: index, at: listener) else { return false }
    let scanner = controllers[listener].scanner
    let isScanning = follower.scanned != nil && scanner.isEnabled && scanner.session == follower.scan
    let session = controllers[listener].initiator?.session
    return isScanning || (session != nil && session == follower.initiates?.session)
  }

  /// These have missed a packet, and with it the rest of the event.
  private mutating func lose(_ event: AuxiliaryEvent, _ followers: [AuxiliaryEvent.Follower]) {
    if event.isResponse, event.sent == 0 {
      for follower in followers {
        if let listener = index(of: follower.listener) { controllers[listener].noteScanRequest(isAnswered: false) }
      }
    }
    for follower in followers where follower.hasPart {
      guard let listener = index(of: follower.listener), let scanned = follower.scanned,
        controllers[listener].isPowered, controllers[listener].scanner.session == follower.scan
      else { continue }
      controllers[listener].reportLoss(event.packet, scanned, isResponse: event.isResponse)
    }
  }

  // MARK: Replies

  /// The advertisement is over: who wants more asks for it, all at the same moment on the channel of the advertisement, and
  /// at most one of them is understood.
  private mutating func takeReplies(_ event: AuxiliaryEvent, at index: Int, on channel: Int, end: Int64) {
    guard let set = controllers[index].place(ofSet: event.handle), controllers[index].sets[set].isEnabled,
      let phy = event.packet.secondaryPHY
    else { return }
    var repliers: [AuxiliaryEvent.Follower] = []
    var replies: [(listener: Int, payload: Int)] = []
    for follower in event.followers {
      guard let listener = self.index(of: follower.listener) else { continue }
      if event.packet.isConnectable {
        guard let session = follower.initiates?.session, controllers[listener].initiator?.session == session else {
          continue
        }
      } else {
        guard let scanned = follower.scanned, asks(listener, event.packet, scanned, now: end) else { continue }
      }
      repliers.append(follower)
      replies.append((listener, event.packet.isConnectable ? 34 : 12))
    }
    guard !repliers.isEmpty else { return }
    let start = end &+ AirTime.interFrameSpace
    let understood = understood(replies, by: index, on: phy, channel: channel, time: start)
    announce(
      replies.map {
        AirPacket(
          sender: controllers[$0.listener].id,
          channel: channel,
          start: start,
          end: start &+ phy.airTime(payload: $0.payload)
        )
      },
      now: end
    )
    if !event.packet.isConnectable {
      for place in replies.indices where place != understood {
        controllers[replies[place].listener].noteScanRequest(isAnswered: false)
      }
    }
    guard let understood else { return }
    let (chosen, listener) = (repliers[understood], replies[understood].listener)
    if let (sender, _) = chosen.initiates, event.packet.isConnectable {
      let over = end &+ AirTime.auxiliaryConnection(on: phy)
      let answer = AirPacket(
        sender: event.advertiser,
        channel: channel,
        start: over &- phy.airTime(payload: 14),
        end: over
      )
      announce([answer], now: end)
      let strength = packetStrength(of: index, at: listener, time: end)
      connect(
        ConnectionRequest(listener: listener, advertiser: index, set: set, sender: sender, phy: phy, time: over),
        isHeard: true,
        isAnswerHeard: gets(14, on: phy, strength: strength, at: listener)
          && captures(auxiliary: answer, at: listener, strength: strength)
      )
    } else if let scanned = chosen.scanned {
      guard let known = answersScan(index, set, listener, scanned, now: end) else {
        return controllers[listener].noteScanRequest(isAnswered: false)
      }
      noteScanRequest(index, set, known)
      var answer = event
      answer.isResponse = true
      answer.sent = 0
      answer.time = end &+ AirTime.auxiliaryScanRequest(on: phy)
      answer.replyChannel = channel
      answer.followers = [chosen]
      announce(answer, by: index, now: end)
      auxiliaryEvents.append(answer)
    }
  }
}
