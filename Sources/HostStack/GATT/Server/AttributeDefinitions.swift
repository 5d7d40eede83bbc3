import BluetoothTypes

/// What a link must offer before an attribute may be used (Core 5.4, Vol 3, Part F, 3.2.5).
package struct AttributePermissions: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// May be read.
  package static let read = Self(rawValue: 0x01)
  /// May be written.
  package static let write = Self(rawValue: 0x02)
  /// Reading needs an encrypted link.
  package static let encryptedRead = Self(rawValue: 0x04)
  /// Writing needs an encrypted link.
  package static let encryptedWrite = Self(rawValue: 0x08)
  /// Reading needs a link with an authenticated key.
  package static let authenticatedRead = Self(rawValue: 0x10)
  /// Writing needs a link with an authenticated key.
  package static let authenticatedWrite = Self(rawValue: 0x20)
}

/// Where the value of an attribute comes from.
package enum AttributeSource: Hashable, Sendable {
  /// The database keeps it; a write that is allowed replaces it.
  case stored([UInt8])
  /// The owner is asked at each read and told of each write, and answers once.
  case owner
}

/// A descriptor to be served.
package struct DescriptorDefinition: Hashable, Sendable {
  package var uuid: BluetoothUUID
  package var permissions: AttributePermissions
  package var source: AttributeSource

  package init(_ uuid: BluetoothUUID, permissions: AttributePermissions = .read, source: AttributeSource) {
    self.uuid = uuid
    self.permissions = permissions
    self.source = source
  }
}

/// A characteristic to be served. The Client Characteristic Configuration, the User Description and the Extended
/// Properties descriptor follow from what is said here and are not to be listed among `descriptors`.
package struct CharacteristicDefinition: Hashable, Sendable {
  package var uuid: BluetoothUUID
  package var properties: CharacteristicProperties
  package var permissions: AttributePermissions
  package var source: AttributeSource
  package var userDescription: String?
  package var descriptors: [DescriptorDefinition]

  /// Makes a definition; with no permissions given, the value may be used as its properties say.
  package init(
    _ uuid: BluetoothUUID,
    properties: CharacteristicProperties,
    permissions: AttributePermissions? = nil,
    source: AttributeSource = .owner,
    userDescription: String? = nil,
    descriptors: [DescriptorDefinition] = []
  ) {
    self.uuid = uuid
    self.properties = properties
    self.permissions = permissions ?? Self.permissions(for: properties)
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
package struct ServiceDefinition: Hashable, Sendable {
  package var uuid: BluetoothUUID
  package var isPrimary: Bool
  /// Handles of services that the database already holds.
  package var includes: [AttributeHandle]
  package var characteristics: [CharacteristicDefinition]

  package init(
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

extension BluetoothUUID {
  static let primaryServiceDeclaration = BluetoothUUID(UInt16(0x2800))
  static let secondaryServiceDeclaration = BluetoothUUID(UInt16(0x2801))
  static let includeDeclaration = BluetoothUUID(UInt16(0x2802))
  static let characteristicDeclaration = BluetoothUUID(UInt16(0x2803))
  static let extendedPropertiesDescriptor = BluetoothUUID(UInt16(0x2900))
  static let userDescriptionDescriptor = BluetoothUUID(UInt16(0x2901))
  static let clientConfigurationDescriptor = BluetoothUUID(UInt16(0x2902))
}
