import BluetoothTypes
import RadioPort

// Links: how they come up, change and go.

extension Host {
  /// Where an open link stands; `nil` for one that is gone or on its way out.
  func openIndex(of id: LinkID) -> Int? {
    // By index, as a copy of a link is not cheap.
    links.indices.first { links[$0].id == id && links[$0].isOpen }
  }

  /// Where the link with a handle is; `nil` if there is none.
  func index(ofHandle handle: UInt16) -> Int? { links.indices.first { links[$0].handle == handle } }

  /// Why there is no such link.
  var goneFailure: RadioFailure {
    phase == .on ? RadioFailure(.notConnected, reason: "the link is gone: connect again") : offFailure
  }

  // MARK: Coming up

  mutating func connectionCompleted(_ event: LEConnectionComplete, _ now: RadioInstant) {
    isControlDirty = true
    var event = event
    // Whoever has resolved it, the device goes by its identity.
    event.peerAddress = resolver.resolve(event.peerAddress.plain)
    guard event.role == .central else { return centralCompleted(event, now) }
    let outcome = connector.completed(event.status, event.peerAddress)
    switch outcome {
    case .connected(let options):
      let index = open(event, .central, now)
      announce(index)
      claimAll(of: event.peerAddress, index)
      adjust(index, to: options)
      if let phys = options.preferredPHYs { askForPHYs(index, PHYWishes.Wish(preference: phys, request: nil)) }
      links[index].link.exchangeMTU(now: now)
    case .unwanted:
      // It came up though its connect was given up (F06).
      let index = open(event, .central, now)
      close(index, RadioFailure(.disconnected, reason: "nobody wants the link any more"), releases: [], now)
    default: take(outcome, now)
    }
  }

  private mutating func centralCompleted(_ event: LEConnectionComplete, _ now: RadioInstant) {
    guard event.status == .success else {
      // Directed advertising that was urgent has come to its end (Core 5.4, Vol 4, Part E, 7.7.65.1). Of sets it is told
      // which, in an event of its own.
      if event.status == .advertisingTimeout, !info.hasExtendedAdvertising, let set = advertisers.first?.set {
        return tellAdvertising(set, advertisers[0].ended(event.status))
      }
      return report(.unexpectedEvent, "advertising to \(event.peerAddress) ended: \(event.status)")
    }
    for place in advertisers.indices {
      advertisers[place].connected(endsAdvertising: !info.hasExtendedAdvertising)
    }
    let index = open(event, .peripheral, now)
    announce(index)
    beginServing(index)
    // A connect to the same device has its link in this way.
    if connector.wants(event.peerAddress) {
      connector.remove(event.peerAddress)
      claimAll(of: event.peerAddress, index)
    }
  }

  private mutating func open(_ event: LEConnectionComplete, _ role: HostLink.Role, _ now: RadioInstant) -> Int {
    commands.withdraw(about: event.connectionHandle)
    if let stale = links.firstIndex(where: { $0.handle == event.connectionHandle }) {
      report(.unexpectedEvent, "the handle \(event.connectionHandle) is connected anew; its old link is gone")
      finish(stale, .unspecifiedError)
    }
    let id = LinkID(peer: PeerID(event.peerAddress), generation: nextNumber())
    let link = HostLink(
      id: id,
      role: role,
      configuration: .init(mtu: Int(configuration.mtu)),
      remembered: gattCache[event.peerAddress]
    )
    links.append(
      HostedLink(
        handle: event.connectionHandle,
        address: event.peerAddress,
        link: link,
        parameters: ConnectionParameters(
          intervalMin: event.connectionInterval,
          intervalMax: event.connectionInterval,
          latency: event.peripheralLatency,
          timeout: event.supervisionTimeout
        )
      )
    )
    data.open(event.connectionHandle)
    connector.block(event.peerAddress)
    server.open(id)
    beginSecurity(links.count - 1)
    askForDataLength(links.count - 1)
    return links.count - 1
  }

  private mutating func announce(_ index: Int) {
    links[index].isAnnounced = true
    emit(.peer(.connected(links[index].id.peer)))
  }

  /// Tells the peer's services when they are known, and again when they are others.
  mutating func announceServices(_ index: Int) {
    guard links[index].isAnnounced, let services = links[index].link.table.map({ $0.map(\.uuid) }) else { return }
    guard services != links[index].announcedServices else { return }
    links[index].announcedServices = services
    emit(.peer(.servicesKnown(links[index].id.peer, services)))
  }

  /// What was told of the links that there are.
  package var peerEvents: [PeerEvent] {
    links.filter { $0.isOpen && $0.isAnnounced }.flatMap { link in
      let services = link.announcedServices.map { PeerEvent.servicesKnown(link.id.peer, $0) }
      return [.connected(link.id.peer)] + (services.map { [$0] } ?? [])
    }
  }

  /// Asks for the parameters that were wished where several wishes shared one command.
  private mutating func adjust(_ index: Int, to options: LinkOptions) {
    let wished = ConnectionParameters(options)
    let actual = links[index].parameters
    guard !(wished.intervalMin...wished.intervalMax).contains(actual.intervalMax) || actual.latency != wished.latency
    else { return }
    update(index, wished)
  }

  // MARK: Changing

  /// Asks the controller for other parameters of a link. While one wish is on its way to the controller, the last of
  /// those that come waits: a peer that asks without end must not fill the queue.
  mutating func update(_ index: Int, _ parameters: ConnectionParameters) {
    guard links[index].isOpen else { return }
    guard !links[index].isUpdating else { return links[index].nextUpdate = parameters }
    links[index].isUpdating = true
    let handle = links[index].handle
    commands.enqueue(
      LEConnectionUpdate(
        connectionHandle: handle,
        connectionIntervalMin: parameters.intervalMin,
        connectionIntervalMax: parameters.intervalMax,
        maxLatency: parameters.latency,
        supervisionTimeout: parameters.timeout,
        minCELength: 0,
        maxCELength: 0
      ),
      .updateConnection(links[index].id),
      about: handle
    )
  }

  mutating func updateAnswered(_ id: LinkID, _ answer: CommandAnswer) {
    guard let index = links.firstIndex(where: { $0.id == id }) else { return }
    if answer.status != .success {
      report(.refusedCommand, "new connection parameters for \(links[index].address): \(answer.status)")
    }
    links[index].isUpdating = false
    if let next = links[index].nextUpdate.take() { update(index, next) }
  }

  mutating func parametersChanged(_ event: LEConnectionUpdateComplete) {
    guard let index = links.firstIndex(where: { $0.handle == event.connectionHandle }) else { return }
    guard event.status == .success else {
      return report(.refusedCommand, "new connection parameters for \(links[index].address): \(event.status)")
    }
    links[index].parameters = ConnectionParameters(
      intervalMin: event.connectionInterval,
      intervalMax: event.connectionInterval,
      latency: event.peripheralLatency,
      timeout: event.supervisionTimeout
    )
    guard links[index].isOpen else { return }
    let interval = ConnectionParameters.interval(event.connectionInterval)
    let timeout = ConnectionParameters.timeout(event.supervisionTimeout)
    tell(
      index,
      .parametersChanged(interval: interval, latency: event.peripheralLatency, supervisionTimeout: timeout)
    )
    guard links[index].isServed else { return }
    emit(
      .centralParameters(
        links[index].id,
        interval: interval,
        latency: event.peripheralLatency,
        supervisionTimeout: timeout
      )
    )
  }

  mutating func parametersRequested(_ event: LERemoteConnectionParameterRequest) {
    let wished = ConnectionParameters(
      intervalMin: event.intervalMin,
      intervalMax: event.intervalMax,
      latency: event.maxLatency,
      timeout: event.timeout
    )
    if wished.isValid {
      commands.enqueue(
        LERemoteConnectionParameterRequestReply(
          connectionHandle: event.connectionHandle,
          intervalMin: event.intervalMin,
          intervalMax: event.intervalMax,
          maxLatency: event.maxLatency,
          timeout: event.timeout,
          minCELength: 0,
          maxCELength: 0
        ),
        .courtesy,
        about: event.connectionHandle
      )
    } else {
      commands.enqueue(
        LERemoteConnectionParameterRequestNegativeReply(
          connectionHandle: event.connectionHandle,
          reason: .unacceptableConnectionParameters
        ),
        .courtesy,
        about: event.connectionHandle
      )
    }
  }

  mutating func tell(_ index: Int, _ event: LinkEvent) {
    guard !links[index].claims.isEmpty else { return }
    emit(.link(event, links[index].claims))
  }

  // MARK: Going

  /// Gives a link up that its owners still have: they are told at once.
  mutating func drop(_ index: Int, _ failure: RadioFailure, _ now: RadioInstant) {
    guard links[index].isOpen else { return }
    close(index, failure, releases: [], now)
    part(index, failure)
  }

  /// Begins to end a link: what is pending fails at once; the controller is told.
  mutating func close(_ index: Int, _ failure: RadioFailure, releases: [ClaimID], _ now: RadioInstant) {
    endPending(index, failure, now)
    let timeout = ConnectionParameters.timeout(min(links[index].parameters.timeout, 1000))
    links[index].closing = HostedLink.Closing(
      releases: releases,
      bound: now.advanced(by: timeout + .seconds(1))
    )
    data.discardWaiting(links[index].handle)
    commands.enqueue(
      Disconnect(connectionHandle: links[index].handle, reason: .remoteUserTerminatedConnection),
      .disconnect(links[index].id),
      about: links[index].handle
    )
  }

  private mutating func endPending(_ index: Int, _ failure: RadioFailure, _ now: RadioInstant) {
    links[index].link.fail(failure)
    drain(index, now)
    for request in links[index].rssi { emit(.rssi(request, .failure(failure))) }
    links[index].rssi.removeAll()
    for request in links[index].phyWishes.removeAll() { emit(.phys(request, .failure(failure))) }
    endEncryptions(index, .failure(failure))
    let id = links[index].id
    for subscription in subscriptions.filter({ $0.value == id }).keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      subscriptions[subscription] = nil
      emit(.subscriptionEnded(subscription))
    }
    intercepted.removeAll { $0.link == id }
    channelWishes.removeAll { $0.link == id }
    server.close(id, failure)
    drainServer(now)
    if links[index].isServed { emit(.centralDisconnected(id, failure)) }
    if links[index].isAnnounced { emit(.peer(.disconnected(id.peer))) }
    links[index].isAnnounced = false
  }

  /// Tells the owners of a link that it is gone.
  private mutating func part(_ index: Int, _ failure: RadioFailure) {
    tell(index, .disconnected(failure))
    let handle = links[index].handle
    links[index].claims.removeAll()
    claims.removeAll { $0.handle == handle }
  }

  mutating func disconnected(_ event: DisconnectionComplete) {
    guard event.status == .success else {
      return report(.unexpectedEvent, "a disconnect of the handle \(event.connectionHandle) failed: \(event.status)")
    }
    commands.withdraw(about: event.connectionHandle)
    guard let index = links.firstIndex(where: { $0.handle == event.connectionHandle }) else {
      return report(.unexpectedEvent, "the end of the handle \(event.connectionHandle), which is not connected")
    }
    finish(index, event.reason)
  }

  mutating func disconnectAnswered(_ id: LinkID, _ answer: CommandAnswer) {
    guard answer.status != .success, let index = links.firstIndex(where: { $0.id == id && !$0.isOpen })
    else { return }
    // The link is no more; that it went was told before, or never will be.
    if answer.status == .unknownConnectionIdentifier { return finish(index, .connectionTerminatedByLocalHost) }
    // It is given up when its bound has come.
    report(.refusedCommand, "to end the link to \(links[index].address): \(answer.status)")
  }

  /// A link is gone for good.
  private mutating func finish(_ index: Int, _ reason: HCIStatus) {
    isControlDirty = true
    let address = links[index].address
    if links[index].isOpen {
      let failure = RadioFailure(
        .disconnected,
        underlying: .hci(reason),
        reason: "the link to \(address) ended: \(reason)"
      )
      endPending(index, failure, .zero)
      part(index, failure)
    }
    let link = links.remove(at: index)
    for release in link.closing?.releases ?? [] { emit(.released(release)) }
    data.close(link.handle)
    if !links.contains(where: { $0.address == address }) { connector.unblock(address) }
    if link.link.role == .peripheral {
      for place in advertisers.indices { advertisers[place].disconnected() }
    }
  }

  /// Gives up links whose end the controller has not told within the bound: who released them has waited enough, and
  /// who wants the peer again can have it. A Disconnect that still waits for room stays in the queue.
  mutating func finishOverdue(now: RadioInstant) {
    while let index = links.firstIndex(where: { $0.closing.map { $0.bound <= now } ?? false }) {
      let link = links[index]
      report(.unexpectedEvent, "the controller did not tell the end of the link to \(link.address); it is given up")
      finish(index, .connectionTerminatedByLocalHost)
    }
  }

  /// The radio is off: all links are gone.
  mutating func endAllLinks(_ failure: RadioFailure) {
    for index in links.indices {
      if links[index].isOpen {
        endPending(index, failure, .zero)
        part(index, failure)
      }
      for release in links[index].closing?.releases ?? [] { emit(.released(release)) }
    }
    links.removeAll()
    claims.removeAll { $0.handle != nil }
  }
}

extension RadioFailure {
  /// The controller's code that lies underneath.
  var status: HCIStatus? { if case .hci(let status)? = underlying { status } else { nil } }
}
