import BluetoothTypes
import RadioPort
import Synchronization

@testable import HostStack

/// Runs everything when it is told to, on the thread that tells it.
final class TestExecutor: RadioExecutor {
  private struct Timer {
    let id: UInt64
    let deadline: RadioInstant
    let work: @Sendable () -> Void
  }

  private struct State {
    var now = RadioInstant.zero
    var work: [@Sendable () -> Void] = []
    var timers: [Timer] = []
    var count: UInt64 = 0
  }

  private let state = Mutex(State())

  var now: RadioInstant { state.withLock { $0.now } }
  var isCurrent: Bool { true }
  /// How many timers are pending.
  var timerCount: Int { state.withLock { $0.timers.count } }

  func submit(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.work.append(work) } }

  func schedule(at deadline: RadioInstant, _ work: @escaping @Sendable () -> Void) -> RadioTimer {
    state.withLock { state in
      state.count += 1
      state.timers.append(Timer(id: state.count, deadline: deadline, work: work))
      return RadioTimer(rawValue: state.count)
    }
  }

  func cancel(_ timer: RadioTimer) { state.withLock { $0.timers.removeAll { $0.id == timer.rawValue } } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    submit {
      job.runSynchronously(isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
    }
  }

  func checkIsolated() {}

  /// Runs what was submitted, until there is nothing.
  func run() {
    while let work = state.withLock({ $0.work.isEmpty ? nil : $0.work.removeFirst() }) { work() }
  }

  /// Lets time pass, with all that is due.
  func pass(_ duration: Duration) {
    run()
    let end = now.advanced(by: duration)
    while let next = state.withLock({ state in
      let next = state.timers.filter { $0.deadline <= end }.min { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
      if let next {
        state.timers.removeAll { $0.id == next.id }
        state.now = max(state.now, next.deadline)
      }
      return next
    }) {
      next.work()
      run()
    }
    state.withLock { $0.now = end }
  }
}

/// A channel to a scripted controller.
final class ScriptedChannel: HCIChannel {
  struct State {
    var controller = HostBench()
    var receive: (@Sendable (HCIPacket) -> Void)?
    var closed: (@Sendable (HCIChannelFailure) -> Void)?
    var refusal: HCIChannelFailure?
    var sent: [HCIPacket] = []
    var openings = 0
    var closings = 0
  }

  let executor: TestExecutor
  let state = Mutex(State())

  init(_ executor: TestExecutor) { self.executor = executor }

  func open(
    receive: @escaping @Sendable (HCIPacket) -> Void,
    closed: @escaping @Sendable (HCIChannelFailure) -> Void
  ) {
    let refusal = state.withLock { state in
      state.openings += 1
      if state.refusal == nil { (state.receive, state.closed) = (receive, closed) }
      return state.refusal
    }
    if let refusal { closed(refusal) }
  }

  func send(_ packet: HCIPacket) {
    let (replies, receive) = state.withLock { state in
      state.sent.append(packet)
      return (state.controller.replies(to: packet), state.receive)
    }
    for reply in replies { executor.submit { receive?(reply) } }
  }

  func close() {
    state.withLock { state in
      state.closings += 1
      (state.receive, state.closed) = (nil, nil)
    }
  }

  /// The controller says something.
  func say(_ packet: HCIPacket) { state.withLock { $0.receive }?(packet) }

  func say(_ event: some HCIEvent) { say(event.packet) }

  /// The other end goes.
  func fail(_ failure: HCIChannelFailure) {
    let closed = state.withLock { state in
      defer { (state.receive, state.closed) = (nil, nil) }
      return state.closed
    }
    closed?(failure)
  }

  func connected(_ peer: BluetoothAddress, handle: UInt16 = 0x40) {
    say(
      LEConnectionComplete(
        status: .success,
        connectionHandle: handle,
        role: .central,
        peerAddress: peer,
        connectionInterval: 24,
        peripheralLatency: 0,
        supervisionTimeout: 200,
        centralClockAccuracy: 0
      )
    )
  }
}

/// Keeps what closures were called with.
final class Log<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  var all: [Value] { values.withLock { $0 } }

  func add(_ value: Value) { values.withLock { $0.append(value) } }
}
