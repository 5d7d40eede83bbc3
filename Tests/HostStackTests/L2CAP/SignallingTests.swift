import BluetoothTypes
import HostStack
import RadioPort
import Testing

@Suite("L2CAP signalling on a link")
struct SignallingTests {
  static let good = L2CAPConnectionParameterUpdateRequest(intervalMin: 24, intervalMax: 40, latency: 0, timeout: 100)

  private func ask(_ bench: inout LinkBench, _ command: SignallingCommand) -> SignallingCommand? {
    bench.feed(.leSignalling, command.bytes)
    return bench.nextPDU().flatMap { try? SignallingCommand(bytes: $0) }
  }

  @Test("a central takes connection parameters that make sense, and passes them on")
  func accepts() throws {
    var bench = LinkBench()
    let answer = ask(&bench, SignallingCommand(identifier: 3, Self.good))
    #expect(answer == SignallingCommand(identifier: 3, L2CAPConnectionParameterUpdateResponse(isAccepted: true)))
    guard case .parameterUpdateRequested(let wish)? = bench.others.first else {
      Issue.record("nothing was passed on")
      return
    }
    #expect(wish == Self.good)
  }

  @Test(
    "a central refuses connection parameters out of range",
    arguments: [
      (5, 40, 0, 100), (24, 3201, 0, 3200), (40, 24, 0, 100), (24, 40, 500, 3200), (24, 40, 0, 9), (24, 40, 20, 100),
    ]
      as [(UInt16, UInt16, UInt16, UInt16)]
  )
  func refuses(values: (UInt16, UInt16, UInt16, UInt16)) {
    var bench = LinkBench()
    let wish = L2CAPConnectionParameterUpdateRequest(
      intervalMin: values.0,
      intervalMax: values.1,
      latency: values.2,
      timeout: values.3
    )
    let answer = ask(&bench, SignallingCommand(identifier: 3, wish))
    #expect(answer == SignallingCommand(identifier: 3, L2CAPConnectionParameterUpdateResponse(isAccepted: false)))
    #expect(bench.others.isEmpty)
  }

  @Test("a peripheral does not understand a request for connection parameters")
  func peripheral() {
    var bench = LinkBench(role: .peripheral)
    let answer = ask(&bench, SignallingCommand(identifier: 3, Self.good))
    #expect(answer == SignallingCommand(identifier: 3, L2CAPCommandReject(.notUnderstood)))
  }

  @Test("a peripheral's wish ends with the answer to its own identifier, a later wish goes out after it")
  func wishes() throws {
    var bench = LinkBench(role: .peripheral)
    try bench.link.requestParameterUpdate(Self.good, now: bench.now)
    try bench.link.requestParameterUpdate(Self.good, now: bench.now)
    let first = bench.nextPDU().flatMap { try? SignallingCommand(bytes: $0) }
    let identifier = try #require(first?.identifier)
    #expect(bench.nextPDU() == nil)
    let accepted = L2CAPConnectionParameterUpdateResponse(isAccepted: true)
    bench.feed(.leSignalling, SignallingCommand(identifier: identifier &+ 1, accepted).bytes)
    #expect(bench.others.isEmpty)
    bench.feed(.leSignalling, SignallingCommand(identifier: identifier, accepted).bytes)
    #expect(bench.others.count == 1)
    let second = bench.nextPDU().flatMap { try? SignallingCommand(bytes: $0) }
    #expect(second?.identifier != identifier && second?.code == .connectionParameterUpdateRequest)
    bench.now = bench.now.advanced(by: .seconds(30))
    #expect(bench.link.deadline == bench.now)
    bench.link.wake(now: bench.now)
    bench.drain()
    guard case .parameterUpdateAnswered(.failure)? = bench.others.last else {
      Issue.record("the second wish did not end")
      return
    }
    #expect(bench.link.deadline == nil)
  }

  @Test("a wish that waits when the link goes ends with the reason for that")
  func wishAndLoss() throws {
    var bench = LinkBench(role: .peripheral)
    try bench.link.requestParameterUpdate(Self.good, now: bench.now)
    let cause = RadioFailure(.poweredOff, reason: "the adapter was switched off")
    bench.link.fail(cause)
    bench.drain()
    guard case .parameterUpdateAnswered(.failure(cause))? = bench.others.last else {
      Issue.record("the wish ended with \(String(describing: bench.others.last))")
      return
    }
    #expect(bench.link.deadline == nil)
  }

  @Test("a wish of a central, or one out of range, is an error")
  func badWishes() {
    var central = LinkBench()
    #expect(throws: RadioFailure.self) { try central.link.requestParameterUpdate(Self.good, now: .zero) }
    var peripheral = LinkBench(role: .peripheral)
    let bad = L2CAPConnectionParameterUpdateRequest(intervalMin: 1, intervalMax: 1, latency: 0, timeout: 1)
    #expect(throws: RadioFailure.self) { try peripheral.link.requestParameterUpdate(bad, now: .zero) }
  }

  @Test("what is not offered is refused in the way of each command")
  func refusals() {
    var bench = LinkBench()
    let unknown = ask(&bench, SignallingCommand(code: SignallingCode(rawValue: 0x0A), identifier: 1, data: [2, 0]))
    #expect(unknown == SignallingCommand(identifier: 1, L2CAPCommandReject(.notUnderstood)))
    let channel = L2CAPChannelID(rawValue: 0x41)
    let other = L2CAPChannelID(rawValue: 0x42)
    let close = ask(
      &bench,
      SignallingCommand(identifier: 2, L2CAPDisconnectionRequest(destination: channel, source: other))
    )
    #expect(
      close == SignallingCommand(identifier: 2, L2CAPCommandReject(.invalidChannel(local: channel, remote: other)))
    )
    let long = ask(
      &bench,
      SignallingCommand(code: SignallingCode(rawValue: 0x0A), identifier: 5, data: [UInt8](repeating: 0, count: 30))
    )
    #expect(long == SignallingCommand(identifier: 5, L2CAPCommandReject(.mtuExceeded(actual: 23))))
    bench.feed(.leSignalling, [0x12, 6, 8, 0, 1])
    #expect(bench.nextPDU() == SignallingCommand(identifier: 6, L2CAPCommandReject(.notUnderstood)).bytes)
  }

  @Test("responses to nothing, identifier 0 and unknown channels are passed over")
  func silence() {
    var bench = LinkBench()
    for code in [0x01, 0x03, 0x07, 0x0B, 0x13, 0x15, 0x18, 0x1A] as [UInt8] {
      #expect(ask(&bench, SignallingCommand(code: SignallingCode(rawValue: code), identifier: 9, data: [0, 0])) == nil)
    }
    #expect(ask(&bench, SignallingCommand(code: SignallingCode(rawValue: 0x0A), identifier: 0, data: [])) == nil)
    bench.feed(L2CAPChannelID(rawValue: 0x0040), [1, 2, 3])
    bench.feed(L2CAPChannelID(rawValue: 0x0003), [1, 2, 3])
    #expect(bench.nextPDU() == nil)
    // Besides the three, two answers are too short to be any.
    #expect(bench.violations.count == 5)
  }

  @Test("a wish for pairing is refused, so that the peer need not wait")
  func pairing() {
    var bench = LinkBench(role: .peripheral)
    bench.feed(.security, [0x01, 3, 0, 1, 16, 0, 0])
    #expect(bench.nextPDU() == [0x05, 0x05])
    bench.feed(.security, [0x05, 0x05])
    #expect(bench.nextPDU() == nil)
  }
}
