import BluetoothTypes
import Foundation
import Testing

@testable import HCITransport

@Suite("Capture files")
struct CaptureFileTests {
  private let reset: HCIPacket
  private let folder: URL

  init() throws {
    reset = try #require(HCIPacket([1, 0x03, 0x0C, 0]))
    folder = FileManager.default.temporaryDirectory.appending(path: "capture-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func contents(_ path: String) throws -> BtsnoopFile {
    try BtsnoopFile(Array(try Data(contentsOf: URL(filePath: path))))
  }

  @Test("each packet is in the file when the call returns, and none after the file was closed")
  func adds() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "a.btsnoop").path
    try Data("what was there before".utf8).write(to: URL(filePath: path))
    let file = try CaptureFile(path: path, unixTimeOfStart: .seconds(10))
    #expect(try contents(path).records.isEmpty)
    file.add(reset, .toController, time: .milliseconds(1500))
    #expect(try contents(path).records.map(\.unixMicroseconds) == [11_500_000])
    file.close()
    file.add(reset, .toController, time: .seconds(2))
    file.close()
    #expect(try contents(path).records.count == 1)
    #expect(file.packetCount == 1)
    #expect(file.failure == nil)
  }

  @Test("nobody but the user may read a new file")
  func permissions() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "a.btsnoop").path
    try CaptureFile(path: path, unixTimeOfStart: .zero).close()
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect((mode ?? 0o777) & 0o077 == 0)
  }

  @Test("a file that can not be opened is named, with the system's reason")
  func unopenable() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "missing/a.btsnoop").path
    let error = #expect(throws: CaptureFileError.self) { try CaptureFile(path: path, unixTimeOfStart: .zero) }
    #expect(error?.step == .open)
    #expect(error?.code == ENOENT)
    #expect(error?.description.contains(path) == true)
    #expect(throws: CaptureFileError.self) { try CaptureFile(path: folder.path, unixTimeOfStart: .zero) }
  }

  #if os(Linux)
    @Test("a disk that is full is told, once, and nothing crashes")
    func fullDisk() throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      let error = #expect(throws: CaptureFileError.self) { try CaptureFile(path: "/dev/full", unixTimeOfStart: .zero) }
      #expect(error?.step == .write)
      #expect(error?.code == ENOSPC)
    }
  #endif
}
