import BluetoothTypes
import RadioPort

/// What of a device's attributes an operation needs to know.
enum DiscoveryNeed: Hashable, Sendable {
  case all
  case services(Set<BluetoothUUID>)

  /// Whether who knows this knows the other too.
  func covers(_ other: DiscoveryNeed) -> Bool {
    switch (self, other) {
    case (.all, _): true
    case (.services, .all): false
    case (.services(let mine), .services(let others)): mine.isSuperset(of: others)
    }
  }

  /// What a radio is asked for, in an order that does not change from run to run.
  var uuids: [BluetoothUUID]? {
    guard case .services(let uuids) = self else { return nil }
    return uuids.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
  }
}

/// What was discovered on one connection so far.
struct DiscoveredDatabase: Sendable {
  /// In the order of the handles, each once.
  private(set) var services: [RemoteService] = []
  /// Counts how often everything was forgotten, so that an older discovery's result is not kept.
  private(set) var edition: UInt64 = 0
  private var isComplete = false
  private var known: Set<BluetoothUUID> = []

  /// What of `need` is not known; `nil` if all is.
  func missing(_ need: DiscoveryNeed) -> DiscoveryNeed? {
    guard !isComplete else { return nil }
    guard case .services(let uuids) = need else { return .all }
    let unknown = uuids.subtracting(known)
    return unknown.isEmpty ? nil : .services(unknown)
  }

  mutating func add(_ found: [RemoteService], for need: DiscoveryNeed) {
    switch need {
    case .all: isComplete = true
    case .services(let uuids): known.formUnion(uuids)
    }
    var byHandle: [AttributeHandle: RemoteService] = [:]
    for service in services + found { byHandle[service.handle] = service }
    services = byHandle.values.sorted { $0.handle < $1.handle }
  }

  /// The device's services are not what they were.
  mutating func forget() {
    self = DiscoveredDatabase(edition: edition &+ 1)
  }

  init() {}

  private init(edition: UInt64) { self.edition = edition }
}
