#if os(Linux)
  import CoreBluetooth
  import Foundation
  import RadioPort
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  @Suite("State restoration of a central manager", .reportsWorlds)
  struct CentralRestorationTests {
    /// Connects to the lamp, subscribes and scans; then the program is killed.
    private static func shelf(_ world: World) async throws -> Shelf {
      let shelf = try Shelf()
      let recorder = Recorder()
      let manager = CBCentralManager(delegate: recorder, queue: nil, options: shelf.options(world.radio))
      try await world.run(for: .seconds(1))
      #expect(shelf.names == [])
      manager.scanForPeripherals(withServices: nil)
      try await world.run(for: .seconds(2))
      let lamp = try #require(recorder.peripherals.first { $0.name == "Lamp" })
      lamp.delegate = recorder
      manager.connect(lamp)
      try await world.run(for: .seconds(2))
      lamp.discoverServices(nil)
      try await world.run(for: .seconds(2))
      for service in lamp.services ?? [] { lamp.discoverCharacteristics(nil, for: service) }
      try await world.run(for: .seconds(1))
      let value = lamp.services?.flatMap { $0.characteristics ?? [] }.first { $0.uuid.uuidString == "FFE2" }
      lamp.setNotifyValue(true, for: try #require(value))
      manager.scanForPeripherals(
        withServices: [CBUUID(string: "180D")],
        options: [CBCentralManagerScanOptionAllowDuplicatesKey: true]
      )
      try await world.run(for: .seconds(1))
      let left = try shelf.afterKill()
      manager.stopScan()
      manager.cancelPeripheralConnection(lamp)
      try await world.run(for: .seconds(2))
      // Nothing is left to go on with.
      #expect(shelf.names == [] && left.names.count == 1)
      return left
    }

    @Test("willRestoreState before didUpdateState: a scan goes on, a device is connected again and notifies again")
    func goesOn() async throws {
      try await World.simulated(seed: 1) { world in
        let lamp = world.add(CentralFlowTests.lamp)
        world.add(.heartRateBand(name: "Pulse"))
        let shelf = try await Self.shelf(world)
        let delegate = RestoredCentral()
        let manager = CBCentralManager(delegate: delegate, queue: nil, options: shelf.options(world.radio))
        #expect(delegate.events.isEmpty)
        try await world.run(for: .seconds(5))
        #expect(
          delegate.take() == ["restore in unknown", "state poweredOn", "connected Lamp", "notifying FFE2 true"]
        )
        let services = delegate.restored[CBCentralManagerRestoredStateScanServicesKey] as? [CBUUID]
        let options = delegate.restored[CBCentralManagerRestoredStateScanOptionsKey] as? [String: Any]
        #expect(services == [CBUUID(string: "180D")])
        #expect(options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? Bool == true)
        #expect(delegate.wasScanning && manager.isScanning)
        #expect(delegate.statesThen == [.connecting] && delegate.notifyingThen == ["FFE2"])
        #expect(delegate.heard.count > 3 && Set(delegate.heard) == ["Pulse"])
        try lamp.notify([5], of: "FFE2")
        try await world.run(for: .seconds(1))
        #expect(delegate.values == [Data([5])])
        // The objects that were restored are those that a discovery finds.
        let peripheral = try #require(delegate.peripherals.first)
        let before = try #require(peripheral.services?.first)
        peripheral.discoverServices(nil)
        try await world.run(for: .seconds(1))
        #expect(peripheral.services?.contains { $0 === before } == true)
        manager.stopScan()
        try await world.run(for: .seconds(1))
      }
    }

    @Test("a device that was not there yet is still waited for")
    func pending() async throws {
      try await World.simulated(seed: 2) { world in
        let lamp = world.add(CentralFlowTests.lamp)
        let shelf = try Shelf()
        let bench = Recorder()
        var manager: CBCentralManager? = CBCentralManager(
          delegate: bench,
          queue: nil,
          options: shelf.options(world.radio)
        )
        try await manager?.look(around: world)
        lamp.moveOutOfRange()
        manager?.connect(try #require(bench.peripherals.first))
        try await world.run(for: .seconds(5))
        let left = try shelf.afterKill()
        manager = nil
        try await world.run(for: .seconds(1))
        // A manager that is let go in good order has nothing to go on with.
        #expect(shelf.names == [])
        let delegate = RestoredCentral()
        let restored = CBCentralManager(delegate: delegate, queue: nil, options: left.options(world.radio))
        try await world.run(for: .seconds(60))
        #expect(delegate.take() == ["restore in unknown", "state poweredOn"])
        #expect(delegate.restored.keys.sorted() == [CBCentralManagerRestoredStatePeripheralsKey])
        #expect(delegate.statesThen == [.connecting] && delegate.peripherals.first?.name == "Lamp")
        lamp.moveIntoRange()
        try await world.run(for: .seconds(10))
        #expect(delegate.take() == ["connected Lamp"])
        withExtendedLifetime(restored) {}
      }
    }

    @Test("where the radio is off the devices are disconnected and nothing is scanned for")
    func poweredOff() async throws {
      try await World.simulated(seed: 3) { world in
        world.add(CentralFlowTests.lamp)
        let shelf = try await Self.shelf(world)
        world.radioPower(false)
        try await world.run(for: .seconds(1))
        let delegate = RestoredCentral()
        let manager = CBCentralManager(delegate: delegate, queue: nil, options: shelf.options(world.radio))
        try await world.run(for: .seconds(1))
        #expect(delegate.take() == ["restore in unknown", "state poweredOff"])
        #expect(delegate.statesThen == [.disconnected] && !delegate.wasScanning)
        world.radioPower(true)
        try await world.run(for: .seconds(10))
        #expect(delegate.take() == ["state poweredOn"] && !manager.isScanning)
        manager.connect(try #require(delegate.peripherals.first))
        try await world.run(for: .seconds(5))
        #expect(delegate.take() == ["connected Lamp"])
      }
    }

    @Test("a device that has changed meanwhile shows its services anew")
    func changed() async throws {
      try await World.simulated(seed: 4) { world in
        world.add(CentralFlowTests.lamp)
        let shelf = try await Self.shelf(world)
        let name = try #require(shelf.names.first)
        let text = try String(contentsOf: shelf.file(name), encoding: .utf8)
        try text.replacingOccurrences(of: "\"FFE3\"", with: "\"FFE7\"")
          .write(to: shelf.file(name), atomically: true, encoding: .utf8)
        let delegate = RestoredCentral()
        let manager = CBCentralManager(delegate: delegate, queue: nil, options: shelf.options(world.radio))
        try await world.run(for: .seconds(5))
        #expect(delegate.take() == ["restore in unknown", "state poweredOn", "connected Lamp", "modified 1"])
        #expect(delegate.peripherals.first?.services == nil)
        withExtendedLifetime(manager) {}
      }
    }

    @Test("a device that the app does not keep is let go, and one that it gives up is not asked for again")
    func givenUp() async throws {
      try await World.simulated(seed: 5) { world in
        let lamp = world.add(CentralFlowTests.lamp)
        let shelf = try await Self.shelf(world)
        let recorder = Recorder()
        let manager = CBCentralManager(delegate: recorder, queue: nil, options: shelf.options(world.radio))
        try await world.run(for: .seconds(5))
        #expect(recorder.take() == ["state poweredOn"] && !lamp.isConnected)
        manager.stopScan()
        #expect(shelf.names == [])
      }
    }
  }
#endif
