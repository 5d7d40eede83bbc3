import BluetoothTypes
import RadioPort

extension PeripheralCore {
  // MARK: Connecting

  func connect(_ wish: ConnectionWish, timeout: Timeout) async throws {
    let limit = timeout.duration(standard: central.configuration.timeouts.connect)
    let attempt = attempt(.connect, limit: limit)
    let deadline = central.deadline(after: limit)
    // Its own set-up asks for it: it is there.
    if isInSetUp { return }
    try await central.requireRadio(for: .connect, peripheral: attempt.subject, limit: limit)
    try await PendingOperation<Void>.run(on: executor, deadline: deadline, timeout: { attempt.timedOut }) { operation in
      plan.options = wish.options
      if let reconnect = wish.reconnect { plan.reconnect = reconnect }
      if let setUp = wish.setUp { plan.setUp = setUp }
      guard claim?.isReady != true else { return operation.finish(.success(())) }
      let number = nextNumber()
      connectWaiters[number] = operation
      operation.onEnd { [weak self] givenUp in self?.assumeIsolated { $0.leaveConnect(number, givenUp) } }
      // It may have been given up from another thread before this.
      guard claim == nil, powerWait == nil, connectWaiters[number] != nil else { return }
      if reconnecting == nil { beginConnect() } else { beginAttempt() }
    }
  }

  func beginConnect() {
    tellOfDisconnect()
    claimCount &+= 1
    let number = claimCount
    claim = Claim(number: number)
    setState(reconnecting.map { .reconnecting(attempt: $0.attempt) } ?? .connecting)
    central.log(.info, .connection, "connecting to \(id)", "正在连接 \(id)")
    let claimID = access.connect(to: id, options: plan.options) { [weak self] event in
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
      if plan.setUp == nil {
        guard let callers = settleCallers() else { return abandonConnect() }
        linkUp(link)
        becomeReady(callers)
      } else {
        linkUp(link)
        beginSetUp(number)
      }
    case .failure(let failure):
      giveUpClaim()
      if failure.kind == .poweredOff, waitForPower() { return }
      connectFailed(attempt(.connect).error(failure))
    }
  }

  private func linkUp(_ link: LinkID) {
    claim?.link = link
    database = DiscoveredDatabase()
    let mtu = access.mtu(of: link)
    updateFacts { facts in
      facts.mtu = mtu
      facts.lastError = nil
      facts.services = []
    }
    central.log(.info, .connection, "connected to \(id)", "已连接 \(id)")
    central.connectionEvents.send(reconnecting == nil ? .connected(handle) : .reconnected(handle))
  }

  /// Settles for all who wait that they have the connection, and returns how to tell them. `nil` if all have given up from
  /// other threads, and their clean-up comes after this: nobody would own the link.
  func settleCallers() -> [@Sendable () -> Void]? {
    let callers = connectWaiters.sorted { $0.key < $1.key }.compactMap { $0.value.settle(.success(())) }
    connectWaiters = [:]
    return callers.isEmpty && reconnecting == nil ? nil : callers
  }

  func becomeReady(_ callers: [@Sendable () -> Void]) {
    claim?.isReady = true
    claim?.setUp = nil
    endReconnecting()
    setState(.ready)
    central.connectionEvents.send(.ready(handle))
    for tell in callers { tell() }
    rearmFeeds()
    admitWaiting()
  }

  /// An attempt came to nothing: the last one for who connects, one of several for who comes back.
  func connectFailed(_ error: BluetoothError) {
    guard reconnecting != nil else { return failConnect(error) }
    updateFacts { $0.lastError = error }
    central.log(.warning, .connection, error.message(in: .english), error.message(in: .simplifiedChinese))
    central.connectionEvents.send(.failed(handle, error))
    reconnect(after: error)
  }

  private func failConnect(_ error: BluetoothError) {
    central.log(.warning, .connection, error.message(in: .english), error.message(in: .simplifiedChinese))
    updateFacts { $0.lastError = error }
    setState(.disconnected(error))
    central.connectionEvents.send(.failed(handle, error))
    failConnectWaiters(error)
  }

  func failConnectWaiters(_ error: BluetoothError) {
    let waiters = connectWaiters.sorted { $0.key < $1.key }
    connectWaiters = [:]
    for (_, waiter) in waiters { waiter.finish(.failure(error)) }
  }

  /// Somebody no longer waits for the connection. With the last of them the connect is cancelled at the radio, unless it
  /// comes back by itself.
  private func leaveConnect(_ number: UInt64, _ givenUp: (any Error)?) {
    guard connectWaiters.removeValue(forKey: number) != nil, let givenUp else { return }
    guard connectWaiters.isEmpty, reconnecting == nil, claim != nil || powerWait != nil, claim?.isReady != true else {
      return
    }
    if let error = givenUp as? BluetoothError {
      dropClaim()
      failConnect(error)
    } else {
      abandonConnect()
    }
  }

  /// Nobody wants the connection any more.
  func abandonConnect() {
    dropClaim()
    central.log(.info, .connection, "no longer connecting to \(id)", "不再连接 \(id)")
    setState(.disconnected(nil))
  }

  /// Gives up the connection before it was ready, with all that runs on it.
  func dropClaim() {
    endPowerWait()
    let hadLink = link != nil
    giveUpClaim()
    if hadLink { endLinkWork(.dropped) }
  }

  /// Forgets the claim and tells the radio; nothing waits for what the radio makes of it.
  private func giveUpClaim() {
    if let id = claim?.id { access.release(id) }
    claim = nil
  }

  // MARK: Waiting for Bluetooth

  /// Whether the connect waits until Bluetooth is on again.
  private func waitForPower() -> Bool {
    if reconnecting != nil {
      attemptWhenPowered()
      return true
    }
    guard central.configuration.whenOff.waits, !connectWaiters.isEmpty else { return false }
    let watch = watchPower { core, state in
      core.endPowerWait()
      if let error = core.refusal(in: state) { core.connectFailed(error) } else { core.beginConnect() }
    }
    let bound = central.configuration.whenOff.bound.map { bound in
      executor.schedule(at: executor.now.advanced(by: bound)) { [weak self] in
        self?.assumeIsolated { core in
          guard core.powerWait != nil else { return }
          core.endPowerWait()
          let state = core.central.states.current ?? .unknown
          core.connectFailed(core.error(for: state))
        }
      }
    }
    powerWait = PowerWait(watch: watch, timer: bound)
    central.log(
      .info,
      .connection,
      "the connect to \(id) waits until Bluetooth is on again",
      "连接 \(id) 正在等待蓝牙重新打开"
    )
    return true
  }

  /// Calls `act` once Bluetooth is on, or will not be.
  func watchPower(_ act: @escaping @Sendable (isolated PeripheralCore, RadioState) -> Void) -> UInt64 {
    central.assumeIsolated { central in
      central.watchState { [weak self] state in
        guard ![.unknown, .resetting, .poweredOff].contains(state.power) else { return }
        self?.assumeIsolated { act($0, state) }
      }
    }
  }

  func endWatch(_ watch: UInt64) { central.assumeIsolated { $0.endWatch(watch) } }

  func error(for state: RadioState) -> BluetoothError {
    let attempt = attempt(.connect)
    return CentralCore.error(for: state, .connect, on: attempt.subject, attempt.language)
  }

  /// Why nothing can be connected in a state that lasts; `nil` if it can.
  func refusal(in state: RadioState) -> BluetoothError? { state.isPoweredOn ? nil : error(for: state) }

  func endPowerWait() {
    guard let wait = powerWait else { return }
    powerWait = nil
    endWatch(wait.watch)
    if let timer = wait.timer { executor.cancel(timer) }
  }

  // MARK: The link

  private func linkEvent(_ event: LinkEvent, of number: UInt64) {
    guard claim?.number == number, link != nil else { return }
    switch event {
    case .disconnected(let failure): linkLost(failure)
    case .mtuChanged(let mtu): updateFacts { $0.mtu = mtu }
    case .parametersChanged, .phyChanged, .dataLengthChanged: break
    case .servicesChanged(let range):
      let change = ServiceChange(handles: range, known: facts.services)
      database.forget()
      updateFacts { $0.services = [] }
      serviceChanges.send(change)
      renewFeeds(in: range)
    }
  }

  private func linkLost(_ failure: RadioFailure) {
    let comesBack = claim?.isReady == true || reconnecting != nil
    giveUpClaim()
    let loss = LinkLoss(failure: failure)
    let error = attempt(.connection).error(loss)
    central.log(.warning, .connection, error.message(in: .english), error.message(in: .simplifiedChinese))
    updateFacts { $0.lastError = error }
    endLinkWork(loss)
    if !comesBack { setState(.disconnected(error)) }
    central.connectionEvents.send(.disconnected(handle, error))
    if comesBack { reconnect(after: error) } else { failConnectWaiters(attempt(.connect).error(loss)) }
  }

  /// Ends all that ran on the link; a new one begins clean.
  func endLinkWork(_ loss: LinkLoss) {
    lastLoss = loss
    let ended = running.sorted { $0.key < $1.key }
    running = [:]
    discoveries = [:]
    database = DiscoveredDatabase()
    updateFacts { $0.mtu = PeripheralFacts.defaultMTU }
    for (_, end) in ended { end(loss) }
    linkLostForFeeds(loss)
    linkLostForWaiting(loss)
  }

  func setState(_ state: ConnectionState) {
    states.send(state)
    central.roster.set(self, isConnected: state.isReady)
  }
}
