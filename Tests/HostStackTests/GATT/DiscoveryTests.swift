import BluetoothTypes
import HostStack
import RadioPort
import Testing

@Suite("Discovery")
struct DiscoveryTests {
  private func discover(
    _ server: inout TestServer,
    watchesServices: Bool = false
  ) -> (services: Result<[RemoteService], RadioFailure>?, requests: Int, bench: LinkBench) {
    var bench = LinkBench(watchesServices: watchesServices)
    let request = bench.request()
    bench.link.discover(nil, request: request, now: bench.now)
    let requests = bench.run(with: &server)
    return (bench.services(request), requests, bench)
  }

  private func expectFiveTimesFour(_ services: [RemoteService]?) {
    #expect(services?.count == 7)
    for (number, service) in (services ?? []).dropFirst(2).enumerated() {
      #expect(service.uuid == TestServer.uuid(number * 0x100))
      #expect(service.characteristics.map(\.uuid) == (1...4).map { TestServer.uuid(number * 0x100 + $0) })
      #expect(service.characteristics.allSatisfy { $0.clientConfiguration?.handle.rawValue == $0.handle.rawValue + 1 })
      #expect(service.characteristics.allSatisfy { $0.descriptors.count == 1 && $0.properties == [.read, .notify] })
    }
  }

  @Test("5 services of 4 characteristics with 128-bit UUIDs and configurations take 8 requests, the MTU's included")
  func fewRequests() {
    var server = TestServer.fiveTimesFour()
    let (services, requests, bench) = discover(&server)
    expectFiveTimesFour(services?.value)
    #expect(requests == 8)
    #expect(bench.violations.isEmpty && bench.link.mtu == 517)
  }

  @Test("the same at an MTU of 23, and from a server that lets its last service reach to the last handle")
  func manyRequests() {
    var small = TestServer.fiveTimesFour()
    small.ownMTU = 23
    expectFiveTimesFour(discover(&small).services?.value)
    var open = TestServer.fiveTimesFour(isOpenEnded: true)
    let (services, requests, _) = discover(&open)
    expectFiveTimesFour(services?.value)
    #expect(requests <= 9)
  }

  @Test("the table is kept: a later call, filtered or not, asks nothing")
  func keepsTable() {
    var server = TestServer.fiveTimesFour()
    var (all, _, bench) = discover(&server)
    let filtered = bench.request()
    bench.link.discover([TestServer.uuid(0x200)], request: filtered, now: bench.now)
    let again = bench.request()
    bench.link.discover(nil, request: again, now: bench.now)
    #expect(bench.nextPDU() == nil)
    #expect(bench.services(filtered)?.value?.map(\.uuid) == [TestServer.uuid(0x200)])
    #expect(bench.services(again) == all)
    all = nil
  }

  @Test("several calls at once share one discovery; one that is given up does not stop the others")
  func shared() {
    var server = TestServer.fiveTimesFour()
    var bench = LinkBench(watchesServices: false)
    let ids = (0..<3).map { _ in bench.request() }
    for id in ids { bench.link.discover(nil, request: id, now: bench.now) }
    bench.link.abandon(ids[0])
    #expect(bench.run(with: &server) == 8)
    #expect(bench.results[ids[0]] == nil && bench.services(ids[1])?.value?.count == 7 && bench.services(ids[2]) != nil)
  }

  @Test("a discovery that all have given up sends nothing more, and a new one works")
  func abandoned() {
    var server = TestServer.fiveTimesFour()
    var bench = LinkBench()
    let first = bench.request()
    bench.link.discover(nil, request: first, now: bench.now)
    bench.feed(server.answer(bench.nextPDU() ?? []))
    let services = bench.nextPDU() ?? []
    bench.link.abandon(first)
    bench.feed(server.answer(services))
    #expect(bench.nextPDU() == nil && bench.link.deadline == nil)
    let second = bench.request()
    bench.link.discover(nil, request: second, now: bench.now)
    _ = bench.run(with: &server)
    #expect(bench.services(second)?.value?.count == 7 && bench.results[first] == nil)
  }

  @Test("descriptors other than configurations are found where there is room for them")
  func descriptors() {
    var server = TestServer()
    server.service(BluetoothUUID(UInt16(0x180D)))
    server.characteristic(BluetoothUUID(UInt16(0x2A37)), .notify, descriptors: [0x2901, 0x2902, 0x2904])
    server.characteristic(TestServer.uuid(1), [.read, .notify], descriptors: [0x2902])
    server.characteristic(BluetoothUUID(UInt16(0x2A38)), .read, descriptors: [0x2901])
    server.add(TestServer.uuid(9), [1])
    server.characteristic(BluetoothUUID(UInt16(0x2A39)), .write)
    for mtu in [23, 517] {
      server.ownMTU = mtu
      let characteristics = discover(&server).services?.value?.first?.characteristics ?? []
      #expect(
        characteristics.map { $0.descriptors.map(\.uuid) } == [
          [0x2901, 0x2902, 0x2904].map { BluetoothUUID(UInt16($0)) }, [BluetoothUUID(UInt16(0x2902))],
          [BluetoothUUID(UInt16(0x2901)), TestServer.uuid(9)], [],
        ]
      )
    }
  }

  @Test("Extended Properties are read where a characteristic says it has them")
  func extendedProperties() {
    var server = TestServer()
    server.service(BluetoothUUID(UInt16(0x180D)))
    server.characteristic(BluetoothUUID(UInt16(0x2A37)), [.write, .extendedProperties], descriptors: [0x2900])
    server.attributes[server.attributes.count - 1].value = [0x03, 0x00]
    let characteristic = discover(&server).services?.value?.first?.characteristics.first
    #expect(characteristic?.properties == [.write, .extendedProperties, .reliableWrite, .writableAuxiliaries])
  }

  @Test("included services, also with long UUIDs, and the secondary services that only they lead to")
  func includes() {
    var server = TestServer()
    let secondary = server.service(TestServer.uuid(7), isPrimary: false)
    server.characteristic(BluetoothUUID(UInt16(0x2A19)), .read)
    server.service(BluetoothUUID(UInt16(0x180D)))
    server.add(BluetoothUUID(UInt16(0x2802)), [UInt8(secondary), 0, 3, 0])
    server.add(BluetoothUUID(UInt16(0x2802)), [9, 0, 11, 0, 0x0F, 0x18])
    server.characteristic(BluetoothUUID(UInt16(0x2A37)), .read)
    server.service(BluetoothUUID(UInt16(0x180F)))
    server.characteristic(BluetoothUUID(UInt16(0x2A19)), .read)
    let (services, _, bench) = discover(&server)
    let found = services?.value ?? []
    #expect(found.map(\.isPrimary) == [false, true, true])
    #expect(found.map(\.uuid) == [TestServer.uuid(7), BluetoothUUID(UInt16(0x180D)), BluetoothUUID(UInt16(0x180F))])
    #expect(found.map(\.characteristics.count) == [1, 1, 1])
    let included = found.count == 3 ? found[1].includedServices : []
    #expect(included.map(\.serviceHandle.rawValue) == [1, 9])
    #expect(included.map(\.uuid) == [TestServer.uuid(7), BluetoothUUID(UInt16(0x180F))])
    #expect(bench.violations.isEmpty, "\(bench.violations)")
  }

  @Test("a server that refuses to be asked over all handles is asked service by service")
  func perService() {
    var server = TestServer.fiveTimesFour()
    server.refuse = { pdu in
      guard let request = try? ATTReadByTypeRequest(bytes: pdu) else { return nil }
      let isWide = request.end.rawValue - request.start.rawValue > 20
      return isWide
        ? ATTErrorResponse(request: .readByTypeRequest, handle: request.start, code: .insufficientResources).bytes : nil
    }
    let (services, _, _) = discover(&server)
    expectFiveTimesFour(services?.value)
  }

  @Test("a server that will not say where its configurations are is asked for all descriptors")
  func withoutReadByType() {
    var server = TestServer.fiveTimesFour()
    server.refuse = { pdu in
      guard let request = try? ATTReadByTypeRequest(bytes: pdu), request.type == BluetoothUUID(UInt16(0x2902)) else {
        return nil
      }
      return ATTErrorResponse(request: .readByTypeRequest, handle: request.start, code: .insufficientAuthentication)
        .bytes
    }
    expectFiveTimesFour(discover(&server).services?.value)
  }

  @Test("one service that refuses is empty; if all refuse, the discovery fails with the ATT error")
  func refusals() {
    var server = TestServer.fiveTimesFour()
    let last = server.attributes.last { $0.type == BluetoothUUID(UInt16(0x2800)) }?.handle ?? 0
    var refusedFrom = last
    server.refuse = { pdu in
      guard let request = try? ATTReadByTypeRequest(bytes: pdu), request.type == BluetoothUUID(UInt16(0x2803)),
        request.end.rawValue >= refusedFrom
      else { return nil }
      return ATTErrorResponse(request: .readByTypeRequest, handle: request.start, code: .insufficientEncryption).bytes
    }
    var (services, _, bench) = discover(&server)
    #expect(services?.value?.map(\.characteristics.count) == [2, 1, 4, 4, 4, 4, 0])
    #expect(bench.violations.count == 1)
    refusedFrom = 0
    server.refuse = { pdu in
      guard let request = try? ATTReadByTypeRequest(bytes: pdu), request.type == BluetoothUUID(UInt16(0x2803)) else {
        return nil
      }
      return ATTErrorResponse(request: .readByTypeRequest, handle: request.start, code: .insufficientEncryption).bytes
    }
    (services, _, bench) = discover(&server)
    guard case .att(let code, _)? = services?.failure?.underlying else {
      Issue.record("no ATT error: \(String(describing: services))")
      return
    }
    #expect(code == .insufficientEncryption)
  }

  @Test("a peer without services has an empty table")
  func empty() {
    var server = TestServer()
    let (services, requests, _) = discover(&server)
    #expect(services?.value == [] && requests == 2)
  }

  // MARK: Servers that misbehave

  private func discover(answering answers: [[UInt8]]) -> Result<[RemoteService], RadioFailure>? {
    var bench = LinkBench()
    bench.exchange(517)
    let request = bench.request()
    bench.link.discover(nil, request: request, now: bench.now)
    for answer in answers {
      guard bench.nextPDU() != nil else { break }
      bench.feed(answer)
    }
    #expect(bench.nextPDU() == nil && bench.link.deadline == nil)
    return bench.services(request)
  }

  private static func services(_ ranges: (UInt16, UInt16)...) -> [UInt8] {
    ATTReadByGroupTypeResponse(
      records: ranges.map { .init(handle: .init($0.0), groupEnd: .init($0.1), value: [0x0D, 0x18]) }
    ).bytes
  }

  private static func characteristics(_ handles: (UInt16, UInt16)...) -> [UInt8] {
    ATTReadByTypeResponse(
      records: handles.map {
        .init(handle: .init($0.0), value: [0x10, UInt8(truncatingIfNeeded: $0.1), UInt8($0.1 >> 8), 0x37, 0x2A])
      }
    ).bytes
  }

  private static let noIncludes = ATTErrorResponse(
    request: .readByTypeRequest,
    handle: .first,
    code: .attributeNotFound
  ).bytes

  @Test("services that overlap, go backwards, have handle 0 or never advance end the discovery with an error")
  func badServices() {
    for answer in [
      Self.services((0, 5)), Self.services((5, 4)), Self.services((1, 5), (5, 9)), Self.services((6, 9), (1, 5)),
      [0x11, 0], [0x11, 5, 1, 0, 5, 0, 1], [0x11, 6],
    ] { #expect(discover(answering: [answer])?.failure?.kind == .protocolViolation) }
    let again = Self.services((1, 5))
    #expect(discover(answering: [again, again])?.failure?.kind == .protocolViolation)
  }

  @Test("characteristics that make no sense end the discovery with an error")
  func badCharacteristics() {
    for answer in [
      Self.characteristics((0, 1)), Self.characteristics((2, 2)), Self.characteristics((2, 1)),
      Self.characteristics((2, 3), (3, 4)), Self.characteristics((2, 3), (2, 3)), Self.characteristics((40, 41)),
      Self.characteristics((2, 30)), [0x09, 7], [0x09, 6, 2, 0, 1, 3, 0, 1], [0x09, 0, 1, 2],
    ] {
      let result = discover(answering: [Self.services((1, 20)), Self.noService, Self.noIncludes, answer])
      #expect(result?.failure?.kind == .protocolViolation, "\(answer)")
    }
  }

  private static let noService = ATTErrorResponse(
    request: .readByGroupTypeRequest,
    handle: .first,
    code: .attributeNotFound
  ).bytes

  @Test("a server that answers random bytes never keeps a discovery going for ever, and never traps it")
  func randomAnswers() {
    var generator = SplitMix64(seed: 17)
    for _ in 0..<1_000 {
      var bench = LinkBench(watchesServices: true)
      let request = bench.request()
      bench.link.discover(nil, request: request, now: bench.now)
      var server = TestServer.fiveTimesFour()
      var count = 0
      while let pdu = bench.nextPDU(), count < 1_000 {
        guard let opcode = pdu.first.map({ ATTOpcode(rawValue: $0) }), opcode.isRequest else { continue }
        count += 1
        var answer = server.answer(pdu)
        // Most answers are right but for a few bytes, so that the later phases are reached.
        if Int.random(in: 0..<4, using: &generator) == 0, answer.count > 1 {
          for _ in 0..<3 {
            answer[Int.random(in: 1..<answer.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
          }
        }
        bench.feed(answer)
      }
      #expect(count < 1_000)
      bench.link.fail(RadioFailure(.disconnected, reason: "the end"))
      bench.drain()
      #expect(bench.endings[request] == 1)
    }
  }
}
