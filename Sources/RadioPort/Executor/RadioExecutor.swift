/// Where a radio and all that belongs to it runs, and the source of its time.
///
/// It runs one job at a time, in the order in which they came. As it is a task executor too, a task that prefers it
/// stays on it between its steps: `Task(executorPreference: radio.executor) { … }`.
public protocol RadioExecutor: SerialExecutor, TaskExecutor {
  /// The radio's time. May be read from anywhere.
  var now: RadioInstant { get }

  /// Runs `work` here, after all that was submitted before. May be called from anywhere.
  func submit(_ work: @escaping @Sendable () -> Void)

  /// Runs `work` here once time has reached `deadline`; work of equal deadlines runs in the order of the calls.
  /// May be called from anywhere.
  @discardableResult
  func schedule(at deadline: RadioInstant, _ work: @escaping @Sendable () -> Void) -> RadioTimer

  /// Like `schedule(at:_:)`; runs `ended` instead if the executor ends before time has reached `deadline`, as that of a
  /// simulated world does.
  @discardableResult
  func schedule(
    at deadline: RadioInstant,
    orAtEnd ended: @escaping @Sendable () -> Void,
    _ work: @escaping @Sendable () -> Void
  ) -> RadioTimer

  /// Takes back what `schedule` was told; does nothing if it has run.
  func cancel(_ timer: RadioTimer)

  /// Whether the caller runs here at this moment.
  var isCurrent: Bool { get }

  /// Whether the app's own code runs here too, as in a simulated world, so that calls of the app must not leave the
  /// thread.
  var runsAppCode: Bool { get }
}

/// Names one scheduled piece of work of one executor.
public struct RadioTimer: Hashable, Sendable {
  /// Given out by the executor, never twice.
  public let rawValue: UInt64
  /// Where a ``TimerQueue`` keeps it.
  package let slot: Int?

  /// A timer from the number that the executor chose.
  public init(rawValue: UInt64) { self.init(rawValue: rawValue, slot: nil) }

  package init(rawValue: UInt64, slot: Int?) {
    self.rawValue = rawValue
    self.slot = slot
  }
}

extension RadioExecutor {
  /// What is right for executors of real time.
  public var runsAppCode: Bool { false }

  /// What is right for an executor that does not end before its process.
  @discardableResult
  public func schedule(
    at deadline: RadioInstant,
    orAtEnd ended: @escaping @Sendable () -> Void,
    _ work: @escaping @Sendable () -> Void
  ) -> RadioTimer {
    schedule(at: deadline, work)
  }

  /// Runs `work` at once if the caller is already here, else submits it.
  public func run(_ work: @escaping @Sendable () -> Void) {
    if isCurrent { work() } else { submit(work) }
  }

  /// The clock of this executor's time line.
  public var clock: RadioClock { RadioClock(executor: self) }
}
