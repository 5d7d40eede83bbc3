import CoreBluetooth
import Foundation

/// Connects to the first heart-rate band and reads its battery.
final class Reader: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
  var central: CBCentralManager?
  var band: CBPeripheral?

  override init() {
    super.init()
    central = CBCentralManager(delegate: self, queue: nil)
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    print("state \(central.state.rawValue)")
    guard central.state == .poweredOn else { return }
    central.scanForPeripherals(withServices: [CBUUID(string: "180D")], options: nil)
  }

  func centralManager(
    _ central: CBCentralManager,
    didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    guard band == nil else { return }
    band = peripheral
    central.stopScan()
    central.connect(peripheral, options: nil)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    print("connected to \(peripheral.name ?? "?")")
    peripheral.delegate = self
    peripheral.discoverServices([CBUUID(string: "180F")])
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
    guard let service = peripheral.services?.first else { exit(1) }
    peripheral.discoverCharacteristics([CBUUID(string: "2A19")], for: service)
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: Error?) {
    guard let level = service.characteristics?.first else { exit(1) }
    peripheral.readValue(for: level)
  }

  func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?) {
    print("battery \(characteristic.value?.first ?? 0) %")
    exit(0)
  }
}

let reader = Reader()
DispatchQueue.main.asyncAfter(deadline: .now() + 60) { exit(1) }
withExtendedLifetime(reader) { RunLoop.main.run() }
