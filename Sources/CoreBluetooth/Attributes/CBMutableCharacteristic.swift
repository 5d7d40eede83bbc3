import BluetoothTypes
import Foundation
import RadioPort

/// A characteristic that this program publishes.
open class CBMutableCharacteristic: CBCharacteristic {
  private let guardedPermissions: Guarded<CBAttributePermissions>
  private let subscribers = Guarded<[CBCentral]>([])
  /// The handle with which it is published; `nil` while it is not.
  let published = Guarded<AttributeHandle?>(nil)

  /// A characteristic.
  ///
  /// - Parameter value: A value that never changes and can only be read; `nil` to be asked for the value at each read.
  ///   That a fixed value can be written is a mistake in the program and stops it when the service is added.
  public init(
    type UUID: CBUUID,
    properties: CBCharacteristicProperties,
    value: Data?,
    permissions: CBAttributePermissions
  ) {
    guardedPermissions = Guarded(permissions)
    super.init(uuid: UUID, properties: properties, value: value)
  }

  /// What clients may do with the value.
  open var permissions: CBAttributePermissions {
    get {
      ObservedProperties.note(.permissions, of: self)
      return guardedPermissions.withLock { $0 }
    }
    set { ObservedProperties.change(self, .permissions) { guardedPermissions.withLock { $0 = newValue } } }
  }

  /// The centrals that have subscribed.
  open var subscribedCentrals: [CBCentral]? {
    ObservedProperties.note(.subscribedCentrals, of: self)
    return subscribers.withLock { $0 }
  }

  /// What it allows.
  open override var properties: CBCharacteristicProperties {
    get { super.properties }
    set { ObservedProperties.change(self, .properties) { guarded.withLock { $0.properties = newValue } } }
  }

  /// The value, for the program's own use once the service is added.
  open override var value: Data? {
    get { super.value }
    set { ObservedProperties.change(self, .value) { guarded.withLock { $0.value = newValue } } }
  }

  /// The descriptors, which are ``CBMutableDescriptor``s. That for subscriptions is the system's own.
  open override var descriptors: [CBDescriptor]? {
    get { super.descriptors }
    set {
      let old = ObservedProperties.change(self, .descriptors) {
        guarded.withLock { state in
          defer { state.descriptors = newValue }
          return state.descriptors
        }
      }
      for descriptor in old ?? [] { descriptor.setCharacteristic(nil) }
      for descriptor in newValue ?? [] { descriptor.setCharacteristic(self) }
    }
  }

  /// Notes a subscriber, or that it is none any more; `false` if that was known.
  func setSubscribed(_ isSubscribed: Bool, _ central: CBCentral) -> Bool {
    let isKnown = subscribers.withLock { $0.contains { $0 === central } }
    guard isKnown != isSubscribed else { return false }
    ObservedProperties.change(self, .subscribedCentrals) {
      subscribers.withLock { subscribers in
        if isSubscribed { subscribers.append(central) } else { subscribers.removeAll { $0 === central } }
      }
    }
    return true
  }

  func removeAllSubscribers() {
    guard subscribers.withLock({ !$0.isEmpty }) else { return }
    ObservedProperties.change(self, .subscribedCentrals) { subscribers.withLock { $0 = [] } }
  }

  /// What local characteristics can not have: Apple's headers do not allow it.
  private static let forbidden: CBCharacteristicProperties = [.broadcast, .extendedProperties]

  /// Looks for what makes no sense in a characteristic that is to be published. That a value which never changes could be
  /// written or notified is what Apple's framework raises an exception for.
  func check() {
    if value != nil,
      !properties.isSubset(of: Self.forbidden.union(.read))
        || !permissions.isDisjoint(with: [.writeable, .writeEncryptionRequired])
    {
      Misuse.raise("Characteristics with cached values must be read-only: \(self)")
    }
    if !properties.isDisjoint(with: Self.forbidden) {
      Misuse.log(
        "Local characteristics can neither be broadcast nor have extended properties, so these are left out: \(self)"
      )
    }
  }

  /// What the radio is to serve.
  var definition: CharacteristicDefinition {
    let allowed = properties.subtracting(Self.forbidden)
    var served = CharacteristicProperties(rawValue: UInt16(truncatingIfNeeded: allowed.rawValue & 0x7F))
    var permissions = AttributePermissions(permissions)
    // A fixed value can be read, whatever else is said.
    if value != nil {
      served.insert(.read)
      permissions.insert(.read)
    }
    var subscribing: AttributePermissions = [.read, .write]
    if properties.contains(.notifyEncryptionRequired) { served.insert(.notify) }
    if properties.contains(.indicateEncryptionRequired) { served.insert(.indicate) }
    if !properties.isDisjoint(with: [.notifyEncryptionRequired, .indicateEncryptionRequired]) {
      subscribing.insert(.encryptedWrite)
    }
    let described = descriptors?.filter { $0.uuid.value != BluetoothUUID(UInt16(0x2901)) } ?? []
    let text = descriptors?.first { $0.uuid.value == BluetoothUUID(UInt16(0x2901)) }?.value
    return CharacteristicDefinition(
      uuid.value,
      properties: served,
      permissions: permissions,
      subscriptionPermissions: subscribing,
      source: value.map { .stored([UInt8]($0)) } ?? .owner,
      userDescription: text as? String,
      descriptors: described.map {
        DescriptorDefinition($0.uuid.value, source: .stored(CBMutableDescriptor.bytes(of: $0.value)))
      }
    )
  }
}

extension AttributePermissions {
  fileprivate init(_ permissions: CBAttributePermissions) {
    self = []
    if permissions.contains(.readable) { insert(.read) }
    if permissions.contains(.writeable) { insert(.write) }
    if permissions.contains(.readEncryptionRequired) { formUnion([.read, .encryptedRead]) }
    if permissions.contains(.writeEncryptionRequired) { formUnion([.write, .encryptedWrite]) }
  }
}

/// A descriptor that this program publishes.
open class CBMutableDescriptor: CBDescriptor {
  /// A descriptor with a fixed value: a `String` for a user description, `Data` for others.
  ///
  /// The descriptors of subscriptions and of extended properties are made by the system: to ask for one is a mistake in
  /// the program and stops it, as is a value of another type.
  public init(type UUID: CBUUID, value: Any?) {
    switch UUID.value.uint16 {
    case 0x2900, 0x2902, 0x2903:
      Misuse.raise("The descriptor \(UUID) is made by the system from the characteristic's properties.")
    case 0x2901 where !(value is String): Misuse.raise("A user description takes a String, not \(value ?? "nil").")
    case 0x2901: break
    default: if !(value is Data) { Misuse.raise("The descriptor \(UUID) takes Data, not \(value ?? "nil").") }
    }
    super.init(uuid: UUID, value: value)
  }

  /// One that was kept in a file.
  init(restored record: ServerRecord.Descriptor) {
    super.init(uuid: CBUUID(record.uuid.value), value: record.text ?? record.bytes)
  }

  static func bytes(of value: Any?) -> [UInt8] { (value as? Data).map { [UInt8]($0) } ?? [] }
}
