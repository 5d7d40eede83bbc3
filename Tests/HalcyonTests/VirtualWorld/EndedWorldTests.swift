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
}
