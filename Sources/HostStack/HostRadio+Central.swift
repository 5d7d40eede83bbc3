import BluetoothTypes
import RadioPort

// The port's methods: each notes who is to be told, then lets the host's outputs go.

extension HostRadio {
  private var now: RadioInstant { executor.now }

  // MARK: Scanning

  /// Starts a scan of its own next to all others; see ``CentralRadio``.
  public func startScan(
    _ request: ScanRequest,
    sighting: @escaping @Sendable (Sighting) -> Void,
    ended: @escaping @Sendable (RadioFailure) -> Void
  ) -> ScanID {
    let id = host.startScan(request, now: now)
    scans[id] = ScanHandlers(sighting: sighting, ended: ended)
    deliver()
    return id
  }

  /// Ends a scan; `ended` is not called.
  public func stopScan(_ scan: ScanID) {
    scans[scan] = nil
    host.stopScan(scan, now: now)
    deliver()
  }

  // MARK: Links

  /// Claims a link to `peer`; see ``CentralRadio``.
  public func connect(
    to peer: PeerID,
    options: LinkOptions,
    events: @escaping @Sendable (LinkEvent) -> Void,
    completion: @escaping @Sendable (Result<LinkID, RadioFailure>) -> Void
  ) -> ClaimID {
    let id = host.connect(to: peer, options: options, now: now)
    claims[id] = ClaimHandlers(events: events, completion: completion)
    deliver()
    return id
  }

  /// Gives up a claim; see ``CentralRadio``.
  public func release(_ claim: ClaimID, completion: @escaping @Sendable () -> Void) {
    claims[claim] = nil
    // Who asks again while the first release is under way waits with it.
    guard releases[claim]?.append(completion) == nil else { return }
    releases[claim] = [completion]
    host.release(claim, now: now)
    deliver()
  }

  /// The devices that this radio is connected to and that offer a service; see ``CentralRadio``.
  public func connectedPeers(
    offering services: [BluetoothUUID],
    completion: @escaping @Sendable ([KnownPeer]) -> Void
  ) {
    let links = host.links.filter { $0.isOpen && $0.link.role == .central }.map(\.id)
    guard !services.isEmpty, !links.isEmpty else { return completion(links.map { KnownPeer($0.peer) }) }
    let census = ServiceCensus(links: links, completion: completion)
    for link in links {
      _ = discover(services, on: link) { result in
        census.answer(of: link, offers: (try? result.get())?.isEmpty == false)
      }
    }
  }

  /// The strength of the link in dBm.
  public func readRSSI(
    of link: LinkID,
    completion: @escaping @Sendable (Result<Int, RadioFailure>) -> Void
  ) -> RequestID {
    note(.rssi(completion), host.readRSSI(of: link, now: now))
  }

  /// Asks for other PHYs on a link of either role; see ``CentralRadio``.
  public func setPHYs(
    _ preference: PHYPreference,
    of link: LinkID,
    completion: @escaping @Sendable (Result<LinkPHYs, RadioFailure>) -> Void
  ) {
    _ = note(.phys(completion), host.setPHYs(preference, of: link, now: now))
  }

  /// Encrypts a link with the key that there is for the peer. As its peripheral only a link that is encrypted already.
  package func encrypt(
    _ link: LinkID,
    completion: @escaping @Sendable (Result<LinkSecurity, RadioFailure>) -> Void
  ) {
    _ = note(.security(completion), host.encrypt(link, now: now))
  }

  // MARK: The peer's attributes

  /// Discovers what the peer offers; see ``CentralRadio``.
  public func discover(
    _ services: [BluetoothUUID]?,
    on link: LinkID,
    completion: @escaping @Sendable (Result<[RemoteService], RadioFailure>) -> Void
  ) -> RequestID {
    note(.services(completion), host.discover(services, on: link, now: now))
  }

  /// Reads a characteristic's or a descriptor's value, whole, however long it is.
  public func read(
    _ attribute: AttributeHandle,
    on link: LinkID,
    completion: @escaping @Sendable (Result<[UInt8], RadioFailure>) -> Void
  ) -> RequestID {
    note(.value(completion), host.read(attribute, on: link, now: now))
  }

  /// Reads several values, whole, in as few requests as the peer knows.
  public func read(
    _ attributes: [AttributeHandle],
    on link: LinkID,
    completion: @escaping @Sendable (Result<[[UInt8]], RadioFailure>) -> Void
  ) -> RequestID {
    note(.values(completion), host.read(attributes, on: link, now: now))
  }

  /// Writes a characteristic's or a descriptor's value and waits for the peer's reply.
  public func write(
    _ value: [UInt8],
    to attribute: AttributeHandle,
    on link: LinkID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> RequestID {
    note(.done(completion), host.write(value, to: attribute, on: link, now: now))
  }

  /// Writes a characteristic's value without a reply, in order; see ``CentralRadio``.
  public func writeWithoutResponse(
    _ value: [UInt8],
    to attribute: AttributeHandle,
    on link: LinkID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> RequestID {
    note(.done(completion), host.writeWithoutResponse(value, to: attribute, on: link, now: now))
  }

  /// The caller no longer wants the result of a request.
  public func abandon(_ request: RequestID) {
    _ = requests.take(request)
    host.abandon(request, now: now)
    deliver()
  }

  /// Subscribes to a characteristic; see ``CentralRadio``.
  public func subscribe(
    to characteristic: RemoteCharacteristic,
    on link: LinkID,
    handler: @escaping @Sendable ([UInt8]) -> Void,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> SubscriptionID {
    let id = host.subscribe(to: characteristic, on: link, now: now)
    subscriptions[id] = SubscriptionHandlers(handler: handler, completion: completion)
    deliver()
    return id
  }

  /// Ends a subscription at once; the peer is told when it was the last of its characteristic.
  public func unsubscribe(
    _ subscription: SubscriptionID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) {
    // Who asks again while the end is under way waits with it.
    guard endings[subscription]?.append(completion) == nil else { return }
    endings[subscription] = [completion]
    // Its own completion may still be due.
    if subscriptions[subscription]?.completion == nil {
      subscriptions[subscription] = nil
    } else {
      subscriptions[subscription]?.handler = nil
    }
    host.unsubscribe(subscription, now: now)
    deliver()
  }

  private func note(_ completion: Completion, _ id: RequestID) -> RequestID {
    requests.note(completion, of: id)
    deliver()
    return id
  }
}
