import BluetoothTypes
import Foundation
import RadioPort

// What the radio tells, on the app's queue.
extension CBPeripheralManager {
  func handle(_ event: ServerSession.Event) {
    switch event {
    case .state(let state): didUpdate(state)
    case .updated: didSend()
    case .server(let event, let mtu): handle(event, mtu: mtu)
    case .channel(let channel, let info, let mtu): opened(channel, info, mtu: mtu)
    }
  }

  private func didUpdate(_ state: RadioState) {
    let (radio, state, former) = (state, CBManagerState(state), self.state)
    guard state != former else { return }
    let toRestore = guarded.withLock { guarded in
      defer { guarded.toRestore = nil }
      return guarded.toRestore
    }
    if let toRestore { restore(toRestore) }
    setState(state)
    switch state {
    case .poweredOn: publishRestored()
    case .poweredOff: pauseAdvertising()
    case .unknown, .resetting, .unsupported, .unauthorized:
      // Below `poweredOff` the database is lost, so that what the app adds when all is well again is new.
      setAdvertising { $0 = nil }
      withdrawAll()
      session.perform { $0.unpublishChannels() }
    }
    saveRestorableState()
    explain(radio, after: former, showsPowerAlert: showsPowerAlert)
    delegate?.peripheralManagerDidUpdateState(self)
    // What the app has just begun counts.
    if state == .poweredOn { resumeAdvertising() }
  }

  private func didSend() {
    let isReadyAgain = guarded.withLock { state in
      state.unsent -= 1
      // Some room, so that the app is not told for each single value.
      guard state.wasFull, state.unsent <= Self.updateRoom / 2 else { return false }
      state.wasFull = false
      return true
    }
    if isReadyAgain { delegate?.peripheralManagerIsReady(toUpdateSubscribers: self) }
  }

  private func handle(_ event: ServerEvent, mtu: Int) {
    switch event {
    case .centralConnected(let link): connected(link, mtu)
    case .centralDisconnected(let link, _): guarded.withLock { _ = $0.centrals.removeValue(forKey: link) }
    case .mtuChanged(let link, let mtu): central(link)?.set(link, mtu: mtu)
    case .read(let request): read(request)
    case .write(let request): write(request)
    case .subscriptionChanged(let link, let handle, let modes): subscriptionChanged(link, handle, modes)
    case .advertisingEnded(let failure):
      // That the power went is told as a state.
      guard failure.kind != .poweredOff, state == .poweredOn else { return }
      setAdvertising { $0 = nil }
      saveRestorableState()
      Misuse.warn("advertising has ended: \(failure)")
    case .parametersChanged, .phyChanged, .dataLengthChanged, .requestEnded, .stored, .readyToUpdate: break
    }
  }

  // MARK: Centrals

  private func central(_ link: LinkID) -> CBCentral? { guarded.withLock { $0.centrals[link] } }

  private func connected(_ link: LinkID, _ mtu: Int) {
    let central = object(link, mtu)
    guarded.withLock { $0.centrals[link] = central }
  }

  /// The one object of a central.
  func object(_ link: LinkID, _ mtu: Int) -> CBCentral {
    let known = guarded.withLock { $0.known[link.peer]?.object }
    let central = known ?? CBCentral(link, mtu: mtu)
    central.set(link, mtu: mtu)
    guarded.withLock { state in
      if known == nil { state.known = state.known.filter { $0.value.object != nil } }
      state.known[link.peer] = WeakCarried(central)
    }
    return central
  }

  private func subscriptionChanged(_ link: LinkID, _ handle: AttributeHandle, _ modes: SubscriptionModes) {
    guard let central = central(link), let characteristic = guarded.withLock({ $0.characteristics[handle] }) else {
      return
    }
    guard characteristic.setSubscribed(!modes.isEmpty, central) else { return }
    if modes.isEmpty {
      delegate?.peripheralManager(self, central: central, didUnsubscribeFrom: characteristic)
    } else {
      delegate?.peripheralManager(self, central: central, didSubscribeTo: characteristic)
    }
  }

  // MARK: Requests

  private func read(_ request: ReadRequest) {
    let characteristic = guarded.withLock { $0.characteristics[request.attribute] }
    guard let central = central(request.central), let characteristic, let delegate else { return refuse(request.id) }
    let group = CBATTRequest.Group(request.id, wantsResponse: true, session)
    delegate.peripheralManager(
      self,
      didReceiveRead: CBATTRequest(group, central, characteristic, offset: request.offset, value: nil)
    )
  }

  private func write(_ request: WriteRequest) {
    guard let central = central(request.central), let delegate else { return refuse(request.id) }
    let group = CBATTRequest.Group(request.id, wantsResponse: request.wantsResponse, session)
    let requests = request.parts.compactMap { part in
      guarded.withLock { $0.characteristics[part.attribute] }
        .map { CBATTRequest(group, central, $0, offset: part.offset, value: Data(part.value)) }
    }
    guard requests.count == request.parts.count else { return refuse(request.id) }
    delegate.peripheralManager(self, didReceiveWrite: requests)
  }

  /// For what nobody is there to answer.
  private func refuse(_ request: ServerRequestID) {
    session.perform { $0.respond(to: request, with: .failure(.unlikelyError)) }
  }
}
