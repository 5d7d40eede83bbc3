import BluetoothTypes
import Foundation
import RadioPort

extension CBPeripheral {
  /// Reads a characteristic's value.
  public func readValue(for characteristic: CBCharacteristic) {
    guard let link = usableLink(), let remote = remote(characteristic) else { return }
    let handle = remote.handle
    let finish = later { (peripheral, result: Result<[UInt8], RadioFailure>) in
      if case .success(let bytes) = result { characteristic.setValue(Data(bytes)) }
      peripheral.delegate?.peripheral(peripheral, didUpdateValueFor: characteristic, error: result.parts.error)
    }
    session.perform { $0.read(handle, on: link, finish) }
  }

  /// Writes a characteristic's value. Without response, more than ``maximumWriteValueLength(for:)`` bytes are not sent.
  public func writeValue(_ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType) {
    guard let link = usableLink(), let remote = remote(characteristic) else { return }
    let handle = remote.handle
    let bytes = [UInt8](data)
    switch type {
    case .withResponse:
      let finish = later { (peripheral, result: Result<Void, RadioFailure>) in
        peripheral.delegate?.peripheral(peripheral, didWriteValueFor: characteristic, error: result.parts.error)
      }
      session.perform { $0.write(bytes, to: handle, on: link, finish) }
    case .withoutResponse:
      guard characteristic.properties.contains(.writeWithoutResponse) else {
        return Misuse.warn(
          "\(characteristic) does not specify the \"Write Without Response\" property - ignoring response-less write"
        )
      }
      ObservedProperties.change(self, .canSendWriteWithoutResponse) { guarded.withLock { $0.unsent += 1 } }
      let finish = later { (peripheral, result: Result<Void, RadioFailure>) in
        if case .failure(let failure) = result { Misuse.warn("\(peripheral) could not be sent a value: \(failure)") }
        peripheral.sent(on: link)
      }
      session.perform { $0.send(bytes, to: handle, on: link, finish) }
    }
  }

  private func sent(on link: LinkID) {
    let isReadyAgain = ObservedProperties.change(self, .canSendWriteWithoutResponse) {
      guarded.withLock { state in
        guard state.link == link, state.unsent > 0 else { return false }
        state.unsent -= 1
        guard state.wasFull, state.unsent < Self.writeRoom else { return false }
        state.wasFull = false
        return true
      }
    }
    if isReadyAgain { delegate?.peripheralIsReady(toSendWriteWithoutResponse: self) }
  }

  /// Switches notifications, or indications where there are only those, on or off.
  public func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
    guard let link = usableLink(), let remote = remote(characteristic) else { return }
    let finish = later { (peripheral, result: Result<Void, RadioFailure>) in
      if case .success = result {
        characteristic.setNotifying(enabled)
        peripheral.manager?.saveRestorableState()
      }
      peripheral.delegate?.peripheral(
        peripheral,
        didUpdateNotificationStateFor: characteristic,
        error: result.parts.error
      )
    }
    let handle = remote.handle
    guard enabled else { return session.perform { $0.unsubscribe(from: handle, on: link, finish) } }
    if let refusal = Self.refusal(to: remote) { return session.perform { $0.refuse(refusal, on: link, finish) } }
    let value = later { (peripheral, result: Result<[UInt8], RadioFailure>) in
      if case .success(let bytes) = result { characteristic.setValue(Data(bytes)) }
      peripheral.delegate?.peripheral(peripheral, didUpdateValueFor: characteristic, error: nil)
    }
    session.perform { $0.subscribe(to: remote, on: link, value: { value(.success($0)) }, finish) }
  }

  /// Why a characteristic can not be subscribed to, as Apple's system answers in place of the device.
  private static func refusal(to characteristic: RemoteCharacteristic) -> RadioFailure? {
    let name = "\(characteristic.uuid) (\(characteristic.handle))"
    if characteristic.properties.isDisjoint(with: [.notify, .indicate]) {
      let reason = "\(name) has neither notifications nor indications: read it instead"
      return RadioFailure(.att, underlying: .att(.requestNotSupported, characteristic.handle), reason: reason)
    }
    guard characteristic.clientConfiguration == nil else { return nil }
    let reason = "\(name) has no Client Characteristic Configuration (2902): the device's table is at fault"
    return RadioFailure(.att, underlying: .att(.attributeNotFound, characteristic.handle), reason: reason)
  }

  /// Reads a descriptor's value.
  public func readValue(for descriptor: CBDescriptor) {
    guard let link = usableLink() else { return }
    let handle = descriptor.handle
    let finish = later { (peripheral, result: Result<[UInt8], RadioFailure>) in
      if case .success(let bytes) = result { descriptor.setValue(bytes) }
      peripheral.delegate?.peripheral(peripheral, didUpdateValueFor: descriptor, error: result.parts.error)
    }
    session.perform { $0.read(handle, on: link, finish) }
  }

  /// Writes a descriptor's value. The descriptor that switches notifications can not be written in this way.
  public func writeValue(_ data: Data, for descriptor: CBDescriptor) {
    guard let link = usableLink() else { return }
    if descriptor.uuid.value == BluetoothUUID(UInt16(0x2902)) {
      Misuse.raise(
        "Client Characteristic Configuration descriptors must be configured using setNotifyValue(_:for:), not written."
      )
    }
    let handle = descriptor.handle
    let bytes = [UInt8](data)
    let finish = later { (peripheral, result: Result<Void, RadioFailure>) in
      peripheral.delegate?.peripheral(peripheral, didWriteValueFor: descriptor, error: result.parts.error)
    }
    session.perform { $0.write(bytes, to: handle, on: link, finish) }
  }

  private func remote(_ characteristic: CBCharacteristic) -> RemoteCharacteristic? {
    if let remote = characteristic.remote { return remote }
    Misuse.log("\(characteristic) is published by this program, not discovered on \(self)")
    return nil
  }
}
