import Foundation
import RadioPort

extension CBPeripheralManager {
  /// Keeps what has changed, where it is to survive the program.
  func saveRestorableState() { restoration?.save { record } }

  /// `nil` if there is nothing to go on with.
  private var record: ServerRecord? {
    let (services, advertising) = guarded.withLock { ($0.services, $0.advertising) }
    guard !services.isEmpty || advertising != nil else { return nil }
    var places: [ObjectIdentifier: Int] = [:]
    var records: [ServerRecord.Service] = []
    for publication in services.compactMap({ $0.publication.withLock { $0 } }) {
      var record = publication.record
      record.includes = publication.includes.compactMap { $0.flatMap { places[ObjectIdentifier($0)] } }
      places[ObjectIdentifier(publication)] = records.count
      records.append(record)
    }
    return ServerRecord(services: records, advertisement: advertising?.record)
  }

  /// Goes on with what was kept and tells the app of it, just before it hears of the first state.
  func restore(_ record: ServerRecord) {
    var restored: [String: Any] = [:]
    var services: [CBMutableService] = []
    for saved in record.services {
      let service = saved.service
      if !saved.includes.isEmpty { service.includedServices = saved.includes.map { services[$0] } }
      services.append(service)
    }
    for service in services { publish(service, isRestored: true) }
    if !services.isEmpty { restored[CBPeripheralManagerRestoredStateServicesKey] = services }
    if let advertisement = record.advertisement {
      restored[CBPeripheralManagerRestoredStateAdvertisementDataKey] = advertisement.dictionary
      let number = guarded.withLock { state in
        state.advertisingCount &+= 1
        return state.advertisingCount
      }
      setAdvertising {
        $0 = Advertising(record: advertisement, number: number, isCarriedOver: true, isRestored: true)
      }
    }
    if !restored.isEmpty { delegate?.peripheralManager(self, willRestoreState: restored) }
  }

  /// Publishes what was restored while the radio was off.
  func publishRestored() {
    let services = guarded.withLock { state in
      let waiting = state.awaitingPower
      state.awaitingPower = []
      state.services.removeAll { service in waiting.contains { $0 === service } }
      return waiting
    }
    for service in services where service.publication.withLock({ $0 }) != nil {
      service.publication.withLock { $0 = nil }
      publish(service, isRestored: true)
    }
  }
}
