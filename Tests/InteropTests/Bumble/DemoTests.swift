import Foundation
import Testing

/// `halcyon demo` as a program of its own.
@Suite("halcyon demo on a real controller", .timeLimit(.minutes(5)))
struct DemoTests {
  /// The command, which the build puts beside the tests.
  private func halcyon(_ arguments: String...) throws -> ChildProcess {
    let tests = try #require(Bundle.main.executableURL ?? CommandLine.arguments.first.map(URL.init(fileURLWithPath:)))
    var folder = tests.deletingLastPathComponent()
    // On Apple's systems the tests are deep in a bundle.
    while folder.path != "/",
      !FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent("halcyon").path)
    {
      folder.deleteLastPathComponent()
    }
    return try ChildProcess(folder.appendingPathComponent("halcyon"), arguments)
  }

  /// What each line is about: the word behind the time.
  private func topics(_ lines: [String]) -> [String] {
    lines.compactMap { $0.wholeMatch(of: /\d+:\d+\.\d+  (\w+) .*/).map { String($0.1) } }
  }

  @Test("LBT-02: it does the main job with Bumble's heart-rate server", Bumble.trait)
  func mainJob() async throws {
    try await Bumble.withPeer("heart_rate_server.py") { peer, port in
      let demo = try halcyon("demo", "--radio", "hci:tcp:127.0.0.1:\(port)")
      let ending = try? await demo.ending(within: .seconds(60))
      await demo.end()
      let lines = demo.lines
      #expect(ending?.status == 0, "\(demo.errors)")
      #expect(
        topics(lines) == [
          "radio", "scan", "found", "connect", "connected", "discover", "read", "read", "read", "subscribe", "beat",
          "beat", "beat", "beat", "beat", "write", "disconnect",
        ],
        "\(lines.joined(separator: "\n"))"
      )
      for text in ["Bumble Heart", "manufacturer: ACME", "body sensor location: wrist", "88", "Heart Rate Measurement"]
      {
        #expect(lines.contains { $0.contains(text) }, "no line tells of \(text)")
      }
      _ = try await peer.line("reset")
      _ = try await peer.line("disconnected")
    }
  }

  @Test("without a controller it fails with a status and one line that says what to do")
  func refused() async throws {
    let server = try ControllerServer([])
    server.stop()
    let demo = try halcyon("demo", "--radio", "hci:tcp:127.0.0.1:\(server.port)")
    let ending = try? await demo.ending(within: .seconds(60))
    await demo.end()
    #expect(ending?.status == 1)
    #expect(
      demo.errors.contains("No HCI controller at 127.0.0.1:\(server.port): Connection refused. Start a controller")
    )
    #expect(demo.errors.split(separator: "\n").count == 1)
  }
}
