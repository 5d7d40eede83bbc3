import RadioPort
import Synchronization

/// What waits between a producer that never waits and readers that do: the effects around a ``MailboxMachine``.
final class Mailbox<Element: Sendable>: Sendable {
  /// What became of an element that was sent.
  enum Delivery { case kept, dropped, overflowed }

  private let machine: Mutex<MailboxMachine<Element>>
  private let readerCount = Atomic<UInt64>(0)

  init(limit: MailboxMachine<Element>.Limit = .none) { machine = Mutex(MailboxMachine(limit: limit)) }

  /// Hands over one element, in the place of an older one about the same device, if one still waits.
  @discardableResult
  func send(_ element: Element, about device: PeerID? = nil) -> Delivery {
    switch machine.withLock({ $0.send(element, about: device) }) {
    case .none: return .kept
    case .dropped: return .dropped
    case .overflowed: return .overflowed
    case .resume(let reader, let element):
      reader.resume(returning: element)
      return .kept
    }
  }

  /// Ends the stream behind what was sent: with `nil`, or by throwing `error` once.
  func finish(_ error: (any Error)? = nil) {
    let ending: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
    var readers = machine.withLock { $0.end(ending) }
    guard !readers.isEmpty else { return }
    let first = readers.removeFirst()
    if let error { first.resume(throwing: error) } else { first.resume(returning: nil) }
    for reader in readers { reader.resume(returning: nil) }
  }

  /// Ends the stream and forgets what was not read.
  func discard() {
    finish()
    machine.withLock { $0.discard() }
  }

  /// The next element, `nil` at the end.
  ///
  /// - Throws: What the stream was ended with; `CancellationError` as soon as the task is cancelled, after which the
  ///   stream is at its end.
  func next(
    isolation: isolated (any Actor)? = #isolation,
    onCancel stop: @escaping @Sendable () -> Void
  ) async throws -> Element? {
    let id = readerCount.add(1, ordering: .relaxed).newValue
    return try await withTaskCancellationHandler {
      // A closure is isolated as its function is only if it captures the parameter that says so (SE-0420).
      _ = isolation
      return try await withCheckedThrowingContinuation { (reader: MailboxMachine<Element>.Reader) in
        // The cancellation handler needs the lock, so a cancellation is seen here or finds the reader.
        let action = machine.withLock { machine -> MailboxMachine<Element>.ReadAction in
          guard !Task.isCancelled else {
            machine.discard()
            return .failure(CancellationError())
          }
          return machine.read(id, reader)
        }
        switch action {
        case .wait: break
        case .element(let element): reader.resume(returning: element)
        case .failure(let error): reader.resume(throwing: error)
        }
      }
    } onCancel: {
      let reader = machine.withLock { machine in
        let reader = machine.cancel(id)
        if reader != nil { machine.discard() }
        return reader
      }
      reader?.resume(throwing: CancellationError())
      stop()
    }
  }
}
