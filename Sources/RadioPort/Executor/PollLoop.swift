import BluetoothTypes
import Synchronization

/// Where a live radio runs: one thread that runs jobs first in, first out, waits for timers and file descriptors with
/// `poll`, and tells the system's steady time.
///
/// The thread starts with the first work and lasts until ``stop(ended:)``. Work that comes from the loop's own thread
/// costs no system call; work from elsewhere costs one, and only if the loop sleeps.
package final class PollLoop: RadioExecutor, FileDescriptorWatcher {
  enum Work: Sendable {
    case job(UnownedJob)
    case closure(@Sendable () -> Void)
  }

  struct State {
    var queue: [Work] = []
    var timers = TimerQueue()
    var watches = WatchTable()
    var hasThread = false
    /// The thread is in `poll`, or about to be, and must be woken for new work.
    var isAsleep = false
    var isStopping = false
    var wake: WakePipe?
    var ended: [@Sendable () -> Void] = []
  }

  /// What `append` leaves to be done outside of the lock.
  private enum Consequence {
    case none
    case startThread
  }

  let state = Mutex(State())
  let threadIdentity = Atomic<UInt>(0)
  let pace: Pace

  /// - Parameter speed: How many seconds of the loop's time go by in one second; kept to `Pace.speeds`.
  package init(speed: Double = 1) { pace = Pace(speed: speed) }

  // MARK: Time

  package var now: RadioInstant { pace.now }

  @discardableResult
  package func schedule(at deadline: RadioInstant, _ work: @escaping @Sendable () -> Void) -> RadioTimer {
    insert(at: deadline, TimerQueue.Entry(work: work, ended: nil))
  }

  /// - Parameter ended: Runs if the loop is stopped before the deadline.
  @discardableResult
  package func schedule(
    at deadline: RadioInstant,
    orAtEnd ended: @escaping @Sendable () -> Void,
    _ work: @escaping @Sendable () -> Void
  ) -> RadioTimer {
    insert(at: deadline, TimerQueue.Entry(work: work, ended: ended))
  }

  package func cancel(_ timer: RadioTimer) {
    // The closures go after the lock: what they hold may call the loop when it goes.
    let removed = state.withLock { $0.timers.remove(timer) }
    withExtendedLifetime(removed) {}
  }

  private func insert(at deadline: RadioInstant, _ entry: TimerQueue.Entry) -> RadioTimer {
    let (timer, consequence): (RadioTimer, Consequence) = state.withLock { state in
      if state.isStopping {
        if let ended = entry.ended { state.queue.append(.closure(ended)) }
        return (state.timers.unusedTimer(), entry.ended == nil ? .none : Self.attend(to: &state))
      }
      return (state.timers.insert(at: deadline, entry), Self.attend(to: &state))
    }
    settle(consequence)
    return timer
  }

  // MARK: Work

  package func submit(_ work: @escaping @Sendable () -> Void) { append(.closure(work)) }

  package func submit(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    schedule(at: now.advanced(by: delay), work)
  }

  package func enqueue(_ job: consuming ExecutorJob) { append(.job(UnownedJob(job))) }

  private func append(_ work: Work) {
    settle(
      state.withLock { state in
        state.queue.append(work)
        return Self.attend(to: &state)
      }
    )
  }

  /// Sees to it that the thread looks at what was just put into the state.
  private static func attend(to state: inout State) -> Consequence {
    guard state.hasThread else {
      state.hasThread = true
      return .startThread
    }
    if state.isAsleep {
      state.isAsleep = false
      state.wake?.signal()
    }
    return .none
  }

  private func settle(_ consequence: Consequence) {
    guard case .startThread = consequence else { return }
    let started = SystemThread.start(name: "halcyon-radio") { self.run() }
    // Without a thread the work waits for the next attempt.
    if !started { state.withLock { $0.hasThread = false } }
  }

  /// Ends the loop: timers that wait are dropped (their `orAtEnd` closures run), nothing is watched any more, what is in
  /// the queue runs, and the thread ends. Work that still comes later gets a thread for as long as it takes.
  ///
  /// - Parameter ended: Called on the thread as the last thing that it does, when all that the loop held is closed.
  package func stop(ended: @escaping @Sendable () -> Void = {}) {
    let (dropped, consequence) = state.withLock { state in
      state.isStopping = true
      state.ended.append(ended)
      return (state.watches.removeAll(), Self.attend(to: &state))
    }
    withExtendedLifetime(dropped) {}
    settle(consequence)
  }

  /// Whether the loop was stopped and has neither a thread nor anything else that is open.
  package var hasEnded: Bool { state.withLock { $0.isStopping && !$0.hasThread && $0.wake == nil } }

  // MARK: Descriptors

  package func watch(
    _ descriptor: Int32,
    for interest: FileDescriptorEvents,
    _ handler: @escaping @Sendable (FileDescriptorEvents) -> Void
  ) {
    let (before, consequence): (WatchTable.Watch?, Consequence) = state.withLock { state in
      guard !state.isStopping else { return (nil, .none) }
      return (state.watches.insert(descriptor, interest, handler), Self.attend(to: &state))
    }
    withExtendedLifetime(before) {}
    settle(consequence)
  }

  package func setInterest(of descriptor: Int32, to interest: FileDescriptorEvents) {
    settle(
      state.withLock { state in
        state.watches.setInterest(of: descriptor, to: interest)
        return state.watches.isEmpty ? .none : Self.attend(to: &state)
      }
    )
  }

  package func unwatch(_ descriptor: Int32) {
    let removed = state.withLock { $0.watches.remove(descriptor) }
    withExtendedLifetime(removed) {}
  }

  // MARK: Isolation

  package var isCurrent: Bool { threadIdentity.load(ordering: .relaxed) == SystemThread.currentIdentity }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  package func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

  package func checkIsolated() {
    precondition(isCurrent, "This code belongs on the thread of a radio, but runs on another one.")
  }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }
}
