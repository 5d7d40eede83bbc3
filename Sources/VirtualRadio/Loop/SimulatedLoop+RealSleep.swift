// `Task.sleep` and the standard clocks ask the current executor to wait for them, if it is one that can. The protocol
// for that is not public yet, so only the toolchains are named here with which this was seen to work. Everywhere else
// the wake-up comes from another thread, which is a failure as well, only with a less exact message.
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
  import RadioPort
  @_spi(ExperimentalScheduling) import _Concurrency

  extension SimulatedLoop: SchedulingExecutor {
    package func enqueue<C: Clock>(
      _ job: consuming ExecutorJob,
      after delay: C.Duration,
      tolerance: C.Duration?,
      clock: C
    ) {
      refuseSleep(UnownedJob(job), clock: "\(C.self)")
    }

    package func enqueue<C: Clock>(
      _ job: consuming ExecutorJob,
      at instant: C.Instant,
      tolerance: C.Duration?,
      clock: C
    ) {
      refuseSleep(UnownedJob(job), clock: "\(C.self)")
    }

    /// The run fails, and the sleeper wakes at once, so that the run can end.
    private func refuseSleep(_ job: UnownedJob, clock: String) {
      fail(.realSleep(clock: clock, at: now))
      append(.job(job))
    }
  }
#endif
