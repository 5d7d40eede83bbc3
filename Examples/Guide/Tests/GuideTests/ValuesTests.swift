import Halcyon
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("The guide: read, subscribe, write", .reportsWorlds)
struct ValuesTests {
  @Test("OK-23: read a value, and get values as the device sends them")
  func readAndSubscribe() async throws {
    try await World.simulated(seed: 1) { world in
      world.add(.heartRateBand(name: "Pulse"))
      let central = Central(radio: world.radio)
      try await central.ready()
      let band = try await central.scan(for: [.heartRate]).connect()
      // readme: begin
      let location = try await band.read(.bodySensorLocation)
      let battery = try await band.read(.batteryLevel)
      print("worn at the \(location), battery \(battery)")
      // readme: end
      #expect(location == .chest)
      var beats = 0
      // readme: begin
      for try await measurement in band.values(of: .heartRateMeasurement) {
        print(measurement.beatsPerMinute)
        beats += 1  // readme: leave out
        if beats == 3 { break }  // readme: leave out
      }
      // readme: end
      #expect(beats == 3)
    }
  }

  @Test("OK-23: a value of one's own, declared once, is read and written")
  func ownValue() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(.lamp(name: "Lamp"))
      let central = Central(radio: world.radio)
      try await central.ready()
      // readme: begin
      let lamp = try await central.scan(where: .named("Lamp")).connect()
      try await lamp
        .write(LampColour(red: 255, green: 128, blue: 0), to: .lampColour)
        .write(UInt8(80), to: .lampBrightness, type: .withoutResponse)
      let colour = try await lamp.read(.lampColour)
      // readme: end
      #expect(colour == LampColour(red: 255, green: 128, blue: 0))
      #expect(device.brightness == 80)
      // readme: begin
      do {
        try await lamp.write(UInt8(200), to: .lampBrightness, type: .withResponse)
      } catch let error as BluetoothError {
        print(error.message)  // the device answered: Value not allowed
      }
      // readme: end
      #expect(device.brightness == 80)
    }
  }
}

// readme: begin
struct LampColour: Hashable, Sendable, ByteReadable, ByteWritable {
  var red, green, blue: UInt8

  init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  init(reading reader: inout ByteReader) throws {
    red = try reader.read()
    green = try reader.read()
    blue = try reader.read()
  }

  func write(to writer: inout ByteWriter) {
    writer.write([red, green, blue])
  }
}

extension Characteristic where Value == LampColour {
  static var lampColour: Self {
    .init("48A10003-5C1B-4C5A-9B1E-0C4A6C3F7D21", in: "48A10000-5C1B-4C5A-9B1E-0C4A6C3F7D21")
  }
}

extension Characteristic where Value == UInt8 {
  static var lampBrightness: Self {
    .init("48A10002-5C1B-4C5A-9B1E-0C4A6C3F7D21", in: "48A10000-5C1B-4C5A-9B1E-0C4A6C3F7D21")
  }
}
// readme: end
