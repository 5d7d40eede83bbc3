import Halcyon
import Synchronization
import Testing

/// The other half of the main job on real input: our host and server at one end, Bumble's controllers and host, as
/// central, at the other.
@Suite("Bumble's central", Bumble.trait, .timeLimit(.minutes(5)))
struct CentralTests {
  private static let name = "Halcyon Heart"
  /// Longer than any PDU here, so that it takes several to read.
  private static let manufacturer = String(repeating: "Halcyon & Daughters, ", count: 14)
  private static let address = "F0:F1:F2:F3:F4:F5"
  private static let longValue = [UInt8](0..<150) + [UInt8](0..<150)

  /// What the handlers of the server have seen.
  private final class Diary: Sendable {
    private let pages = Mutex((visitors: [PeerID](), resets: 0, echo: [UInt8]()))
    var visitors: [PeerID] { pages.withLock { $0.visitors } }
    var resets: Int { pages.withLock { $0.resets } }
    var echo: [UInt8] { pages.withLock { $0.echo } }
    func meet(_ visitor: PeerID) { pages.withLock { $0.visitors.append(visitor) } }
    func reset() { pages.withLock { $0.resets += 1 } }
    func keep(_ value: [UInt8]) { pages.withLock { $0.echo = value } }
  }

  @ServiceBuilder
  private static func services(_ diary: Diary, _ written: AsyncStream<[UInt8]>.Continuation) -> [Service] {
    Service(.heartRate) {
      Notifying(.heartRateMeasurement) { subscriber in
        // As fast as the radio takes them: no room, no beat, and none is lost.
        for beat in 0... { try await subscriber.send(HeartRateMeasurement(beatsPerMinute: UInt16(beat % 256))) }
      }
      Readable(.bodySensorLocation) { request in
        diary.meet(request.central.id)
        return .chest
      }
      Writable(.heartRateControlPoint) { command in
        guard command == .resetEnergyExpended else { throw ATTError.heartRateControlPointNotSupported }
        diary.reset()
      }
    }
    Service(.deviceInformation) { Readable(.manufacturerName, value: manufacturer) }
    Service(.echoes) {
      Readable(.echo) { diary.echo }
      Writable(.echo, type: .automatic) { value in
        diary.keep(value)
        written.yield(value)
      }
      Indicating(.echo)
    }
  }

  /// What a round of the central must say.
  private static func expectRound(_ count: Int, of peer: ChildProcess, mtu: Int) async throws {
    func line(_ start: String, _ index: Int = 1, of each: Int = 1) async throws -> String {
      try await peer.line(start, count: (count - 1) * each + index)
    }
    if mtu > 0 { #expect(try await line("mtu ") == "\(mtu)") }
    let services = Set(try await line("services ").split(separator: " ").map(String.init))
    #expect(services.isSuperset(of: ["1800", "1801", "180D", "180A"]), "\(services)")
    #expect(try await line("read 2A38 ") == "01")
    #expect(try await line("read 2A29 ") == hex(manufacturer.utf8))
    _ = try await line("wrote 2A39")
    #expect(try await line("refused 2A39 ") == "\(ATTError.heartRateControlPointNotSupported.rawValue)")
    #expect(try await line("beats ") == "50 0")
    for (index, value) in [Array("command".utf8), Array("request".utf8), longValue].enumerated() {
      #expect(try await line("indicated ", index + 1, of: 3) == hex(end(of: value)))
    }
    #expect(try await line("read echo ", 1, of: 2) == hex("request".utf8))
    #expect(try await line("read echo ", 2, of: 2) == hex(longValue))
    _ = try await line("unsubscribed")
  }

  /// The part of a written value that goes back: it fits into each PDU.
  private static func end(of value: [UInt8]) -> [UInt8] { Array(value.suffix(20)) }

  private static func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 2 ? digits : "0\(digits)"
    }.joined()
  }

  @Test(
    "finds our server, by legacy and extended commands, reads, writes, listens and leaves, twice; all values in order",
    arguments: [(acl: 27, mtu: 247, isExtended: false), (251, 0, false), (251, 247, true)]
  )
  func mainJob(acl: Int, mtu: Int, isExtended: Bool) async throws {
    var options = ["--name", Self.name, "--address", Self.address, "--echo", Characteristic.echo.uuid.description]
    options += ["--acl", "\(acl)", "--mtu", "\(mtu)", "--rounds", "2"]
    if isExtended { options.append("--extended") }
    try await Bumble.withPeer("central.py", options) {
      peer,
      port in
      let diary = Diary()
      let (written, source) = AsyncStream.makeStream(of: [UInt8].self)
      try await withServer(port: port, advertising: .init(name: Self.name, services: [.heartRate])) {
        Self.services(diary, source)
      } _: { server in
        try await server.start(timeout: .seconds(60))
        let echoing = Task { () async throws -> Void in
          for await value in written {
            // Returns when the central has confirmed it.
            let count = try await server.send(Self.end(of: value), on: .echo, timeout: .seconds(60))
            #expect(count == 1)
          }
        }
        defer { echoing.cancel() }
        for count in 1...2 {
          try await Self.expectRound(count, of: peer, mtu: mtu)
          _ = try await peer.line("disconnected", count: count)
        }
        _ = try await bounded("the end of the last connection") { await server.centrals.first { $0.isEmpty } }
        #expect(server.currentSubscriptions.isEmpty)
        let visitor = PeerID(try #require(BluetoothAddress(Self.address, .random)))
        #expect(diary.visitors == [visitor, visitor])
        #expect(diary.resets == 2)
        #expect(!peer.lines.contains { $0.hasPrefix("mixed") }, "\(peer.lines)")
        #expect(server.state.isRunning)
        await server.stop()
      }
    }
  }
}

extension ServiceID {
  fileprivate static let echoes: ServiceID = "A0020000-0000-4000-8000-00805F9B34FB"
}

extension Characteristic where Value == [UInt8] {
  fileprivate static var echo: Self { .init("A0020001-0000-4000-8000-00805F9B34FB", in: .echoes) }
}
