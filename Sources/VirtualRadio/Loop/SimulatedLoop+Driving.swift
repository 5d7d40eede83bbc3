import RadioPort

/// What the thread of a run asks of its loop.
extension SimulatedLoop {
  /// Everything that is to run now, in order, and what has gone wrong so far.
  ///
  /// - Parameter batch: Gets the work; what is in it goes, but its memory is used again.
  func takeBatch(_ batch: inout [Work], endingIfEmpty: Bool = false) -> LoopFailure? {
    if !batch.isEmpty { batch.removeAll(keepingCapacity: true) }
    return state.withLock { state in
      swap(&batch, &state.queue)
      if endingIfEmpty, batch.isEmpty { state.phase = .ended }
      return state.failure
    }
  }

  /// Puts what was taken but not run in front of what came meanwhile.
  func putBack(_ work: ArraySlice<Work>) {
    state.withLock { $0.queue.insert(contentsOf: work, at: 0) }
  }

  var hasWork: Bool { state.withLock { !$0.queue.isEmpty || $0.timers.count > 0 } }

  enum NextTimer {
    case due(RadioInstant, @Sendable () -> Void)
    case tooLate
    case none
  }

  /// Takes the earliest timer, unless it is due after `end`.
  func popTimer(until end: RadioInstant) -> NextTimer {
    state.withLock { state in
      guard let deadline = state.timers.nextDeadline else { return .none }
      guard deadline <= end, let timer = state.timers.popFirst() else { return .tooLate }
      return .due(deadline, timer.entry.work)
    }
  }

  /// Takes all timers away; what is to be done instead of them, in the order of their deadlines.
  func dropTimers() -> [@Sendable () -> Void] {
    state.withLock { state in
      var ended: [@Sendable () -> Void] = []
      while let timer = state.timers.popFirst() {
        if let work = timer.entry.ended { ended.append(work) }
      }
      return ended
    }
  }

  /// Gives other threads `grace` of real time to bring work; whether none came.
  func isQuiet(for grace: Duration) -> Bool {
    let start = LoopThread.steadyNanoseconds
    let limit = UInt64(clamping: grace.wholeNanoseconds)
    while LoopThread.steadyNanoseconds &- start < limit {
      LoopThread.pause()
      if hasWork { return false }
    }
    return true
  }

  /// Ends a loop whose jobs do not end; what is queued never runs.
  func abandon() {
    let left = state.withLock { state in
      let left = state.queue
      state.queue = []
      state.phase = .ended
      // No thread is given to it any more.
      state.isServingStragglers = true
      return left
    }
    withExtendedLifetime(left) {}
  }
}
