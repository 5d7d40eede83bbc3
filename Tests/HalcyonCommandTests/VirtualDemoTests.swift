import Foundation
import Halcyon
import Synchronization
import Testing

@testable import HalcyonCommand

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite("The demo on virtual devices")
struct VirtualDemoTests {
  private func transcript(seed: UInt64) async throws -> [String] {
    let lines = Lines()
    try await VirtualDemo(seed: seed, output: { lines.append($0) }).run()
    return lines.all
  }

  @Test("The same seed gives the same transcript to the byte, and another seed another")
  func repeatable() async throws {
    let first = try await transcript(seed: 5)
    #expect(try await transcript(seed: 5) == first)
    #expect(try await transcript(seed: 6) != first)
  }

  @Test("LBT-02: It finds, connects, discovers, reads, streams, writes, loses a link and recovers", arguments: 1...20)
  func wholeJob(_ seed: UInt64) async throws {
    let topics = try await transcript(seed: seed).compactMap { line in
      line.split(separator: " ", omittingEmptySubsequences: true).dropFirst().first.map(String.init)
    }
    for topic in [
      "found", "connect", "connected", "discover", "read", "beat", "indicated", "write", "lost", "reconnect",
      "disconnect", "done",
    ] {
      #expect(topics.contains(topic), "no line tells of \(topic)")
    }
    #expect(topics.filter { $0 == "found" }.count == 3)
  }

  @Test("It writes its packets to a file, and fails with a reason if that is not possible")
  func capture() async throws {
    let path = "/tmp/halcyon-demo-\(UInt64.random(in: 0 ... .max)).btsnoop"
    defer { unlink(path) }
    try await VirtualDemo(seed: 1, capture: path, output: { _ in }).run()
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_size > 5_000)
    // Behind the headers of the file and the record: all, from the reset on.
    let bytes = Array(try Data(contentsOf: URL(filePath: path)).prefix(44))
    #expect(bytes.suffix(4) == [1, 3, 12, 0])

    let error = await #expect(throws: BluetoothError.self) {
      try await VirtualDemo(seed: 1, capture: "/missing/folder/file", output: { _ in }).run()
    }
    #expect(error?.kind == .fileFailed)
  }

  @Test("Ten minutes and more of radio time pass")
  func radioTime() async throws {
    let last = try #require(try await transcript(seed: 1).last)
    let minutes = try #require(last.prefix(while: { $0 != ":" }).wholeMatch(of: /\d+/))
    #expect(try #require(Int(minutes.output)) >= 10)
  }
}

/// Lines as they come.
private final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  func append(_ line: String) { lines.withLock { $0.append(line) } }

  var all: [String] { lines.withLock { $0 } }
}
