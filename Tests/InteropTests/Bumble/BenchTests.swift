import Testing

/// Bumble's own measuring program on our air: both of its ends on controllers of ours. What it measures does not matter
/// here, but that each packet comes, once and in order, however the link carries it.
@Suite("bumble-bench on our air", .serialized, Bumble.trait, .timeLimit(.minutes(5)))
struct BenchTests {
  /// One run of both ends.
  struct Run: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What the central's end is told, before its role and behind it.
    let central: [String]
    var link: [String] = []
    let peripheral: [String]
    /// Who sends the packets that are counted.
    let sender: Role
    /// Whether each packet is answered, and not only the last one.
    let isPing: Bool
    let packets: Int
    /// What the link must have come to at both ends.
    var outcome: [String] = []

    enum Role: Sendable { case central, peripheral }
  }

  private static let runs = [
    Run(
      testDescription: "GATT: the central writes, the peripheral notifies back",
      central: ["--scenario", "ping", "-c", "20"],
      peripheral: ["--scenario", "pong"],
      sender: .central,
      isPing: true,
      packets: 20
    ),
    Run(
      testDescription: "GATT: the peripheral notifies, the central writes back",
      central: ["--scenario", "pong"],
      peripheral: ["--scenario", "ping", "-c", "20"],
      sender: .peripheral,
      isPing: true,
      packets: 20
    ),
    Run(
      testDescription: "L2CAP: the central sends with long packets on the 2M PHY",
      central: ["--mode", "l2cap-client", "--scenario", "send", "-c", "100", "--extended-data-length", "251/17040"],
      link: ["--phy", "2m"],
      peripheral: ["--mode", "l2cap-server", "--scenario", "receive", "--extended-data-length", "251/17040"],
      sender: .central,
      isPing: false,
      packets: 100,
      outcome: ["DL=(TX:251/", "TX:2M/RX:2M"]
    ),
    Run(
      testDescription: "L2CAP: the peripheral sends at an interval of 15 ms",
      central: ["--mode", "l2cap-client", "--scenario", "receive"],
      link: ["--connection-interval", "15"],
      peripheral: ["--mode", "l2cap-server", "--scenario", "send", "-c", "100"],
      sender: .peripheral,
      isPing: false,
      packets: 100,
      outcome: ["Parameters=15.00/"]
    ),
    Run(
      testDescription: "L2CAP: each packet of a kilobyte comes back acknowledged",
      central: ["--mode", "l2cap-client", "--scenario", "ping", "-c", "20", "-s", "1000"],
      peripheral: ["--mode", "l2cap-server", "--scenario", "pong"],
      sender: .central,
      isPing: true,
      packets: 20
    ),
  ]

  // Its GATT client and server can not be told to “send”: Bumble 0.0.236 stops there with an AttributeError of its own.
  @Test("each packet comes, once and in order, and both ends are content", arguments: runs)
  func bench(run: Run) async throws {
    try await withAir { _, port in
      let transport = "tcp-client:127.0.0.1:\(port)"
      let peripheral = try Bumble.start(app: "bench", run.peripheral + ["peripheral", transport])
      let central: ChildProcess
      do {
        central = try Bumble.start(app: "bench", run.central + ["central", transport] + run.link)
      } catch {
        await peripheral.end()
        throw error
      }
      let endings: [ChildProcess.Ending]
      do {
        endings = [try await central.ending(within: .seconds(60)), try await peripheral.ending(within: .seconds(60))]
      } catch {
        Issue.record("\(error)\ncentral:\n\(central.errors)\nperipheral:\n\(peripheral.errors)")
        await central.end()
        await peripheral.end()
        return
      }
      let logs = endings.map { Self.withoutColours($0.complaints) }
      let (sender, receiver) = run.sender == .central ? (logs[0], logs[1]) : (logs[1], logs[0])
      #expect(endings.map(\.status) == [0, 0])
      for log in logs {
        #expect(log.contains("Done!"))
        #expect(!log.contains("Unexpected packet"))
      }
      #expect(Self.numbers(behind: "<<< Received packet ", in: receiver) == Array(0..<run.packets), "\(receiver)")
      if run.isPing {
        #expect(Self.numbers(behind: "<<< Received ACK [", in: sender) == Array(0..<run.packets), "\(sender)")
      } else {
        #expect(sender.contains("@@@ Received ACK."))
      }
      for outcome in run.outcome {
        for log in logs { #expect(log.contains(outcome), "\(log)") }
      }
    }
  }

  /// The numbers that follow a mark, in the order of their lines.
  private static func numbers(behind mark: String, in log: String) -> [Int] {
    log.split(separator: "\n").compactMap { line in
      line.firstRange(of: mark).flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
    }
  }

  /// The text without the escape sequences of a terminal.
  private static func withoutColours(_ text: String) -> String {
    text.split(separator: "\u{1B}[", omittingEmptySubsequences: false).enumerated().map { index, part in
      index == 0 ? part : part[(part.firstIndex(of: "m").map(part.index(after:)) ?? part.startIndex)...]
    }.joined()
  }
}
