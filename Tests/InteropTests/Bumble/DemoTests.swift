import Foundation
import Testing

/// `halcyon demo` as a program of its own.
@Suite("halcyon demo on a real controller", .timeLimit(.minutes(5)))
struct DemoTests {
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

  /// Lets it do the job twice and capture that, and gives what Wireshark has to say of the file.
  private func captured(port: UInt16) async throws -> (lines: [String], faults: [String]) {
    let file = FileManager.default.temporaryDirectory.appending(path: "demo-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let demo = try halcyon("demo", "--radio", "hci:tcp:127.0.0.1:\(port)", "--again", "1", "--capture", file.path)
    let ending = try? await demo.ending(within: .seconds(60))
    await demo.end()
    #expect(ending?.status == 0, "\(demo.errors)")
    #expect(topics(demo.lines).suffix(6) == ["connect", "connected", "read", "read", "read", "disconnect"])
    let lines = try await Wireshark.lines(file.path)
    for words in [
      "Sent Reset", "Exchange MTU Request", "Read By Group Type Response", "Read Request", "Write Request",
      "Handle Value Notification", "Disconnect Complete",
    ] { #expect(lines.contains { $0.contains(words) }, "the file has no \(words)") }
    // What is known of the device is not discovered again: MTU, hash, and then the first read.
    let last = try #require(lines.lastIndex { $0.contains("Sent Exchange MTU Request") })
    let requests = lines[last...].filter { $0.contains(" Sent ") && $0.contains(" Request,") }
    for (request, words) in zip(requests, ["Exchange MTU Request", "Database Hash", "Sent Read Request"]) {
      #expect(request.contains(words), "\(requests.joined(separator: "\n"))")
    }
    #expect(!lines[last...].contains { $0.contains("Read By Group Type") })
    return (lines, try await Wireshark.faults(file.path))
  }

  @Test("what it captures on Bumble's controller is whole for Wireshark, by name", Bumble.trait, Wireshark.trait)
  func captureOnItsController() async throws {
    try await Bumble.withPeer("heart_rate_server.py") { _, port in
      let (lines, faults) = try await captured(port: port)
      #expect(lines.contains { $0.contains("Sent LE Create Connection") })
      // Bumble's controller answers what it does not know by a status, and nothing else of what belongs there.
      let ours = faults.filter { !$0.contains("Rcvd Command Complete") }
      #expect(ours.isEmpty, "\(ours.joined(separator: "\n"))")
    }
  }

  @Test("what it captures on our air, another program, is whole for Wireshark, by name", Wireshark.trait)
  func captureOnAir() async throws {
    try await withAir { world, port in
      world.add(.heartRateBand(name: "Pulse"))
      let (lines, faults) = try await captured(port: port)
      #expect(lines.contains { $0.contains("Sent LE Extended Create Connection") })
      #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
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
