import BluetoothTypes

/// A service as it was discovered on a peer, with all that is in it.
public struct RemoteService: Hashable, Sendable {
  /// The handle of its declaration, which is what names it.
  public var handle: AttributeHandle
  /// The last handle that belongs to it.
  public var endHandle: AttributeHandle
  /// What it is.
  public var uuid: BluetoothUUID
  /// Whether it stands for itself, not only for being included.
  public var isPrimary: Bool
  /// The services that it includes, by their handles.
  public var includedServices: [RemoteInclude]
  /// Its characteristics in the order of their handles.
  public var characteristics: [RemoteCharacteristic]

  /// Makes a service.
  public init(
    handle: AttributeHandle,
    endHandle: AttributeHandle,
    uuid: BluetoothUUID,
    isPrimary: Bool = true,
    includedServices: [RemoteInclude] = [],
    characteristics: [RemoteCharacteristic] = []
  ) {
    self.handle = handle
    self.endHandle = endHandle
    self.uuid = uuid
    self.isPrimary = isPrimary
    self.includedServices = includedServices
    self.characteristics = characteristics
  }
}

/// A reference from one service to another.
public struct RemoteInclude: Hashable, Sendable {
  /// The handle of the include declaration.
  public var handle: AttributeHandle
  /// The included service's own handle.
  public var serviceHandle: AttributeHandle
  /// The last handle of the included service.
  public var endHandle: AttributeHandle
  /// What the included service is.
  public var uuid: BluetoothUUID

  /// Makes a reference.
  public init(
    handle: AttributeHandle,
    serviceHandle: AttributeHandle,
    endHandle: AttributeHandle,
    uuid: BluetoothUUID
  ) {
    self.handle = handle
    self.serviceHandle = serviceHandle
    self.endHandle = endHandle
    self.uuid = uuid
  }
}

/// A characteristic as it was discovered on a peer.
public struct RemoteCharacteristic: Hashable, Sendable {
  /// The handle of its declaration.
  public var declarationHandle: AttributeHandle
  /// The handle of its value, which is what names it.
  public var handle: AttributeHandle
  /// What it is.
  public var uuid: BluetoothUUID
  /// What it allows.
  public var properties: CharacteristicProperties
  /// Its descriptors in the order of their handles.
  public var descriptors: [RemoteDescriptor]

  /// Makes a characteristic.
  public init(
    declarationHandle: AttributeHandle,
    handle: AttributeHandle,
    uuid: BluetoothUUID,
    properties: CharacteristicProperties,
    descriptors: [RemoteDescriptor] = []
  ) {
    self.declarationHandle = declarationHandle
    self.handle = handle
    self.uuid = uuid
    self.properties = properties
    self.descriptors = descriptors
  }

  /// The descriptor that switches notifications and indications, if the characteristic has one.
  public var clientConfiguration: RemoteDescriptor? {
    descriptors.first { $0.uuid == BluetoothUUID(UInt16(0x2902)) }
  }
}

/// A descriptor as it was discovered on a peer.
public struct RemoteDescriptor: Hashable, Sendable {
  /// Its handle, which is what names it.
  public var handle: AttributeHandle
  /// What it is.
  public var uuid: BluetoothUUID

  /// Makes a descriptor.
  public init(handle: AttributeHandle, uuid: BluetoothUUID) {
    self.handle = handle
    self.uuid = uuid
  }
}
