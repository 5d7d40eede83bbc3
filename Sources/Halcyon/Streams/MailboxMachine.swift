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
  private var buffer: [Element] = []
  private var head = 0
  private var readers: [(id: UInt64, reader: Reader)] = []
  private var ending: Result<Void, any Error>?

  enum Limit: Sendable {
    case none
    case newest(Int)
    case failing(Int)
  }

  init(limit: Limit) { self.limit = limit }

  private var count: Int { buffer.count - head }

  mutating func send(_ element: Element, replacing isOld: ((Element) -> Bool)?) -> SendAction {
    guard ending == nil else { return .none }
    if !readers.isEmpty { return .resume(readers.removeFirst().reader, element) }
    if let isOld, let index = buffer[head...].firstIndex(where: isOld) {
      buffer[index] = element
      return .none
    }
    switch limit {
    case .failing(let limit) where count >= limit: return .overflowed
    case .newest(let limit) where count >= limit:
      removeFirst()
      buffer.append(element)
      return .dropped
    default:
      buffer.append(element)
      return .none
    }
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
    ending = .success(())
  }

  mutating func read(_ id: UInt64, _ reader: Reader) -> ReadAction {
    if count > 0 { return .element(removeFirst()) }
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
  private mutating func removeFirst() -> Element {
    let element = buffer[head]
    head += 1
    // Moves the rest only now and then, so that taking one is cheap however many there are.
    if head == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 64)
      head = 0
    } else if head >= 64, head * 2 >= buffer.count {
      buffer.removeFirst(head)
      head = 0
    }
    return element
  }
}
