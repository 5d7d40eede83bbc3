import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("Advertisers that collide")
struct CollisionTests {
  /// How many advertisements a scanner gets of each of so many advertisers, in so many seconds.
  private func run(_ positions: [RadioPosition], seconds: Int, seed: UInt64 = 1) -> [Int] {
    var bench = AirBench(seed: seed)
    bench.air.setPropagation(.steady, now: bench.now)
    let scanner = bench.add()
    let advertisers = positions.map { position in bench.add { $0.position = position } }
    for advertiser in advertisers { bench.advertise(advertiser, type: .nonconnectableUndirected, interval: 32) }
    bench.scan(scanner, .passive)
    bench.run(for: .seconds(seconds))
    let reports = bench.take(LEAdvertisingReport.self, from: scanner).flatMap(\.reports)
    return advertisers.indices.map { number in
      reports.count { $0.address == bench.address(UInt64(number) + 2) }
    }
  }

  @Test("twenty advertisers, equally strong, lose the share of their packets that chance lets overlap")
  func share() {
    let alone = run([RadioPosition(x: 5)], seconds: 60)[0]
    let crowd = run(Array(repeating: RadioPosition(x: 5), count: 20), seconds: 20)
    let heard = Double(crowd.reduce(0, +)) / 20 / (Double(alone) / 3)
    // exp(-2 · 152 µs · 40/s · 19): each packet of one is lost if another begins within its length before or after.
    #expect(abs(heard - 0.79) < 0.04, "\(heard)")
  }

  @Test("the random delay sees to it that two who have met do not meet for ever")
  func delay() {
    let pair = run([RadioPosition(x: 5), RadioPosition(y: 5)], seconds: 60)
    let alone = run([RadioPosition(x: 5)], seconds: 60)[0]
    #expect(pair.allSatisfy { $0 < alone * 999 / 1000 && $0 > alone * 19 / 20 }, "\(pair) \(alone)")
  }

  @Test("who is much stronger is heard through the others, and who is much weaker only in the gaps")
  func capture() {
    let crowd = Array(repeating: RadioPosition(x: 5), count: 15)
    let alone = Double(run([RadioPosition(x: 5)], seconds: 20)[0])
    let near = Double(run([RadioPosition(x: 0.5)] + crowd, seconds: 20)[0])
    let far = Double(run([RadioPosition(x: 20)] + crowd, seconds: 20)[0])
    #expect(near > alone * 0.96)
    #expect(far < alone * 0.9 && far > alone * 0.7)
  }
}
