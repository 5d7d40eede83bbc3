#if !os(tvOS) && !os(watchOS)
  import BluetoothTypes
  import CoreBluetooth

  /// Takes what the framework tells a server to the radio. The framework calls where the radio runs, so each call is one
  /// step.
  final class PeripheralEvents: NSObject, CBPeripheralManagerDelegate {
    private weak var radio: CoreBluetoothRadio?

    init(_ radio: CoreBluetoothRadio) { self.radio = radio }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
      radio?.enter(()) { radio, _ in radio.serverStateChanged() }
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
      radio?.enter(error) { radio, error in radio.advertisingStarted(error) }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
      radio?.enter((service, error)) { radio, told in radio.added(told.0, told.1) }
    }

    func peripheralManager(
      _ peripheral: CBPeripheralManager,
      central: CBCentral,
      didSubscribeTo characteristic: CBCharacteristic
    ) {
      radio?.enter((central, characteristic)) { radio, told in radio.subscribed(told.0, told.1) }
    }

    func peripheralManager(
      _ peripheral: CBPeripheralManager,
      central: CBCentral,
      didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
      radio?.enter((central, characteristic)) { radio, told in radio.unsubscribed(told.0, told.1) }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
      radio?.enter(request) { radio, request in radio.asked(toRead: request) }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
      radio?.enter(requests) { radio, requests in radio.asked(toWrite: requests) }
    }

    func peripheralManager(
      _ peripheral: CBPeripheralManager,
      didPublishL2CAPChannel PSM: CBL2CAPPSM,
      error: (any Error)?
    ) {
      radio?.enter(error) { radio, error in radio.channelPublished(L2CAPPSM(rawValue: PSM), error) }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
      radio?.enter((channel, error)) { radio, told in radio.channelArrived(told.0, told.1) }
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
      radio?.enter(()) { radio, _ in radio.roomAgain() }
    }
  }
#endif
