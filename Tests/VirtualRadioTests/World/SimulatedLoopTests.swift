import RadioPort
import Testing
import VirtualRadio

@Suite("A simulated loop")
struct SimulatedLoopTests {
  @Test("submitted work runs in the order of the calls")
  func order() async throws {
    let log = Log()
    try await simulate { loop in
      for number in 0..<5 { loop.submit { log.note("\(number)") } }
      await Task.yield()
    }
    #expect(log.all == ["0", "1", "2", "3", "4"])
  }

  @Test("timers run in the order of their deadlines, those of equal deadlines in the order of the calls")
  func timers() async throws {
    let log = Log()
    try await simulate { loop in
      let soon = RadioInstant(nanoseconds: 10)
      loop.schedule(at: RadioInstant(nanoseconds: 20)) { log.note("20") }
      for name in ["a", "b", "c"] { loop.schedule(at: soon) { log.note(name) } }
      loop.schedule(at: RadioInstant(nanoseconds: 5)) { log.note("5 at \(loop.now.nanoseconds)") }
      try await loop.clock.sleep(until: RadioInstant(nanoseconds: 30))
      #expect(loop.now.nanoseconds == 30)
    }
    #expect(log.all == ["5 at 5", "a", "b", "c", "20"])
  }

  @Test("a timer that was taken back does not run, and many of them leave nothing behind")
  func cancelledTimers() async throws {
    let log = Log()
    try await simulate { loop in
      for number in 0..<10_000 {
        let timer = loop.schedule(at: RadioInstant(nanoseconds: Int64(number % 97) + 1)) { log.note("ran") }
        if number % 100 != 0 { loop.cancel(timer) }
        if number % 100 == 50 { loop.cancel(timer) }
      }
      try await loop.clock.sleep(for: .seconds(1))
    }
    #expect(log.all.count == 100)
  }

  @Test("ten hours of one timer a second pass without waiting")
  func tenHours() async throws {
    let ticks = try await simulate { loop in
      var ticks = 0
      while loop.now.sinceStart < .seconds(36_000) {
        try await loop.clock.sleep(for: .seconds(1))
        ticks += 1
      }
      return ticks
    }
    #expect(ticks == 36_000)
  }

  @Test("a deadline that has passed is met without a step of time")
  func pastDeadline() async throws {
    try await simulate { loop in
      try await loop.clock.sleep(for: .seconds(3))
      try await loop.clock.sleep(until: .zero)
      try await loop.clock.sleep(for: .seconds(-5))
      #expect(loop.now.sinceStart == .seconds(3))
    }
  }

  @Test("work for the loop runs at once when its caller is there already")
  func runInline() async throws {
    let log = Log()
    try await simulate { loop in
      #expect(loop.isCurrent)
      loop.run { log.note("inner") }
      log.note("outer")
    }
    #expect(log.all == ["inner", "outer"])
  }

  @Test("actors of the loop may be entered without a hop")
  func assumeIsolated() async throws {
    try await simulate { loop in
      let resident = Resident(loop, Log())
      loop.submit { resident.assumeIsolated { $0.preconditionIsolated() } }
      await Task.yield()
    }
  }

  @Test("the result and the error of the body come back, also what is not Sendable")
  func results() async throws {
    final class Plain { var value = 3 }
    struct Sorry: Error {}
    let plain = try await simulate { _ in Plain() }
    #expect(plain.value == 3)
    await #expect(throws: Sorry.self) { try await simulate { _ in throw Sorry() } }
  }

  @Test("task-local values of the caller are those of the body")
  func taskLocals() async throws {
    try await Local.$word.withValue("here") {
      try await simulate { _ in #expect(Local.word == "here") }
    }
  }

  @Test("sleeps that outlast the body end by cancellation, and tasks that wait for them with them")
  func leftOverSleep() async throws {
    let log = Log()
    try await simulate { loop in
      Task {
        do {
          try await loop.clock.sleep(for: .seconds(10))
          log.note("slept")
        } catch {
          log.note("\(type(of: error)) at \(loop.now.sinceStart)")
        }
        // Nothing is waited for any more.
        try? await loop.clock.sleep(for: .seconds(10))
        log.note("end at \(loop.now.sinceStart)")
      }
      try await loop.clock.sleep(for: .seconds(1))
    }
    #expect(log.all == ["CancellationError at 1.0 seconds", "end at 1.0 seconds"])
  }

  @Test("nothing is left of a loop when its run is over")
  func lifetime() async throws {
    weak var weakLoop: SimulatedLoop?
    weak var weakResident: Resident?
    await {
      let loop = SimulatedLoop()
      weakLoop = loop
      let resident = Resident(loop, Log())
      weakResident = resident
      let outcome = await LoopRun(on: loop)({
        Task { while true { try await loop.clock.sleep(for: .seconds(7)) } }
        Task { try await resident.step("left") }
        await MainActor.run {}
        _ = try await resident.step("done")
      })
      #expect(outcome.failure == nil)
    }()
    #expect(weakResident == nil)
    #expect(weakLoop == nil)
  }

  @Test("calls that come after the end are served, and sleep no more")
  func stragglers() async throws {
    let log = Log()
    let loop = SimulatedLoop()
    let resident = Resident(loop, log)
    _ = await LoopRun(on: loop)({})
    await #expect(throws: CancellationError.self) { try await resident.step("late") }
    #expect(log.all.count == 1)
  }
}

private enum Local {
  @TaskLocal static var word = ""
}
