#if !os(tvOS) && !os(watchOS)
  import BluetoothTypes
  import CoreBluetooth
  import RadioPort

  /// A service that is published. It belongs to the radio and is used on its executor only.
  final class Publication {
    enum Phase {
      /// The framework is to be told of it.
      case waiting
      /// The framework was told.
      case adding
      /// The framework serves it.
      case published
      /// The framework did not take it again when it came back.
      case lost
    }

    let server: ServerID
    let uuid: BluetoothUUID
    let isPrimary: Bool
    let handles: ClosedRange<Int>
    let place: PublishedService
    let characteristics: [ServedCharacteristic]
    /// The handles of the services that it includes.
    var includes: [AttributeHandle]
    var phase = Phase.waiting
    /// Gone once it was called.
    var completion: (@Sendable (Result<PublishedService, RadioFailure>) -> Void)?
    private(set) var service: CBMutableService

    /// - Parameter handles: As many as ``handleCount(of:)`` says.
    init(
      _ definition: ServiceDefinition,
      handles: ClosedRange<Int>,
      server: ServerID,
      completion: @escaping @Sendable (Result<PublishedService, RadioFailure>) -> Void
    ) {
      var numbers = handles.lazy.map { AttributeHandle(UInt16(truncatingIfNeeded: $0)) }.makeIterator()
      func next() -> AttributeHandle { numbers.next() ?? .last }
      self.server = server
      self.handles = handles
      self.completion = completion
      uuid = definition.uuid
      isPrimary = definition.isPrimary
      includes = definition.includes
      service = CBMutableService(type: definition.uuid.object, primary: definition.isPrimary)
      var place = PublishedService(handle: next(), uuid: definition.uuid, characteristics: [])
      characteristics = definition.characteristics.map { characteristic in
        _ = next()
        let handle = next()
        for _ in 0..<Self.impliedCount(of: characteristic) { _ = next() }
        place.characteristics.append(
          PublishedCharacteristic(
            handle: handle,
            uuid: characteristic.uuid,
            descriptors: characteristic.descriptors.map { _ in next() }
          )
        )
        return ServedCharacteristic(handle, characteristic, server: server)
      }
      self.place = place
    }

    /// How many handles the service takes with all that is in it.
    static func handleCount(of definition: ServiceDefinition) -> Int {
      definition.characteristics.reduce(1) { $0 + 2 + impliedCount(of: $1) + $1.descriptors.count }
    }

    private static func impliedCount(of characteristic: CharacteristicDefinition) -> Int {
      (characteristic.userDescription == nil ? 0 : 1)
        + (characteristic.properties.isDisjoint(with: [.notify, .indicate]) ? 0 : 1)
    }

    /// Makes new objects for the framework, as one that has forgotten the old ones may not take them again.
    func renew(including services: [CBMutableService]) -> CBMutableService {
      service = CBMutableService(type: uuid.object, primary: isPrimary)
      if !services.isEmpty { service.includedServices = services }
      service.characteristics = characteristics.map { $0.renew() }
      return service
    }

    func contains(_ attribute: AttributeHandle) -> Bool { handles.contains(Int(attribute.rawValue)) }
  }

  /// A characteristic that is published. The framework is told no value: what the radio keeps it answers itself, as a
  /// fixed value of the framework's could neither be replaced nor written.
  final class ServedCharacteristic {
    let handle: AttributeHandle
    let definition: CharacteristicDefinition
    let server: ServerID
    /// The value that the radio keeps; `nil` if the owner is asked.
    var stored: [UInt8]?
    /// Those who have subscribed, in the order of their links.
    private(set) var subscribers: [LinkID] = []
    private(set) var object: CBMutableCharacteristic

    init(_ handle: AttributeHandle, _ definition: CharacteristicDefinition, server: ServerID) {
      self.handle = handle
      self.definition = definition
      self.server = server
      if case .stored(let value) = definition.source { stored = value }
      object = Self.object(of: definition)
    }

    func renew() -> CBMutableCharacteristic {
      object = Self.object(of: definition)
      return object
    }

    private static func object(of definition: CharacteristicDefinition) -> CBMutableCharacteristic {
      let object = CBMutableCharacteristic(
        type: definition.uuid.object,
        properties: CBCharacteristicProperties(definition),
        value: nil,
        permissions: CBAttributePermissions(definition.permissions)
      )
      var descriptors = definition.descriptors.compactMap { descriptor in
        descriptor.frameworkValue.map { CBMutableDescriptor(type: descriptor.uuid.object, value: $0) }
      }
      if let text = definition.userDescription {
        descriptors.insert(CBMutableDescriptor(type: BluetoothUUID.userDescription.object, value: text), at: 0)
      }
      if !descriptors.isEmpty { object.descriptors = descriptors }
      return object
    }

    /// What a subscription to it is taken for, as the framework does not tell.
    var modes: SubscriptionModes { definition.properties.contains(.notify) ? .notifications : .indications }

    /// Notes a subscriber, or that it is none any more; `false` if that was known.
    func setSubscribed(_ isSubscribed: Bool, _ link: LinkID) -> Bool {
      guard subscribers.contains(link) != isSubscribed else { return false }
      if isSubscribed {
        subscribers.append(link)
        subscribers.sort { $0.generation < $1.generation }
      } else {
        subscribers.removeAll { $0 == link }
      }
      return true
    }
  }

  extension BluetoothUUID {
    static let userDescription = BluetoothUUID(UInt16(0x2901))
    static let presentationFormat = BluetoothUUID(UInt16(0x2904))

    /// The UUID as the framework has it.
    var object: CBUUID { CBUUID(string: description) }
  }

  extension CBCharacteristicProperties {
    fileprivate init(_ definition: CharacteristicDefinition) {
      // The bits are those of the declaration.
      let isEncrypted = definition.subscriptionPermissions.contains(.encryptedWrite)
      self.init(rawValue: UInt(definition.properties.rawValue & 0x7F))
      if isEncrypted, remove(.notify) != nil { insert(.notifyEncryptionRequired) }
      if isEncrypted, remove(.indicate) != nil { insert(.indicateEncryptionRequired) }
    }
  }

  extension CBAttributePermissions {
    fileprivate init(_ permissions: AttributePermissions) {
      self = []
      if permissions.contains(.read) {
        insert(permissions.contains(.encryptedRead) ? .readEncryptionRequired : .readable)
      }
      if permissions.contains(.write) {
        insert(permissions.contains(.encryptedWrite) ? .writeEncryptionRequired : .writeable)
      }
    }
  }

  extension DescriptorDefinition {
    /// The value as the framework takes it; `nil` for a descriptor that it does not serve.
    fileprivate var frameworkValue: Any? {
      guard case .stored(let value) = source, permissions == .read else { return nil }
      return switch uuid {
      case .userDescription: String(validating: value, as: UTF8.self)
      case .presentationFormat: Data(value)
      default: nil
      }
    }
  }

  // MARK: What the framework can not do

  extension ServiceDefinition {
    /// Why the framework can not serve this; `nil` if it can.
    var obstacle: RadioFailure? {
      for characteristic in characteristics {
        if let obstacle = characteristic.obstacle { return obstacle }
      }
      return nil
    }
  }

  extension CharacteristicDefinition {
    private static let longestValue = 512

    fileprivate var obstacle: RadioFailure? {
      let sources = [(uuid, source)] + descriptors.map { ($0.uuid, $0.source) }
      for case (let uuid, .stored(let value)) in sources where value.count > Self.longestValue {
        return .tooLong(value.count, uuid)
      }
      let implied = [BluetoothUUID(UInt16(0x2902)), BluetoothUUID(UInt16(0x2900))]
      if let descriptor = descriptors.first(where: { implied.contains($0.uuid) }) {
        return RadioFailure(
          .invalidArgument,
          reason: "the descriptor \(descriptor.uuid) of the characteristic \(uuid) follows from its properties: leave "
            + "it out"
        )
      }
      let refused = properties.intersection([.broadcast, .extendedProperties, .reliableWrite, .writableAuxiliaries])
      if !refused.isEmpty { return unsupported("\(refused.names.joined(separator: " and ")): leave that out") }
      let authenticated: AttributePermissions = [.authenticatedRead, .authenticatedWrite]
      if !permissions.union(subscriptionPermissions).isDisjoint(with: authenticated) {
        return unsupported("that needs an authenticated key: an encrypted link is the most that it demands")
      }
      if !properties.isDisjoint(with: [.notify, .indicate]), !subscriptionPermissions.isSuperset(of: [.read, .write]) {
        return unsupported("with a client configuration that can not be read and written")
      }
      if let descriptor = descriptors.first(where: { $0.frameworkValue == nil }) {
        return unsupported(
          "with the descriptor \(descriptor.uuid) as it is: it serves user descriptions, which are text, and "
            + "presentation formats, with fixed values that all can read"
        )
      }
      return nil
    }

    private func unsupported(_ what: String) -> RadioFailure {
      RadioFailure(.unsupported, reason: "this system does not publish a characteristic (\(uuid)) \(what)")
    }
  }

  extension RadioFailure {
    static func tooLong(_ count: Int, _ uuid: BluetoothUUID) -> RadioFailure {
      RadioFailure(.tooLong, reason: "\(count) bytes are too long for \(uuid); a value has at most 512")
    }
  }
#endif
