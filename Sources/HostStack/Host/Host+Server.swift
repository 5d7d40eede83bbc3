import BluetoothTypes
import RadioPort

// The peripheral half: advertising, and the server's values.

extension Host {
  /// How many notifications of a link may wait for the controller.
  static let notificationLimit = 32

  /// How many PDUs of one client may wait for the owner's word.
  static let interceptionLimit = 256

  /// What is served.
  package var database: GATTDatabase { server.database }

  // MARK: Advertising

  /// Advertises until told otherwise. What the set advertises already is replaced, or goes on where that is refused;
  /// other sets go on.
  package mutating func startAdvertising(
    _ advertising: AdvertisingConfiguration,
    set: UInt8 = 0,
    now: RadioInstant
  ) {
    if let obstacle = advertising.obstacle(info) {
      let goesOn = advertisers.contains { $0.set == set && $0.wanted != nil }
      return emit(goesOn ? .advertisingRefused(set, obstacle) : .advertisingStopped(set, obstacle))
    }
    let place: Int
    if let known = advertisers.firstIndex(where: { $0.set == set }) {
      place = known
    } else {
      guard advertisers.count < max(1, info.advertisingSets) else {
        let reason = "the controller has \(max(1, info.advertisingSets)) advertising sets, and all are in use"
        return emit(.advertisingStopped(set, RadioFailure(.busy, reason: reason)))
      }
      place = advertisers.count
      advertisers.append(Advertiser(set: set, centrals: links.count { $0.link.role == .peripheral }))
    }
    advertisers[place].start(advertising)
    isControlDirty = true
    settle(now)
  }

  /// Stops what a set advertises; links stay.
  package mutating func stopAdvertising(set: UInt8 = 0, now: RadioInstant) {
    guard let place = advertisers.firstIndex(where: { $0.set == set }) else {
      return emit(.advertisingStopped(set, nil))
    }
    advertisers[place].stop()
    if advertisers[place].isIdle { emit(.advertisingStopped(set, nil)) }
    isControlDirty = true
    settle(now)
  }

  mutating func advertisingAnswered(_ set: UInt8, _ step: Advertiser.Step, _ answer: CommandAnswer) {
    guard let place = advertisers.firstIndex(where: { $0.set == set }) else { return }
    tellAdvertising(set, advertisers[place].answered(step, answer, &commands, info))
    // Its place is free for another one.
    if advertisers[place].wanted == nil, advertisers[place].isIdle { advertisers.remove(at: place) }
  }

  mutating func tellAdvertising(_ set: UInt8, _ outcome: Advertiser.Outcome) {
    switch outcome {
    case .none: break
    case .started: emit(.advertisingStarted(set))
    case .stopped: emit(.advertisingStopped(set, nil))
    case .failed(let status): emit(.advertisingStopped(set, Self.advertisingRefusal(status)))
    case .refused(let status): emit(.advertisingRefused(set, Self.advertisingRefusal(status)))
    }
  }

  private static func advertisingRefusal(_ status: HCIStatus) -> RadioFailure {
    guard status == .advertisingTimeout else {
      return refusal(status, reason: "the controller refused to advertise: \(status)")
    }
    return RadioFailure(
      .timedOut,
      underlying: .hci(status),
      reason: "the device that was advertised to did not connect within 1.28 s"
    )
  }

  mutating func advertisingSetEnded(_ event: LEAdvertisingSetTerminated) {
    guard let place = advertisers.firstIndex(where: { $0.set == event.advertisingHandle }) else { return }
    isControlDirty = true
    guard event.status == .success else {
      return tellAdvertising(event.advertisingHandle, advertisers[place].ended(event.status))
    }
    advertisers[place].taken()
  }

  // MARK: Links

  /// The links over which the server is used, oldest first.
  package var centrals: [LinkID] { links.filter { $0.isOpen && $0.isServed }.map(\.id) }

  /// What the controller calls a link; `nil` for one that is gone.
  package func connectionHandle(of id: LinkID) -> UInt16? { links.first { $0.id == id }?.handle }

  mutating func beginServing(_ index: Int) {
    guard !links[index].isServed else { return }
    links[index].isServed = true
    emit(.centralConnected(links[index].id))
  }

  /// Ends the links that only the server needs.
  package mutating func disconnectUnclaimedCentrals(now: RadioInstant) {
    for id in links.filter({ $0.isOpen && $0.link.role == .peripheral && $0.claims.isEmpty }).map(\.id) {
      disconnect(id, now: now)
    }
  }

  // MARK: Services

  /// Adds a service behind the others; see ``GATTServer/add(_:owner:now:)``.
  package mutating func add(
    _ service: ServiceDefinition,
    owner: UInt64,
    now: RadioInstant
  ) -> GATTDatabase.PlacedService? {
    let placed = server.add(service, owner: owner, now: now)
    settle(now)
    return placed
  }

  /// Removes a service; see ``GATTServer/remove(_:now:)``.
  @discardableResult
  package mutating func remove(_ service: AttributeHandle, now: RadioInstant) -> Bool {
    let isRemoved = server.remove(service, now: now)
    settle(now)
    return isRemoved
  }

  /// The links whose clients have asked for a value.
  package func subscribers(of handle: AttributeHandle) -> [LinkID] { server.subscribers(of: handle) }

  // MARK: Requests

  mutating func receive(_ pdu: [UInt8], _ index: Int, _ now: RadioInstant) {
    guard links[index].isOpen else { return }
    beginServing(index)
    guard configuration.interceptsRequests else { return server.receive(pdu, from: links[index].id, now: now) }
    let link = links[index].id
    let isRequest = ATTOpcode(rawValue: pdu.first ?? 0).isRequest
    // The one that is looked at, and as many as wait behind it elsewhere.
    if isRequest, intercepted.count(where: { $0.link == link && $0.isRequest }) > ServerConnection.queueLimit {
      return dropFlooding(index, now)
    }
    guard intercepted.count(where: { $0.link == link }) < Self.interceptionLimit else {
      return refuse(pdu, index)
    }
    let id = InterceptID(rawValue: nextNumber())
    intercepted.append((id, link, pdu, isRequest))
    emit(.intercepted(id, links[index].id, pdu))
  }

  /// More PDUs of a client wait than there is room for: a request is refused, and what needs no answer is discarded (Core
  /// 5.4, Vol 3, Part F, 3.3.2).
  private mutating func refuse(_ pdu: [UInt8], _ index: Int) {
    let opcode = ATTOpcode(rawValue: pdu.first ?? 0)
    report(
      .peer,
      "\(Self.interceptionLimit) PDUs of \(links[index].address) wait for an answer; its \(opcode) was "
        + (opcode.isRequest ? "refused" : "discarded")
    )
    guard opcode.isRequest else { return }
    sendATT(
      ATTErrorResponse(request: opcode, handle: Self.handle(in: pdu), code: .insufficientResources).bytes,
      on: links[index].id
    )
  }

  /// Says what becomes of a PDU that was intercepted. A word that comes when the link is gone does nothing.
  package mutating func resolve(_ id: InterceptID, _ interception: Interception, now: RadioInstant) {
    guard let index = intercepted.firstIndex(where: { $0.id == id }) else { return }
    let (_, link, pdu, _) = intercepted.remove(at: index)
    switch interception {
    case .serve: server.receive(pdu, from: link, now: now)
    case .answer(let bytes): sendUnchecked(bytes, on: link)
    case .error(let code):
      sendATT(
        ATTErrorResponse(
          request: ATTOpcode(rawValue: pdu.first ?? 0),
          handle: Self.handle(in: pdu),
          code: code
        ).bytes,
        on: link
      )
    case .ignore: break
    }
    settle(now)
  }

  /// The handle that a request is about; most have it behind the opcode.
  private static func handle(in pdu: [UInt8]) -> AttributeHandle {
    AttributeHandle(pdu.count < 3 ? 0 : UInt16(pdu[1]) | UInt16(pdu[2]) &<< 8)
  }

  /// Gives the owner's answer to a request.
  package mutating func answer(_ id: ReplyID, _ result: Result<[UInt8], ATTErrorCode>, now: RadioInstant) {
    server.answer(id, result, now: now)
    settle(now)
  }

  /// Sends a PDU of the server's as it is, whether it makes sense or not, and however long it is.
  package mutating func send(_ pdu: [UInt8], on link: LinkID, now: RadioInstant) {
    sendUnchecked(pdu, on: link)
    settle(now)
  }

  private mutating func sendUnchecked(_ pdu: [UInt8], on id: LinkID) {
    guard let index = openIndex(of: id) else { return }
    links[index].link.sendUncheckedPDU(pdu)
  }

  private mutating func sendATT(_ pdu: [UInt8], on id: LinkID) {
    guard let index = openIndex(of: id) else { return }
    do { try links[index].link.sendServerPDU(pdu) } catch {
      report(.peer, "the server's PDU for \(links[index].address) was not sent: \(error)")
    }
  }

  mutating func drainServer(_ now: RadioInstant) {
    var taken: [GATTServer.Output] = []
    swap(&taken, &serverScratch)
    server.exchangeOutputs(&taken)
    // Taken from the end they are moved, not copied.
    if taken.count > 1 { taken.reverse() }
    while let output = taken.popLast() {
      switch output {
      case .send(let link, let pdu): sendATT(pdu, on: link)
      case .ask(let link, let id, let request): emit(.ownerRequest(link, id, request))
      case .notice(let link, let notice): emit(.serverNotice(link, notice))
      case .room(let link): emit(.roomToNotify(link))
      case .stuck(let link):
        guard let index = openIndex(of: link) else { continue }
        drop(
          index,
          RadioFailure(.timedOut, reason: "\(links[index].address) has not confirmed an indication within 30 s"),
          now
        )
      case .flooded(let link): if let index = openIndex(of: link) { dropFlooding(index, now) }
      }
    }
    serverScratch = taken
  }

  private mutating func dropFlooding(_ index: Int, _ now: RadioInstant) {
    let reason = """
      \(links[index].address) sent \(ServerConnection.queueLimit + 2) requests and waited for none of the responses, \
      which no client may: the link was ended
      """
    report(.peer, reason)
    drop(index, RadioFailure(.disconnected, reason: reason), now)
  }

  // MARK: Values

  /// Replaces a value that the database keeps. Who has subscribed to it is not told by this alone.
  package mutating func setValue(_ value: [UInt8], of handle: AttributeHandle) { server.store(value, at: handle) }

  /// Notifies a value to one client. It is on its way when this returns, after all that came before.
  ///
  /// - Throws: `.busy` when too many wait for the controller; `.roomToNotify` tells when to try again.
  package mutating func notify(
    _ value: [UInt8],
    of handle: AttributeHandle,
    to id: LinkID,
    now: RadioInstant
  ) throws(NotifyRefusal) {
    guard let index = openIndex(of: id) else { throw .unknown }
    let pdu = try server.notification(value, of: handle, to: id)
    guard links[index].serverFrames < Self.notificationLimit else {
      links[index].wantsRoom = true
      throw .busy
    }
    do { try links[index].link.sendServerPDU(pdu, token: 0) } catch {
      throw .tooLong(limit: ServerConnection.updateLimit(mtu: links[index].link.mtu))
    }
    links[index].serverFrames += 1
    settle(now)
  }

  /// Notifies several values to those of `chosen` (`nil`: of all) who have asked for notifications of them, each what it
  /// has asked for, or to nobody if one has no room.
  ///
  /// - Throws: `.tooLong` if one of the links does not take one of them; nothing is sent.
  package mutating func update(
    _ values: [(handle: AttributeHandle, value: [UInt8])],
    to chosen: [LinkID]?,
    now: RadioInstant
  ) throws(NotifyRefusal) -> Updated {
    var plans: [(link: LinkID, pdus: [[UInt8]])] = []
    var full: [LinkID] = []
    for index in links.indices
    where links[index].isOpen && chosen?.contains(links[index].id) ?? true {
      let link = links[index].id
      if values.contains(where: { server.subscribers(of: $0.handle).contains(link) }), server.holdsBack(link) {
        full.append(link)
        continue
      }
      let wanted = values.filter { server.modes(of: $0.handle, for: link).contains(.notifications) }
      guard !wanted.isEmpty else { continue }
      plans.append((link, try server.notifications(wanted, to: link)))
      guard links[index].serverFrames >= Self.notificationLimit else { continue }
      links[index].wantsRoom = true
      full.append(link)
    }
    guard full.isEmpty else { return .full(full) }
    for (link, pdus) in plans {
      guard let index = openIndex(of: link) else { continue }
      for pdu in pdus {
        do { try links[index].link.sendServerPDU(pdu, token: 0) } catch { continue }
        links[index].serverFrames += 1
      }
    }
    settle(now)
    return .sent(notified: plans.map(\.link), indicated: [])
  }

  /// The name of the device that the Generic Access service tells is this from now on (Core 5.4, Vol 3, Part C, 12.1).
  package mutating func setDeviceName(_ name: String) {
    let place = database.characteristic(
      BluetoothUUID(UInt16(0x2A00)),
      in: BluetoothUUID(UInt16(0x1800))
    )
    if let place { server.store(HostConfiguration.deviceName(name), at: place.value) }
  }

  /// Indicates a value to one client; a notice with the token tells when it has confirmed.
  ///
  /// - Throws: `.busy` when too many wait to be confirmed.
  package mutating func indicate(
    _ value: [UInt8],
    of handle: AttributeHandle,
    to id: LinkID,
    token: UInt64 = 0,
    now: RadioInstant
  ) throws(NotifyRefusal) {
    guard openIndex(of: id) != nil else { throw .unknown }
    try server.indicate(value, of: handle, to: id, token: token, now: now)
    settle(now)
  }

  /// What became of a value that was to go to several clients.
  package enum Updated: Hashable, Sendable {
    case sent(notified: [LinkID], indicated: [LinkID])
    /// Nothing was sent: these have no room; `.roomToNotify` tells of each when it has.
    case full([LinkID])
  }

  /// Sends a value to those of `chosen` (`nil`: of all) who have asked for it, or to nobody if one has no room.
  ///
  /// - Parameter token: Comes back with the notice of each confirmation.
  /// - Throws: `.tooLong` if one of the links does not take it; nothing is sent.
  package mutating func update(
    _ value: [UInt8],
    of handle: AttributeHandle,
    to chosen: [LinkID]?,
    mode: UpdateMode,
    token: UInt64,
    now: RadioInstant
  ) throws(NotifyRefusal) -> Updated {
    var notified: [LinkID] = []
    var indicated: [LinkID] = []
    var full: [LinkID] = []
    for link in server.subscribers(of: handle) where chosen?.contains(link) ?? true {
      guard let index = openIndex(of: link) else { continue }
      guard !server.holdsBack(link) else {
        full.append(link)
        continue
      }
      let modes = server.modes(of: handle, for: link)
      let notifies = mode != .indication && modes.contains(.notifications)
      guard notifies || mode != .notification && modes.contains(.indications) else { continue }
      let limit = ServerConnection.updateLimit(mtu: links[index].link.mtu)
      guard value.count <= limit else { throw .tooLong(limit: limit) }
      if notifies {
        notified.append(link)
        guard links[index].serverFrames >= Self.notificationLimit else { continue }
        links[index].wantsRoom = true
        full.append(link)
      } else {
        indicated.append(link)
        if !server.hasRoomToIndicate(to: link) { full.append(link) }
      }
    }
    guard full.isEmpty else { return .full(full) }
    for link in notified { try notify(value, of: handle, to: link, now: now) }
    for link in indicated { try indicate(value, of: handle, to: link, token: token, now: now) }
    return .sent(notified: notified, indicated: indicated)
  }

  /// Sends a value to all who have asked for it, in the way each has asked for; those with no room are left out.
  ///
  /// - Returns: The links that were left out, and why.
  @discardableResult
  package mutating func publish(
    _ value: [UInt8],
    of handle: AttributeHandle,
    now: RadioInstant
  ) -> [(link: LinkID, refusal: NotifyRefusal)] {
    var refused: [(link: LinkID, refusal: NotifyRefusal)] = []
    let notified = server.subscribers(of: handle, .notifications)
    for link in server.subscribers(of: handle) {
      do throws(NotifyRefusal) {
        if notified.contains(link) {
          try notify(value, of: handle, to: link, now: now)
        } else {
          try indicate(value, of: handle, to: link, now: now)
        }
      } catch { refused.append((link, error)) }
    }
    return refused
  }

  mutating func frameOfServerSent(_ index: Int) {
    links[index].serverFrames = max(0, links[index].serverFrames - 1)
    guard links[index].wantsRoom, links[index].serverFrames <= Self.notificationLimit / 2 else { return }
    links[index].wantsRoom = false
    emit(.roomToNotify(links[index].id))
  }
}
