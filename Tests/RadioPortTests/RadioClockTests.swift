import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("The clock of a radio", .reportsWorlds)
struct RadioClockTests {
  @Test("a sleep ends at its deadline, and the clock shows it")
  func deadline() async throws {
    try await World.simulated(seed: 1) { world in
      try await world.clock.sleep(for: .seconds(90))
      #expect(world.now == RadioInstant(nanoseconds: 90_000_000_000))
      try await world.clock.sleep(until: RadioInstant(nanoseconds: 91_000_000_000))
      #expect(world.clock.now.sinceStart == .seconds(91))
      try await world.run(for: .seconds(9))
      #expect(world.now.sinceStart == .seconds(100))
    }
  }

  @Test("F05: cancelling a sleep throws CancellationError at once")
  func cancellation() async throws {
    try await World.simulated(seed: 1) { world in
      let sleeper = Task { try await world.clock.sleep(for: .seconds(3600)) }
      try await world.run(for: .seconds(2))
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
      #expect(world.now.sinceStart == .seconds(2))
    }
  }

  @Test("a sleep of a task that is cancelled already throws at once")
  func cancelledBefore() async throws {
    try await World.simulated(seed: 1) { world in
      let sleeper = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await world.clock.sleep(for: .seconds(3600))
      }
      await #expect(throws: CancellationError.self) { try await sleeper.value }
      #expect(world.now == .zero)
    }
  }

  @Test("a sleep and its cancellation at the same moment resume once, with whichever came first")
  func race() async throws {
    try await World.simulated(seed: 1) { world in
      var hasSlept: [Bool] = []
      for delay in [Duration.milliseconds(1), .milliseconds(2), .milliseconds(3)] {
        let sleeper = Task { try await world.clock.sleep(for: .milliseconds(2)) }
        try await world.run(for: delay)
        sleeper.cancel()
        hasSlept.append((try? await sleeper.value) != nil)
      }
      // The body's own timer of 2 ms was set first.
      #expect(hasSlept == [false, false, true])
    }
  }

  @Test("generic code that takes any clock may be given it")
  func generic() async throws {
    try await World.simulated(seed: 1) { world in
      #expect(try await twice(world.clock, .seconds(5)) == RadioInstant(nanoseconds: 10_000_000_000))
      let elapsed = try await world.clock.measure { try await world.run(for: .minutes(3)) }
      #expect(elapsed == .minutes(3))
    }
  }

  @Test("instants at the ends of time do not overflow")
  func ends() {
    #expect(RadioInstant.distantFuture.advanced(by: .seconds(1)) == .distantFuture)
    #expect(RadioInstant.zero.advanced(by: .seconds(Int64.max)) == .distantFuture)
    #expect(RadioInstant(nanoseconds: .min).advanced(by: .seconds(-1)) == RadioInstant(nanoseconds: .min))
    #expect(RadioInstant.zero.duration(to: .distantFuture) == .nanoseconds(Int64.max))
    #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
    #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
  }
}

extension Duration {
  fileprivate static func minutes(_ count: Int) -> Duration { .seconds(60 * count) }
}

private func twice<C: Clock>(_ clock: C, _ duration: C.Duration) async throws -> C.Instant {
  try await clock.sleep(for: duration)
  try await clock.sleep(until: clock.now.advanced(by: duration), tolerance: nil)
  return clock.now
}
