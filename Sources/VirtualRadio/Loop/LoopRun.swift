import RadioPort
import Synchronization

/// One run of a body on a loop, from its first job to its last, on a thread of its own.
package struct LoopRun: Sendable {
  let loop: SimulatedLoop
  let limits: LoopLimits
  /// Called on the loop when the body has ended: what goes on by itself is to stop.
  let bodyEnded: @Sendable () -> Void

  package init(
    on loop: SimulatedLoop,
    limits: LoopLimits = LoopLimits(),
    bodyEnded: @escaping @Sendable () -> Void = {}
  ) {
    self.loop = loop
    self.limits = limits
    self.bodyEnded = bodyEnded
  }

  /// How a run ended.
  package struct Outcome<R>: Sendable {
    /// What the body returned or threw; `nil` if it has not ended.
    package let result: Result<Transfer<R>, any Error>?
    /// What went wrong with the run itself; then the result can not be relied on.
    package let failure: LoopFailure?
  }

  /// Runs `body` as a task that prefers the loop and inherits the task-local values of the caller. Cancelling the
  /// calling task cancels that task.
  package func callAsFunction<R>(_ body: @escaping @Sendable () async throws -> sending R) async -> Outcome<R> {
    ConcurrencyHooks.install()
    let ending = Ending<R>()
    // The priority is set, for the queues of default actors go by it.
    let task = Task(executorPreference: loop, priority: .medium) {
      do {
        ending.end(.success(Transfer(try await body())))
      } catch {
        ending.end(.failure(error))
      }
    }
    let loop = loop
    await withTaskCancellationHandler {
      await withCheckedContinuation { done in
        let started = LoopThread.start {
          LoopThread.enter(loop) { drive(cancel: { task.cancel() }, hasEnded: { ending.hasEnded }) }
          done.resume()
        }
        if !started {
          loop.fail(.noThread)
          task.cancel()
          done.resume()
        }
      }
    } onCancel: {
      loop.admit { task.cancel() }
    }
    return Outcome(result: ending.result, failure: loop.state.withLock { $0.failure })
  }

  // MARK: The thread

  private func drive(cancel: () -> Void, hasEnded: () -> Bool) {
    loop.state.withLock { $0.phase = .running }
    run(cancel: cancel, hasEnded: hasEnded)
    loop.state.withLock { $0.phase = .ending }
    bodyEnded()
    finish()
  }

  /// Runs until the body has ended, or can not be brought to an end.
  private func run(cancel: () -> Void, hasEnded: () -> Bool) {
    var jobs = 0
    var allowance = limits.jobsAtOneMoment
    var hasFailed = false
    let end = RadioInstant.zero.advanced(by: limits.time)
    var batch: [SimulatedLoop.Work] = []
    while !hasEnded() {
      let failure = loop.takeBatch(&batch)
      if failure != nil, !hasFailed {
        hasFailed = true
        (jobs, allowance) = (0, limits.jobsAfterwards)
        cancel()
      }
      if batch.isEmpty {
        switch loop.popTimer(until: hasFailed ? .distantFuture : end) {
        case .due(let deadline, let work):
          // A run that has failed is not given new jobs by new moments.
          if !hasFailed, deadline > loop.now { jobs = 0 }
          loop.advance(to: deadline)
          loop.tellWatcher()
          work()
          jobs += 1
        case .tooLate:
          loop.fail(.outOfTime(limit: limits.time))
        case .none:
          // The cancellation of a failed run has brought work, or there will be none.
          if loop.hasWork { continue }
          if loop.isQuiet(for: hasFailed ? min(limits.grace, .milliseconds(50)) : limits.grace) {
            if hasFailed { return }
            loop.fail(.stalled(at: loop.now))
          }
        }
      }
      for (index, work) in batch.enumerated() {
        if jobs >= allowance {
          loop.putBack(batch[index...])
          if hasFailed { return }
          loop.fail(.spinning(jobs: jobs, at: loop.now))
          break
        }
        loop.tellWatcher()
        loop.perform(work)
        jobs += 1
      }
    }
  }

  /// Lets what is left come to its end: sleeps end, and no timer is waited for.
  private func finish() {
    for ended in loop.dropTimers() { ended() }
    var jobs = 0
    var batch: [SimulatedLoop.Work] = []
    while jobs < limits.jobsAfterwards {
      _ = loop.takeBatch(&batch, endingIfEmpty: true)
      if batch.isEmpty { return }
      for work in batch {
        loop.perform(work)
        jobs += 1
      }
    }
    // What the body left behind goes on for ever: that is not to pass in silence.
    loop.fail(.spinning(jobs: jobs, at: loop.now))
    loop.abandon()
  }
}

/// What a body ended with. Written on the loop, read there and, after the loop's thread has gone, by the caller.
private final class Ending<R>: Sendable {
  private let stored = Mutex<Result<Transfer<R>, any Error>?>(nil)
  private let isStored = Atomic<Bool>(false)

  var result: Result<Transfer<R>, any Error>? { stored.withLock { $0 } }
  /// Whether there is a result; asked for after each job, so it does not touch it.
  var hasEnded: Bool { isStored.load(ordering: .acquiring) }

  func end(_ result: Result<Transfer<R>, any Error>) {
    stored.withLock { $0 = result }
    isStored.store(true, ordering: .releasing)
  }
}

/// A value on its way from one isolation domain to another.
// The value came in as `sending`, so nobody else has it, and it is taken out once, by the caller of the run.
package struct Transfer<R>: @unchecked Sendable {
  package let value: R

  package init(_ value: sending R) { self.value = value }
}
