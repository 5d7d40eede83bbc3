import BluetoothTypes
import HostStack
import RadioPort
import Testing

@Suite("Reads and writes")
struct ValueTests {
  static let handle = AttributeHandle(2)

  private func server(_ value: [UInt8], mtu: Int = 23) -> TestServer {
    var server = TestServer()
    server.ownMTU = mtu
    server.add(BluetoothUUID(UInt16(0x2800)), [0x0D, 0x18])
    server.add(BluetoothUUID(UInt16(0x2A38)), value)
    return server
  }

  @Test("a value of any length is read whole", arguments: [0, 1, 21, 22, 23, 43, 44, 45, 100, 511, 512])
  func lengths(count: Int) {
    for mtu in [23, 185, 517] {
      let value = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      var server = server(value, mtu: mtu)
      var bench = LinkBench()
      bench.link.exchangeMTU(now: bench.now)
      let read = bench.request()
      bench.link.read(Self.handle, request: read, now: bench.now)
      _ = bench.run(with: &server)
      #expect(bench.value(read) == .success(value))
    }
  }

  @Test(
    "a server that says the value is not long, or the offset is wrong, at the end of a full part has ended it",
    arguments: [ATTErrorCode.attributeNotLong, .invalidOffset, .requestNotSupported]
  )
  func exactEnd(code: ATTErrorCode) {
    var bench = LinkBench()
    let read = bench.request()
    bench.link.read(Self.handle, request: read, now: bench.now)
    _ = bench.nextPDU()
    let part = [UInt8](repeating: 5, count: 22)
    bench.feed(ATTReadResponse(value: part))
    #expect(bench.next() == ATTReadBlobRequest(handle: Self.handle, offset: 22))
    bench.feed(ATTErrorResponse(request: .readBlobRequest, handle: Self.handle, code: code))
    #expect(bench.value(read) == .success(part))
  }

  @Test("any other error in the middle of a long value is the read's own")
  func errorInTheMiddle() {
    var bench = LinkBench()
    let read = bench.request()
    bench.link.read(Self.handle, request: read, now: bench.now)
    _ = bench.nextPDU()
    bench.feed(ATTReadResponse(value: [UInt8](repeating: 5, count: 22)))
    _ = bench.nextPDU()
    bench.feed(ATTErrorResponse(request: .readBlobRequest, handle: Self.handle, code: .insufficientEncryption))
    #expect(bench.value(read)?.failure?.underlying == .att(.insufficientEncryption, Self.handle))
  }

  @Test("a value that never ends is an error, not a loop")
  func endless() {
    var bench = LinkBench()
    let read = bench.request()
    bench.link.read(Self.handle, request: read, now: bench.now)
    _ = bench.nextPDU()
    bench.feed(ATTReadResponse(value: [UInt8](repeating: 5, count: 22)))
    var count = 0
    while bench.nextPDU() != nil, count < 100 {
      count += 1
      bench.feed(ATTReadBlobResponse(value: [UInt8](repeating: 5, count: 22)))
    }
    #expect(count == 23 && bench.value(read)?.failure?.kind == .protocolViolation)
  }

  @Test("F23: a read ends with its own reply even while the same characteristic notifies")
  func readAmongValues() {
    var bench = LinkBench()
    let read = bench.request()
    bench.link.read(Self.handle, request: read, now: bench.now)
    _ = bench.nextPDU()
    bench.feed(ATTHandleValueNotification(handle: Self.handle, value: [9]))
    #expect(bench.value(read) == nil)
    bench.feed(ATTReadResponse(value: [1]))
    #expect(bench.value(read) == .success([1]))
  }

  @Test("a value that does not fit into one write is written in parts, checked and executed")
  func longWrite() {
    var bench = LinkBench()
    let value = (0..<40).map { UInt8($0) }
    let write = bench.request()
    bench.link.write(value, to: Self.handle, request: write, now: bench.now)
    var written: [UInt8] = []
    while let pdu = bench.nextPDU() {
      if let part = try? ATTPrepareWriteRequest(bytes: pdu) {
        #expect(Int(part.offset) == written.count && pdu.count <= 23)
        written += part.value
        bench.feed(ATTPrepareWriteResponse(handle: part.handle, offset: part.offset, value: part.value))
      } else {
        #expect(pdu == ATTExecuteWriteRequest(flags: .write).bytes)
        bench.feed(ATTExecuteWriteResponse())
      }
    }
    #expect(written == value && bench.done(write)?.value != nil)
  }

  @Test("a part that comes back changed cancels the long write and is an error", arguments: 0..<3)
  func wrongEcho(what: Int) {
    var bench = LinkBench()
    let write = bench.request()
    bench.link.write([UInt8](repeating: 1, count: 40), to: Self.handle, request: write, now: bench.now)
    guard let part: ATTPrepareWriteRequest = bench.next() else {
      Issue.record("nothing was prepared")
      return
    }
    var echo = ATTPrepareWriteResponse(handle: part.handle, offset: part.offset, value: part.value)
    switch what {
    case 0: echo.handle = AttributeHandle(9)
    case 1: echo.offset = 1
    default: echo.value[3] = 7
    }
    bench.feed(echo)
    #expect(bench.next() == ATTExecuteWriteRequest(flags: .cancel))
    #expect(bench.done(write) == nil)
    bench.feed(ATTExecuteWriteResponse())
    #expect(bench.done(write)?.failure?.kind == .protocolViolation)
  }

  @Test(
    "a long write that ends at a reply that can not be read throws its parts away at the peer, given up or not",
    arguments: [[0x17], [0x17, 2], [0x17] + [UInt8](repeating: 1, count: 600), [0x01], [0x01, 0x16, 2]] as [[UInt8]],
    [true, false]
  )
  func unreadableEcho(reply: [UInt8], isAbandoned: Bool) {
    for parts in 0..<2 {
      var bench = LinkBench()
      let write = bench.request()
      bench.link.write([UInt8](repeating: 1, count: 60), to: Self.handle, request: write, now: bench.now)
      for _ in 0..<parts {
        guard let part: ATTPrepareWriteRequest = bench.next() else {
          Issue.record("nothing was prepared")
          return
        }
        bench.feed(ATTPrepareWriteResponse(handle: part.handle, offset: part.offset, value: part.value))
      }
      _ = bench.nextPDU()
      if isAbandoned { bench.link.abandon(write) }
      bench.feed(reply)
      #expect(bench.next() == ATTExecuteWriteRequest(flags: .cancel))
      #expect(bench.done(write) == nil)
      bench.feed(ATTExecuteWriteResponse())
      #expect(isAbandoned ? bench.results[write] == nil : bench.done(write)?.failure?.kind == .protocolViolation)
      #expect(bench.nextPDU() == nil && bench.link.deadline == nil)
    }
  }

  @Test("F33: a peer that takes no long writes makes a long value an error; what was prepared is cancelled")
  func noLongWrites() {
    var bench = LinkBench()
    let refused = bench.request()
    bench.link.write([UInt8](repeating: 1, count: 40), to: Self.handle, request: refused, now: bench.now)
    _ = bench.nextPDU()
    bench.feed(ATTErrorResponse(request: .prepareWriteRequest, handle: Self.handle, code: .requestNotSupported))
    #expect(bench.done(refused)?.failure?.kind == .tooLong)
    let full = bench.request()
    bench.link.write([UInt8](repeating: 1, count: 40), to: Self.handle, request: full, now: bench.now)
    guard let part: ATTPrepareWriteRequest = bench.next() else { return }
    bench.feed(ATTPrepareWriteResponse(handle: part.handle, offset: part.offset, value: part.value))
    _ = bench.nextPDU()
    bench.feed(ATTErrorResponse(request: .prepareWriteRequest, handle: Self.handle, code: .prepareQueueFull))
    #expect(bench.next() == ATTExecuteWriteRequest(flags: .cancel))
    bench.feed(ATTExecuteWriteResponse())
    #expect(bench.done(full)?.failure?.underlying == .att(.prepareQueueFull, Self.handle))
  }

  @Test("F26, F27: writes without response keep their order beside the slot, and each ends when the controller has it")
  func commands() {
    var bench = LinkBench()
    let read = bench.request()
    bench.link.read(Self.handle, request: read, now: bench.now)
    let ids = (0..<3).map { _ in bench.request() }
    for (index, id) in ids.enumerated() {
      bench.link.writeWithoutResponse([UInt8(index)], to: Self.handle, request: id)
    }
    bench.drain()
    #expect(bench.frames.map { $0.token } == [nil] + ids.map { .write($0) })
    #expect(bench.frames.dropFirst().map { $0.bytes.last } == [0, 1, 2])
    bench.link.frameSent(.write(ids[0]), now: bench.now)
    bench.link.abandon(ids[1])
    bench.drain()
    #expect(bench.done(ids[0]) != nil && bench.done(ids[2]) == nil)
    guard case .withdraw(.write(ids[1]))? = bench.others.first else {
      Issue.record("the frame was not withdrawn")
      return
    }
    bench.link.frameSent(.write(ids[1]), now: bench.now)
    bench.link.frameSent(.write(ids[2]), now: bench.now)
    bench.link.frameSent(.write(ids[2]), now: bench.now)
    bench.drain()
    #expect(bench.results[ids[1]] == nil && bench.endings[ids[2]] == 1)
  }
}
