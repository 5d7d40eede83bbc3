import BluetoothTypes
import Testing

@testable import HostStack

@Suite("Extended reports in pieces")
struct ReportAssemblerTests {
  private typealias Report = LEExtendedAdvertisingReport.Report

  private func piece(
    _ data: [UInt8],
    _ type: ExtendedAdvertisingReportType = .incomplete,
    from number: UInt64 = 1,
    set: UInt8 = 0
  ) -> Report {
    Report(eventType: type, address: BluetoothAddress(number, .public), advertisingSID: set, data: data)
  }

  @Test("pieces of interleaved advertisers, sets and responses are kept apart")
  func interleaved() {
    var assembler = ReportAssembler()
    #expect(assembler.take(piece([1, 1])) == .waiting)
    #expect(assembler.take(piece([2], from: 2)) == .waiting)
    #expect(assembler.take(piece([3], set: 1)) == .waiting)
    #expect(assembler.take(piece([4], [.scanResponse, .incomplete])) == .waiting)
    #expect(assembler.take(piece([5, 5], [])) == .whole([1, 1, 5, 5]))
    #expect(assembler.take(piece([6], [], from: 2)) == .whole([2, 6]))
    #expect(assembler.take(piece([7], [], set: 1)) == .whole([3, 7]))
    #expect(assembler.take(piece([8], [.scanResponse])) == .whole([4, 8]))
    #expect(assembler.take(piece([9], [])) == .whole([9]))
    #expect(assembler.count == 0)
  }

  @Test("of data whose end is lost the whole structures are kept")
  func truncated() {
    var assembler = ReportAssembler()
    #expect(assembler.take(piece([2, 1, 6, 5, 9, 0x41])) == .waiting)
    #expect(assembler.take(piece([], .truncated)) == .truncated([2, 1, 6]))
    #expect(assembler.take(piece([], .truncated)) == .truncated([]))
  }

  @Test("what is longer than any advertisement is dropped to its end, and the next one counts")
  func overlong() {
    var assembler = ReportAssembler()
    for _ in 0..<8 { #expect(assembler.take(piece([UInt8](repeating: 1, count: 229))) == .waiting) }
    #expect(assembler.take(piece([1], [])) == .waiting)
    #expect(assembler.take(piece([1], [])) == .whole([1]))
    for _ in 0..<7 { #expect(assembler.take(piece([UInt8](repeating: 1, count: 229))) == .waiting) }
    let last = assembler.take(piece([UInt8](repeating: 1, count: 1650 - 7 * 229), []))
    #expect(last == .whole([UInt8](repeating: 1, count: 1650)))
  }

  @Test("advertisers that never finish take bounded room, the oldest gives way")
  func bounded() {
    var assembler = ReportAssembler(limit: 4)
    for number in UInt64(1)...100 { #expect(assembler.take(piece([1], from: number)) == .waiting) }
    #expect(assembler.count == 4)
    #expect(assembler.take(piece([2], [], from: 1)) == .whole([2]))
    #expect(assembler.take(piece([2], [], from: 100)) == .whole([1, 2]))
  }

  @Test("random pieces never break it", arguments: UInt64(0)..<10)
  func random(seed: UInt64) {
    var random = SeededBytes(seed: seed)
    var assembler = ReportAssembler(limit: 3)
    for _ in 0..<2000 {
      let bits = random.bytes(4)
      let report = Report(
        eventType: ExtendedAdvertisingReportType(rawValue: UInt16(bits[0])),
        address: bits[1] & 7 == 0 ? nil : BluetoothAddress(UInt64(bits[1] & 7), .random),
        advertisingSID: bits[2] & 3,
        data: random.bytes(Int(bits[3] % 230))
      )
      if case .whole(let data) = assembler.take(report) { #expect(data.count <= ReportAssembler.longest) }
      #expect(assembler.count <= 3)
    }
  }
}
