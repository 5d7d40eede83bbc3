// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// As others write it.

import CoreBluetooth

/// Connects to the first heart-rate band, reads its battery and takes some beats.
public final class BandReader: NSObject {
  private let report: (String) -> Void
  private let finish: (Error?) -> Void
  private var central: CBCentralManager?
  private var observation: NSKeyValueObservation?
  private var band: CBPeripheral?
  private var beats = 0

  private static let heartRate = CBUUID(string: "180D")
  private static let measurement = CBUUID(string: "2A37")
  private static let battery = CBUUID(string: "180F")
  private static let level = CBUUID(string: "2A19")

  public init(report: @escaping (String) -> Void, finish: @escaping (Error?) -> Void) {
    self.report = report
    self.finish = finish
    super.init()
    central = CBCentralManager(delegate: self, queue: .main, options: [CBCentralManagerOptionShowPowerAlertKey: false])
    observation = central?.observe(\.isScanning, options: [.new]) { [weak self] _, change in
      self?.report(change.newValue == true ? "scanning" : "no longer scanning")
    }
  }
}

extension BandReader: CBCentralManagerDelegate {
  public func centralManagerDidUpdateState(_ central: CBCentralManager) {
    switch central.state {
    case .poweredOn: central.scanForPeripherals(withServices: [Self.heartRate])
    case .unsupported, .unauthorized: finish(CBError(.operationNotSupported))
    default: break
    }
  }

  public func centralManager(
    _ central: CBCentralManager,
    didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    guard band == nil else { return }
    band = peripheral
    report("found \(advertisementData[CBAdvertisementDataLocalNameKey] as? String ?? "?")")
    central.stopScan()
    central.connect(peripheral, options: [CBConnectPeripheralOptionNotifyOnDisconnectionKey: true])
  }

  public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    report("connected to \(peripheral.name ?? "?")")
    peripheral.delegate = self
    peripheral.discoverServices([Self.heartRate, Self.battery])
  }

  public func centralManager(
    _ central: CBCentralManager,
    didFailToConnect peripheral: CBPeripheral,
    error: Error?
  ) { finish(error) }

  public func centralManager(
    _ central: CBCentralManager,
    didDisconnectPeripheral peripheral: CBPeripheral,
    error: Error?
  ) {
    report("disconnected")
    finish(error)
  }
}

extension BandReader: CBPeripheralDelegate {
  public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
    if let error { return finish(error) }
    for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
  }

  public func peripheral(
    _ peripheral: CBPeripheral,
    didDiscoverCharacteristicsFor service: CBService,
    error: Error?
  ) {
    if let error { return finish(error) }
    for characteristic in service.characteristics ?? [] where characteristic.uuid == Self.level {
      peripheral.readValue(for: characteristic)
    }
  }

  public func peripheral(
    _ peripheral: CBPeripheral,
    didUpdateValueFor characteristic: CBCharacteristic,
    error: Error?
  ) {
    if let error { return finish(error) }
    let value = characteristic.value ?? Data()
    if characteristic.uuid == Self.level {
      report("battery \(value.first ?? 0) %")
      let all = peripheral.services?.flatMap { $0.characteristics ?? [] } ?? []
      for one in all where one.uuid == Self.measurement && one.properties.contains(.notify) {
        peripheral.setNotifyValue(true, for: one)
      }
    } else if characteristic.uuid == Self.measurement, beats < 3 {
      beats += 1
      report("\(value.dropFirst().first ?? 0) beats a minute")
      if beats == 3 { central?.cancelPeripheralConnection(peripheral) }
    }
  }
}
