import BluetoothTypes
import HostStack
import RadioPort
import VirtualRadio

/// Prints a scenario's whole trace.
struct TraceDump {
  func run() async throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      try await World.simulated(seed: seed, packetsKept: 1_000_000) { world in
        let band = world.add(.heartRateBand(name: "Pulse"))
        let other = world.add(.thermometer(name: "Warm"))
        world.add(.lamp(name: "Lamp"))
        let client = Client(radio: world.makeHostRadio())
        let second = Client(radio: world.makeHostRadio())
        try await client.ready()
        try await second.ready()
        let peer = try await client.find { $0.advertisement.localName == "Pulse" }
        let peer2 = try await second.find { $0.advertisement.localName == "Warm" }
        let link = try await client.connect(to: peer)
        let link2 = try await second.connect(to: peer2)
        let link3 = try await client.connect(to: try await client.find { $0.advertisement.localName == "Lamp" })
        let services = try await client.discover(on: link)
        let services2 = try await second.discover(on: link2)
        let services3 = try await client.discover(on: link3)
        for (c, l, s) in [(client, link, services), (second, link2, services2), (client, link3, services3)] {
          for found in s.lazy.flatMap(\.characteristics) {
            if found.properties.contains(.read) { _ = try? await c.read(found.handle, on: l) }
            if found.properties.contains(.write) { try? await c.write([1], to: found.handle, on: l) }
            if [0x2A37, 0x2A1C, 0x2A19].contains(found.uuid.uint16) {
              _ = try await c.take(3, from: found, on: l) { Measurement() }
            }
          }
        }
        try await world.run(for: .seconds(20))
        band.device.moveOutOfRange(for: .seconds(30))
        try await world.run(for: .seconds(70))
        _ = other
        print(world.trace.description.split(separator: "\n").dropLast().joined(separator: "\n"))
      }
    }
  }
}
