// readme: begin
import Halcyon
import Testing
import VirtualRadio
import VirtualRadioTesting

@Test(.reportsWorlds) func theStreamSurvivesARideThroughATunnel() async throws {
  try await World.simulated(seed: 1) { world in
    let device = world.add(.heartRateBand(name: "Pulse"))
    let central = Central(radio: world.radio)
    try await central.ready()
    let band = try await central.scan(for: [.heartRate]).connect()
    var beats = band.values(of: .heartRateMeasurement).makeAsyncIterator()
    #expect(try await beats.next() != nil)

    device.moveOutOfRange(for: .seconds(600))
    for await state in band.states where state.isDisconnected { break }
    try await central.connect(to: band, timeout: .never)  // waits until it is near again
    #expect(try await beats.next() != nil)
    #expect(world.now.sinceStart > .seconds(600))  // of virtual time: the test takes milliseconds
  }
}
// readme: end
