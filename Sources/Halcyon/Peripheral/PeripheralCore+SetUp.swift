import RadioPort

/// Whether an operation may use the connection now.
enum Admission {
  case granted(LinkID)
  /// It waits until the connection is ready; for at most `bound` where that is limited.
  case waits(bound: Duration?)
  case refused
}

extension PeripheralCore {
  // MARK: Set-up

  /// Whether the caller belongs to the set-up of the present connection.
  var isInSetUp: Bool {
    guard let claim, claim.link != nil else { return false }
    return SetUpScope.current.contains(SetUpScope(peripheral: ObjectIdentifier(self), claim: claim.number))
  }

  /// Lets the program do its work on the connection before all others.
  func beginSetUp(_ number: UInt64) {
    guard let setUp = plan.setUp else { return }
    setState(.settingUp)
    let peripheral = handle
    let scope = SetUpScope(peripheral: ObjectIdentifier(self), claim: number)
    let task = Task(executorPreference: executor) { [weak self] in
      let result: Result<Void, any Error> = await SetUpScope.$current.withValue(SetUpScope.current + [scope]) {
        do {
          return .success(try await setUp(peripheral))
        } catch {
          return .failure(error)
        }
      }
      await self?.setUpEnded(number, result)
    }
    let timer = central.configuration.timeouts.setUp.map { limit in
      executor.schedule(at: executor.now.advanced(by: limit)) { [weak self] in
        self?.assumeIsolated { core in
          guard core.claim?.number == number, core.claim?.isReady == false else { return }
          core.setUpFailed(core.attempt(.setUp, limit: limit).timedOut)
        }
      }
    }
    claim?.setUp = SetUpRun(task, timer: timer, on: executor)
  }

  private func setUpEnded(_ number: UInt64, _ result: Result<Void, any Error>) {
    guard claim?.number == number, claim?.isReady == false else { return }
    switch result {
    case .success:
      guard let callers = settleCallers() else { return abandonConnect() }
      becomeReady(callers)
    case .failure(let error): setUpFailed(attempt(.setUp).error(.setUpFailed, underlying: error))
    }
  }

  /// A connection without its set-up is of no use: it is closed.
  private func setUpFailed(_ error: BluetoothError) {
    dropClaim()
    connectFailed(error)
  }

  // MARK: Who may use the connection

  /// Whether an operation of the caller's task may use the connection.
  var admission: Admission {
    if let claim, let link = claim.link { return claim.isReady || isInSetUp ? .granted(link) : .waits(bound: nil) }
    let policy = central.configuration.whenNotConnected
    return policy.waits ? .waits(bound: policy.bound) : .refused
  }

  /// The link that an operation may use; waits for it where that is right.
  func usableLink(for attempt: Attempt, deadline: RadioInstant?) async throws -> LinkID {
    var bound: RadioInstant?
    while true {
      switch admission {
      case .granted(let link): return link
      case .refused: throw attempt.error(.notConnected)
      case .waits(let limit):
        if bound == nil { bound = central.deadline(after: limit) }
        let isBoundFirst = bound.map { bound in deadline.map { bound < $0 } ?? true } ?? false
        try await PendingOperation<Void>.run(on: executor, deadline: isBoundFirst ? bound : deadline) {
          isBoundFirst ? attempt.error(.notConnected) : attempt.timedOut
        } start: { operation in
          // Looked at again: the check and the registration must be one step.
          guard case .waits = admission else { return operation.finish(.success(())) }
          let number = nextNumber()
          readyWaiters[number] = ReadyWaiter(operation: operation, attempt: attempt)
          operation.onEnd { [weak self] _ in self?.assumeIsolated { $0.readyWaiters[number] = nil } }
        }
      }
    }
  }

  /// The connection is ready: who waited for it goes on, in the order of the calls.
  func admitWaiting() {
    let waiters = readyWaiters.sorted { $0.key < $1.key }
    readyWaiters = [:]
    for (_, waiter) in waiters { waiter.operation.finish(.success(())) }
  }

  /// The connection was lost before it was ready: who is to wait for the next one does, others fail.
  func linkLostForWaiting(_ loss: LinkLoss) {
    guard loss.isLocal || !central.configuration.whenNotConnected.waits else { return }
    failWaiting(loss)
  }

  func failWaiting(_ loss: LinkLoss) {
    let waiters = readyWaiters.sorted { $0.key < $1.key }
    readyWaiters = [:]
    for (_, waiter) in waiters { waiter.operation.finish(.failure(waiter.attempt.error(loss))) }
  }
}

/// An operation that waits until the connection is ready.
struct ReadyWaiter {
  let operation: PendingOperation<Void>
  let attempt: Attempt
}
