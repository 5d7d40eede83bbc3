import Halcyon
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

@testable import HalcyonCommand

@Suite("halcyon sensor", .reportsWorlds)
struct SensorCommandTests {
  @Test("it takes a radio and a name")
  func arguments() throws {
    #expect(try Arguments(["sensor", "--radio", "hci:user:0"]) == .sensor(.init(radio: "hci:user:0")))
    #expect(
      try Arguments(["sensor", "--name", "Belt", "--radio", "hci:user:0"])
        == .sensor(.init(radio: "hci:user:0", name: "Belt"))
    )
    #expect(try Arguments(["sensor", "--help"]) == .help(.sensor))
    let longest = String(repeating: "é", count: 14) + "x"
    #expect(
      try Arguments(["sensor", "--name", longest, "--radio", "hci:user:0"])
        == .sensor(.init(radio: "hci:user:0", name: longest))
    )
    let error = #expect(throws: Arguments.UsageError.self) {
      try Arguments(["sensor", "--radio", "hci:user:0", "--name", longest + "y"])
    }
    #expect(error?.reason.contains("takes a name of up to 29 bytes in UTF-8") == true)
    #expect(error?.reason.hasSuffix("has 30.") == true)
  }

  @Test(
    "what makes no sense is refused",
    arguments: [
      ["sensor"], ["sensor", "--radio"], ["sensor", "--name", "Belt"], ["sensor", "--radio", "hci:user:0", "--name"],
      ["sensor", "--radio", "hci:user:0", "--name", ""], ["sensor", "--radio", "hci:user:0", "--loud"],
    ]
  )
  func nonsense(_ arguments: [String]) {
    #expect(throws: Arguments.UsageError.self) { try Arguments(arguments) }
  }

  @Test("a central finds it, reads, resets the energy and gets each beat; it says so, and ends when it is told to")
  func serves() async throws {
    try await World.simulated(seed: 1) { world in
      let lines = Mutex<[String]>([])
      let (stops, stop) = AsyncStream.makeStream(of: String.self)
      let command = SensorCommand(radio: world.makeRadio(name: "sensor"), name: "Belt") { line in
        lines.withLock { $0.append(line) }
      }
      let sensor = Task { try await command.run { await stops.first { _ in true } ?? "nobody" } }
      let central = Central(radio: world.radio)
      let belt = try await central.scan(for: [.heartRate], where: .named("Belt"), timeout: .seconds(10)).connect()
      #expect(try await belt.read(.bodySensorLocation) == .chest)
      #expect(try await belt.read(.batteryLevel) == 100)
      try await belt.write(.resetEnergyExpended, to: .heartRateControlPoint)
      var rates: [UInt16] = []
      for try await beat in belt.values(of: .heartRateMeasurement) {
        rates.append(beat.beatsPerMinute)
        if rates.count == 3 { break }
      }
      #expect(rates == [60, 61, 62])
      await belt.disconnect()
      stop.yield("a test")
      try await sensor.value
      #expect(
        lines.withLock { $0 } == [
          "sensor: “Belt” can be found", "sensor: the energy is reset", "sensor: a central listens",
          "sensor: stopped by a test",
        ]
      )
    }
  }
}
