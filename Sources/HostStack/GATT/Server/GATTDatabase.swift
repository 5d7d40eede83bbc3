import BluetoothTypes
import RadioPort

/// The attributes that a server offers, in the order of their handles (Core 5.4, Vol 3, Part G, 2.5 and 3).
package struct GATTDatabase: Sendable {
  /// What an attribute is for.
  package enum Role: Hashable, Sendable {
    /// Begins a service that ends with the handle named.
    case service(end: AttributeHandle)
    /// Refers to the service with this handle.
    case include(of: AttributeHandle)
    /// Declares the characteristic whose value has the handle named.
    case characteristic(value: AttributeHandle)
    /// The value of a characteristic.
    case value
    /// Any descriptor but the next.
    case descriptor
    /// The host's own Client Supported Features; it has a value for each client.
    case clientFeatures
    /// The host's own Database Hash, which follows all changes.
    case databaseHash
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
    /// Whose it is, by the number that was given with the service.
    package let owner: UInt64
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
    /// Whose it is, by the number that was given with it.
    package let owner: UInt64
    package let characteristics: [PlacedCharacteristic]
  }

  /// All attributes, lowest handle first.
  package private(set) var attributes: [Attribute] = []
  /// All services, lowest handle first.
  package private(set) var services: [PlacedService] = []

  /// The last handle that was ever given out: those of removed services are used again only when no others are left,
  /// as clients may remember them.
  private var lastUsed: UInt16 = 0

  package init() {}

  /// Adds a service behind all others, or in a gap if there is no room behind.
  ///
  /// - Parameter owner: Whose it is; what it means is up to the caller.
  /// - Returns: Where it landed; `nil`, with nothing added, if the handles do not suffice or an included service is not
  ///   there.
  @discardableResult
  package mutating func add(_ service: ServiceDefinition, owner: UInt64 = 0) -> PlacedService? {
    var includes: [PlacedService] = []
    for handle in service.includes {
      guard let included = services.first(where: { $0.handle == handle }) else { return nil }
      includes.append(included)
    }
    let count = ServiceBuilder.attributeCount(of: service)
    guard let start = room(for: count), let end = UInt16(exactly: Int(start) + count - 1) else { return nil }
    var builder = ServiceBuilder(start: start, owner: owner)
    let placed = builder.build(service, includes: includes, end: AttributeHandle(end))
    attributes.insert(contentsOf: builder.attributes, at: lowerBound(placed.handle))
    services.insert(placed, at: services.firstIndex { $0.handle > placed.handle } ?? services.endIndex)
    lastUsed = max(lastUsed, end)
    refreshHash()
    return placed
  }

  /// Where `count` handles in a row are free.
  private func room(for count: Int) -> UInt16? {
    if Int(lastUsed) + count <= 0xFFFF { return lastUsed + 1 }
    var start = 1
    for service in services {
      if Int(service.handle.rawValue) - start >= count { break }
      start = Int(service.end.rawValue) + 1
    }
    return start + count - 1 <= 0xFFFF ? UInt16(exactly: start) : nil
  }

  /// Removes a service, and the references that others have to it.
  ///
  /// - Returns: The range of handles in which something has changed; `nil` if there is no such service.
  package mutating func remove(_ service: AttributeHandle) -> ClosedRange<AttributeHandle>? {
    guard let index = services.firstIndex(where: { $0.handle == service }) else { return nil }
    let removed = services.remove(at: index)
    var changed = removed.handle...removed.end
    attributes.removeAll { attribute in
      if (removed.handle...removed.end).contains(attribute.handle) { return true }
      guard case .include(of: service) = attribute.role else { return false }
      changed = min(changed.lowerBound, attribute.handle)...max(changed.upperBound, attribute.handle)
      return true
    }
    refreshHash()
    return changed
  }

  private mutating func refreshHash() {
    guard let index = attributes.firstIndex(where: { $0.role == .databaseHash }) else { return }
    attributes[index].source = .stored(DatabaseHash(of: self).bytes)
  }

  /// The hash of all that is offered; `nil` if that is not among it.
  package var hash: DatabaseHash? {
    guard case .stored(let value)? = attributes.first(where: { $0.role == .databaseHash })?.source
    else { return nil }
    return DatabaseHash(value)
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

  /// Whose attribute this is; `nil` if there is none.
  package func owner(of handle: AttributeHandle) -> UInt64? { self[handle]?.owner }

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
  private let owner: UInt64
  private var next: UInt16
  private(set) var attributes: [GATTDatabase.Attribute] = []

  init(start: UInt16, owner: UInt64) {
    next = start
    self.owner = owner
  }

  /// Lays the service out up to the handle `end`, which its count of attributes has led to.
  mutating func build(
    _ service: ServiceDefinition,
    includes: [GATTDatabase.PlacedService],
    end: AttributeHandle
  ) -> GATTDatabase.PlacedService {
    let start = AttributeHandle(next)
    append(
      service.isPrimary ? .primaryServiceDeclaration : .secondaryServiceDeclaration,
      .service(end: end),
      .read,
      .stored(Self.uuidBytes(service.uuid))
    )
    for included in includes {
      var writer = ByteWriter()
      writer.write(included.handle.rawValue)
      writer.write(included.end.rawValue)
      // A 128-bit UUID is left out of the declaration (Core 5.4, Vol 3, Part G, 3.2).
      if included.uuid.uint16 != nil { included.uuid.writeATT(to: &writer) }
      append(.includeDeclaration, .include(of: included.handle), .read, .stored(writer.bytes))
    }
    let isOwn = owner == 0 && service.uuid == .genericAttribute
    let characteristics = service.characteristics.map { place($0, isOwn: isOwn) }
    return GATTDatabase.PlacedService(
      uuid: service.uuid,
      handle: start,
      end: end,
      owner: owner,
      characteristics: characteristics
    )
  }

  static func attributeCount(of service: ServiceDefinition) -> Int {
    1 + service.includes.count + service.characteristics.reduce(0) { $0 + attributeCount(of: $1) }
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
    let handle = AttributeHandle(next)
    next &+= 1
    attributes.append(
      GATTDatabase.Attribute(
        handle: handle,
        type: type,
        role: role,
        permissions: permissions,
        properties: properties,
        owner: owner,
        source: source
      )
    )
    return handle
  }

  /// What the value of a characteristic is for: those of the host's own Generic Attribute service are special.
  private static func role(_ uuid: BluetoothUUID, isOwn: Bool) -> GATTDatabase.Role {
    switch uuid {
    case .clientSupportedFeatures where isOwn: .clientFeatures
    case .databaseHash where isOwn: .databaseHash
    default: .value
    }
  }

  private mutating func place(
    _ characteristic: CharacteristicDefinition,
    isOwn: Bool
  ) -> GATTDatabase.PlacedCharacteristic {
    var properties = characteristic.properties
    if Self.hasExtendedProperties(characteristic) { properties.insert(.extendedProperties) }
    let valueHandle = AttributeHandle(next &+ 1)
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
      Self.role(characteristic.uuid, isOwn: isOwn),
      characteristic.permissions,
      characteristic.source,
      properties: properties
    )
    var configuration: AttributeHandle?
    if Self.hasConfiguration(characteristic) {
      configuration = append(
        .clientConfigurationDescriptor,
        .clientConfiguration(of: valueHandle),
        characteristic.subscriptionPermissions,
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
