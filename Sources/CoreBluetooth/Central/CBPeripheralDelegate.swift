import Foundation

/// Hears what a device answers. All calls come on the queue of the device's manager, in order.
///
/// All is optional in Apple's protocol, so that all has a default here.
public protocol CBPeripheralDelegate: NSObjectProtocol {
  /// The name has changed.
  func peripheralDidUpdateName(_ peripheral: CBPeripheral)

  /// Services have changed or are gone; discover again.
  func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService])

  /// ``CBPeripheral/rssi`` was measured: what was called before ``peripheral(_:didReadRSSI:error:)``, whose default
  /// calls it.
  func peripheralDidUpdateRSSI(_ peripheral: CBPeripheral, error: (any Error)?)

  /// The strength of the connection, in dBm.
  func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?)

  /// ``CBPeripheral/services`` are there.
  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?)

  /// ``CBService/includedServices`` are there.
  func peripheral(_ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?)

  /// ``CBService/characteristics`` are there.
  func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?)

  /// A value was read or notified.
  func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)

  /// A value was written with response.
  func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?)

  /// Notifications are on or off; see ``CBCharacteristic/isNotifying``.
  func peripheral(
    _ peripheral: CBPeripheral,
    didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?
  )

  /// ``CBCharacteristic/descriptors`` are there.
  func peripheral(
    _ peripheral: CBPeripheral,
    didDiscoverDescriptorsFor characteristic: CBCharacteristic,
    error: (any Error)?
  )

  /// A descriptor's value was read.
  func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?)

  /// A descriptor's value was written.
  func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?)

  /// There is room again for writes without response.
  func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral)

  /// A channel is open, or could not be opened. The app has to keep it.
  func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?)
}

extension CBPeripheralDelegate {
  /// Does nothing.
  public func peripheralDidUpdateName(_ peripheral: CBPeripheral) {}
  /// Does nothing.
  public func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {}
  /// Does nothing.
  public func peripheralDidUpdateRSSI(_ peripheral: CBPeripheral, error: (any Error)?) {}
  /// Calls the method that was there before.
  public func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
    peripheralDidUpdateRSSI(peripheral, error: error)
  }
  /// Does nothing.
  public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {}
  /// Does nothing.
  public func peripheral(
    _ peripheral: CBPeripheral,
    didDiscoverIncludedServicesFor service: CBService,
    error: (any Error)?
  ) {}
  /// Does nothing.
  public func peripheral(
    _ peripheral: CBPeripheral,
    didDiscoverCharacteristicsFor service: CBService,
    error: (any Error)?
  ) {}
  /// Does nothing.
  public func peripheral(
    _ peripheral: CBPeripheral,
    didUpdateValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {}
  /// Does nothing.
  public func peripheral(
    _ peripheral: CBPeripheral,
    didWriteValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {}
  /// Does nothing.
  public func peripheral(
    _ peripheral: CBPeripheral,
    didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {}
  /// Does nothing.
  public func peripheral(
    _ peripheral: CBPeripheral,
    didDiscoverDescriptorsFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {}
  /// Does nothing.
  public func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {}
  /// Does nothing.
  public func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?) {}
  /// Does nothing.
  public func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {}
  /// Does nothing.
  public func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {}
}
