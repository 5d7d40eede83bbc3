import BluetoothTypes
import RadioPort

/// A device, as one central knows it. The same object stands for the same device each time.
///
/// What is known of it is read at once; what touches the radio is `async`, runs in the order of the calls where it can,
/// and ends exactly once: with its own reply, with a ``BluetoothError``, or with `CancellationError` as soon as the task
/// is cancelled.
///
/// The connection belongs to the central that made it. It ends with ``disconnect()``, when it is lost, or with the last
/// reference to the peripheral; whoever iterates its values holds one.
public final class Peripheral: Sendable, Identifiable {
  /// What names a device to a program.
  public typealias ID = PeerID

  let core: PeripheralCore

  init(core: PeripheralCore) { self.core = core }

  /// What names the device.
  public var id: PeerID { core.id }
  /// What it calls itself, if it was heard to say so.
  public var name: String? { core.facts.name }
  /// How strongly it was heard last, in dBm.
  public var rssi: Int? { core.facts.rssi }
  /// What it said of itself last, if it was heard.
  public var advertisement: AdvertisingData? { core.facts.advertisement }
  /// The services that were discovered on this connection so far.
  public var services: [Service] { core.facts.services }
  /// Why the last connection was lost or could not be made; `nil` once there is one again.
  public var lastError: BluetoothError? { core.facts.lastError }

  /// Where the connection stands.
  public var state: ConnectionState { core.states.current ?? .disconnected(nil) }

  /// The state: the current one first, then each change. A slow reader gets the newest only. Ends with the peripheral,
  /// which it does not keep.
  public var states: Updates<ConnectionState> { Updates(hub: core.states) }

  /// The longest value that a write of this kind can carry on this connection, in bytes. For `.automatic` the length
  /// that fits in either case.
  ///
  /// Without response it is 20 until the longest PDU was agreed with the device, which the radio asks for as soon as the
  /// connection is up: ask again after the first operation, and not once and for all right after the connect.
  public func maximumWriteLength(for type: WriteType) -> Int {
    type == .withResponse ? PeripheralCore.longestValue : PeripheralCore.writeLength(mtu: core.facts.mtu)
  }

  /// Ends the connection, or a connect that is under way, and returns when that is done; a radio needs no answer from
  /// the device for it. What is pending fails with `.disconnected`, and streams of values end with it.
  ///
  /// The radio does not wait for what it has taken over but not sent: a write without response just before can be lost
  /// with the link, as on Apple's platforms and with BlueZ. To be sure, write with response, or read a value after it:
  /// a device answers in order.
  ///
  /// If the task is cancelled it returns at once, and the connection ends all the same.
  public func disconnect() async { await core.disconnect() }

  /// The same with a limit to the wait. Where it passes, the connection ends all the same.
  ///
  /// - Throws: ``BluetoothError`` of the kind `.timedOut`; `CancellationError`.
  public func disconnect(timeout: Timeout) async throws { try await core.disconnect(timeout: timeout) }
}

extension Peripheral: Hashable {
  /// Whether both are the same device of the same central.
  public static func == (left: Peripheral, right: Peripheral) -> Bool { left.core === right.core }

  /// Hashes the device and its central.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(core)) }
}

extension Peripheral: CustomStringConvertible {
  /// The name, if it is known, and the identifier.
  public var description: String { name.map { "\"\($0)\" (\(id))" } ?? "\(id)" }
}
