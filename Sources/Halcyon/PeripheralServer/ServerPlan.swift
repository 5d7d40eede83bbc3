import BluetoothTypes
import RadioPort

/// What a server is to publish, put together from its declaration and checked.
struct ServerPlan: Sendable {
  /// A service, and after which others it comes.
  struct PlannedService: Sendable {
    let identity: PartIdentity
    let id: ServiceID
    let isPrimary: Bool
    /// Those that it includes, which stand before it.
    let includes: [PartIdentity]
    var characteristics: [PlannedCharacteristic] = []
  }

  /// A characteristic with all that it can do.
  struct PlannedCharacteristic: Sendable {
    let name: CharacteristicName
    let group: PartIdentity?
    var definition: CharacteristicDefinition
    var parts: Set<PartIdentity> = []
    var read: (@Sendable (CentralRequest) async throws -> [UInt8])?
    var write: WriteHandler?
    var subscribed: [SendMode: SubscriptionHandler] = [:]
  }

  /// Why a declaration makes no sense.
  struct Problem: Error {
    let name: CharacteristicName?
    let reason: String
  }

  /// In the order in which they are published.
  private(set) var services: [PlannedService] = []
  private var placed: Set<PartIdentity> = []

  init(_ declared: [Service]) throws(Problem) {
    for service in declared { try place(service) }
  }

  /// The services that are advertised unless the program says which.
  var primaryServices: [ServiceID] {
    var ids: [ServiceID] = []
    for service in services where service.isPrimary && !ids.contains(service.id) { ids.append(service.id) }
    return ids
  }

  private mutating func place(_ service: Service) throws(Problem) {
    guard placed.insert(service.identity).inserted else { return }
    for included in service.includes { try place(included) }
    var planned = PlannedService(
      identity: service.identity,
      id: service.id,
      isPrimary: service.isPrimary,
      includes: service.includes.map(\.identity)
    )
    for part in service.parts {
      guard part.name.service == service.id, part.name.instance == nil else {
        throw Problem(
          name: part.name,
          reason: "it is declared for the service \(part.name.service) and stands in the service \(service.id)"
        )
      }
      let index =
        planned.characteristics.firstIndex { $0.name.uuid == part.name.uuid && $0.group == part.group }
        ?? planned.characteristics.endIndex
      if index == planned.characteristics.endIndex {
        planned.characteristics.append(
          PlannedCharacteristic(
            name: part.name,
            group: part.group,
            definition: CharacteristicDefinition(part.name.uuid, properties: [], permissions: [])
          )
        )
      }
      try planned.characteristics[index].add(part)
    }
    for characteristic in planned.characteristics where characteristic.definition.properties.isEmpty {
      throw Problem(name: characteristic.name, reason: "it is described but can do nothing")
    }
    services.append(planned)
  }
}

extension ServerPlan.PlannedCharacteristic {
  fileprivate mutating func add(_ part: CharacteristicPart) throws(ServerPlan.Problem) {
    parts.insert(part.identity)
    switch part.ability {
    case .read(let source, let protection):
      try require(!definition.properties.contains(.read), "is readable")
      definition.properties.insert(.read)
      definition.permissions.formUnion(.read(protection))
      switch source {
      case .stored(let value): definition.source = .stored(value)
      case .handler(let handler): read = handler
      }
    case .write(let handler, let type, let isReliable, let protection):
      try require(write == nil, "is writable")
      write = handler
      if type != .withoutResponse { definition.properties.insert(.write) }
      if type != .withResponse { definition.properties.insert(.writeWithoutResponse) }
      if isReliable { definition.properties.insert(.reliableWrite) }
      definition.permissions.formUnion(.write(protection))
    case .send(let mode, let handler, let protection):
      let property: CharacteristicProperties = mode == .notification ? .notify : .indicate
      try require(!definition.properties.contains(property), mode == .notification ? "notifies" : "indicates")
      definition.properties.insert(property)
      // Who may subscribe to one may subscribe to the other, as there is one descriptor for both: the stricter holds.
      definition.subscriptionPermissions.formUnion(.write(protection))
      subscribed[mode] = handler
    case .description(let text): definition.userDescription = text
    case .descriptor(let uuid, let value):
      definition.descriptors.append(DescriptorDefinition(uuid, source: .stored(value)))
    }
    if write != nil, case .stored = definition.source {
      throw ServerPlan.Problem(
        name: name,
        reason: "it is writable and its value is fixed; give it a handler for reads that returns what was written"
      )
    }
  }

  private func require(_ isNew: Bool, _ what: String) throws(ServerPlan.Problem) {
    guard !isNew else { return }
    throw ServerPlan.Problem(
      name: name,
      reason: "it \(what) twice; to have two characteristics with the same UUID put the parts of each into a Separate"
    )
  }
}

extension AttributePermissions {
  fileprivate static func read(_ protection: AccessProtection) -> AttributePermissions {
    switch protection {
    case .open: .read
    case .encrypted: [.read, .encryptedRead]
    case .authenticated: [.read, .authenticatedRead]
    }
  }

  fileprivate static func write(_ protection: AccessProtection) -> AttributePermissions {
    switch protection {
    case .open: .write
    case .encrypted: [.write, .encryptedWrite]
    case .authenticated: [.write, .authenticatedWrite]
    }
  }
}
