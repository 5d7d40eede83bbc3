import BluetoothTypes
import Foundation
import RadioPort

/// A descriptor of a remote device or, as ``CBMutableDescriptor``, one that is published here.
open class CBDescriptor: CBAttribute {
  struct State {
    weak var characteristic: CBCharacteristic?
    var value: Any?
  }

  let guarded: Guarded<State>
  /// What the radio knows it as; 0 for a descriptor that is published here.
  let handle: AttributeHandle

  init(
    uuid: CBUUID,
    handle: AttributeHandle = AttributeHandle(0),
    value: Any? = nil,
    characteristic: CBCharacteristic? = nil
  ) {
    self.handle = handle
    guarded = Guarded(State(characteristic: characteristic, value: value))
    super.init(uuid: uuid)
  }

  /// The characteristic that it belongs to; `nil` if nobody keeps that.
  open var characteristic: CBCharacteristic? { guarded.withLock { $0.characteristic } }

  /// The value that was read last: a `String` for a user description, an `NSNumber` for extended properties and
  /// configurations, else `Data`.
  open var value: Any? {
    ObservedProperties.note(.value, of: self)
    return guarded.withLock { $0.value }
  }

  func setValue(_ bytes: [UInt8]) {
    let value = Self.decode(bytes, of: uuid.value)
    ObservedProperties.change(self, .value) { guarded.withLock { $0.value = value } }
  }

  func setCharacteristic(_ characteristic: CBCharacteristic?) {
    guarded.withLock { $0.characteristic = characteristic }
  }

  /// What the bytes stand for (Core 5.4, Vol 3, Part G, 3.3.3). Numbers that are cut short stay bytes.
  static func decode(_ bytes: [UInt8], of uuid: BluetoothUUID) -> Any {
    switch uuid.uint16 {
    case 0x2901: String(decoding: bytes, as: UTF8.self)
    case 0x2900, 0x2902, 0x2903:
      bytes.count == 2 ? NSNumber(value: UInt16(bytes[0]) | UInt16(bytes[1]) &<< 8) : Data(bytes)
    default: Data(bytes)
    }
  }

  /// The class, the UUID and the value.
  open override var description: String {
    "\(address(of: self)), UUID = \(uuid), value = \(value.map { "\($0)" } ?? "(null)")>"
  }
}
