import BluetoothTypes
import RadioPort

/// What came from a device: a value that it has sent by itself, or the answer to a read.
public struct ReceivedValue: Sendable {
  /// Why it came.
  public enum Origin: Hashable, Sendable {
    /// By notification or indication.
    case notification
    /// As the answer to a read.
    case read
  }

  /// The device.
  public let peripheral: Peripheral
  /// The characteristic, as it was found on the device.
  public let characteristic: Characteristic<[UInt8]>
  /// The value.
  public let bytes: [UInt8]
  /// Why it came.
  public let origin: Origin
  /// When it came, in the radio's time.
  public let time: RadioInstant

  init(
    _ peripheral: Peripheral,
    _ characteristic: Characteristic<[UInt8]>,
    _ bytes: [UInt8],
    _ origin: Origin,
    _ time: RadioInstant
  ) {
    self.peripheral = peripheral
    self.characteristic = characteristic
    self.bytes = bytes
    self.origin = origin
    self.time = time
  }

  /// The value, if it is one of this characteristic; `nil` if it is another's.
  ///
  /// - Throws: ``BluetoothError`` of the kinds `.undecodable` and `.empty`.
  public func value<Value: ByteReadable>(of other: Characteristic<Value>) throws -> Value? {
    guard other.uuid == characteristic.uuid, other.service == characteristic.service,
      (other.handle ?? characteristic.handle) == characteristic.handle
    else { return nil }
    return try value(as: Value.self)
  }

  /// The value as one of this type.
  ///
  /// - Throws: ``BluetoothError`` of the kinds `.undecodable` and `.empty`.
  public func value<Value: ByteReadable>(as type: Value.Type) throws -> Value {
    try peripheral.core.decode(bytes, of: characteristic.name, for: origin == .read ? .read : .subscribe)
  }
}

extension ReceivedValue: CustomStringConvertible {
  /// For example `2A19 in 180F at 0x0012 of "Pulse" (…): 64`.
  public var description: String { "\(characteristic) of \(peripheral): \(hexadecimal(bytes))" }
}

/// All that comes from a device, or from all devices of a central, in one place and in its order.
///
/// It brings what somebody has subscribed to, by ``Peripheral/setNotifying(_:for:timeout:)`` or by reading values, each
/// value once however many readers there are; it subscribes to nothing by itself. It keeps no device, goes on over
/// disconnects and reconnects, and ends normally with the central. It throws `CancellationError` when its task is
/// cancelled, and ``BluetoothError`` of the kind `.overflow` as chosen with ``Buffering/failing(_:)``.
public struct ReceivedValues: AsyncSequence, Sendable {
  /// What came.
  public typealias Element = ReceivedValue
  /// ``BluetoothError`` or `CancellationError`.
  public typealias Failure = any Error

  let hub: ReceptionHub
  let filter: ReceptionHub.Filter
  let buffering: Buffering
  private let drops = DropCounter()

  init(hub: ReceptionHub, filter: ReceptionHub.Filter, buffering: Buffering) {
    self.hub = hub
    self.filter = filter
    self.buffering = buffering
  }

  /// How many values the readers of this sequence have lost to ``Buffering/newest(_:)``.
  public var dropped: Int { drops.count.load(ordering: .relaxed) }

  /// A reader of its own, which gets what comes from this call on.
  public func makeAsyncIterator() -> Iterator { Iterator(reader: hub.read(filter, buffering, drops)) }

  /// Reads the values one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let reader: ReceptionHub.Reader

    /// The next value; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ReceivedValue? {
      try await reader.mailbox.next(isolation: actor, onCancel: {})
    }

    /// The next value; `nil` at the end.
    public mutating func next() async throws -> ReceivedValue? { try await next(isolation: #isolation) }
  }
}
