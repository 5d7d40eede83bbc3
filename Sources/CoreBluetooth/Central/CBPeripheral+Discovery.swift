import BluetoothTypes
import Foundation
import RadioPort

extension CBPeripheral {
  /// The services that the system keeps to itself, as Apple's does: Generic Access and Generic Attribute.
  private static let hidden: Set<BluetoothUUID> = [BluetoothUUID(UInt16(0x1800)), BluetoothUUID(UInt16(0x1801))]

  /// Discovers the device's services: those that are named, or with `nil` all.
  public func discoverServices(_ serviceUUIDs: [CBUUID]?) {
    guard let link = usableLink() else { return }
    let wanted = CBUUID.values(serviceUUIDs).flatMap { $0.isEmpty ? nil : $0 }
    let finish = later { (peripheral, result: Result<[RemoteService], RadioFailure>) in
      if case .success(let found) = result {
        let services = found.filter { $0.isPrimary && !Self.hidden.contains($0.uuid) }.map(peripheral.service)
        ObservedProperties.change(peripheral, .services) { peripheral.guarded.withLock { $0.services = services } }
        if let access = found.first(where: { $0.uuid == BluetoothUUID(UInt16(0x1800)) }) { peripheral.readName(access) }
      }
      peripheral.delegate?.peripheral(peripheral, didDiscoverServices: result.parts.error)
    }
    session.perform { $0.discover(wanted, on: link, finish) }
  }

  /// Discovers the services that a service includes: those that are named, or with `nil` all.
  public func discoverIncludedServices(_ includedServiceUUIDs: [CBUUID]?, for service: CBService) {
    guard let link = usableLink() else { return }
    let wanted = CBUUID.values(includedServiceUUIDs).map(Set.init)
    let handle = service.handle
    let finish = later { (peripheral, result: Result<[RemoteService], RadioFailure>) in
      if case .success(let found) = result {
        let included = found.filter { wanted?.contains($0.uuid) ?? true }.map(peripheral.service)
        ObservedProperties.change(service, .includedServices) {
          service.guarded.withLock { $0.includedServices = included }
        }
      }
      peripheral.delegate?.peripheral(peripheral, didDiscoverIncludedServicesFor: service, error: result.parts.error)
    }
    session.perform { $0.includedServices(of: handle, on: link, finish) }
  }

  /// Discovers a service's characteristics: those that are named, or with `nil` all.
  public func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
    guard let link = usableLink() else { return }
    let wanted = CBUUID.values(characteristicUUIDs).map(Set.init)
    let handle = service.handle
    let finish = later { (peripheral, result: Result<RemoteService, RadioFailure>) in
      if case .success(let found) = result {
        let characteristics = found.characteristics.filter { wanted?.contains($0.uuid) ?? true }
          .map { peripheral.characteristic($0, in: service) }
        ObservedProperties.change(service, .characteristics) {
          service.guarded.withLock { $0.characteristics = characteristics }
        }
      }
      peripheral.delegate?.peripheral(peripheral, didDiscoverCharacteristicsFor: service, error: result.parts.error)
    }
    session.perform { $0.contents(of: handle, on: link, finish) }
  }

  /// Discovers a characteristic's descriptors.
  public func discoverDescriptors(for characteristic: CBCharacteristic) {
    guard let link = usableLink() else { return }
    guard let service = characteristic.service, let remote = characteristic.remote else {
      return Misuse.log("\(characteristic) is not of this device, or its service is gone")
    }
    let handle = service.handle
    let finish = later { (peripheral, result: Result<RemoteService, RadioFailure>) in
      if case .success(let found) = result {
        let current = found.characteristics.first { $0.handle == remote.handle }
        let descriptors = current?.descriptors.map { peripheral.descriptor($0, of: characteristic) }
        ObservedProperties.change(characteristic, .descriptors) {
          characteristic.guarded.withLock { $0.descriptors = descriptors ?? [] }
        }
      }
      peripheral.delegate?.peripheral(
        peripheral,
        didDiscoverDescriptorsFor: characteristic,
        error: result.parts.error
      )
    }
    session.perform { $0.contents(of: handle, on: link, finish) }
  }

  // MARK: The one object of each attribute

  private func service(_ found: RemoteService) -> CBService {
    known(found.handle, as: CBService.self, uuid: found.uuid) {
      CBService(uuid: CBUUID(found.uuid), handle: found.handle, isPrimary: found.isPrimary, peripheral: self)
    }
  }

  private func characteristic(_ found: RemoteCharacteristic, in service: CBService) -> CBCharacteristic {
    known(found.handle, as: CBCharacteristic.self, uuid: found.uuid) { CBCharacteristic(found, in: service) }
  }

  private func descriptor(_ found: RemoteDescriptor, of characteristic: CBCharacteristic) -> CBDescriptor {
    known(found.handle, as: CBDescriptor.self, uuid: found.uuid) {
      CBDescriptor(uuid: CBUUID(found.uuid), handle: found.handle, characteristic: characteristic)
    }
  }

  private func known<Attribute: CBAttribute>(
    _ handle: AttributeHandle,
    as type: Attribute.Type,
    uuid: BluetoothUUID,
    _ make: () -> Attribute
  ) -> Attribute {
    if let known = guarded.withLock({ $0.known[handle] as? Attribute }), known.uuid.value == uuid { return known }
    let fresh = make()
    guarded.withLock { $0.known[handle] = fresh }
    return fresh
  }

  // MARK: The name

  /// Reads the name that the device tells itself, as Apple's system does (Core 5.4, Vol 3, Part C, 12.1).
  private func readName(_ access: RemoteService) {
    let isRead = guarded.withLock { state in
      defer { state.isNameCurrent = true }
      return state.isNameCurrent
    }
    let name = access.characteristics.first {
      $0.uuid == BluetoothUUID(UInt16(0x2A00)) && $0.properties.contains(.read)
    }
    guard !isRead, let name, let link = guarded.withLock({ $0.link }) else { return }
    let handle = name.handle
    let finish = later { (peripheral, result: Result<[UInt8], RadioFailure>) in
      guard case .success(let bytes) = result, !bytes.isEmpty else {
        return peripheral.guarded.withLock { $0.isNameCurrent = false }
      }
      let name = String(decoding: bytes, as: UTF8.self)
      let isNew = peripheral.guarded.withLock { state in
        state.isNameRead = true
        return state.name != name
      }
      guard isNew else { return }
      peripheral.setName(name)
      peripheral.delegate?.peripheralDidUpdateName(peripheral)
    }
    session.perform { $0.read(handle, on: link, finish) }
  }
}
