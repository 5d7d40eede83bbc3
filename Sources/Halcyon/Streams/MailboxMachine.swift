import RadioPort

/// What waits between a producer that never waits and readers that do.
///
/// A value without effects of its own: each step says which readers its owner has to resume, outside of any lock.
struct MailboxMachine<Element: Sendable> {
  typealias Reader = CheckedContinuation<Element?, any Error>

  enum SendAction {
    case none
    case resume(Reader, Element)
    /// The oldest element was dropped to make room.
    case dropped
    /// There was no room, and the mailbox takes nothing any more.
    case overflowed
  }

  enum ReadAction {
    case wait
    case element(Element?)
    case failure(any Error)
  }

  private let limit: Limit
  private var buffer: [Slot?] = []
  private var head = 0
  /// The number of the element at the head, counted from the first that ever was in the buffer.
  private var headNumber: UInt64 = 0
  /// The numbers of the elements that wait and are about a device.
  private var numbers: [PeerID: UInt64] = [:]
  private var readers: [(id: UInt64, reader: Reader)] = []
  private var ending: Result<Void, any Error>?

  private struct Slot {
    var element: Element
    let device: PeerID?
  }

  enum Limit: Sendable {
    case none
    case newest(Int)
    case failing(Int)
  }

  init(limit: Limit) { self.limit = limit }

  private var count: Int { buffer.count - head }

  mutating func send(_ element: Element, about device: PeerID?) -> SendAction {
    guard ending == nil else { return .none }
    if !readers.isEmpty { return .resume(readers.removeFirst().reader, element) }
    if let device, let number = numbers[device] {
      buffer[head + Int(number - headNumber)]?.element = element
      return .none
    }
    switch limit {
    case .failing(let limit) where count >= limit: return .overflowed
    case .newest(let limit) where count >= limit:
      removeFirst()
      append(element, about: device)
      return .dropped
    default:
      append(element, about: device)
      return .none
    }
  }

  private mutating func append(_ element: Element, about device: PeerID?) {
    if let device { numbers[device] = headNumber + UInt64(count) }
    buffer.append(Slot(element: element, device: device))
  }

  /// Takes nothing more; what is in the buffer is still read. Returns the readers that get nothing.
  mutating func end(_ ending: Result<Void, any Error>) -> [Reader] {
    guard self.ending == nil else { return [] }
    self.ending = ending
    let left = readers.map(\.reader)
    readers = []
    // Who waits now has the ending; it is told once.
    if !left.isEmpty { self.ending = .success(()) }
    return left
  }

  /// Takes nothing more and forgets what is in the buffer.
  mutating func discard() {
    buffer = []
    head = 0
    numbers = [:]
    ending = .success(())
  }

  mutating func read(_ id: UInt64, _ reader: Reader) -> ReadAction {
    if let element = removeFirst() { return .element(element) }
    switch ending {
    case .success: return .element(nil)
    case .failure(let error):
      ending = .success(())
      return .failure(error)
    case nil:
      readers.append((id, reader))
      return .wait
    }
  }

  mutating func cancel(_ id: UInt64) -> Reader? {
    guard let index = readers.firstIndex(where: { $0.id == id }) else { return nil }
    return readers.remove(at: index).reader
  }

  @discardableResult
  private mutating func removeFirst() -> Element? {
    guard count > 0 else { return nil }
    let slot = buffer[head]
    // What was read is not kept alive.
    buffer[head] = nil
    head += 1
    headNumber += 1
    if let device = slot?.device { numbers[device] = nil }
    // Moves the rest only now and then, so that taking one is cheap however many there are.
    if head == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 64)
      head = 0
    } else if head >= 64, head * 2 >= buffer.count {
      buffer.removeFirst(head)
      head = 0
    }
    return slot?.element
  }
}
