import BluetoothTypes
import Testing

@testable import HCITransport

@Suite("btsnoop files")
struct BtsnoopTests {
  private static let packets: [(HCIPacket.Direction, [UInt8])] = [
    (.toController, [1, 0x03, 0x0C, 0]),
    (.toHost, [4, 0x0E, 4, 1, 0x03, 0x0C, 0]),
    (.toController, [2, 0x40, 0, 7, 0, 3, 0, 4, 0, 0x0A, 3, 0]),
    (.toHost, [2, 0x40, 0x20, 5, 0, 1, 0, 4, 0, 0x13]),
  ]

  private func file() throws -> [UInt8] {
    var writer = ByteWriter()
    BtsnoopHeader(dataLink: .h4).write(to: &writer)
    for (index, (direction, bytes)) in Self.packets.enumerated() {
      let packet = try #require(HCIPacket(bytes))
      BtsnoopRecord(packet, direction, unixMicroseconds: 946_684_800_000_000 + Int64(index)).write(to: &writer)
    }
    return writer.bytes
  }

  @Test("a record is laid out as the format says")
  func layout() throws {
    let bytes = try file()
    #expect(bytes.prefix(16) == [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0, 0, 0, 0, 1, 0, 0, 0x03, 0xEA])
    // Length twice, flags for a command that was sent, no drops, 2000-01-01 in microseconds of the format's calendar.
    #expect(
      bytes[16..<40] == [0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0xE0, 0x3A, 0xB4, 0x4A, 0x67, 0x60, 0]
    )
    #expect(bytes[40..<44] == [1, 0x03, 0x0C, 0])
  }

  @Test("what is written is read again")
  func roundTrip() throws {
    let read = try BtsnoopFile(file())
    #expect(read.header.dataLink == .h4)
    #expect(read.records.map(\.bytes) == Self.packets.map(\.1))
    #expect(read.records.map(\.direction) == Self.packets.map(\.0))
    #expect(read.records.map(\.flags) == [.commandOrEvent, [.commandOrEvent, .received], [], .received])
    #expect(read.records.map(\.unixMicroseconds) == (0..<4).map { 946_684_800_000_000 + $0 })
  }

  @Test("a file that is cut anywhere but behind a record is refused, with the place")
  func truncation() throws {
    let bytes = try file()
    var ends = [16]
    for (_, packet) in Self.packets { ends.append(ends[ends.count - 1] + 24 + packet.count) }
    for count in 0..<bytes.count {
      let part = Array(bytes.prefix(count))
      if ends.contains(count) {
        #expect(try BtsnoopFile(part).records.count == ends.firstIndex(of: count))
      } else {
        let error = #expect(throws: ByteError.self) { try BtsnoopFile(part) }
        #expect((error?.offset ?? .max) <= count)
      }
    }
  }

  @Test("bytes at random never crash the reader")
  func randomBytes() throws {
    var random = SplitMix64(seed: 20)
    let good = try file()
    for _ in 0..<2000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      _ = try? BtsnoopFile(bytes)
      _ = try? BtsnoopFile((0..<40).map { _ in .random(in: 0...255, using: &random) })
    }
  }

  @Test("other files, and other versions of the format, are refused")
  func foreign() throws {
    var bytes = try file()
    bytes[11] = 2
    #expect(throws: ByteError(offset: 8, problem: .invalid("a version of btsnoop other than 1"))) {
      try BtsnoopFile(bytes)
    }
    bytes[0] = 0x63
    #expect(throws: ByteError(offset: 0, problem: .invalid("no btsnoop file"))) { try BtsnoopFile(bytes) }
  }
}
