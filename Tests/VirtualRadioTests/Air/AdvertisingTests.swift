import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("Advertising and scanning on the air")
struct AdvertisingTests {
  @Test("an active scan hears the advertisement and the scan response, a passive one only the first")
  func activeAndPassive() {
    var bench = AirBench()
    let (advertiser, active, passive) = (bench.add(), bench.add(), bench.add())
    bench.advertise(advertiser)
    bench.scan(active, .active)
    bench.scan(passive, .passive)
    bench.run(for: .seconds(2))
    let heard = bench.take(LEAdvertisingReport.self, from: active).flatMap(\.reports)
    #expect(heard.contains { $0.eventType == .connectableUndirected && $0.data == [2, 1, 6] })
    #expect(heard.contains { $0.eventType == .scanResponse && $0.data == [3, 9, 0x48, 0x69] })
    #expect(heard.allSatisfy { $0.address == bench.address(1) && (-60 ... -10).contains($0.rssi) })
    let passively = bench.take(LEAdvertisingReport.self, from: passive).flatMap(\.reports)
    #expect(passively.count > 10)
    #expect(passively.allSatisfy { $0.eventType == .connectableUndirected })
  }

  @Test("the duplicate filter reports advertisement and scan response once each, and again in a new scan")
  func duplicates() {
    var bench = AirBench()
    let (advertiser, scanner) = (bench.add(), bench.add())
    bench.advertise(advertiser)
    bench.scan(scanner, filter: true)
    bench.run(for: .seconds(10))
    let types = bench.take(LEAdvertisingReport.self, from: scanner).flatMap(\.reports).map(\.eventType)
    #expect(types == [.connectableUndirected, .scanResponse])
    bench.send(LESetScanEnable(leScanEnable: false, filterDuplicates: false), to: scanner)
    bench.scan(scanner, filter: true)
    bench.run(for: .seconds(1))
    #expect(bench.count(LEAdvertisingReport.self, from: scanner) == 2)
  }

  @Test("advertisements come at their interval and up to 10 ms more, and several scanners hear the same one")
  func interval() {
    var bench = AirBench()
    let (advertiser, one, other) = (bench.add(), bench.add(), bench.add())
    bench.advertise(advertiser, type: .nonconnectableUndirected)
    bench.scan(one, .passive)
    bench.scan(other, .passive)
    bench.run(for: .seconds(5))
    var times: [RadioInstant] = []
    for item in bench.heard[one, default: []] where item.event?.event is LEAdvertisingReport {
      if times.last != item.time { times.append(item.time) }
    }
    let gaps = zip(times, times.dropFirst()).map { $0.duration(to: $1) }
    #expect(gaps.count > 30)
    // An event may fall between two windows and be missed.
    #expect(gaps.allSatisfy { $0 >= .milliseconds(100) && $0 < .milliseconds(331) })
    #expect(gaps.count { $0 < .milliseconds(111) } > 25)
    #expect(bench.count(LEAdvertisingReport.self, from: other) > 30)
  }

  @Test("a scanner with a narrow window misses what comes outside of it")
  func window() {
    var bench = AirBench()
    let (advertiser, wide, narrow) = (bench.add(), bench.add(), bench.add())
    bench.advertise(advertiser, type: .nonconnectableUndirected)
    bench.scan(wide, .passive)
    bench.scan(narrow, .passive, interval: 160, window: 16)
    bench.run(for: .seconds(60))
    let all = bench.count(LEAdvertisingReport.self, from: wide)
    let some = bench.count(LEAdvertisingReport.self, from: narrow)
    #expect(some > 10 && some * 4 < all)
  }

  @Test("out of range nothing is heard, and the strength falls with the distance")
  func range() {
    var bench = AirBench()
    let (advertiser, scanner) = (bench.add(), bench.add())
    bench.advertise(advertiser)
    bench.scan(scanner, .passive)
    var means: [Int] = []
    for metres in [1.0, 10, 25] {
      bench.air.setPosition(RadioPosition(x: metres), of: advertiser, now: bench.now)
      bench.run(for: .seconds(3))
      let readings = bench.take(LEAdvertisingReport.self, from: scanner).flatMap(\.reports).map { Int($0.rssi) }
      means.append(readings.reduce(0, +) / max(1, readings.count))
    }
    #expect(means[0] > means[1] + 15 && means[1] > means[2] + 5)
    bench.air.setPosition(RadioPosition(x: 31), of: advertiser, now: bench.now)
    bench.run(for: .seconds(3))
    #expect(bench.count(LEAdvertisingReport.self, from: scanner) == 0)
    bench.air.setPosition(RadioPosition(x: 1), of: advertiser, now: bench.now)
    bench.air.setReachable(false, advertiser, now: bench.now)
    bench.run(for: .seconds(3))
    #expect(bench.count(LEAdvertisingReport.self, from: scanner) == 0)
  }

  @Test(
    "each kind of advertising is reported as what it is",
    arguments: [
      (AdvertisingType.connectableUndirected, AdvertisingReportType.connectableUndirected),
      (.scannableUndirected, .scannableUndirected),
      (.nonconnectableUndirected, .nonconnectableUndirected),
    ]
  )
  func kinds(type: AdvertisingType, report: AdvertisingReportType) {
    var bench = AirBench()
    let (advertiser, scanner) = (bench.add(), bench.add())
    bench.advertise(advertiser, type: type)
    bench.scan(scanner)
    bench.run(for: .seconds(1))
    let reports = bench.take(LEAdvertisingReport.self, from: scanner).flatMap(\.reports)
    #expect(reports.first?.eventType == report)
    #expect(reports.contains { $0.eventType == .scanResponse } == (type != .nonconnectableUndirected))
    bench.connect(scanner, to: bench.address(1))
    bench.run(for: .seconds(3))
    let isConnected = bench.count(LEConnectionComplete.self, from: scanner) == 1
    #expect(isConnected == (type == .connectableUndirected))
  }

  @Test("directed advertising reaches only its target, and gives up after 1.28 s at high duty cycle")
  func directed() {
    var bench = AirBench()
    let (advertiser, target, other) = (bench.add(), bench.add(), bench.add())
    bench.send(
      LESetAdvertisingParameters(
        advertisingType: .connectableDirectedHighDutyCycle,
        peerAddress: bench.address(2)
      ),
      to: advertiser
    )
    bench.send(LESetAdvertisingEnable(advertisingEnable: true), to: advertiser)
    bench.scan(target)
    bench.scan(other)
    bench.run(for: .seconds(3))
    #expect(bench.count(LEAdvertisingReport.self, from: target) > 100)
    #expect(bench.count(LEAdvertisingReport.self, from: other) == 0)
    #expect(bench.take(LEConnectionComplete.self, from: advertiser).map(\.status) == [.advertisingTimeout])
  }

  @Test("an hour in which nobody listens and a link is idle costs no steps")
  func idleHour() throws {
    var bench = AirBench()
    let link = try bench.link()
    let advertiser = bench.add()
    bench.advertise(advertiser)
    let steps = bench.air.stepCount
    #expect(bench.air.nextEvent == nil)
    bench.run(for: .seconds(3600))
    #expect(bench.air.stepCount == steps)
    #expect(bench.count(DisconnectionComplete.self, from: link.central) == 0)
    bench.send([1, 2, 3], on: link.centralHandle, to: link.central)
    bench.run(for: .milliseconds(40))
    #expect(bench.received(by: link.peripheral) == [[1, 2, 3]])
  }

  @Test("the same seed gives the same packets at the same times, another seed others")
  func determinism() {
    func run(_ seed: UInt64) -> [String] {
      var bench = AirBench(seed: seed)
      let (advertiser, scanner) = (bench.add(), bench.add())
      bench.advertise(advertiser)
      bench.scan(scanner)
      bench.run(for: .seconds(5))
      return bench.heard[scanner, default: []].map { "\($0.time.nanoseconds) \($0.packet.bytes)" }
    }
    #expect(run(7) == run(7))
    #expect(run(7) != run(8))
  }
}
