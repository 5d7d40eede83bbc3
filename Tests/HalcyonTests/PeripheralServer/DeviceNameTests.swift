import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("The Device Name of Generic Access", .reportsWorlds)
struct DeviceNameTests {
  private static let deviceName = Characteristic<String>("2A00", in: "1800")

  @Test(
    "it is the name that is advertised, whole, and follows it while a central is connected; one that is refused leaves it"
  )
  func follows() async throws {
    try await Meeting.run { _ in
      Service(.notes) { Readable(.note, value: [1]) }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      #expect(try await peripheral.read(Self.deviceName) == "Pulse")
      try await meeting.server.advertise(.init(name: "Other"))
      #expect(try await peripheral.read(Self.deviceName) == "Other")
      // Nothing that is said of itself says nothing of the name.
      try await meeting.server.advertise(.init())
      #expect(try await peripheral.read(Self.deviceName) == "Other")
      let long = String(repeating: "n", count: 60)
      await expectError(.tooLong) { try await meeting.server.advertise(.init(name: long)) }
      #expect(try await peripheral.read(Self.deviceName) == "Other")
      try await meeting.server.advertise(.init(name: long, overflow: .shorten))
      #expect(try await peripheral.read(Self.deviceName) == long)
    }
  }
}
