import BluetoothTypes
import Foundation
import RadioPort

extension Sighting {
  /// What the device said, as Apple's API tells it.
  var advertisementDictionary: [String: Any] {
    var result: [String: Any] = [CBAdvertisementDataIsConnectable: NSNumber(value: isConnectable)]
    if let name = advertisement.localName { result[CBAdvertisementDataLocalNameKey] = name }
    if let power = advertisement.txPowerLevel { result[CBAdvertisementDataTxPowerLevelKey] = NSNumber(value: power) }
    let services = advertisement.serviceUUIDs
    if !services.isEmpty { result[CBAdvertisementDataServiceUUIDsKey] = services.map { CBUUID($0) } }
    let solicited = advertisement.solicitedServiceUUIDs
    if !solicited.isEmpty { result[CBAdvertisementDataSolicitedServiceUUIDsKey] = solicited.map { CBUUID($0) } }
    let data = advertisement.serviceData
    if !data.isEmpty {
      result[CBAdvertisementDataServiceDataKey] = Dictionary(uniqueKeysWithValues: data.map { (CBUUID($0), Data($1)) })
    }
    if let bytes = advertisement.first(.manufacturerSpecificData) {
      result[CBAdvertisementDataManufacturerDataKey] = Data(bytes)
    }
    return result
  }

  /// The strength as Apple's API tells it, with 127 for one that is not known.
  var rssiNumber: NSNumber { NSNumber(value: rssi ?? 127) }
}
