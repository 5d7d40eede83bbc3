#if os(Linux)
  import BluetoothTypes
  import CoreBluetooth
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  @Suite("Scanning in Apple's API", .reportsWorlds)
  struct ScanTests {
    /// A device that says all that an advertisement can say.
    static let beacon = DeviceKind<VirtualDevice>.custom(name: "Sign") { sign in
      sign.advertisedServices = [ServiceID("180D")]
      sign.isConnectable = false
      sign.moreAdvertisingData = [
        .txPowerLevel(-4), .serviceData("FEAA", [1, 2, 3]), .serviceData("180F", [80]),
        .solicitedServiceUUIDs(["1805", "1806"]),
      ]
    }

    private func scan(
      _ world: World,
      _ services: [CBUUID]?,
      options: [String: Any]? = nil,
      for duration: Duration = .seconds(3)
    ) async throws -> (CBCentralManager, Recorder) {
      let recorder = Recorder()
      let manager = CBCentralManager(recorder, on: world.radio)
      try await world.run(for: .seconds(1))
      _ = recorder.take()
      manager.scanForPeripherals(withServices: services, options: options)
      try await world.run(for: duration)
      return (manager, recorder)
    }

    @Test("an advertisement has all keys that it can have, with Foundation's types; the strength is a number")
    func advertisement() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(Self.beacon)
        let (_, recorder) = try await scan(world, nil)
        let data = try #require(recorder.advertisements.last)
        #expect(data[CBAdvertisementDataLocalNameKey] as? String == "Sign")
        #expect(data[CBAdvertisementDataTxPowerLevelKey] as? NSNumber == -4)
        #expect(data[CBAdvertisementDataTxPowerLevelKey] as? Int == -4)
        #expect(data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == [CBUUID(string: "180D")])
        let services = try #require(data[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data])
        #expect(services == [CBUUID(string: "FEAA"): Data([1, 2, 3]), CBUUID(string: "180F"): Data([80])])
        let solicited = [CBUUID(string: "1805"), CBUUID(string: "1806")]
        #expect(data[CBAdvertisementDataSolicitedServiceUUIDsKey] as? [CBUUID] == solicited)
        #expect(data[CBAdvertisementDataIsConnectable] as? NSNumber == 0)
        #expect(data[CBAdvertisementDataIsConnectable] as? Bool == false)
        // What is not said has no key; what a device of Apple's hides in its own data can not be read by others.
        #expect(data[CBAdvertisementDataManufacturerDataKey] == nil)
        #expect(data[CBAdvertisementDataOverflowServiceUUIDsKey] == nil)
        let strength = try #require(recorder.strengths.last)
        #expect(strength.intValue < -20 && strength.intValue > -100)
      }
    }

    @Test("a company's data is whole, with its number in front")
    func manufacturerData() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(CentralFlowTests.lamp)
        let (_, recorder) = try await scan(world, [CBUUID(string: "FFE0")])
        let data = try #require(recorder.advertisements.last)
        #expect(data[CBAdvertisementDataManufacturerDataKey] as? Data == Data([0x4C, 0, 1, 2, 3]))
      }
    }

    @Test("each device is told once, or as often as it is heard where duplicates are allowed")
    func duplicates() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(Self.beacon)
        let (manager, recorder) = try await scan(world, nil)
        // The advertisement, and once more with what the scan response adds to it.
        #expect(recorder.take().count <= 2)
        for value: Any in [NSNumber(value: true), true] {
          manager.scanForPeripherals(
            withServices: nil,
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: value]
          )
          try await world.run(for: .seconds(3))
          #expect(recorder.take().count > 10)
        }
        // A scan that begins while another runs goes on in the new way, and tells of all devices anew.
        manager.scanForPeripherals(
          withServices: nil,
          options: [CBCentralManagerScanOptionAllowDuplicatesKey: false]
        )
        try await world.run(for: .seconds(3))
        #expect((1...2).contains(recorder.take().count))
        #expect(manager.isScanning)
        #expect(recorder.peripherals.count == 1)
      }
    }

    @Test("only devices with one of the services are told, or with one that they look for")
    func filters() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(Self.beacon)
        world.add(CentralFlowTests.lamp)
        world.add(.heartRateBand(name: "Pulse"))
        let (manager, recorder) = try await scan(world, [CBUUID(string: "FFE0"), CBUUID(string: "1234")])
        #expect(Set(recorder.take()) == ["heard Lamp"])
        // The 128-bit form is the same service.
        manager.scanForPeripherals(withServices: [CBUUID(string: "0000180D-0000-1000-8000-00805F9B34FB")])
        try await world.run(for: .seconds(3))
        #expect(Set(recorder.take()) == ["heard Sign", "heard Pulse"])
        manager.scanForPeripherals(
          withServices: [CBUUID(string: "FFE0")],
          options: [CBCentralManagerScanOptionSolicitedServiceUUIDsKey: [CBUUID(string: "1806")]]
        )
        try await world.run(for: .seconds(3))
        #expect(Set(recorder.take()) == ["heard Lamp", "heard Sign"])
        manager.scanForPeripherals(
          withServices: nil,
          options: [CBCentralManagerScanOptionSolicitedServiceUUIDsKey: [CBUUID(string: "1805")]]
        )
        try await world.run(for: .seconds(3))
        #expect(Set(recorder.take()) == ["heard Sign"])
      }
    }

    @Test("a scan that is stopped is silent; to stop none does no harm")
    func stop() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(Self.beacon)
        let (manager, recorder) = try await scan(
          world,
          nil,
          options: [CBCentralManagerScanOptionAllowDuplicatesKey: true]
        )
        #expect(manager.isScanning)
        #expect(!recorder.take().isEmpty)
        manager.stopScan()
        #expect(!manager.isScanning)
        try await world.run(for: .seconds(3))
        #expect(recorder.take().isEmpty)
        manager.stopScan()
        #expect(world.activity(of: world.radio) == ControllerActivity.none)
      }
    }

    @Test("two managers scan side by side on one radio, each for its own")
    func twoManagers() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(CentralFlowTests.lamp)
        world.add(.heartRateBand(name: "Pulse"))
        let (first, lamps) = try await scan(world, [CBUUID(string: "FFE0")])
        let (second, bands) = try await scan(world, [CBUUID(string: "180D")])
        #expect(Set(lamps.take()) == ["heard Lamp"])
        #expect(Set(bands.take()) == ["heard Pulse"])
        first.stopScan()
        #expect(second.isScanning)
        second.scanForPeripherals(withServices: nil)
        try await world.run(for: .seconds(3))
        #expect(Set(bands.take()) == ["heard Lamp", "heard Pulse"])
        #expect(lamps.take().isEmpty)
      }
    }

    @Test(
      "identifiers of public and static addresses are the same on every run, and name the device to another manager"
    )
    func identifiers() async throws {
      var identifiers: [[UUID]] = []
      for seed: UInt64 in [1, 2] {
        let found = try await World.simulated(seed: seed) { world -> [UUID] in
          for (number, kind) in [(0xC0_11_22_33_44_55, BluetoothAddress.Kind.random), (0x00_11_22_33_44_55, .public)] {
            world.add(
              .custom(name: "\(kind)") { device in device.address = BluetoothAddress(UInt64(number), kind) }
            )
          }
          let (_, recorder) = try await scan(world, nil)
          let peripherals = recorder.peripherals.sorted { ($0.name ?? "") < ($1.name ?? "") }
          // A manager that has heard nothing finds them by their names alone.
          let other = CBCentralManager(nil, on: world.radio)
          try await world.run(for: .seconds(1))
          let known = other.retrievePeripherals(withIdentifiers: peripherals.map(\.identifier) + [UUID()])
          #expect((known as [CBPeer]).map(\.identifier) == peripherals.map(\.identifier))
          #expect(known.allSatisfy { $0.state == .disconnected && $0.copy() as AnyObject === $0 })
          return peripherals.map(\.identifier)
        }
        identifiers.append(found)
      }
      #expect(identifiers[0].count == 2)
      #expect(identifiers[0] == identifiers[1])
    }
  }
#endif
