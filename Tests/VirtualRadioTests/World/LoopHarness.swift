import RadioPort
import Synchronization
import VirtualRadio

/// A failure of the run itself, thrown so that a test can expect it.
struct RunFailed: Error, Equatable {
  let failure: LoopFailure
}

/// Runs `body` on a loop of its own.
func simulate<R>(
  limits: LoopLimits = LoopLimits(),
  _ body: @escaping @Sendable (SimulatedLoop) async throws -> sending R
) async throws -> sending R {
  let loop = SimulatedLoop()
  let outcome = await LoopRun(on: loop, limits: limits)({ try await body(loop) })
  if let failure = outcome.failure { throw RunFailed(failure: failure) }
  switch outcome.result {
  case .success(let value): return value.value
  case .failure(let error): throw error
  case nil: throw CancellationError()
  }
}

/// What happened in a run, in order.
final class Log: Sendable {
  private let lines = Mutex<[String]>([])

  func note(_ line: String) { lines.withLock { $0.append(line) } }

  var all: [String] { lines.withLock { $0 } }
}

/// An actor that lives on the loop, as a radio does.
actor Resident {
  nonisolated let executor: any RadioExecutor
  private let log: Log
  private var count = 0

  init(_ executor: any RadioExecutor, _ log: Log) {
    self.executor = executor
    self.log = log
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func step(_ name: String) async throws -> Int {
    count += 1
    log.note("\(name) \(count) at \(executor.now.sinceStart)")
    try await executor.clock.sleep(for: .milliseconds(count))
    return count
  }
}
