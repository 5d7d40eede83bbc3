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

    @Test("state and isScanning tell of their changes, before the delegate is told, with old and new values")
    func manager() async throws {
      try await World.simulated(seed: 1) { world in
        let recorder = Recorder()
        let manager = CBCentralManager(delegate: recorder, queue: nil, options: [CBManagerOptionRadioKey: world.radio])
        var lines: [String] = []
        recorder.onEvent = { lines.append("delegate: \($0)") }
        let state = manager.observe(\.state, options: [.old, .new]) { manager, change in
          #expect(change.kind == .setting && change.indexes == nil && !change.isPrior)
          lines.append("\(change.oldValue.map { "\($0)" } ?? "") to \(change.newValue.map { "\($0)" } ?? "")")
        }
        let scanning = manager.observe(\.isScanning) { manager, change in
          #expect(change.oldValue == nil && change.newValue == nil)
          lines.append("scanning \(manager.isScanning)")
        }
        try await world.run(for: .seconds(1))
        manager.scanForPeripherals(withServices: nil)
        manager.stopScan()
        #expect(
          lines == ["unknown to poweredOn", "delegate: state poweredOn", "scanning true", "scanning false"]
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
        let manager = CBCentralManager(delegate: nil, queue: nil, options: [CBManagerOptionRadioKey: world.radio])
        var lines: [String] = []
        let observation = manager.observe(\.state, options: [.initial, .new, .prior, .old]) { _, change in
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
        let manager = OwnManager(delegate: nil, queue: nil, options: [CBManagerOptionRadioKey: world.radio])
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
          peripheral.observe(\.services) { peripheral, _ in lines.append("services \(peripheral.services?.count ?? 0)")
          },
        ]
        try await bench.discoverAll()
        let characteristic = try bench.characteristic("FFE2")
        observations += [
          characteristic.observe(\.isNotifying) { it, _ in lines.append("notifying \(it.isNotifying)") },
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
            "services 1", "notifying true", "value 7", "value 7", "disconnecting", "disconnected", "services 0",
            "notifying false",
          ]
        )
        lines = []
        observations = []
        bench.manager.connect(peripheral)
        #expect(lines.isEmpty)
      }
    }

    @Test("what does not change can be observed in silence, and is named in the log")
    func silent() async throws {
      let listener = Misuse.Listener()
      try await World.simulated(seed: 1) { world in
        let manager = CBCentralManager(delegate: nil, queue: nil, options: [CBManagerOptionRadioKey: world.radio])
        let observation = manager.observe(\.description) { _, _ in Issue.record("it does not change") }
        #expect(listener.messages.contains { $0.contains("the observation stays silent") })
        try await world.run(for: .seconds(1))
        withExtendedLifetime(observation) {}
      }
    }
  }
#endif
