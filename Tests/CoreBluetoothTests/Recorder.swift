#if os(Linux)
  import CoreBluetooth
  import RadioPort
  import Testing
  import VirtualRadio

  /// A delegate that keeps what it is told, as lines of text, and the objects that it is given.
  final class Recorder: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private(set) var events: [String] = []
    private(set) var peripherals: [CBPeripheral] = []
    private(set) var advertisements: [[String: Any]] = []
    private(set) var strengths: [NSNumber] = []
    private(set) var errors: [any Error] = []
    /// The values as they stood in the characteristic during the call.
    private(set) var values: [Data] = []
    var onEvent: ((String) -> Void)?

    private func note(_ event: String, _ error: (any Error)? = nil) {
      if let error { errors.append(error) }
      let event = error == nil ? event : event + " failed"
      events.append(event)
      onEvent?(event)
    }

    func take() -> [String] {
      defer { events = [] }
      return events
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) { note("state \(central.state)") }

    func centralManager(
      _ central: CBCentralManager,
      didDiscover peripheral: CBPeripheral,
      advertisementData: [String: Any],
      rssi RSSI: NSNumber
    ) {
      if !peripherals.contains(peripheral) { peripherals.append(peripheral) }
      advertisements.append(advertisementData)
      strengths.append(RSSI)
      note("heard \(peripheral.name ?? "?")")
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
      note("connected \(peripheral.state)")
    }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
      note("connect", error)
    }

    func centralManager(
      _ central: CBCentralManager,
      didDisconnectPeripheral peripheral: CBPeripheral,
      error: (any Error)?
    ) {
      note("disconnected \(peripheral.state)", error)
    }

    func peripheralDidUpdateName(_ peripheral: CBPeripheral) { note("name \(peripheral.name ?? "?")") }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
      note("modified \(invalidatedServices.count)")
    }

    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) { note("rssi", error) }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
      note("services \(peripheral.services?.map(\.uuid.uuidString) ?? [])", error)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?)
    {
      note("included \(service.includedServices?.map(\.uuid.uuidString) ?? [])", error)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
      note("characteristics \(service.characteristics?.map(\.uuid.uuidString) ?? [])", error)
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
      if error == nil { values.append(characteristic.value ?? Data()) }
      note("value \(characteristic.uuid.uuidString)", error)
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
      note("wrote \(characteristic.uuid.uuidString)", error)
    }

    func peripheral(
      _ peripheral: CBPeripheral,
      didUpdateNotificationStateFor characteristic: CBCharacteristic,
      error: (any Error)?
    ) {
      note("notifying \(characteristic.isNotifying)", error)
    }

    func peripheral(
      _ peripheral: CBPeripheral,
      didDiscoverDescriptorsFor characteristic: CBCharacteristic,
      error: (any Error)?
    ) {
      note("descriptors \(characteristic.descriptors?.map(\.uuid.uuidString) ?? [])", error)
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {
      note("descriptor \(descriptor.uuid.uuidString) = \(descriptor.value ?? "nothing")", error)
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?) {
      note("wrote descriptor \(descriptor.uuid.uuidString)", error)
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { note("ready") }
  }

  extension CBCentralManager {
    /// A manager on a radio of its own. The delegate is called where the world's code runs.
    convenience init(_ delegate: (any CBCentralManagerDelegate)?, on radio: any Radio) {
      self.init(delegate: delegate, queue: nil, options: [CBManagerOptionRadioKey: radio])
    }

    /// Scans for all that there is, as soon as the radio is on.
    func look(around world: World) async throws {
      try await world.run(for: .seconds(1))
      scanForPeripherals(withServices: nil)
      try await world.run(for: .seconds(2))
      stopScan()
    }
  }

  extension CBPeripheralManager {
    /// A manager on a radio of its own. The delegate is called where the world's code runs.
    convenience init(_ delegate: (any CBPeripheralManagerDelegate)?, on radio: any Radio) {
      self.init(delegate: delegate, queue: nil, options: [CBManagerOptionRadioKey: radio])
    }
  }

  /// A central on a world's radio, and the device that it is connected to.
  struct Bench {
    let world: World
    let recorder = Recorder()
    let manager: CBCentralManager
    var peripheral: CBPeripheral

    /// Scans for the device and connects to it.
    init(_ world: World, to name: String, on radio: (any Radio)? = nil) async throws {
      self.world = world
      manager = CBCentralManager(recorder, on: radio ?? world.radio)
      try await manager.look(around: world)
      peripheral = try #require(recorder.peripherals.first { $0.name == name })
      peripheral.delegate = recorder
      manager.connect(peripheral)
      try await world.run(for: .seconds(2))
      _ = recorder.take()
    }

    /// Discovers all services and their characteristics.
    func discoverAll() async throws {
      peripheral.discoverServices(nil)
      try await world.run(for: .seconds(5))
      for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
      try await world.run(for: .seconds(1))
      _ = recorder.take()
    }

    func characteristic(_ uuid: String) throws -> CBCharacteristic {
      let all = peripheral.services?.flatMap { $0.characteristics ?? [] } ?? []
      return try #require(all.first { $0.uuid == CBUUID(string: uuid) })
    }
  }
#endif
