import BluetoothTypes
import RadioPort

extension HostRadio {
  /// The closures of a scan.
  struct ScanHandlers: Sendable {
    let sighting: @Sendable (Sighting) -> Void
    let ended: @Sendable (RadioFailure) -> Void
  }

  /// The closures of a claim.
  struct ClaimHandlers: Sendable {
    let events: @Sendable (LinkEvent) -> Void
    /// Gone once it was called.
    var completion: (@Sendable (Result<LinkID, RadioFailure>) -> Void)?
  }

  /// The closures of a subscription.
  struct SubscriptionHandlers: Sendable {
    /// Gone once it was unsubscribed.
    var handler: (@Sendable ([UInt8]) -> Void)?
    /// Gone once it was called.
    var completion: (@Sendable (Result<Void, RadioFailure>) -> Void)?
  }

  /// Who waits for the result of a request.
  enum Completion: Sendable {
    case services(@Sendable (Result<[RemoteService], RadioFailure>) -> Void)
    case value(@Sendable (Result<[UInt8], RadioFailure>) -> Void)
    case values(@Sendable (Result<[[UInt8]], RadioFailure>) -> Void)
    case done(@Sendable (Result<Void, RadioFailure>) -> Void)
    case rssi(@Sendable (Result<Int, RadioFailure>) -> Void)
    case phys(@Sendable (Result<LinkPHYs, RadioFailure>) -> Void)
    case security(@Sendable (Result<LinkSecurity, RadioFailure>) -> Void)
  }

  /// Tells who is concerned. Each completion leaves its place before it is called, so that it can not be called twice.
  func deliver(_ event: HostEvent) {
    switch event {
    case .state(let state): for observer in observers { observer.observe(state) }
    case .sighting(let sighting, let ids): for id in ids { scans[id]?.sighting(sighting) }
    case .scanEnded(let id, let failure): scans.removeValue(forKey: id)?.ended(failure)
    case .claimed(let id, let result): deliver(claimed: id, result)
    case .released(let id): for completion in releases.removeValue(forKey: id) ?? [] { completion() }
    case .link(let event, let ids): deliver(event, ids)
    case .peer(let event): for observer in peerObservers { observer.observe(event) }
    case .discovered(let id, let result):
      if case .services(let completion)? = requests.take(id) { completion(result) }
    case .read(let id, let result):
      if case .value(let completion)? = requests.take(id) { completion(result) }
    case .readSeveral(let id, let result):
      if case .values(let completion)? = requests.take(id) { completion(result) }
    case .wrote(let id, let result):
      if case .done(let completion)? = requests.take(id) { completion(result) }
    case .rssi(let id, let result):
      if case .rssi(let completion)? = requests.take(id) { completion(result) }
    case .subscribed(let id, let result): deliver(subscribed: id, result)
    case .unsubscribed(let id, let result):
      for completion in endings.removeValue(forKey: id) ?? [] { completion(result) }
    case .value(let id, let bytes): subscriptions[id]?.handler?(bytes)
    case .subscriptionEnded(let id): subscriptions[id] = nil
    case .channelOpened(let id, let result): channelOpened(id, result)
    case .channelArrived(let id, let listener, let info): channelArrived(id, listener, info)
    case .channelReceived(let id, let sdu): channelReceived(id, sdu)
    case .channelRoom(let id): channels.open[id]?.events(.readyToSend)
    case .channelEnded(let id, let failure): channelEnded(id, failure)
    case .channelReleased(let id): channelReleased(id)
    case .report(let report): log?(report)
    case .phys(let id, let result):
      if case .phys(let completion)? = requests.take(id) { completion(result) }
    case .encrypted(let id, let result):
      if case .security(let completion)? = requests.take(id) { completion(result) }
    case .advertisingStarted(let set): advertisingStarted(set)
    case .advertisingStopped(let set, let failure): advertisingStopped(set, failure)
    case .advertisingRefused(let set, let failure): advertisingRefused(set, failure)
    case .centralConnected(let link): tellServers(.centralConnected(link))
    case .centralDisconnected(let link, let failure): centralLeft(link, failure)
    case .centralMTU(let link, let mtu): tellServers(.mtuChanged(link, mtu))
    case .centralParameters(let link, let interval, let latency, let timeout):
      tellServers(.parametersChanged(link, interval: interval, latency: latency, supervisionTimeout: timeout))
    case .centralPHYs(let link, let phys):
      tellServers(.phyChanged(link, transmit: phys.transmit, receive: phys.receive))
    case .centralDataLength(let link, let transmit, let receive):
      tellServers(.dataLengthChanged(link, transmit: transmit, receive: receive))
    case .parametersAnswered(let link, let result): wishAnswered(link, result)
    case .ownerRequest(let link, let reply, let request): asked(link, reply, request)
    case .serverNotice(let link, let notice): noticed(link, notice)
    case .roomToNotify(let link): roomToUpdate(link)
    case .intercepted(let id, _, _):
      // Only devices that are to misbehave look at requests themselves.
      host.resolve(id, .serve, now: executor.now)
    case .channelWished(let id, _, _): host.resolve(channel: id, .serve, now: executor.now)
    }
  }

  private func deliver(claimed id: ClaimID, _ result: Result<LinkID, RadioFailure>) {
    guard let completion = claims[id]?.completion else { return }
    switch result {
    case .success: claims[id]?.completion = nil
    case .failure: claims[id] = nil
    }
    completion(result)
  }

  private func deliver(_ event: LinkEvent, _ ids: [ClaimID]) {
    for id in ids {
      guard let handlers = claims[id] else { continue }
      if case .disconnected = event { claims[id] = nil }
      handlers.events(event)
    }
  }

  private func deliver(subscribed id: SubscriptionID, _ result: Result<Void, RadioFailure>) {
    guard let completion = subscriptions[id]?.completion else { return }
    switch result {
    case .success: subscriptions[id]?.completion = nil
    case .failure: subscriptions[id] = nil
    }
    completion(result)
  }
}
