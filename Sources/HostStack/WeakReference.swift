/// A weak reference as a value, for closures that are called with every packet: a variable of theirs would have to be
/// guarded against being read while it is written.
struct WeakReference<Object: AnyObject & Sendable>: Sendable {
  private(set) weak var object: Object?

  init(_ object: Object) { self.object = object }
}
