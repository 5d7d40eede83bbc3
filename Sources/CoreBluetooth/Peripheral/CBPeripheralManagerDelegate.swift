import Foundation

/// Hears what centrals want. All calls come on the manager's queue, in order.
///
/// What is optional in Apple's protocol has a default here, as Swift on Linux can not ask an object what it implements.
public protocol CBPeripheralManagerDelegate: NSObjectProtocol {
  /// The state has changed. It is the first call that a delegate gets.
  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager)

  /// A manager with a restore identifier goes on with what it did when the program ended: its services are published
  /// again and it advertises again as soon as the radio is on, without calls of ``peripheralManager(_:didAdd:error:)`` and
  /// ``peripheralManagerDidStartAdvertising(_:error:)``. Centrals that had subscribed have lost their connection, and
  /// subscribe again. It is told before the first state.
  ///
  /// - Parameter dict: What it did, by the keys `CBPeripheralManagerRestoredState…`. The services are other objects than
  ///   before; values that can change are the app's.
  func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any])

  /// Advertising has begun, or could not begin.
  func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?)

  /// A service is published, or could not be published.
  func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?)

  /// A central wants to be sent the values of a characteristic.
  func peripheralManager(
    _ peripheral: CBPeripheralManager,
    central: CBCentral,
    didSubscribeTo characteristic: CBCharacteristic
  )

  /// A central does not want to be sent the values any more, or has left.
  func peripheralManager(
    _ peripheral: CBPeripheralManager,
    central: CBCentral,
    didUnsubscribeFrom characteristic: CBCharacteristic
  )

  /// A central reads: set the request's value and answer once. The default refuses.
  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest)

  /// A central writes, perhaps several values as one: take all or none, and answer the first once. The default refuses.
  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest])

  /// After ``CBPeripheralManager/updateValue(_:for:onSubscribedCentrals:)`` was `false`: there is room again.
  func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager)

  /// Centrals can open channels to a PSM, or could not be let.
  ///
  /// - Parameter PSM: What they have to know; 0 if there is an error.
  func peripheralManager(
    _ peripheral: CBPeripheralManager,
    didPublishL2CAPChannel PSM: CBL2CAPPSM,
    error: (any Error)?
  )

  /// Centrals can open no more channels to a PSM.
  func peripheralManager(
    _ peripheral: CBPeripheralManager,
    didUnpublishL2CAPChannel PSM: CBL2CAPPSM,
    error: (any Error)?
  )

  /// A central has opened a channel. The app has to keep it.
  func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?)
}

extension CBPeripheralManagerDelegate {
  /// Does nothing.
  public func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {}
  /// Does nothing.
  public func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {}
  /// Does nothing.
  public func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {}
  /// Does nothing.
  public func peripheralManager(
    _ peripheral: CBPeripheralManager,
    central: CBCentral,
    didSubscribeTo characteristic: CBCharacteristic
  ) {}
  /// Does nothing.
  public func peripheralManager(
    _ peripheral: CBPeripheralManager,
    central: CBCentral,
    didUnsubscribeFrom characteristic: CBCharacteristic
  ) {}
  /// Refuses the request.
  public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
    peripheral.respond(to: request, withResult: .requestNotSupported)
  }
  /// Refuses the requests.
  public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
    if let first = requests.first { peripheral.respond(to: first, withResult: .requestNotSupported) }
  }
  /// Does nothing.
  public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {}
  /// Does nothing.
  public func peripheralManager(
    _ peripheral: CBPeripheralManager,
    didPublishL2CAPChannel PSM: CBL2CAPPSM,
    error: (any Error)?
  ) {}
  /// Does nothing.
  public func peripheralManager(
    _ peripheral: CBPeripheralManager,
    didUnpublishL2CAPChannel PSM: CBL2CAPPSM,
    error: (any Error)?
  ) {}
  /// Does nothing: the channel is closed, as nobody keeps it.
  public func peripheralManager(
    _ peripheral: CBPeripheralManager,
    didOpen channel: CBL2CAPChannel?,
    error: (any Error)?
  ) {}
}
