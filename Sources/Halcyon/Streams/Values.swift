import BluetoothTypes
import RadioPort
import Synchronization

/// The values of one characteristic as the device sends them.
///
/// Each iteration is a reader of its own and gets each value once, with that value's own bytes. It subscribes with the
/// first `next`; values that come before the device has agreed to the subscription are delivered too. When it ends in
/// any way (`break`, an error, the cancellation of the task, the iterator just being dropped) it leaves, and with the
/// last reader the device is told to stop.
///
/// When the device says that its services have changed (Service Changed, Core 5.4, Vol 3, Part G, 7.1), a reader whose
/// characteristic may be concerned looks for it anew and subscribes anew, whatever its ``OnReconnect``; values that the
/// device sends until then are lost. If the characteristic is gone, the reader ends with the error of the look-up.
///
/// It holds the peripheral for as long as it goes on, and never ends normally. After what was received before, it throws
/// - ``BluetoothError`` of the kinds `.notConnected`, `.serviceNotFound`, `.characteristicNotFound`, `.ambiguous`,
///   `.notPermitted`, `.att` or `.timedOut` if it can not subscribe, the first time or again,
/// - `.disconnected` when the program disconnects, and when the connection is lost unless it was told to
///   ``OnReconnect/resubscribe``,
/// - `.undecodable` or `.empty` at a value that is not of its type,
/// - `.overflow` as chosen with ``Buffering/failing(_:)``,
/// - `CancellationError` as soon as the task is cancelled.
public struct Values<Value: ByteReadable>: AsyncSequence, Sendable {
  /// What the device sends.
  public typealias Element = Value
  /// ``BluetoothError`` or `CancellationError`.
  public typealias Failure = any Error

  let core: PeripheralCore
  let plan: ValuePlan
  private let drops = DropCounter()

  init(core: PeripheralCore, plan: ValuePlan) {
    self.core = core
    self.plan = plan
  }

  /// How many values the readers of this sequence have lost to ``Buffering/newest(_:)``.
  public var dropped: Int { drops.count.load(ordering: .relaxed) }

  /// A reader of its own; nothing happens before the first `next`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(session: ValueSession(core: core, plan: plan, drops: drops))
  }

  /// Reads the values one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let session: ValueSession

    /// The next value.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
      try await session.next(isolation: actor)
    }

    /// The next value.
    public mutating func next() async throws -> Value? { try await session.next() }
  }
}

/// Counts what was dropped.
final class DropCounter: Sendable {
  let count = Atomic<Int>(0)
}

/// One reader of values. The peripheral is told when it goes.
final class ValueSession: FeedReader {
  let core: PeripheralCore
  let plan: ValuePlan
  let drops: DropCounter
  let mailbox: Mailbox<[UInt8]>
  private let number = Mutex<UInt64?>(nil)

  init(core: PeripheralCore, plan: ValuePlan, drops: DropCounter) {
    self.core = core
    self.plan = plan
    self.drops = drops
    mailbox = Mailbox(limit: plan.buffering.limit(for: [UInt8].self))
  }

  deinit { stop() }

  /// The number that the peripheral gave the reader when it began; set by the peripheral only.
  var feedNumber: UInt64? {
    get { number.withLock { $0 } }
    set { number.withLock { $0 = newValue } }
  }

  func receive(_ bytes: [UInt8]) -> FeedDelivery {
    switch mailbox.send(bytes) {
    case .kept: return .taken
    case .dropped:
      drops.count.add(1, ordering: .relaxed)
      return .taken
    case .overflowed: return .overflowed
    }
  }

  func end(_ error: BluetoothError) { mailbox.finish(error) }

  func next<Value: ByteReadable>(isolation: isolated (any Actor)? = #isolation) async throws -> Value? {
    guard let bytes = try await nextBytes() else { return nil }
    do {
      return try core.decode(bytes, of: plan.name, for: .subscribe)
    } catch {
      stop()
      mailbox.discard()
      throw error
    }
  }

  func nextBytes(isolation: isolated (any Actor)? = #isolation) async throws -> [UInt8]? {
    if feedNumber == nil {
      try Task.checkCancellation()
      await core.begin(self)
    }
    return try await mailbox.next { [weak self] in self?.stop() }
  }

  private func stop() {
    guard let feedNumber else { return }
    core.executor.run { [core] in core.assumeIsolated { $0.endFeed(feedNumber) } }
  }
}
