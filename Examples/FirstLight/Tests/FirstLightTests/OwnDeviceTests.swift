import Halcyon
import Testing
import VirtualRadio
import VirtualRadioTesting

@Test(.reportsWorlds) func aDeviceThatRefusesOnceIsReadTheSecondTime() async throws {
  try await World.simulated(seed: 1) { world in
    // readme: begin
    let greenhouse = world.add(
      .custom(name: "Greenhouse") { device in
        device.advertisedServices = ["FFF0"]
        device.services = [.init("FFF0", characteristics: [.init("FFF1", [.read, .write], value: [21])])]
      }
    )
    greenhouse.faults.add(.refuse(.reads(of: "FFF1"), with: .insufficientResources, times: 1))
    // readme: end
    let central = Central(radio: world.radio)
    try await central.ready()
    let peripheral = try await central.scan(for: ["FFF0"]).connect()
    let temperature = Characteristic<UInt8>("FFF1", in: "FFF0")
    let error = await #expect(throws: BluetoothError.self) { try await peripheral.read(temperature) }
    #expect(error?.kind == .att(.insufficientResources))
    #expect(try await peripheral.read(temperature) == 21)
  }
}
