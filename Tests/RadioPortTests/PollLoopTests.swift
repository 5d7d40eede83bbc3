import BluetoothTypes
import RadioPort
import Synchronization
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite struct PollLoopTests {
  /// Runs `body` with a loop and waits until the loop's thread has ended.
  private func withLoop<Result: Sendable>(_ body: (PollLoop) async throws -> Result) async rethrows -> Result {
    let loop = PollLoop()
    let result = try await body(loop)
    await withCheckedContinuation { continuation in loop.stop { continuation.resume() } }
    return result
  }

  private actor Counter {
    nonisolated let loop: PollLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private(set) var count = 0

    init(_ loop: PollLoop) { self.loop = loop }

    func increment() -> Bool {
      count += 1
      return loop.isCurrent
    }

    nonisolated func incrementHere() { assumeIsolated { $0.count += 1 } }
  }

  @Test("work runs in the order in which it was submitted, on the loop")
  func order() async {
    let seen = await withLoop { loop in
      await withCheckedContinuation { continuation in
        let seen = Mutex<[Int]>([])
        for number in 0..<1_000 {
          loop.submit { seen.withLock { $0.append(loop.isCurrent ? number : -1) } }
        }
        loop.submit { continuation.resume(returning: seen.withLock { $0 }) }
      }
    }
    #expect(seen == Array(0..<1_000))
  }

  @Test("actors and tasks of the loop run on its thread, and callbacks enter without a hop")
  func isolation() async {
    await withLoop { loop in
      let counter = Counter(loop)
      #expect(!loop.isCurrent)
      #expect(await counter.increment())
      await Task(executorPreference: loop) {
        #expect(loop.isCurrent)
        #expect(loop.isIsolatingCurrentContext() == true)
        counter.incrementHere()
        #expect(await counter.increment())
      }.value
      #expect(await counter.count == 3)
    }
  }

  @Test("timers run by deadline, equal ones in the order of the calls, and none before its time")
  func timers() async {
    await withLoop { loop in
      let start = loop.now
      let seen: [Int] = await withCheckedContinuation { continuation in
        loop.submit {
          let seen = Mutex<[Int]>([])
          let soon = start.advanced(by: .milliseconds(2))
          loop.schedule(at: start.advanced(by: .milliseconds(4))) {
            seen.withLock { $0.append(4) }
            continuation.resume(returning: seen.withLock { $0 })
          }
          loop.schedule(at: soon) { seen.withLock { $0.append(1) } }
          loop.schedule(at: soon) { seen.withLock { $0.append(2) } }
          let cancelled = loop.schedule(at: soon) { seen.withLock { $0.append(99) } }
          loop.schedule(at: soon) { seen.withLock { $0.append(3) } }
          loop.cancel(cancelled)
        }
      }
      #expect(seen == [1, 2, 3, 4])
      #expect(start.duration(to: loop.now) >= .milliseconds(4))
    }
  }

  @Test("a timer that is set from another thread wakes a loop that sleeps")
  func foreignTimer() async throws {
    try await withLoop { loop in
      try await loop.clock.sleep(for: .milliseconds(1))
      try await loop.clock.sleep(for: .milliseconds(1))
    }
  }

  @Test("a descriptor's handler hears that it can be read, and nothing after the watch has ended")
  func descriptors() async {
    await withLoop { loop in
      var ends: [Int32] = [-1, -1]
      #expect(pipe(&ends) == 0)
      let (reading, writing) = (ends[0], ends[1])
      let calls: Int = await withCheckedContinuation { continuation in
        let calls = Mutex(0)
        loop.submit {
          loop.watch(reading, for: .readable) { events in
            #expect(loop.isCurrent)
            #expect(events.contains(.readable))
            calls.withLock { $0 += 1 }
            loop.unwatch(reading)
            // The byte is still there, so a watch that went on would call again before this timer.
            loop.schedule(at: loop.now.advanced(by: .milliseconds(3))) {
              continuation.resume(returning: calls.withLock { $0 })
            }
          }
        }
        var byte: UInt8 = 7
        #expect(write(writing, &byte, 1) == 1)
      }
      #expect(calls == 1)
      close(reading)
      close(writing)
    }
  }

  @Test("a peer that hangs up makes a descriptor ready for everything")
  func hangUp() async {
    await withLoop { loop in
      var ends: [Int32] = [-1, -1]
      #expect(pipe(&ends) == 0)
      let (reading, writing) = (ends[0], ends[1])
      let events: FileDescriptorEvents = await withCheckedContinuation { continuation in
        loop.submit {
          loop.watch(reading, for: .readable) { events in
            loop.unwatch(reading)
            continuation.resume(returning: events)
          }
          close(writing)
        }
      }
      #expect(events == [.readable, .writable])
      close(reading)
    }
  }

  @Test("work that keeps making work does not starve a descriptor")
  func fairness() async {
    await withLoop { loop in
      var ends: [Int32] = [-1, -1]
      #expect(pipe(&ends) == 0)
      let (reading, writing) = (ends[0], ends[1])
      await withCheckedContinuation { continuation in
        let isDone = Atomic(false)
        @Sendable func again() { if !isDone.load(ordering: .relaxed) { loop.submit { again() } } }
        loop.submit {
          again()
          loop.watch(reading, for: .readable) { _ in
            loop.unwatch(reading)
            isDone.store(true, ordering: .relaxed)
            continuation.resume()
          }
        }
        var byte: UInt8 = 7
        #expect(write(writing, &byte, 1) == 1)
      }
      close(reading)
      close(writing)
    }
  }

  @Test("a timer that is late lets a descriptor speak first: what came in time is not told as missing")
  func lateTimer() async {
    await withLoop { loop in
      var ends: [Int32] = [-1, -1]
      #expect(pipe(&ends) == 0)
      let (reading, writing) = (ends[0], ends[1])
      let order: [String] = await withCheckedContinuation { continuation in
        let order = Mutex<[String]>([])
        loop.submit {
          var byte: UInt8 = 7
          #expect(write(writing, &byte, 1) == 1)
          // Due while the thread is here, as after a stop of the whole process.
          loop.schedule(at: loop.now) { continuation.resume(returning: order.withLock { $0 + ["too late"] }) }
          loop.watch(reading, for: .readable) { _ in
            loop.unwatch(reading)
            order.withLock { $0.append("answer") }
          }
        }
      }
      #expect(order == ["answer", "too late"])
      close(reading)
      close(writing)
    }
  }

  @Test("a loop that is stopped runs what is in its queue, tells its timers, closes what it opened and ends")
  func stop() async {
    let loop = PollLoop()
    let seen = Mutex<[String]>([])
    let late = loop.now.advanced(by: .seconds(3_600))
    loop.schedule(at: late, orAtEnd: { seen.withLock { $0.append("timer told") } }) {
      seen.withLock { $0.append("timer ran") }
    }
    loop.submit { seen.withLock { $0.append("work") } }
    await withCheckedContinuation { continuation in loop.stop { continuation.resume() } }
    #expect(seen.withLock { $0 } == ["work", "timer told"])
    #expect(loop.hasEnded)

    // A straggler is not left waiting, neither a job nor a sleep.
    #expect(await Counter(loop).increment())
    try? await loop.clock.sleep(for: .seconds(3_600))
    await withCheckedContinuation { continuation in loop.stop { continuation.resume() } }
    #expect(loop.hasEnded)
  }

  @Test("loops that come and go leave no descriptor behind")
  func descriptorsAreClosed() async {
    func lowestFree() -> Int32 {
      let descriptor = open("/dev/null", O_RDONLY)
      close(descriptor)
      return descriptor
    }
    for _ in 0..<200 { await withLoop { loop in await Task(executorPreference: loop) {}.value } }
    // Other tests open descriptors too, but not hundreds.
    #expect(lowestFree() < 300)
  }
}
