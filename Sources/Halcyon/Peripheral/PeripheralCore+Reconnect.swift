import RadioPort

extension PeripheralCore {
  /// What lies at least between two attempts.
  private static let leastPause = Duration.milliseconds(100)

  /// The connection is lost, or an attempt to get it back has failed: goes on as the plan says.
  func reconnect(after error: BluetoothError) {
    stopAttempt()
    var next = reconnecting ?? Reconnecting()
    next.attempt += 1
    guard let step = plan.reconnect.decide(error, next.attempt, access.chance) else { return giveUpReconnecting(error) }
    if let lasting = lastingRefusal { return giveUpReconnecting(lasting) }
    next.isBounded = step.isBounded
    reconnecting = next
    setState(.reconnecting(attempt: next.attempt))
    // A radio or a device that refuses at once is not to be asked without end at one moment.
    let pause = next.attempt > 1 ? max(step.pause, Self.leastPause) : step.pause
    central.log(
      .info,
      .connection,
      "reconnecting to \(id), attempt \(next.attempt), after \(pause)",
      "正在重新连接 \(id)，第 \(next.attempt) 次，等待 \(pause)"
    )
    if pause <= .zero { return beginAttempt() }
    reconnecting?.timer = executor.schedule(at: executor.now.advanced(by: pause)) { [weak self] in
      self?.assumeIsolated { core in
        guard core.reconnecting != nil, core.claim == nil else { return }
        core.beginAttempt()
      }
    }
  }

  /// Why Bluetooth will not be on again, if that is so.
  private var lastingRefusal: BluetoothError? {
    guard let state = central.states.current, [.unsupported, .unauthorized].contains(state.power) else { return nil }
    return error(for: state)
  }

  /// Begins an attempt now, or as soon as Bluetooth is on.
  func beginAttempt() {
    stopAttempt()
    let state = central.states.current ?? .unknown
    guard state.isPoweredOn else { return attemptWhenPowered() }
    if reconnecting?.isBounded == true, let limit = central.configuration.timeouts.connect {
      let attempt = attempt(.connect, limit: limit)
      reconnecting?.timer = executor.schedule(at: executor.now.advanced(by: limit)) { [weak self] in
        self?.assumeIsolated { core in
          guard core.reconnecting != nil, core.claim != nil, core.link == nil else { return }
          core.dropClaim()
          core.connectFailed(attempt.timedOut)
        }
      }
    }
    beginConnect()
  }

  /// Waits for Bluetooth, without counting that as an attempt.
  func attemptWhenPowered() {
    stopAttempt()
    if let lasting = lastingRefusal { return giveUpReconnecting(lasting) }
    reconnecting?.watch = watchPower { core, state in
      core.stopAttempt()
      guard core.reconnecting != nil, core.claim == nil else { return }
      if let error = core.refusal(in: state) { core.giveUpReconnecting(error) } else { core.beginAttempt() }
    }
  }

  /// The connection will not come back by itself.
  private func giveUpReconnecting(_ error: BluetoothError) {
    let isGivenUp = !plan.reconnect.isNever
    endReconnecting()
    updateFacts { $0.lastError = error }
    setState(.disconnected(error))
    failConnectWaiters(error)
    // Nothing is to be waited for any more.
    if isGivenUp { endFeedsWithoutLink(error) }
  }

  /// Ends what the present attempt waits for.
  private func stopAttempt() {
    if let timer = reconnecting?.timer { executor.cancel(timer) }
    if let watch = reconnecting?.watch { endWatch(watch) }
    reconnecting?.timer = nil
    reconnecting?.watch = nil
  }

  func endReconnecting() {
    stopAttempt()
    reconnecting = nil
  }
}
