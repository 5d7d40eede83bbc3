import RadioPort
import Synchronization
import Testing

@Suite("Timers of an executor")
struct TimerQueueTests {
  private func instant(_ nanoseconds: Int64) -> RadioInstant { RadioInstant(nanoseconds: nanoseconds) }

  private func takesBack(_ timer: RadioTimer, from queue: inout TimerQueue) -> Bool { queue.remove(timer) != nil }

  private static let nothing = TimerQueue.Entry(work: {}, ended: nil)

  @Test("the earliest comes first; those of equal deadlines come in the order in which they were set")
  func order() {
    var queue = TimerQueue()
    let log = Mutex<[Int]>([])
    for (number, deadline) in [30, 10, 20, 10, 30, 10].enumerated() {
      _ = queue.insert(
        at: instant(Int64(deadline)),
        TimerQueue.Entry(work: { log.withLock { $0.append(number) } }, ended: nil)
      )
    }
    var deadlines: [Int64] = []
    while let next = queue.nextDeadline, let timer = queue.popFirst() {
      #expect(timer.deadline == next)
      deadlines.append(next.nanoseconds)
      timer.entry.work()
    }
    #expect(deadlines == [10, 10, 10, 20, 30, 30])
    #expect(log.withLock { $0 } == [1, 3, 5, 2, 0, 4])
    let none = queue.popFirst()
    #expect(none == nil)
  }

  @Test("a timer that was taken back never comes up, and is given back once")
  func takenBack() {
    var queue = TimerQueue()
    let first = queue.insert(at: instant(1), Self.nothing)
    let second = queue.insert(at: instant(2), Self.nothing)
    #expect(takesBack(first, from: &queue))
    #expect(!takesBack(first, from: &queue))
    #expect(queue.count == 1)
    let next = queue.popFirst()
    #expect(next?.deadline == instant(2))
    #expect(!takesBack(second, from: &queue))
    #expect(queue.count == 0)
    let none = queue.nextDeadline
    #expect(none == nil)
  }

  @Test("an old name does not take back the timer that has its place now")
  func reusedPlace() {
    var queue = TimerQueue()
    let old = queue.insert(at: instant(1), Self.nothing)
    _ = queue.popFirst()
    let new = queue.insert(at: instant(2), Self.nothing)
    #expect(new != old)
    #expect(!takesBack(old, from: &queue))
    #expect(!takesBack(RadioTimer(rawValue: new.rawValue), from: &queue))
    let unused = queue.unusedTimer()
    #expect(!takesBack(unused, from: &queue))
    #expect(takesBack(new, from: &queue))
  }

  @Test("what was taken back is forgotten when it is most of the queue, and the rest keeps its order")
  func compaction() {
    var queue = TimerQueue()
    var timers: [RadioTimer] = []
    for number in 0..<1000 { timers.append(queue.insert(at: instant(Int64(number * 7919 % 1000)), Self.nothing)) }
    for (index, timer) in timers.enumerated() where index % 10 != 0 { #expect(takesBack(timer, from: &queue)) }
    #expect(queue.count == 100)
    var last: Int64 = -1
    while let timer = queue.popFirst() {
      #expect(timer.deadline.nanoseconds > last)
      last = timer.deadline.nanoseconds
    }
    #expect(queue.count == 0)
  }
}
