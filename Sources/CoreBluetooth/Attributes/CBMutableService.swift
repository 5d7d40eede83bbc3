import BluetoothTypes
import Foundation
import RadioPort

/// A service that this program publishes. What is changed after ``CBPeripheralManager/add(_:)`` has no effect.
open class CBMutableService: CBService {
  /// Its stay in the database of a manager; `nil` while it was not given to one, or was taken back.
  let publication = Guarded<Publication?>(nil)

  /// A service without characteristics.
  public init(type UUID: CBUUID, primary isPrimary: Bool) { super.init(uuid: UUID, isPrimary: isPrimary) }

  /// The services that are included; they have to be published before.
  open override var includedServices: [CBService]? {
    get { super.includedServices }
    set { ObservedProperties.change(self, .includedServices) { guarded.withLock { $0.includedServices = newValue } } }
  }

  /// The characteristics, which are ``CBMutableCharacteristic``s.
  open override var characteristics: [CBCharacteristic]? {
    get { super.characteristics }
    set {
      let old = ObservedProperties.change(self, .characteristics) {
        guarded.withLock { state in
          defer { state.characteristics = newValue }
          return state.characteristics
        }
      }
      for characteristic in old ?? [] { characteristic.setService(nil) }
      for characteristic in newValue ?? [] { characteristic.setService(self) }
    }
  }

  /// What the radio is to serve, but for the services that are included.
  var definition: ServiceDefinition {
    ServiceDefinition(uuid.value, isPrimary: isPrimary, characteristics: mutableCharacteristics.map(\.definition))
  }

  /// The stays of the services that are included; `nil` for one that was given to no manager.
  var includedPublications: [Publication?] {
    includedServices?.map { ($0 as? CBMutableService)?.publication.withLock { $0 } } ?? []
  }

  var mutableCharacteristics: [CBMutableCharacteristic] {
    characteristics?.compactMap { $0 as? CBMutableCharacteristic } ?? []
  }
}
