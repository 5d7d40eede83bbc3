import Dispatch
import Halcyon
import RadioPort
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

/// Code as an app has it: connects, keeps the connection, and takes down what comes.
private actor Recorder {
  private let central: Central
  private(set) var counts: [UInt32] = []
  private(set) var connectCount = 0
  private(set) var problems: [String] = []

  init(_ central: Central) { self.central = central }

  /// Goes on until the task is cancelled.
  func run() async throws {
    try await central.ready()
    let found = try await central.scan(for: ["FFF0"]).filter { $0.name == "Counter" }.connect()
    connectCount = 1
    let reading = Task { try await self.read(found) }
    defer { reading.cancel() }
    for await state in found.states where state.isDisconnected { try await reconnect(found) }
    try Task.checkCancellation()
  }

  private func read(_ peripheral: Peripheral) async throws {
    do {
      for try await count in peripheral.values(of: .count, onReconnect: .resubscribe) { counts.append(count) }
    } catch is CancellationError {
    } catch {
      problems.append("the stream ended: \(error)")
    }
  }

  private func reconnect(_ peripheral: Peripheral) async throws {
    while true {
      do {
        try await central.connect(to: peripheral, timeout: .seconds(20))
        connectCount += 1
        return
      } catch let error as BluetoothError {
        switch error.kind {
        case .poweredOff: try await central.ready(within: nil)
        case .timedOut: break
        default: problems.append("\(error)")
        }
      }
    }
  }
}

@Suite("Hours in a world, on the whole stack", .reportsWorlds)
struct EnduranceTests {
  struct Outcome: Sendable, Equatable {
    var digest: UInt64
    var packets: Int
    var counts: [UInt32]
    var sent: [SentCounts.Sending]
    var drops: [RadioInstant]
    var connects: Int
    var problems: [String]
  }

  /// Lets an app listen for `hours`, with a drop of changing kind each five minutes.
  static func run(seed: UInt64, hours: Int) async throws -> Outcome {
    try await World.simulated(seed: seed) { world in
      let device = world.add(.counting())
      let app = Recorder(Central(radio: world.radio))
      let running = Task { try await app.run() }
      var drops: [RadioInstant] = []
      var chance = world.randomness(for: "drops")
      let end = RadioInstant.zero.advanced(by: .seconds(hours * 3600))
      var round = 0
      while world.now < end {
        try await world.run(for: .milliseconds(Int.random(in: 240_000...360_000, using: &chance)))
        drops.append(world.now)
        switch round % 4 {
        case 0: device.moveOutOfRange(for: .seconds(Int.random(in: 3...90, using: &chance)))
        case 1: device.disconnect()
        case 2:
          world.radioPower(false)
          try await world.run(for: .seconds(Int.random(in: 1...30, using: &chance)))
          world.radioPower(true)
        default:
          device.powerOff()
          try await world.run(for: .seconds(Int.random(in: 1...30, using: &chance)))
          device.powerOn()
        }
        round += 1
      }
      try await world.run(for: .seconds(120))
      let outcome = await Outcome(
        digest: world.trace.digest,
        packets: world.trace.packetCount,
        counts: app.counts,
        sent: device.sent.all,
        drops: drops,
        connects: app.connectCount,
        problems: app.problems + device.problems
      )
      running.cancel()
      _ = await running.result
      return outcome
    }
  }

  @Test(
    "Ten hours with drops and reconnects, a value a second: none lost, doubled or out of order; the same trace twice"
  )
  func tenHours() async throws {
    async let second = Self.run(seed: 11, hours: 10)
    let first = try await Self.run(seed: 11, hours: 10)
    #expect(first.problems == [])
    #expect(first.drops.count > 100)
    #expect(first.connects > 100)
    #expect(first.counts.count > 30_000)

    // In order, and none twice.
    #expect(zip(first.counts, first.counts.dropFirst()).allSatisfy { $0 < $1 })
    // Lost is only what a device sends into the void after a drop, until it notices.
    let received = Set(first.counts)
    let lost = first.sent.filter { !received.contains($0.count) }
    let unexplained = lost.filter { sending in
      !first.drops.contains { drop in
        let after = drop.duration(to: sending.time)
        return after >= .milliseconds(-100) && after <= .milliseconds(2600)
      }
    }
    #expect(unexplained.isEmpty, "\(unexplained.prefix(5))")
    #expect(lost.count < first.drops.count * 3)

    let again = try await second
    #expect(again.digest == first.digest)
    #expect(again.packets == first.packets)
    #expect(again == first)
  }

  @Test("Another seed is another course of events")
  func otherSeed() async throws {
    let first = try await Self.run(seed: 11, hours: 1)
    let other = try await Self.run(seed: 12, hours: 1)
    #expect(first.digest != other.digest)
    #expect(first.problems + other.problems == [])
  }

  @Test("A world whose app lets its work escape to another thread fails, and says what escaped")
  func escape() async throws {
    let collector = WorldReport.Collector()
    let error = await WorldReport.$collector.withValue(collector) {
      await #expect(throws: WorldError.self) {
        // On a busy machine the other thread may take its time.
        try await World.simulated(seed: 1, limits: LoopLimits(grace: .seconds(600))) { world in
          world.add(.counting())
          let central = Central(radio: world.radio)
          try await central.ready()
          let peripheral = try await central.scan(for: ["FFF0"]).connect()
          // An app that does its work on a queue of its own.
          await withCheckedContinuation { done in
            DispatchQueue.global().async {
              Task {
                _ = try? await peripheral.read(.setting)
                done.resume()
              }
            }
          }
        }
      }
    }
    #expect(error?.kind == .escaped)
    #expect(error?.description.contains("Dispatch") == true)
  }
}
