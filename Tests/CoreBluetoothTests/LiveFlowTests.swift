#if os(Linux)
  import CoreBluetooth
  import Dispatch
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  /// Both roles, each on a queue of its own, by the wall clock: nothing runs on the test's thread.
  @Suite("Apple's API on queues, in a live world", .reportsWorlds, .timeLimit(.minutes(5)))
  struct LiveFlowTests {
    @Test("delegates of both roles are called on their queues, in the order in which things happen")
    func bothRoles() async throws {
      let events = await World.live(speed: 20, seed: 1) { world in
        let (lines, source) = AsyncStream.makeStream(of: String.self)
        let server = Notebook(options: [CBManagerOptionRadioKey: world.makeRadio()])
        let client = Reader(options: [CBManagerOptionRadioKey: world.radio]) { source.yield($0) }
        var events: [String] = []
        for await line in lines {
          events.append(line)
          if line == "disconnected" { break }
        }
        withExtendedLifetime((server, client)) {}
        return events
      }
      let values = (0..<Reader.wanted).map { "value \($0)" }
      #expect(
        events == ["on", "heard", "connected", "services", "characteristics", "notifying"] + values + ["disconnected"]
      )
    }
  }

  /// Notifies one number after the other as long as there is room.
  private final class Notebook: NSObject, CBPeripheralManagerDelegate {
    private let queue = DispatchQueue(label: "server")
    private let options: [String: Any]
    private lazy var manager = CBPeripheralManager(delegate: self, queue: queue, options: options)
    private let numbers = CBMutableCharacteristic(
      type: CBUUID(string: "FFF1"),
      properties: .notify,
      value: nil,
      permissions: .readable
    )
    private var next: UInt8 = 0

    init(options: [String: Any]) {
      self.options = options
      super.init()
      _ = manager
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
      dispatchPrecondition(condition: .onQueue(queue))
      guard peripheral.state == .poweredOn else { return }
      let service = CBMutableService(type: CBUUID(string: "FFF0"), primary: true)
      service.characteristics = [numbers]
      peripheral.add(service)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
      dispatchPrecondition(condition: .onQueue(queue))
      peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [service.uuid]])
    }

    private func fill() {
      while next < Reader.wanted, manager.updateValue(Data([next]), for: numbers, onSubscribedCentrals: nil) {
        next += 1
      }
    }

    func peripheralManager(
      _ peripheral: CBPeripheralManager,
      central: CBCentral,
      didSubscribeTo characteristic: CBCharacteristic
    ) {
      dispatchPrecondition(condition: .onQueue(queue))
      fill()
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
      dispatchPrecondition(condition: .onQueue(queue))
      fill()
    }
  }

  /// Connects to the first device with the service, and takes down what it is sent.
  private final class Reader: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    static let wanted: UInt8 = 100

    private let queue = DispatchQueue(label: "client")
    private let options: [String: Any]
    private let tell: @Sendable (String) -> Void
    private lazy var manager = CBCentralManager(delegate: self, queue: queue, options: options)
    private var device: CBPeripheral?
    private var count = 0

    init(options: [String: Any], tell: @escaping @Sendable (String) -> Void) {
      self.options = options
      self.tell = tell
      super.init()
      _ = manager
    }

    private func note(_ line: String) {
      dispatchPrecondition(condition: .onQueue(queue))
      tell(line)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
      guard central.state == .poweredOn else { return }
      note("on")
      central.scanForPeripherals(withServices: [CBUUID(string: "FFF0")])
    }

    func centralManager(
      _ central: CBCentralManager,
      didDiscover peripheral: CBPeripheral,
      advertisementData: [String: Any],
      rssi RSSI: NSNumber
    ) {
      guard device == nil else { return }
      note("heard")
      device = peripheral
      peripheral.delegate = self
      central.stopScan()
      central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
      note("connected")
      peripheral.discoverServices([CBUUID(string: "FFF0")])
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
      note("services")
      for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
      note("characteristics")
      for characteristic in service.characteristics ?? [] { peripheral.setNotifyValue(true, for: characteristic) }
    }

    func peripheral(
      _ peripheral: CBPeripheral,
      didUpdateNotificationStateFor characteristic: CBCharacteristic,
      error: (any Error)?
    ) {
      note("notifying")
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
      note("value \(characteristic.value?.first ?? 0)")
      count += 1
      if count == Reader.wanted { manager.cancelPeripheralConnection(peripheral) }
    }

    func centralManager(
      _ central: CBCentralManager,
      didDisconnectPeripheral peripheral: CBPeripheral,
      error: (any Error)?
    ) {
      note("disconnected")
    }
  }
#endif
