import Foundation
import Halcyon
import RadioPort
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("A fault at every moment of a server's life", .reportsWorlds(packets: 25))
struct ServerSweepTests {
  @Test(
    "The server's task is cancelled at every packet or job: CancellationError at once, nothing is left, all works again",
    arguments: [Sweep.Moments.packets, .jobs]
  )
  func cancelled(at moments: Sweep.Moments) async throws {
    let count = try await ServerSweep.run(at: moments) { _, _, task in
      task.cancel()
    } judge: { scenario, time in
      guard let failure = scenario.failure else { return #expect(scenario.isWhole) }
      #expect(failure.error is CancellationError, "in \(failure.step): \(failure.error)")
      #expect(failure.time == time, "in \(failure.step)")
    }
    #expect(count > 200)
  }

  @Test(
    "The server's radio goes off and comes back at every packet: what waits ends, the server goes on, all works again"
  )
  func radioOff() async throws {
    let count = try await ServerSweep.run(at: .packets) { world, radio, _ in
      world.radioPower(false, of: radio)
      world.clock.executor.schedule(at: world.now.advanced(by: .seconds(4))) { world.radioPower(true, of: radio) }
    } judge: { scenario, time in
      Self.judgeLoss(scenario, time)
    }
    #expect(count > 200)
  }

  @Test(
    "The server's radio goes off and on at once, at every packet: what waits ends, the server goes on, all works again"
  )
  func radioOffAndOn() async throws {
    let count = try await ServerSweep.run(at: .packets) { world, radio, _ in
      world.radioPower(false, of: radio)
      world.radioPower(true, of: radio)
    } judge: { scenario, time in
      Self.judgeLoss(scenario, time)
    }
    #expect(count > 200)
  }

  @Test("The central's radio goes off at every packet and comes back: what was for it alone ends, all works again")
  func centralGone() async throws {
    let count = try await ServerSweep.run(at: .packets) { world, _, _ in
      world.radioPower(false)
      world.clock.executor.schedule(at: world.now.advanced(by: .seconds(4))) { world.radioPower(true) }
    } judge: { scenario, time in
      Self.judgeLoss(scenario, time)
    }
    #expect(count > 200)
  }

  private static func judgeLoss(_ scenario: ServedScenario, _ time: RadioInstant) {
    guard let failure = scenario.failure else { return #expect(scenario.isWhole) }
    let kind = (failure.error as? BluetoothError)?.kind
    let kinds: [BluetoothError.Kind] = [.poweredOff, .disconnected, .notConnected, .notSubscribed, .stopped]
    #expect(kind.map(kinds.contains) == true, "in \(failure.step): \(failure.error)")
    #expect(time.duration(to: failure.time) < .seconds(8), "in \(failure.step): \(failure.error)")
  }
}

/// Runs the scenario of a server again and again with a fault at its first moment, its second, … until none is left.
enum ServerSweep {
  private static let isThorough = ProcessInfo.processInfo.environment["HALCYON_THOROUGH"] != nil

  static func run(
    at moments: Sweep.Moments,
    fault: @escaping @Sendable (World, any Radio, Task<Void, Never>) -> Void,
    judge: @escaping @Sendable (ServedScenario, RadioInstant) -> Void
  ) async throws -> Int {
    var moment = 1
    let stride = isThorough ? 1 : moments == .jobs ? 199 : 61
    while try await once(at: moments, moment, fault, judge) {
      moment += stride
      if moment > 20_000 {
        Issue.record("the sweep does not end")
        break
      }
    }
    return moment
  }

  private static func once(
    at moments: Sweep.Moments,
    _ moment: Int,
    _ fault: @escaping @Sendable (World, any Radio, Task<Void, Never>) -> Void,
    _ judge: @escaping @Sendable (ServedScenario, RadioInstant) -> Void
  ) async throws -> Bool {
    try await World.simulated(seed: 3) { world in
      let radio = world.makeRadio(name: "server")
      let scenario = ServedScenario()
      let strike = Mutex<(start: Int?, time: RadioInstant?)>((nil, nil))
      let visitor = Task { await Visitor(world: world).run() }
      let task = Task { await scenario.run(world, radio) }
      let watch: @Sendable (Int) -> Void = { number in
        let isNow = strike.withLock { strike in
          let start = strike.start ?? number
          strike.start = start
          guard strike.time == nil, number - start + 1 >= moment else { return false }
          strike.time = world.now
          return true
        }
        if isNow { fault(world, radio, task) }
      }
      switch moments {
      case .packets: world.watchPackets(watch)
      case .jobs: world.watchJobs(watch)
      }
      let bound = Task {
        try await world.clock.sleep(for: .seconds(90))
        Issue.record("moment \(moment): stuck in \(scenario.step)")
        task.cancel()
      }
      await task.value
      bound.cancel()
      world.watchPackets(nil)
      world.watchJobs(nil)
      guard let time = strike.withLock({ $0.time }) else {
        #expect(scenario.isWhole, "\(String(describing: scenario.failure))")
        visitor.cancel()
        return false
      }
      judge(scenario, time)

      try await world.run(for: .seconds(6))
      visitor.cancel()
      await visitor.value
      try await world.run(for: .seconds(6))
      #expect(world.activity(of: radio) == ControllerActivity.none, "moment \(moment), after \(scenario.step)")
      #expect(world.activity(of: world.radio) == ControllerActivity.none, "moment \(moment), after \(scenario.step)")

      // Everything works again.
      let next = ServedScenario()
      let another = Task { await Visitor(world: world).run() }
      let limit = Task {
        try await world.clock.sleep(for: .seconds(60))
        Issue.record("moment \(moment), after \(scenario.step): stuck in \(next.step)")
      }
      await next.run(world, radio)
      limit.cancel()
      another.cancel()
      #expect(next.isWhole, "moment \(moment), after \(scenario.step): \(String(describing: next.failure))")
      return true
    }
  }
}
