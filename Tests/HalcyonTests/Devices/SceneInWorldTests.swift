import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Scenes in worlds", .reportsWorlds)
struct SceneInWorldTests {
  @Test("what a scene describes is found, read, heard of, moves and goes wrong in time")
  func wholeStory() async throws {
    let scene = try VirtualRadio.Scene(
      """
      { "devices": [
        { "name": "Near", "kind": "lamp", "position": [1, 1] },
        { "name": "Door", "position": [3, 0],
          "movement": { "steps": [{ "pause": 300 }, { "to": [500, 0], "speed": 10 }, { "to": [3, 0], "speed": 10 }] },
          "advertising": { "services": ["E0E00000-0000-4000-8000-000000000001"] },
          "services": [{ "uuid": "E0E00000-0000-4000-8000-000000000001", "characteristics": [
            { "uuid": "E0E00001-0000-4000-8000-000000000001", "properties": ["read", "write", "notify"],
              "every": 1, "values": [[1], [2]] } ] }],
          "faults": [{ "refuse": { "kind": "read", "error": 2, "times": 1 }, "at": 0 }] }
      ] }
      """
    )
    try await World.simulated(seed: 1) { world in
      let devices = world.load(scene: scene)
      #expect(devices.map(\.name) == ["Near", "Door"])
      #expect(devices[0].position == RadioPosition(x: 1, y: 1))
      let central = Central(radio: world.radio)
      try await central.ready()
      let door = try await central.scan(for: [Echo.service]).connect()
      let refused = await bluetoothError { _ = try await door.read(Echo.value) }
      #expect(refused?.attCode == .readNotPermitted)
      #expect([[1], [2]].contains(try await door.read(Echo.value)))
      var values = door.values(of: Echo.value).makeAsyncIterator()
      let first = try await values.next()
      let second = try await values.next()
      #expect(Set([first, second]) == [[1], [2]])
      for await state in door.states where state.isDisconnected { break }
      #expect(world.now.sinceStart > .seconds(300) && world.now.sinceStart < .seconds(330))
      _ = try await central.connect(to: door, timeout: .never)
      #expect(world.now.sinceStart > .seconds(390))
    }
  }
}
