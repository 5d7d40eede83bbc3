import Foundation
import RadioPort

extension CBCentralManager {
  /// Keeps what has changed, where it is to survive the program.
  func saveRestorableState() { restoration?.save { record } }

  /// `nil` if there is nothing to go on with.
  private var record: CentralRecord? {
    let (scan, peripherals) = restorable
    let devices = peripherals.compactMap(\.record).sorted { $0.identifier.uuidString < $1.identifier.uuidString }
    return scan == nil && devices.isEmpty ? nil : CentralRecord(scan: scan, devices: devices)
  }

  /// Goes on with what was kept and tells the app of it, just before it hears of the first state.
  ///
  /// The connections of a program that has ended are gone. Those that are wanted are asked for again, with the options
  /// that they had; where the radio is off they are not.
  func restore(_ record: CentralRecord, _ state: CBManagerState) {
    var restored: [String: Any] = [:]
    if let scan = record.scan {
      restored[CBCentralManagerRestoredStateScanOptionsKey] = scan.options
      if let services = scan.services {
        restored[CBCentralManagerRestoredStateScanServicesKey] = services.map { CBUUID($0.value) }
      }
      if state == .poweredOn { beginScan(scan) }
    }
    let peripherals = record.devices.map { device in
      let peripheral = peripheral(device)
      if state == .poweredOn {
        peripheral.restore(device.services)
        peripheral.beginConnecting(device.options.map { ConnectOptions($0) } ?? ConnectOptions())
      }
      return peripheral
    }
    if !peripherals.isEmpty { restored[CBCentralManagerRestoredStatePeripheralsKey] = peripherals }
    if !restored.isEmpty { delegate?.centralManager(self, willRestoreState: restored) }
  }
}
