/// The timers of an executor, earliest first; those of equal deadlines in the order in which they were set.
package struct TimerQueue {
  /// What a timer does.
  package struct Entry: Sendable {
    /// What is done when time has reached the deadline.
    package let work: @Sendable () -> Void
    /// What is done if the executor ends before that.
    package let ended: (@Sendable () -> Void)?

    package init(work: @escaping @Sendable () -> Void, ended: (@Sendable () -> Void)?) {
      self.work = work
      self.ended = ended
    }
  }

  private struct Key: Comparable {
    let deadline: RadioInstant
    let number: UInt64

    static func < (left: Key, right: Key) -> Bool {
      (left.deadline.nanoseconds, left.number) < (right.deadline.nanoseconds, right.number)
    }
  }

  /// A binary heap. What was cancelled stays until it comes up or until it is most of the heap.
  private var heap: [Key] = []
  private var entries: [UInt64: Entry] = [:]
  private var last: UInt64 = 0

  package init() {}

  /// How many timers wait.
  package var count: Int { entries.count }

  /// Sets a timer.
  package mutating func insert(at deadline: RadioInstant, _ entry: Entry) -> RadioTimer {
    last &+= 1
    entries[last] = entry
    heap.append(Key(deadline: deadline, number: last))
    siftUp(heap.count - 1)
    return RadioTimer(rawValue: last)
  }

  /// A name for a timer that is never set.
  package mutating func unusedTimer() -> RadioTimer {
    last &+= 1
    return RadioTimer(rawValue: last)
  }

  /// Takes a timer back. Its closures are returned, so that they go after the caller's lock.
  package mutating func remove(_ timer: RadioTimer) -> Entry? {
    let entry = entries.removeValue(forKey: timer.rawValue)
    if entry != nil, heap.count > 64, heap.count > 2 * entries.count { compact() }
    return entry
  }

  /// The deadline of the earliest timer.
  package var nextDeadline: RadioInstant? {
    mutating get {
      while let first = heap.first {
        if entries[first.number] != nil { return first.deadline }
        removeFirst()
      }
      return nil
    }
  }

  /// Takes the earliest timer out.
  package mutating func popFirst() -> (deadline: RadioInstant, entry: Entry)? {
    while let first = heap.first {
      removeFirst()
      if let entry = entries.removeValue(forKey: first.number) { return (first.deadline, entry) }
    }
    return nil
  }

  private mutating func compact() {
    heap.removeAll { entries[$0.number] == nil }
    heap.sort()
  }

  private mutating func removeFirst() {
    guard let end = heap.popLast(), !heap.isEmpty else { return }
    heap[0] = end
    var parent = 0
    while true {
      let left = 2 * parent + 1
      guard left < heap.count else { return }
      let right = left + 1
      let child = right < heap.count && heap[right] < heap[left] ? right : left
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(parent, child)
      parent = child
    }
  }

  private mutating func siftUp(_ index: Int) {
    var child = index
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }
}
