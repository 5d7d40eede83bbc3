import BluetoothTypes
import Foundation
import RadioPort

extension CBPeripheral {
  /// `nil` if the device is not connected and is not to be.
  var record: CentralRecord.Device? {
    let (state, name, services, options) = guarded.withLock { ($0.state, $0.name, $0.services, $0.options) }
    guard state == .connecting || state == .connected else { return nil }
    let kept = (services ?? []).map { service in
      let all = service.characteristics ?? []
      return CentralRecord.Service(
        uuid: RecordedUUID(service.uuid.value),
        handle: service.handle.rawValue,
        isPrimary: service.isPrimary,
        characteristics: all.compactMap { one in
          one.remote.map { CentralRecord.Characteristic($0, isNotifying: one.isNotifying) }
        }
      )
    }
    let notifies = kept.contains { $0.characteristics.contains(where: \.isNotifying) }
    return CentralRecord.Device(
      identifier: identifier,
      name: name,
      options: options.record,
      services: notifies ? kept : []
    )
  }

  /// Has the services that were discovered before the program ended, until the device shows others.
  func restore(_ services: [CentralRecord.Service]) {
    guard !services.isEmpty else { return }
    var known: [AttributeHandle: CBAttribute] = [:]
    let restored = services.map { saved in
      let service = CBService(
        uuid: CBUUID(saved.uuid.value),
        handle: AttributeHandle(saved.handle),
        isPrimary: saved.isPrimary,
        peripheral: self
      )
      let characteristics = saved.characteristics.map { saved in
        let characteristic = CBCharacteristic(saved.remote, in: service)
        characteristic.setNotifying(saved.isNotifying)
        known[AttributeHandle(saved.handle)] = characteristic
        return characteristic
      }
      service.guarded.withLock { $0.characteristics = characteristics }
      known[service.handle] = service
      return service
    }
    guarded.withLock { state in
      state.services = restored
      state.known = known
      state.isRestored = true
    }
  }

  /// The device is connected again: what was subscribed to before the program ended is subscribed to again, if the device
  /// still has it.
  func subscribeAgain() {
    let (services, link) = guarded.withLock { state in
      defer { state.isRestored = false }
      return (state.isRestored ? state.services : nil, state.link)
    }
    guard let services, let link else { return }
    let wanted = services.flatMap { $0.characteristics ?? [] }.filter(\.isNotifying)
    for characteristic in wanted { characteristic.setNotifying(false) }
    let finish = later { (peripheral, result: Result<[RemoteService], RadioFailure>) in
      guard case .success(let found) = result else { return }
      let present = Dictionary(found.map { ($0.handle, $0) }) { first, _ in first }
      let isTheSame = services.allSatisfy { service in
        guard let there = present[service.handle], there.uuid == service.uuid.value else { return false }
        return (service.characteristics ?? []).allSatisfy { one in there.characteristics.contains { $0 == one.remote } }
      }
      guard isTheSame else { return peripheral.forget(services) }
      for characteristic in wanted { peripheral.setNotifyValue(true, for: characteristic) }
    }
    session.perform { $0.discover(nil, on: link, finish) }
  }

  /// The device is not what it was.
  private func forget(_ services: [CBService]) {
    let gone = Set(services.flatMap { [$0.handle] + ($0.characteristics ?? []).compactMap { $0.remote?.handle } })
    guarded.withLock { state in
      if state.services == services { state.services = nil }
      state.known = state.known.filter { !gone.contains($0.key) }
    }
    delegate?.peripheral(self, didModifyServices: services)
  }
}
