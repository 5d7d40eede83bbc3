import Halcyon
import Testing
import VirtualRadio
import VirtualRadioTesting

@Test(.reportsWorlds) func whatIsSentOverAChannelComesBack() async throws {
  try await World.simulated(seed: 1) { world in
    world.add(
      .custom(name: "Echo") { device in
        device.advertisedServices = ["FFF0"]
        device.channels = [.echo(0x0080)]
      }
    )
    let central = Central(radio: world.radio)
    try await central.ready()
    let peripheral = try await central.scan(for: ["FFF0"]).connect()
    // readme: begin
    let channel = try await peripheral.openChannel(psm: 0x0080)
    try await channel.send(Array("hello".utf8))
    let reply = try await channel.receive()  // or: for try await message in channel { … }
    // readme: end
    #expect(reply == Array("hello".utf8))
    await channel.close()
  }
}
