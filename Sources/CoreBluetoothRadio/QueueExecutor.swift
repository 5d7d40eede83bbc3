import Dispatch
import RadioPort
import Synchronization

/// A serial queue as the executor of a radio: where Apple's framework calls, the radio and its users run too.
package final class QueueExecutor: RadioExecutor {
  /// The queue itself.
  package let queue: DispatchQueue
  private let start = DispatchTime.now().uptimeNanoseconds
  private let key = DispatchSpecificKey<UInt>()
  private let timers = Mutex<(last: UInt64, items: [UInt64: Timer])>((0, [:]))

  // @unchecked: a work item is only cancelled, which any thread may do.
  private struct Timer: @unchecked Sendable { let item: DispatchWorkItem }

  /// Makes the queue.
  package init(label: String) {
    queue = DispatchQueue(label: label)
    queue.setSpecific(key: key, value: UInt(bitPattern: ObjectIdentifier(self)))
  }

  package var now: RadioInstant {
    RadioInstant(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds &- start))
  }

  package func submit(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async {
      job.runSynchronously(isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
    }
  }

  @discardableResult
  package func schedule(at deadline: RadioInstant, _ work: @escaping @Sendable () -> Void) -> RadioTimer {
    let number = timers.withLock { timers in
      timers.last &+= 1
      return timers.last
    }
    let item = DispatchWorkItem { [self] in
      if timers.withLock({ $0.items.removeValue(forKey: number) }) != nil { work() }
    }
    let timer = Timer(item: item)
    timers.withLock { $0.items[number] = timer }
    let (time, overflow) = start.addingReportingOverflow(UInt64(max(0, deadline.nanoseconds)))
    queue.asyncAfter(deadline: overflow ? .distantFuture : DispatchTime(uptimeNanoseconds: time), execute: item)
    return RadioTimer(rawValue: number)
  }

  package func cancel(_ timer: RadioTimer) {
    timers.withLock { $0.items.removeValue(forKey: timer.rawValue) }?.item.cancel()
  }

  package var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == UInt(bitPattern: ObjectIdentifier(self)) }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  package func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

  package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }
}
