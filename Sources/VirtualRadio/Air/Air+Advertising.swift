import BluetoothTypes
import HostStack
import RadioPort

// Advertising events: who hears them, who asks for more, and who connects.
extension Air {
  /// Looks again whether anybody listens to the advertisers, as events that nobody hears are not stepped.
  mutating func refreshActivity(now: Int64) {
    for index in controllers.indices where controllers[index].advertiser.isEnabled {
      let isHeard = controllers.indices.contains { listener in
        listener != index && controllers[listener].isListening && hear(at: index, at: listener)
      }
      controllers[index].setHeard(isHeard, now: now)
    }
  }

  /// Lets an advertiser do what is due.
  mutating func stepAdvertiser(_ id: ControllerID, now: Int64) {
    guard let index = index(of: id), let due = controllers[index].advertiser.nextTime, due <= now else { return }
    if let end = controllers[index].advertiser.endsAt, end <= now {
      controllers[index].advertiser.disable()
      controllers[index].send(LEConnectionComplete(status: .advertisingTimeout, role: .peripheral))
      return
    }
    controllers[index].finishAdvertisingEvent(now: now)
    // A link has the radio: this event falls out.
    guard controllers[index].busyUntil <= now else { return }
    var time = now
    for channel in 0..<3 where controllers[index].advertiser.channels & 1 &<< UInt8(channel) != 0 {
      time = advertise(at: index, on: channel, time: time)
      guard controllers[index].advertiser.isEnabled else { return }
    }
  }

  /// Sends the advertisement of the controller at `index` on one channel and returns when that is over.
  private mutating func advertise(at index: Int, on channel: Int, time: Int64) -> Int64 {
    let advertiser = controllers[index].advertiser
    let payload = advertiser.kind.isDirected ? 12 : 6 &+ advertiser.data.count
    let duration = AirTime.advertising(payload: payload)
    var repliers: [Replier] = []
    for listener in controllers.indices where listener != index {
      guard controllers[listener].isListening, controllers[listener].busyUntil <= time else { continue }
      guard hear(at: index, at: listener) else { continue }
      guard controllers[listener].hears(from: time, duration: duration, channel: channel) else { continue }
      let strength = packetStrength(of: index, at: listener, time: time)
      guard gets(payload, strength: strength, at: listener) else { continue }
      let isScanning = scan(
        listener,
        hears: index,
        channel: channel,
        from: time,
        duration: duration,
        strength: strength
      )
      if let replier = initiator(listener, hears: index, channel: channel, from: time, duration: duration) {
        repliers.append(replier)
      } else if isScanning, wantsResponse(listener, from: index) {
        repliers.append(.scanner(listener))
      }
    }
    let end = time &+ AirTime.advertisingChannel(payload: payload)
    // All who reply do so at the same moment, and the advertiser understands one of them.
    guard !repliers.isEmpty else { return end }
    let chosen = Int(controllers[index].random.below(Int64(repliers.count)))
    for (position, replier) in repliers.enumerated() {
      switch replier {
      case .scanner(let listener):
        if position == chosen, isHeard(listener, by: index, payload: 12, time: time) {
          respond(index, to: listener, time: time)
        }
      case .initiator(let listener):
        let start = time &+ duration &+ AirTime.connectIndication
        let isHeard = position == chosen && isHeard(listener, by: index, payload: 34, time: time)
        connect(listener, to: index, isHeard: isHeard, at: start)
      }
    }
    return end &+ AirTime.scanResponse(payload: advertiser.response.count)
  }

  /// Whether the advertiser at `index` gets the reply of a listener.
  private mutating func isHeard(_ listener: Int, by index: Int, payload: Int, time: Int64) -> Bool {
    gets(payload, strength: packetStrength(of: listener, at: index, time: time), at: index)
  }

  /// Who answers an advertisement, by the place in `controllers`.
  private enum Replier {
    case scanner(Int)
    case initiator(Int)
  }

  // MARK: Scanning

  /// Reports the advertisement if the scanner at `listener` hears it; says whether it does.
  private mutating func scan(
    _ listener: Int,
    hears index: Int,
    channel: Int,
    from: Int64,
    duration: Int64,
    strength: Double
  ) -> Bool {
    let (scanner, advertiser) = (controllers[listener].scanner, controllers[index].advertiser)
    guard scanner.isEnabled, scanner.window.hears(from: from, duration: duration, channel: channel) else {
      return false
    }
    guard !scanner.filtersByAcceptList || controllers[listener].accepts(advertiser.address) else { return false }
    guard !advertiser.kind.isDirected || advertiser.peer == scanner.address else { return false }
    let report = LEAdvertisingReport.Report(
      eventType: advertiser.kind.reportType,
      address: advertiser.address,
      data: advertiser.kind.isDirected ? [] : advertiser.data,
      rssi: Propagation.reading(strength)
    )
    controllers[listener].report(report)
    return true
  }

  private func wantsResponse(_ listener: Int, from index: Int) -> Bool {
    let (scanner, advertiser) = (controllers[listener].scanner, controllers[index].advertiser)
    guard scanner.isActive, !scanner.hasReported(advertiser.address, isResponse: true) else { return false }
    return advertiser.answersScan(
      from: scanner.address,
      isAccepted: controllers[index].accepts(scanner.address)
    )
  }

  private mutating func respond(_ index: Int, to listener: Int, time: Int64) {
    let advertiser = controllers[index].advertiser
    let strength = packetStrength(of: index, at: listener, time: time)
    guard gets(6 &+ advertiser.response.count, strength: strength, at: listener) else { return }
    controllers[listener].report(
      LEAdvertisingReport.Report(
        eventType: .scanResponse,
        address: advertiser.address,
        data: advertiser.response,
        rssi: Propagation.reading(strength)
      )
    )
  }

  // MARK: Connecting

  /// The initiator at `listener`, if it hears the advertiser at `index` and wants to connect to it.
  private func initiator(_ listener: Int, hears index: Int, channel: Int, from: Int64, duration: Int64) -> Replier? {
    let advertiser = controllers[index].advertiser
    guard advertiser.kind.isConnectable, let initiator = controllers[listener].initiator else { return nil }
    guard initiator.window.hears(from: from, duration: duration, channel: channel) else { return nil }
    if let peer = initiator.peer {
      guard peer == advertiser.address else { return nil }
    } else {
      guard controllers[listener].accepts(advertiser.address) else { return nil }
    }
    guard !advertiser.kind.isDirected || advertiser.peer == initiator.address else { return nil }
    return isLinked(controllers[listener].id, to: advertiser.address) ? nil : .initiator(listener)
  }

  /// Whether a controller already has a link to that address.
  func isLinked(_ id: ControllerID, to address: BluetoothAddress) -> Bool {
    links.contains { link in
      guard let side = link.side(of: id), link[side].isPresent else { return false }
      return link[side].peer == address
    }
  }

  /// The initiator at `listener` has sent its CONNECT_IND. It counts the link as made, even if the advertiser did not
  /// hear it or does not want it, and then finds out that nobody is there.
  private mutating func connect(_ listener: Int, to index: Int, isHeard: Bool, at time: Int64) {
    guard let initiator = controllers[listener].initiator else { return }
    let advertiser = controllers[index].advertiser
    let isTaken =
      isHeard && controllers[index].hasRoomForLink
      && advertiser.takesConnection(
        from: initiator.address,
        isAccepted: controllers[index].accepts(initiator.address)
      )
    let id = makeLinkID()
    var central = LinkEnd(
      controller: controllers[listener].id,
      handle: controllers[listener].addLink(id),
      peer: advertiser.address
    )
    central.adopt(controllers[listener])
    controllers[listener].initiator = nil

    var peripheral = LinkEnd(
      controller: controllers[index].id,
      handle: isTaken ? controllers[index].addLink(id) : 0,
      peer: initiator.address
    )
    if isTaken {
      peripheral.adopt(controllers[index])
      controllers[index].advertiser.disable()
    } else {
      peripheral.abandon()
    }

    let link = AirLink(
      id: id,
      central: central,
      peripheral: peripheral,
      timing: initiator.timing,
      createdAt: time,
      firstEvent: firstEvent(of: listener, timing: initiator.timing, after: time),
      path: path(between: listener, and: index),
      powers: powers(listener, index)
    )
    links.append(link)
    controllers[listener].send(initiator.timing.connectionComplete(central, role: .central))
    if isTaken {
      controllers[index].send(initiator.timing.connectionComplete(peripheral, role: .peripheral))
    } else {
      links[links.count &- 1].separate(now: time)
    }
    refreshActivity(now: self.time)
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

extension VirtualController {
  /// Whether it hears advertisements.
  var isListening: Bool { isPowered && (scanner.isEnabled || initiator != nil) }

  /// Whether it has its ear on a channel for the whole of a packet.
  func hears(from time: Int64, duration: Int64, channel: Int) -> Bool {
    scanner.isEnabled && scanner.window.hears(from: time, duration: duration, channel: channel)
      || initiator.map { $0.window.hears(from: time, duration: duration, channel: channel) } ?? false
  }

  /// Somebody listens to its advertising from now on, or nobody any more.
  mutating func setHeard(_ isHeard: Bool, now: Int64) {
    var random = random
    advertiser.setHeard(isHeard, now: now, random: &random)
    self.random = random
  }

  /// An advertising event is over.
  mutating func finishAdvertisingEvent(now: Int64) {
    var random = random
    advertiser.finishEvent(at: now, random: &random)
    self.random = random
  }

  /// Tells the host of an advertisement, unless it has had it and wants each but once.
  mutating func report(_ report: LEAdvertisingReport.Report) {
    // As in real controllers, what the host does not take in time is not kept for it.
    guard !hostRoom.isStalled else { return }
    let isResponse = report.eventType == .scanResponse
    guard !scanner.hasReported(report.address, isResponse: isResponse) else { return }
    scanner.noteReport(report.address, isResponse: isResponse, limit: configuration.duplicateFilterSize)
    send(LEAdvertisingReport(reports: [report]))
  }
}

extension LinkEnd {
  /// Begins with what the host of its controller has set for new links.
  mutating func adopt(_ controller: VirtualController) {
    phyChoice = controller.phyChoice
    transmitLimit = controller.suggestedLimit.limited(by: .supported)
    guard transmitLimit.octets > PacketLimit.initial.octets else { return }
    procedures.insert(.length)
    queue(.lengthRequest(transmit: transmitLimit, receive: receiveLimit))
  }
}

extension LinkTiming {
  /// The event that tells the host of an end of a new link.
  func connectionComplete(_ end: LinkEnd, role: HostStack.LERole) -> LEConnectionComplete {
    LEConnectionComplete(
      status: .success,
      connectionHandle: end.handle,
      role: role,
      peerAddress: end.peer,
      connectionInterval: interval,
      peripheralLatency: latency,
      supervisionTimeout: timeout,
      // 31 to 50 ppm; it is told to peripherals only (Core 5.4, Vol 4, Part E, 7.7.65.1).
      centralClockAccuracy: role == .peripheral ? 5 : 0
    )
  }
}
