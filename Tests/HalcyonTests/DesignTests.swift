import Halcyon
import Testing
import VirtualRadio
import VirtualRadioTesting

// The first example of the design as it is printed there; the name is declared in the program as well as in the library.
extension Characteristic where Value == HeartRateMeasurement {
  static var heartRateMeasurement: Self { .init("2A37", in: .heartRate) }
}

@Suite("The examples of the design", .reportsWorlds)
struct DesignTests {
  @Test("LBT-02: one expression goes from nothing to a value, and the scan stops and the link ends with it")
  func chain() async throws {
    try await Scene.run { scene in
      let central = scene.central
      try await central.ready()
      await scene.radio.set { $0.held = [.connect] }
      let task = Task {
        // one expression from nothing to a value
        let location = try await central.scan(for: [.heartRate], timeout: .seconds(10))
          .filter { $0.name == "Pulse" }
          .connect(timeout: .seconds(10))  // takes the first, stops the scan
          .read(.bodySensorLocation)
        return location
      }
      try await scene.settle()
      await scene.radio.hear(Scene.other, "Lamp")
      #expect(await scene.radio.runningScans == 1)
      await scene.radio.hear(Scene.device, "Pulse")
      try await scene.settle()
      #expect(await scene.radio.runningScans == 0)
      #expect(await scene.radio.count(.connect(Scene.device)) == 1)
      await scene.radio.letGo(.connect)
      #expect(try await task.value == .chest)
      #expect(await scene.radio.openClaims == 0)
    }
  }

  @Test("LBT-02: a stream of typed values, from a discovery")
  func stream() async throws {
    try await Scene.run { scene in
      let central = scene.central
      let task = Task { () -> UInt16? in
        for try await discovery in central.scan() {
          let peripheral = try await central.connect(to: discovery)
          for try await beat in peripheral.values(of: .heartRateMeasurement) { return beat.beatsPerMinute }
        }
        return nil
      }
      try await scene.settle()
      await scene.radio.hear(Scene.device, "Pulse")
      try await scene.settle()
      await scene.radio.notify(Table.measurement, [0x00, 72])
      #expect(try await task.value == 72)
    }
  }

  @Test("LBT-02: a write returns the peripheral for the next step")
  func writeChain() async throws {
    try await Scene.run { scene in
      let level = try await scene.connected().write(.resetEnergyExpended, to: .heartRateControlPoint).read(
        .batteryLevel
      )
      #expect(level.percentage == 80)
      #expect(await scene.radio.count(.write(Table.control, [1])) == 1)
    }
  }

  @Test("A chain whose scan finds nothing says so, or throws what the scan throws")
  func nothingFound() async throws {
    try await Scene.run { scene in
      await expectError(.notFound) { try await scene.central.scan(duration: .seconds(1)).connect() }
      await expectError(.timedOut) {
        try await scene.central.scan(timeout: .seconds(1)).filter { _ in false }.connect()
      }
    }
  }

  @Test("A chain whose scan finds nothing says so in the language of its central, whatever stands between")
  func nothingFoundInChinese() async throws {
    try await Scene.run(configuration: Central.Configuration(language: .simplifiedChinese)) { scene in
      let plain = await bluetoothError { try await scene.central.scan(duration: .seconds(1)).connect() }
      let filtered = await bluetoothError {
        try await scene.central.scan(duration: .seconds(1)).filter { $0.name == "Pulse" }.dropFirst().connect()
      }
      for error in [plain, filtered] {
        #expect(error?.kind == .notFound)
        #expect(error?.message == error?.message(in: .simplifiedChinese))
      }
    }
  }

  @Test("A chain that is cancelled stops its scan and throws CancellationError")
  func cancelledChain() async throws {
    try await Scene.run { scene in
      let task = Task { try await scene.central.scan().filter { _ in false }.connect().read(.batteryLevel) }
      try await scene.settle()
      #expect(await scene.radio.runningScans == 1)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(await scene.radio.runningScans == 0)
    }
  }
}
