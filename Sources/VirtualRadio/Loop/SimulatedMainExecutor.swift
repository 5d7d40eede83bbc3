import Synchronization

/// Stands for the main actor's executor on the thread of one simulated loop.
///
/// Main-actor code of a world runs on the world's own thread, as one more piece of work. As the main actor's state is
/// the process's, the worlds of a process take turns with such code.
final class SimulatedMainExecutor: SerialExecutor {
  private let loop: LoopReference

  private init(loop: SimulatedLoop) { self.loop = LoopReference(loop) }

  /// A task keeps an unowned reference to the executor that it resumes on, and may do so after its world has gone;
  /// hence these executors, of which there is at most one a world, stay for as long as the process.
  private static let all = Mutex<[SimulatedMainExecutor]>([])

  /// Held while main-actor code of any world runs.
  private static let turn = Mutex<Void>(())

  static func make(for loop: SimulatedLoop) -> SimulatedMainExecutor {
    let executor = SimulatedMainExecutor(loop: loop)
    all.withLock { $0.append(executor) }
    return executor
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if let loop = loop.value {
      loop.append(.mainJob(job, self))
    } else {
      MainActor.shared.enqueue(job)
    }
  }

  func perform(_ job: UnownedJob, on loop: SimulatedLoop) {
    Self.turn.withLock { _ in
      job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: loop.asUnownedTaskExecutor())
    }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  // A delegate that belongs on the main queue is called directly by the world's thread, and may say so.
  func checkIsolated() {
    precondition(loop.value?.isCurrent == true, "This code belongs on the main actor of a simulated world.")
  }

  func isIsolatingCurrentContext() -> Bool? { loop.value?.isCurrent ?? false }
}

/// A weak reference that may be read from several threads.
private final class LoopReference: Sendable {
  private struct Box { weak var loop: SimulatedLoop? }
  private let box: Mutex<Box>

  init(_ loop: SimulatedLoop) { box = Mutex(Box(loop: loop)) }

  var value: SimulatedLoop? { box.withLock { $0.loop } }
}
