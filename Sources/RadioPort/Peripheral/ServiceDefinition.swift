import BluetoothTypes

/// What a link must offer before an attribute may be used (Core 5.4, Vol 3, Part F, 3.2.5).
public struct AttributePermissions: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8
  /// Permissions from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// May be read.
  public static let read = Self(rawValue: 0x01)
  /// May be written.
  public static let write = Self(rawValue: 0x02)
  /// Reading, where it is allowed, needs an encrypted link.
  public static let encryptedRead = Self(rawValue: 0x04)
  /// Writing, where it is allowed, needs an encrypted link.
  public static let encryptedWrite = Self(rawValue: 0x08)
  /// Reading, where it is allowed, needs a link with an authenticated key.
  public static let authenticatedRead = Self(rawValue: 0x10)
  /// Writing, where it is allowed, needs a link with an authenticated key.
  public static let authenticatedWrite = Self(rawValue: 0x20)
}

/// Where the value of an attribute comes from.
public enum AttributeSource: Hashable, Sendable {
  /// The radio keeps it, at most 512 bytes; a write that is allowed replaces it, and the owner is told.
  case stored([UInt8])
  /// The owner is asked at each read and at each write, and answers once.
  case owner
}

/// A descriptor to be served.
public struct DescriptorDefinition: Hashable, Sendable {
  /// What it is.
  public var uuid: BluetoothUUID
  /// Who may use it.
  public var permissions: AttributePermissions
  /// Where its value comes from.
  public var source: AttributeSource

  /// Makes a definition; by default of a descriptor that can be read.
  public init(_ uuid: BluetoothUUID, permissions: AttributePermissions = .read, source: AttributeSource) {
    self.uuid = uuid
    self.permissions = permissions
    self.source = source
  }
}

/// A characteristic to be served. The Client Characteristic Configuration and the Extended Properties descriptor follow
/// from its properties and are not to be listed among its descriptors.
public struct CharacteristicDefinition: Hashable, Sendable {
  /// What it is.
  public var uuid: BluetoothUUID
  /// What its declaration says that it allows.
  public var properties: CharacteristicProperties
  /// Who may use its value.
  public var permissions: AttributePermissions
  /// Who may subscribe: the permissions of the Client Characteristic Configuration.
  public var subscriptionPermissions: AttributePermissions
  /// Where its value comes from.
  public var source: AttributeSource
  /// The text of its User Description descriptor; `nil` for none.
  public var userDescription: String?
  /// Its other descriptors.
  public var descriptors: [DescriptorDefinition]

  /// Makes a definition; with no permissions given, the value may be used as its properties say.
  public init(
    _ uuid: BluetoothUUID,
    properties: CharacteristicProperties,
    permissions: AttributePermissions? = nil,
    subscriptionPermissions: AttributePermissions = [.read, .write],
    source: AttributeSource = .owner,
    userDescription: String? = nil,
    descriptors: [DescriptorDefinition] = []
  ) {
    self.uuid = uuid
    self.properties = properties
    self.permissions = permissions ?? Self.permissions(for: properties)
    self.subscriptionPermissions = subscriptionPermissions
    self.source = source
    self.userDescription = userDescription
    self.descriptors = descriptors
  }

  private static func permissions(for properties: CharacteristicProperties) -> AttributePermissions {
    var permissions: AttributePermissions = []
    if properties.contains(.read) { permissions.insert(.read) }
    if !properties.isDisjoint(with: [.write, .writeWithoutResponse, .authenticatedSignedWrites, .reliableWrite]) {
      permissions.insert(.write)
    }
    return permissions
  }
}

/// A service to be served.
public struct ServiceDefinition: Hashable, Sendable {
  /// What it is.
  public var uuid: BluetoothUUID
  /// Whether it stands for itself, not only for being included.
  public var isPrimary: Bool
  /// The services that it includes, by the handles with which they were published.
  public var includes: [AttributeHandle]
  /// What it holds, in this order.
  public var characteristics: [CharacteristicDefinition]

  /// Makes a definition; by default of a primary service that includes no other.
  public init(
    _ uuid: BluetoothUUID,
    isPrimary: Bool = true,
    includes: [AttributeHandle] = [],
    characteristics: [CharacteristicDefinition] = []
  ) {
    self.uuid = uuid
    self.isPrimary = isPrimary
    self.includes = includes
    self.characteristics = characteristics
  }
}

/// Where the parts of a published service are.
public struct PublishedService: Hashable, Sendable {
  /// The handle of its declaration, which names it.
  public var handle: AttributeHandle
  /// What it is.
  public var uuid: BluetoothUUID
  /// Its characteristics, in the order of the definition.
  public var characteristics: [PublishedCharacteristic]

  /// Makes the description of a published service.
  public init(handle: AttributeHandle, uuid: BluetoothUUID, characteristics: [PublishedCharacteristic]) {
    self.handle = handle
    self.uuid = uuid
    self.characteristics = characteristics
  }
}

/// Where a published characteristic is.
public struct PublishedCharacteristic: Hashable, Sendable {
  /// The handle of its value, which names it.
  public var handle: AttributeHandle
  /// What it is.
  public var uuid: BluetoothUUID
  /// The handles of its descriptors, in the order of the definition.
  public var descriptors: [AttributeHandle]

  /// Makes the description of a published characteristic.
  public init(handle: AttributeHandle, uuid: BluetoothUUID, descriptors: [AttributeHandle]) {
    self.handle = handle
    self.uuid = uuid
    self.descriptors = descriptors
  }
}
