import Halcyon
import Measurement
import VirtualRadio

/// Measures reads through the async API, in one simulated world; `script/bench` runs it.
///
/// It is a program of its own, as the API brings Foundation, whose memory is not the host's.
@main
enum HalcyonAPIBench {
  static func main() async throws {
    let reads = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
    try await World.simulated(seed: 1, timeLimit: .seconds(1_000_000), packetsKept: 0) { world in
      let service = ServiceID(BluetoothUUID(UInt16(0xFFE0)))
      let uuid = BluetoothUUID(UInt16(0xFFE1))
      world.add(
        .custom(name: "Null") { description in
          description.services = [
            VirtualDevice.Service(
              service,
              characteristics: [VirtualDevice.Characteristic(uuid, .read, value: [UInt8](repeating: 7, count: 20))]
            )
          ]
        }
      )
      let central = Central(radio: world.radio)
      try await central.ready()
      let peripheral = try await central.scan().filter { $0.name == "Null" }.connect()
      let value = Characteristic<[UInt8]>(uuid, in: service)
      for _ in 0..<reads / 40 { _ = try await peripheral.read(value) }
      let measurement = Measurement()
      for _ in 0..<reads { _ = try await peripheral.read(value) }
      measurement.report("simulated reads of 20 bytes through the async API", count: reads)
    }
  }
}
