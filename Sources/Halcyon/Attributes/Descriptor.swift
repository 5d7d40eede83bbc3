import BluetoothTypes

/// A descriptor of a characteristic: a name that holds for every device, or one instance that was found on a device.
///
/// ```swift
/// let text = try await peripheral.read(.userDescription(of: .batteryLevel), as: String.self)
/// ```
/// ``Characteristic/descriptors`` has the instances of a characteristic that was found.
public struct Descriptor: Hashable, Sendable {
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
  public init<Value>(_ uuid: BluetoothUUID, of characteristic: Characteristic<Value>) {
    self.init(uuid, handle: nil, of: characteristic.name)
  }

  /// The text for people that describes a characteristic (Core 5.4, Vol 3, Part G, 3.3.3.2).
  public static func userDescription<Value>(of characteristic: Characteristic<Value>) -> Descriptor {
    Descriptor(BluetoothUUID(UInt16(0x2901)), of: characteristic)
  }

  /// The format of a characteristic's value (Core 5.4, Vol 3, Part G, 3.3.3.5).
  public static func presentationFormat<Value>(of characteristic: Characteristic<Value>) -> Descriptor {
    Descriptor(BluetoothUUID(UInt16(0x2904)), of: characteristic)
  }

  /// The characteristic that it belongs to.
  public var characteristic: Characteristic<[UInt8]> { Characteristic(characteristicName) }
}

extension Descriptor: CustomStringConvertible {
  /// For example `2901 of 2A37 in 180D` or `2901 of 2A37 in 180D at 0x0012 at 0x0014`.
  public var description: String { "\(uuid) of \(characteristic)" + (handle.map { " at \($0)" } ?? "") }
}
