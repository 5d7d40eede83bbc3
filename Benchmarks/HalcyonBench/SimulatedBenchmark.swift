import BluetoothTypes
import HostStack
import Measurement
import RadioPort
import VirtualRadio

/// Both hosts, both controllers and the air between them in one simulated world: one thread, virtual time.
struct SimulatedBenchmark {
  /// How many reads; fewer than by default for a profiler that is slow.
  var reads = 200_000

  func run() async throws {
    try await World.simulated(seed: 1, timeLimit: .seconds(1_000_000), packetsKept: 0) { world in
      let value = BluetoothUUID(UInt16(0xFFE1))
      world.add(
        .custom(name: "Null") { description in
          description.services = [
            VirtualDevice.Service(
              ServiceID(BluetoothUUID(UInt16(0xFFE0))),
              characteristics: [VirtualDevice.Characteristic(value, .read, value: [UInt8](repeating: 7, count: 20))]
            )
          ]
        }
      )
      let client = Client(radio: world.makeHostRadio())
      try await client.ready()
      let peer = try await client.find { $0.advertisement.localName == "Null" }
      let link = try await client.connect(to: peer)
      let services = try await client.discover(on: link)
      let found = services.lazy.flatMap(\.characteristics).first { $0.uuid == value }
      guard let found else { throw BenchmarkError(description: "the device has no value to read") }
      try await client.read(found.handle, on: link, count: reads / 40)
      let measurement = Measurement()
      try await client.read(found.handle, on: link, count: reads)
      measurement.report("simulated reads of 20 bytes", count: reads)
    }
  }
}
