import RadioPort
import Synchronization

/// Where everything of a simulated world runs, app code included, and its time.
///
/// One thread takes jobs first in, first out; when none is left, time jumps to the next timer. As the loop is the serial
/// executor of the world's actors, the task executor of its tasks and the source of its clock, and as
/// ``ConcurrencyHooks`` brings it what prefers no executor, a run depends on nothing but the world's seed. What comes
/// from another thread is carried out, but the loop remembers it as a failure: such a run can not be repeated.
package final class SimulatedLoop: RadioExecutor {
  enum Work: Sendable {
    case job(UnownedJob)
    case mainJob(UnownedJob, SimulatedMainExecutor)
    case closure(@Sendable () -> Void)
  }

  enum Phase {
    /// Nothing runs yet, and anybody may submit.
    case waiting
    /// The body runs.
    case running
    /// The body has ended; what is left runs to its end, and no timer is waited for.
    case ending
    /// The thread is gone. What still comes gets a thread for as long as it takes.
    case ended
  }

  struct State {
    var phase = Phase.waiting
    var queue: [Work] = []
    var timers = TimerQueue()
    /// The first thing that went wrong with the run itself.
    var failure: LoopFailure?
    var isServingStragglers = false
    var main: SimulatedMainExecutor?
  }

  let state = Mutex(State())
  private let nanoseconds = Atomic<Int64>(0)
  private let isWatched = Atomic<Bool>(false)
  private let jobWatcher = Mutex<(watch: @Sendable (Int) -> Void, count: Int)?>(nil)

  package init() {}

  // MARK: Time

  package var now: RadioInstant { RadioInstant(nanoseconds: nanoseconds.load(ordering: .relaxed)) }

  /// Sets the time; it never goes back.
  func advance(to moment: RadioInstant) {
    if moment > now { nanoseconds.store(moment.nanoseconds, ordering: .relaxed) }
  }

  @discardableResult
  package func schedule(at deadline: RadioInstant, _ work: @escaping @Sendable () -> Void) -> RadioTimer {
    insert(at: deadline, TimerQueue.Entry(work: work, ended: nil))
  }

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
    let isForeign = !isCurrent
    let (timer, isLate) = state.withLock { state in
      if isForeign { Self.note(.timer, at: now, in: &state) }
      switch state.phase {
      case .waiting, .running: return (state.timers.insert(at: deadline, entry), false)
      case .ending, .ended: return (state.timers.unusedTimer(), true)
      }
    }
    if isLate, let ended = entry.ended { append(.closure(ended)) }
    return timer
  }

  // MARK: Work

  package var isCurrent: Bool { LoopThread.isCurrent(self) }

  package var runsAppCode: Bool { true }

  package func submit(_ work: @escaping @Sendable () -> Void) { append(.closure(work)) }

  package func enqueue(_ job: consuming ExecutorJob) { append(.job(UnownedJob(job))) }

  /// Takes work whose coming from another thread is in order, such as the cancellation of the test's own task.
  func admit(_ work: @escaping @Sendable () -> Void) { append(.closure(work), isAdmitted: true) }

  func append(_ work: Work, isAdmitted: Bool = false) {
    let isForeign = !isAdmitted && !isCurrent
    let needsThread = state.withLock { state in
      if isForeign { Self.note(work.subject, at: now, in: &state) }
      state.queue.append(work)
      guard state.phase == .ended, !state.isServingStragglers else { return false }
      state.isServingStragglers = true
      return true
    }
    if needsThread { serveStragglers() }
  }

  /// Records that the run can not go on as it should; only the first failure counts.
  func fail(_ failure: LoopFailure) {
    state.withLock { state in
      if state.failure == nil { state.failure = failure }
    }
  }

  /// The executor that stands for the main actor on this loop's thread.
  var main: SimulatedMainExecutor {
    state.withLock { state in
      if let main = state.main { return main }
      let main = SimulatedMainExecutor.make(for: self)
      state.main = main
      return main
    }
  }

  /// Runs one piece of work on the current thread, which must be the loop's.
  func perform(_ work: Work) {
    switch work {
    case .job(let job):
      job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    case .mainJob(let job, let main):
      main.perform(job, on: self)
    case .closure(let closure):
      closure()
    }
  }

  /// Calls `watcher` before each job from now on, with its number from 1 on.
  func watchJobs(_ watcher: (@Sendable (Int) -> Void)?) {
    jobWatcher.withLock { $0 = watcher.map { ($0, 0) } }
    isWatched.store(watcher != nil, ordering: .relaxed)
  }

  /// A job or a timer is about to run.
  func tellWatcher() {
    guard isWatched.load(ordering: .relaxed) else { return }
    let watched = jobWatcher.withLock { watcher in
      watcher?.count += 1
      return watcher
    }
    if let watched { watched.watch(watched.count) }
  }

  private static func note(_ subject: LoopFailure.Subject, at moment: RadioInstant, in state: inout State) {
    guard state.failure == nil, state.phase == .running || state.phase == .ending else { return }
    state.failure = .escaped(subject, thread: LoopThread.name, at: moment)
  }

  // MARK: After the end

  /// Gives what comes after the end a thread, so that nobody waits for ever: one piece at a time, in order, as always.
  private func serveStragglers() {
    let started = LoopThread.start { self.drainStragglers() }
    if !started { drainStragglers() }
  }

  private func drainStragglers() {
    LoopThread.enter(self) {
      while true {
        let batch = state.withLock { state in
          let batch = state.queue
          state.queue = []
          if batch.isEmpty { state.isServingStragglers = false }
          return batch
        }
        if batch.isEmpty { return }
        for work in batch { perform(work) }
      }
    }
  }

  // MARK: Isolation

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  package func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

  package func checkIsolated() {
    precondition(
      isCurrent,
      "This code belongs on the loop of a simulated world, but runs on thread \(LoopThread.name)."
    )
  }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }
}

extension SimulatedLoop.Work {
  /// What a failure calls it.
  var subject: LoopFailure.Subject {
    switch self {
    case .job, .mainJob: .task
    case .closure: .work
    }
  }
}
