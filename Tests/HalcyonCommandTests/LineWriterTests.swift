import Testing

@testable import HalcyonCommand

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite("What the command writes")
struct LineWriterTests {
  @Test("lines arrive whole, each with its end")
  func lines() throws {
    var ends: [CInt] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    let writer = LineWriter(descriptor: ends[1])
    try writer.write("found")
    try writer.write("心率")
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(ends[0], &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "found\n心率\n")
  }

  @Test("a descriptor that takes nothing is a failure that says why")
  func closed() throws {
    let descriptor = open("/dev/null", O_RDONLY)
    defer { close(descriptor) }
    let failure = #expect(throws: LineWriter.Failure.self) { try LineWriter(descriptor: descriptor).write("found") }
    #expect(failure?.code == EBADF)
    #expect(failure?.description.contains("The output can not be written: Bad file descriptor") == true)
  }

  #if os(Linux)
    @Test("a file system without room is one too")
    func full() throws {
      let descriptor = open("/dev/full", O_WRONLY)
      defer { close(descriptor) }
      let failure = #expect(throws: LineWriter.Failure.self) { try LineWriter(descriptor: descriptor).write("found") }
      #expect(failure?.code == ENOSPC)
    }
  #endif
}
