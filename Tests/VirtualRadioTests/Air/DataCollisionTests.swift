import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("Links that collide")
struct DataCollisionTests {
  @Test("channels are chosen as in the specification's sample data (Core 5.4, Vol 6, Part C, 3)")
  func channels() {
    let all = (UInt16(0)...3).map {
      ChannelSelection.channel(event: $0, identifier: 0x305F, map: ChannelSelection.allChannels)
    }
    #expect(all == [25, 20, 6, 21])
    let map = [9, 10, 21, 22, 23, 33, 34, 35, 36].reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
    let few = (UInt16(6)...8).map { ChannelSelection.channel(event: $0, identifier: 0x305F, map: map) }
    #expect(few == [23, 9, 34])
    // Each channel about as often as any other.
    var counts = [Int](repeating: 0, count: 37)
    for event in UInt16(0)..<3700 {
      counts[ChannelSelection.channel(event: event, identifier: 0x1234, map: ChannelSelection.allChannels)] += 1
    }
    #expect(counts.allSatisfy { (50...150).contains($0) })
  }

  /// How many packets each central brings over in ten seconds, when all have as much to say as they can.
  private func run(_ positions: [RadioPosition], seed: UInt64 = 1, maps: [UInt64] = []) throws -> [Int] {
    var bench = AirBench(seed: seed)
    bench.air.setPropagation(.steady, now: bench.now)
    var links: [AirBench.Pair] = []
    for (number, position) in positions.enumerated() {
      let link = try bench.link(at: position)
      links.append(link)
      if maps.indices.contains(number) {
        bench.send(LESetHostChannelClassification(channelMap: maps[number]), to: link.central)
      }
    }
    var sent = links.map { _ in UInt16(0) }
    for _ in 0..<1000 {
      for (index, link) in links.enumerated() {
        while bench.air.controllers.first(where: { $0.id == link.central })?.buffersInUse ?? 8 < 8 {
          // Eight packets on the air, so that all events are used to their ends.
          let numbers = (0..<108).map { sent[index] &+ $0 }
          let bytes = numbers.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
          bench.send(bytes, on: link.centralHandle, to: link.central)
          sent[index] &+= 108
        }
      }
      bench.run(for: .milliseconds(10))
    }
    return links.map { link in
      let packets = bench.received(by: link.peripheral)
      let bytes = packets.flatMap(\.self)
      // What collided came again: nothing is lost, nothing comes twice, and all is in order.
      let expected = (0..<bytes.count).map { UInt8(truncatingIfNeeded: ($0 / 2) >> (($0 % 2) * 8)) }
      #expect(bytes == expected)
      return packets.count
    }
  }

  private let here = [RadioPosition](repeating: RadioPosition(x: 2), count: 6)

  @Test("links in one room take from each other what chance puts on one channel at one time, the same with each seed")
  func crowd() throws {
    let alone = try run([RadioPosition(x: 2)])[0]
    let crowd = try run(here)
    let share = Double(crowd.reduce(0, +)) / Double(alone * crowd.count)
    #expect(share < 0.97 && share > 0.5, "\(share)")
    #expect(try run(here) == crowd)
  }

  @Test("links that use other channels, or are out of range, or much weaker, do no harm")
  func apart() throws {
    let alone = try run([RadioPosition(x: 2)])[0]
    // Where in its interval a link began makes a difference of an event.
    func expectUndisturbed(_ counts: [Int]) {
      #expect(counts.allSatisfy { abs($0 - alone) < alone / 200 }, "\(counts)")
    }
    expectUndisturbed(try run(Array(here.prefix(2)), maps: [0x3FFFF, 0x1F_FFFC_0000]))
    expectUndisturbed(try run([RadioPosition(x: 2), RadioPosition(x: 1000)]))
    expectUndisturbed(try run([RadioPosition(x: 2), RadioPosition(x: 28)]))
    #expect(try run(Array(here.prefix(2))).allSatisfy { $0 < alone * 199 / 200 })
  }

  @Test("an answer to AUX_CONNECT_REQ that is lost leaves the advertiser with a link that is never established")
  func lostAnswer() throws {
    var count = 0
    for seed in UInt64(1)...40 {
      var bench = AirBench(seed: seed)
      bench.air.setPropagation(Propagation(shadowing: 0, fading: 0, sensitivity: -56), now: bench.now)
      let (central, peripheral) = (bench.add(), bench.add { $0.position = RadioPosition(x: 1.68) })
      bench.advertiseExtended(peripheral, .connectable)
      bench.connectExtended(central, to: bench.address(2))
      bench.run(for: .seconds(1))
      let made = bench.take(LEConnectionComplete.self, from: central).filter { $0.status == .success }
      let seen = bench.take(LEConnectionComplete.self, from: peripheral).filter { $0.status == .success }
      guard made.isEmpty, seen.count == 1 else { continue }
      count += 1
      bench.run(for: .seconds(1))
      let ends = bench.take(DisconnectionComplete.self, from: peripheral)
      #expect(ends.map(\.reason) == [.connectionFailedToBeEstablished], "seed \(seed)")
      // The initiator still looks, and finds it when it advertises again.
      bench.air.setPropagation(.steady, now: bench.now)
      bench.send(
        LESetExtendedAdvertisingEnable(enable: true, sets: [.init(advertisingHandle: 0)]),
        to: peripheral
      )
      bench.run(for: .seconds(1))
      #expect(bench.take(LEConnectionComplete.self, from: central).map(\.status) == [.success], "seed \(seed)")
    }
    #expect(count > 0)
  }
}
