import BluetoothTypes
import CoreBluetooth
import RadioPort

extension CoreBluetoothRadio {
  /// How long who releases a link waits for the framework to tell its end.
  private static let releaseBound = Duration.seconds(5)

  func device(_ peer: PeerID) -> Device {
    if let device = devices[peer] { return device }
    let device = Device(peer)
    devices[peer] = device
    return device
  }

  /// The link is gone, or will not come.
  func end(_ device: Device, _ failure: RadioFailure) {
    if let link = device.link { endChannels(on: link, failure) }
    device.end(failure)
  }

  package func connect(
    to peer: PeerID,
    options: LinkOptions,
    events: @escaping @Sendable (LinkEvent) -> Void,
    completion: @escaping @Sendable (Result<LinkID, RadioFailure>) -> Void
  ) -> ClaimID {
    let id = ClaimID(rawValue: next())
    if let failure = offFailure {
      completion(.failure(failure))
      return id
    }
    let device = device(peer)
    if device.peripheral == nil, let uuid = peer.uuid {
      device.peripheral = central.retrievePeripherals(withIdentifiers: [uuid]).first
    }
    guard let peripheral = device.peripheral else {
      devices[peer] = nil
      completion(
        .failure(
          RadioFailure(.invalidArgument, reason: "\(peer) names no device of this radio: take the name from a scan")
        )
      )
      return id
    }
    claims[id] = peer
    peripheral.delegate = peripheralDelegate
    if let link = device.link {
      device.claims.append(Device.Claim(id: id, events: events, completion: nil))
      completion(.success(link))
    } else {
      let isFirst = device.claims.isEmpty
      device.claims.append(Device.Claim(id: id, events: events, completion: completion))
      if isFirst { device.alerts = options.alerts }
      if isFirst, device.releases.isEmpty { central.connect(peripheral, options: device.alerts.connectOptions) }
    }
    return id
  }

  package func knownPeers(among peers: [PeerID]) -> [KnownPeer] {
    peers.compactMap { peer in
      let known = peer.uuid.flatMap { central.retrievePeripherals(withIdentifiers: [$0]).first }
      return known.map { KnownPeer(peer, name: $0.name) }
    }
  }

  package func connectedPeers(
    offering services: [BluetoothUUID],
    completion: @escaping @Sendable ([KnownPeer]) -> Void
  ) {
    guard !services.isEmpty else {
      let linked = devices.values.filter { $0.link != nil }
      return completion(
        linked.map { KnownPeer($0.peer, name: $0.peripheral?.name) }.sorted {
          $0.peer.description < $1.peer.description
        }
      )
    }
    let found = central.retrieveConnectedPeripherals(withServices: services.map { CBUUID(string: $0.description) })
    completion(found.map { KnownPeer(PeerID($0), name: $0.name) })
  }

  package func release(_ claim: ClaimID, completion: @escaping @Sendable () -> Void) {
    guard let peer = claims.removeValue(forKey: claim), let device = devices[peer] else { return completion() }
    device.claims.removeAll { $0.id == claim }
    guard device.claims.isEmpty, device.releases.isEmpty, let peripheral = device.peripheral else {
      return completion()
    }
    let wasLinked = device.link != nil
    end(device, RadioFailure(.disconnected, reason: "the link was ended here"))
    tellLinks()
    central.cancelPeripheralConnection(peripheral)
    guard wasLinked else { return completion() }
    device.releases.append(completion)
    let bound = executor.now.advanced(by: Self.releaseBound)
    device.bound = executor.schedule(at: bound) { [weak self] in self?.assumeIsolated { $0.released(peer) } }
  }

  /// The link is gone, or it takes too long until its end is told: who waited for that waits no more.
  private func released(_ peer: PeerID) {
    guard let device = devices[peer], !device.releases.isEmpty else { return }
    if let bound = device.bound { executor.cancel(bound) }
    device.bound = nil
    let releases = device.releases
    device.releases = []
    for release in releases { release() }
    // Who asked for a link meanwhile.
    if !device.claims.isEmpty, device.link == nil, let peripheral = device.peripheral {
      central.connect(peripheral, options: device.alerts.connectOptions)
    }
  }

  func connected(_ peer: PeerID) {
    guard let device = devices[peer], let peripheral = device.peripheral else { return }
    // Nobody wants it any more.
    guard !device.claims.isEmpty else { return central.cancelPeripheralConnection(peripheral) }
    let link = LinkID(peer: peer, generation: next())
    device.link = link
    tellLinks()
    for index in device.claims.indices {
      guard index < device.claims.count, let completion = device.claims[index].completion else { continue }
      device.claims[index].completion = nil
      completion(.success(link))
    }
  }

  func connectFailed(_ peer: PeerID, _ failure: RadioFailure) {
    guard let device = devices[peer], device.link == nil else { return }
    forgetClaims(of: device)
    device.end(failure)
  }

  func disconnected(_ peer: PeerID, _ failure: RadioFailure) {
    guard let device = devices[peer] else { return }
    guard device.releases.isEmpty else { return released(peer) }
    // What ends here is an attempt that was given up before, if there is no link.
    guard let link = device.link else { return }
    forgetClaims(of: device)
    end(device, failure)
    tellLinks()
    linkEnded(link, failure)
  }

  private func forgetClaims(of device: Device) {
    for claim in device.claims { claims[claim.id] = nil }
  }

  package func mtu(of link: LinkID) -> Int {
    if let device = devices[link.peer], device.link == link { return device.mtu }
    return servedMTU(of: link) ?? 23
  }

  // MARK: Operations

  private func run(_ link: LinkID, _ refuse: (RadioFailure) -> Void, _ body: (Device, RequestID) -> Void) -> RequestID {
    let id = RequestID(rawValue: next())
    if let device = devices[link.peer], device.link == link {
      body(device, id)
    } else {
      refuse(offFailure ?? RadioFailure(.notConnected, reason: "the link is gone: connect again"))
    }
    return id
  }

  package func readRSSI(
    of link: LinkID,
    completion: @escaping @Sendable (Result<Int, RadioFailure>) -> Void
  ) -> RequestID {
    run(link, { completion(.failure($0)) }, { $0.readRSSI($1, completion) })
  }

  package func discover(
    _ services: [BluetoothUUID]?,
    on link: LinkID,
    completion: @escaping @Sendable (Result<[RemoteService], RadioFailure>) -> Void
  ) -> RequestID {
    run(link, { completion(.failure($0)) }) { device, id in
      device.discover(services, id) { [weak self] result in
        if services == nil, case .success(let found) = result {
          self?.assumeIsolated { $0.noteServices(found.map(\.uuid), on: link) }
        }
        completion(result)
      }
    }
  }

  package func read(
    _ attribute: AttributeHandle,
    on link: LinkID,
    completion: @escaping @Sendable (Result<[UInt8], RadioFailure>) -> Void
  ) -> RequestID {
    run(link, { completion(.failure($0)) }, { $0.read(attribute, $1, completion) })
  }

  package func write(
    _ value: [UInt8],
    to attribute: AttributeHandle,
    on link: LinkID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> RequestID {
    run(link, { completion(.failure($0)) }, { $0.write(value, to: attribute, $1, completion) })
  }

  package func writeWithoutResponse(
    _ value: [UInt8],
    to attribute: AttributeHandle,
    on link: LinkID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> RequestID {
    run(link, { completion(.failure($0)) }, { $0.send(value, to: attribute, $1, completion) })
  }

  package func abandon(_ request: RequestID) {
    for device in devices.values { device.abandon(request) }
  }

  package func subscribe(
    to characteristic: RemoteCharacteristic,
    on link: LinkID,
    handler: @escaping @Sendable ([UInt8]) -> Void,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> SubscriptionID {
    let id = SubscriptionID(rawValue: next())
    if let device = devices[link.peer], device.link == link {
      device.subscribe(to: characteristic.handle, id, handler, completion)
    } else {
      completion(.failure(offFailure ?? RadioFailure(.notConnected, reason: "the link is gone: connect again")))
    }
    return id
  }

  package func unsubscribe(
    _ subscription: SubscriptionID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) {
    let owner = devices.values.first { $0.hasSubscription(subscription) }
    if let owner { owner.unsubscribe(subscription, completion) } else { completion(.success(())) }
  }
}
