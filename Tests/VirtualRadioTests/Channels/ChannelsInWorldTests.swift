import BluetoothTypes
import Foundation
import HostStack
import RadioPort
import Synchronization
import Testing
import VirtualRadioTesting

@testable import VirtualRadio

/// Whether there is time for all, not only for a part that is spread over the whole.
private let isThorough = ProcessInfo.processInfo.environment["HALCYON_THOROUGH"] != nil

@Suite("L2CAP channels between two radios on one air", .reportsWorlds(packets: 40))
struct ChannelsInWorldTests {
  @Test("F43: much goes each way at once, in order and whole, whatever the lengths and the credits")
  func bulk() async throws {
    try await World.simulated(seed: 1) { world in
      let pair = ChannelPair(world)
      try await world.run(for: .seconds(1))
      let count = isThorough ? 1_000_000 : 200_000
      pair.publish(ChannelPublication(options: ChannelOptions(mtu: 300, mps: 100, credits: 7)), toSend: count)
      let link = try #require(try await pair.connect())
      let psm = try #require(pair.now.psm)
      #expect(psm.isDynamic)
      let end = ChannelEnd(pair.central, toSend: count)
      end.open(to: psm, on: link, ChannelOptions(mtu: 1500, mps: 200, credits: 20))
      try await world.run(for: .seconds(1))
      let other = try #require(pair.now.accepted.first)
      #expect(end.now.info?.sendLimit == 300 && end.now.info?.receiveLimit == 1500)
      #expect(other.now.info?.sendLimit == 1500 && other.now.info?.psm == psm)
      while end.now.received < count || other.now.received < count, world.now.sinceStart < .seconds(600) {
        try await world.run(for: .seconds(1))
      }
      #expect(end.now.received == count && other.now.received == count)
      #expect(!end.now.isWrong && !other.now.isWrong)
      #expect(end.now.refusals > 20 && other.now.refusals > 20)
      #expect(end.now.ends.isEmpty && other.now.ends.isEmpty)
    }
  }

  @Test("F34: who does not receive stops the peer, whose sends find no room; who receives again gets all of it")
  func backPressure() async throws {
    try await World.simulated(seed: 2) { world in
      let pair = ChannelPair(world)
      try await world.run(for: .seconds(1))
      pair.publish(ChannelPublication(options: ChannelOptions(mtu: 100, mps: 50, credits: 8)))
      let link = try #require(try await pair.connect())
      let end = ChannelEnd(pair.central)
      end.open(to: try #require(pair.now.psm), on: link, ChannelOptions())
      try await world.run(for: .seconds(1))
      let other = try #require(pair.now.accepted.first)
      other.setReading(false)
      end.send(50_000)
      try await world.run(for: .seconds(30))
      let stopped = end.now.sent
      #expect(stopped < 10_000)
      #expect(other.now.received == 0)
      try await world.run(for: .seconds(30))
      #expect(end.now.sent == stopped)
      other.setReading(true)
      try await world.run(for: .seconds(30))
      #expect(other.now.received == 50_000 && !other.now.isWrong)
    }
  }

  @Test("attributes stay quick while channels are busy")
  func fairness() async throws {
    try await World.simulated(seed: 3) { world in
      let pair = ChannelPair(world)
      try await world.run(for: .seconds(1))
      pair.publish(ChannelPublication(), toSend: 10_000_000)
      let link = try #require(try await pair.connect())
      let ends = (0..<3).map { _ in ChannelEnd(pair.central, toSend: 10_000_000) }
      for end in ends { end.open(to: try #require(pair.now.psm), on: link, ChannelOptions()) }
      try await world.run(for: .seconds(2))
      for _ in 0..<10 {
        let before = world.now
        let value = try await withCheckedThrowingContinuation { continuation in
          pair.enter(pair.central) { radio in
            _ = radio.read(AttributeHandle(3), on: link) { continuation.resume(with: $0) }
          }
        }
        #expect(!value.isEmpty)
        #expect(before.duration(to: world.now) < .seconds(1))
      }
      // The channels share the link.
      let shares = ends.map(\.now.sent)
      #expect((shares.min() ?? 0) * 2 > (shares.max() ?? 0))
      #expect((shares.min() ?? 0) > 10_000)
    }
  }

  @Test("each end can close; the other is told, what came before can still be received, and another channel works")
  func closing() async throws {
    try await World.simulated(seed: 4) { world in
      let pair = ChannelPair(world)
      try await world.run(for: .seconds(1))
      pair.publish(ChannelPublication())
      let link = try #require(try await pair.connect())
      let psm = try #require(pair.now.psm)
      for closesCentral in [true, false] {
        let end = ChannelEnd(pair.central)
        end.open(to: psm, on: link, ChannelOptions())
        try await world.run(for: .seconds(1))
        let accepted = try #require(pair.now.accepted.last)
        let (closer, other) = closesCentral ? (end, accepted) : (accepted, end)
        other.setReading(false)
        closer.send(5000)
        closer.close(.afterSending)
        try await world.run(for: .seconds(2))
        #expect(closer.now.closings == 1 && closer.now.ends.isEmpty)
        #expect(other.now.ends == [nil])
        other.setReading(true)
        #expect(other.now.received == 5000 && !other.now.isWrong)
        other.close(.now)
        #expect(other.now.closings == 1)
      }
      // Both at once.
      let end = ChannelEnd(pair.central)
      end.open(to: psm, on: link, ChannelOptions())
      try await world.run(for: .seconds(1))
      let other = try #require(pair.now.accepted.last)
      end.close(.now)
      other.close(.now)
      try await world.run(for: .seconds(1))
      #expect(end.now.closings == 1 && other.now.closings == 1)
      #expect(end.now.ends.isEmpty && other.now.ends.isEmpty)
      #expect(world.now.sinceStart < .seconds(20))
    }
  }

  @Test("what is not published, not any more, or needs encryption is refused with the reason")
  func refusals() async throws {
    try await World.simulated(seed: 5) { world in
      let pair = ChannelPair(world)
      try await world.run(for: .seconds(1))
      pair.publish(ChannelPublication(psm: 0x0025, requiresEncryption: true))
      let link = try #require(try await pair.connect())
      #expect(pair.now.psm == 0x0025)
      func refusal(_ psm: L2CAPPSM) async throws -> RadioFailure? {
        let end = ChannelEnd(pair.central)
        end.open(to: psm, on: link, ChannelOptions())
        try await world.run(for: .seconds(1))
        #expect(end.now.openings == 1)
        return end.now.failure
      }
      #expect(try await refusal(0x0025)?.underlying == .channel(.insufficientAuthentication))
      #expect(try await refusal(0x0081)?.underlying == .channel(.spsmNotSupported))
      #expect(try await refusal(0x0100)?.kind == .invalidArgument)
      pair.enter(pair.peripheral) { $0.unpublishChannel(pair.now.listener ?? ChannelListenerID(rawValue: 0)) }
      #expect(try await refusal(0x0025)?.underlying == .channel(.spsmNotSupported))
      pair.publish(ChannelPublication(psm: 0x0025))
      #expect(try await refusal(0x0025) == nil)
      pair.publish(ChannelPublication(psm: 0x0025))
      #expect(pair.now.psm == nil)
    }
  }

  // MARK: A fault at every moment

  private enum Fault: CaseIterable, Sendable {
    case closeHere, closeThere, closeBoth, disconnect, outOfReach, powerOff
  }

  @Test("a channel is closed or lost at every packet: each end ends once, and the next channel works", arguments: 0..<6)
  func sweep(number: Int) async throws {
    let fault = Fault.allCases[number]
    var moment = 1
    while try await strike(fault, at: moment), moment < 2000 {
      moment += isThorough ? 1 : fault == .outOfReach ? 19 : 9
    }
    #expect(moment > 50 && moment < 2000)
  }

  /// Whether the session lasted until the moment.
  private func strike(_ fault: Fault, at moment: Int) async throws -> Bool {
    try await World.simulated(seed: 6) { world in
      let pair = ChannelPair(world)
      try await world.run(for: .seconds(1))
      pair.publish(ChannelPublication(options: ChannelOptions(mtu: 100, mps: 50, credits: 4)), toSend: 600)
      let link = try #require(try await pair.connect())
      let psm = try #require(pair.now.psm)
      let end = ChannelEnd(pair.central, toSend: 600)
      let struck = Mutex<(start: Int?, isDone: Bool)>((nil, false))
      world.watchPackets { number in
        let isNow = struck.withLock { struck in
          struck.start = struck.start ?? number
          guard !struck.isDone, number - (struck.start ?? number) + 1 >= moment else { return false }
          struck.isDone = true
          return true
        }
        guard isNow else { return }
        pair.central.executor.submit { Self.perform(fault, pair, end) }
      }
      end.open(to: psm, on: link, ChannelOptions(mtu: 200, mps: 60, credits: 3))
      try await world.run(for: .seconds(2))
      end.close(.afterSending)
      try await world.run(for: .seconds(1))
      guard struck.withLock({ $0.isDone }) else {
        #expect(end.now.received == 600 && pair.now.accepted.first?.now.received == 600)
        return false
      }
      world.watchPackets(nil)
      try await world.run(for: .seconds(10))
      // Each end that was open has ended, in one way or the other.
      let closedAt = end.now
      #expect(closedAt.openings <= 1 && closedAt.ends.count <= 1 && closedAt.closings >= 1, "moment \(moment)")
      for accepted in pair.now.accepted {
        let state = accepted.now
        #expect(state.ends.count + (state.closings > 0 ? 1 : 0) >= 1, "moment \(moment)")
        #expect(state.ends.count <= 1 && !state.isWrong, "moment \(moment)")
      }
      #expect(!end.now.isWrong)
      // Everything works again.
      if fault == .outOfReach { Self.setReachable(true, pair) }
      if fault == .powerOff { world.radioPower(true) }
      try await world.run(for: .seconds(3))
      var again = pair.now.hasLostLink || fault == .disconnect ? nil : pair.now.link
      if again == nil { again = try await pair.reconnect() }
      let before = pair.now.accepted.count
      let next = ChannelEnd(pair.central, toSend: 600)
      next.open(to: psm, on: try #require(again, "moment \(moment)"), ChannelOptions())
      try await world.run(for: .seconds(3))
      #expect(next.now.received == 600, "moment \(moment)")
      #expect(pair.now.accepted.count == before + 1 && pair.now.accepted.last?.now.received == 600, "moment \(moment)")
      return true
    }
  }

  private static func setReachable(_ isReachable: Bool, _ pair: ChannelPair) {
    pair.world.move(pair.peripheral, to: isReachable ? .origin : RadioPosition(x: 100_000))
  }

  private static func perform(_ fault: Fault, _ pair: ChannelPair, _ end: ChannelEnd) {
    switch fault {
    case .closeHere: end.close(.now)
    case .closeThere: for accepted in pair.now.accepted { accepted.close(.now) }
    case .closeBoth:
      end.close(.now)
      for accepted in pair.now.accepted { accepted.close(.now) }
    case .disconnect:
      guard let claim = pair.now.claim else { return }
      pair.central.assumeIsolated { $0.release(claim, completion: {}) }
    case .outOfReach: setReachable(false, pair)
    case .powerOff: pair.world.radioPower(false)
    }
  }
}
