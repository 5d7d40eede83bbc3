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
    let slot: Int

    static func < (left: Key, right: Key) -> Bool {
      (left.deadline.nanoseconds, left.number) < (right.deadline.nanoseconds, right.number)
    }
  }

  /// Where the closures of a timer wait. A timer knows its slot, so they are found without a search.
  private struct Slot {
    /// The timer's number; 0 for nobody's.
    var number: UInt64
    var entry: Entry?
  }

  /// A binary heap. What was cancelled stays until it comes up or until it is most of the heap.
  private var heap: [Key] = []
  private var slots: [Slot] = []
  private var freeSlots: [Int] = []
  private var last: UInt64 = 0

  package init() {}

  /// How many timers wait.
  package var count: Int { slots.count - freeSlots.count }

  /// Sets a timer.
  package mutating func insert(at deadline: RadioInstant, _ entry: Entry) -> RadioTimer {
    last &+= 1
    let slot = freeSlots.popLast() ?? slots.count
    if slot == slots.count {
      slots.append(Slot(number: last, entry: entry))
    } else {
      slots[slot] = Slot(number: last, entry: entry)
    }
    heap.append(Key(deadline: deadline, number: last, slot: slot))
    siftUp(heap.count - 1)
    return RadioTimer(rawValue: last, slot: slot)
  }

  /// A name for a timer that is never set.
  package mutating func unusedTimer() -> RadioTimer {
    last &+= 1
    return RadioTimer(rawValue: last)
  }

  /// Takes a timer back. Its closures are returned, so that they go after the caller's lock.
  package mutating func remove(_ timer: RadioTimer) -> Entry? {
    guard let slot = timer.slot, let entry = takeEntry(of: timer.rawValue, in: slot) else { return nil }
    if heap.count > 64, heap.count > 2 * count { compact() }
    return entry
  }

  /// The deadline of the earliest timer.
  package var nextDeadline: RadioInstant? {
    mutating get {
      while let first = heap.first {
        if isSet(first) { return first.deadline }
        removeFirst()
      }
      return nil
    }
  }

  /// Takes the earliest timer out.
  package mutating func popFirst() -> (deadline: RadioInstant, entry: Entry)? {
    while let first = heap.first {
      removeFirst()
      if let entry = takeEntry(of: first.number, in: first.slot) { return (first.deadline, entry) }
    }
    return nil
  }

  private func isSet(_ key: Key) -> Bool { slots[key.slot].number == key.number }

  /// Empties a slot, if it is still that timer's.
  private mutating func takeEntry(of number: UInt64, in slot: Int) -> Entry? {
    guard slots.indices.contains(slot), slots[slot].number == number else { return nil }
    slots[slot].number = 0
    freeSlots.append(slot)
    return slots[slot].entry.take()
  }

  private mutating func compact() {
    heap.removeAll { slots[$0.slot].number != $0.number }
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
