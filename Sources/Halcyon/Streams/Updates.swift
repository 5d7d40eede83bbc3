import Synchronization

/// A value that changes, or events as they happen, for any number of readers.
///
/// Every iteration is a reader of its own. It ends when its task is cancelled, when it is left, and when the object
/// that it tells of goes; it does not keep that object alive.
public struct Updates<Element: Sendable>: AsyncSequence, Sendable {
  /// Never fails: a cancelled iteration just ends.
  public typealias Failure = Never

  let hub: UpdateHub<Element>

  /// Begins to listen at once: what happens between this call and the first `next` is not missed.
  public func makeAsyncIterator() -> Iterator { Iterator(reader: hub.read()) }

  /// Reads the updates one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let reader: UpdateHub<Element>.Reader

    /// The next update; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> Element? {
      try? await reader.mailbox.next(onCancel: {})
    }

    /// The next update; `nil` at the end.
    public mutating func next() async -> Element? { await next(isolation: #isolation) }
  }
}

/// Where updates come from.
final class UpdateHub<Element: Sendable>: Sendable {
  /// What a reader finds when it begins, and what it loses when it is slow.
  enum Kind {
    /// The latest value is there at once, and only the latest is kept.
    case value
    /// Only what happens from now on, all of it.
    case events
  }

  /// One iteration; leaves the hub when it goes.
  final class Reader: Sendable {
    let mailbox: Mailbox<Element>
    private let id: UInt64
    private let hub: UpdateHub

    init(id: UInt64, mailbox: Mailbox<Element>, hub: UpdateHub) {
      self.id = id
      self.mailbox = mailbox
      self.hub = hub
    }

    deinit { hub.leave(id) }
  }

  private struct State {
    var current: Element?
    var mailboxes: [UInt64: Mailbox<Element>] = [:]
    var count: UInt64 = 0
    var isClosed = false
  }

  private let kind: Kind
  private let state: Mutex<State>

  init(_ kind: Kind, _ current: Element? = nil) {
    self.kind = kind
    state = Mutex(State(current: current))
  }

  var current: Element? { state.withLock { $0.current } }

  var readerCount: Int { state.withLock { $0.mailboxes.count } }

  func read() -> Reader {
    let mailbox = Mailbox<Element>(limit: kind == .value ? .newest(1) : .none)
    let (id, isClosed) = state.withLock { state in
      state.count &+= 1
      if !state.isClosed { state.mailboxes[state.count] = mailbox }
      if kind == .value, let current = state.current { mailbox.send(current) }
      return (state.count, state.isClosed)
    }
    if isClosed { mailbox.finish() }
    return Reader(id: id, mailbox: mailbox, hub: self)
  }

  func send(_ element: Element) {
    let mailboxes = state.withLock { state in
      if kind == .value { state.current = element }
      return state.mailboxes.sorted { $0.key < $1.key }.map(\.value)
    }
    for mailbox in mailboxes { mailbox.send(element) }
  }

  private func leave(_ id: UInt64) { state.withLock { _ = $0.mailboxes.removeValue(forKey: id) } }

  /// Nothing more will come: every reader reads what is left and ends.
  func close() {
    let mailboxes = state.withLock { state in
      state.isClosed = true
      defer { state.mailboxes = [:] }
      return state.mailboxes.sorted { $0.key < $1.key }.map(\.value)
    }
    for mailbox in mailboxes { mailbox.finish() }
  }
}
