import Halcyon
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("The guide: start", .reportsWorlds)
struct StartTests {
  @Test("OK-23: a central is ready once Bluetooth is on")
  func ready() async throws {
    try await World.simulated(seed: 1) { world in
      // readme: begin
      let central = Central(radio: world.radio)  // in an app: Central(), or Central.shared
      try await central.ready()
      // readme: end
      #expect(central.state == .poweredOn)
    }
  }

  @Test("OK-23: the state says why Bluetooth can not be used, in the language of the app")
  func states() async throws {
    try await World.simulated(seed: 1) { world in
      world.radioPower(false)
      // readme: begin
      let central = Central(.init(language: .simplifiedChinese), radio: world.radio)
      do {
        try await central.ready(within: .seconds(5))
      } catch let error as BluetoothError {
        print(error.message)
      }
      // readme: end
      #expect(central.state.power == .poweredOff)

      async let powerOn: Void = {
        try await world.run(for: .seconds(1))
        world.radioPower(true)
      }()
      // readme: begin
      for await state in central.states {
        print(state)
        if state == .poweredOn { break }
      }
      // readme: end
      try await powerOn
    }
  }
}
