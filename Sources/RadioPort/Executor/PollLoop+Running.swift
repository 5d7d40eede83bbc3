import BluetoothTypes

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

extension PollLoop {
  /// What the thread does next.
  private enum Step {
    /// Run what was taken from the queue.
    case work
    /// Wait this many nanoseconds for descriptors; `nil` for as long as it takes.
    case wait(Int64?)
    case end([@Sendable () -> Void])
  }

  /// How often the queue is emptied before descriptors get a look, so that neither starves the other.
  private static var roundsBetweenPolls: Int { 16 }
  /// How long to sleep at most where there is no pipe to be woken by.
  private static var blindSleep: Int64 { 10_000_000 }

  /// The life of the loop's thread.
  func run() {
    let wake = WakePipe()
    state.withLock { $0.wake = wake }
    threadIdentity.store(SystemThread.currentIdentity, ordering: .relaxed)
    var batch: [Work] = []
    var polls = PollList(wake: wake)
    var rounds = 0
    var lastLook: RadioInstant?
    while true {
      switch nextStep(&batch, mayWork: rounds < Self.roundsBetweenPolls, lastLook: lastLook) {
      case .work:
        rounds += 1
        for work in batch { perform(work) }
        batch.removeAll(keepingCapacity: true)
      case .wait(let nanoseconds):
        rounds = 0
        lastLook = now
        poll(&polls, nanoseconds)
      case .end(let ended):
        for closure in ended { closure() }
        return
      }
    }
  }

  /// - Parameter lastLook: When the descriptors were last looked at.
  private func nextStep(_ batch: inout [Work], mayWork: Bool, lastLook: RadioInstant?) -> Step {
    state.withLock { state in
      let now = now
      // A process that was stopped or kept busy past a deadline hears what came in meanwhile before it is told that
      // nothing came: a timer waits for a look at the descriptors that began when it was due.
      let horizon = state.watches.isEmpty ? now : lastLook
      while let horizon, let deadline = state.timers.nextDeadline, deadline <= horizon,
        let (_, entry) = state.timers.popFirst()
      {
        state.queue.append(.closure(entry.work))
      }
      if state.isStopping {
        while let (_, entry) = state.timers.popFirst() {
          if let ended = entry.ended { state.queue.append(.closure(ended)) }
        }
      }
      guard state.queue.isEmpty else {
        guard mayWork || state.watches.isEmpty else { return .wait(0) }
        swap(&batch, &state.queue)
        return .work
      }
      if state.isStopping {
        state.wake?.closeBoth()
        state.wake = nil
        state.hasThread = false
        threadIdentity.store(0, ordering: .relaxed)
        defer { state.ended = [] }
        return .end(state.ended)
      }
      state.isAsleep = true
      var timeout = state.timers.nextDeadline.map { pace.wait(until: $0, now: now) }
      if state.wake == nil { timeout = min(timeout ?? .max, Self.blindSleep) }
      return .wait(timeout)
    }
  }

  private func perform(_ work: Work) {
    switch work {
    case .job(let job):
      job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    case .closure(let closure):
      closure()
    }
  }

  private func poll(_ polls: inout PollList, _ nanoseconds: Int64?) {
    state.withLock { polls.update(from: $0.watches) }
    let ready = polls.wait(nanoseconds)
    state.withLock { $0.isAsleep = false }
    for (descriptor, generation, events) in ready {
      // An earlier handler may have ended this watch, or given the number to another descriptor.
      let handler = state.withLock { $0.watches.handler(of: descriptor, generation: generation) }
      handler?(events)
    }
  }
}

/// The list that `poll` gets; made anew only when something has changed.
private struct PollList {
  private let wake: WakePipe?
  private var lingering = Lingering()
  private var entries: [pollfd] = []
  private var generations: [UInt64] = []
  private var version: UInt64?

  init(wake: WakePipe?) { self.wake = wake }

  mutating func update(from watches: WatchTable) {
    guard version != watches.version else { return }
    version = watches.version
    entries = wake.map { [pollfd(fd: $0.readEnd, events: Int16(POLLIN), revents: 0)] } ?? []
    generations = wake.map { _ in [0] } ?? []
    for (entry, generation) in watches.polled {
      entries.append(entry)
      generations.append(generation)
    }
  }

  /// Waits and returns the watched descriptors that are ready.
  mutating func wait(_ nanoseconds: Int64?) -> [(descriptor: Int32, generation: UInt64, FileDescriptorEvents)] {
    var left = lingering.wait(nanoseconds, hasDescriptors: entries.count > (wake == nil ? 0 : 1)) {
      PreciseWait.poll(&entries, $0)
    }
    // An interruption is as good as a time-out: the loop looks around and comes back.
    guard left > 0 else { return [] }
    var ready: [(descriptor: Int32, generation: UInt64, FileDescriptorEvents)] = []
    for (index, entry) in entries.enumerated() where entry.revents != 0 {
      if let wake, entry.fd == wake.readEnd {
        wake.drain()
      } else {
        ready.append((entry.fd, generations[index], FileDescriptorEvents(polled: entry.revents)))
      }
      left -= 1
      if left == 0 { break }
    }
    return ready
  }
}
