import Foundation

/// State behind a lock, for objects that any thread may use.
///
/// The objects of this module are not marked `Sendable`, as Apple's are not: clients mark them themselves.
// @unchecked: the state is touched only with the lock held.
final class Guarded<State>: @unchecked Sendable {
  private let lock = NSLock()
  private var state: State

  init(_ state: State) { self.state = state }

  /// Touches the state. Calls nothing that may take the lock again.
  func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }
}

/// Takes one of this module's objects to another thread.
// @unchecked: all that such an object holds is guarded or does not change.
struct Carried<Object>: @unchecked Sendable {
  let object: Object

  init(_ object: Object) { self.object = object }
}

/// The same without keeping the object.
// @unchecked: all that such an object holds is guarded or does not change, and the reference is never set again.
struct WeakCarried<Object: AnyObject>: @unchecked Sendable {
  private(set) weak var object: Object?

  init(_ object: Object) { self.object = object }
}

/// A reference without keeping the object, for who must be made before the object is.
// @unchecked: the reference is behind a lock, and all that such an object holds is guarded or does not change.
final class LateReference<Object: AnyObject>: @unchecked Sendable {
  private struct State { weak var object: Object? }
  private let guarded = Guarded(State())

  var object: Object? { guarded.withLock { $0.object } }

  func set(_ object: Object) { guarded.withLock { $0.object = object } }
}
