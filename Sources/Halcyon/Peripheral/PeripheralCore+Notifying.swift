import BluetoothTypes
import RadioPort
import Synchronization

/// A subscription that is held by itself, without a reader of its own: for those who read ``ReceivedValues``.
final class HeldReader: FeedReader {
  let plan: ValuePlan
  private let state = Mutex(State())

  private struct State {
    var feedNumber: UInt64?
    var outcome: Result<Void, any Error>?
    var waiters: [PendingOperation<Void>] = []
  }

  init(plan: ValuePlan) { self.plan = plan }

  var feedNumber: UInt64? {
    get { state.withLock { $0.feedNumber } }
    set { state.withLock { $0.feedNumber = newValue } }
  }

  func receive(_ bytes: [UInt8]) -> FeedDelivery { .taken }

  func subscribed() { settle(.success(())) }

  func end(_ error: BluetoothError) { settle(.failure(error)) }

  /// Ends `operation` when the device has agreed, or refused.
  func tell(_ operation: PendingOperation<Void>) {
    let outcome = state.withLock { state in
      if state.outcome == nil { state.waiters.append(operation) }
      return state.outcome
    }
    if let outcome { operation.finish(outcome) }
  }

  /// Somebody no longer waits. Returns whether nobody else does.
  func forget(_ operation: PendingOperation<Void>) -> Bool {
    state.withLock { state in
      state.waiters.removeAll { $0 === operation }
      return state.waiters.isEmpty
    }
  }

  /// It was switched off before the device had agreed.
  func switchOff() { settle(.success(())) }

  private func settle(_ outcome: Result<Void, any Error>) {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      state.outcome = outcome
      return state.waiters
    }
    for waiter in waiters { waiter.finish(outcome) }
  }
}

extension PeripheralCore {
  func setNotifying(_ isOn: Bool, _ name: CharacteristicName, timeout: Timeout) async throws {
    let limit = timeout.duration(standard: central.configuration.timeouts.subscribe)
    let attempt = attempt(.subscribe, name, limit: limit)
    let deadline = central.deadline(after: limit)
    let target = try await resolveInTurn(name, for: attempt, deadline: deadline)
    let handle = target.characteristic.handle
    guard isOn else {
      for (number, reader) in heldReaders.sorted(by: { $0.key < $1.key }) where feeds[number]?.handle == handle {
        endFeed(number)
        reader.switchOff()
      }
      return
    }
    try require([.notify, .indicate], of: target, for: attempt)
    try await PendingOperation<Void>.run(on: executor, deadline: deadline, timeout: { attempt.timedOut }) {
      operation in
      guard link == target.link else { return operation.finish(.failure(attempt.error(lastLoss))) }
      let waiter = nextNumber()
      running[waiter] = { loss in operation.giveUp(attempt.error(loss)) }
      let number = hold(name, at: handle, limit: limit, telling: operation)
      operation.onEnd { [weak self] givenUp in
        self?.assumeIsolated { core in
          core.running[waiter] = nil
          guard givenUp != nil, let number, core.heldReaders[number]?.forget(operation) == true else { return }
          if core.feeds[number]?.isAgreed == false { core.endFeed(number) }
        }
      }
    }
  }

  /// Holds a subscription, or joins the one that is held. Returns the number of its feed, unless it has failed already.
  private func hold(
    _ name: CharacteristicName,
    at handle: AttributeHandle,
    limit: Duration?,
    telling operation: PendingOperation<Void>
  ) -> UInt64? {
    if let held = heldReaders.keys.sorted().first(where: { feeds[$0]?.handle == handle }) {
      heldReaders[held]?.tell(operation)
      return held
    }
    let plan = ValuePlan(name: name, buffering: .unbounded, onReconnect: .resubscribe, limit: limit)
    let reader = HeldReader(plan: plan)
    reader.tell(operation)
    begin(reader)
    guard let number = reader.feedNumber, feeds[number] != nil else { return nil }
    heldReaders[number] = reader
    return number
  }

  /// Whether the device has agreed to a subscription to this characteristic on the present connection.
  func isNotifying(_ name: CharacteristicName) -> Bool {
    guard let link, case .found(let target) = CharacteristicLookup(name, in: database.services, on: link) else {
      return false
    }
    return feeds.values.contains { $0.isAgreed && $0.handle == target.characteristic.handle }
  }
}
