import Dispatch
import Foundation
import RadioPort

/// The way from the radio's executor to the queue that the app gave, in order.
///
/// In a simulated world, where the app's code too belongs on the world's thread, the app is called from there: inside
/// of a `sync` on its queue, so that what it demands of the queue holds.
final class Delivery: Sendable {
  private struct State: Sendable {
    var waiting: [@Sendable () -> Void] = []
    var isDraining = false
  }

  let executor: any RadioExecutor
  private let queue: DispatchQueue
  private let isMain: Bool
  private let state = Guarded(State())

  /// - Parameter queue: `nil` for the main queue.
  init(executor: any RadioExecutor, queue: DispatchQueue?) {
    self.executor = executor
    self.queue = queue ?? .main
    isMain = queue == nil || queue === DispatchQueue.main
  }

  /// Runs `work` on the app's queue, after all that was delivered before. Called on the radio's executor only.
  func deliver(_ work: @escaping @Sendable () -> Void) {
    guard executor.runsAppCode else { return queue.async(execute: work) }
    let isFirst = state.withLock { state in
      state.waiting.append(work)
      defer { state.isDraining = true }
      return !state.isDraining
    }
    // What comes up during a call of the app waits for its end: a queue can not be entered twice.
    guard isFirst else { return }
    while let next = next() {
      if isMain { next() } else { queue.sync(execute: next) }
    }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isDraining = false
        return nil
      }
      return state.waiting.removeFirst()
    }
  }

  /// The moment for time stamps: in a simulated world its own time, so that runs repeat.
  var absoluteTime: CFAbsoluteTime {
    guard executor.runsAppCode else { return Date().timeIntervalSinceReferenceDate }
    return Double(executor.now.nanoseconds) / 1_000_000_000
  }
}
