import RadioPort

/// The operations of a peripheral in the order in which they were called: each makes its request when those before it
/// have made theirs. They look up and discover side by side.
struct OperationOrder {
  private var entered: [UInt64] = []
  private var waiting: [UInt64: PendingOperation<Void>] = [:]

  mutating func enter(_ ticket: UInt64) { entered.append(ticket) }

  func isNext(_ ticket: UInt64) -> Bool { entered.first == ticket }

  mutating func wait(_ ticket: UInt64, _ operation: PendingOperation<Void>) { waiting[ticket] = operation }

  /// One has made its request, or has given up. Returns who may go on, if somebody waits for that.
  mutating func leave(_ ticket: UInt64) -> PendingOperation<Void>? {
    waiting[ticket] = nil
    let wasFirst = entered.first == ticket
    entered.removeAll { $0 == ticket }
    guard wasFirst, let next = entered.first else { return nil }
    return waiting.removeValue(forKey: next)
  }
}

/// Those who use something one after the other.
struct TurnQueue {
  private var waiting: [(number: UInt64, operation: PendingOperation<Void>)] = []

  mutating func append(_ number: UInt64, _ operation: PendingOperation<Void>) { waiting.append((number, operation)) }

  mutating func remove(_ number: UInt64) { waiting.removeAll { $0.number == number } }

  /// Who is next, and has not given up.
  mutating func next() -> (@Sendable () -> Void)? {
    while !waiting.isEmpty {
      if let tell = waiting.removeFirst().operation.settle(.success(())) { return tell }
    }
    return nil
  }
}

/// What is used by one operation after the other.
enum TurnKey: Hashable {
  /// Sending in parts to a value.
  case transfer(UInt16)
  /// Waiting for an answer from a value.
  case answer(UInt16)
}

extension PeripheralCore {
  /// Takes a place in the order. It is left in one step with the request, see
  /// ``request(_:on:deadline:leaving:send:)``, or when there will be none: an await in between lets others overtake. None
  /// for the work of a set-up, which must not wait for those who wait for it.
  func enterOrder() -> UInt64? {
    guard !isInSetUp else { return nil }
    let ticket = nextNumber()
    order.enter(ticket)
    return ticket
  }

  /// Waits until all that were called before have made their requests.
  func awaitOrder(_ ticket: UInt64?, for attempt: Attempt, deadline: RadioInstant?) async throws {
    guard let ticket, !order.isNext(ticket) else { return }
    try await PendingOperation<Void>.run(on: executor, deadline: deadline, timeout: { attempt.timedOut }) {
      operation in
      // Looked at again: the check and the registration must be one step.
      guard !order.isNext(ticket) else { return operation.finish(.success(())) }
      let number = nextNumber()
      running[number] = { loss in operation.giveUp(attempt.error(loss)) }
      order.wait(ticket, operation)
      operation.onEnd { [weak self] _ in self?.assumeIsolated { $0.running[number] = nil } }
    }
  }

  /// Does nothing if it was left before.
  func leaveOrder(_ ticket: UInt64?) {
    if let ticket { order.leave(ticket)?.finish(.success(())) }
  }

  /// Waits until nobody else uses what `key` names. Give it back with ``giveBack(_:)``.
  func takeTurn(_ key: TurnKey, for attempt: Attempt, deadline: RadioInstant?) async throws {
    guard turns[key] != nil else {
      turns[key] = TurnQueue()
      return
    }
    try await PendingOperation<Void>.run(on: executor, deadline: deadline, timeout: { attempt.timedOut }) {
      operation in
      // Looked at again, for the same reason.
      guard turns[key] != nil else {
        turns[key] = TurnQueue()
        return operation.finish(.success(()))
      }
      let number = nextNumber()
      running[number] = { loss in operation.giveUp(attempt.error(loss)) }
      turns[key]?.append(number, operation)
      operation.onEnd { [weak self] _ in
        self?.assumeIsolated { core in
          core.running[number] = nil
          core.turns[key]?.remove(number)
        }
      }
    }
  }

  func giveBack(_ key: TurnKey) {
    if let tell = turns[key]?.next() { tell() } else { turns[key] = nil }
  }
}
