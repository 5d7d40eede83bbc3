import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Services that are remembered, through the whole stack", .reportsWorlds)
struct CachingInWorldTests {
  /// The ATT requests that a central has sent since a moment, by their opcodes.
  private func asked(_ world: World, since start: RadioInstant) -> [UInt8] {
    world.trace.entries.compactMap { entry in
      let bytes = entry.packet.bytes
      // H4's indicator and the headers of ACL data and L2CAP stand in front; 4 is the channel of ATT.
      guard entry.time >= start, entry.controller == "radio", entry.direction == .toController,
        bytes.count > 9, bytes[0] == 2, bytes[7] == 4, bytes[8] == 0
      else { return nil }
      return bytes[9]
    }
  }

  @Test(
    "F38: to come back to a known device costs the MTU and the hash, then the first read; without a hash all is discovered",
    arguments: [true, false]
  )
  func comingBack(hasHash: Bool) async throws {
    try await Stage.run {
      $0.hasDatabaseHash = hasHash
    } body: { stage in
      let world = stage.world
      var peripheral = try await stage.connected()
      #expect(try await peripheral.read(.setting) == 7)
      try await world.run(for: .seconds(2))
      await peripheral.disconnect()
      try await stage.settle()

      let start = world.now
      peripheral = try await stage.connected()
      #expect(try await peripheral.read(.setting) == 7)
      let requests = asked(world, since: start)
      // Exchange MTU Request, Read By Type Request, Read Request.
      if hasHash { #expect(Array(requests.prefix(3)) == [0x02, 0x08, 0x0A]) }
      // Read By Group Type Request.
      #expect(requests.contains(0x10) == !hasHash)
    }
  }
}
