import RadioPort

/// What is to be undone or forgotten when an operation ends; told why, if that was not the radio's reply.
typealias OperationCleanUp = @Sendable (_ givenUp: (any Error)?) -> Void

/// The life of one asynchronous operation, which ends exactly once: with its reply, or with the cause of its absence.
///
/// A value without effects of its own: each step says what its owner has to do, outside of any lock.
struct OperationMachine<Value: Sendable> {
  typealias Outcome = Result<Value, any Error>

  /// What the owner does when the operation ends.
  struct Ending: Sendable {
    var continuation: CheckedContinuation<Value, any Error>?
    var outcome: Outcome
    var timer: RadioTimer?
    var cleanUp: OperationCleanUp?
    var givenUp: (any Error)?
  }

  private enum State {
    case created
    case waiting(CheckedContinuation<Value, any Error>, timer: RadioTimer?, cleanUp: OperationCleanUp?)
    case ended(Outcome, givenUp: (any Error)?)
  }

  private var state = State.created

  /// The caller waits. Returns the outcome if it is settled already, as by a cancellation that came first.
  mutating func begin(_ continuation: CheckedContinuation<Value, any Error>) -> Outcome? {
    switch state {
    case .created:
      state = .waiting(continuation, timer: nil, cleanUp: nil)
      return nil
    case .waiting(_, _, _): return .failure(CancellationError())
    case .ended(let outcome, _): return outcome
    }
  }

  /// Keeps the timer that bounds the operation. Returns `false` if it is over and the timer is to be cancelled.
  mutating func attach(_ timer: RadioTimer) -> Bool {
    guard case .waiting(let continuation, nil, let cleanUp) = state else { return false }
    state = .waiting(continuation, timer: timer, cleanUp: cleanUp)
    return true
  }

  /// Keeps what is to be done at the end. Returns the argument for it if the end has come already.
  mutating func attach(_ cleanUp: @escaping OperationCleanUp) -> (any Error)?? {
    switch state {
    case .created: return .some(CancellationError())
    case .waiting(let continuation, let timer, _):
      state = .waiting(continuation, timer: timer, cleanUp: cleanUp)
      return nil
    case .ended(_, let givenUp): return .some(givenUp)
    }
  }

  /// Ends the operation; `nil` if it has ended before.
  mutating func end(_ outcome: Outcome, givenUp: (any Error)?) -> Ending? {
    switch state {
    case .created:
      state = .ended(outcome, givenUp: givenUp)
      return Ending(outcome: outcome, givenUp: givenUp)
    case .waiting(let continuation, let timer, let cleanUp):
      state = .ended(outcome, givenUp: givenUp)
      return Ending(
        continuation: continuation,
        outcome: outcome,
        timer: timer,
        cleanUp: cleanUp,
        givenUp: givenUp
      )
    case .ended: return nil
    }
  }
}
