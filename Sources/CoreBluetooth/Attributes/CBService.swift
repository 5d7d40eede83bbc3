import BluetoothTypes
import Foundation
import RadioPort

/// A service of a remote device or, as ``CBMutableService``, one that is published here.
open class CBService: CBAttribute {
  struct State {
    weak var peripheral: CBPeripheral?
    var isPrimary: Bool
    var includedServices: [CBService]?
    var characteristics: [CBCharacteristic]?
  }

  let guarded: Guarded<State>
  /// The handle of the declaration on the remote device; 0 for a service that is published here.
  let handle: AttributeHandle

  init(uuid: CBUUID, handle: AttributeHandle = AttributeHandle(0), isPrimary: Bool, peripheral: CBPeripheral? = nil) {
    self.handle = handle
    guarded = Guarded(State(peripheral: peripheral, isPrimary: isPrimary))
    super.init(uuid: uuid)
  }

  /// The device that has the service; `nil` if it is published here, or if nobody keeps the device's object.
  open var peripheral: CBPeripheral? { guarded.withLock { $0.peripheral } }

  /// Whether the service stands for itself, not only for being included.
  open var isPrimary: Bool { guarded.withLock { $0.isPrimary } }

  /// The services that are included, as far as they were discovered.
  open var includedServices: [CBService]? {
    ObservedProperties.note(.includedServices, of: self)
    return guarded.withLock { $0.includedServices }
  }

  /// The characteristics, as far as they were discovered.
  open var characteristics: [CBCharacteristic]? {
    ObservedProperties.note(.characteristics, of: self)
    return guarded.withLock { $0.characteristics }
  }

  /// The class, whether it is primary, and the UUID.
  open override var description: String {
    "\(address(of: self)), isPrimary = \(isPrimary ? "YES" : "NO"), UUID = \(uuid)>"
  }
}
