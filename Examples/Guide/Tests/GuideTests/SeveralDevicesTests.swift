import Halcyon
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("The guide: several devices", .reportsWorlds)
struct SeveralDevicesTests {
  @Test("OK-23: seven devices at once, each with its own stream; one that leaves disturbs no other")
  func seven() async throws {
    try await World.simulated(seed: 1) { world in
      for number in 1...7 { world.add(.heartRateBand(name: "Pulse \(number)")) }
      let central = Central(radio: world.radio)
      try await central.ready()
      let total = Total()
      // readme: begin
      try await withThrowingTaskGroup { group in
        for try await discovery in central.scan(for: [.heartRate], limit: 7) {
          group.addTask {
            let band = try await central.connect(to: discovery)
            for try await beat in band.values(of: .heartRateMeasurement).prefix(10) {
              print(band.name ?? "NONAME", beat.beatsPerMinute)
              await total.add()  // readme: leave out
            }
            await band.disconnect()
          }
        }
        try await group.waitForAll()
      }
      // readme: end
      #expect(await total.count == 70)
    }
  }
}

private actor Total {
  private(set) var count = 0

  func add() { count += 1 }
}
