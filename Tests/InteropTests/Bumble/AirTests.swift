import Halcyon
import Testing
import VirtualRadio

/// Programs that meet on our air: Bumble's host on our controllers in both roles, and ours; by extended commands, and on
/// controllers that have but the legacy ones.
@Suite("Bumble's host on our air", Bumble.trait, .timeLimit(.minutes(5)))
struct AirTests {
  /// Bumble as a program on the air; it prints no port, so this is not `withPeer`.
  private static func withProgram(
    _ port: UInt16,
    _ role: String,
    _ name: String,
    _ body: (ChildProcess) async throws -> Void
  ) async throws {
    let program = try Bumble.start("on_air.py", ["\(port)", role, name])
    let result: Result<Void, any Error>
    do { result = .success(try await body(program)) } catch { result = .failure(error) }
    await program.end()
    try result.get()
  }

  @Test("its central finds our device, discovers, reads and listens", arguments: [false, true])
  func central(isLegacy: Bool) async throws {
    try await withAir(isLegacy: isLegacy) { world, port in
      world.add(.heartRateBand(name: "Pulse"))
      try await Self.withProgram(port, "central", "Pulse") { bumble in
        let services = try await bumble.line("services ")
        for uuid in ["1800", "1801", "180D", "180F", "180A"] { #expect(services.contains(uuid)) }
        #expect(try await bumble.line("read 2A38 ") == "01")
        for count in 1...2 { #expect(UInt8(try await bumble.line("beat ", count: count)) != nil) }
      }
    }
  }

  @Test("our central, another program on the air, finds its sensor, reads and listens", arguments: [false, true])
  func sensor(isLegacy: Bool) async throws {
    try await withAir(isLegacy: isLegacy) { _, port in
      try await Self.withProgram(port, "sensor", "Bumble Heart") { bumble in
        _ = try await bumble.line("advertising")
        try await withCentral(port: port) { central, _ in
          try await central.ready(within: .seconds(60))
          let scan = central.scan(for: [.heartRate], where: .named("Bumble Heart"), timeout: .seconds(60))
          let discovery = try #require(try await scan.first { _ in true })
          let device = try await central.connect(to: discovery, timeout: .seconds(60))
          #expect(try await device.read(.bodySensorLocation) == .wrist)
          var beats: [UInt16] = []
          for try await beat in device.values(of: .heartRateMeasurement, timeout: .seconds(60)) {
            beats.append(beat.beatsPerMinute)
            if beats.count == 3 { break }
          }
          for (one, next) in zip(beats, beats.dropFirst()) { #expect(next == one + 1) }
          await device.disconnect()
        }
      }
    }
  }

  @Test("two hosts of its own meet on it; each of a hundred values comes back as it went", arguments: [false, true])
  func ping(isLegacy: Bool) async throws {
    try await withAir(isLegacy: isLegacy) { _, port in
      try await Self.withProgram(port, "pong", "Bumble Pong") { pong in
        _ = try await pong.line("advertising")
        try await Self.withProgram(port, "ping", "Bumble Pong") { ping in
          // There and back takes two of the shortest intervals at most, 15 ms: less than 2 s in all.
          let pings = try await ping.line("pings ")
          #expect(pings == "100 244")
          #expect(!ping.lines.contains { $0.hasPrefix("lost") }, "\(ping.lines)")
        }
      }
    }
  }
}
