import BluetoothTypes
import RadioPort
import Synchronization
import Testing
import VirtualRadioTesting

@testable import VirtualRadio

/// Bounded by real time, so each does little and at high speed.
@Suite("A world whose time follows the wall clock", .reportsWorlds, .timeLimit(.minutes(5)))
struct LiveWorldTests {
  /// A discovered band, by the port alone.
  private func find(_ name: String, with radio: any Radio) async throws -> Sighting {
    let (sightings, source) = AsyncStream.makeStream(of: Sighting.self)
    let scan = await radio.startScan(
      ScanRequest(),
      sighting: { source.yield($0) },
      ended: { _ in source.finish() }
    )
    let found = await sightings.first { $0.advertisement.localName == name }
    await radio.stopScan(scan)
    return try #require(found)
  }

  private func waitUntilOn(_ radio: any Radio) async {
    let (states, source) = AsyncStream.makeStream(of: RadioState.self)
    let observation = await radio.observeState { source.yield($0) }
    if await radio.state.power != .poweredOn { _ = await states.first { $0.power == .poweredOn } }
    await radio.endObservation(observation)
  }

  @Test("its radio hears its devices, from tasks that are not the world's")
  func hears() async throws {
    try await World.live(speed: 100, seed: 1) { world in
      world.add(.heartRateBand(name: "Pulse"))
      await waitUntilOn(world.radio)
      let sighting = try await find("Pulse", with: world.radio)
      #expect(sighting.isConnectable)
      #expect(world.trace.packetCount > 0)
    }
  }

  @Test("two radios of one world connect over the air and lose each other")
  func connects() async throws {
    try await World.live(speed: 100, seed: 2) { world in
      let band = world.add(.heartRateBand(name: "Pulse"))
      let radio = world.makeHostRadio()
      await waitUntilOn(radio)
      let peer = try await find("Pulse", with: radio).peer
      let (events, source) = AsyncStream.makeStream(of: LinkEvent.self)
      let link: LinkID = try await withCheckedThrowingContinuation { continuation in
        radio.executor.submit {
          radio.assumeIsolated { radio in
            _ = radio.connect(
              to: peer,
              options: LinkOptions(),
              events: { source.yield($0) },
              completion: { continuation.resume(with: $0) }
            )
          }
        }
      }
      #expect(link.peer == peer)
      band.moveOutOfRange(for: .seconds(60))
      let end = await events.first { if case .disconnected = $0 { true } else { false } }
      #expect(end != nil)
    }
  }

  @Test("its time goes by as fast as was asked for", arguments: [1.0, 50])
  func speed(_ speed: Double) async throws {
    try await World.live(speed: speed, seed: 1) { world in
      let wall = ContinuousClock.now
      let start = world.now
      try await world.run(for: .milliseconds(5) * speed)
      let passed = start.duration(to: world.now)
      #expect(passed >= .milliseconds(5) * speed)
      // The other direction depends on the machine's load; the ratio does not.
      let real = wall.duration(to: .now)
      #expect(passed <= real * speed + .milliseconds(5) * speed)
    }
  }

  @Test("sleeps of less than a millisecond do not end early")
  func fineTime() async throws {
    try await World.live(speed: 1, seed: 1) { world in
      let start = world.now
      for _ in 0..<20 { try await world.run(for: .microseconds(100)) }
      #expect(start.duration(to: world.now) >= .milliseconds(2))
    }
  }

  @Test("speeds out of range are brought into it, and nonsense is the wall clock's speed")
  func speedRange() {
    #expect(Pace(speed: 0).speed == 0.01)
    #expect(Pace(speed: -.infinity).speed == 0.01)
    #expect(Pace(speed: .infinity).speed == 1000)
    #expect(Pace(speed: .nan).speed == 1)
  }

  @Test("its end ends its radios, wakes its sleepers with a cancellation and ends its thread")
  func end() async throws {
    let world = World.live(speed: 1, seed: 3)
    let radio = world.radio
    await waitUntilOn(radio)
    let sleeper = Task { try await world.run(for: .seconds(3600)) }
    await world.end()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(await radio.state.power == .unsupported)
    #expect((world.executor as? PollLoop)?.hasEnded == true)
    await world.end()
  }

  @Test("a body that throws ends its world all the same, and what it threw comes out")
  func throwing() async throws {
    struct Oops: Error {}
    let loop = Mutex<PollLoop?>(nil)
    await #expect(throws: Oops.self) {
      try await World.live(speed: 10, seed: 1) { world in
        world.add(.heartRateBand(name: "Pulse"))
        loop.withLock { $0 = world.executor as? PollLoop }
        throw Oops()
      }
    }
    #expect(loop.withLock { $0?.hasEnded } == true)
  }

  @Test("many worlds come and go without keeping threads, descriptors or devices")
  func leaks() async throws {
    weak var device: VirtualDevice?
    let loops = Mutex<[PollLoop]>([])
    for seed in 0..<20 as Range<UInt64> {
      await World.live(speed: 1000, seed: seed) { world in
        device = world.add(.heartRateBand(name: "Pulse")).device
        if let loop = world.executor as? PollLoop { loops.withLock { $0.append(loop) } }
        await waitUntilOn(world.radio)
      }
    }
    // What the process has open says nothing while other tests run; each loop knows what it has.
    #expect(loops.withLock { $0.count } == 20)
    #expect(loops.withLock { $0.allSatisfy(\.hasEnded) })
    #expect(device == nil)
  }

  @Test("changes from many threads at once all reach the air")
  func threads() async throws {
    try await World.live(speed: 20, seed: 5) { world in
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask { world.add(.heartRateBand(name: "Pulse \(number)")) }
        }
      }
      await waitUntilOn(world.radio)
      for number in 0..<8 { _ = try await find("Pulse \(number)", with: world.radio) }
    }
  }
}
