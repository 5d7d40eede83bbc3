// readme: begin
import Halcyon
import Testing
import VirtualRadio
import VirtualRadioTesting

@testable import FirstLight
// readme: end

@Suite("LBT-18: an app's own tests, without hardware", .reportsWorlds)
struct OwnAppTests {
  // readme: begin
  @Test("the alarm comes after ten fast beats, and goes with a slow one", arguments: UInt64(1)...5)
  func alarm(seed: UInt64) async throws {
    try await World.simulated(seed: seed) { world in
      let band = world.add(.heartRateBand(name: "Pulse"))
      let monitor = PulseMonitor(limit: 150)
      let running = Task { try await monitor.run(central: Central(radio: world.radio)) }
      try await world.run(for: .seconds(30))
      #expect(await monitor.latest == band.lastMeasurement)
      #expect(await !monitor.isAlarmed)
      for _ in 1...15 {
        band.setBeatsPerMinute(180)
        try await world.run(for: .seconds(1))
      }
      #expect(await monitor.isAlarmed)
      band.setBeatsPerMinute(70)
      try await world.run(for: .seconds(5))
      #expect(await !monitor.isAlarmed)
      running.cancel()
    }
  }
  // readme: end

  // readme: begin
  @Test("an hour in a tunnel ends nothing")
  func tunnel() async throws {
    try await World.simulated(seed: 1) { world in
      let band = world.add(.heartRateBand(name: "Pulse"))
      let monitor = PulseMonitor(limit: 150)
      let running = Task { try await monitor.run(central: Central(radio: world.radio)) }
      try await world.run(for: .seconds(10))
      band.moveOutOfRange(for: .seconds(3600))
      try await world.run(for: .seconds(3700))  // takes some milliseconds
      #expect(await monitor.latest == band.lastMeasurement)
      #expect(band.isSubscribed)
      running.cancel()
    }
  }
  // readme: end

  // readme: begin
  @Test("a band that refuses to send says so")
  func refusal() async throws {
    try await World.simulated(seed: 1) { world in
      let band = world.add(.heartRateBand(name: "Pulse"))
      band.faults.add(.refuse(.subscriptions, with: .insufficientResources))
      let error = await #expect(throws: BluetoothError.self) {
        try await PulseMonitor(limit: 150).run(central: Central(radio: world.radio))
      }
      #expect(error?.kind == .att(.insufficientResources))
    }
  }
  // readme: end

  @Test("Bluetooth that is off is waited for, and then named")
  func powerOff() async throws {
    try await World.simulated(seed: 1) { world in
      world.radioPower(false)
      let error = await #expect(throws: BluetoothError.self) {
        try await PulseMonitor(limit: 150).run(central: Central(radio: world.radio))
      }
      #expect(error?.operation == .ready)
      #expect(error?.kind == .timedOut)
    }
  }

  @Test("the devices may come from a scene file")
  func scene() async throws {
    // readme: begin
    let scene = try Scene(
      """
      { "devices": [{ "name": "Pulse", "kind": "heartRateBand", "position": [3, 0] }] }
      """
    )
    try await World.simulated(seed: 1) { world in
      world.load(scene: scene)
      let monitor = PulseMonitor(limit: 150)
      let running = Task { try await monitor.run(central: Central(radio: world.radio)) }
      try await world.run(for: .seconds(10))
      #expect(await monitor.latest != nil)
      running.cancel()
    }
    // readme: end
  }
}
