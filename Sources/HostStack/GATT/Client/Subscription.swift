import BluetoothTypes
import RadioPort

/// What this end has to do with one characteristic's notifications or indications.
struct Subscription: Sendable {
  /// What the peer was last told, or is about to be.
  enum State: Sendable {
    case off
    /// The write that switches it on is queued or under way.
    case enabling
    case on
    /// The write that switches it off is queued or under way.
    case disabling
  }

  /// The characteristic's value, which is what names it (F35).
  let characteristic: AttributeHandle
  private(set) var configuration: AttributeHandle
  /// The bits of the Client Characteristic Configuration: 1 for notifications, 2 for indications.
  private(set) var bits: UInt8
  var state = State.off
  /// Who gets the values; also who still waits for the peer to agree (F16).
  var handlers: [SubscriptionID] = []
  /// Handlers to which `.subscribed` is due.
  var waiting: [SubscriptionID] = []
  /// Former handlers to which `.unsubscribed` is due.
  var leaving: [SubscriptionID] = []
  /// The peer's services have changed since it was told: what it knows is uncertain, and so is where to tell it.
  var isStale = false
  /// The host itself listens: to Service Changed.
  var isHeldByHost = false

  var isWanted: Bool { isHeldByHost || !handlers.isEmpty }

  /// - Throws: `.unsupported` for a characteristic that can not be subscribed to.
  init(to characteristic: RemoteCharacteristic) throws(RadioFailure) {
    let name = "characteristic \(characteristic.uuid) (\(characteristic.handle))"
    guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else {
      throw RadioFailure(.unsupported, reason: "\(name) has neither notifications nor indications; read it instead")
    }
    guard let configuration = characteristic.clientConfiguration else {
      throw RadioFailure(
        .unsupported,
        reason:
          "\(name) has no Client Characteristic Configuration (2902) to subscribe with; the peer's table is at fault"
      )
    }
    self.characteristic = characteristic.handle
    self.configuration = configuration.handle
    bits = characteristic.properties.contains(.notify) ? 1 : 2
  }

  /// Takes over what a new discovery has found, after the services have changed.
  mutating func renew(from newer: Subscription) {
    guard isStale else { return }
    isStale = false
    configuration = newer.configuration
    bits = newer.bits
    if state == .on { state = .off }
  }
}
