import BluetoothTypes
import HCITransport
import Testing

@Suite struct H4FramerTests {
  private static let packets: [[UInt8]] = [
    [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00],
    [0x02, 0x40, 0x20, 0x05, 0x00, 1, 2, 3, 4, 5],
    [0x03, 0x40, 0x00, 0x02, 1, 2],
    [0x05, 0x40, 0x00, 0x03, 0xC0, 1, 2, 3],
    [0x04, 0x10, 0x00],
    [0x02, 0x40, 0x20, 0x00, 0x00],
    [0x02, 0x40, 0x20, 0x2C, 0x01] + [UInt8](repeating: 7, count: 300),
  ]

  private func drain(_ framer: inout H4Framer) throws -> [[UInt8]] {
    var found: [[UInt8]] = []
    while let packet = try framer.next() { found.append(packet.bytes) }
    return found
  }

  @Test("a stream gives the same packets wherever its chunks end")
  func everySplit() throws {
    let stream = Self.packets.flatMap { $0 }
    for split in 0...stream.count {
      var framer = H4Framer(side: .host)
      framer.append(stream[..<split])
      var found = try drain(&framer)
      framer.append(stream[split...])
      found += try drain(&framer)
      #expect(found == Self.packets, "split at \(split)")
      #expect(framer.pendingCount == 0)
    }
    for size in 1...20 {
      var framer = H4Framer(side: .host)
      var found: [[UInt8]] = []
      for start in stride(from: 0, to: stream.count, by: size) {
        framer.append(stream[start..<min(start + size, stream.count)])
        found += try drain(&framer)
      }
      #expect(found == Self.packets, "chunks of \(size)")
    }
  }

  @Test("a packet of the greatest length passes, and what was read is let go of")
  func greatest() throws {
    var framer = H4Framer(side: .host)
    let packet: [UInt8] = [0x02, 0x40, 0x20, 0xFF, 0xFF] + [UInt8](repeating: 1, count: 0xFFFF)
    for _ in 0..<3 {
      framer.append(packet)
      framer.append([0x04])
      #expect(try framer.next()?.bytes == packet)
      #expect(try framer.next() == nil)
      framer.append([0x10, 0x00])
      #expect(try framer.next()?.bytes == [0x04, 0x10, 0x00])
    }
  }

  @Test("what is no packet is an error that says where and what, and it stays")
  func garbage() throws {
    var framer = H4Framer(side: .host)
    framer.append(Self.packets[0] + [0x7F, 0x01])
    #expect(try framer.next() != nil)
    let expected = H4Error(offset: 7, problem: .unknownIndicator(0x7F))
    #expect(throws: expected) { try framer.next() }
    framer.append(Self.packets[0])
    #expect(throws: expected) { try framer.next() }
    #expect(expected.description == "at byte 7 of the stream: 0x7F, where a packet indicator (1 to 5) was expected")
  }

  @Test("a packet that goes only the other way is an error")
  func direction() {
    var host = H4Framer(side: .host)
    host.append([0x01, 0x03, 0x0C, 0x00])
    #expect(throws: H4Error(offset: 0, problem: .wrongDirection(.command))) { try host.next() }
    var controller = H4Framer(side: .controller)
    controller.append([0x04, 0x10, 0x00])
    #expect(throws: H4Error(offset: 0, problem: .wrongDirection(.event))) { try controller.next() }
  }

  @Test("F41: a header that announces more than is allowed is an error before the bytes are waited for")
  func limit() throws {
    var framer = H4Framer(side: .host, lengthLimit: 256)
    framer.append([0x02, 0x40, 0x20, 0xFC, 0x00])
    #expect(throws: H4Error(offset: 0, problem: .tooLong(.acl, length: 257, limit: 256))) { try framer.next() }
    framer = H4Framer(side: .host, lengthLimit: 256)
    framer.append([0x02, 0x40, 0x20, 0xFB, 0x00])
    #expect(try framer.next() == nil)
  }

  @Test("random bytes in random chunks never trap")
  func random() {
    var state: UInt64 = 1
    func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ state &>> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed &>> 27) &* 0x94D0_49BB_1331_11EB
      return mixed ^ mixed &>> 31
    }
    for _ in 0..<3_000 {
      var framer = H4Framer(side: next() & 1 == 0 ? .host : .controller, lengthLimit: Int(next() % 70_000))
      for _ in 0..<10 {
        framer.append((0..<(next() % 50)).map { _ in UInt8(truncatingIfNeeded: next() & 1 == 0 ? next() % 6 : next()) })
        while let packet = try? framer.next() { #expect(packet.bytes.count > 2) }
      }
    }
  }
}
