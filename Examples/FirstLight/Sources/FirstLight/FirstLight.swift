import Halcyon
import VirtualRadio

@main struct FirstLight {
  static func main() async throws {
    try await World.simulated(seed: 1) { world in
      world.add(.heartRateBand(name: "Pulse"))
      try await showHeartRate(central: Central(radio: world.radio))
    }
  }
}

// readme: begin
func showHeartRate(central: Central) async throws {
  try await central.ready()
  let band = try await central.scan(for: [.heartRate], timeout: .seconds(10))
    .filter { $0.name == "Pulse" }
    .connect()
  print("worn at:", try await band.read(.bodySensorLocation))
  for try await beat in band.values(of: .heartRateMeasurement).prefix(5) {
    print(beat.beatsPerMinute, "bpm")
  }
  await band.disconnect()
}
// readme: end
