import BluetoothTypes
import CoreBluetooth
import RadioPort

/// Takes what the framework tells to the radio. The framework calls where the radio runs, so each call is one step.
final class CentralEvents: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
  private weak var radio: CoreBluetoothRadio?

  init(_ radio: CoreBluetoothRadio) { self.radio = radio }

  private func enter<Value>(_ value: Value, _ body: @Sendable (isolated CoreBluetoothRadio, Value) -> Void) {
    radio?.enter(value, body)
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) { enter(()) { radio, _ in radio.stateChanged() } }

  func centralManager(
    _ central: CBCentralManager,
    didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    enter((peripheral, advertisementData)) { radio, heard in radio.heard(heard.0, heard.1, RSSI.intValue) }
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    enter(peripheral) { radio, peripheral in radio.connected(PeerID(peripheral)) }
  }

  func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
    enter((peripheral, error)) { radio, told in
      radio.connectFailed(
        PeerID(told.0),
        RadioFailure(told.1, otherwise: .connectionFailed, "the device could not be connected")
      )
    }
  }

  func centralManager(
    _ central: CBCentralManager,
    didDisconnectPeripheral peripheral: CBPeripheral,
    error: (any Error)?
  ) {
    enter((peripheral, error)) { radio, told in
      radio.disconnected(PeerID(told.0), RadioFailure(told.1, otherwise: .disconnected, "the link has ended"))
    }
  }

  // MARK: Devices

  private func tell(_ peripheral: CBPeripheral, _ work: @escaping @Sendable (Device) -> Void) {
    enter(peripheral) { radio, peripheral in
      if let device = radio.devices[PeerID(peripheral)] { work(device) }
    }
  }

  func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
    let gone = Passed(value: invalidatedServices)
    tell(peripheral) { $0.servicesChanged(gone.value) }
  }

  func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
    tell(peripheral) { $0.rssiRead(RSSI.intValue, error) }
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    tell(peripheral) { $0.servicesDiscovered(error) }
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?) {
    let service = Passed(value: service)
    tell(peripheral) { $0.includedServicesDiscovered(service.value, error) }
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
    let service = Passed(value: service)
    tell(peripheral) { $0.characteristicsDiscovered(service.value, error) }
  }

  func peripheral(
    _ peripheral: CBPeripheral,
    didDiscoverDescriptorsFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    tell(peripheral) { $0.descriptorsDiscovered(error) }
  }

  func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?) {
    let characteristic = Passed(value: characteristic)
    tell(peripheral) { $0.valueCame(characteristic.value, error) }
  }

  func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {
    let descriptor = Passed(value: descriptor)
    tell(peripheral) { $0.valueRead(descriptor.value, error) }
  }

  func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?) {
    let characteristic = Passed(value: characteristic)
    tell(peripheral) { $0.written(characteristic.value, error) }
  }

  func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?) {
    let descriptor = Passed(value: descriptor)
    tell(peripheral) { $0.written(descriptor.value, error) }
  }

  func peripheral(
    _ peripheral: CBPeripheral,
    didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    let characteristic = Passed(value: characteristic)
    tell(peripheral) { $0.notificationsChanged(characteristic.value, error) }
  }

  func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
    enter((peripheral, channel, error)) { radio, told in
      if let device = radio.devices[PeerID(told.0)] {
        radio.channelAnswered(device, told.1, told.2)
      } else {
        told.1?.closeStreams()
      }
    }
  }

  func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { tell(peripheral) { $0.sendWaiting() } }
}
