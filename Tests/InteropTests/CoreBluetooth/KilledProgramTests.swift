#if os(Linux)
  import CoreBluetooth
  import Dispatch
  import Foundation
  import SystemRadio
  import Testing

  /// Programs that use Apple's API on our air, in processes of their own.
  @Suite("State restoration after kill -9, on halcyon air", .timeLimit(.minutes(5)))
  struct KilledProgramTests {
    @Test("a second process goes on with the scan, the connection, the subscription, the services and the advertising")
    func survives() async throws {
      let air = try halcyon("air", "--listen", "127.0.0.1:0", "--devices", "demo", "--seed", "7")
      let result: Result<Void, any Error>
      do { result = .success(try await run(air)) } catch { result = .failure(error) }
      await air.end()
      try result.get()
    }

    private func run(_ air: ChildProcess) async throws {
      let port = try await air.line("air: listening at 127.0.0.1:")
      let directory = FileManager.default.temporaryDirectory.appendingPathComponent("halcyon-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: directory) }
      setenv("HALCYON_TEST_AIR", port, 1)
      setenv("HALCYON_TEST_STATE", directory.path, 1)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        let program = try Program(name: "restored")
        try await bounded("the first life", .seconds(120)) {
          for await event in program.events where program.take(event, isFirst: true) { break }
        }
        // Without a word to anybody.
        kill(getpid(), SIGKILL)
      }
      await #expect(processExitsWith: .success) {
        let program = try Program(name: "restored")
        try await bounded("the second life", .seconds(120)) {
          for await event in program.events where program.take(event, isFirst: false) { break }
        }
        #expect(program.order.prefix(2) == ["restore central", "central on"])
        #expect(!program.order.contains("advertising"))
        #expect(program.order.filter { $0.hasSuffix("server") } == ["restore server"])
        // The link was lost with the process, and is asked for again.
        #expect(program.restoredStates == [.connecting])
        exit(0)
      }
    }
  }

  /// The program that is killed: both roles on one radio, on the system's usual directory for state.
  // @unchecked: all but the stream of events, which is safe by itself, is used on the main queue or under the lock.
  final class Program: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, CBPeripheralManagerDelegate,
    @unchecked Sendable
  {
    let events: AsyncStream<String>
    private let source: AsyncStream<String>.Continuation
    private let lock = NSLock()
    private var seen: [String] = []
    private var states: [CBPeripheralState] = []
    private let queue = DispatchQueue(label: "program")
    private var central: CBCentralManager?
    private var server: CBPeripheralManager?
    private var device: CBPeripheral?

    var order: [String] { lock.withLock { seen } }
    var restoredStates: [CBPeripheralState] { lock.withLock { states } }

    /// - Parameter name: The restore identifier.
    init(name: String) throws {
      guard let port = getenv("HALCYON_TEST_AIR"), let state = getenv("HALCYON_TEST_STATE") else {
        throw TookTooLong(what: "a program without a port")
      }
      setenv("XDG_STATE_HOME", String(cString: state), 1)
      let radio = try SystemRadio.open("hci:tcp:127.0.0.1:\(String(cString: port))")
      (events, source) = AsyncStream.makeStream(of: String.self)
      super.init()
      let options: [String: Any] = [
        CBManagerOptionRadioKey: radio, CBCentralManagerOptionRestoreIdentifierKey: name,
      ]
      central = CBCentralManager(delegate: self, queue: queue, options: options)
      server = CBPeripheralManager(delegate: self, queue: queue, options: options)
    }

    private func tell(_ event: String) {
      lock.withLock { seen.append(event) }
      source.yield(event)
    }

    /// Whether all has happened that one life is for.
    func take(_ event: String, isFirst: Bool) -> Bool {
      let all: Set =
        isFirst ? ["value", "heard Thermo", "advertising"] : ["value", "heard Thermo", "restore server", "resumed"]
      return all.isSubset(of: Set(order))
    }

    // MARK: The central

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
      let devices = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
      device = devices.first
      device?.delegate = self
      lock.withLock { states = devices.map(\.state) }
      let services = dict[CBCentralManagerRestoredStateScanServicesKey] as? [CBUUID]
      tell(services == [CBUUID(string: "1809")] ? "restore central" : "restore nothing")
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
      guard central.state == .poweredOn else { return }
      tell("central on")
      if device == nil { central.scanForPeripherals(withServices: [CBUUID(string: "180D")]) }
    }

    func centralManager(
      _ central: CBCentralManager,
      didDiscover peripheral: CBPeripheral,
      advertisementData: [String: Any],
      rssi RSSI: NSNumber
    ) {
      tell("heard \(peripheral.name ?? "?")")
      guard device == nil else { return }
      device = peripheral
      peripheral.delegate = self
      central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
      tell("connected")
      if !order.contains("restore central") { peripheral.discoverServices([CBUUID(string: "180D")]) }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
      for service in peripheral.services ?? [] {
        peripheral.discoverCharacteristics([CBUUID(string: "2A37")], for: service)
      }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
      for characteristic in service.characteristics ?? [] { peripheral.setNotifyValue(true, for: characteristic) }
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
      guard error == nil, !order.contains("value") else { return }
      tell("value")
      // This is what a second life goes on with.
      if !order.contains("restore central") {
        central?.scanForPeripherals(
          withServices: [CBUUID(string: "1809")],
          options: [CBCentralManagerScanOptionAllowDuplicatesKey: true]
        )
      }
    }

    // MARK: The server

    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
      let services = dict[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService]
      tell(services?.map(\.uuid) == [CBUUID(string: "FFF0")] ? "restore server" : "restore no services")
      if peripheral.isAdvertising { tell("resumed") }
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
      guard peripheral.state == .poweredOn, !order.contains("restore server") else { return }
      let service = CBMutableService(type: CBUUID(string: "FFF0"), primary: true)
      service.characteristics = [
        CBMutableCharacteristic(
          type: CBUUID(string: "FFF1"),
          properties: .read,
          value: Data("kept".utf8),
          permissions: .readable
        )
      ]
      peripheral.add(service)
      peripheral.startAdvertising([CBAdvertisementDataLocalNameKey: "Kept"])
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
      if error == nil { tell("advertising") }
    }
  }
#endif
