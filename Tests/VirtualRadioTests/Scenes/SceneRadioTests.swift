import BluetoothTypes
import RadioPort
import Testing
import VirtualRadioTesting

@testable import VirtualRadio

@Suite("Radios of scenes", .reportsWorlds)
struct SceneRadioTests {
  @Test("the faults of a radio begin when it comes, under its name or that of all programs, and go with it")
  func programs() async throws {
    let scene = try Scene(
      """
      { "radios": [
        { "name": "program", "faults": [{ "stopAdvertising": true }] },
        { "name": "program 2", "faults": [{ "losePackets": 0.5 }, { "outOfRange": true, "at": 5 }] },
        { "name": "radio", "faults": [{ "powerOff": true, "at": 3, "for": 2 }] } ] }
      """
    )
    try await World.simulated(seed: 1) { world in
      func attach(_ number: UInt64) -> VirtualChannel {
        let channel = world.space.addController(
          ControllerConfiguration(address: BluetoothAddress(0xC0DE_0000_0000 + number, .public)),
          name: "program \(number)"
        )
        world.radioCame("program \(number)", channel.controller)
        return channel
      }
      // One is there before the scene, as is the world's own radio.
      let first = attach(1)
      let radio = world.mainRadio
      try await world.run(for: .seconds(1))
      world.load(scene: scene)
      let second = attach(2)
      #expect(world.faults(of: first).history.map(\.fault) == ["stop advertising"])
      #expect(world.faults(of: second).history.map(\.fault) == ["stop advertising", "lose 0.5 of the packets"])
      try await world.run(for: .seconds(6))
      #expect(world.faults(of: second).history.count == 3)
      #expect(world.faults(of: radio)?.history.map { $0.time.sinceStart } == [.seconds(4)])
      // Who comes again begins anew, and nothing is kept of who has gone.
      for channel in [first, second] {
        world.space.removeController(channel.controller)
        world.radioLeft(channel.controller)
        #expect(world.faults(of: channel).history.isEmpty)
        #expect(world.faultBook.withLock { $0.open(of: channel.controller) }.isEmpty)
      }
      #expect(world.roster.withLock { $0.present.map(\.name) } == ["radio"])
      #expect(world.faults(of: attach(2)).history.count == 2)
    }
  }
}
