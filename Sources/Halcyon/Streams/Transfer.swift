import BluetoothTypes
import Synchronization

/// Bytes that are sent to a characteristic in as many parts as it takes, with the progress.
///
/// ```swift
/// for try await progress in peripheral.send(image, to: .upload) { bar.value = progress.fraction }
/// try await peripheral.send(line, to: .console).finish()
/// ```
/// Each iteration is a transfer of its own. It goes on with each `next`: a part is sent, with the flow control of the
/// write type, and what was sent so far is returned. It ends normally when all is sent, and stops when the iteration ends in
/// any way. Transfers to one characteristic go one after the other, so that their parts do not mix; other operations of
/// the peripheral find their place between two parts.
///
/// It throws what ``Peripheral/write(_:to:type:timeout:)`` throws: `.empty` if there are no bytes, `.disconnected` if the
/// connection is lost, also if it comes back, as what the device has of it is not known. Its limit of time is for each part.
public struct Transfer: AsyncSequence, Sendable {
  /// How far it is.
  public typealias Element = Progress
  /// ``BluetoothError`` or `CancellationError`.
  public typealias Failure = any Error

  let core: PeripheralCore
  let plan: TransferPlan

  /// How far a transfer is.
  public struct Progress: Hashable, Sendable, CustomStringConvertible {
    /// How many bytes were sent: taken by the radio without response, confirmed by the device with response.
    public let bytesSent: Int
    /// How many bytes there are.
    public let bytesTotal: Int

    /// What part is sent, 0 to 1.
    public var fraction: Double { bytesTotal == 0 ? 1 : Double(bytesSent) / Double(bytesTotal) }
    /// Whether all is sent.
    public var isComplete: Bool { bytesSent == bytesTotal }
    /// For example `244 of 1000`.
    public var description: String { "\(bytesSent) of \(bytesTotal)" }
  }

  /// A transfer of its own; nothing happens before the first `next`.
  public func makeAsyncIterator() -> Iterator { Iterator(session: TransferSession(core: core, plan: plan)) }

  /// Sends everything.
  ///
  /// - Returns: The peripheral, for the next step.
  @discardableResult
  public func finish() async throws -> Peripheral {
    let session = TransferSession(core: core, plan: plan)
    while try await session.next() != nil {}
    return core.handle
  }

  /// Sends the parts one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let session: TransferSession

    /// Sends the next part; `nil` when all is sent.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Progress? {
      try await session.next()
    }

    /// Sends the next part; `nil` when all is sent.
    public mutating func next() async throws -> Progress? { try await session.next() }
  }
}

/// What a transfer is to do.
struct TransferPlan: Sendable {
  var bytes: [UInt8]
  var name: CharacteristicName
  var type: WriteType
  var partLength: Int?
  var limit: Duration?
}

/// One transfer. It gives its turn back when it goes.
final class TransferSession: Sendable {
  let core: PeripheralCore
  let plan: TransferPlan
  private let state = Mutex(State())

  private struct State {
    var route: TransferRoute?
    var sent = 0
    var isOver = false
  }

  init(core: PeripheralCore, plan: TransferPlan) {
    self.core = core
    self.plan = plan
  }

  deinit { end() }

  func next() async throws -> Transfer.Progress? {
    let (known, sent, isOver) = state.withLock { ($0.route, $0.sent, $0.isOver) }
    guard !isOver else { return nil }
    do {
      let route: TransferRoute
      if let known {
        route = known
      } else {
        try Task.checkCancellation()
        route = try await core.beginTransfer(plan)
        state.withLock { $0.route = route }
      }
      let progress = Transfer.Progress(
        bytesSent: sent + (try await core.sendPart(of: plan, from: sent, on: route)),
        bytesTotal: plan.bytes.count
      )
      state.withLock { $0.sent = progress.bytesSent }
      if progress.isComplete { end() }
      return progress
    } catch {
      end()
      throw error
    }
  }

  private func end() {
    let route = state.withLock { state in
      defer { state.route = nil }
      state.isOver = true
      return state.route
    }
    guard let handle = route?.target.characteristic.handle.rawValue else { return }
    core.executor.run { [core] in core.assumeIsolated { $0.giveBack(.transfer(handle)) } }
  }
}
