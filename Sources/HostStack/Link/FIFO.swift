/// A queue: first in, first out. Taking the first costs the same however many wait behind it.
struct FIFO<Element> {
  private var storage: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == storage.count }
  var count: Int { storage.count - head }

  mutating func append(_ element: Element) { storage.append(element) }

  mutating func popFirst() -> Element? {
    guard head < storage.count else { return nil }
    let element = storage[head].take()
    head &+= 1
    if head == storage.count {
      // A queue nearly always has one element; to take that off its end costs a tenth.
      if head == 1 { storage.removeLast() } else { storage.removeAll(keepingCapacity: true) }
      head = 0
    } else if head > 32, head > storage.count / 2 {
      storage.removeFirst(head)
      head = 0
    }
    return element
  }

  /// Puts an element before all others.
  mutating func prepend(_ element: Element) {
    if head > 0 {
      head &-= 1
      storage[head] = element
    } else {
      storage.insert(element, at: 0)
    }
  }

  func contains(where matches: (Element) -> Bool) -> Bool {
    storage[head...].contains { $0.map(matches) ?? false }
  }

  /// Removes the first element that matches; `nil` if there is none.
  mutating func removeFirst(where matches: (Element) -> Bool) -> Element? {
    guard let index = storage[head...].firstIndex(where: { $0.map(matches) ?? false }) else { return nil }
    if index == head { return popFirst() }
    return storage.remove(at: index)
  }

  /// Removes all elements that match, and returns them in their order.
  mutating func removeAll(where matches: (Element) -> Bool) -> [Element] {
    var removed: [Element] = []
    var kept = FIFO()
    while let element = popFirst() {
      if matches(element) { removed.append(element) } else { kept.append(element) }
    }
    self = kept
    return removed
  }
}

extension FIFO: Sendable where Element: Sendable {}
