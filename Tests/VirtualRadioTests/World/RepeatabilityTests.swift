import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("A simulated run is the same each time", .reportsWorlds)
struct RepeatabilityTests {
  /// What app code does, with all the ways in which a task can come about.
  private static func scenario(_ loop: SimulatedLoop, _ log: Log) async throws {
    let clock = loop.clock
    let residents = (0..<3).map { _ in Resident(loop, log) }

    // A group whose members finish in an order that time decides.
    try await withThrowingTaskGroup(of: Int.self) { group in
      for (number, resident) in residents.enumerated() {
        group.addTask {
          try await clock.sleep(for: .milliseconds(10 - number))
          return try await resident.step("group \(number)")
        }
      }
      for try await count in group { log.note("count \(count)") }
    }

    // A race of work against a timeout.
    await withTaskGroup(of: String.self) { group in
      group.addTask {
        do { try await clock.sleep(for: .seconds(60)) } catch { log.note("loser: \(type(of: error))") }
        return "work"
      }
      group.addTask {
        try? await clock.sleep(for: .seconds(1))
        return "timeout"
      }
      log.note(await group.next() ?? "nothing")
      group.cancelAll()
    }

    // Streams with a producer task and operators.
    let numbers = AsyncStream<Int> { continuation in
      let task = Task {
        for number in 0..<20 {
          try? await clock.sleep(for: .milliseconds(number % 3))
          continuation.yield(number)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
    let even = numbers.filter { $0 % 2 == 0 }.map { number in
      _ = try? await residents[number % 3].step("map \(number)")
      return number
    }
    for await number in even where number > 4 { log.note("stream \(number)") }

    // Tasks without structure, detached ones, and the main actor's.
    async let first = residents[0].step("async let a")
    async let second = residents[1].step("async let b")
    let plain = Task {
      for _ in 0..<3 {
        log.note("plain at \(loop.now.sinceStart)")
        try await clock.sleep(for: .milliseconds(2))
      }
    }
    let detached = Task.detached {
      log.note("detached \(try await residents[2].step("detached"))")
    }
    let main = Task { @MainActor in
      noteFromMain { log.note("main at \(loop.now.sinceStart)") }
      try await clock.sleep(for: .milliseconds(1))
      MainActor.preconditionIsolated()
      log.note("main again, on the loop: \(loop.isCurrent)")
    }
    let immediate = Task.immediate {
      log.note("immediate")
      try? await clock.sleep(for: .milliseconds(3))
      log.note("immediate after \(loop.isCurrent)")
    }
    let counter = Counter()
    for _ in 0..<5 { Task(priority: .low) { log.note("low \(await counter.next())") } }
    Task(priority: .high) { log.note("high \(await counter.next())") }
    log.note("sum \(try await first + second)")
    try await plain.value
    try await detached.value
    try await main.value
    await immediate.value

    // Cancellation in the middle of a sleep.
    let cancelled = Task {
      do { try await clock.sleep(for: .seconds(100)) } catch { log.note("cancelled at \(loop.now.sinceStart)") }
    }
    try await clock.sleep(for: .milliseconds(5))
    cancelled.cancel()
    await cancelled.value
  }

  @Test("two hundred runs of tasks, groups, streams, actors and cancellation have one trace")
  func twoHundredRuns() async throws {
    var traces: [[String]: Int] = [:]
    for _ in 0..<200 {
      let log = Log()
      try await simulate { loop in try await Self.scenario(loop, log) }
      traces[log.all, default: 0] += 1
    }
    #expect(traces.values.map { $0 } == [200])
    let trace = try #require(traces.keys.first)
    #expect(trace.contains("main again, on the loop: true"))
    #expect(trace.contains("immediate after true"))
    #expect(trace.contains("timeout"))
    #expect(trace.contains("loser: CancellationError"))
  }

  @Test("worlds on many threads do not disturb each other")
  func parallelWorlds() async throws {
    let traces = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<40 {
        group.addTask {
          let log = Log()
          try await simulate { loop in try await Self.scenario(loop, log) }
          return log.all
        }
      }
      return try await group.reduce(into: Set<[String]>()) { $0.insert($1) }
    }
    #expect(traces.count == 1)
  }

  @Test("tasks outside of worlds run where they always did")
  func outside() async throws {
    try await simulate { _ in }
    let isOnALoop = await Task.detached { SimulatedLoop().isCurrent }.value
    #expect(!isOnALoop)
    await MainActor.run { MainActor.preconditionIsolated() }
  }
}

private actor Counter {
  private var value = 0

  func next() -> Int {
    value += 1
    return value
  }
}

/// A delegate method as apps have them: not isolated, but called on the main thread.
private func noteFromMain(_ body: @MainActor () -> Void) { MainActor.assumeIsolated(body) }
