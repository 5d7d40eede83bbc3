import Halcyon
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("The guide: reconnect", .reportsWorlds)
struct ReconnectTests {
  @Test("OK-23: a device that comes back is connected again by itself, and set up before anything else")
  func waiting() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.heartRateBand(name: "Pulse"))
      let central = Central(radio: world.radio)
      try await central.ready()
      let discovery = try await central.scan(for: [.heartRate], limit: 1).collect(1)[0]
      // readme: begin
      let band = try await central.connect(to: discovery, reconnect: .waiting) { band in
        try await band.write(.resetEnergyExpended, to: .heartRateControlPoint)
      }
      // readme: end
      var beats = band.values(of: .heartRateMeasurement).makeAsyncIterator()
      #expect(try await beats.next() != nil)
      device.moveOutOfRange(for: .seconds(600))
      let watcher = Task {
        // readme: begin
        for await state in band.states {
          switch state {
          case .ready: print("connected")
          case .reconnecting(let attempt): print("lost; attempt", attempt)
          case .disconnected(let error): print("ended:", error?.message ?? "by the app")
          default: break
          }
          if world.now.sinceStart > .seconds(600), state.isReady { break }  // readme: leave out
        }
        // readme: end
      }
      await watcher.value
      #expect(try await beats.next() != nil)
    }
  }

  @Test("OK-23: the app decides each time, with the error in hand")
  func decision() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.heartRateBand(name: "Pulse"))
      let central = Central(radio: world.radio)
      try await central.ready()
      let discovery = try await central.scan(for: [.heartRate], limit: 1).collect(1)[0]
      // readme: begin
      let band = try await central.connect(
        to: discovery,
        reconnect: .when { error, attempt in
          print(error.message)
          return attempt <= 3 ? .retry(after: .seconds(5)) : .giveUp
        }
      )
      // readme: end
      device.moveOutOfRange(for: .seconds(600))
      for await state in band.states where state.isDisconnected { break }
      #expect(band.state.error != nil)
    }
  }
}
