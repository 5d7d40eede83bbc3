import BluetoothTypes
import RadioPort

extension PeripheralCore {
  // MARK: Connecting

  func connect(_ options: LinkOptions, timeout: Timeout) async throws {
    let limit = timeout.duration(standard: central.configuration.timeouts.connect)
    let attempt = attempt(.connect, limit: limit)
    let deadline = central.deadline(after: limit)
    try await central.requireRadio(for: .connect, peripheral: attempt.subject, limit: limit)
    try await PendingOperation<Void>.run(on: executor, deadline: deadline, timeout: { attempt.timedOut }) { operation in
      guard link == nil else { return operation.finish(.success(())) }
      let number = nextNumber()
      connectWaiters[number] = operation
      operation.onEnd { [weak self] givenUp in self?.assumeIsolated { $0.leaveConnect(number, givenUp) } }
      // It may have been given up from another thread before this.
      if claim == nil, connectWaiters[number] != nil { beginConnect(options) }
    }
  }

  private func beginConnect(_ options: LinkOptions) {
    tellOfDisconnect()
    claimCount &+= 1
    let number = claimCount
    claim = Claim(number: number)
    setState(.connecting)
    central.log(.debug, "connecting to \(id)")
    let claimID = access.connect(to: id, options: options) { [weak self] event in
      self?.assumeIsolated { $0.linkEvent(event, of: number) }
    } completion: { [weak self] result in
      self?.assumeIsolated { $0.connectEnded(result, of: number) }
    }
    // It may have failed before the radio returned.
    if claim?.number == number { claim?.id = claimID } else { access.release(claimID) }
  }

  private func connectEnded(_ result: Result<LinkID, RadioFailure>, of number: UInt64) {
    guard claim?.number == number, claim?.link == nil else { return }
    switch result {
    case .success(let link):
      let callers = connectWaiters.sorted { $0.key < $1.key }.compactMap { $0.value.settle(.success(())) }
      connectWaiters = [:]
      // All have given up from other threads, and their clean-up comes after this: nobody would own the link.
      guard !callers.isEmpty else { return abandonConnect() }
      claim?.link = link
      database = DiscoveredDatabase()
      let mtu = access.mtu(of: link)
      updateFacts { facts in
        facts.mtu = mtu
        facts.lastError = nil
        facts.services = []
      }
      central.log(.info, "connected to \(id)")
      setState(.ready)
      central.connectionEvents.send(.connected(handle))
      for tell in callers { tell() }
      rearmFeeds()
    case .failure(let failure):
      giveUpClaim()
      failConnect(attempt(.connect).error(failure))
    }
  }

  private func failConnect(_ error: BluetoothError) {
    central.log(.warning, error.message(in: .english))
    updateFacts { $0.lastError = error }
    setState(.disconnected(error))
    central.connectionEvents.send(.failed(handle, error))
    failConnectWaiters(error)
  }

  private func failConnectWaiters(_ error: BluetoothError) {
    let waiters = connectWaiters.sorted { $0.key < $1.key }
    connectWaiters = [:]
    for (_, waiter) in waiters { waiter.finish(.failure(error)) }
  }

  /// Somebody no longer waits for the connection. With the last of them the connect is cancelled at the radio.
  private func leaveConnect(_ number: UInt64, _ givenUp: (any Error)?) {
    guard connectWaiters.removeValue(forKey: number) != nil, let givenUp else { return }
    guard connectWaiters.isEmpty, claim != nil, link == nil else { return }
    if let error = givenUp as? BluetoothError {
      giveUpClaim()
      failConnect(error)
    } else {
      abandonConnect()
    }
  }

  /// Nobody wants the connection any more.
  private func abandonConnect() {
    giveUpClaim()
    central.log(.debug, "no longer connecting to \(id)")
    setState(.disconnected(nil))
  }

  /// Forgets the claim and tells the radio; nothing waits for what the radio makes of it.
  private func giveUpClaim() {
    if let id = claim?.id { access.release(id) }
    claim = nil
  }

  // MARK: The link

  private func linkEvent(_ event: LinkEvent, of number: UInt64) {
    guard claim?.number == number, link != nil else { return }
    switch event {
    case .disconnected(let failure): linkLost(failure)
    case .mtuChanged(let mtu): updateFacts { $0.mtu = mtu }
    case .parametersChanged, .phyChanged, .dataLengthChanged: break
    case .servicesChanged(let range):
      database.forget()
      updateFacts { $0.services = [] }
      renewFeeds(in: range)
    }
  }

  private func linkLost(_ failure: RadioFailure) {
    giveUpClaim()
    let loss = LinkLoss(failure: failure)
    let error = attempt(.connection).error(loss)
    central.log(.warning, error.message(in: .english))
    updateFacts { $0.lastError = error }
    endLinkWork(loss)
    setState(.disconnected(error))
    central.connectionEvents.send(.disconnected(handle, error))
  }

  /// Ends all that ran on the link; a new one begins clean.
  private func endLinkWork(_ loss: LinkLoss) {
    lastLoss = loss
    let ended = running.sorted { $0.key < $1.key }
    running = [:]
    discoveries = [:]
    database = DiscoveredDatabase()
    updateFacts { $0.mtu = PeripheralFacts.defaultMTU }
    for (_, end) in ended { end(loss) }
    linkLostForFeeds(loss)
  }

  // MARK: Disconnecting

  func disconnect() async { try? await disconnect(timeout: .never) }

  func disconnect(timeout: Timeout) async throws {
    guard let number = beginDisconnect() else { return }
    let limit = timeout.duration(standard: nil)
    let attempt = attempt(.endConnection, limit: limit)
    // The disconnect goes on whatever becomes of the caller.
    try await PendingOperation<Void>.run(
      on: executor,
      deadline: central.deadline(after: limit),
      timeout: { attempt.timedOut }
    ) { operation in
      guard releases[number] != nil else { return operation.finish(.success(())) }
      releases[number]?.append(operation)
    }
  }

  /// Returns the release to wait for, if there is one.
  private func beginDisconnect() -> UInt64? {
    guard let claim, let claimID = claim.id else { return releases.keys.max() }
    self.claim = nil
    let number = claim.number
    releases[number] = []
    let loss = LinkLoss()
    central.log(.info, "disconnecting from \(id)")
    setState(.disconnecting)
    failConnectWaiters(attempt(.connect).error(loss))
    if claim.link != nil {
      owesDisconnectEvent = true
      endLinkWork(loss)
    }
    access.release(claimID) { [weak self] in self?.assumeIsolated { $0.released(number) } }
    return number
  }

  private func released(_ number: UInt64) {
    guard let waiters = releases.removeValue(forKey: number) else { return }
    if claim == nil, releases.isEmpty {
      // A later connect may have failed meanwhile; its reason stays.
      if case .disconnecting = states.current { setState(.disconnected(nil)) }
      tellOfDisconnect()
    }
    for waiter in waiters { waiter.finish(.success(())) }
  }

  /// Tells of a disconnect by the program when it is done, or before a new connection begins.
  private func tellOfDisconnect() {
    guard owesDisconnectEvent else { return }
    owesDisconnectEvent = false
    central.connectionEvents.send(.disconnected(handle, nil))
  }

  private func setState(_ state: ConnectionState) { states.send(state) }
}
