import BluetoothTypes
import RadioPort

extension Peripheral {
  /// A service that was found on a device, with all that is in it.
  public struct Service: Hashable, Sendable, Identifiable {
    /// What it is.
    public let uuid: BluetoothUUID
    /// The handle of its declaration, which names it.
    public let handle: AttributeHandle
    /// Whether it stands for itself, not only for being included in another.
    public let isPrimary: Bool
    /// The services that it includes.
    public let includedServices: [Included]
    /// Its characteristics, in the order of their handles. Give one a type with ``Characteristic/typed(as:)``.
    public let characteristics: [Characteristic<[UInt8]>]

    /// The handle.
    public var id: AttributeHandle { handle }

    /// A reference to another service of the device.
    public struct Included: Hashable, Sendable {
      /// What the other service is.
      public let uuid: BluetoothUUID
      /// The handle of its declaration.
      public let handle: AttributeHandle
    }

    init(_ service: RemoteService, on link: LinkID) {
      uuid = service.uuid
      handle = service.handle
      isPrimary = service.isPrimary
      includedServices = service.includedServices.map { Included(uuid: $0.uuid, handle: $0.serviceHandle) }
      characteristics = service.characteristics.map { characteristic in
        Characteristic(CharacteristicName(characteristic, in: service, on: link))
      }
    }
  }
}

extension CharacteristicName {
  init(_ characteristic: RemoteCharacteristic, in service: RemoteService, on link: LinkID) {
    self.init(
      uuid: characteristic.uuid,
      service: ServiceID(service.uuid),
      instance: Instance(link: link, serviceHandle: service.handle, characteristic: characteristic)
    )
  }
}
