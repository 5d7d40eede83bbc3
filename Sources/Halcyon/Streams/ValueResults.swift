import BluetoothTypes

/// The values of one characteristic as the device sends them, each as a result: one that can not be decoded is a failure
/// among the others and does not end the stream.
///
/// In all else it is like ``Values``: what begins it, what resumes it, and what ends it by throwing.
public struct ValueResults<Value: ByteReadable>: AsyncSequence, Sendable {
  /// A value, or an error of the kind `.undecodable` or `.empty` in its place.
  public typealias Element = Result<Value, BluetoothError>
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

  /// Reads the results one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let session: ValueSession

    /// The next result.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      try await session.nextBytes(isolation: actor).map { session.core.result($0, of: session.plan.name) }
    }

    /// The next result.
    public mutating func next() async throws -> Element? { try await next(isolation: #isolation) }
  }
}

extension PeripheralCore {
  /// Makes a value of bytes that the device has sent, or says why not.
  nonisolated func result<Value: ByteReadable>(
    _ bytes: [UInt8],
    of name: CharacteristicName
  ) -> Result<Value, BluetoothError> {
    do throws(BluetoothError) {
      return .success(try decode(bytes, of: name, for: .subscribe))
    } catch {
      return .failure(error)
    }
  }
}
