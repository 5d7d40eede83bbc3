import BluetoothTypes
import HostStack
import RadioPort
import Testing

@Suite("The ATT bearer of the client")
struct BearerTests {
  static let handle = AttributeHandle(0x002A)

  @Test("F29: one request at a time, first in first out; each ends with its own reply")
  func order() {
    var bench = LinkBench()
    let first = bench.request()
    let second = bench.request()
    let third = bench.request()
    bench.link.write([1], to: Self.handle, request: first, now: bench.now)
    bench.link.write([2], to: Self.handle, request: second, now: bench.now)
    bench.link.read(Self.handle, request: third, now: bench.now)
    #expect(bench.next() == ATTWriteRequest(handle: Self.handle, value: [1]))
    #expect(bench.nextPDU() == nil)
    bench.feed(ATTWriteResponse())
    #expect(bench.done(first)?.value != nil && bench.done(second) == nil)
    #expect(bench.next() == ATTWriteRequest(handle: Self.handle, value: [2]))
    bench.feed(ATTErrorResponse(request: .writeRequest, handle: Self.handle, code: .writeNotPermitted))
    #expect(bench.done(second)?.failure?.underlying == .att(.writeNotPermitted, Self.handle))
    #expect(bench.next() == ATTReadRequest(handle: Self.handle))
    bench.feed(ATTReadResponse(value: [7]))
    #expect(bench.value(third) == .success([7]))
    #expect(bench.endings.values.allSatisfy { $0 == 1 })
  }

  @Test("a request that is given up in the queue is never sent")
  func abandonQueued() {
    var bench = LinkBench()
    let ids = (0..<3).map { _ in bench.request() }
    for (index, id) in ids.enumerated() {
      bench.link.write([UInt8(index)], to: Self.handle, request: id, now: bench.now)
    }
    bench.link.abandon(ids[1])
    _ = bench.nextPDU()
    bench.feed(ATTWriteResponse())
    #expect(bench.next() == ATTWriteRequest(handle: Self.handle, value: [2]))
    bench.feed(ATTWriteResponse())
    #expect(bench.results[ids[1]] == nil && bench.done(ids[2]) != nil)
  }

  @Test("a request that is given up after it was sent keeps the slot until its reply, which nobody gets")
  func abandonSent() {
    var bench = LinkBench()
    let first = bench.request()
    let second = bench.request()
    bench.link.read(Self.handle, request: first, now: bench.now)
    bench.link.read(Self.handle, request: second, now: bench.now)
    _ = bench.nextPDU()
    bench.link.abandon(first)
    #expect(bench.nextPDU() == nil)
    bench.feed(ATTReadResponse(value: [1]))
    #expect(bench.next() == ATTReadRequest(handle: Self.handle))
    bench.feed(ATTReadResponse(value: [2]))
    #expect(bench.results[first] == nil)
    #expect(bench.value(second) == .success([2]))
  }

  @Test("a long write that is given up throws its parts away at the peer")
  func abandonLongWrite() {
    var bench = LinkBench()
    let write = bench.request()
    bench.link.write([UInt8](repeating: 1, count: 30), to: Self.handle, request: write, now: bench.now)
    guard let part: ATTPrepareWriteRequest = bench.next() else {
      Issue.record("nothing was prepared")
      return
    }
    bench.link.abandon(write)
    bench.feed(ATTPrepareWriteResponse(handle: part.handle, offset: part.offset, value: part.value))
    #expect(bench.next() == ATTExecuteWriteRequest(flags: .cancel))
    bench.feed(ATTExecuteWriteResponse())
    #expect(bench.results[write] == nil && bench.link.deadline == nil)
  }

  @Test(
    "a reply that belongs to no request fails the one under way and ends the link: the true one may still come",
    arguments: [
      ATTWriteResponse().bytes,
      ATTErrorResponse(request: .writeRequest, handle: handle, code: .invalidHandle).bytes,
      [0x01, 0x12],
      ATTReadBlobResponse(value: [1]).bytes,
      [0x13] + [UInt8](repeating: 0, count: 600),
    ]
  )
  func mismatch(reply: [UInt8]) {
    var bench = LinkBench()
    let read = bench.request()
    let write = bench.request()
    let discovery = bench.request()
    let command = bench.request()
    let subscription = bench.subscription()
    bench.link.read(Self.handle, request: read, now: bench.now)
    bench.link.write([1], to: Self.handle, request: write, now: bench.now)
    bench.link.discover(nil, request: discovery, now: bench.now)
    bench.link.subscribe(to: SubscriptionTests.heartRate, subscription: subscription, now: bench.now)
    bench.link.writeWithoutResponse([1], to: Self.handle, request: command)
    while bench.nextPDU() != nil {}
    bench.feed(reply)
    #expect(bench.value(read)?.failure?.kind == .protocolViolation)
    for failure in [
      bench.done(write)?.failure, bench.services(discovery)?.failure, bench.done(command)?.failure,
      bench.subscribed[subscription]?.failure,
    ] {
      #expect(failure?.kind == .disconnected)
      #expect(failure?.reason.contains("the peer answered") == true)
    }
    #expect(bench.endings.values.allSatisfy { $0 == 1 } && bench.endings.count == 4)
    let drops = bench.others.filter { if case .dropLink = $0 { true } else { false } }
    #expect(drops.count == 1)
    // Neither the true reply nor anything new does anything.
    bench.feed(ATTReadResponse(value: [2]))
    let late = bench.request()
    bench.link.read(Self.handle, request: late, now: bench.now)
    #expect(bench.nextPDU() == nil && bench.link.deadline == nil)
    #expect(bench.value(late)?.failure?.kind == .disconnected)
    #expect(bench.endings[read] == 1)
  }

  @Test(
    "a mismatched reply to what nobody waits for any more, to the MTU exchange or to a subscription ends the link too"
  )
  func mismatchOfOthers() {
    for step in 0..<3 {
      var bench = LinkBench()
      let request = bench.request()
      let subscription = bench.subscription()
      switch step {
      case 0:
        bench.link.read(Self.handle, request: request, now: bench.now)
        bench.link.abandon(request)
      case 1: bench.link.exchangeMTU(request, now: bench.now)
      default: bench.link.subscribe(to: SubscriptionTests.heartRate, subscription: subscription, now: bench.now)
      }
      bench.feed(ATTExecuteWriteResponse())
      #expect(bench.others.contains { if case .dropLink = $0 { true } else { false } })
      switch step {
      case 0: #expect(bench.results[request] == nil)
      case 1:
        guard case .mtu(.failure(let failure))? = bench.results[request] else {
          Issue.record("the exchange did not fail")
          continue
        }
        #expect(failure.kind == .protocolViolation)
      default: #expect(bench.subscribed[subscription]?.failure?.kind == .protocolViolation)
      }
    }
  }

  @Test(
    "F41: a reply of the right kind that can not be read fails its request alone, and the next goes on",
    arguments: [[0x01], [0x01, 0x0A], [0x01, 0x0A, 1], [0x0B] + [UInt8](repeating: 0, count: 600)] as [[UInt8]]
  )
  func malformed(reply: [UInt8]) {
    var bench = LinkBench()
    let first = bench.request()
    let second = bench.request()
    bench.link.read(Self.handle, request: first, now: bench.now)
    bench.link.read(Self.handle, request: second, now: bench.now)
    _ = bench.nextPDU()
    bench.feed(reply)
    #expect(bench.value(first)?.failure?.kind == .protocolViolation)
    #expect(!bench.violations.isEmpty && bench.others.isEmpty)
    #expect(bench.next() == ATTReadRequest(handle: Self.handle))
    bench.feed(ATTReadResponse(value: [2]))
    #expect(bench.value(second) == .success([2]))
  }

  @Test("a response to nothing is ignored and told")
  func unsolicited() {
    var bench = LinkBench()
    bench.feed(ATTReadResponse(value: [1]))
    bench.feed(ATTErrorResponse(request: .readRequest, handle: Self.handle, code: .invalidHandle))
    #expect(bench.violations.count == 2)
    #expect(bench.nextPDU() == nil)
  }

  @Test("30 s without a reply: everything that waits fails, the link is to be dropped, nothing is sent any more")
  func timeout() {
    var bench = LinkBench()
    let read = bench.request()
    let write = bench.request()
    bench.link.read(Self.handle, request: read, now: bench.now)
    bench.link.write([1], to: Self.handle, request: write, now: bench.now)
    bench.link.abandon(read)
    let deadline = bench.now.advanced(by: .seconds(30))
    #expect(bench.link.deadline == deadline)
    bench.link.wake(now: RadioInstant(nanoseconds: deadline.nanoseconds - 1))
    #expect(bench.link.deadline == deadline)
    bench.link.wake(now: deadline)
    _ = bench.nextPDU()
    #expect(bench.results[read] == nil)
    #expect(bench.done(write)?.failure?.kind == .timedOut)
    #expect(bench.others.contains { if case .dropLink = $0 { true } else { false } })
    let late = bench.request()
    bench.link.read(Self.handle, request: late, now: deadline)
    bench.feed(ATTReadResponse(value: [1]))
    #expect(bench.value(late)?.failure?.kind == .timedOut)
    #expect(bench.nextPDU() == nil && bench.link.deadline == nil)
  }

  @Test("F02: when the link ends, everything that waits ends once, with the reason")
  func linkEnds() {
    var bench = LinkBench()
    let characteristic = RemoteCharacteristic(
      declarationHandle: AttributeHandle(1),
      handle: AttributeHandle(2),
      uuid: BluetoothUUID(UInt16(0x2A37)),
      properties: .notify,
      descriptors: [.init(handle: AttributeHandle(3), uuid: BluetoothUUID(UInt16(0x2902)))]
    )
    let ids = (0..<5).map { _ in bench.request() }
    let subscription = bench.subscription()
    bench.link.read(Self.handle, request: ids[0], now: bench.now)
    bench.link.write([1], to: Self.handle, request: ids[1], now: bench.now)
    bench.link.writeWithoutResponse([1], to: Self.handle, request: ids[2])
    bench.link.discover(nil, request: ids[3], now: bench.now)
    bench.link.exchangeMTU(ids[4], now: bench.now)
    bench.link.subscribe(to: characteristic, subscription: subscription, now: bench.now)
    let failure = RadioFailure(.disconnected, reason: "the peer went away")
    bench.link.fail(failure)
    bench.link.fail(failure)
    bench.drain()
    #expect(bench.endings.count == 5 && bench.endings.values.allSatisfy { $0 == 1 })
    #expect(bench.value(ids[0])?.failure == failure && bench.services(ids[3])?.failure == failure)
    #expect(bench.subscribed[subscription]?.failure == failure)
    let late = bench.request()
    bench.link.read(Self.handle, request: late, now: bench.now)
    bench.drain()
    #expect(bench.value(late)?.failure?.kind == .notConnected)
    #expect(throws: RadioFailure.self) { try bench.link.sendServerPDU([0x0B]) }
  }

  // MARK: The MTU

  @Test("F32: the MTU is 23 until it was exchanged, then the lesser of both")
  func mtu() {
    var bench = LinkBench(mtu: 247)
    let exchange = bench.request()
    #expect(bench.link.mtu == 23)
    bench.link.exchangeMTU(exchange, now: bench.now)
    #expect(bench.next() == ATTExchangeMTURequest(mtu: 247))
    #expect(bench.link.mtu == 23)
    bench.feed(ATTExchangeMTUResponse(mtu: 100))
    #expect(bench.link.mtu == 100 && bench.mtu(exchange) == 100)
    let again = bench.request()
    bench.link.exchangeMTU(again, now: bench.now)
    #expect(bench.nextPDU() == nil && bench.mtu(again) == 100)
  }

  @Test("a refused exchange, and one with nonsense, leave 23", arguments: [0, 5, 22] as [UInt16])
  func mtuNonsense(theirs: UInt16) {
    var bench = LinkBench()
    let exchange = bench.request()
    bench.link.exchangeMTU(exchange, now: bench.now)
    _ = bench.nextPDU()
    if theirs == 0 {
      bench.feed(ATTErrorResponse(request: .exchangeMTURequest, handle: AttributeHandle(0), code: .requestNotSupported))
    } else {
      bench.feed(ATTExchangeMTUResponse(mtu: theirs))
    }
    #expect(bench.mtu(exchange) == 23 && bench.link.mtu == 23)
  }

  @Test("F31: the peer's exchange is answered and holds whenever it comes, also between a request and its reply")
  func peersExchange() {
    var bench = LinkBench(mtu: 247)
    let read = bench.request()
    bench.link.read(Self.handle, request: read, now: bench.now)
    _ = bench.nextPDU()
    bench.feed(ATTExchangeMTURequest(mtu: 185))
    #expect(bench.next() == ATTExchangeMTUResponse(mtu: 247))
    #expect(bench.link.mtu == 185)
    #expect(bench.serverPDUs.isEmpty)
    // The reply may have been made before: a part that was full then is not taken for the end.
    bench.feed(ATTReadResponse(value: [UInt8](repeating: 1, count: 22)))
    #expect(bench.next() == ATTReadBlobRequest(handle: Self.handle, offset: 22))
    bench.feed(ATTReadBlobResponse(value: [2]))
    #expect(bench.value(read)?.value?.count == 23)
    bench.feed([0x02, 1])
    #expect(
      bench.next() == ATTErrorResponse(request: .exchangeMTURequest, handle: AttributeHandle(0), code: .invalidPDU)
    )
  }

  @Test("F33: what is longer than fits is an error, and nothing is sent of it")
  func tooLong() {
    var bench = LinkBench(role: .peripheral)
    let command = bench.request()
    bench.link.writeWithoutResponse([UInt8](repeating: 0, count: 21), to: Self.handle, request: command)
    let write = bench.request()
    bench.link.write([UInt8](repeating: 0, count: 513), to: Self.handle, request: write, now: bench.now)
    #expect(throws: RadioFailure.self) {
      try bench.link.sendServerPDU(
        ATTHandleValueNotification(handle: Self.handle, value: [UInt8](repeating: 0, count: 21)).bytes
      )
    }
    #expect(bench.nextPDU() == nil)
    #expect(bench.done(command)?.failure?.kind == .tooLong && bench.done(write)?.failure?.kind == .tooLong)
    bench.exchange(100)
    let fits = bench.request()
    bench.link.writeWithoutResponse([UInt8](repeating: 0, count: 97), to: Self.handle, request: fits)
    #expect(bench.nextPDU()?.count == 100)
  }

  @Test(
    "F41: a PDU longer than the MTU is an error for what it belongs to; the link goes on",
    arguments: [24, 600, 2000]
  )
  func overlong(length: Int) {
    var bench = LinkBench()
    let read = bench.request()
    bench.link.read(Self.handle, request: read, now: bench.now)
    _ = bench.nextPDU()
    func pdu(_ opcode: ATTOpcode) -> [UInt8] { [opcode.rawValue] + [UInt8](repeating: 0, count: length - 1) }
    bench.feed(pdu(.handleValueNotification))
    bench.feed(pdu(.writeCommand))
    #expect(bench.nextPDU() == nil && bench.value(read) == nil && bench.serverPDUs.isEmpty)
    bench.feed(pdu(.handleValueIndication))
    #expect(bench.next() == ATTHandleValueConfirmation())
    bench.feed(pdu(.writeRequest))
    #expect(bench.next() == ATTErrorResponse(request: .writeRequest, handle: AttributeHandle(0), code: .invalidPDU))
    bench.feed(pdu(.readResponse))
    #expect(bench.value(read)?.failure?.kind == .protocolViolation)
    let next = bench.request()
    bench.link.read(Self.handle, request: next, now: bench.now)
    bench.feed(ATTReadResponse(value: [1]))
    #expect(bench.value(next) == .success([1]))
  }

  @Test("what the server at this end must answer is passed on as it came")
  func serverPDUs() {
    var bench = LinkBench(role: .peripheral)
    let pdus = [
      ATTReadRequest(handle: Self.handle).bytes, ATTWriteCommand(handle: Self.handle, value: [1]).bytes,
      ATTHandleValueConfirmation().bytes, [0x3F, 1],
    ]
    for pdu in pdus { bench.feed(pdu) }
    #expect(bench.serverPDUs == pdus)
    bench.feed([])
    #expect(bench.violations.count == 1)
  }
}
