import BluetoothTypes
import RadioPort
import Synchronization

/// Waits for the answer to a command: what comes after the command was sent, and is an answer to it.
final class AnswerReader: FeedReader {
  let plan: ValuePlan
  private let isAnswer: @Sendable ([UInt8]) -> Bool
  private let state = Mutex(State())

  private struct State {
    var feedNumber: UInt64?
    var subscription: PendingOperation<Void>?
    var isSubscribed: Result<Void, any Error>?
    var exchange: PendingOperation<[UInt8]>?
    /// The device may answer before it has confirmed the command, and may refuse the command all the same.
    var isConfirmed = false
    var answer: [UInt8]?
  }

  init(plan: ValuePlan, isAnswer: @escaping @Sendable ([UInt8]) -> Bool) {
    self.plan = plan
    self.isAnswer = isAnswer
  }

  var feedNumber: UInt64? {
    get { state.withLock { $0.feedNumber } }
    set { state.withLock { $0.feedNumber = newValue } }
  }

  func receive(_ bytes: [UInt8]) -> FeedDelivery {
    guard state.withLock({ $0.exchange != nil && $0.answer == nil }), isAnswer(bytes) else { return .taken }
    state.withLock { $0.answer = bytes }
    finishIfComplete()
    return .taken
  }

  func subscribed() { settle(.success(())) }

  func end(_ error: BluetoothError) {
    settle(.failure(error))
    state.withLock { $0.exchange }?.finish(.failure(error))
  }

  private func settle(_ outcome: Result<Void, any Error>) {
    let waiter = state.withLock { state in
      state.isSubscribed = outcome
      return state.subscription
    }
    waiter?.finish(outcome)
  }

  /// Ends `operation` when the device has agreed to the subscription.
  func tell(_ operation: PendingOperation<Void>) {
    let outcome = state.withLock { state in
      state.subscription = operation
      return state.isSubscribed
    }
    if let outcome { operation.finish(outcome) }
  }

  /// From now on what comes may be the answer.
  func begin(_ exchange: PendingOperation<[UInt8]>) { state.withLock { $0.exchange = exchange } }

  /// The command was written, or refused.
  func confirmed(_ result: Result<Void, any Error>) {
    switch result {
    case .success:
      state.withLock { $0.isConfirmed = true }
      finishIfComplete()
    case .failure(let error): state.withLock { $0.exchange }?.finish(.failure(error))
    }
  }

  private func finishIfComplete() {
    let (exchange, answer) = state.withLock { ($0.exchange, $0.isConfirmed ? $0.answer : nil) }
    if let answer { exchange?.finish(.success(answer)) }
  }
}

extension PeripheralCore {
  /// Writes a command and waits for its answer on another characteristic, or the same. Exchanges with one answering
  /// characteristic go one after the other, so that none takes another's answer.
  func exchange(
    _ command: [UInt8],
    on name: CharacteristicName,
    answer answerName: CharacteristicName,
    type: WriteType,
    timeout: Timeout,
    isAnswer: @escaping @Sendable ([UInt8]) -> Bool
  ) async throws -> [UInt8] {
    let limit = timeout.duration(standard: central.configuration.timeouts.request)
    let attempt = attempt(.request, name, limit: limit)
    let deadline = central.deadline(after: limit)
    guard !command.isEmpty else { throw attempt.error(.empty) }
    let target = try await resolveInTurn(name, for: attempt, deadline: deadline)
    let withResponse = try usesResponse(type, for: command, to: target, attempt)
    let answering = try await resolveInTurn(answerName, for: attempt, deadline: deadline)
    try require([.notify, .indicate], of: answering, for: attempt)

    let key = TurnKey.answer(answering.characteristic.handle.rawValue)
    try await takeTurn(key, for: attempt, deadline: deadline)
    defer { giveBack(key) }
    let reader = AnswerReader(
      plan: ValuePlan(name: answerName, buffering: .unbounded, onReconnect: .end, limit: nil),
      isAnswer: isAnswer
    )
    defer { if let number = reader.feedNumber { endFeed(number) } }
    try await PendingOperation<Void>.run(on: executor, deadline: deadline, timeout: { attempt.timedOut }) {
      operation in
      reader.tell(operation)
      begin(reader)
    }
    return try await PendingOperation<[UInt8]>.run(on: executor, deadline: deadline, timeout: { attempt.timedOut }) {
      operation in
      guard self.link == target.link else { return operation.finish(.failure(attempt.error(lastLoss))) }
      let number = nextNumber()
      running[number] = { loss in operation.giveUp(attempt.error(loss)) }
      reader.begin(operation)
      let request = access.write(command, to: target, withResponse) { result in
        reader.confirmed(result.mapError { attempt.error($0) })
      }
      let access = access
      operation.onEnd { [weak self] givenUp in
        self?.assumeIsolated { $0.running[number] = nil }
        if givenUp != nil { access.abandon(request) }
      }
    }
  }
}
