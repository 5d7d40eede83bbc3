import BluetoothTypes
import Synchronization

/// The values of one characteristic for several parts of a program, which begin and end together.
///
/// ```swift
/// let beats = peripheral.shared(of: .heartRateMeasurement)   // also before the first connection
/// Task { for try await beat in beats { show(beat) } }
/// Task { for try await beat in beats { record(beat) } }
/// beats.start()
/// …
/// beats.stop()                                               // both loops end
/// ```
/// Who iterates gets each value that comes from then on. Nothing is asked of the device before ``start()``; if there is
/// no connection then, it is asked as soon as there is one. ``stop()`` ends every reader's stream normally, after what
/// was received before, and the subscription with it. Both can be done again, for who iterates then.
///
/// An error, as it is listed for ``Values``, ends every reader's stream by throwing, and counts as a stop. An undecodable
/// value and a full buffer of ``Buffering/failing(_:)`` end the stream of that reader only.
///
/// While it is started and held by the program or a reader, it holds the peripheral.
public final class SharedValues<Value: ByteReadable>: AsyncSequence, Sendable {
  /// What the device sends.
  public typealias Element = Value
  /// ``BluetoothError`` or `CancellationError`.
  public typealias Failure = any Error

  let listen: SharedListen

  init(core: PeripheralCore, plan: ValuePlan) { listen = SharedListen(core: core, plan: plan) }

  /// Begins to listen; does nothing if that has begun.
  public func start() { listen.start() }

  /// Ends the stream of every reader, and the subscription.
  public func stop() { listen.stop() }

  /// Whether it was started and has not ended.
  public var isStarted: Bool { listen.isStarted }

  /// How many values the readers have lost to ``Buffering/newest(_:)``, taken together.
  public var dropped: Int { listen.drops.count.load(ordering: .relaxed) }

  /// A reader of its own, which gets what comes from this call on.
  public func makeAsyncIterator() -> Iterator { Iterator(reader: listen.read()) }

  /// Reads the values one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let reader: SharedListen.Reader

    /// The next value; `nil` after a stop.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
      guard let bytes = try await reader.mailbox.next(isolation: actor, onCancel: { [reader] in reader.leave() }) else {
        return nil
      }
      do {
        return try reader.listen.core.decode(bytes, of: reader.listen.plan.name, for: .subscribe)
      } catch {
        reader.leave()
        reader.mailbox.discard()
        throw error
      }
    }

    /// The next value; `nil` after a stop.
    public mutating func next() async throws -> Value? { try await next(isolation: #isolation) }
  }
}

/// What stands behind ``SharedValues``: one subscription and those who read from it.
final class SharedListen: FeedReader {
  let core: PeripheralCore
  let plan: ValuePlan
  let drops = DropCounter()
  private let state = Mutex(State())

  private struct State {
    var isStarted = false
    var feedNumber: UInt64?
    var readers: [UInt64: Mailbox<[UInt8]>] = [:]
    var readerCount: UInt64 = 0

    var mailboxes: [Mailbox<[UInt8]>] { readers.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// One iteration; leaves when it goes.
  final class Reader: Sendable {
    let listen: SharedListen
    let mailbox: Mailbox<[UInt8]>
    private let id: UInt64

    init(_ listen: SharedListen, _ id: UInt64, _ mailbox: Mailbox<[UInt8]>) {
      self.listen = listen
      self.id = id
      self.mailbox = mailbox
    }

    deinit { leave() }

    func leave() { listen.state.withLock { _ = $0.readers.removeValue(forKey: id) } }
  }

  init(core: PeripheralCore, plan: ValuePlan) {
    self.core = core
    self.plan = plan
  }

  deinit {
    guard let number = state.withLock({ $0.feedNumber }) else { return }
    core.executor.run { [core] in core.assumeIsolated { $0.endFeed(number) } }
  }

  var isStarted: Bool { state.withLock { $0.isStarted } }

  var feedNumber: UInt64? {
    get { state.withLock { $0.feedNumber } }
    set { state.withLock { $0.feedNumber = newValue } }
  }

  func read() -> Reader {
    let mailbox = Mailbox<[UInt8]>(limit: plan.buffering.limit(for: [UInt8].self))
    let id = state.withLock { state in
      state.readerCount &+= 1
      state.readers[state.readerCount] = mailbox
      return state.readerCount
    }
    return Reader(self, id, mailbox)
  }

  func start() {
    // On the executor, so that starts and stops take effect in the order of the calls.
    core.executor.run {
      self.state.withLock { $0.isStarted = true }
      self.core.assumeIsolated { $0.begin(self) }
    }
  }

  func stop() {
    core.executor.run {
      if let number = self.feedNumber { self.core.assumeIsolated { $0.endFeed(number) } }
      for mailbox in self.close() { mailbox.finish() }
    }
  }

  func receive(_ bytes: [UInt8]) -> FeedDelivery {
    for mailbox in state.withLock({ $0.mailboxes }) {
      switch mailbox.send(bytes) {
      case .kept: break
      case .dropped: drops.count.add(1, ordering: .relaxed)
      case .overflowed:
        guard case .failing(let limit) = plan.buffering else { continue }
        mailbox.finish(core.attempt(.subscribe, plan.name).error(.overflow, detail: .count(max(limit, 1))))
      }
    }
    return .taken
  }

  func end(_ error: BluetoothError) {
    for mailbox in close() { mailbox.finish(error) }
  }

  /// Forgets the subscription and the readers, who are to be told.
  private func close() -> [Mailbox<[UInt8]>] {
    state.withLock { state in
      defer { state.readers = [:] }
      state.isStarted = false
      state.feedNumber = nil
      return state.mailboxes
    }
  }
}
