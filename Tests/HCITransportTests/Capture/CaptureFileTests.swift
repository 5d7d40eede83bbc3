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

  // MARK: Pipes

  private func pipe() throws -> String {
    let path = folder.appending(path: "pipe").path
    try #require(mkfifo(path, 0o600) == 0)
    return path
  }

  /// Opens the reading end, so that the opening does not wait for a writer.
  private func reader(of path: String) throws -> Int32 {
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    try #require(reader >= 0)
    return reader
  }

  @Test("a pipe that nobody reads is refused at once, with what to do", .timeLimit(.minutes(1)))
  func pipeWithoutReader() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try pipe()
    let error = #expect(throws: CaptureFileError.self) { try CaptureFile(path: path, unixTimeOfStart: .zero) }
    #expect(error?.step == .open && error?.code == ENXIO)
    #expect(error?.description.contains("Start its reader first") == true)
  }

  @Test("who reads a pipe gets the packets as they pass")
  func pipeWithReader() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try pipe()
    let reader = try reader(of: path)
    defer { close(reader) }
    let file = try CaptureFile(path: path, unixTimeOfStart: .zero)
    for number in 0..<100 { file.add(reset, .toController, time: .seconds(number)) }
    var bytes = [UInt8](repeating: 0, count: 100_000)
    let count = read(reader, &bytes, bytes.count)
    #expect(try BtsnoopFile(Array(bytes.prefix(max(0, count)))).records.count == 100)
    #expect(file.failure == nil)
    file.close()
  }

  @Test("a reader that leaves ends the capture, and not the program", .timeLimit(.minutes(1)))
  func readerLeaves() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try pipe()
    let reader = try reader(of: path)
    let file = try CaptureFile(path: path, unixTimeOfStart: .zero)
    file.add(reset, .toController, time: .zero)
    close(reader)
    // Another test's framework may ignore the signal; here it has its own effect, which is the end of the process.
    let before = signal(SIGPIPE, SIG_DFL)
    defer { signal(SIGPIPE, before) }
    for _ in 0..<3 { file.add(reset, .toController, time: .seconds(1)) }
    #expect(file.failure?.code == EPIPE && file.packetCount == 1)
    #expect(file.failure?.description.contains("its reader is gone") == true)
    var pending = sigset_t()
    sigemptyset(&pending)
    sigpending(&pending)
    #expect(sigismember(&pending, SIGPIPE) == 0)
  }

  @Test("a reader that does not keep up ends the capture, and the radio does not wait for it", .timeLimit(.minutes(1)))
  func slowReader() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try pipe()
    let reader = try reader(of: path)
    defer { close(reader) }
    let file = try CaptureFile(path: path, unixTimeOfStart: .zero)
    for _ in 0..<100_000 where file.failure == nil { file.add(reset, .toController, time: .zero) }
    #expect(file.failure?.code == EAGAIN)
    #expect(file.failure?.description.contains("does not keep up") == true)
    // What it holds is whole packets.
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65536)
    while case let count = read(reader, &part, part.count), count > 0 { bytes += part.prefix(count) }
    #expect(try BtsnoopFile(bytes).records.count == file.packetCount)
    #expect(file.packetCount > 1000)
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
