import RadioPort

/// What can go wrong with a simulated run itself, whatever its body does.
package enum LoopFailure: Hashable, Sendable {
  /// What came from another thread.
  package enum Subject: Hashable, Sendable {
    /// A task, or a call of an actor.
    case task
    /// A closure for the loop.
    case work
    /// A timer.
    case timer
  }

  /// Something that belongs to the world runs on another thread, so that the run can not be repeated.
  case escaped(Subject, thread: String, at: RadioInstant)
  /// A sleep of a clock that is not the world's.
  case realSleep(clock: String, at: RadioInstant)
  /// The body waits, but nothing is left that could happen.
  case stalled(at: RadioInstant)
  /// The body still runs when the world's time limit is reached.
  case outOfTime(limit: Duration)
  /// Jobs follow jobs, and time stands still.
  case spinning(jobs: Int, at: RadioInstant)
  /// The system has no thread left for the world.
  case noThread
}
