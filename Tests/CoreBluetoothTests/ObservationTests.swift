#if os(Linux)
  @testable import CoreBluetooth
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  @Suite("Observing properties", .reportsWorlds)
  struct ObservationTests {
    final class OwnManager: CBCentralManager {
      var isUsable: Bool { state == .poweredOn }
    }

    @Test(
      "state and isScanning tell of their changes, before the delegate is told, with old and new values"
    )
    func manager() async throws {
      try await World.simulated(seed: 1) { world in
        let recorder = Recorder()
        let manager = CBCentralManager(recorder, on: world.radio)
        var lines: [String] = []
        recorder.onEvent = { lines.append("delegate: \($0)") }
        let state = manager.observe(\.state, options: [.old, .new]) { manager, change in
          #expect(change.kind == .setting && change.indexes == nil && !change.isPrior)
          lines.append(
            "\(change.oldValue.map { "\($0)" } ?? "") to \(change.newValue.map { "\($0)" } ?? "")"
          )
        }
        let scanning = manager.observe(\.isScanning) { manager, change in
          #expect(change.oldValue == nil && change.newValue == nil)
          lines.append("scanning \(manager.isScanning)")
        }
        try await world.run(for: .seconds(1))
        manager.scanForPeripherals(withServices: nil)
        manager.stopScan()
        #expect(
          lines == [
            "unknown to poweredOn", "delegate: state poweredOn", "scanning true", "scanning false",
          ]
        )
        state.invalidate()
        world.radioPower(false)
        try await world.run(for: .seconds(1))
        #expect(!lines.contains("poweredOn to poweredOff"))
        withExtendedLifetime(scanning) {}
      }
    }

    @Test("options: the value at the beginning, and before each change")
    func options() async throws {
      try await World.simulated(seed: 1) { world in
        let manager = CBCentralManager(nil, on: world.radio)
        var lines: [String] = []
        let observation = manager.observe(\.state, options: [.initial, .new, .prior, .old]) {
          _,
          change in
          let values = [change.oldValue, change.newValue].map { $0.map { "\($0)" } ?? "-" }
          lines.append("\(change.isPrior ? "before " : "")\(values.joined(separator: " "))")
        }
        try await world.run(for: .seconds(1))
        #expect(lines == ["- unknown", "before unknown -", "unknown poweredOn"])
        withExtendedLifetime(observation) {}
      }
    }

    @Test("subclasses, and properties of the app's own that read one of these, can be observed")
    func own() async throws {
      try await World.simulated(seed: 1) { world in
        let manager = OwnManager(
          delegate: nil,
          queue: nil,
          options: [CBManagerOptionRadioKey: world.radio]
        )
        var values: [Bool] = []
        var states: [CBManagerState] = []
        let observations = [
          manager.observe(\.isUsable, options: .new) { values.append($1.newValue ?? false) },
          manager.observe(\.state) { manager, _ in states.append(manager.state) },
        ]
        try await world.run(for: .seconds(1))
        world.radioPower(false)
        try await world.run(for: .seconds(1))
        #expect(values == [true, false])
        #expect(states == [.poweredOn, .poweredOff])
        withExtendedLifetime(observations) {}
      }
    }

    @Test("devices and attributes tell of their changes; an observation that is released is over")
    func peripheral() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(CentralFlowTests.lamp)
        let bench = try await Bench(world, to: "Lamp")
        var lines: [String] = []
        let peripheral = bench.peripheral
        var observations = [
          peripheral.observe(\.state) { peripheral, _ in lines.append("\(peripheral.state)") },
          peripheral.observe(\.services) { peripheral, _ in
            lines.append("services \(peripheral.services?.count ?? 0)")
          },
        ]
        try await bench.discoverAll()
        let characteristic = try bench.characteristic("FFE2")
        observations += [
          characteristic.observe(\.isNotifying) { it, _ in
            lines.append("notifying \(it.isNotifying)")
          },
          characteristic.observe(\.value, options: .new) { _, change in
            lines.append("value \(change.newValue??.first ?? 0)")
          },
        ]
        peripheral.setNotifyValue(true, for: characteristic)
        try await world.run(for: .seconds(1))
        // The same value twice is two changes.
        for _ in 0..<2 { try device.notify([7], of: "FFE2") }
        try await world.run(for: .seconds(1))
        bench.manager.cancelPeripheralConnection(peripheral)
        try await world.run(for: .seconds(1))
        #expect(
          lines == [
            "services 1", "notifying true", "value 7", "value 7", "disconnecting", "disconnected",
            "services 0",
            "notifying false",
          ]
        )
        lines = []
        observations = []
        bench.manager.connect(peripheral)
        #expect(lines.isEmpty)
      }
    }

    @Test(
      "isAdvertising tells when it changes, with the power and by itself too, and not of steps that do not show"
    )
    func advertising() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await PeripheralFlowTests.Site(world, on: world.radio)
        var lines: [String] = []
        let observation = site.manager.observe(\.isAdvertising, options: [.old, .new]) {
          manager,
          change in
          #expect(change.newValue == manager.isAdvertising)
          lines.append("\(change.oldValue ?? false) to \(change.newValue ?? false)")
        }
        #expect(site.manager.isAdvertising)
        let steps: [() -> Void] = [
          { world.radioPower(false) }, { world.radioPower(true) },
          { site.manager.stopAdvertising() },
          { site.manager.stopAdvertising() }, { site.manager.startAdvertising(nil) },
          // It is on the air already.
          { site.manager.startAdvertising(nil) },
        ]
        for step in steps {
          step()
          try await world.run(for: .seconds(1))
        }
        #expect(lines == ["true to false", "false to true", "true to false", "false to true"])
        withExtendedLifetime(observation) {}
      }
    }

    @Test(
      "a restored manager advertises, as an observer hears, before the app is told what was restored"
    )
    func restoredAdvertising() async throws {
      try await World.simulated(seed: 1) { world in
        let shelf = try Shelf()
        let options = shelf.options(world.radio)
        var manager: CBPeripheralManager? = CBPeripheralManager(
          delegate: nil,
          queue: nil,
          options: options
        )
        try await world.run(for: .seconds(1))
        manager?.startAdvertising([CBAdvertisementDataLocalNameKey: "Site"])
        try await world.run(for: .seconds(1))
        let left = try shelf.afterKill()
        manager = nil
        let delegate = RestoredServer()
        let restored = CBPeripheralManager(
          delegate: delegate,
          queue: nil,
          options: left.options(world.radio)
        )
        var lines: [String] = []
        let observation = restored.observe(\.isAdvertising) { manager, _ in
          lines.append("\(manager.isAdvertising) \(delegate.take())")
        }
        try await world.run(for: .seconds(2))
        #expect(lines == ["true []"])
        #expect(delegate.take() == ["restore in unknown", "state poweredOn"])
        withExtendedLifetime(observation) {}
      }
    }

    @Test(
      "what is published tells of its subscribers, and of what the app sets; a central of the length of its values"
    )
    func published() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await PeripheralFlowTests.Site(world)
        var lines: [String] = []
        var observations = [
          site.ticker.observe(\.subscribedCentrals) { it, _ in
            lines.append("\(it.subscribedCentrals?.count ?? -1)")
          }
        ]
        let bench = try await Bench(world, to: "Site")
        try await bench.discoverAll()
        bench.peripheral.setNotifyValue(true, for: try bench.characteristic("FFF1"))
        try await world.run(for: .seconds(1))
        let central = try #require(site.ticker.subscribedCentrals?.first)
        observations.append(
          central.observe(\.maximumUpdateValueLength) { it, _ in
            lines.append("length \(it.maximumUpdateValueLength)")
          }
        )
        for mtu in [185, 185, 23] { central.set(central.link, mtu: mtu) }
        bench.manager.cancelPeripheralConnection(bench.peripheral)
        try await world.run(for: .seconds(1))
        #expect(lines == ["1", "length 182", "length 20", "0"])

        lines = []
        let (note, service) = (
          site.note, CBMutableService(type: CBUUID(string: "FFD0"), primary: true)
        )
        observations += [
          note.observe(\.value) { _, _ in lines.append("value") },
          note.observe(\.properties) { _, _ in lines.append("properties") },
          note.observe(\.permissions) { _, _ in lines.append("permissions") },
          note.observe(\.descriptors) { _, _ in lines.append("descriptors") },
          service.observe(\.characteristics) { _, _ in lines.append("characteristics") },
          service.observe(\.includedServices) { _, _ in lines.append("included") },
        ]
        note.value = Data([1])
        note.properties = .read
        note.permissions = .readable
        note.descriptors = nil
        service.characteristics = []
        service.includedServices = []
        #expect(
          lines == [
            "value", "properties", "permissions", "descriptors", "characteristics", "included",
          ]
        )
        withExtendedLifetime(observations) {}
      }
    }

    @Test("what is discovered, measured and sent is observed where it shows")
    func discovered() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(CentralFlowTests.lamp)
        let bench = try await Bench(world, to: "Lamp")
        let peripheral = bench.peripheral
        var lines: [String] = []
        peripheral.discoverServices(nil)
        try await world.run(for: .seconds(3))
        let service = try #require(peripheral.services?.first)
        var observations = [
          service.observe(\.characteristics) { it, _ in
            lines.append("characteristics \(it.characteristics?.count ?? 0)")
          },
          service.observe(\.includedServices) { it, _ in
            lines.append("included \(it.includedServices?.count ?? 0)")
          },
        ]
        peripheral.discoverCharacteristics(nil, for: service)
        peripheral.discoverIncludedServices(nil, for: service)
        try await world.run(for: .seconds(1))
        let brightness = try bench.characteristic("FFE1")
        observations.append(
          brightness.observe(\.descriptors) { it, _ in
            lines.append("descriptors \(it.descriptors?.count ?? 0)")
          }
        )
        peripheral.discoverDescriptors(for: brightness)
        try await world.run(for: .seconds(1))
        let text = try #require(brightness.descriptors?.first)
        observations.append(
          text.observe(\.value) { it, _ in lines.append("\(it.value ?? "nothing")") }
        )
        peripheral.readValue(for: text)
        try await world.run(for: .seconds(1))
        #expect(lines == ["characteristics 4", "included 1", "descriptors 2", "Brightness"])

        lines = []
        observations.append(
          peripheral.observe(\.canSendWriteWithoutResponse) { it, _ in
            lines.append("\(it.canSendWriteWithoutResponse)")
          }
        )
        let target = try bench.characteristic("FFE3")
        for number in 0..<UInt8(CBPeripheral.writeRoom) {
          peripheral.writeValue(Data([number]), for: target, type: .withoutResponse)
        }
        #expect(lines.last == "false")
        try await world.run(for: .seconds(1))
        #expect(lines.last == "true")

        lines = []
        observations.append(
          peripheral.observe(\.formerStrength) { it, _ in
            lines.append("\(it.formerStrength != nil)")
          }
        )
        peripheral.readRSSI()
        try await world.run(for: .seconds(1))
        #expect(lines == ["true"])
        withExtendedLifetime(observations) {}
      }
    }

    @Test("what does not change can be observed in silence, and is named in the log")
    func silent() async throws {
      let listener = Misuse.Listener()
      try await World.simulated(seed: 1) { world in
        let manager = CBCentralManager(nil, on: world.radio)
        let observation = manager.observe(\.description) { _, _ in
          Issue.record("it does not change")
        }
        #expect(listener.messages.contains { $0.contains("the observation stays silent") })
        try await world.run(for: .seconds(1))
        withExtendedLifetime(observation) {}
      }
    }
  }
#endif
