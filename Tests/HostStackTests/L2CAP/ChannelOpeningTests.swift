import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("Opening and closing credit-based channels")
struct ChannelOpeningTests {
  private static let response = L2CAPLECreditBasedConnectionResponse(
    destination: ChannelBench.peerNumber,
    mtu: 100,
    mps: 50,
    initialCredits: 4,
    result: .success
  )

  private func ask(_ bench: inout ChannelBench) throws -> (id: ChannelID, identifier: UInt8, local: L2CAPChannelID) {
    let id = bench.id()
    bench.act { link, now in link.openChannel(id, to: ChannelBench.psm, ChannelOptions(), now: now) }
    let asked = try bench.mustNext(L2CAPLECreditBasedConnectionRequest.self)
    return (id, asked.identifier, asked.message.source)
  }

  @Test("the wish says what this end takes, brought into range")
  func parameters() throws {
    var bench = ChannelBench()
    let id = bench.id()
    let options = ChannelOptions(mtu: 1, mps: 100_000, credits: 0)
    bench.act { link, now in link.openChannel(id, to: 0x0099, options, now: now) }
    let request = try bench.mustNext(L2CAPLECreditBasedConnectionRequest.self).message
    #expect(request.spsm == 0x0099 && request.source.isDynamic)
    #expect(request.mtu == 23 && request.mps == 1024 && request.initialCredits == 1)
  }

  @Test(
    "each refusal ends the wish with the peer's reason",
    arguments: [
      .spsmNotSupported, .noResources, .insufficientAuthentication, .insufficientAuthorization,
      .encryptionKeySizeTooShort, .insufficientEncryption, .invalidSourceChannel, .sourceChannelAlreadyAllocated,
      .unacceptableParameters, L2CAPConnectionResult(rawValue: 0x1234),
    ] as [L2CAPConnectionResult]
  )
  func refused(result: L2CAPConnectionResult) throws {
    var bench = ChannelBench()
    let asked = try ask(&bench)
    bench.feed(asked.identifier, L2CAPLECreditBasedConnectionResponse(refused: result))
    guard case .opened(.failure(let failure))? = bench.news.first?.news else {
      Issue.record("the wish did not end")
      return
    }
    #expect(failure.kind == .refused && failure.underlying == .channel(result))
    #expect(bench.link.link.deadline == nil)
    #expect(throws: RadioFailure.self) { try bench.send([1], on: asked.id) }
  }

  @Test("a peer that does not know the command has no channels")
  func rejected() throws {
    var bench = ChannelBench()
    let asked = try ask(&bench)
    bench.feed(asked.identifier, L2CAPCommandReject(.notUnderstood))
    #expect(bench.told() == ["failed unsupported"])
  }

  @Test(
    "an answer that can not be is a violation",
    arguments: [(0x0030, 100, 50), (0x0051, 22, 50), (0x0051, 100, 22), (0x0051, 100, 65534)]
      as [(UInt16, UInt16, UInt16)]
  )
  func nonsense(values: (UInt16, UInt16, UInt16)) throws {
    var bench = ChannelBench()
    let asked = try ask(&bench)
    var response = Self.response
    (response.destination, response.mtu, response.mps) = (L2CAPChannelID(rawValue: values.0), values.1, values.2)
    bench.feed(asked.identifier, response)
    #expect(bench.told() == ["failed protocolViolation"])
  }

  @Test("a number that the peer has given away already is a violation, and harms the first channel nothing")
  func doubleNumber() throws {
    var bench = ChannelBench()
    let first = try bench.mustOpen()
    let asked = try ask(&bench)
    bench.feed(asked.identifier, Self.response)
    #expect(bench.told() == ["failed protocolViolation"])
    #expect(try bench.send([1], on: first.id))
  }

  @Test("a peer that does not answer within 30 s: the wish ends, and a channel that comes late is closed")
  func timeout() throws {
    var bench = ChannelBench()
    let asked = try ask(&bench)
    bench.link.now = bench.link.now.advanced(by: .seconds(30))
    #expect(bench.link.link.deadline == bench.link.now)
    bench.act { link, now in link.wake(now: now) }
    #expect(bench.told() == ["failed timedOut"])
    #expect(bench.link.link.deadline == nil)
    bench.feed(asked.identifier, Self.response)
    let end = try bench.mustNext(L2CAPDisconnectionRequest.self)
    #expect(end.message == L2CAPDisconnectionRequest(destination: ChannelBench.peerNumber, source: asked.local))
    bench.feed(end.identifier, L2CAPDisconnectionResponse(destination: ChannelBench.peerNumber, source: asked.local))
    #expect(bench.told().isEmpty)
  }

  @Test("a wish that is given up ends at once, and a channel that the peer opens in spite of that is closed")
  func givenUp() throws {
    var bench = ChannelBench()
    let asked = try ask(&bench)
    bench.act { link, now in link.close(asked.id, .now, now: now) }
    #expect(bench.told() == ["released"])
    bench.feed(asked.identifier, Self.response)
    #expect(bench.next(L2CAPDisconnectionRequest.self) != nil)
    #expect(bench.told().isEmpty)
  }

  @Test("F14: the link goes while a channel is opening, open, draining or closing: each ends once, with the cause")
  func linkLoss() throws {
    var bench = ChannelBench()
    _ = try ask(&bench)
    _ = try bench.mustOpen()
    let draining = try bench.mustOpen(as: L2CAPChannelID(rawValue: 0x0052), credits: 0)
    #expect(try bench.send([1], on: draining.id))
    bench.act { link, now in link.close(draining.id, .afterSending, now: now) }
    let closing = try bench.mustOpen(as: L2CAPChannelID(rawValue: 0x0053))
    bench.act { link, now in link.close(closing.id, .now, now: now) }
    #expect(bench.told().isEmpty)
    bench.act { link, _ in link.fail(RadioFailure(.disconnected, reason: "gone")) }
    #expect(bench.told() == ["failed disconnected", "ended disconnected", "released", "released"])
    let late = bench.id()
    bench.act { link, now in link.openChannel(late, to: 0x0080, ChannelOptions(), now: now) }
    bench.act { link, now in link.close(late, .now, now: now) }
    #expect(bench.told() == ["failed notConnected", "released"])
  }

  @Test("the end from here: the peer is told, what waits is dropped, and the answer ends it")
  func closing() throws {
    var bench = ChannelBench()
    let channel = try bench.mustOpen(credits: 0)
    #expect(try bench.send([1], on: channel.id))
    bench.act { link, now in link.close(channel.id, .now, now: now) }
    let end = try bench.mustNext(L2CAPDisconnectionRequest.self)
    #expect(bench.told().isEmpty)
    // What comes now is nobody's, and no fault.
    bench.feed(channel.local, [1, 0, 9])
    #expect(bench.link.violations.isEmpty)
    bench.feed(
      end.identifier,
      L2CAPDisconnectionResponse(destination: ChannelBench.peerNumber, source: channel.local)
    )
    #expect(bench.told() == ["released"])
    #expect(bench.link.link.deadline == nil)
    bench.act { link, now in link.close(channel.id, .now, now: now) }
    #expect(bench.told() == ["released"])
  }

  @Test("the end after sending: what was taken goes as the peer gives credits, then the peer is told")
  func draining() throws {
    var bench = ChannelBench()
    let channel = try bench.mustOpen(credits: 1)
    #expect(try bench.send(Array(repeating: 7, count: 100), on: channel.id))
    bench.act { link, now in link.close(channel.id, .afterSending, now: now) }
    #expect(throws: RadioFailure.self) { try bench.send([1], on: channel.id) }
    #expect(bench.takeFrames().count == 1)
    #expect(bench.nextCommand() == nil)
    bench.feed(1, L2CAPFlowControlCredit(channel: ChannelBench.peerNumber, credits: 2))
    #expect(bench.takeFrames().count == 2)
    #expect(bench.next(L2CAPDisconnectionRequest.self) != nil)
  }

  @Test("the wait for the end of sending can be ended")
  func drainingNow() throws {
    var bench = ChannelBench()
    let channel = try bench.mustOpen(credits: 0)
    #expect(try bench.send([1], on: channel.id))
    bench.act { link, now in link.close(channel.id, .afterSending, now: now) }
    #expect(bench.nextCommand() == nil)
    bench.act { link, now in link.close(channel.id, .now, now: now) }
    #expect(bench.next(L2CAPDisconnectionRequest.self) != nil)
  }

  @Test("both ends close at once: each request is answered, and the channel ends once")
  func bothClose() throws {
    var bench = ChannelBench()
    let channel = try bench.mustOpen()
    bench.act { link, now in link.close(channel.id, .now, now: now) }
    let end = try bench.mustNext(L2CAPDisconnectionRequest.self)
    // With the same identifier, which is the peer's own.
    bench.feed(
      end.identifier,
      L2CAPDisconnectionRequest(destination: channel.local, source: ChannelBench.peerNumber)
    )
    let response = try bench.mustNext(L2CAPDisconnectionResponse.self)
    #expect(response.identifier == end.identifier)
    #expect(response.message == .init(destination: channel.local, source: ChannelBench.peerNumber))
    #expect(bench.told() == ["released"])
    bench.feed(
      end.identifier,
      L2CAPDisconnectionResponse(destination: ChannelBench.peerNumber, source: channel.local)
    )
    #expect(bench.told().isEmpty)
    #expect(bench.link.violations.isEmpty)
  }

  @Test("a peer that knows nothing of the channel any more, or does not answer, ends it too", arguments: [true, false])
  func forgotten(answers: Bool) throws {
    var bench = ChannelBench()
    let channel = try bench.mustOpen()
    bench.act { link, now in link.close(channel.id, .now, now: now) }
    let end = try bench.mustNext(L2CAPDisconnectionRequest.self)
    if answers {
      let reason = L2CAPCommandReject.Reason.invalidChannel(local: ChannelBench.peerNumber, remote: channel.local)
      bench.feed(end.identifier, L2CAPCommandReject(reason))
    } else {
      bench.link.now = bench.link.now.advanced(by: .seconds(5))
      bench.act { link, now in link.wake(now: now) }
    }
    #expect(bench.told() == ["released"])
  }

  @Test("the peer ends a channel: it is answered, and the owner told; numbers that do not fit are passed over")
  func closedByPeer() throws {
    var bench = ChannelBench()
    let channel = try bench.mustOpen()
    let wrong = L2CAPChannelID(rawValue: 0x0066)
    bench.feed(9, L2CAPDisconnectionRequest(destination: channel.local, source: wrong))
    #expect(bench.nextCommand() == nil)
    bench.feed(9, L2CAPDisconnectionRequest(destination: wrong, source: ChannelBench.peerNumber))
    let reason = L2CAPCommandReject.Reason.invalidChannel(local: wrong, remote: ChannelBench.peerNumber)
    #expect(bench.next(L2CAPCommandReject.self)?.message == L2CAPCommandReject(reason))
    #expect(bench.told().isEmpty)
    bench.feed(9, L2CAPDisconnectionRequest(destination: channel.local, source: ChannelBench.peerNumber))
    #expect(bench.next(L2CAPDisconnectionResponse.self)?.identifier == 9)
    #expect(bench.told() == ["ended well"])
    #expect(throws: RadioFailure.self) { try bench.send([1], on: channel.id) }
  }

  // MARK: Accepting

  private func request(_ change: (inout L2CAPLECreditBasedConnectionRequest) -> Void = { _ in })
    -> L2CAPLECreditBasedConnectionRequest
  {
    var request = L2CAPLECreditBasedConnectionRequest(
      spsm: 0x0080,
      source: ChannelBench.peerNumber,
      mtu: 100,
      mps: 50,
      initialCredits: 4
    )
    change(&request)
    return request
  }

  private func accept(_ bench: inout ChannelBench, _ request: L2CAPLECreditBasedConnectionRequest)
    -> (limits: ChannelLimits?, response: L2CAPLECreditBasedConnectionResponse?)
  {
    bench.feed(7, request)
    guard let asked = bench.requests.popLast() else { return (nil, nil) }
    let id = bench.id()
    let limits = bench.act { link, _ in
      link.accept(asked.request, identifier: asked.identifier, as: id, ChannelOptions(mtu: 500))
    }
    let response = bench.next(L2CAPLECreditBasedConnectionResponse.self)
    #expect(response?.identifier == 7)
    return (limits, response?.message)
  }

  @Test("a channel that the peer asks for is open with the answer, and both ends can send")
  func accepts() throws {
    var bench = ChannelBench()
    let (limits, response) = accept(&bench, request())
    #expect(limits == ChannelLimits(send: 100, receive: 500))
    let answer = try #require(response)
    #expect(answer.result == .success && answer.destination.isDynamic && answer.mtu == 500)
    bench.feed(answer.destination, [3, 0, 1, 2, 3])
    #expect(bench.told() == ["received 3"])
    #expect(try bench.send([4], on: ChannelID(rawValue: 1)))
    #expect(bench.takeFrames() == [[1, 0, 4]])
  }

  @Test("a wish for what can not be is refused with the reason that the specification has for it")
  func refuses() throws {
    var bench = ChannelBench()
    #expect(
      accept(&bench, request { $0.source = L2CAPChannelID(rawValue: 0x0004) }).response?.result == .invalidSourceChannel
    )
    #expect(accept(&bench, request { $0.mtu = 22 }).response?.result == .unacceptableParameters)
    #expect(accept(&bench, request { $0.mps = 22 }).response?.result == .unacceptableParameters)
    #expect(accept(&bench, request { $0.mps = 65534 }).response?.result == .unacceptableParameters)
    #expect(accept(&bench, request()).response?.result == .success)
    #expect(accept(&bench, request()).response?.result == .sourceChannelAlreadyAllocated)
    bench.feed(8, request { $0.source = L2CAPChannelID(rawValue: 0x0060) })
    bench.act { link, _ in link.refuse(channel: 8, .spsmNotSupported) }
    let refusal = bench.next(L2CAPLECreditBasedConnectionResponse.self)
    #expect(refusal?.message == L2CAPLECreditBasedConnectionResponse(refused: .spsmNotSupported))
  }

  @Test("64 channels are the most; the next is refused, and one from here fails as busy")
  func full() throws {
    var bench = ChannelBench()
    for number in UInt16(0x0040)...0x007F {
      #expect(accept(&bench, request { $0.source = L2CAPChannelID(rawValue: number) }).limits != nil)
    }
    let one = bench.id()
    bench.act { link, now in link.openChannel(one, to: 0x0080, ChannelOptions(), now: now) }
    #expect(bench.told() == ["failed busy"])
    bench.feed(9, L2CAPDisconnectionRequest(destination: .init(rawValue: 0x0040), source: .init(rawValue: 0x0040)))
    #expect(bench.told() == ["ended well"])
    _ = bench.next(L2CAPDisconnectionResponse.self)
    #expect(accept(&bench, request { $0.source = L2CAPChannelID(rawValue: 0x0040) }).limits != nil)
  }

  @Test("identifiers of requests that wait are not used again, and an answer is taken for none but its own request")
  func identifiers() throws {
    var identifiers = SignallingIdentifiers()
    let taken = identifiers.take()
    let held = try #require(taken)
    var seen: Set<UInt8> = []
    for _ in 0..<600 {
      let next = identifiers.takeOnce()
      #expect(next != 0 && next != held)
      seen.insert(next)
    }
    #expect(seen.count == 254)
    for _ in 0..<254 { #expect(identifiers.take() != nil) }
    #expect(identifiers.take() == nil)
    var bench = ChannelBench()
    let first = try ask(&bench)
    let second = try ask(&bench)
    #expect(first.identifier != second.identifier && first.local != second.local)
    bench.feed(first.identifier, L2CAPDisconnectionResponse(destination: ChannelBench.peerNumber, source: first.local))
    bench.feed(first.identifier &+ 100, Self.response)
    #expect(bench.told().isEmpty)
    bench.feed(second.identifier, Self.response)
    #expect(bench.news.map(\.id) == [second.id])
  }
}
