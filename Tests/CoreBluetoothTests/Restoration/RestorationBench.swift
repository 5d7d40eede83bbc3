#if os(Linux)
  import CoreBluetooth
  import Foundation
  import RadioPort
  import Testing
  import VirtualRadio

  /// A directory in which managers keep their files, for one test.
  final class Shelf: Sendable {
    let url: URL

    init() throws {
      url = FileManager.default.temporaryDirectory.appendingPathComponent("halcyon-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var names: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// What is there if the program is killed now.
    func afterKill() throws -> Shelf {
      let other = try Shelf()
      for name in names { try FileManager.default.copyItem(at: file(name), to: other.file(name)) }
      return other
    }

    func options(_ radio: any Radio) -> [String: Any] {
      [
        CBManagerOptionRadioKey: radio, CBManagerOptionStateDirectoryKey: url.path,
        CBCentralManagerOptionRestoreIdentifierKey: "the app's own/1",
      ]
    }
  }

  /// A central's delegate that keeps what was restored, and hears of it.
  final class RestoredCentral: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private(set) var events: [String] = []
    private(set) var restored: [String: Any] = [:]
    private(set) var peripherals: [CBPeripheral] = []
    private(set) var heard: [String] = []
    private(set) var values: [Data] = []
    /// What was to be seen when it was told.
    private(set) var statesThen: [CBPeripheralState] = []
    private(set) var notifyingThen: [String] = []
    private(set) var wasScanning = false

    func take() -> [String] {
      defer { events = [] }
      return events
    }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
      events.append("restore in \(central.state)")
      restored = dict
      wasScanning = central.isScanning
      peripherals = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
      statesThen = peripherals.map(\.state)
      notifyingThen = peripherals.flatMap { $0.services ?? [] }.flatMap { $0.characteristics ?? [] }
        .filter(\.isNotifying).map(\.uuid.uuidString)
      for peripheral in peripherals { peripheral.delegate = self }
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) { events.append("state \(central.state)") }

    func centralManager(
      _ central: CBCentralManager,
      didDiscover peripheral: CBPeripheral,
      advertisementData: [String: Any],
      rssi RSSI: NSNumber
    ) {
      heard.append(peripheral.name ?? "?")
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
      events.append("connected \(peripheral.name ?? "?")")
    }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
      events.append("failed")
    }

    func centralManager(
      _ central: CBCentralManager,
      didDisconnectPeripheral peripheral: CBPeripheral,
      error: (any Error)?
    ) {
      events.append("disconnected")
    }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
      events.append("modified \(invalidatedServices.count)")
    }

    func peripheral(
      _ peripheral: CBPeripheral,
      didUpdateNotificationStateFor characteristic: CBCharacteristic,
      error: (any Error)?
    ) {
      events.append("notifying \(characteristic.uuid.uuidString) \(characteristic.isNotifying)")
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
      values.append(characteristic.value ?? Data())
    }
  }

  /// The same for a peripheral manager.
  final class RestoredServer: NSObject, CBPeripheralManagerDelegate {
    private(set) var events: [String] = []
    private(set) var services: [CBMutableService] = []
    private(set) var advertisement: [String: Any] = [:]
    private(set) var wasAdvertising = false
    private(set) var reads = 0

    func take() -> [String] {
      defer { events = [] }
      return events
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
      events.append("restore in \(peripheral.state)")
      services = dict[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService] ?? []
      advertisement = dict[CBPeripheralManagerRestoredStateAdvertisementDataKey] as? [String: Any] ?? [:]
      wasAdvertising = peripheral.isAdvertising
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
      events.append("state \(peripheral.state)")
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
      events.append(error == nil ? "advertising" : "advertising failed")
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
      events.append("added \(service.uuid.uuidString)")
    }

    func peripheralManager(
      _ peripheral: CBPeripheralManager,
      central: CBCentral,
      didSubscribeTo characteristic: CBCharacteristic
    ) {
      events.append("subscribed \(characteristic.uuid.uuidString)")
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
      reads += 1
      request.value = Data("dynamic".utf8)
      peripheral.respond(to: request, withResult: .success)
    }
  }
#endif
