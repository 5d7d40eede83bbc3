import Testing
import VirtualRadio

/// Adds to each issue of a test what helps to repeat it: the seed and the last packets of the world that it arose in.
///
/// ```swift
/// @Test(.reportsWorlds) func survivesATunnel() async throws {
///   try await World.simulated(seed: 1) { world in … }
/// }
/// ```
///
/// Also for suites; then it holds for all their tests.
public struct WorldReportTrait: TestTrait, SuiteTrait, TestScoping {
  /// How many of a world's last packets are shown.
  public let packets: Int

  /// Suites hand the trait down to their tests.
  public var isRecursive: Bool { true }

  /// Runs a test so that its issues are added to.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let collector = WorldReport.Collector()
    let packets = packets
    let handler: IssueHandlingTrait = .compactMapIssues { issue in
      var issue = issue
      // Inside a world the issue is that world's; one that the test's end brings belongs to the world that threw.
      if let world = World.current {
        issue.comments.append(Comment(rawValue: WorldReport(on: world, packets: packets).description))
      } else if issue.error != nil {
        issue.comments += collector.take().map { Comment(rawValue: $0.description) }
      }
      return issue
    }
    do {
      try await WorldReport.$collector.withValue(collector) {
        try await handler.provideScope(for: test, testCase: testCase, performing: function)
      }
    } catch let error where !(error is ExpectationFailedError) {
      // Swift Testing records what a test throws outside of the test's traits, where nothing can be added to it.
      let reports = collector.take()
      guard !reports.isEmpty else { throw error }
      let comment = Comment(rawValue: reports.map(\.description).joined(separator: "\n"))
      Issue.record(error, comment, sourceLocation: test.sourceLocation)
    }
  }
}

extension Trait where Self == WorldReportTrait {
  /// Adds the seed and the last 60 packets of the world to each issue that arises in one.
  public static var reportsWorlds: Self { reportsWorlds(packets: 60) }

  /// Adds the seed and the last packets of the world to each issue that arises in one.
  ///
  /// - Parameter packets: How many packets are shown.
  public static func reportsWorlds(packets: Int) -> Self { WorldReportTrait(packets: packets) }
}
