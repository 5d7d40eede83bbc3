import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("A lamp", .reportsWorlds)
struct LampTests {
  private static let power = Characteristic<Bool>(Lamp.power, in: Lamp.service)
  private static let brightness = Characteristic<UInt8>(Lamp.brightness, in: Lamp.service)
  private static let colour = Characteristic<Lamp.Colour>(Lamp.colour, in: Lamp.service)

  @Test("is switched, dimmed and coloured over the air")
  func controlled() async throws {
    try await World.simulated(seed: 1) { world in
      let lamp = world.add(.lamp(name: "Desk"))
      let central = Central(radio: world.radio)
      try await central.ready()
      let peripheral = try await central.scan(for: [Lamp.service]).connect()
      #expect(try await peripheral.read(Self.power) == false)
      try await peripheral.write(true, to: Self.power)
      #expect(lamp.isOn)
      try await peripheral.write(40, to: Self.brightness, type: .withoutResponse)
      try await peripheral.write(Lamp.Colour(red: 1, green: 2, blue: 3), to: Self.colour)
      #expect(lamp.brightness == 40)
      #expect(lamp.colour == Lamp.Colour(red: 1, green: 2, blue: 3))
      #expect(lamp.device.written.map(\.withResponse) == [true, false, true])

      let error = await bluetoothError { try await peripheral.write(101, to: Self.brightness, type: .withResponse) }
      #expect(error?.attCode == .valueNotAllowed)
      let raw = Characteristic<[UInt8]>(Lamp.colour, in: Lamp.service)
      let length = await bluetoothError { try await peripheral.write([1, 2], to: raw) }
      #expect(length?.attCode == .invalidAttributeValueLength)
      #expect(lamp.brightness == 40)
      #expect(try await peripheral.read(Self.colour) == lamp.colour)
    }
  }

  @Test("tells those who have subscribed when it is switched by hand")
  func pressed() async throws {
    try await World.simulated(seed: 1) { world in
      let lamp = world.add(.lamp(name: "Desk"))
      let peripheral = try await connect(to: lamp, in: world)
      let values = Task {
        var seen: [Bool] = []
        for try await isOn in peripheral.values(of: Self.power) {
          seen.append(isOn)
          if seen.count == 3 { break }
        }
        return seen
      }
      try await world.run(for: .seconds(2))
      #expect(lamp.isSubscribed)
      lamp.press()
      #expect(lamp.isOn)
      lamp.press()
      lamp.press()
      #expect(try await values.value == [true, false, true])
    }
  }
}
