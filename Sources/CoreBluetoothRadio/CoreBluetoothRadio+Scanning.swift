import BluetoothTypes
import CoreBluetooth
import RadioPort

extension CoreBluetoothRadio {
  package func startScan(
    _ request: ScanRequest,
    sighting: @escaping @Sendable (Sighting) -> Void,
    ended: @escaping @Sendable (RadioFailure) -> Void
  ) -> ScanID {
    let id = ScanID(rawValue: next())
    if let failure = offFailure, central.state != .unknown {
      executor.submit { ended(failure) }
      return id
    }
    scans[id] = Scan(request: request, sighting: sighting, ended: ended)
    applyScans()
    return id
  }

  package func stopScan(_ scan: ScanID) {
    if scans.removeValue(forKey: scan) != nil { applyScans() }
  }

  /// The framework has one scan: it gets what covers all.
  func applyScans() {
    guard central.state == .poweredOn else { return }
    guard !scans.isEmpty else { return central.stopScan() }
    let requests = scans.values.map(\.request)
    let isOpen = requests.contains { $0.services.isEmpty }
    let services = Set(requests.flatMap(\.services)).sorted { $0.description < $1.description }
    // All of them, so that a scan that begins later hears what the framework has told of before.
    central.scanForPeripherals(
      withServices: isOpen ? nil : services.map { CBUUID(string: $0.description) },
      options: [CBCentralManagerScanOptionAllowDuplicatesKey: NSNumber(value: true)]
    )
  }

  func heard(_ peripheral: CBPeripheral, _ data: [String: Any], _ rssi: Int) {
    let peer = PeerID(peripheral)
    device(peer).peripheral = peripheral
    let fresh = AdvertisingData(dictionary: data)
    let all = advertisements[peer]?.merging(fresh) ?? fresh
    advertisements[peer] = all
    let sighting = Sighting(
      peer: peer,
      address: nil,
      advertisement: all,
      rssi: rssi == 127 ? nil : rssi,
      isConnectable: (data[CBAdvertisementDataIsConnectable] as? NSNumber)?.boolValue ?? true,
      isScanResponse: false,
      time: executor.now
    )
    let heard = Set(all.serviceUUIDs)
    for id in scans.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let scan = scans[id] else { continue }
      guard scan.request.services.isEmpty || !heard.isDisjoint(with: scan.request.services) else { continue }
      if !scan.request.allowsDuplicates {
        guard scan.told[peer] != all else { continue }
        scans[id]?.told[peer] = all
      }
      scan.sighting(sighting)
    }
  }
}

extension PeerID {
  init(_ peer: CBPeer) {
    let halves = withUnsafeBytes(of: peer.identifier.uuid) { bytes in
      [bytes.prefix(8), bytes.suffix(8)].map { $0.reduce(into: UInt64(0)) { $0 = $0 &<< 8 | UInt64($1) } }
    }
    self.init(high: halves[0], low: halves[1])
  }

  /// The identifier as the framework has it.
  var uuid: UUID? { UUID(uuidString: description) }
}

extension BluetoothUUID {
  init?(_ uuid: CBUUID) {
    guard let value = try? BluetoothUUID(uuid.uuidString) else { return nil }
    self = value
  }
}

extension AdvertisingData {
  /// What the framework tells of an advertisement, as the structures that it was told in.
  init(dictionary: [String: Any]) {
    var structures: [ADStructure] = []
    let uuids = { (key: String) in (dictionary[key] as? [CBUUID] ?? []).compactMap { BluetoothUUID($0) } }
    structures += ADStructure.serviceLists(uuids(CBAdvertisementDataServiceUUIDsKey))
    if let name = dictionary[CBAdvertisementDataLocalNameKey] as? String { structures.append(.completeLocalName(name)) }
    if let power = (dictionary[CBAdvertisementDataTxPowerLevelKey] as? NSNumber)?.intValue {
      structures.append(.txPowerLevel(Int8(clamping: power)))
    }
    if let data = dictionary[CBAdvertisementDataManufacturerDataKey] as? Data {
      structures.append(ADStructure(.manufacturerSpecificData, [UInt8](data)))
    }
    let serviceData = dictionary[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data] ?? [:]
    for (uuid, data) in serviceData.sorted(by: { $0.key.uuidString < $1.key.uuidString }) {
      if let uuid = BluetoothUUID(uuid) { structures.append(.serviceData(uuid, [UInt8](data))) }
    }
    let solicited = uuids(CBAdvertisementDataSolicitedServiceUUIDsKey)
    if !solicited.isEmpty { structures.append(.solicitedServiceUUIDs(solicited)) }
    self.init(structures)
  }
}
