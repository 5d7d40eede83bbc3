import Halcyon
import Testing
import VirtualRadio
import VirtualRadioTesting

@testable import Seeds

@Suite("The walk-through of both roles", .reportsWorlds)
struct WalkthroughTests {
  @Test("TUT-01, TUT-03, TUT-04: a central reads, writes and listens; the peripheral answers and sends the time")
  func bothRoles() async throws {
    try await World.simulated(seed: 1) { world in
      let notebook = Notebook()
      let server = Walkthrough.makeServer(notebook, clock: world.clock, radio: world.radio)
      try await server.start()
      let told = try await Walkthrough.visit("Notebook", central: Central(radio: world.makeRadio()))
      #expect(told == ["0 s", "2 s", "4 s"])
      #expect(notebook.text == "hello")
      try await world.settle()
      #expect(server.connectedCentrals.isEmpty)
      await server.stop()
    }
  }

  @Test(
    "TUT-04: what was written is what later reads return; what is too long is refused, and so is what can not be read"
  )
  func answers() async throws {
    try await World.simulated(seed: 1) { world in
      let notebook = Notebook()
      let server = Walkthrough.makeServer(notebook, clock: world.clock, radio: world.radio)
      try await server.start()
      let central = Central(radio: world.makeRadio())
      try await central.ready()
      let device = try await central.scan(where: .named("Notebook")).connect()
      try await device.write("first", to: .note)
      #expect(try await device.read(.note) == "first")
      let tooLong = await #expect(throws: BluetoothError.self) {
        try await device.write(String(repeating: "x", count: 101), to: .note)
      }
      #expect(tooLong?.kind == .att(.invalidAttributeValueLength))
      #expect(try await device.read(.title) == "Notebook")
      let notReadable = await #expect(throws: BluetoothError.self) { try await device.read(.time) }
      #expect(notReadable?.kind == .notPermitted)
      await server.stop()
    }
  }
}
