import BluetoothTypes
import Foundation
import HCITransport
import Halcyon
import RadioPort
import SystemRadio
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Packet captures", .reportsWorlds)
struct PacketCaptureTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "captures-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func contents(_ path: String) throws -> BtsnoopFile {
    try BtsnoopFile(Array(try Data(contentsOf: URL(filePath: path))))
  }

  private func session(to path: String, seed: UInt64 = 3) async throws -> (PacketTrace, PacketCapture) {
    try await World.simulated(seed: seed) { world in
      world.add(.heartRateBand(name: "Pulse"))
      let central = Central(radio: world.radio)
      let capture = try await central.startCapture(to: path)
      try await central.ready()
      let peripheral = try await central.scan(for: [.heartRate]).connect()
      _ = try await peripheral.read(.bodySensorLocation)
      await peripheral.disconnect()
      return (world.trace, capture)
    }
  }

  @Test("a capture holds exactly the radio's packets, in order, with their times")
  func wholeSession() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "session.btsnoop").path
    let (trace, capture) = try await session(to: path)
    // The radio is switched off after the trace was taken.
    let whole = trace.entries.filter { $0.controller == "radio" }
    let records = try contents(path).records.prefix(whole.count)
    #expect(records.first?.bytes == [1, 3, 12, 0])
    let expected = whole
    #expect(expected.count > 30)
    #expect(records.map(\.bytes) == expected.map(\.packet.bytes))
    #expect(records.map(\.direction) == expected.map(\.direction))
    // Simulated time begins with the year 2000.
    #expect(records.map { $0.unixMicroseconds - 946_684_800_000_000 } == expected.map { $0.time.nanoseconds / 1000 })
    #expect(capture.packetCount == expected.count)
    #expect(capture.failure == nil)
  }

  @Test("a capture that begins late has the start of the radio in front, with the times of then")
  func late() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "late.btsnoop").path
    try await World.simulated(seed: 1) { world in
      world.add(.lamp(name: "Lamp"))
      let central = Central(radio: world.radio)
      try await central.ready()
      _ = try await central.scan(limit: 1).first { _ in true }
      try await world.run(for: .seconds(10))
      let capture = try await central.startCapture(to: path)
      _ = try await central.scan(limit: 1).first { _ in true }
      await capture.stop()
    }
    let records = try contents(path).records
    #expect(records.first?.bytes == [1, 3, 12, 0])
    #expect(records.first?.unixMicroseconds == 946_684_800_000_000)
    let isLate = records.map { $0.unixMicroseconds >= 946_684_810_000_000 }
    #expect(isLate.contains(false) && isLate.contains(true))
    #expect(!isLate.drop { !$0 }.contains(false))
    // What passed between the start and the capture is in neither.
    let scans = records.filter { $0.bytes.starts(with: [1, 0x0C, 0x20]) || $0.bytes.starts(with: [1, 0x42, 0x20]) }
    #expect(scans.count == 2)
  }

  @Test("equal runs make equal files")
  func repeatable() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let paths = (0..<3).map { folder.appending(path: "\($0).btsnoop").path }
    for (path, seed) in zip(paths, [5, 5, 6] as [UInt64]) { _ = try await session(to: path, seed: seed) }
    #expect(try contents(paths[0]) == contents(paths[1]))
    #expect(try contents(paths[0]) != contents(paths[2]))
  }

  @Test("nothing is written after the stop, and two captures do not disturb each other")
  func stopping() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (first, second) = (folder.appending(path: "1.btsnoop").path, folder.appending(path: "2.btsnoop").path)
    try await World.simulated(seed: 1) { world in
      world.add(.lamp(name: "Lamp"))
      let central = Central(radio: world.radio)
      let server = PeripheralServer(radio: world.radio) {}
      let one = try await central.startCapture(to: first)
      let two = try await server.startCapture(to: second)
      world.radioPower(false)
      world.radioPower(true)
      try await world.settle()
      try await central.ready()
      await one.stop()
      await one.stop()
      let count = one.packetCount
      #expect(count > 10)
      _ = try await central.scan(limit: 1).first { _ in true }
      #expect(one.packetCount == count)
      #expect(two.packetCount > count)
      await two.stop()
    }
    let (short, long) = try (contents(first).records, contents(second).records)
    #expect(Array(long.prefix(short.count)) == short)
  }

  @Test("a file that can not be opened is told with its name, the reason and advice, in both languages")
  func badFile() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "missing/a.btsnoop").path
    try await World.simulated(seed: 1) { world in
      for (language, words) in [(Language.english, "Choose another file"), (.simplifiedChinese, "请选择其他文件")] {
        let central = Central(Central.Configuration(language: language), radio: world.radio)
        let error = await #expect(throws: BluetoothError.self) { try await central.startCapture(to: path) }
        #expect(error?.kind == .fileFailed)
        #expect(error?.operation == .capture)
        #expect(error?.message.contains(path) == true)
        #expect(error?.message.contains(words) == true)
      }
    }
  }

  @Test("a radio that does not show its packets says so, and leaves the file alone")
  func noPackets() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "old").path
    try Data("old".utf8).write(to: URL(filePath: path))
    let central = Central(radio: UnavailableRadio(reason: "there is none"))
    let error = await #expect(throws: BluetoothError.self) { try await central.startCapture(to: path) }
    #expect(error?.kind == .unsupported)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("old".utf8))
  }
}
