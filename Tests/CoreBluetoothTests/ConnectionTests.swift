#if os(Linux)
  import BluetoothTypes
  @testable import CoreBluetooth
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  @Suite("Connections in Apple's API", .reportsWorlds)
  struct ConnectionTests {
    /// Hears of disconnections with the moment, and of the connections of the whole program.
    final class Watcher: NSObject, CBCentralManagerDelegate {
      var events: [String] = []
      var peripherals: [CBPeripheral] = []
      var moments: [CFAbsoluteTime] = []
      var errors: [any Error] = []

      func take() -> [String] {
        defer { events = [] }
        return events
      }

      func centralManagerDidUpdateState(_ central: CBCentralManager) {}

      func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
      ) {
        if !peripherals.contains(peripheral) { peripherals.append(peripheral) }
      }

      func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        events.append("connected \(peripheral.state)")
      }

      func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
        if let error { errors.append(error) }
        events.append("failed \(peripheral.state)")
      }

      // Both are there: only the one with the moment is called.
      func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
      ) {
        events.append("disconnected without a moment")
      }

      func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime,
        isReconnecting: Bool,
        error: (any Error)?
      ) {
        moments.append(timestamp)
        if let error { errors.append(error) }
        events.append(
          "disconnected \(peripheral.state)\(isReconnecting ? " reconnecting" : "")\(error == nil ? "" : " failed")"
        )
      }

      func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral) {
        events.append("notifications of the system")
      }

      func centralManager(
        _ central: CBCentralManager,
        connectionEventDidOccur event: CBConnectionEvent,
        for peripheral: CBPeripheral
      ) {
        events.append("\(event) \(peripheral.identifier.uuidString.suffix(4))")
      }
    }

    /// A manager that has heard the devices of a world.
    private func manager(_ world: World, _ watcher: Watcher) async throws -> CBCentralManager {
      let manager = CBCentralManager(watcher, on: world.radio)
      try await manager.look(around: world)
      return manager
    }

    @Test("a connection is made and ended: didConnect, didDisconnect with the moment and without error")
    func connection() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(CentralFlowTests.lamp)
        let watcher = Watcher()
        let manager = try await manager(world, watcher)
        let peripheral = try #require(watcher.peripherals.first)
        #expect(peripheral.state == .disconnected)
        // The alerts are for apps that are suspended, the bridge is for classic profiles: neither is to be had here.
        manager.connect(
          peripheral,
          options: [
            CBConnectPeripheralOptionNotifyOnConnectionKey: true,
            CBConnectPeripheralOptionNotifyOnDisconnectionKey: NSNumber(value: true),
            CBConnectPeripheralOptionNotifyOnNotificationKey: true,
            CBConnectPeripheralOptionEnableTransportBridgingKey: true,
          ]
        )
        #expect(peripheral.state == .connecting)
        try await world.run(for: .seconds(2))
        #expect(watcher.take() == ["connected connected"])
        #expect(device.isConnected)
        // To connect what is connected is answered at once, over the same link.
        manager.connect(peripheral)
        try await world.settle()
        #expect(watcher.take() == ["connected connected"])
        #expect(device.connectionCount == 1)
        let before = world.now
        manager.cancelPeripheralConnection(peripheral)
        #expect(peripheral.state == .disconnecting)
        try await world.run(for: .seconds(2))
        #expect(watcher.take() == ["disconnected disconnected"])
        #expect(watcher.errors.isEmpty)
        let moment = try #require(watcher.moments.first)
        #expect(moment >= Double(before.nanoseconds) / 1e9)
        #expect(moment < Double(before.nanoseconds) / 1e9 + 2)
        #expect(!device.isConnected)
        // Nothing is left to cancel.
        manager.cancelPeripheralConnection(peripheral)
        try await world.run(for: .seconds(1))
        #expect(watcher.take().isEmpty)
      }
    }

    @Test("a connect with a start delay begins when that has passed, and can be given up before")
    func startDelay() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(CentralFlowTests.lamp)
        let watcher = Watcher()
        let manager = try await manager(world, watcher)
        let peripheral = try #require(watcher.peripherals.first)
        manager.connect(peripheral, options: [CBConnectPeripheralOptionStartDelayKey: NSNumber(value: 5)])
        try await world.run(for: .seconds(4.9))
        #expect(peripheral.state == .connecting)
        #expect(world.activity(of: world.radio) == ControllerActivity.none)
        try await world.run(for: .seconds(1))
        #expect(watcher.take() == ["connected connected"])
        manager.cancelPeripheralConnection(peripheral)
        try await world.run(for: .seconds(1))
        manager.connect(peripheral, options: [CBConnectPeripheralOptionStartDelayKey: 5])
        try await world.run(for: .seconds(1))
        manager.cancelPeripheralConnection(peripheral)
        try await world.run(for: .seconds(10))
        #expect(watcher.take() == ["disconnected disconnected", "disconnected disconnected"])
        #expect(!device.isConnected)
      }
    }

    @Test("a device that needs the system's notifications can not be connected: there are none")
    func notificationsOfTheSystem() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(CentralFlowTests.lamp)
        let watcher = Watcher()
        let manager = try await manager(world, watcher)
        let peripheral = try #require(watcher.peripherals.first)
        #expect(!peripheral.ancsAuthorized)
        manager.connect(peripheral, options: [CBConnectPeripheralOptionRequiresANCS: true])
        try await world.run(for: .seconds(2))
        #expect(watcher.take() == ["failed disconnected"])
        #expect((watcher.errors.first as? CBError)?.code == .operationNotSupported)
        manager.connect(peripheral, options: [CBConnectPeripheralOptionRequiresANCS: false])
        try await world.run(for: .seconds(2))
        // Nobody ever tells that it has changed.
        #expect(watcher.take() == ["connected connected"])
        #expect(!peripheral.ancsAuthorized)
      }
    }

    @Test("with auto-reconnect a lost connection comes back by itself, as often as it is lost, until it is cancelled")
    func autoReconnect() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(CentralFlowTests.lamp)
        let watcher = Watcher()
        let manager = try await manager(world, watcher)
        let peripheral = try #require(watcher.peripherals.first)
        manager.connect(peripheral, options: [CBConnectPeripheralOptionEnableAutoReconnect: true])
        try await world.run(for: .seconds(2))
        #expect(watcher.take() == ["connected connected"])
        for _ in 0..<2 {
          device.moveOutOfRange(for: .seconds(600))
          try await world.run(for: .seconds(60))
          #expect(watcher.take() == ["disconnected connecting reconnecting failed"])
          #expect((watcher.errors.last as? CBError)?.code == .connectionTimeout)
          #expect(peripheral.state == .connecting)
          #expect(peripheral.services == nil)
          try await world.run(for: .seconds(600))
          #expect(watcher.take() == ["connected connected"])
        }
        // Also where the device has ended it.
        device.disconnect()
        try await world.run(for: .seconds(5))
        #expect(watcher.take() == ["disconnected connecting reconnecting failed", "connected connected"])
        #expect((watcher.errors.last as? CBError)?.code == .peripheralDisconnected)
        manager.cancelPeripheralConnection(peripheral)
        try await world.run(for: .seconds(10))
        #expect(watcher.take() == ["disconnected disconnected"])
        #expect(!device.isConnected)
      }
    }

    @Test("auto-reconnect that is given up while the device is away ends at once; without power there is none")
    func autoReconnectEnds() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(CentralFlowTests.lamp)
        let watcher = Watcher()
        let manager = try await manager(world, watcher)
        let peripheral = try #require(watcher.peripherals.first)
        manager.connect(peripheral, options: [CBConnectPeripheralOptionEnableAutoReconnect: NSNumber(value: true)])
        try await world.run(for: .seconds(2))
        device.moveOutOfRange()
        try await world.run(for: .seconds(60))
        _ = watcher.take()
        manager.cancelPeripheralConnection(peripheral)
        try await world.settle()
        #expect(watcher.take() == ["disconnected disconnected"])
        device.moveIntoRange()
        try await world.run(for: .seconds(10))
        #expect(!device.isConnected)

        manager.connect(peripheral, options: [CBConnectPeripheralOptionEnableAutoReconnect: true])
        try await world.run(for: .seconds(2))
        _ = watcher.take()
        world.radioPower(false)
        try await world.run(for: .seconds(1))
        #expect(watcher.take() == ["disconnected disconnected failed"])
        world.radioPower(true)
        try await world.run(for: .seconds(10))
        #expect(!device.isConnected)
        #expect(watcher.take().isEmpty)
      }
    }

    @Test("didDisconnect with the moment calls the one without it where an app has only that")
    func formerDisconnect() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(CentralFlowTests.lamp)
        let bench = try await Bench(world, to: "Lamp")
        device.disconnect()
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["disconnected disconnected failed"])
        #expect((bench.recorder.errors.last as? CBError)?.code == .peripheralDisconnected)
      }
    }

    @Test("a connection that can not be made is told with an error")
    func failure() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(CentralFlowTests.lamp)
        let watcher = Watcher()
        let manager = try await manager(world, watcher)
        let peripheral = try #require(watcher.peripherals.first)
        manager.connect(peripheral)
        world.radioPower(false)
        try await world.run(for: .seconds(1))
        #expect(watcher.take() == ["failed disconnected"])
        #expect(watcher.errors.first is CBError)
      }
    }

    @Test("connected devices are found by their services, through whichever manager they are connected")
    func retrieveConnected() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(CentralFlowTests.lamp)
        world.add(.heartRateBand(name: "Pulse"))
        let bench = try await Bench(world, to: "Lamp")
        let lamps = [CBUUID(string: "0000FFE0-0000-1000-8000-00805F9B34FB"), CBUUID(string: "180D")]
        // Nobody knows yet what it has.
        #expect(bench.manager.retrieveConnectedPeripherals(withServices: lamps).isEmpty)
        try await bench.discoverAll()
        #expect(bench.manager.retrieveConnectedPeripherals(withServices: lamps).first === bench.peripheral)
        #expect(bench.manager.retrieveConnectedPeripherals(withServices: []).isEmpty)

        let other = CBCentralManager(nil, on: world.radio)
        try await world.run(for: .seconds(1))
        let same = try #require(other.retrieveConnectedPeripherals(withServices: lamps).first)
        #expect(same.identifier == bench.peripheral.identifier)
        #expect(same !== bench.peripheral)
        // It is connected to the system, not through this manager.
        #expect(same.state == .disconnected)
        other.connect(same)
        try await world.run(for: .seconds(1))
        #expect(same.state == .connected)
        // Each has its own claim: what one gives up the other keeps.
        bench.manager.cancelPeripheralConnection(bench.peripheral)
        try await world.run(for: .seconds(1))
        #expect(other.retrieveConnectedPeripherals(withServices: lamps).first === same)
        other.cancelPeripheralConnection(same)
        try await world.run(for: .seconds(1))
        #expect(other.retrieveConnectedPeripherals(withServices: lamps).isEmpty)
      }
    }

    @Test("connection events tell of matching devices, by their services or identifiers, whoever has connected them")
    func connectionEvents() async throws {
      try await World.simulated(seed: 1) { world in
        let lamp = world.add(CentralFlowTests.lamp)
        let bench = try await Bench(world, to: "Lamp")
        let name = bench.peripheral.identifier.uuidString.suffix(4)
        let watcher = Watcher()
        let other = CBCentralManager(watcher, on: world.radio)
        try await world.run(for: .seconds(1))
        other.registerForConnectionEvents(options: [.serviceUUIDs: [CBUUID(string: "FFE0")]])
        try await world.run(for: .seconds(1))
        #expect(watcher.take().isEmpty)
        try await bench.discoverAll()
        #expect(watcher.take() == ["peerConnected \(name)"])
        lamp.disconnect()
        try await world.run(for: .seconds(1))
        #expect(watcher.take() == ["peerDisconnected \(name)"])

        // By its identifier it is told at once; a new registration takes the place of the one before.
        other.registerForConnectionEvents(options: [.peripheralUUIDs: [bench.peripheral.identifier, UUID()]])
        bench.manager.connect(bench.peripheral)
        try await world.run(for: .seconds(2))
        #expect(watcher.take() == ["peerConnected \(name)"])
        // Who registers while it is connected hears of it too.
        other.registerForConnectionEvents(options: [.peripheralUUIDs: [bench.peripheral.identifier]])
        try await world.settle()
        #expect(watcher.take() == ["peerConnected \(name)"])

        // With nil there are none any more.
        other.registerForConnectionEvents(options: nil)
        bench.manager.cancelPeripheralConnection(bench.peripheral)
        try await world.run(for: .seconds(2))
        #expect(watcher.take().isEmpty)
      }
    }

    @Test("of more than four services the first four count, and the log says so")
    func manyServices() {
      let listener = Misuse.Listener()
      let filter = ConnectionEventFilter([
        .serviceUUIDs: ["1801", "1802", "1803", "1804", "1805"].map { CBUUID(string: $0) }
      ])
      #expect(filter.services.count == 4)
      #expect(listener.messages.contains { $0.contains("4 services at most") })
    }

    @Test("devices of other managers, and commands without power, are refused in the log")
    func misuse() async throws {
      let listener = Misuse.Listener()
      try await World.simulated(seed: 1) { world in
        world.add(CentralFlowTests.lamp)
        let bench = try await Bench(world, to: "Lamp")
        let watcher = Watcher()
        let other = CBCentralManager(watcher, on: world.radio)
        // Not powered on yet.
        other.registerForConnectionEvents()
        #expect(other.retrievePeripherals(withIdentifiers: [bench.peripheral.identifier]).isEmpty)
        #expect(other.retrieveConnectedPeripherals(withServices: [CBUUID(string: "FFE0")]).isEmpty)
        other.scanForPeripherals(withServices: nil)
        other.stopScan()
        let early = listener.messages.filter { $0.hasPrefix("API MISUSE: \(other) ") }
        #expect(early.count == 5)
        #expect(early.allSatisfy { $0.contains("can only accept this command while in the powered on state") })
        try await world.run(for: .seconds(1))
        other.connect(bench.peripheral)
        other.cancelPeripheralConnection(bench.peripheral)
        #expect(listener.messages.filter { $0.contains("\(other) was given") }.count == 2)
        try await world.run(for: .seconds(1))
        #expect(bench.peripheral.state == .connected)
        #expect(watcher.take().isEmpty)
      }
    }
  }
#endif
