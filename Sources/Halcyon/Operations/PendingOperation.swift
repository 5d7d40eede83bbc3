import RadioPort
import Synchronization

/// One asynchronous operation that somebody waits for: the effects around an ``OperationMachine``.
///
/// May be ended from anywhere; what is to be undone at the radio runs on the radio's executor.
final class PendingOperation<Value: Sendable>: Sendable {
  private let executor: any RadioExecutor
  private let machine = Mutex(OperationMachine<Value>())

  init(executor: any RadioExecutor) { self.executor = executor }

  /// Ends with the radio's reply. Late replies have no effect.
  func finish(_ outcome: Result<Value, any Error>) { end(outcome, givenUp: nil) }

  /// Settles the outcome, which from now on can not be given up any more; the caller is told of it when the result is
  /// called. `nil` if the operation has ended before.
  func settle(_ outcome: Result<Value, any Error>) -> (@Sendable () -> Void)? {
    guard let ending = machine.withLock({ $0.end(outcome, givenUp: nil) }) else { return nil }
    return { self.perform(ending) }
  }

  /// Ends without the radio's reply, which is no longer wanted.
  func giveUp(_ error: any Error) { end(.failure(error), givenUp: error) }

  /// Keeps what is to be done on the executor when the operation ends; does it now if it has ended.
  func onEnd(_ cleanUp: @escaping OperationCleanUp) {
    guard let givenUp = machine.withLock({ $0.attach(cleanUp) }) else { return }
    executor.run { cleanUp(givenUp) }
  }

  private func end(_ outcome: Result<Value, any Error>, givenUp: (any Error)?) {
    guard let ending = machine.withLock({ $0.end(outcome, givenUp: givenUp) }) else { return }
    perform(ending)
  }

  private func perform(_ ending: OperationMachine<Value>.Ending) {
    if let timer = ending.timer { executor.cancel(timer) }
    if let cleanUp = ending.cleanUp { executor.run { cleanUp(ending.givenUp) } }
    ending.continuation?.resume(with: ending.outcome)
  }

  /// Whether the operation is to be started; if not, the caller has its outcome.
  private func begin(
    _ continuation: CheckedContinuation<Value, any Error>,
    deadline: RadioInstant?,
    timeout: @escaping @Sendable () -> any Error
  ) -> Bool {
    if let outcome = machine.withLock({ $0.begin(continuation) }) {
      continuation.resume(with: outcome)
      return false
    }
    if let deadline {
      // Where time has ended, as in a world that is over, the deadline counts as reached.
      let giveUp: @Sendable () -> Void = { [weak self] in self?.giveUp(timeout()) }
      let timer = executor.schedule(at: deadline, orAtEnd: giveUp, giveUp)
      if !machine.withLock({ $0.attach(timer) }) { executor.cancel(timer) }
    }
    return true
  }

  /// Waits for an operation that `start` sets going, in one step with the registration of who waits for it.
  ///
  /// - Throws: What the operation ends with; `CancellationError` as soon as the task is cancelled; `timeout()` at the
  ///   deadline.
  static func run(
    on executor: any RadioExecutor,
    isolation: isolated (any Actor)? = #isolation,
    deadline: RadioInstant?,
    timeout: @escaping @Sendable () -> any Error,
    start: (PendingOperation<Value>) -> Void
  ) async throws -> Value {
    let operation = PendingOperation<Value>(executor: executor)
    return try await withTaskCancellationHandler {
      // A closure is isolated as its function is only if it captures the parameter that says so (SE-0420).
      _ = isolation
      return try await withCheckedThrowingContinuation { continuation in
        if operation.begin(continuation, deadline: deadline, timeout: timeout) { start(operation) }
      }
    } onCancel: {
      operation.giveUp(CancellationError())
    }
  }
}
