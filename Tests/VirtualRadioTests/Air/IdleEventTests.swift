import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("Connection events in which nobody has anything to say")
struct IdleEventTests {
  /// How many advertisements one end of an idle link hears in a minute.
  private func heard(
    by side: LinkSide,
    interval: UInt16,
    latency: UInt16 = 0
  ) throws -> Int {
    var bench = AirBench()
    bench.air.setPropagation(.steady, now: bench.now)
    let link = try bench.link(interval: interval, latency: latency, timeout: 3200)
    let advertiser = bench.add()
    bench.advertise(advertiser, type: .nonconnectableUndirected, interval: 160)
    let scanner = side == .central ? link.central : link.peripheral
    bench.scan(scanner, .passive)
    bench.run(for: .seconds(60))
    return bench.count(LEAdvertisingReport.self, from: scanner)
  }

  @Test(
    "they hold the radios of both ends: who scans beside a link misses what comes meanwhile, and more the more often"
  )
  func radios() throws {
    let rare = try heard(by: .central, interval: 3200)
    for side in [LinkSide.central, .peripheral] {
      let often = try heard(by: side, interval: 6)
      // 152 µs that have to fall between two events, of 310 µs each 7.5 ms; one of three channels is listened to.
      let share = Double(often) / Double(rare)
      #expect(share > 0.88 && share < 0.98, "\(side) \(share)")
    }
  }

  @Test(
    "with latency the peripheral leaves events out, and its radio is free meanwhile; the central's is not"
  )
  func latency() throws {
    let awake = try heard(by: .peripheral, interval: 6)
    let asleep = try heard(by: .peripheral, interval: 6, latency: 19)
    #expect(asleep > awake * 102 / 100, "\(asleep) \(awake)")
    let central = try heard(by: .central, interval: 6, latency: 19)
    #expect(central < asleep * 98 / 100, "\(central) \(asleep)")
  }

  /// What a link carries in two seconds beside other links that have nothing to say.
  private func carried(beside count: Int, at position: RadioPosition, shared: Bool = false) throws
    -> Int
  {
    var bench = AirBench()
    bench.air.setPropagation(.steady, now: bench.now)
    let link = try bench.link(interval: 24, at: RadioPosition(x: 2))
    for _ in 0..<count {
      if shared {
        let peripheral = bench.add { $0.position = RadioPosition(x: 2) }
        bench.advertise(peripheral)
        bench.connect(
          link.central,
          to: bench.address(UInt64(bench.air.controllers.count)),
          interval: 6
        )
        bench.run(for: .seconds(2))
      } else {
        _ = try bench.link(interval: 6, at: position)
      }
    }
    bench.heard = [:]
    for _ in 0..<200 {
      while bench.air.controllers.first(where: { $0.id == link.central })?.buffersInUse ?? 8 < 8 {
        // Eight packets on the air, so that all events are used to their ends.
        bench.send([UInt8](repeating: 1, count: 216), on: link.centralHandle, to: link.central)
      }
      bench.run(for: .milliseconds(10))
    }
    // However much is lost of the rest, nobody loses the other.
    for id in bench.air.controllers.map(\.id) {
      #expect(bench.count(DisconnectionComplete.self, from: id) == 0)
    }
    #expect(bench.air.links.count == count + 1)
    return bench.received(by: link.peripheral).count
  }

  @Test("their packets disturb those of other links on their channel, as far as they are heard")
  func collisions() throws {
    let alone = try carried(beside: 0, at: .origin)
    let crowd = try carried(beside: 12, at: RadioPosition(x: 2))
    let far = try carried(beside: 12, at: RadioPosition(x: 1000))
    #expect(crowd < alone * 95 / 100, "\(crowd) \(alone)")
    #expect(far > alone * 97 / 100, "\(far) \(alone)")
  }

  @Test(
    "links of one central that have nothing to say take turns with one that has much, and none is lost"
  )
  func turns() throws {
    let alone = try carried(beside: 0, at: .origin)
    let beside = try carried(beside: 7, at: .origin, shared: true)
    #expect(beside < alone && beside > alone / 200, "\(beside) \(alone)")
  }

  @Test("an hour of twenty idle links costs no steps, and their events are counted all the same")
  func steps() throws {
    var bench = AirBench()
    bench.air.setPropagation(.steady, now: bench.now)
    var links: [AirBench.Pair] = []
    for _ in 0..<20 { links.append(try bench.link(interval: 6, latency: 4, timeout: 100)) }
    let steps = bench.air.stepCount
    bench.run(for: .seconds(3600))
    #expect(bench.air.stepCount == steps)
    // And the supervision timeout counts from the last of them.
    bench.air.setReachable(false, links[0].peripheral, now: bench.now)
    bench.run(for: .milliseconds(960))
    #expect(bench.count(DisconnectionComplete.self, from: links[0].central) == 0)
    bench.run(for: .milliseconds(50))
    #expect(
      bench.take(DisconnectionComplete.self, from: links[0].central).map(\.reason) == [
        .connectionTimeout
      ]
    )
  }
}
