import BluetoothTypes
import RadioPort

/// A device with all that it has to tell: connected, discovered, subscribed to wherever it allows, and every value in
/// one place.
///
/// ```swift
/// let device = try await central.connectToEverything(of: discovery)
/// for try await value in device { print(value.characteristic.uuid, value.bytes) }
/// ```
/// It is read by one reader at a time, from the first value on: what came since the connect waits. It goes on over losses
/// of the connection that are followed by a reconnect, and ends normally when the program disconnects, after what was
/// received before. It ends with the error if the connection was to come back by itself and does not. The subscriptions
/// last as long as the program wants the connection; see ``Peripheral/setNotifying(_:for:timeout:)``. It holds the
/// peripheral.
public final class ConnectedDevice: AsyncSequence, Sendable {
  /// What came, read or notified.
  public typealias Element = ReceivedValue
  /// `CancellationError`, or ``BluetoothError`` of the kind `.overflow` as chosen with ``Buffering/failing(_:)``.
  public typealias Failure = any Error

  /// The device.
  public let peripheral: Peripheral
  /// Whether this central was connected to it before.
  public let wasConnected: Bool
  /// What it offers.
  public let services: [Peripheral.Service]
  /// The characteristics whose values it sends.
  public let subscribed: [Characteristic<[UInt8]>]
  /// What it has refused: the characteristics that could not be subscribed to or read, and why.
  public let refusals: [(characteristic: Characteristic<[UInt8]>, error: BluetoothError)]
  private let reader: ReceptionHub.Reader
  private let drops: DropCounter
  private let use: UInt64

  init(_ start: EverythingStart, use: UInt64) {
    peripheral = start.peripheral
    wasConnected = start.wasConnected
    services = start.services
    subscribed = start.subscribed
    refusals = start.refusals
    reader = start.reader
    drops = start.drops
    self.use = use
  }

  deinit {
    let core = peripheral.core
    core.executor.run { [use] in core.assumeIsolated { $0.uses[use] = nil } }
  }

  /// How many values were lost to ``Buffering/newest(_:)``.
  public var dropped: Int { drops.count.load(ordering: .relaxed) }

  /// Takes up the reading.
  public func makeAsyncIterator() -> Iterator { Iterator(device: self) }

  /// Reads the values one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let device: ConnectedDevice

    /// The next value; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ReceivedValue? {
      try await device.reader.mailbox.next(isolation: actor, onCancel: {})
    }

    /// The next value; `nil` at the end.
    public mutating func next() async throws -> ReceivedValue? { try await next(isolation: #isolation) }
  }
}

/// What a ``ConnectedDevice`` begins with.
struct EverythingStart {
  let peripheral: Peripheral
  let wasConnected: Bool
  let reader: ReceptionHub.Reader
  let drops: DropCounter
  var services: [Peripheral.Service] = []
  var subscribed: [Characteristic<[UInt8]>] = []
  var refusals: [(characteristic: Characteristic<[UInt8]>, error: BluetoothError)] = []

  /// Discovers everything, subscribes wherever the properties allow, and reads once what can be read of that. A refusal
  /// by the device ends nothing; what ends the connection does.
  mutating func run(timeout: Timeout) async throws {
    services = try await peripheral.services(timeout: timeout)
    for characteristic in services.flatMap(\.characteristics) {
      guard let properties = characteristic.properties, !properties.isDisjoint(with: [.notify, .indicate]) else {
        continue
      }
      do {
        try await peripheral.setNotifying(true, for: characteristic, timeout: timeout)
        subscribed.append(characteristic)
        if properties.contains(.read) { _ = try await peripheral.read(characteristic, timeout: timeout) }
      } catch let error as BluetoothError where peripheral.state.isReady {
        refusals.append((characteristic, error))
      }
    }
  }
}

extension PeripheralCore {
  fileprivate func addUse(_ end: @escaping @Sendable (BluetoothError?) -> Void) -> UInt64 {
    let number = nextNumber()
    uses[number] = end
    return number
  }

  fileprivate func endUse(_ number: UInt64) { uses[number] = nil }
}

extension Central {
  /// Connects to a device, discovers all that it offers, subscribes wherever the properties allow, reads each readable
  /// one of these once, and delivers all that comes in one place.
  ///
  /// - Parameters:
  ///   - id: The device.
  ///   - timeout: For the connect, and for each step after it.
  ///   - options: How the link is to be made.
  ///   - reconnect: Whether and how it is made again when it is lost.
  ///   - setUp: Work that comes before anything else after each connect and reconnect.
  ///   - buffering: What becomes of values that come faster than they are read.
  /// - Throws: What ``connect(to:timeout:options:reconnect:setUp:)-(Discovery,_,_,_,_)`` throws; ``BluetoothError`` if the
  ///   connection is lost meanwhile or the discovery fails, and a connection that was made by this call is ended then;
  ///   `CancellationError`.
  public func connectToEverything(
    of id: Peripheral.ID,
    timeout: Timeout = .default,
    options: LinkOptions = LinkOptions(),
    reconnect: Reconnect? = nil,
    setUp: ConnectionSetUp? = nil,
    buffering: Buffering = .unbounded
  ) async throws -> ConnectedDevice {
    let known = await core.peripheral(id)
    let wasConnected = known.state.isReady
    let peripheral = try await connect(
      to: id,
      timeout: timeout,
      options: options,
      reconnect: reconnect,
      setUp: setUp
    )
    let drops = DropCounter()
    let reader = core.received.read(.init(peripheral: id, includesReads: true), buffering, drops)
    var start = EverythingStart(peripheral: peripheral, wasConnected: wasConnected, reader: reader, drops: drops)
    let mailbox = reader.mailbox
    let use = await peripheral.core.addUse { mailbox.finish($0) }
    do {
      try await start.run(timeout: timeout)
    } catch {
      await peripheral.core.endUse(use)
      if !wasConnected { await peripheral.disconnect() }
      throw error
    }
    return ConnectedDevice(start, use: use)
  }

  /// The same with a device that a scan has found.
  public func connectToEverything(
    of discovery: Discovery,
    timeout: Timeout = .default,
    options: LinkOptions = LinkOptions(),
    reconnect: Reconnect? = nil,
    setUp: ConnectionSetUp? = nil,
    buffering: Buffering = .unbounded
  ) async throws -> ConnectedDevice {
    try await connectToEverything(
      of: discovery.id,
      timeout: timeout,
      options: options,
      reconnect: reconnect,
      setUp: setUp,
      buffering: buffering
    )
  }
}
