import BluetoothTypes
import HostStack
import RadioPort

/// Where the parts of a description stand in the device's database.
struct DeviceLayout: Sendable {
  /// A characteristic at its place.
  struct Entry: Sendable {
    let characteristic: VirtualDevice.Characteristic
    let service: BluetoothUUID
    let value: AttributeHandle
    let configuration: AttributeHandle?
    let descriptors: [AttributeHandle]
  }

  /// What the host is to serve.
  private(set) var services: [ServiceDefinition] = []
  /// Where those services are, in the same order.
  private(set) var handles: [AttributeHandle] = []
  /// The services for which there are not enough handles, by their identities.
  private(set) var leftOut: [ObjectIdentifier] = []
  /// All characteristics, lowest handle first.
  private(set) var entries: [Entry] = []

  private var database: GATTDatabase
  private var placed: [ObjectIdentifier: AttributeHandle] = [:]
  /// Services that are being placed, so that one that includes itself comes to an end.
  private var underWay: Set<ObjectIdentifier> = []

  init(_ description: VirtualDevice.Description) {
    // The host puts its own services in front; handles are counted from there.
    database = HostConfiguration(name: description.name, hasDatabaseHash: description.hasDatabaseHash)
      .makeDatabase()
    for service in description.services { place(service) }
  }

  /// Puts other services in the place of all, at handles that nobody has known, as the host does too.
  mutating func replace(with services: [VirtualDevice.Service]) {
    for handle in handles { _ = database.remove(handle) }
    self.services = []
    handles = []
    entries = []
    leftOut = []
    placed = [:]
    for service in services { place(service) }
  }

  /// Places a service, and before it those that it includes.
  private mutating func place(_ service: VirtualDevice.Service) {
    let identity = ObjectIdentifier(service.identity)
    guard placed[identity] == nil, underWay.insert(identity).inserted else { return }
    for included in service.includes { place(included) }
    let definition = ServiceDefinition(
      service.uuid,
      isPrimary: service.isPrimary,
      includes: service.includes.compactMap { placed[ObjectIdentifier($0.identity)] },
      characteristics: service.characteristics.map(Self.definition)
    )
    guard let place = database.add(definition) else {
      leftOut.append(identity)
      return
    }
    services.append(definition)
    handles.append(place.handle)
    placed[identity] = place.handle
    for (characteristic, place) in zip(service.characteristics, place.characteristics) {
      entries.append(
        Entry(
          characteristic: characteristic,
          service: service.uuid,
          value: place.value,
          configuration: place.clientConfiguration,
          descriptors: place.descriptors
        )
      )
    }
  }

  private static func definition(_ characteristic: VirtualDevice.Characteristic) -> CharacteristicDefinition {
    var definition = CharacteristicDefinition(
      characteristic.uuid,
      properties: characteristic.properties,
      permissions: characteristic.permissions?.attributePermissions,
      source: .owner,
      userDescription: characteristic.userDescription,
      descriptors: characteristic.descriptors.map {
        DescriptorDefinition($0.uuid, permissions: $0.permissions.attributePermissions, source: .stored($0.value))
      }
    )
    // What only the device changes the host keeps, and can so send along with others.
    if characteristic.onRead == nil, !definition.permissions.contains(.write) {
      definition.source = .stored(characteristic.value)
    }
    return definition
  }

  // MARK: Looking up

  /// The characteristic whose value has this handle.
  subscript(value handle: AttributeHandle) -> Entry? { entries.first { $0.value == handle } }

  /// The value that an attribute belongs to: itself, or that of its client configuration or descriptor.
  func value(near handle: AttributeHandle) -> AttributeHandle? {
    entries.first { $0.value == handle || $0.configuration == handle || $0.descriptors.contains(handle) }?.value
  }

  /// The only characteristic with this UUID.
  func handle(of uuid: BluetoothUUID, on name: String) throws(DeviceError) -> AttributeHandle {
    let found = entries.filter { $0.characteristic.uuid == uuid }
    guard let first = found.first else {
      throw DeviceError(.unknown, "\(name) has no characteristic \(uuid); it has \(Self.list(entries))")
    }
    guard found.count == 1 else {
      throw DeviceError(
        .ambiguous,
        "\(name) has \(counted(found.count, "characteristic")) \(uuid); name one by its handle: \(Self.list(found))"
      )
    }
    return first.value
  }

  /// Checks that a handle is that of a value.
  func check(_ handle: AttributeHandle, on name: String) throws(DeviceError) {
    guard self[value: handle] == nil else { return }
    throw DeviceError(
      .unknown,
      "\(name) has no characteristic with the value handle \(handle); it has \(Self.list(entries))"
    )
  }

  private static func list(_ entries: [Entry]) -> String {
    guard !entries.isEmpty else { return "none" }
    return entries.map { "\($0.characteristic.uuid) at \($0.value) in service \($0.service)" }.joined(separator: ", ")
  }
}

extension DeviceLayout {
  /// What the device advertises: what matters most first, as far as there is room, the rest in the scan response.
  static func advertising(_ description: VirtualDevice.Description) -> AdvertisingConfiguration {
    arrange(description).configuration
  }

  /// The same, and what found no room.
  static func arrange(
    _ description: VirtualDevice.Description
  ) -> (configuration: AdvertisingConfiguration, leftOut: [ADStructure]) {
    var leftOut: [ADStructure] = []
    var data = AdvertisingData([.flags([.generalDiscoverable, .brEDRNotSupported])])
    var response = AdvertisingData()
    var parts = ADStructure.serviceLists(description.advertisedServices.map(\.uuid))
    if let manufacturer = description.manufacturerData {
      parts.append(.manufacturerData(manufacturer.company, manufacturer.data))
    }
    if description.appearance != .unknown { parts.append(.appearance(description.appearance)) }
    parts += description.moreAdvertisingData
    // The name comes first if all of it fits beside the services, for who scans passively.
    let capacity = AdvertisingData.legacyCapacity
    let name = ADStructure.completeLocalName(description.name)
    let services = ADStructure.serviceLists(description.advertisedServices.map(\.uuid))
    let taken = data.encodedCount + services.reduce(0) { $0 + $1.encodedCount }
    if description.name.isEmpty {
      // Nothing to tell.
    } else if taken + name.encodedCount <= capacity {
      data.structures.append(name)
    } else {
      response.structures.append(.localName(description.name, fitting: capacity))
    }
    for part in parts {
      if data.encodedCount + part.encodedCount <= capacity {
        data.structures.append(part)
      } else if response.encodedCount + part.encodedCount <= capacity {
        response.structures.append(part)
      } else {
        leftOut.append(part)
      }
    }
    let configuration = AdvertisingConfiguration(
      data: (try? data.encoded()) ?? [],
      scanResponse: (try? response.encoded()) ?? [],
      isConnectable: description.isConnectable,
      interval: description.advertisingInterval...description.advertisingInterval,
      resumption: description.advertisesWhileConnected ? .immediately : .whenDisconnected
    )
    return (configuration, leftOut)
  }
}
