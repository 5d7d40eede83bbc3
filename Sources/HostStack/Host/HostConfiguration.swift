import BluetoothTypes
import RadioPort

/// What a host is told when it is made.
package struct HostConfiguration: Sendable {
  /// The device name of the Generic Access service.
  package var name: String
  /// The appearance of the Generic Access service, by its assigned number.
  package var appearance: UInt16
  /// The services behind Generic Access and Generic Attribute, which are always there.
  package var services: [ServiceDefinition]
  /// The longest ATT PDU that the host takes, in bytes.
  package var mtu: UInt16
  /// A static random address to use instead of the controller's public one.
  package var randomAddress: BluetoothAddress?
  /// Devices that are known for good, with the keys of their private addresses: they are sighted and connected to by
  /// their identities.
  package var identities: [KnownIdentity] = []
  /// With it the controller shows changing addresses in place of the host's own, if it can.
  package var ownIdentityKey: IdentityKey?
  /// Makes the static random address where the controller has no public one.
  package var randomness: UInt64
  /// Whether the server shows clients a hash of its database and keeps them to what they know of it (Core 5.4, Vol 3, Part
  /// G, 2.5.2.1 and 7.3). Devices made before that was thought of do not.
  package var hasDatabaseHash: Bool
  /// Whether each PDU that clients send to the server is first shown to the owner, who says what becomes of it.
  package var interceptsRequests: Bool
  /// When to listen for advertisers.
  package var scanTiming: Scanner.Timing
  /// How long the controller may take to answer a command.
  package var commandTimeout: Duration

  /// A host; by default one that serves nothing of its own.
  package init(
    name: String = "Halcyon",
    appearance: UInt16 = 0,
    services: [ServiceDefinition] = [],
    mtu: UInt16 = 517,
    randomAddress: BluetoothAddress? = nil,
    randomness: UInt64 = 0,
    hasDatabaseHash: Bool = true,
    interceptsRequests: Bool = false,
    scanTiming: Scanner.Timing = .init(),
    commandTimeout: Duration = .seconds(5)
  ) {
    self.name = name
    self.appearance = appearance
    self.services = services
    self.mtu = max(23, min(mtu, 517))
    self.randomAddress = randomAddress
    self.randomness = randomness
    self.hasDatabaseHash = hasDatabaseHash
    self.interceptsRequests = interceptsRequests
    self.scanTiming = scanTiming
    self.commandTimeout = commandTimeout
  }

  /// A device name in UTF-8, cut between two characters if it is longer than the 248 bytes that it may have.
  static func deviceName(_ name: String) -> [UInt8] {
    var name = String(name.prefix(248))
    while name.utf8.count > 248 { name.removeLast() }
    return Array(name.utf8)
  }

  /// The database with the services that every server must have (Core 5.4, Vol 3, Part C, 12, and Part G, 7), then
  /// those of the owner. A service for which there is no room is left out.
  package func makeDatabase() -> GATTDatabase {
    var database = GATTDatabase()
    database.add(
      ServiceDefinition(
        BluetoothUUID(UInt16(0x1800)),
        characteristics: [
          CharacteristicDefinition(
            BluetoothUUID(UInt16(0x2A00)),
            properties: .read,
            source: .stored(Self.deviceName(name))
          ),
          CharacteristicDefinition(
            BluetoothUUID(UInt16(0x2A01)),
            properties: .read,
            source: .stored([UInt8(truncatingIfNeeded: appearance), UInt8(truncatingIfNeeded: appearance &>> 8)])
          ),
        ]
      )
    )
    var attributeService = ServiceDefinition(
      .genericAttribute,
      characteristics: [
        CharacteristicDefinition(.serviceChanged, properties: .indicate, permissions: [], source: .owner)
      ]
    )
    if hasDatabaseHash {
      attributeService.characteristics += [
        CharacteristicDefinition(.clientSupportedFeatures, properties: [.read, .write], source: .stored([0])),
        CharacteristicDefinition(.databaseHash, properties: .read, source: .stored([])),
      ]
    }
    database.add(attributeService)
    for service in services { database.add(service) }
    return database
  }
}
