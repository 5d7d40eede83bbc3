import BluetoothTypes

/// A descriptor of a characteristic with the type of its value: a name that holds for every device, or one instance that
/// was found on a device.
///
/// ```swift
/// let text = try await peripheral.read(.userDescription(of: .batteryLevel))
/// ```
/// ``Characteristic/descriptors`` has the instances of a characteristic that was found.
public struct Descriptor<Value>: Hashable, Sendable {
  /// What it is.
  public let uuid: BluetoothUUID
  /// Its handle, for an instance; `nil` for a name.
  public let handle: AttributeHandle?
  let characteristicName: CharacteristicName

  init(_ uuid: BluetoothUUID, handle: AttributeHandle?, of characteristic: CharacteristicName) {
    self.uuid = uuid
    self.handle = handle
    characteristicName = characteristic
  }

  /// A name: the descriptor `uuid` of a characteristic, which is expected to have one.
  public init<Other>(_ uuid: BluetoothUUID, of characteristic: Characteristic<Other>) {
    self.init(uuid, handle: nil, of: characteristic.name)
  }

  /// The characteristic that it belongs to.
  public var characteristic: Characteristic<[UInt8]> { Characteristic(characteristicName) }

  /// The same descriptor with a value of another type.
  public func typed<Other>(as type: Other.Type = Other.self) -> Descriptor<Other> {
    Descriptor<Other>(uuid, handle: handle, of: characteristicName)
  }
}

extension Descriptor where Value == [UInt8] {
  /// A name: the descriptor `uuid` of a characteristic, which is expected to have one; its value as bytes.
  public init<Other>(_ uuid: BluetoothUUID, of characteristic: Characteristic<Other>) {
    self.init(uuid, handle: nil, of: characteristic.name)
  }
}

extension Descriptor where Value == String {
  /// The text for people that describes a characteristic (Core 5.4, Vol 3, Part G, 3.3.3.2).
  public static func userDescription<Other>(of characteristic: Characteristic<Other>) -> Descriptor {
    Descriptor(BluetoothUUID(UInt16(0x2901)), handle: nil, of: characteristic.name)
  }
}

extension Descriptor where Value == PresentationFormat {
  /// The format of a characteristic's value (Core 5.4, Vol 3, Part G, 3.3.3.5).
  public static func presentationFormat<Other>(of characteristic: Characteristic<Other>) -> Descriptor {
    Descriptor(BluetoothUUID(UInt16(0x2904)), handle: nil, of: characteristic.name)
  }
}

extension Descriptor where Value == ExtendedProperties {
  /// What a characteristic allows beyond its properties (Core 5.4, Vol 3, Part G, 3.3.3.1).
  public static func extendedProperties<Other>(of characteristic: Characteristic<Other>) -> Descriptor {
    Descriptor(BluetoothUUID(UInt16(0x2900)), handle: nil, of: characteristic.name)
  }
}

extension Descriptor: CustomStringConvertible {
  /// For example `2901 of 2A37 in 180D` or `2901 of 2A37 in 180D at 0x0012 at 0x0014`.
  public var description: String { "\(uuid) of \(characteristic)" + (handle.map { " at \($0)" } ?? "") }
}
