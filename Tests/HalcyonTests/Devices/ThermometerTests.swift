import BluetoothTypes
import GATTProfiles
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("A thermometer", .reportsWorlds)
struct ThermometerTests {
  private static let measurement = Characteristic<TemperatureMeasurement>("2A1C", in: .healthThermometer)
  private static let intermediate = Characteristic<TemperatureMeasurement>("2A1E", in: .healthThermometer)
  private static let type = Characteristic<TemperatureType>("2A1D", in: .healthThermometer)
  private static let interval = Characteristic<MeasurementInterval>("2A21", in: .healthThermometer)

  @Test("indicates at the interval that was written, within its range")
  func measures() async throws {
    try await World.simulated(seed: 1) { world in
      let thermometer = world.add(.thermometer(name: "Fever", type: .ear))
      let peripheral = try await connect(to: thermometer, in: world)
      #expect(try await peripheral.read(Self.type) == .ear)
      #expect(try await peripheral.read(Self.interval) == MeasurementInterval(seconds: 5))
      thermometer.setTemperature(38.5)
      var values = peripheral.values(of: Self.measurement).makeAsyncIterator()
      let first = try await values.next()
      #expect(first == TemperatureMeasurement(38.5, type: .ear))
      try await peripheral.write(MeasurementInterval(seconds: 60), to: Self.interval)
      #expect(thermometer.measurementInterval == .seconds(60))
      let start = world.now
      _ = try await values.next()
      let passed = start.duration(to: world.now)
      #expect(passed > .seconds(59) && passed < .seconds(61))
      let error = await bluetoothError {
        try await peripheral.write(MeasurementInterval(seconds: 4000), to: Self.interval)
      }
      #expect(error?.attCode == .measurementIntervalOutOfRange)
      #expect(try await peripheral.read(Self.interval) == MeasurementInterval(seconds: 60))
    }
  }

  @Test("notifies intermediate temperatures, which drift slowly")
  func drifts() async throws {
    try await World.simulated(seed: 1) { world in
      let thermometer = world.add(.thermometer(name: "Fever"))
      let peripheral = try await connect(to: thermometer, in: world)
      var seen: [Double] = []
      for try await value in peripheral.values(of: Self.intermediate) {
        seen.append(value.celsius)
        #expect(abs(value.celsius - thermometer.celsius) < 0.001)
        if seen.count == 1200 { break }
      }
      #expect(Set(seen).count > 5)
      #expect(seen.allSatisfy { $0 > 35 && $0 < 39 })
    }
  }
}
