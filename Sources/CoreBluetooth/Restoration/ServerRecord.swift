import BluetoothTypes
import Foundation
import RadioPort

/// What a peripheral manager keeps: the services that are published, and what is advertised.
struct ServerRecord: Codable, Hashable {
  struct Service: Codable, Hashable {
    var uuid: RecordedUUID
    var isPrimary: Bool
    /// The services that it includes, by their places in the list.
    var includes: [Int]
    var characteristics: [Characteristic]
  }

  struct Characteristic: Codable, Hashable {
    var uuid: RecordedUUID
    var properties: UInt
    var permissions: UInt
    /// One that never changes.
    var value: Data?
    var descriptors: [Descriptor]
  }

  /// A descriptor with text or with bytes.
  struct Descriptor: Codable, Hashable {
    var uuid: RecordedUUID
    var text: String?
    var bytes: Data?
  }

  struct Advertisement: Codable, Hashable {
    var name: String?
    /// `nil` if none were named.
    var services: [RecordedUUID]?
  }

  var version = RecordVersion()
  var services: [Service]
  var advertisement: Advertisement?

  init(services: [Service], advertisement: Advertisement?) {
    self.services = services
    self.advertisement = advertisement
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    version = try container.decode(RecordVersion.self, forKey: .version)
    services = try container.decode([Service].self, forKey: .services)
    advertisement = try container.decodeIfPresent(Advertisement.self, forKey: .advertisement)
    for (place, service) in services.enumerated() {
      // What is included comes before, as it has to be published before.
      guard service.includes.allSatisfy({ (0..<place).contains($0) }) else {
        throw DecodingError.dataCorruptedError(
          forKey: .services,
          in: container,
          debugDescription: "service \(place) includes \(service.includes), of which one does not come before it"
        )
      }
    }
  }
}

extension ServerRecord.Service {
  init(_ service: CBMutableService) {
    self.init(
      uuid: RecordedUUID(service.uuid.value),
      isPrimary: service.isPrimary,
      includes: [],
      characteristics: service.mutableCharacteristics.map { one in
        ServerRecord.Characteristic(
          uuid: RecordedUUID(one.uuid.value),
          properties: one.properties.rawValue,
          permissions: one.permissions.rawValue,
          value: one.value,
          descriptors: (one.descriptors ?? []).map { descriptor in
            ServerRecord.Descriptor(
              uuid: RecordedUUID(descriptor.uuid.value),
              text: descriptor.value as? String,
              bytes: descriptor.value as? Data
            )
          }
        )
      }
    )
  }

  /// The service again, but for what it includes.
  var service: CBMutableService {
    let service = CBMutableService(type: CBUUID(uuid.value), primary: isPrimary)
    service.characteristics = characteristics.map { saved in
      let characteristic = CBMutableCharacteristic(
        type: CBUUID(saved.uuid.value),
        properties: CBCharacteristicProperties(rawValue: saved.properties),
        value: saved.value,
        permissions: CBAttributePermissions(rawValue: saved.permissions)
      )
      let descriptors = saved.descriptors.map { CBMutableDescriptor(restored: $0) }
      if !descriptors.isEmpty { characteristic.descriptors = descriptors }
      return characteristic
    }
    return service
  }
}

extension ServerRecord.Advertisement {
  /// What is advertised as the app gave it.
  var dictionary: [String: Any] {
    var dictionary: [String: Any] = [:]
    if let name { dictionary[CBAdvertisementDataLocalNameKey] = name }
    if let services { dictionary[CBAdvertisementDataServiceUUIDsKey] = services.map { CBUUID($0.value) } }
    return dictionary
  }

  var request: AdvertisingRequest {
    AdvertisingRequest(name: name, services: services?.map(\.value) ?? [], overflow: .shorten)
  }
}
