import Testing
import VirtualRadio

/// The tools that come with Bumble, as people use them to look at a device: here at one of ours.
@Suite("Bumble's scanner and GATT dump on our advertiser", Bumble.trait, .timeLimit(.minutes(5)))
struct ToolTests {
  /// Waits for a line that has all of the words in it.
  private static func wait(for words: [String], from program: ChildProcess) async throws {
    for count in 1... {
      let line = try await program.line("", count: count)
      if words.allSatisfy(line.contains) { return }
    }
  }

  @Test("the scanner shows the device's address, name and services")
  func scanner() async throws {
    try await withAir { world, port in
      let band = world.add(.heartRateBand(name: "Pulse"))
      let scanner = try Bumble.start(app: "scan", ["tcp-client:127.0.0.1:\(port)"])
      let result: Result<Void, any Error>
      do {
        try await Self.wait(for: [">>> ", "\(band.device.address)"], from: scanner)
        try await Self.wait(for: ["Pulse"], from: scanner)
        try await Self.wait(for: ["Heart Rate"], from: scanner)
        result = .success(())
      } catch { result = .failure(error) }
      await scanner.end()
      try result.get()
    }
  }

  @Test("the dump has every service, characteristic and descriptor, and the values that can be read")
  func dump() async throws {
    try await withAir { world, port in
      world.add(.heartRateBand(name: "Pulse"))
      let dump = try Bumble.start(app: "gatt_dump", ["tcp-client:127.0.0.1:\(port)", "Pulse"])
      let ending = try? await dump.ending(within: .seconds(60))
      await dump.end()
      let lines = dump.lines
      #expect(ending?.status == 0, "\(dump.errors)")
      for uuid in ["1800", "1801", "180D", "180F", "180A", "2A00", "2A37", "2A38", "2A19", "2A29", "2902"] {
        #expect(lines.contains { $0.contains(uuid) }, "nothing of \(uuid) in \(lines)")
      }
      // Each attribute stands in a line, and in the next one what was read.
      func value(of uuid: String) -> String {
        let place = lines.lastIndex { $0.hasPrefix("Attribute(") && $0.contains("UUID-16:\(uuid) ") }
        return place.map { $0 + 1 < lines.count ? lines[$0 + 1] : "" } ?? ""
      }
      for (uuid, bytes) in [("2A00", "50756c7365"), ("2A38", "01"), ("2A29", "48616c63796f6e"), ("2A19", "64")] {
        #expect(value(of: uuid).contains("m\(bytes)\u{1B}"), "\(uuid) is \(value(of: uuid))")
      }
      #expect(value(of: "2A37").contains("READ_NOT_PERMITTED"))
      #expect(!lines.contains { $0.contains("timeout") })
    }
  }
}
