import RadioPort

/// Why a simulated run counts as failed, whatever its body did: it can not be repeated, or it did not come to an end.
public struct WorldError: Error, Hashable, Sendable {
  /// What went wrong; an open set.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The name of the kind.
    public let rawValue: String
    /// A kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Something that belongs to the world ran on a thread that is not the world's, so the run can not be repeated.
    public static let escaped = Self(rawValue: "escaped")
    /// A task slept by `Task.sleep` or a standard clock instead of by the world's clock.
    public static let realSleep = Self(rawValue: "realSleep")
    /// The body waits for something, and nothing is left that could bring it.
    public static let stalled = Self(rawValue: "stalled")
    /// The body had not ended when the world's time limit was reached.
    public static let outOfTime = Self(rawValue: "outOfTime")
    /// Jobs follow jobs without end, and time can not go on.
    public static let spinning = Self(rawValue: "spinning")
    /// The system could not give the world a thread.
    public static let noThread = Self(rawValue: "noThread")
  }

  /// What went wrong.
  public let kind: Kind
  /// The seed of the world.
  public let seed: UInt64
  /// The world's time when it was noticed.
  public let time: RadioInstant
  /// What happened and what to do about it.
  public let reason: String
}

extension WorldError: CustomStringConvertible {
  /// The kind, the world and the reason.
  public var description: String {
    "\(kind.rawValue): the world with seed \(seed), at \(time.sinceStart): \(reason)"
  }
}

extension WorldError {
  /// - Parameters:
  ///   - bodyError: What the body threw, if it did.
  ///   - now: The world's time at its end.
  init(_ failure: LoopFailure, seed: UInt64, now: RadioInstant, bodyError: (any Error)?) {
    self.seed = seed
    let cause: String
    switch failure {
    case .escaped(let subject, let thread, let moment):
      kind = .escaped
      time = moment
      cause = """
        \(subject.phrase) came to the world from the thread "\(thread)", which is not the world's own. A run that other \
        threads take part in is not repeatable. Look for Dispatch queues, threads, callbacks of other frameworks, \
        globalConcurrentExecutor and sleeps on other clocks than the world's; keep such work out of the test, or let \
        it run as a plain task.
        """
    case .realSleep(let clock, let moment):
      kind = .realSleep
      time = moment
      cause = """
        a task slept on \(clock), whose time is not the world's. Sleep by the radio's clock: world.clock.sleep(for:), \
        world.run(for:), or pass a clock to the code under test.
        """
    case .stalled(let moment):
      kind = .stalled
      time = moment
      cause = """
        the body has not ended, but nothing is left to run and no timer is set, so what it waits for never comes. Look \
        for a stream that is not finished, a continuation that is not resumed, a device that was never added or does \
        not send, a sleep on a clock that is not the world's (use world.clock) and work on a thread or queue of its own.
        """
    case .outOfTime(let limit):
      kind = .outOfTime
      time = now
      cause = """
        the body had not ended when the world's time limit of \(limit) was reached. It waits for something that does \
        not come, perhaps from a real thread or clock; if it needs that long, pass a larger timeLimit.
        """
    case .spinning(let jobs, let moment):
      kind = .spinning
      time = moment
      cause = """
        \(jobs) jobs ran while the world's time stood still. Time goes on only when nothing is left to run, so a loop \
        that waits by Task.yield() waits for ever: await an event, or sleep by world.clock.
        """
    case .noThread:
      kind = .noThread
      time = now
      cause = "the system has no thread left for the world. Run fewer worlds at once."
    }
    switch bodyError {
    case nil, is CancellationError: reason = cause
    case .some(let error): reason = "\(cause) The body threw: \(error)"
    }
  }
}

extension LoopFailure.Subject {
  fileprivate var phrase: String {
    switch self {
    case .task: "a task or a call of an actor"
    case .work: "a piece of work"
    case .timer: "a timer"
    }
  }
}
