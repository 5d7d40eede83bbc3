import BluetoothTypes
import HostStack

/// An initiator's answer to an advertisement: CONNECT_IND or AUX_CONNECT_REQ.
struct ConnectionRequest: Sendable {
  /// The initiator's place in `controllers`.
  var listener: Int
  /// The advertiser's place in `controllers`, and that of its set.
  var advertiser: Int
  var set: Int
  /// The advertiser as the initiator knows it.
  var sender: HeardAddress
  /// The PHY on which the link begins; `nil` in answer to a legacy advertisement.
  var phy: LinkPHY?
  /// When it is over, in nanoseconds.
  var time: Int64
}

extension Air {
  /// Whether a controller already has a link to a device.
  func isLinked(_ id: ControllerID, to address: BluetoothAddress) -> Bool {
    let plain = address.plain
    return links.contains { link in
      guard let side = link.side(of: id), link[side].isPresent else { return false }
      return link[side].peer.plain == plain
    }
  }

  func isLinked(_ id: ControllerID, to address: HeardAddress) -> Bool {
    isLinked(id, to: address.device) || address.identity != nil && isLinked(id, to: address.onAir)
  }

  /// An initiator has sent its request. After a CONNECT_IND it counts the link as made, even if the advertiser did not
  /// hear it or does not want it, and then finds out that nobody is there. An AUX_CONNECT_REQ is answered: if the answer is
  /// lost, the advertiser counts the link as made and finds out, while the initiator goes on looking (Core 5.4, Vol 6,
  /// Part B, 4.4.4.3 and 4.5).
  mutating func connect(_ request: ConnectionRequest, isHeard: Bool, isAnswerHeard: Bool = true) {
    let (listener, index) = (request.listener, request.advertiser)
    guard let initiator = controllers[listener].initiator else { return }
    let random = controllers[listener].randomAddress
    let address = controllers[listener].ownAddress(
      initiator.ownAddressType,
      towards: request.sender.device,
      random: random,
      now: time
    )
    guard let address else { return }
    let known = isHeard ? controllers[index].recognise(address, now: time) : nil
    let isTaken = known.map { takesConnection(index, request.set, from: $0) } ?? false
    guard isTaken || request.phy == nil else { return }

    let phy = request.phy ?? .le1M
    let timing = initiator.timing(on: phy)
    let id = makeLinkID()
    var central = LinkEnd(
      controller: controllers[listener].id,
      handle: isAnswerHeard ? controllers[listener].addLink(id) : 0,
      peer: request.sender.reported
    )
    central.phy = phy
    if isAnswerHeard {
      central.adopt(controllers[listener], now: request.time)
      controllers[listener].initiator = nil
    } else {
      central.abandon()
    }

    var peripheral = LinkEnd(
      controller: controllers[index].id,
      handle: isTaken ? controllers[index].addLink(id) : 0,
      peer: known?.reported ?? address
    )
    peripheral.phy = phy
    let set = controllers[index].sets[request.set]
    if isTaken {
      peripheral.adopt(controllers[index], now: request.time)
      controllers[index].sets[request.set].disable()
    } else {
      peripheral.abandon()
    }

    let link = AirLink(
      id: id,
      central: central,
      peripheral: peripheral,
      timing: timing,
      createdAt: request.time,
      firstEvent: firstEvent(of: listener, timing: timing, after: request.time),
      path: path(between: listener, and: index),
      powers: powers(listener, index)
    )
    links.append(link)
    // The hosts hear of it when the request is over, though all of the advertising event is settled at its beginning.
    if isAnswerHeard {
      let view = NewLink(end: central, role: .central, timing: timing, local: address, peer: request.sender)
      newLinks.append(LinkNews(time: request.time, link: id, side: .central, view: view))
    }
    if isTaken, let known {
      let local = request.sender.onAir
      let view = NewLink(end: peripheral, role: .peripheral, timing: timing, local: local, peer: known, set: set)
      newLinks.append(LinkNews(time: request.time, link: id, side: .peripheral, view: view))
    }
    if !isTaken || !isAnswerHeard { links[links.count &- 1].separate(now: request.time) }
    // What is the matter with links is so for new ones too.
    if controllers[listener].trouble.losesPackets || controllers[index].trouble.losesPackets {
      refreshLinks(now: self.time)
    }
    refreshActivity(now: self.time)
  }

  // MARK: The news of new links

  /// When the next host is told of a new link.
  @inline(__always)
  var nextLinkNews: Int64? { newLinks.isEmpty ? nil : Self.earliest(newLinks) }

  private static func earliest(_ news: [LinkNews]) -> Int64? { news.lazy.map(\.time).min() }

  /// Tells hosts of the links whose requests are over.
  mutating func tellLinkNews(now: Int64) {
    let due = newLinks.filter { $0.time <= now }
    newLinks.removeAll { $0.time <= now }
    for news in due { tell(news) }
  }

  /// An end leaves its link: the news of that comes behind those of the link itself.
  mutating func tellLinkNews(of link: Int, to side: LinkSide) {
    guard let place = newLinks.firstIndex(where: { $0.link == link && $0.side == side }) else { return }
    tell(newLinks.remove(at: place))
  }

  private mutating func tell(_ news: LinkNews) {
    // An end that was reset or switched off meanwhile is not in the link any more.
    guard let position = position(ofLink: news.link), links[position][news.side].isPresent,
      let index = index(of: links[position][news.side].controller)
    else { return }
    controllers[index].sendConnection(news.view)
  }

  private func takesConnection(_ index: Int, _ set: Int, from initiator: HeardAddress) -> Bool {
    let peer = controllers[index].sets[set].peer.plain
    return controllers[index].hasRoomForLink
      && controllers[index].sets[set].takesConnection(
        isTarget: peer == initiator.device || peer == initiator.onAir,
        isAccepted: controllers[index].accepts(initiator)
      )
  }

  /// The first connection event: the central chooses it so that its links keep out of each other's way.
  private mutating func firstEvent(of listener: Int, timing: LinkTiming, after time: Int64) -> Int64 {
    let id = controllers[listener].id
    let others = links.filter { $0.side(of: id) != nil }
    let earliest = time &+ AirTime.transmitWindowDelay
    var best = (event: earliest, gap: Int64.min)
    for _ in 0..<8 {
      let event = earliest &+ controllers[listener].random.below(Int64(timing.interval)) &* 1_250_000
      let gap = others.map { $0.gap(to: event, interval: timing.intervalNanoseconds) }.min() ?? .max
      if gap > best.gap { best = (event, gap) }
    }
    return best.event
  }
}

extension LinkEnd {
  /// Begins with what the host of its controller has set for new links.
  mutating func adopt(_ controller: VirtualController, now: Int64) {
    phyChoice = controller.phyChoice
    transmitLimit = controller.suggestedLimit.limited(by: .supported)
    guard transmitLimit.octets > PacketLimit.initial.octets else { return }
    procedures.insert(.length)
    queue(.lengthRequest(transmit: transmitLimit, receive: receiveLimit))
    waits.begin(.length, until: now &+ Air.procedureTimeout)
  }
}

/// A host is to be told of a new link.
struct LinkNews: Sendable {
  /// When, in nanoseconds.
  var time: Int64
  var link: Int
  var side: LinkSide
  var view: NewLink
}

/// What a host is told of a new link.
struct NewLink: Sendable {
  var end: LinkEnd
  var role: HostStack.LERole
  var timing: LinkTiming
  /// The address that this end has shown.
  var local: BluetoothAddress
  var peer: HeardAddress
  /// The advertising set that led to it, at the peripheral's end.
  var set: AdvertisingSet?
}

extension VirtualController {
  /// Tells the host of a new link, in the fullest event that it understands, and of what goes with it.
  mutating func sendConnection(_ new: NewLink) {
    // 31 to 50 ppm; it is told to peripherals only (Core 5.4, Vol 4, Part E, 7.7.65.1).
    let accuracy: UInt8 = new.role == .peripheral ? 5 : 0
    let isPrivate = new.local.kind == .random && new.local.randomKind == .resolvablePrivate
    if wantsEnhancedConnectionComplete {
      sendEnhanced(
        LEEnhancedConnectionComplete(
          status: .success,
          connectionHandle: new.end.handle,
          role: new.role,
          peerAddress: new.end.peer,
          localResolvablePrivateAddress: isPrivate && resolvingList.isLocal(new.local)
            ? new.local : BluetoothAddress(0, .random),
          peerResolvablePrivateAddress: new.peer.resolved ?? BluetoothAddress(0, .random),
          connectionInterval: new.timing.interval,
          peripheralLatency: new.timing.latency,
          supervisionTimeout: new.timing.timeout,
          centralClockAccuracy: accuracy
        ),
        set: new.set?.handle
      )
    } else {
      send(
        LEConnectionComplete(
          status: .success,
          connectionHandle: new.end.handle,
          role: new.role,
          peerAddress: new.end.peer,
          connectionInterval: new.timing.interval,
          peripheralLatency: new.timing.latency,
          supervisionTimeout: new.timing.timeout,
          centralClockAccuracy: accuracy
        )
      )
    }
    // All controllers here have algorithm #2.
    send(LEChannelSelectionAlgorithm(connectionHandle: new.end.handle, channelSelectionAlgorithm: 1))
    if let set = new.set, let handle = set.handle {
      send(
        LEAdvertisingSetTerminated(
          status: .success,
          advertisingHandle: handle,
          connectionHandle: new.end.handle,
          numCompletedExtendedAdvertisingEvents: set.eventCount
        )
      )
    }
  }

  /// Tells the host that no link came up.
  mutating func sendConnectionFailure(_ status: HCIStatus, role: HostStack.LERole) {
    if wantsEnhancedConnectionComplete {
      sendEnhanced(LEEnhancedConnectionComplete(status: status, role: role), set: nil)
    } else {
      send(LEConnectionComplete(status: status, role: role))
    }
  }

  /// The enhanced events take the place of the plain one where the host has not masked them.
  private var wantsEnhancedConnectionComplete: Bool {
    leEventMask.contains(.leEnhancedConnectionComplete) || leEventMask.contains(.leEnhancedConnectionCompleteV2)
  }

  private mutating func sendEnhanced(_ event: LEEnhancedConnectionComplete, set: UInt8?) {
    guard leEventMask.contains(.leEnhancedConnectionCompleteV2) else { return send(event) }
    send(LEEnhancedConnectionCompleteV2(event, advertisingHandle: set ?? 0xFF))
  }
}
