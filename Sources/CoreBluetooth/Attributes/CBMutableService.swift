import BluetoothTypes
import Foundation
import RadioPort

/// A service that this program publishes. What is changed after ``CBPeripheralManager/add(_:)`` has no effect.
open class CBMutableService: CBService {
  /// The handle with which it is published; `nil` while it is not.
  let published = Guarded<AttributeHandle?>(nil)
  /// Whether it was given to a manager and not taken back.
  let isAdded = Guarded(false)

  /// A service without characteristics.
  public init(type UUID: CBUUID, primary isPrimary: Bool) { super.init(uuid: UUID, isPrimary: isPrimary) }

  /// The services that are included; they have to be published before.
  open override var includedServices: [CBService]? {
    get { super.includedServices }
    set { guarded.withLock { $0.includedServices = newValue } }
  }

  /// The characteristics, which are ``CBMutableCharacteristic``s.
  open override var characteristics: [CBCharacteristic]? {
    get { super.characteristics }
    set {
      let old = guarded.withLock { state in
        defer { state.characteristics = newValue }
        return state.characteristics
      }
      for characteristic in old ?? [] { characteristic.setService(nil) }
      for characteristic in newValue ?? [] { characteristic.setService(self) }
    }
  }

  /// What the radio is to serve.
  var definition: ServiceDefinition {
    ServiceDefinition(
      uuid.value,
      isPrimary: isPrimary,
      includes: includedServices?.compactMap { ($0 as? CBMutableService)?.published.withLock { $0 } } ?? [],
      characteristics: mutableCharacteristics.map(\.definition)
    )
  }

  var mutableCharacteristics: [CBMutableCharacteristic] {
    characteristics?.compactMap { $0 as? CBMutableCharacteristic } ?? []
  }
}
