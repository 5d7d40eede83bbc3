import BluetoothTypes
import HCITransport
import Halcyon
import HostStack
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

/// Extended advertising between Bumble and us: its host on our controllers, and our host on its controllers.
@Suite("Extended advertising with Bumble", Bumble.trait, .reportsWorlds, .timeLimit(.minutes(5)))
struct ExtendedTests {
  /// Runs `body` in a live world in which Bumble's host plays a role on one of our controllers.
  private static func withBumble(
    _ role: String,
    _ name: String,
    _ body: @escaping @Sendable (World, ChildProcess) async throws -> Void
  ) async throws {
    try await World.live(speed: 1, seed: 1) { world in
      let server = try #require(VirtualRadio.ControllerServer(in: world) { _ in })
      let place = try await server.listen(at: .tcp(host: "127.0.0.1", port: 0))
      let result: Result<Void, any Error>
      do {
        guard case .tcp(_, let port) = place else { return }
        let program = try Bumble.start("on_air.py", ["\(port)", role, name])
        do {
          try await body(world, program)
          result = .success(())
        } catch { result = .failure(error) }
        await program.end()
      } catch { result = .failure(error) }
      await server.stop()
      try result.get()
    }
  }

  @Test("our host hears its set: longer than any legacy advertisement, on 2M, whole")
  func beacon() async throws {
    try await Self.withBumble("beacon", "Bumble Beacon") { world, bumble in
      _ = try await bumble.line("advertising")
      let sighting = try #require(
        try await bounded("the beacon") {
          await world.mainRadio.ready()
          return await world.mainRadio.sighting { $0.advertisement.localName == "Bumble Beacon" }
        }
      )
      #expect(sighting.advertisement.encodedCount > 200 && !sighting.isConnectable)
      #expect(sighting.channel.secondaryPHY == .le2M && sighting.channel.set == 5)
      #expect(sighting.advertisement.manufacturerData?.data == [UInt8](0..<200))
    }
  }

  @Test("its host hears our set of 1200 bytes, in pieces that make up the whole")
  func watcher() async throws {
    try await Self.withBumble("watcher", "Bumble Watcher") { world, bumble in
      _ = try await bumble.line("watching")
      let radio = world.mainRadio
      await radio.ready()
      let request = AdvertisingRequest(
        more: (0..<6).map { number in
          ADStructure(.manufacturerSpecificData, [UInt8](repeating: UInt8(number), count: 196))
        },
        isConnectable: false,
        format: .extended(secondaryPHY: .le2M)
      )
      try await radio.advertise(request)
      let heard = try await bumble.line("heard ")
      // The flags, and six structures with two bytes of header each.
      #expect(heard == "1191 2 1 05050505")
    }
  }

  @Test("our host finds, connects and reads by extended commands on its controllers")
  func onItsControllers() async throws {
    try await Bumble.withPeer("heart_rate_server.py", ["--extended"]) { _, port in
      try await withCentral(port: port) { central, live in
        try await central.ready(within: .seconds(60))
        #expect(await live.radio.controllerInfo.hasExtendedAdvertising)
        let scan = central.scan(for: [.heartRate], timeout: .seconds(60))
        let discovery = try #require(try await scan.first { _ in true })
        let device = try await central.connect(to: discovery, timeout: .seconds(60))
        #expect(try await device.read(.bodySensorLocation) == .wrist)
        await device.disconnect()
      }
    }
  }
}

extension HostRadio {
  /// Waits until it is on.
  fileprivate func ready() async {
    let (states, source) = AsyncStream.makeStream(of: RadioState.self)
    let observation = observeState { source.yield($0) }
    defer { endObservation(observation) }
    source.yield(state)
    for await state in states where state.power == .poweredOn { return }
  }

  /// The first sighting of a kind; `nil` if the scan ends before.
  fileprivate func sighting(where isWanted: @Sendable (Sighting) -> Bool) async -> Sighting? {
    let (sightings, source) = AsyncStream.makeStream(of: Sighting.self)
    let scan = startScan(ScanRequest(), sighting: { source.yield($0) }, ended: { _ in source.finish() })
    defer { stopScan(scan) }
    for await sighting in sightings where isWanted(sighting) { return sighting }
    return nil
  }

  /// Advertises for a new owner.
  fileprivate func advertise(_ request: AdvertisingRequest) async throws {
    let server = openServer { _ in }
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      startAdvertising(request, by: server) { continuation.resume(with: $0.mapError { $0 as any Error }) }
    }
  }
}
