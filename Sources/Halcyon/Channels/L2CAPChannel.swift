import BluetoothTypes
import RadioPort

/// A channel to another device beside its characteristics, for messages each way with flow control: an LE credit-based
/// L2CAP channel (Core 5.4, Vol 3, Part A, 3.4 and 10.1).
///
/// ```swift
/// let channel = try await peripheral.openChannel(psm: 0x0080)
/// try await channel.send(Data("hello".utf8))
/// for try await message in channel { … }
/// await channel.close()
/// ```
/// Both ends are alike: ``Peripheral/openChannel(psm:options:timeout:)`` opens one, and the handler of
/// ``PeripheralServer/publishChannel(psm:requiresEncryption:options:handler:)`` gets the other end.
///
/// **Receiving.** Each iteration, and each ``receive(timeout:)``, takes the oldest message that has come and nobody has
/// taken; several readers share them. What is not read stays where it is: after a few messages the other end has to wait,
/// so that nothing is lost and no memory fills up however slowly one reads. A `break` or a cancellation loses nothing
/// either; the next reader goes on from there. After what came before, the sequence ends
/// - normally, when either end has closed the channel;
/// - by throwing ``BluetoothError``: `.disconnected` or `.poweredOff` with the connection, `.protocolViolation` where the
///   other end broke the rules, `.stopped` with its ``PeripheralServer``;
/// - by throwing `CancellationError` as soon as the task is cancelled.
///
/// **Sending.** ``send(_:timeout:)`` waits until there is room, which the other end makes by reading. Messages go out in
/// the order of the calls.
///
/// **The end.** The channel ends with the connection. One that was opened from here holds the connection, as a
/// ``Peripheral`` does. Close it with ``close()``, which lets go out what was sent; one whose last reference goes is closed
/// at once.
public final class L2CAPChannel: Sendable {
  /// How much a channel is to hold at this end, and in what parts it takes it.
  public typealias Options = ChannelOptions

  let core: ChannelCore

  init(core: ChannelCore) { self.core = core }

  /// What the channel is for.
  public var psm: L2CAPPSM { core.context.psm }
  /// The device at the other end.
  public var peer: PeerID { core.context.subject.id }
  /// Who has opened the channel, at the end of a ``PeripheralServer``; `nil` for one that was opened from here.
  public var central: ConnectedCentral? { core.central }
  /// The longest message that can be sent, in bytes: what the other end takes.
  public var maximumSendLength: Int { core.info.sendLimit }
  /// The longest message that can come, in bytes.
  public var maximumReceiveLength: Int { core.info.receiveLimit }
  /// Whether what is sent as one message comes as one. On Apple's platforms a channel is a stream of bytes, which may
  /// come in other pieces.
  public var keepsBoundaries: Bool { core.info.keepsBoundaries }
  /// Whether the channel can still be used, as far as is known here.
  public var isOpen: Bool { core.isOpen }

  // MARK: Sending

  /// Sends a message, and returns when the radio has taken it. It waits for room; messages go out in the order of the
  /// calls, and none is lost or cut.
  ///
  /// Bytes come as `[UInt8]`, as `Data`, or from a value as its `bytes`.
  ///
  /// - Parameter timeout: How long to wait for room. By default what the central's
  ///   ``Central/Timeouts-swift.struct/write`` or the server's ``PeripheralServer/Timeouts-swift.struct/send`` says.
  /// - Throws: ``BluetoothError`` of the kinds `.tooLong` and `.empty`, before anything is sent; `.timedOut`, after which
  ///   the channel is still open; `.closed`, `.disconnected`, `.poweredOff` and others if the channel has ended.
  ///   `CancellationError`. What was not taken by then never is sent.
  public func send(_ message: some Collection<UInt8> & Sendable, timeout: Timeout = .default) async throws {
    try await core.send(Array(message), timeout: timeout)
  }

  /// Sends bytes, however many, in as few messages as the other end takes: for who reads the channel as a stream of
  /// bytes. Messages of other calls at the same time may come in between.
  ///
  /// - Parameter timeout: How long to wait for room, each time.
  /// - Throws: As ``send(_:timeout:)`` but for `.tooLong`; the messages before may have been sent.
  public func send(inParts bytes: some Collection<UInt8> & Sendable, timeout: Timeout = .default) async throws {
    try await core.send(inParts: bytes, timeout: timeout)
  }

  // MARK: Receiving

  /// The next message; `nil` once either end has closed the channel and all was read.
  ///
  /// - Parameter timeout: How long to wait for it; without limit by default.
  /// - Throws: ``BluetoothError`` as the sequence does, each time; `.timedOut`. `CancellationError`. Neither loses a
  ///   message.
  public func receive(timeout: Timeout = .never) async throws -> [UInt8]? {
    try await core.receive(timeout: timeout)
  }

  // MARK: Closing

  /// Closes the channel, and returns when that is done. What was sent goes out first, for which the other end has to
  /// take it; after the time of ``send(_:timeout:)``, or if the task is cancelled, what is left is dropped. Sends that
  /// wait for room fail with `.closed`, readers end, and what was not read is dropped.
  ///
  /// Does nothing to a channel that has ended.
  public func close() async { try? await core.close(timeout: .default) }

  /// The same, and tells if not all went out.
  ///
  /// - Throws: ``BluetoothError`` of the kind `.timedOut`; `CancellationError`. The channel is closed all the same.
  public func close(timeout: Timeout) async throws { try await core.close(timeout: timeout) }
}

extension L2CAPChannel: AsyncSequence {
  /// A message.
  public typealias Element = [UInt8]
  /// ``BluetoothError`` or `CancellationError`.
  public typealias Failure = any Error

  /// A reader; it shares the messages with the others.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(channel: self) }

  /// Reads the messages one after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let channel: L2CAPChannel
    private var isOver = false

    init(channel: L2CAPChannel) { self.channel = channel }

    /// The next message; `nil` at the end, and after an error.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
      guard !isOver else { return nil }
      do {
        let message = try await channel.receive()
        isOver = message == nil
        return message
      } catch {
        isOver = true
        throw error
      }
    }

    /// The next message; `nil` at the end, and after an error.
    public mutating func next() async throws -> [UInt8]? { try await next(isolation: #isolation) }
  }
}

extension L2CAPChannel: CustomStringConvertible {
  /// For example `PSM 0x0080 of C0:00:00:00:00:07`.
  public var description: String { "\(psm) of \(peer)" }
}

extension Characteristic where Value == L2CAPPSM {
  /// The characteristic with which a device tells the PSM of its channel, by the convention that Apple's CoreBluetooth
  /// names `CBUUIDL2CAPPSMCharacteristicString`.
  public static func l2capPSM(in service: ServiceID) -> Self {
    .init("ABDD3056-28FA-441D-A470-55A75A52553A", in: service)
  }
}
