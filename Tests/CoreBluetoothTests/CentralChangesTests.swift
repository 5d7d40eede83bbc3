#if os(Linux)
  import BluetoothTypes
  @testable import CoreBluetooth
  import RadioPort
  import Synchronization
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  @Suite("The central flow in Apple's API: what changes meanwhile", .reportsWorlds)
  struct CentralChangesTests {
    @Test("TUT-02: each power of a radio is the state of the same name", arguments: RadioState.Power.allCases)
    func states(power: RadioState.Power) {
      let states: [RadioState.Power: (CBManagerState, Int)] = [
        .unknown: (.unknown, 0), .resetting: (.resetting, 1), .unsupported: (.unsupported, 2),
        .unauthorized: (.unauthorized, 3), .poweredOff: (.poweredOff, 4), .poweredOn: (.poweredOn, 5),
      ]
      let state = CBManagerState(RadioState(power))
      #expect(state == states[power]?.0)
      #expect(state.rawValue == states[power]?.1)
    }

    @Test("F39: another manager's object of the same device leaves the first one its delegate, its values and its link")
    func twoManagers() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(CentralFlowTests.lamp)
        let first = try await Bench(world, to: "Lamp")
        try await first.discoverAll()
        let recorder = Recorder()
        let manager = CBCentralManager(recorder, on: world.radio)
        try await world.run(for: .seconds(1))
        let same = try #require(manager.retrievePeripherals(withIdentifiers: [first.peripheral.identifier]).first)
        #expect(same !== first.peripheral)
        same.delegate = recorder
        manager.connect(same)
        try await world.run(for: .seconds(1))
        #expect(same.state == .connected)
        same.discoverServices(nil)
        try await world.run(for: .seconds(1))
        let service = try #require(same.services?.first)
        same.discoverCharacteristics(nil, for: service)
        try await world.run(for: .seconds(1))
        let other = try #require(service.characteristics?.first { $0.uuid.uuidString == "FFE2" })
        first.peripheral.setNotifyValue(true, for: try first.characteristic("FFE2"))
        same.setNotifyValue(true, for: other)
        try await world.run(for: .seconds(1))
        try device.notify([1], of: "FFE2")
        try await world.run(for: .seconds(1))
        manager.cancelPeripheralConnection(same)
        try await world.run(for: .seconds(1))
        #expect(first.peripheral.state == .connected)
        #expect(first.peripheral.delegate === first.recorder)
        try device.notify([2], of: "FFE2")
        try await world.run(for: .seconds(1))
        #expect(first.recorder.values == [Data([1]), Data([2])])
        #expect(recorder.values == [Data([1])])
      }
    }

    @Test("PLX-08: a descriptor is written and read back, and the strength of the link is measured")
    func descriptors() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(
          .custom(name: "Lamp") { lamp in
            lamp.services = [
              VirtualDevice.Service(
                ServiceID("FFE0"),
                characteristics: [
                  VirtualDevice.Characteristic(
                    "FFE1",
                    .read,
                    value: [7],
                    descriptors: [
                      VirtualDevice.Descriptor("FFD1", value: [1], permissions: [.read, .write]),
                      VirtualDevice.Descriptor("2904", value: [4, 0, 0, 0x27, 1, 0, 0]),
                    ]
                  )
                ]
              )
            ]
          }
        )
        let bench = try await Bench(world, to: "Lamp")
        try await bench.discoverAll()
        bench.peripheral.readRSSI()
        bench.peripheral.discoverDescriptors(for: try bench.characteristic("FFE1"))
        try await world.run(for: .seconds(1))
        #expect(Set(bench.recorder.take()) == ["rssi", #"descriptors ["FFD1", "2904"]"#])
        let descriptors = try #require(try bench.characteristic("FFE1").descriptors)
        bench.peripheral.writeValue(Data([2, 3]), for: descriptors[0])
        bench.peripheral.readValue(for: descriptors[0])
        bench.peripheral.writeValue(Data([1]), for: descriptors[1])
        try await world.run(for: .seconds(1))
        #expect(
          bench.recorder.take() == [
            "wrote descriptor FFD1", "descriptor FFD1 = 2 bytes", "wrote descriptor 2904 failed",
          ]
        )
        #expect(descriptors[0].value as? Data == Data([2, 3]))
        #expect((bench.recorder.errors.last as? CBATTError)?.code == .writeNotPermitted)
      }
    }

    @Test("F22: notifications that are switched on twice are answered twice, alike, and bring each value once")
    func twice() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(CentralFlowTests.lamp)
        let refuses = Mutex(true)
        device.onRequest { request in
          request.isSubscription && refuses.withLock { $0 } ? .error(ATTErrorCode(rawValue: 0x80)) : .normal
        }
        let bench = try await Bench(world, to: "Lamp")
        try await bench.discoverAll()
        let characteristic = try bench.characteristic("FFE2")
        for _ in 0..<2 { bench.peripheral.setNotifyValue(true, for: characteristic) }
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["notifying false failed", "notifying false failed"])
        refuses.withLock { $0 = false }
        for _ in 0..<2 { bench.peripheral.setNotifyValue(true, for: characteristic) }
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["notifying true", "notifying true"])
        try device.notify([5], of: "FFE2")
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["value FFE2"])
      }
    }

    @Test("F38: after the services have changed, notifications are asked for anew")
    func servicesChanged() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(CentralFlowTests.lamp)
        let subscriptions = Mutex(0)
        let bench = try await Bench(world, to: "Lamp")
        try await bench.discoverAll()
        device.onRequest { request in
          if request.isSubscription { subscriptions.withLock { $0 += 1 } }
          return .normal
        }
        let before = try bench.characteristic("FFE2")
        bench.peripheral.setNotifyValue(true, for: before)
        try await world.run(for: .seconds(1))
        #expect(subscriptions.withLock { $0 } == 1)
        // Generic Access takes the handles 1 to 5; Service Changed comes first in Generic Attribute.
        device.sendRaw([0x1D, 8, 0, 1, 0, 0xFF, 0xFF])
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take().last == "modified 1")
        #expect(!before.isNotifying)
        try await bench.discoverAll()
        let after = try bench.characteristic("FFE2")
        #expect(after !== before)
        bench.peripheral.setNotifyValue(true, for: after)
        try await world.run(for: .seconds(1))
        #expect(subscriptions.withLock { $0 } >= 2)
        try device.notify([5], of: "FFE2")
        try await world.run(for: .seconds(1))
        #expect(after.value == Data([5]))
      }
    }

    @Test("a manager that is released while it connects leaves nothing behind")
    func releasedManager() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(CentralFlowTests.lamp)
        let recorder = Recorder()
        var manager: CBCentralManager? = CBCentralManager(recorder, on: world.radio)
        try await world.run(for: .seconds(1))
        manager?.scanForPeripherals(withServices: nil)
        try await world.run(for: .seconds(2))
        let peripheral = try #require(recorder.peripherals.first)
        device.moveOutOfRange()
        manager?.connect(peripheral)
        try await world.run(for: .seconds(1))
        _ = recorder.take()
        manager = nil
        #expect(peripheral.state == .disconnected)
        device.moveIntoRange()
        try await world.run(for: .seconds(10))
        #expect(!device.isConnected)
        #expect(recorder.take().isEmpty)
        #expect(world.activity(of: world.radio) == ControllerActivity.none)
      }
    }

    @Test("F09: power that goes in the middle ends what is under way once, and all can be begun anew")
    func powerInTheMiddle() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(CentralFlowTests.lamp)
        let bench = try await Bench(world, to: "Lamp")
        try await bench.discoverAll()
        bench.peripheral.readValue(for: try bench.characteristic("FFE1"))
        bench.peripheral.setNotifyValue(true, for: try bench.characteristic("FFE2"))
        bench.manager.scanForPeripherals(withServices: nil)
        try await world.settle()
        world.radioPower(false)
        try await world.run(for: .seconds(1))
        let events = bench.recorder.take()
        for event in [
          "state poweredOff", "value FFE1 failed", "notifying false failed", "disconnected disconnected failed",
        ] {
          #expect(events.filter { $0 == event }.count == 1, "\(event) in \(events)")
        }
        #expect(!bench.manager.isScanning)
        world.radioPower(true)
        try await world.run(for: .seconds(10))
        bench.manager.connect(bench.peripheral)
        try await world.run(for: .seconds(2))
        #expect(bench.recorder.take() == ["state poweredOn", "connected connected"])
        try await bench.discoverAll()
        bench.peripheral.readValue(for: try bench.characteristic("FFE1"))
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["value FFE1"])
      }
    }
  }
#endif
