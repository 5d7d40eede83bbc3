import Synchronization

/// The clock of one radio: virtual in a simulated world, else the system's steady one.
public struct RadioClock: Clock, Sendable {
  /// Whose time it is.
  public let executor: any RadioExecutor

  /// The clock of `executor`.
  public init(executor: any RadioExecutor) { self.executor = executor }

  /// The moment that it is.
  public var now: RadioInstant { executor.now }
  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends until `deadline`; `tolerance` has no effect.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled, or the simulated world that has this time has ended.
  public nonisolated(nonsending) func sleep(until deadline: RadioInstant, tolerance: Duration? = nil) async throws {
    let sleeper = Sleeper(executor: executor)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { sleeper.begin(until: deadline, $0) }
    } onCancel: {
      sleeper.finish(.failure(CancellationError()))
    }
  }

  /// Suspends for `duration`.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled, or the simulated world that has this time has ended.
  public nonisolated(nonsending) func sleep(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration))
  }
}

/// One sleep: resumed once, by its timer or by cancellation, whichever comes first.
private final class Sleeper: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Void, any Error>, RadioTimer?)
    case finished(Result<Void, any Error>)
  }

  private let executor: any RadioExecutor
  private let state = Mutex(State.idle)

  init(executor: any RadioExecutor) { self.executor = executor }

  func begin(until deadline: RadioInstant, _ continuation: CheckedContinuation<Void, any Error>) {
    let early: Result<Void, any Error>? = state.withLock { state in
      if case .finished(let result) = state { return result }
      state = .waiting(continuation, nil)
      return nil
    }
    if let early { return continuation.resume(with: early) }
    let timer = executor.schedule(at: deadline, orAtEnd: { self.finish(.failure(CancellationError())) }) {
      self.finish(.success(()))
    }
    let late = state.withLock { state in
      guard case .waiting(let continuation, _) = state else { return true }
      state = .waiting(continuation, timer)
      return false
    }
    if late { executor.cancel(timer) }
  }

  func finish(_ result: Result<Void, any Error>) {
    let before = state.withLock { state in
      defer { if case .finished = state {} else { state = .finished(result) } }
      return state
    }
    guard case .waiting(let continuation, let timer) = before else { return }
    if let timer { executor.cancel(timer) }
    continuation.resume(with: result)
  }
}
