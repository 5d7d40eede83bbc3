import Halcyon
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("A radio whose world has ended", .reportsWorlds)
struct EndedWorldTests {
  @Test("every call that has a limit ends, though time goes on no more", .timeLimit(.minutes(5)))
  func callsEnd() async throws {
    let (radio, central) = try await World.simulated(seed: 1) { world in
      let central = Central(radio: world.radio)
      try await central.ready()
      return (world.radio, central)
    }
    for central in [central, Central(radio: radio)] {
      await #expect(throws: BluetoothError.self) { try await central.ready(within: .seconds(1)) }
      await #expect(throws: BluetoothError.self) { for try await _ in central.scan(timeout: .seconds(1)) {} }
    }
  }

  @Test("who waits for it without a limit is told that it never comes", .timeLimit(.minutes(5)))
  func waiting() async throws {
    let (radio, other) = try await World.simulated(seed: 1) { world in
      // One that was used, and one whose controller is still being started.
      try await Central(radio: world.radio).ready()
      return (world.radio, world.makeRadio())
    }
    for central in [Central(radio: radio), Central(radio: other)] {
      let error = await #expect(throws: BluetoothError.self) { try await central.ready(within: nil) }
      #expect(error?.kind == .unsupported)
      #expect(error?.message.contains("The world has ended") == true)
    }
  }
}
