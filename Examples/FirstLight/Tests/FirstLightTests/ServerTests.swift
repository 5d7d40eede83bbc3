import Halcyon
import Testing
import VirtualRadio
import VirtualRadioTesting

@Test(.reportsWorlds) func aServerIsFoundReadAndListenedTo() async throws {
  try await World.simulated(seed: 1) { world in
    // readme: begin
    let server = PeripheralServer(advertising: .init(name: "Pulse", services: [.heartRate]), radio: world.radio) {
      Service(.heartRate) {
        Readable(.bodySensorLocation, value: .chest)
        Notifying(.heartRateMeasurement) { subscriber in  // runs for each central that listens, until it leaves
          for beat in 0... {
            try await subscriber.send(HeartRateMeasurement(beatsPerMinute: UInt16(60 + beat % 60)))
            try await world.clock.sleep(for: .seconds(1))
          }
        }
      }
    }
    try await server.start()
    // readme: end
    let central = Central(radio: world.makeRadio())
    try await central.ready()
    let peripheral = try await central.scan(for: [.heartRate]).connect()
    #expect(try await peripheral.read(.bodySensorLocation) == .chest)
    var beats: [UInt16] = []
    for try await beat in peripheral.values(of: .heartRateMeasurement).prefix(3) { beats.append(beat.beatsPerMinute) }
    #expect(beats == [60, 61, 62])
    await server.stop()
  }
}
