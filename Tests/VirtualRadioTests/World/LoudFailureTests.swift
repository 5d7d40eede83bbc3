import Dispatch
import RadioPort
import Testing
import VirtualRadio

@Suite("What breaks a simulated run is loud")
struct LoudFailureTests {
  /// The grace is long, as what has escaped may come back late on a busy machine; it ends when that does.
  private func failure(
    _ limits: LoopLimits = LoopLimits(grace: .seconds(600)),
    of body: @escaping @Sendable (SimulatedLoop) async throws -> Void
  ) async -> LoopFailure? {
    do {
      try await simulate(limits: limits) { try await body($0) }
      return nil
    } catch {
      return (error as? RunFailed)?.failure
    }
  }

  @Test("a callback from a Dispatch queue is an escape")
  func dispatchEscapes() async throws {
    let found = await failure { loop in
      await withCheckedContinuation { done in
        // From the loop's own thread, so that the body sleeps when it is woken from elsewhere.
        loop.submit { DispatchQueue.global().async { done.resume() } }
      }
    }
    guard case .escaped(.task, _, at: .zero) = found else {
      return #expect(Bool(false), "\(String(describing: found))")
    }
  }

  @Test("a task that asks for the process's own pool is an escape")
  func globalExecutorEscapes() async throws {
    let found = await failure { loop in
      let resident = Resident(loop, Log())
      _ = try await Task(executorPreference: globalConcurrentExecutor) { try await resident.step("away") }.value
    }
    guard case .escaped(.task, _, _) = found else { return #expect(Bool(false), "\(String(describing: found))") }
  }

  @Test("an immediate task that yields before it first waits is an escape")
  func immediateEscapes() async throws {
    let found = await failure { loop in
      await Task.immediate {
        await Task.yield()
        try? await loop.clock.sleep(for: .seconds(1))
      }.value
    }
    guard case .escaped = found else { return #expect(Bool(false), "\(String(describing: found))") }
  }

  @Test("work and timers from other threads are escapes")
  func foreignWork() async throws {
    let submitted = await failure { loop in
      await withCheckedContinuation { done in
        DispatchQueue.global().async {
          loop.submit { done.resume() }
        }
      }
    }
    guard case .escaped(.work, _, _) = submitted else {
      return #expect(Bool(false), "\(String(describing: submitted))")
    }
    let timer = await failure { loop in
      await withCheckedContinuation { done in
        DispatchQueue.global().async {
          loop.schedule(at: .zero) { done.resume() }
        }
      }
    }
    guard case .escaped(.timer, _, _) = timer else { return #expect(Bool(false), "\(String(describing: timer))") }
  }

  @Test("a task that the body leaves behind and that never ends is not passed over in silence")
  func leftBehind() async throws {
    let found = await failure(LoopLimits(jobsAfterwards: 1000)) { _ in
      Task { while true { await Task.yield() } }
    }
    guard case .spinning = found else { return #expect(Bool(false), "\(String(describing: found))") }
  }

  @Test("a body that waits for what can not come is stalled")
  func stall() async throws {
    let found = await failure(LoopLimits(grace: .milliseconds(20))) { loop in
      try await loop.clock.sleep(for: .seconds(2))
      let (stream, _) = AsyncStream<Int>.makeStream()
      for await _ in stream {}
    }
    #expect(found == .stalled(at: RadioInstant(nanoseconds: 2_000_000_000)))
  }

  @Test("a body that waits for what can not come, and that can not be cancelled, is stalled all the same")
  func hardStall() async throws {
    let found = await failure(LoopLimits(grace: .milliseconds(20))) { _ in
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    #expect(found == .stalled(at: .zero))
  }

  @Test("a real sleep is named")
  func realSleep() async throws {
    for sleep in [
      { _ = try await Task.sleep(for: .seconds(1000)) },
      { try await Task.sleep(nanoseconds: 1_000_000_000_000) },
      { try await SuspendingClock().sleep(for: .seconds(1000)) },
      { await Task.detached { try? await Task.sleep(for: .seconds(1000)) }.value },
      { await Task { @MainActor in try? await Task.sleep(for: .seconds(1000)) }.value },
    ] as [@Sendable () async throws -> Void] {
      let found = await failure(LoopLimits(grace: .milliseconds(100))) { _ in try await sleep() }
      #if compiler(>=6.3) && compiler(<6.4) && os(Linux)
        guard case .realSleep = found else { return #expect(Bool(false), "\(String(describing: found))") }
      #else
        #expect(found != nil)
      #endif
    }
  }

  @Test("a body that goes on for ever reaches the limit of its time")
  func outOfTime() async throws {
    let found = await failure(LoopLimits(time: .seconds(60))) { loop in
      while true { try await loop.clock.sleep(for: .seconds(7)) }
    }
    #expect(found == .outOfTime(limit: .seconds(60)))
  }

  @Test("a body that goes on for ever and ignores cancellation is abandoned")
  func abandoned() async throws {
    let found = await failure(LoopLimits(time: .seconds(60), jobsAfterwards: 1000)) { loop in
      while true { try? await loop.clock.sleep(for: .seconds(7)) }
    }
    #expect(found == .outOfTime(limit: .seconds(60)))
  }

  @Test("a body that keeps time from going on is spinning")
  func spinning() async throws {
    let found = await failure(LoopLimits(jobsAtOneMoment: 1000, jobsAfterwards: 1000)) { _ in
      while true { await Task.yield() }
    }
    guard case .spinning = found else { return #expect(Bool(false), "\(String(describing: found))") }
  }

  @Test("cancelling the test's own task cancels the body, and is no escape")
  func outerCancellation() async throws {
    let (started, start) = AsyncStream<Void>.makeStream()
    let task = Task {
      try await simulate { loop in
        Task {
          start.yield()
          start.finish()
        }
        while true { try await loop.clock.sleep(for: .seconds(1)) }
      }
    }
    for await _ in started {}
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
