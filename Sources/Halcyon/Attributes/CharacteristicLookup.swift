import BluetoothTypes
import RadioPort

/// Finds what a name means in a device's attributes. Handles decide; a UUID alone may mean several.
enum CharacteristicLookup: Equatable {
  case found(CharacteristicName.Instance)
  case noService
  case noCharacteristic
  case outdated
  case ambiguous([CharacteristicName])

  init(_ name: CharacteristicName, in services: [RemoteService], on link: LinkID) {
    if let instance = name.instance {
      self = Self.find(instance, uuid: name.uuid, in: services, on: link)
      return
    }
    let candidates = services.filter { $0.uuid == name.service.uuid }
    guard !candidates.isEmpty else {
      self = .noService
      return
    }
    let found = candidates.flatMap { service in
      service.characteristics.filter { $0.uuid == name.uuid }.map { CharacteristicName($0, in: service, on: link) }
    }
    if found.count > 1 {
      self = .ambiguous(found)
    } else if let instance = found.first?.instance {
      self = .found(instance)
    } else {
      self = .noCharacteristic
    }
  }

  /// An instance of an earlier connection still holds if the same stands at its handle.
  private static func find(
    _ instance: CharacteristicName.Instance,
    uuid: BluetoothUUID,
    in services: [RemoteService],
    on link: LinkID
  ) -> CharacteristicLookup {
    guard let service = services.first(where: { $0.handle == instance.serviceHandle }),
      let characteristic = service.characteristics.first(where: { $0.handle == instance.characteristic.handle }),
      characteristic.uuid == uuid
    else { return .outdated }
    return .found(.init(link: link, serviceHandle: service.handle, characteristic: characteristic))
  }
}
