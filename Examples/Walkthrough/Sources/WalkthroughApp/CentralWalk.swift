import CoreBluetooth
import Foundation

/// The central's part: finds a device by its name, connects, looks at all that it has, reads it, writes where it may,
/// listens to some values, and takes its leave.
package final class CentralWalk: NSObject {
  private let wantedName: String
  private let greeting: Data
  private let valuesWanted: Int
  private let log: (String) -> Void
  private let options: [String: Any]?
  private lazy var manager = CBCentralManager(delegate: self, queue: .main, options: options)
  /// A device whose object nobody keeps is let go again.
  private var device: CBPeripheral?
  private var valuesHeard = 0

  /// - Parameters:
  ///   - wantedName: The device that is looked for.
  ///   - greeting: What is written where writing is allowed.
  ///   - valuesWanted: After how many values the walk ends.
  ///   - options: Go to the manager.
  package init(
    lookingFor wantedName: String,
    greeting: String,
    valuesWanted: Int,
    options: [String: Any]? = nil,
    log: @escaping (String) -> Void
  ) {
    self.wantedName = wantedName
    self.greeting = Data(greeting.utf8)
    self.valuesWanted = valuesWanted
    self.log = log
    self.options = options
    super.init()
    _ = manager
  }

  /// Whether the walk is at its end.
  package private(set) var isOver = false

  private func show(_ value: Data?) -> String {
    guard let value else { return "nothing" }
    return String(data: value, encoding: .utf8) ?? value.map { String($0, radix: 16) }.joined(separator: " ")
  }
}

extension CentralWalk: CBCentralManagerDelegate {
  package func centralManagerDidUpdateState(_ central: CBCentralManager) {
    switch central.state {
    case .poweredOn:
      log("powered on, scanning")
      central.scanForPeripherals(withServices: nil)
    case .unknown: log("the state is not known yet")
    case .resetting: log("the radio is starting again")
    case .unsupported: log("no Bluetooth Low Energy here")
    case .unauthorized: log("not allowed to use Bluetooth")
    case .poweredOff: log("Bluetooth is off")
    @unknown default: log("a state of the future")
    }
  }

  package func centralManager(
    _ central: CBCentralManager,
    didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    guard device == nil, peripheral.name == wantedName else { return }
    let services = advertisementData[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
    log("heard \(wantedName) with \(services.map(\.uuidString).joined(separator: ", ")), connecting")
    device = peripheral
    central.connect(peripheral)
  }

  package func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    log("connected")
    peripheral.delegate = self
    peripheral.discoverServices(nil)
  }

  package func centralManager(
    _ central: CBCentralManager,
    didFailToConnect peripheral: CBPeripheral,
    error: (any Error)?
  ) {
    log("could not connect: \(error?.localizedDescription ?? "no reason")")
    device = nil
  }

  package func centralManager(
    _ central: CBCentralManager,
    didDisconnectPeripheral peripheral: CBPeripheral,
    error: (any Error)?
  ) {
    log(error.map { "the connection was lost: \($0.localizedDescription)" } ?? "disconnected")
    device = nil
    isOver = true
  }
}

extension CentralWalk: CBPeripheralDelegate {
  package func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    if let error { return log("no services: \(error.localizedDescription)") }
    for service in peripheral.services ?? [] {
      log("service \(service.uuid.uuidString)")
      peripheral.discoverCharacteristics(nil, for: service)
    }
  }

  package func peripheral(
    _ peripheral: CBPeripheral,
    didDiscoverCharacteristicsFor service: CBService,
    error: (any Error)?
  ) {
    if let error { return log("no characteristics: \(error.localizedDescription)") }
    for characteristic in service.characteristics ?? [] {
      log("characteristic \(characteristic.uuid.uuidString) of \(service.uuid.uuidString)")
      if characteristic.properties.contains(.read) { peripheral.readValue(for: characteristic) }
      peripheral.discoverDescriptors(for: characteristic)
      if characteristic.properties.contains(.write) {
        peripheral.writeValue(greeting, for: characteristic, type: .withResponse)
      }
      if characteristic.properties.contains(.notify) { peripheral.setNotifyValue(true, for: characteristic) }
    }
  }

  package func peripheral(
    _ peripheral: CBPeripheral,
    didDiscoverDescriptorsFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    for descriptor in characteristic.descriptors ?? [] { peripheral.readValue(for: descriptor) }
  }

  package func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {
    let value = error.map { "refused: \($0.localizedDescription)" } ?? descriptor.value.map { "\($0)" } ?? "nothing"
    log("descriptor \(descriptor.uuid.uuidString): \(value)")
  }

  package func peripheral(
    _ peripheral: CBPeripheral,
    didWriteValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    if let error { return log("\(characteristic.uuid.uuidString) was not written: \(error.localizedDescription)") }
    log("\(characteristic.uuid.uuidString) was written")
    peripheral.readValue(for: characteristic)
  }

  package func peripheral(
    _ peripheral: CBPeripheral,
    didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    if let error { return log("no values: \(error.localizedDescription)") }
    log("\(characteristic.uuid.uuidString) \(characteristic.isNotifying ? "is" : "is not") sent")
    if !characteristic.isNotifying {
      manager.stopScan()
      manager.cancelPeripheralConnection(peripheral)
    }
  }

  package func peripheral(
    _ peripheral: CBPeripheral,
    didUpdateValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    if let error { return log("\(characteristic.uuid.uuidString) refused: \(error.localizedDescription)") }
    log("\(characteristic.uuid.uuidString) = \(show(characteristic.value))")
    guard characteristic.isNotifying else { return }
    valuesHeard += 1
    if valuesHeard == valuesWanted { peripheral.setNotifyValue(false, for: characteristic) }
  }
}
