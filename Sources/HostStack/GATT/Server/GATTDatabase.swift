import BluetoothTypes
import RadioPort

/// The attributes that a server offers, in the order of their handles (Core 5.4, Vol 3, Part G, 2.5 and 3).
package struct GATTDatabase: Sendable {
  /// What an attribute is for.
  package enum Role: Hashable, Sendable {
    /// Begins a service that ends with the handle named.
    case service(end: AttributeHandle)
    /// Refers to another service.
    case include
    /// Declares the characteristic whose value has the handle named.
    case characteristic(value: AttributeHandle)
    /// The value of a characteristic.
    case value
    /// Any descriptor but the next.
    case descriptor
    /// The Client Characteristic Configuration of the value named; it has a value for each client.
    case clientConfiguration(of: AttributeHandle)
  }

  /// One attribute.
  package struct Attribute: Sendable {
    package let handle: AttributeHandle
    package let type: BluetoothUUID
    package let role: Role
    package let permissions: AttributePermissions
    /// Of the characteristic that a value belongs to; empty for all else.
    package let properties: CharacteristicProperties
    package var source: AttributeSource
  }

  /// Where a characteristic landed.
  package struct PlacedCharacteristic: Hashable, Sendable {
    package let uuid: BluetoothUUID
    package let declaration: AttributeHandle
    package let value: AttributeHandle
    package let clientConfiguration: AttributeHandle?
    /// The descriptors of the definition, in its order.
    package let descriptors: [AttributeHandle]
  }

  /// Where a service landed.
  package struct PlacedService: Hashable, Sendable {
    package let uuid: BluetoothUUID
    package let handle: AttributeHandle
    package let end: AttributeHandle
    package let characteristics: [PlacedCharacteristic]
  }

  /// All attributes, lowest handle first.
  package private(set) var attributes: [Attribute] = []
  /// All services, lowest handle first.
  package private(set) var services: [PlacedService] = []

  package init() {}

  /// Adds a service behind all others.
  ///
  /// - Returns: Where it landed; `nil`, with nothing added, if the handles do not suffice or an included service is not
  ///   there.
  @discardableResult
  package mutating func add(_ service: ServiceDefinition) -> PlacedService? {
    var builder = ServiceBuilder(after: attributes.last?.handle)
    for handle in service.includes {
      guard let included = services.first(where: { $0.handle == handle }) else { return nil }
      builder.includes.append(included)
    }
    guard let built = builder.build(service) else { return nil }
    attributes.append(contentsOf: built.attributes)
    services.append(built.service)
    return built.service
  }

  /// The attribute with this handle.
  package subscript(handle: AttributeHandle) -> Attribute? {
    let index = lowerBound(handle)
    return index < attributes.count && attributes[index].handle == handle ? attributes[index] : nil
  }

  /// The attributes whose handles lie in the range.
  package func attributes(in range: ClosedRange<AttributeHandle>) -> ArraySlice<Attribute> {
    let start = lowerBound(range.lowerBound)
    var end = start
    while end < attributes.count, attributes[end].handle <= range.upperBound { end += 1 }
    return attributes[start..<end]
  }

  /// Where attributes of a kind stand, by the UUIDs of service and characteristic; the first of its kind.
  package func characteristic(_ uuid: BluetoothUUID, in service: BluetoothUUID) -> PlacedCharacteristic? {
    for placed in services where placed.uuid == service {
      if let found = placed.characteristics.first(where: { $0.uuid == uuid }) { return found }
    }
    return nil
  }

  /// Replaces a value that the database keeps; does nothing for any other attribute.
  package mutating func store(_ value: [UInt8], at handle: AttributeHandle) {
    let index = lowerBound(handle)
    guard index < attributes.count, attributes[index].handle == handle,
      case .stored = attributes[index].source
    else { return }
    attributes[index].source = .stored(value)
  }

  private func lowerBound(_ handle: AttributeHandle) -> Int {
    var low = 0
    var high = attributes.count
    while low < high {
      let middle = (low + high) / 2
      if attributes[middle].handle < handle { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Lays out one service.
private struct ServiceBuilder {
  var includes: [GATTDatabase.PlacedService] = []
  private var next: UInt32
  private var attributes: [GATTDatabase.Attribute] = []

  init(after last: AttributeHandle?) { next = UInt32(last?.rawValue ?? 0) + 1 }

  mutating func build(
    _ service: ServiceDefinition
  ) -> (attributes: [GATTDatabase.Attribute], service: GATTDatabase.PlacedService)? {
    let count = 1 + includes.count + service.characteristics.reduce(0) { $0 + Self.attributeCount(of: $1) }
    guard Int(next) + count - 1 <= 0xFFFF, let end = UInt16(exactly: Int(next) + count - 1) else { return nil }
    let start = AttributeHandle(UInt16(truncatingIfNeeded: next))
    append(
      service.isPrimary ? .primaryServiceDeclaration : .secondaryServiceDeclaration,
      .service(end: AttributeHandle(end)),
      .read,
      .stored(Self.uuidBytes(service.uuid))
    )
    for included in includes {
      var writer = ByteWriter()
      writer.write(included.handle.rawValue)
      writer.write(included.end.rawValue)
      // A 128-bit UUID is left out of the declaration (Core 5.4, Vol 3, Part G, 3.2).
      if included.uuid.uint16 != nil { included.uuid.writeATT(to: &writer) }
      append(.includeDeclaration, .include, .read, .stored(writer.bytes))
    }
    let characteristics = service.characteristics.map { place($0) }
    let placed = GATTDatabase.PlacedService(
      uuid: service.uuid,
      handle: start,
      end: AttributeHandle(end),
      characteristics: characteristics
    )
    return (attributes, placed)
  }

  private static func hasConfiguration(_ characteristic: CharacteristicDefinition) -> Bool {
    !characteristic.properties.isDisjoint(with: [.notify, .indicate])
  }

  private static func hasExtendedProperties(_ characteristic: CharacteristicDefinition) -> Bool {
    !characteristic.properties.isDisjoint(with: [.extendedProperties, .reliableWrite, .writableAuxiliaries])
  }

  private static func attributeCount(of characteristic: CharacteristicDefinition) -> Int {
    2 + characteristic.descriptors.count + (hasConfiguration(characteristic) ? 1 : 0)
      + (hasExtendedProperties(characteristic) ? 1 : 0) + (characteristic.userDescription == nil ? 0 : 1)
  }

  private static func uuidBytes(_ uuid: BluetoothUUID) -> [UInt8] {
    var writer = ByteWriter(capacity: 16)
    uuid.writeATT(to: &writer)
    return writer.bytes
  }

  @discardableResult
  private mutating func append(
    _ type: BluetoothUUID,
    _ role: GATTDatabase.Role,
    _ permissions: AttributePermissions,
    _ source: AttributeSource,
    properties: CharacteristicProperties = []
  ) -> AttributeHandle {
    let handle = AttributeHandle(UInt16(truncatingIfNeeded: next))
    next += 1
    attributes.append(
      GATTDatabase.Attribute(
        handle: handle,
        type: type,
        role: role,
        permissions: permissions,
        properties: properties,
        source: source
      )
    )
    return handle
  }

  private mutating func place(_ characteristic: CharacteristicDefinition) -> GATTDatabase.PlacedCharacteristic {
    var properties = characteristic.properties
    if Self.hasExtendedProperties(characteristic) { properties.insert(.extendedProperties) }
    let valueHandle = AttributeHandle(UInt16(truncatingIfNeeded: next + 1))
    var writer = ByteWriter(capacity: 19)
    writer.write(UInt8(truncatingIfNeeded: properties.rawValue))
    writer.write(valueHandle.rawValue)
    characteristic.uuid.writeATT(to: &writer)
    let declaration = append(
      .characteristicDeclaration,
      .characteristic(value: valueHandle),
      .read,
      .stored(writer.bytes)
    )
    append(
      characteristic.uuid,
      .value,
      characteristic.permissions,
      characteristic.source,
      properties: properties
    )
    var configuration: AttributeHandle?
    if Self.hasConfiguration(characteristic) {
      configuration = append(
        .clientConfigurationDescriptor,
        .clientConfiguration(of: valueHandle),
        [.read, .write],
        .stored([0, 0]),
        properties: properties
      )
    }
    if properties.contains(.extendedProperties) {
      let bits = properties.rawValue &>> 8
      append(
        .extendedPropertiesDescriptor,
        .descriptor,
        .read,
        .stored([UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits &>> 8)])
      )
    }
    if let description = characteristic.userDescription {
      let permissions: AttributePermissions = properties.contains(.writableAuxiliaries) ? [.read, .write] : .read
      append(.userDescriptionDescriptor, .descriptor, permissions, .stored(Array(description.utf8)))
    }
    let descriptors = characteristic.descriptors.map {
      append($0.uuid, .descriptor, $0.permissions, $0.source)
    }
    return GATTDatabase.PlacedCharacteristic(
      uuid: characteristic.uuid,
      declaration: declaration,
      value: valueHandle,
      clientConfiguration: configuration,
      descriptors: descriptors
    )
  }
}
