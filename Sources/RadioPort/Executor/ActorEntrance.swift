/// A way into an actor for who is on its executor already, made once and used for every packet.
///
/// It is `assumeIsolated` for what happens all the time. That one makes a closure for each call, and has the runtime find
/// out where it is called from, which knows nothing of executors of our own: together a third of what a host does with
/// a packet. This one asks the executor itself.
package struct ActorEntrance<Target: Actor, Input>: Sendable {
  @usableFromInline let executor: any RadioExecutor
  @usableFromInline let body: @Sendable (Target, Input) -> Void

  /// - Parameter executor: The actor's.
  @inlinable
  package init(_ executor: any RadioExecutor, _ body: @escaping @Sendable (isolated Target, Input) -> Void) {
    self.executor = executor
    // An isolated parameter is passed like any other, on which `assumeIsolated` relies too. What it promises, that the
    // caller is on the actor's executor, is checked with each call.
    self.body = unsafeBitCast(body, to: (@Sendable (Target, Input) -> Void).self)
  }

  /// Runs the body on the actor, at once. Traps, like `assumeIsolated`, if the caller is somewhere else.
  @inlinable
  package func callAsFunction(_ target: Target, _ input: Input) {
    precondition(executor.isCurrent, "This belongs on the executor of \(Target.self), but runs somewhere else.")
    body(target, input)
  }
}
