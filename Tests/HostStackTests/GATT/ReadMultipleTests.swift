import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("Several values at once")
struct ReadMultipleTests {
  private let handles = [AttributeHandle(3), AttributeHandle(5), AttributeHandle(7)]

  private func read(_ bench: inout LinkBench, lengths: [Int]? = nil) -> RequestID {
    let request = bench.request()
    bench.link.read(handles, lengths: lengths, request: request, now: bench.now)
    return request
  }

  @Test("one request brings all, with their lengths")
  func variable() throws {
    var bench = LinkBench()
    let request = read(&bench)
    #expect(bench.next(ATTReadMultipleVariableRequest.self)?.handles == handles)
    bench.feed(ATTReadMultipleVariableResponse(values: [.init([1, 2]), .init([]), .init([3])]))
    #expect(bench.values(request)?.value == [[1, 2], [], [3]])
    #expect(bench.nextPDU() == nil)
  }

  @Test("what did not fit into the response is read by itself, whole")
  func cut() throws {
    var bench = LinkBench()
    let request = read(&bench)
    _ = bench.nextPDU()
    bench.feed(
      ATTReadMultipleVariableResponse(values: [.init([1, 2]), .init(length: 30, bytes: [9, 9])])
    )
    #expect(bench.next(ATTReadRequest.self)?.handle == handles[1])
    bench.feed(ATTReadResponse(value: Array(repeating: 9, count: 22)))
    #expect(bench.next(ATTReadBlobRequest.self)?.offset == 22)
    bench.feed(ATTReadBlobResponse(value: Array(repeating: 9, count: 8)))
    #expect(bench.next(ATTReadRequest.self)?.handle == handles[2])
    bench.feed(ATTReadResponse(value: [3]))
    #expect(bench.values(request)?.value == [[1, 2], Array(repeating: 9, count: 30), [3]])
  }

  @Test("a peer that does not know the request is asked one by one")
  func fallback() throws {
    var bench = LinkBench()
    let request = read(&bench)
    _ = bench.nextPDU()
    bench.feed(
      ATTErrorResponse(
        request: .readMultipleVariableRequest,
        handle: AttributeHandle(0),
        code: .requestNotSupported
      )
    )
    for (index, handle) in handles.enumerated() {
      #expect(bench.next(ATTReadRequest.self)?.handle == handle)
      bench.feed(ATTReadResponse(value: [UInt8(index)]))
    }
    #expect(bench.values(request)?.value == [[0], [1], [2]])
  }

  @Test(
    "where the lengths are known they come without them, as many as fit, and other lengths are a violation"
  )
  func fixed() throws {
    var bench = LinkBench()
    let first = read(&bench, lengths: [2, 1, 20])
    #expect(bench.next(ATTReadMultipleRequest.self)?.handles == Array(handles[..<2]))
    bench.feed(ATTReadMultipleResponse(values: [1, 2, 3]))
    #expect(bench.next(ATTReadRequest.self)?.handle == handles[2])
    bench.feed(ATTReadResponse(value: Array(repeating: 4, count: 20)))
    #expect(bench.values(first)?.value == [[1, 2], [3], Array(repeating: 4, count: 20)])
    let second = read(&bench, lengths: [1, 1, 1])
    _ = bench.nextPDU()
    bench.feed(ATTReadMultipleResponse(values: [1, 2]))
    #expect(bench.values(second)?.failure?.kind == .protocolViolation)
  }

  @Test("one that can not be read fails all, and is named; so does the end of the link")
  func failures() throws {
    var bench = LinkBench()
    let first = read(&bench)
    _ = bench.nextPDU()
    let error = ATTErrorResponse(
      request: .readMultipleVariableRequest,
      handle: handles[1],
      code: .readNotPermitted
    )
    bench.feed(error)
    #expect(bench.values(first)?.failure?.underlying == .att(.readNotPermitted, handles[1]))
    let second = read(&bench)
    bench.link.fail(RadioFailure(.disconnected, reason: "gone"))
    bench.drain()
    #expect(bench.values(second)?.failure?.kind == .disconnected)
    #expect(bench.endings.values.allSatisfy { $0 == 1 })
    let none = bench.request()
    bench.link.read([], request: none, now: bench.now)
    bench.drain()
    #expect(bench.values(none)?.failure?.kind == .notConnected)
  }

  @Test("client and server agree on it, from values of every length")
  func together() throws {
    let definition = ServiceDefinition(
      BluetoothUUID(UInt16(0xFF00)),
      characteristics: (0..<6).map { number in
        CharacteristicDefinition(
          BluetoothUUID(UInt16(0xFF01) + UInt16(number)),
          properties: .read,
          source: .stored(Array(repeating: UInt8(number), count: number * 90))
        )
      }
    )
    var pair = HostPair(HostConfiguration(services: [definition]))
    let placed = try #require(pair.peripheral.host.database.services.last)
    let handles = placed.characteristics.map(\.value)
    _ = pair.act { host, link, now in host.read(handles, on: link, now: now) }
    var values: [[UInt8]] = []
    for case .readSeveral(_, .success(let found)) in pair.central.events { values = found }
    #expect(values == (0..<6).map { Array(repeating: UInt8($0), count: $0 * 90) })
  }

  @Test(
    "several notifications go in one packet to a client that takes that, as far as they fit, else one by one"
  )
  func notifications() throws {
    let definition = ServiceDefinition(
      BluetoothUUID(UInt16(0xFF00)),
      characteristics: (0..<3).map { number in
        CharacteristicDefinition(
          BluetoothUUID(UInt16(0xFF01) + UInt16(number)),
          properties: .notify
        )
      }
    )
    var server = GATTServer(database: HostConfiguration(services: [definition]).makeDatabase())
    let link = LinkID(peer: PeerID(high: 1, low: 1), generation: 1)
    server.open(link)
    let placed = try #require(server.database.services.last?.characteristics)
    for part in placed {
      let configuration = try #require(part.clientConfiguration)
      server.receive([0x12, UInt8(configuration.rawValue), 0, 1, 0], from: link, now: .zero)
    }
    let values = placed.enumerated().map {
      (handle: $1.value, value: Array(repeating: UInt8($0), count: 5))
    }
    let single = try server.notifications(values, to: link)
    #expect(single.map(\.first) == [0x1B, 0x1B, 0x1B])
    server.receive([0x12, 11, 0, 4], from: link, now: .zero)
    let joined = try server.notifications(values, to: link)
    // 23 bytes hold two of them.
    #expect(joined.map(\.first) == [0x23, 0x1B])
    let records = try ATTMultipleHandleValueNotification(bytes: joined[0]).records
    #expect(records.map(\.value) == [values[0].value, values[1].value])
    server.setMTU(100, of: link)
    let one = try server.notifications(values, to: link)
    #expect(one.map(\.first) == [0x23])
    #expect(throws: NotifyRefusal.tooLong(limit: 97)) {
      try server.notifications(
        [(handle: placed[0].value, value: Array(repeating: 0, count: 98))],
        to: link
      )
    }
  }
}
