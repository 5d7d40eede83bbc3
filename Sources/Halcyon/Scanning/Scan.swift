import BluetoothTypes
import RadioPort
import Synchronization

/// The devices that a scan finds, as it finds them.
///
/// Each iteration is a scan of its own. It begins at the radio with the first `next` and stops when the iteration ends
/// in any way: the end, an error, `break`, the cancellation of the task, or the iterator just being dropped.
///
/// - The iteration ends normally after its duration, at its limit, or by ``Central/stopScan()``; what was found before
///   is still read.
/// - It throws ``BluetoothError`` of the kind `.timedOut` at its time limit, `.poweredOff` if Bluetooth is or goes off,
///   and others if the scan can not be started; then, too, what was found before is read first.
/// - With ``Central/Configuration/whenOff`` set to wait it goes on by itself when Bluetooth is on again; the time without
///   counts for its duration and its time limit. Otherwise it does not begin again.
/// - It throws `CancellationError` as soon as its task is cancelled.
///
/// A scan may run for ever: what it keeps of the devices around it is bounded. For that and for buffering see
/// ``Duplicates``.
public struct Scan: AsyncSequence, Sendable {
  /// What the scan has heard.
  public typealias Element = Discovery
  /// ``BluetoothError`` or `CancellationError`.
  public typealias Failure = any Error

  let core: CentralCore
  let plan: ScanPlan

  /// A scan of its own; nothing happens before the first `next`.
  public func makeAsyncIterator() -> Iterator {
    ChainNote.current?.core = core
    return Iterator(session: ScanSession(core: core, plan: plan))
  }

  /// Reads the discoveries one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let session: ScanSession

    /// The next discovery; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Discovery? {
      try await session.next(isolation: actor)
    }

    /// The next discovery; `nil` at the end.
    public mutating func next() async throws -> Discovery? { try await session.next() }
  }
}

/// What one scan is to do.
struct ScanPlan: Sendable {
  var services: [ServiceID]
  var filter: ScanFilter
  var duplicates: Duplicates
  var duration: Duration?
  var timeout: Duration?
  var limit: Int?

  /// How many devices are remembered for ``Duplicates/merge`` and how many discoveries wait for a slow reader: what a
  /// room full of devices that change their addresses can not make grow. A limit raises it to its own count.
  var capacity: Int { duplicates == .all ? Self.usualCapacity : max(Self.usualCapacity, limit ?? 0) }

  static let usualCapacity = 1024
}

/// Who reads what a scan finds. The central keeps it weakly, and calls it on the radio's executor.
protocol ScanReader: AnyObject, Sendable {
  var plan: ScanPlan { get }
  /// The number that the central gave the scan when it began; set by the central only.
  var scanNumber: UInt64? { get set }
  func take(_ discovery: Discovery)
  func finish(_ error: BluetoothError?)
}

/// One iteration of a scan. The radio is told to stop when it goes.
final class ScanSession: ScanReader {
  let core: CentralCore
  let plan: ScanPlan
  let mailbox: Mailbox<Discovery>
  private let number = Mutex<UInt64?>(nil)

  init(core: CentralCore, plan: ScanPlan) {
    self.core = core
    self.plan = plan
    mailbox = Mailbox(limit: .newest(plan.capacity))
  }

  deinit { stop() }

  func take(_ discovery: Discovery) {
    // What is newer of the same device takes its place, unless each advertisement was asked for.
    mailbox.send(discovery, about: plan.duplicates == .all ? nil : discovery.id)
  }

  func finish(_ error: BluetoothError?) { mailbox.finish(error) }

  var scanNumber: UInt64? {
    get { number.withLock { $0 } }
    set { number.withLock { $0 = newValue } }
  }

  func next(isolation: isolated (any Actor)? = #isolation) async throws -> Discovery? {
    if scanNumber == nil {
      try Task.checkCancellation()
      await core.begin(self)
    }
    return try await mailbox.next { [weak self] in self?.stop() }
  }

  private func stop() {
    guard let scanNumber else { return }
    core.executor.run { [core] in core.assumeIsolated { $0.endScan(scanNumber) } }
  }
}
