import BluetoothTypes
import Synchronization

/// Where everything that comes to a central passes, for those who want to see it all.
final class ReceptionHub: Sendable {
  /// What a reader wants to see.
  struct Filter: Sendable {
    /// Only of this device.
    var peripheral: PeerID?
    /// Answers to reads, too.
    var includesReads: Bool

    func matches(_ value: ReceivedValue) -> Bool {
      (peripheral ?? value.peripheral.id) == value.peripheral.id && (includesReads || value.origin == .notification)
    }
  }

  /// One iteration; leaves the hub when it goes.
  final class Reader: Sendable {
    let mailbox: Mailbox<ReceivedValue>
    private let id: UInt64
    private let hub: ReceptionHub

    fileprivate init(_ id: UInt64, _ mailbox: Mailbox<ReceivedValue>, _ hub: ReceptionHub) {
      self.id = id
      self.mailbox = mailbox
      self.hub = hub
    }

    deinit { hub.leave(id) }
  }

  private struct Entry: Sendable {
    let filter: Filter
    let buffering: Buffering
    let mailbox: Mailbox<ReceivedValue>
    let drops: DropCounter
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    var count: UInt64 = 0
    var isClosed = false
  }

  private let language: Language
  private let state = Mutex(State())

  init(language: Language) { self.language = language }

  /// Whether it is worth the while to tell of anything.
  var hasReaders: Bool { state.withLock { !$0.entries.isEmpty } }

  func read(_ filter: Filter, _ buffering: Buffering, _ drops: DropCounter) -> Reader {
    let mailbox = Mailbox<ReceivedValue>(limit: buffering.limit(for: ReceivedValue.self))
    let (id, isClosed) = state.withLock { state in
      state.count &+= 1
      if !state.isClosed {
        state.entries[state.count] = Entry(filter: filter, buffering: buffering, mailbox: mailbox, drops: drops)
      }
      return (state.count, state.isClosed)
    }
    if isClosed { mailbox.finish() }
    return Reader(id, mailbox, self)
  }

  func send(_ value: ReceivedValue) {
    let entries = state.withLock { $0.entries.sorted { $0.key < $1.key } }
    for (id, entry) in entries where entry.filter.matches(value) {
      switch entry.mailbox.send(value) {
      case .kept: break
      case .dropped: entry.drops.count.add(1, ordering: .relaxed)
      case .overflowed:
        guard case .failing(let limit) = entry.buffering else { continue }
        leave(id)
        entry.mailbox.finish(
          BluetoothError(.overflow, .receive, detail: .count(max(limit, 1)), language: language)
        )
      }
    }
  }

  private func leave(_ id: UInt64) { state.withLock { _ = $0.entries.removeValue(forKey: id) } }

  /// Nothing more will come.
  func close() {
    let entries = state.withLock { state in
      state.isClosed = true
      defer { state.entries = [:] }
      return state.entries.sorted { $0.key < $1.key }.map(\.value)
    }
    for entry in entries { entry.mailbox.finish() }
  }
}
