import BluetoothTypes
import Dispatch
import RadioPort
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("A failure in a world")
struct WorldReportTests {
  /// Takes the issues that come out of the trait, so that this test does not fail by them.
  private static func comments(
    noting note: @escaping @Sendable (String) -> Void = { _ in },
    of body: @escaping @Sendable () async throws -> Void
  ) async throws -> [String] {
    let test = try #require(Test.current)
    let comments = Mutex<[String]>([])
    let catcher: IssueHandlingTrait = .compactMapIssues { issue in
      comments.withLock { $0 += issue.comments.map(\.rawValue) }
      issue.comments.forEach { note($0.rawValue) }
      return nil
    }
    try await catcher.provideScope(for: test, testCase: nil) {
      try await WorldReportTrait.reportsWorlds(packets: 5).provideScope(for: test, testCase: nil, performing: body)
    }
    return comments.withLock { $0 }
  }

  @Test("an expectation that is not met in a world names the seed, the time and the last packets")
  func expectation() async throws {
    let comments = try await Self.comments {
      try await World.simulated(seed: 4711) { world in
        let channel = world.space.addController(.init(address: BluetoothAddress(1, .public)), name: "probe")
        channel.open(receive: { _ in }, closed: { _ in })
        try await world.run(for: .seconds(3))
        channel.send(HCIPacket(.command, payload: [0x03, 0x0C, 0x00]))
        #expect(Bool(false))
      }
    }
    let text = try #require(comments.first)
    #expect(text.contains("seed 4711"))
    #expect(text.contains("3.000000  probe >"))
    #expect(text.contains("digest"))
  }

  @Test("an error that leaves a world carries the same report")
  func thrownError() async throws {
    struct Sorry: Error {}
    let comments = try await Self.comments {
      try await World.simulated(seed: 4712) { _ in throw Sorry() }
    }
    #expect(comments.contains { $0.contains("seed 4712") })
  }

  @Test("a requirement that is not met carries it once, and ends the test")
  func requirement() async throws {
    let log = Mutex<[String]>([])
    await #expect(throws: ExpectationFailedError.self) {
      _ = try await Self.comments(noting: { text in log.withLock { $0.append(text) } }) {
        try await World.simulated(seed: 4714) { _ in try #require(Bool(false)) }
      }
    }
    #expect(log.withLock { $0 }.filter { $0.contains("seed 4714") }.count == 1)
  }

  @Test("an error that no world threw goes its way")
  func otherError() async throws {
    struct Sorry: Error {}
    await #expect(throws: Sorry.self) { _ = try await Self.comments { throw Sorry() } }
  }

  @Test("a run that was not repeatable carries it too, and says what to do")
  func escaped() async throws {
    let collector = WorldReport.Collector()
    let error = await WorldReport.$collector.withValue(collector) {
      await #expect(throws: WorldError.self) {
        try await World.simulated(seed: 4713, limits: LoopLimits(grace: .seconds(600))) { world in
          await withCheckedContinuation { done in
            // From the world's own thread, so that the body sleeps when it is woken from elsewhere.
            world.space.executor.submit { DispatchQueue.global().async { done.resume() } }
          }
        }
      }
    }
    #expect(error?.kind == .escaped)
    #expect(error?.description.contains("seed 4713") == true)
    #expect(error?.description.contains("keep such work out of the test") == true)
    #expect(collector.take().map(\.seed) == [4713])
  }

  @Test("an issue outside of any world is left alone")
  func outside() async throws {
    let comments = try await Self.comments { Issue.record("plain") }
    #expect(comments == ["plain"])
  }
}
