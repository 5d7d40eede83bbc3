#if os(Linux)
  import CoreBluetooth
  import Foundation
  import RadioPort
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  @Suite("State restoration of a peripheral manager", .reportsWorlds)
  struct ServerRestorationTests {
    /// Publishes two services and advertises; then the program is killed.
    private static func shelf(_ world: World, _ radio: any Radio) async throws -> Shelf {
      let shelf = try Shelf()
      let delegate = Server()
      var manager: CBPeripheralManager? = CBPeripheralManager(
        delegate: delegate,
        queue: nil,
        options: shelf.options(radio)
      )
      try await world.run(for: .seconds(1))
      let inner = CBMutableService(type: CBUUID(string: "FFE0"), primary: false)
      let fixed = Stand.characteristic("FFE1", .read, .readable, value: "kept")
      fixed.descriptors = [
        CBMutableDescriptor(type: CBUUID(string: CBUUIDCharacteristicUserDescriptionString), value: "Text"),
        CBMutableDescriptor(
          type: CBUUID(string: CBUUIDCharacteristicFormatString),
          value: Data([4, 0, 0, 0x27, 1, 0, 0])
        ),
      ]
      inner.characteristics = [fixed]
      let outer = CBMutableService(type: CBUUID(string: "FFF0"), primary: true)
      outer.includedServices = [inner]
      outer.characteristics = [Stand.characteristic("FFF1", [.read, .notify], .readable)]
      manager?.add(inner)
      manager?.add(outer)
      manager?.startAdvertising([
        CBAdvertisementDataLocalNameKey: "Kept", CBAdvertisementDataServiceUUIDsKey: [outer.uuid],
      ])
      let early = try shelf.afterKill()
      try await world.run(for: .seconds(1))
      let left = try shelf.afterKill()
      // It is kept from the call on, not only from the answer.
      let contents = [early, left].map { shelf in shelf.names.map { try? Data(contentsOf: shelf.file($0)) } }
      #expect(contents[0] == contents[1] && contents[0].count == 1)
      manager = nil
      try await world.run(for: .seconds(1))
      #expect(shelf.names == [])
      return left
    }

    @Test("willRestoreState before didUpdateState: services are served and advertised again, without other calls")
    func goesOn() async throws {
      try await World.simulated(seed: 1) { world in
        let radio = world.makeRadio(name: "server")
        let shelf = try await Self.shelf(world, radio)
        let delegate = RestoredServer()
        let manager = CBPeripheralManager(delegate: delegate, queue: nil, options: shelf.options(radio))
        try await world.run(for: .seconds(2))
        #expect(delegate.take() == ["restore in unknown", "state poweredOn"])
        #expect(delegate.wasAdvertising && manager.isAdvertising)
        #expect(delegate.advertisement[CBAdvertisementDataLocalNameKey] as? String == "Kept")
        #expect(delegate.advertisement[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == [CBUUID(string: "FFF0")])
        #expect(delegate.services.map(\.uuid.uuidString) == ["FFE0", "FFF0"])
        #expect(delegate.services.map(\.isPrimary) == [false, true])
        #expect(delegate.services.last?.includedServices?.first === delegate.services.first)
        let ticker = try #require(delegate.services.last?.characteristics?.first as? CBMutableCharacteristic)
        #expect(ticker.properties == [.read, .notify] && ticker.permissions == .readable && ticker.value == nil)
        #expect(ticker.subscribedCentrals == [] && ticker.service === delegate.services.last)
        let fixed = try #require(delegate.services.first?.characteristics?.first as? CBMutableCharacteristic)
        #expect(fixed.value == Data("kept".utf8) && fixed.descriptors?.first?.value as? String == "Text")

        let bench = try await Bench(world, to: "Kept")
        bench.peripheral.discoverServices(nil)
        try await world.run(for: .seconds(2))
        let outer = try #require(bench.peripheral.services?.first { $0.uuid.uuidString == "FFF0" })
        bench.peripheral.discoverIncludedServices(nil, for: outer)
        bench.peripheral.discoverCharacteristics(nil, for: outer)
        try await world.run(for: .seconds(2))
        let inner = try #require(outer.includedServices?.first)
        bench.peripheral.discoverCharacteristics(nil, for: inner)
        try await world.run(for: .seconds(2))
        let found = try #require(inner.characteristics?.first)
        bench.peripheral.readValue(for: found)
        let dynamic = try #require(outer.characteristics?.first)
        bench.peripheral.readValue(for: dynamic)
        bench.peripheral.setNotifyValue(true, for: dynamic)
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.values == [Data("kept".utf8), Data("dynamic".utf8)])
        #expect(delegate.take() == ["subscribed FFF1"] && delegate.reads == 1)
        #expect(manager.updateValue(Data([7]), for: ticker, onSubscribedCentrals: nil))
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.values.last == Data([7]))
        // What was restored can be taken back, and then there is nothing more to go on with.
        let services = delegate.services
        for service in services.reversed() { manager.remove(service) }
        manager.stopAdvertising()
        try await world.run(for: .seconds(1))
        #expect(shelf.names == [])
      }
    }

    @Test("the app may start anew what goes on by itself; with the power off all waits for it")
    func startedAnew() async throws {
      try await World.simulated(seed: 2) { world in
        let radio = world.makeRadio(name: "server")
        let shelf = try await Self.shelf(world, radio)
        world.radioPower(false, of: radio)
        try await world.run(for: .seconds(1))
        let delegate = RestoredServer()
        let manager = CBPeripheralManager(delegate: delegate, queue: nil, options: shelf.options(radio))
        try await world.run(for: .seconds(1))
        #expect(delegate.take() == ["restore in unknown", "state poweredOff"] && !manager.isAdvertising)
        world.radioPower(true, of: radio)
        try await world.run(for: .seconds(2))
        #expect(delegate.take() == ["state poweredOn"] && manager.isAdvertising)
        let bench = try await Bench(world, to: "Kept")
        try await bench.discoverAll()
        #expect(bench.peripheral.services?.map(\.uuid.uuidString) == ["FFF0"])
        manager.startAdvertising([CBAdvertisementDataLocalNameKey: "Anew"])
        try await world.run(for: .seconds(1))
        #expect(delegate.take() == ["advertising"])
        _ = try await Bench(world, to: "Anew", on: world.makeRadio(name: "third"))
      }
    }
  }
#endif
