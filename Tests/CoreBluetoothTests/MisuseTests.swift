#if os(Linux)
  import BluetoothTypes
  @testable import CoreBluetooth
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  /// Mistakes do nothing, and the log says so. Each message names the object, so that those of other tests do not count.
  @Suite("What is said of mistakes", .reportsWorlds)
  struct MisuseTests {
    private let listener = Misuse.Listener()

    private func count(_ text: String) -> Int {
      listener.messages.filter { $0.contains(text) }.count
    }

    @Test("each command to a peripheral manager without power")
    func withoutPower() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await PeripheralFlowTests.Site(world, on: world.radio)
        let bench = try await Bench(world, to: "Site", on: world.makeRadio(name: "central"))
        try await bench.discoverAll()
        bench.peripheral.setNotifyValue(true, for: try bench.characteristic("FFF1"))
        try await world.run(for: .seconds(1))
        let central = try #require(site.ticker.subscribedCentrals?.first)
        world.radioPower(false)
        try await world.run(for: .seconds(1))
        _ = site.delegate.take()
        let manager = site.manager
        let commands: [() -> Void] = [
          { manager.add(CBMutableService(type: CBUUID(string: "FFD0"), primary: true)) },
          { manager.remove(site.services[0]) },
          { manager.removeAllServices() },
          { manager.startAdvertising(nil) },
          { manager.stopAdvertising() },
          { #expect(!manager.updateValue(Data([1]), for: site.ticker, onSubscribedCentrals: nil)) },
          { manager.setDesiredConnectionLatency(.low, for: central) },
          { manager.publishL2CAPChannel(withEncryption: false) },
          { manager.unpublishL2CAPChannel(0x80) },
        ]
        for (number, command) in commands.enumerated() {
          command()
          #expect(count("API MISUSE: \(manager) can only accept this command") == number + 1)
        }
        try await world.run(for: .seconds(1))
        #expect(site.delegate.take().isEmpty)
      }
    }

    @Test(
      "answers that are given twice or by another manager, and requests that are let go without one"
    )
    func answers() async throws {
      try await World.simulated(seed: 2) { world in
        let site = try await PeripheralFlowTests.Site(world)
        let other = CBPeripheralManager(nil, on: world.radio)
        let bench = try await Bench(world, to: "Site")
        try await bench.discoverAll()
        site.delegate.holdsReads = true
        bench.peripheral.readValue(for: try bench.characteristic("FFF2"))
        try await world.run(for: .seconds(1))
        let request = try #require(site.delegate.requests.last?.first)
        other.respond(to: request, withResult: .success)
        #expect(
          count(
            "API MISUSE: \(other) was told to answer \(request), which another manager was asked"
          )
            == 1
        )
        #expect(bench.recorder.take().isEmpty)
        request.value = Data([1])
        for _ in 0..<2 { site.manager.respond(to: request, withResult: .success) }
        #expect(count("API MISUSE: \(request) was answered before") == 1)
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["value FFF2"] && bench.recorder.values == [Data([1])])

        site.delegate.forgetsReads = true
        bench.peripheral.readValue(for: try bench.characteristic("FFF2"))
        try await world.run(for: .seconds(1))
        #expect(count("API MISUSE: A request was released without respond") >= 1)
        #expect(bench.recorder.take() == ["value FFF2 failed"])
      }
    }

    @Test("what was not added is neither removed nor sent")
    func notAdded() async throws {
      try await World.simulated(seed: 3) { world in
        let site = try await PeripheralFlowTests.Site(world)
        let stranger = CBMutableService(type: CBUUID(string: "FFD0"), primary: true)
        let value = CBMutableCharacteristic(
          type: CBUUID(string: "FFD1"),
          properties: .notify,
          value: nil,
          permissions: .readable
        )
        site.manager.remove(stranger)
        #expect(
          count("API MISUSE: \(site.manager) was told to remove \(stranger), which was not added")
            == 1
        )
        #expect(!site.manager.updateValue(Data([1]), for: value, onSubscribedCentrals: nil))
        #expect(count("API MISUSE: \(value) is not published by \(site.manager)") == 1)
      }
    }

    @Test(
      "advertisements with keys that are not allowed, and with values of other types, are made without them"
    )
    func advertisements() async throws {
      try await World.simulated(seed: 4) { world in
        let delegate = Server()
        let manager = CBPeripheralManager(delegate, on: world.radio)
        try await world.run(for: .seconds(1))
        manager.startAdvertising([
          CBAdvertisementDataLocalNameKey: 5,
          CBAdvertisementDataTxPowerLevelKey: NSNumber(value: 3),
          CBAdvertisementDataServiceUUIDsKey: "FFE0",
        ])
        #expect(
          count("WARNING: The advertisement key 'kCBAdvDataTxPowerLevel' is not allowed") >= 1
        )
        #expect(
          count("The advertisement key 'kCBAdvDataLocalName' takes String, not Int, and is ignored")
            >= 1
        )
        #expect(
          count("The advertisement key 'kCBAdvDataServiceUUIDs' takes Array<CBUUID>, not String")
            >= 1
        )
        try await world.run(for: .seconds(1))
        #expect(delegate.take() == ["state poweredOn", "advertising true"])
      }
    }

    @Test("properties that a characteristic here can not have are left out")
    func properties() async throws {
      try await World.simulated(seed: 5) { world in
        let delegate = Server()
        let manager = CBPeripheralManager(delegate, on: world.radio)
        try await world.run(for: .seconds(1))
        for property in [CBCharacteristicProperties.broadcast, .extendedProperties] {
          let service = CBMutableService(type: CBUUID(string: "FFD0"), primary: true)
          let value = CBMutableCharacteristic(
            type: CBUUID(string: "FFD1"),
            properties: [.read, property],
            value: nil,
            permissions: .readable
          )
          service.characteristics = [value]
          manager.add(service)
          #expect(count("so these are left out: \(value)") == 1)
        }
        try await world.run(for: .seconds(1))
        #expect(delegate.take() == ["state poweredOn", "added FFD0", "added FFD0"])
      }
    }

    @Test("a device whose object is let go while it is being connected, or is connected")
    func unusedObjects() async throws {
      try await World.simulated(seed: 6) { world in
        let device = world.add(CentralFlowTests.lamp)
        let bench = try await Bench(world, to: "Lamp")
        let identifier = bench.peripheral.identifier
        let message = "Cancelling connection for unused peripheral \(PeerID(identifier))"
        bench.manager.cancelPeripheralConnection(bench.peripheral)
        try await world.run(for: .seconds(1))
        let other = CBCentralManager(nil, on: world.radio)
        try await world.run(for: .seconds(1))
        // Given up in good order, it is not spoken of.
        do {
          let given = try #require(other.retrievePeripherals(withIdentifiers: [identifier]).first)
          other.connect(given)
          other.cancelPeripheralConnection(given)
        }
        try await world.run(for: .seconds(1))
        #expect(count(message) == 0)
        other.connect(try #require(other.retrievePeripherals(withIdentifiers: [identifier]).first))
        try await world.run(for: .seconds(5))
        #expect(count(message) == 1)
        #expect(!device.isConnected)
      }
    }

    @Test("a read and a write on a channel that would have to wait where the radio runs")
    func waitingStreams() async throws {
      try await World.simulated(seed: 7) { world in
        let bench = try await ChannelBench.connected(world)
        let (channel, _) = try await bench.open()
        channel.inputStream.open()
        channel.outputStream.open()
        try await world.settle()
        let before = (
          count("A read that has to wait would stop"), count("A write that has to wait would stop")
        )
        var byte: UInt8 = 0
        #expect(channel.inputStream.read(&byte, maxLength: 1) == -1)
        #expect(count("A read that has to wait would stop") > before.0)
        let part = [UInt8](repeating: 1, count: 4096)
        while channel.outputStream.hasSpaceAvailable {
          #expect(channel.outputStream.write(part, maxLength: part.count) > 0)
        }
        #expect(channel.outputStream.write(part, maxLength: part.count) == -1)
        #expect(count("A write that has to wait would stop") > before.1)
      }
    }
  }
#endif
