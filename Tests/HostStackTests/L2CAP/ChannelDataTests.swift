import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("Data and credits of credit-based channels")
struct ChannelDataTests {
  @Test("an SDU is cut into frames, its length in the first, and each costs a credit")
  func segmentation() throws {
    var bench = ChannelBench()
    let channel = try bench.mustOpen(credits: 2)
    let sdu = (0..<100).map { UInt8($0) }
    #expect(try bench.send(sdu, on: channel.id))
    #expect(bench.takeFrames() == [[100, 0] + sdu[..<48], Array(sdu[48..<98])])
    bench.feed(3, L2CAPFlowControlCredit(channel: ChannelBench.peerNumber, credits: 1))
    #expect(bench.takeFrames() == [Array(sdu[98...])])
    #expect(try bench.send([], on: channel.id))
    bench.feed(4, L2CAPFlowControlCredit(channel: ChannelBench.peerNumber, credits: 1))
    #expect(bench.takeFrames() == [[0, 0]])
    #expect(throws: RadioFailure.self) { try bench.send(Array(repeating: 0, count: 101), on: channel.id) }
  }

  @Test("frames are joined to SDUs, also to empty ones")
  func reassembly() throws {
    var bench = ChannelBench()
    let channel = try bench.mustOpen()
    bench.feed(channel.local, [100, 0] + Array(repeating: 1, count: 48))
    bench.feed(channel.local, Array(repeating: 2, count: 50))
    #expect(bench.told().isEmpty)
    bench.feed(channel.local, [3, 3])
    guard case .received(let sdu)? = bench.news.first?.news else {
      Issue.record("nothing was received")
      return
    }
    #expect(sdu == Array(repeating: 1, count: 48) + Array(repeating: 2, count: 50) + [3, 3])
    bench.feed(channel.local, [0, 0])
    #expect(bench.told() == ["received 100", "received 0"])
  }

  @Test("F34: credits go back as SDUs are consumed, and not before")
  func backPressure() throws {
    var bench = ChannelBench()
    let channel = try bench.mustOpen(ChannelOptions(mtu: 100, mps: 50, credits: 4))
    for _ in 0..<4 { bench.feed(channel.local, [1, 0, 9]) }
    #expect(bench.told().count == 4)
    #expect(bench.nextCommand() == nil)
    bench.act { link, _ in link.consumed(1, on: channel.id) }
    #expect(bench.next(L2CAPFlowControlCredit.self)?.message == .init(channel: channel.local, credits: 1))
    bench.act { link, _ in link.consumed(3, on: channel.id) }
    #expect(bench.next(L2CAPFlowControlCredit.self)?.message == .init(channel: channel.local, credits: 3))
    bench.act { link, _ in link.consumed(5, on: channel.id) }
    #expect(bench.nextCommand() == nil)
  }

  @Test("an SDU that is longer than all credits together carry gets more of them, so that it can end")
  func longSDU() throws {
    var bench = ChannelBench()
    let channel = try bench.mustOpen(ChannelOptions(mtu: 1000, mps: 23, credits: 2))
    bench.feed(channel.local, [0xE8, 0x03] + Array(repeating: 1, count: 21))
    var left = 1000 - 21
    var credits = 1
    while left > 0 {
      while let given = bench.next(L2CAPFlowControlCredit.self) { credits += Int(given.message.credits) }
      try #require(credits > 0)
      credits -= 1
      bench.feed(channel.local, Array(repeating: 1, count: min(23, left)))
      left -= min(23, left)
    }
    #expect(bench.told() == ["received 1000"])
  }

  @Test("F34: a frame without a credit ends the channel, at both ends")
  func noCredit() throws {
    var bench = ChannelBench()
    let channel = try bench.mustOpen()
    for _ in 0..<5 { bench.feed(channel.local, [1, 0, 9]) }
    #expect(bench.told() == Array(repeating: "received 1", count: 4) + ["ended protocolViolation"])
    #expect(bench.next(L2CAPDisconnectionRequest.self) != nil)
  }

  @Test(
    "what breaks the rules ends the channel, at both ends, and the link goes on",
    arguments: [
      Array(repeating: 0, count: 51),  // longer than the MPS
      Array(repeating: 0, count: 2000),  // longer than any frame
      [1],  // no room for the length
      [101, 0, 1],  // longer than the MTU
      [1, 0, 1, 2],  // more than announced
    ] as [[UInt8]]
  )
  func badFrames(frame: [UInt8]) throws {
    var bench = ChannelBench()
    let channel = try bench.mustOpen()
    let other = try bench.mustOpen(as: L2CAPChannelID(rawValue: 0x0052))
    bench.feed(channel.local, frame)
    #expect(bench.told() == ["ended protocolViolation"])
    #expect(bench.next(L2CAPDisconnectionRequest.self)?.message.source == channel.local)
    #expect(bench.link.violations.count == 1)
    bench.act { link, now in link.close(channel.id, .now, now: now) }
    #expect(bench.told() == ["released"])
    #expect(try bench.send([1], on: other.id))
  }

  @Test("credits up to 65535 count; more end the channel; none and those for nobody are passed over")
  func creditOverflow() throws {
    var bench = ChannelBench()
    let channel = try bench.mustOpen(credits: 4)
    bench.feed(1, L2CAPFlowControlCredit(channel: ChannelBench.peerNumber, credits: 0))
    bench.feed(1, L2CAPFlowControlCredit(channel: L2CAPChannelID(rawValue: 0x0077), credits: 9))
    bench.feed(1, L2CAPFlowControlCredit(channel: ChannelBench.peerNumber, credits: 65531))
    #expect(bench.told().isEmpty)
    #expect(try bench.send([1], on: channel.id))
    bench.feed(1, L2CAPFlowControlCredit(channel: ChannelBench.peerNumber, credits: 1))
    #expect(bench.told().isEmpty)
    bench.feed(1, L2CAPFlowControlCredit(channel: ChannelBench.peerNumber, credits: 1))
    #expect(bench.told() == ["ended protocolViolation"])
    #expect(bench.next(L2CAPDisconnectionRequest.self) != nil)
  }

  @Test("a sender that has no room is told when there is, once, and nothing is lost")
  func room() throws {
    var bench = ChannelBench()
    let channel = try bench.mustOpen(mtu: 1000, mps: 500, credits: 0)
    let sdu = Array(repeating: UInt8(5), count: 1000)
    var count = 0
    while try bench.send(sdu, on: channel.id) { count += 1 }
    #expect(count == 8)
    bench.feed(1, L2CAPFlowControlCredit(channel: ChannelBench.peerNumber, credits: 8))
    _ = bench.takeFrames()
    #expect(bench.told().isEmpty)
    bench.feed(1, L2CAPFlowControlCredit(channel: ChannelBench.peerNumber, credits: 100))
    let frames = bench.takeFrames()
    #expect(bench.told() == ["room"])
    #expect(frames.count > 8)
    #expect(try bench.send(sdu, on: channel.id))
  }

  @Test("few frames wait for the controller, and channels take turns")
  func fairness() throws {
    var bench = ChannelBench()
    let first = try bench.mustOpen(as: L2CAPChannelID(rawValue: 0x0051), credits: 100)
    let second = try bench.mustOpen(as: L2CAPChannelID(rawValue: 0x0052), credits: 100)
    for _ in 0..<20 { #expect(try bench.send([1], on: first.id)) }
    #expect(bench.link.frames.count == CreditChannels.frameLimit)
    for _ in 0..<20 { #expect(try bench.send([2], on: second.id)) }
    // What the attributes send now waits behind those few.
    let request = bench.link.request()
    bench.act { link, now in link.read(AttributeHandle(3), request: request, now: now) }
    #expect(bench.link.frames.firstIndex { $0.bytes[2] == 4 } == CreditChannels.frameLimit)
    let order = bench.takeFrames().map { $0[2] }
    #expect(order.count == 40)
    #expect(order[2..<38].filter { $0 == 2 }.count >= 17)
  }

  @Test("random commands and frames never trap, and the link stays usable")
  func garbage() throws {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<200 {
      var bench = ChannelBench()
      var open: [ChannelID] = []
      if let channel = bench.open(credits: 3) { open.append(channel.id) }
      for _ in 0..<60 {
        switch UInt8.random(in: 0..<6, using: &generator) {
        case 0: bench.feed(.leSignalling, generator.bytes(Int.random(in: 0..<24, using: &generator)))
        case 1:
          let code = UInt8.random(in: 1...0x1A, using: &generator)
          let data = generator.bytes(Int.random(in: 0..<12, using: &generator))
          bench.feed(.leSignalling, [code, 1, UInt8(data.count), 0] + data)
        case 2:
          let number = L2CAPChannelID(rawValue: .random(in: 0x40...0x44, using: &generator))
          bench.feed(number, generator.bytes(Int.random(in: 0..<60, using: &generator)))
        case 3:
          let credits = UInt16.random(in: 0...0xFFFF, using: &generator)
          bench.feed(1, L2CAPFlowControlCredit(channel: ChannelBench.peerNumber, credits: credits))
        case 4:
          for id in open { _ = try? bench.send(generator.bytes(40), on: id) }
          _ = bench.takeFrames()
        default:
          bench.link.now = bench.link.now.advanced(by: .seconds(3))
          bench.act { link, now in link.wake(now: now) }
        }
        for asked in bench.requests {
          let id = bench.id()
          open.append(id)
          _ = bench.act { link, _ in
            link.accept(
              asked.request,
              identifier: asked.identifier,
              as: id,
              ChannelOptions(mtu: 40, mps: 30, credits: 2)
            )
          }
        }
        bench.requests = []
      }
      for id in open { bench.act { link, now in link.close(id, .now, now: now) } }
      bench.news = []
      bench.act { link, _ in link.fail(RadioFailure(.disconnected, reason: "gone")) }
      #expect(bench.link.link.deadline == nil)
    }
  }
}
