import BluetoothTypes
import RadioPort

/// A characteristic with the type of its value: a name that holds for every device, or one instance that was found on
/// a device.
///
/// Declare each name once, and use it everywhere as `.name`:
/// ```swift
/// extension Characteristic where Value == UInt8 {
///   static var batteryLevel: Self { .init("2A19", in: .battery) }
/// }
/// ```
/// What ``Peripheral/services(_:timeout:)`` finds are instances; they can be used wherever a name can, also where a
/// name alone would be ambiguous.
public struct Characteristic<Value>: Hashable, Sendable {
  let name: CharacteristicName

  init(_ name: CharacteristicName) { self.name = name }

  /// A name: the characteristic `uuid` in the service `service`, of which a device is expected to have one.
  public init(_ uuid: BluetoothUUID, in service: ServiceID) {
    name = CharacteristicName(uuid: uuid, service: service, instance: nil)
  }

  /// What it is.
  public var uuid: BluetoothUUID { name.uuid }
  /// The service that it is in.
  public var service: ServiceID { name.service }
  /// The handle of its value, for an instance; `nil` for a name.
  public var handle: AttributeHandle? { name.instance?.characteristic.handle }
  /// The handle of its service's declaration, for an instance; `nil` for a name.
  public var serviceHandle: AttributeHandle? { name.instance?.serviceHandle }
  /// What it allows, for an instance; `nil` for a name.
  public var properties: CharacteristicProperties? { name.instance?.characteristic.properties }
  /// Its descriptors, for an instance; empty for a name.
  public var descriptors: [Descriptor<[UInt8]>] {
    name.instance?.characteristic.descriptors.map { Descriptor($0.uuid, handle: $0.handle, of: name) } ?? []
  }

  /// The same characteristic with values of another type.
  public func typed<Other>(as type: Other.Type = Other.self) -> Characteristic<Other> { Characteristic<Other>(name) }
}

extension Characteristic: CustomStringConvertible {
  /// For example `2A37 in 180D` or `2A37 in 180D at 0x0012`.
  public var description: String {
    "\(uuid) in \(service)" + (handle.map { " at \($0)" } ?? "")
  }
}

/// A characteristic without the type of its value.
struct CharacteristicName: Hashable, Sendable {
  var uuid: BluetoothUUID
  var service: ServiceID
  var instance: Instance?

  /// One characteristic of one connection.
  struct Instance: Hashable, Sendable {
    var link: LinkID
    var serviceHandle: AttributeHandle
    var characteristic: RemoteCharacteristic
  }
}
