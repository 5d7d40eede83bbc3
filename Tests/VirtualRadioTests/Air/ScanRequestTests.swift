import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("Scan requests that collide")
struct ScanRequestTests {
  @Test("two failures in a row double the limit up to 256, two successes halve it; a scanner asks within it")
  func backoff() {
    var random = SeededGenerator(seed: 1)
    var backoff = ScanBackoff()
    let asksAtOnce = backoff.asks()
    #expect(asksAtOnce)
    for round in 1...10 {
      backoff.note(isAnswered: false, random: &random)
      #expect(backoff.upperLimit == min(256, 1 << (round - 1)))
      backoff.note(isAnswered: false, random: &random)
      #expect(backoff.upperLimit == min(256, 1 << round))
      var count = 1
      while !backoff.asks() { count += 1 }
      #expect(count <= backoff.upperLimit)
    }
    backoff.note(isAnswered: true, random: &random)
    backoff.note(isAnswered: false, random: &random)
    backoff.note(isAnswered: true, random: &random)
    #expect(backoff.upperLimit == 256)
    for round in 1...10 {
      if round > 1 { backoff.note(isAnswered: true, random: &random) }
      backoff.note(isAnswered: true, random: &random)
      #expect(backoff.upperLimit == max(1, 256 >> round))
    }
    let asksAgain = backoff.asks()
    #expect(asksAgain)
  }

  /// When scanners at some places get the scan responses of one advertiser in a minute.
  private func responses(at positions: [RadioPosition], isExtended: Bool = false) -> [[RadioInstant]] {
    var bench = AirBench()
    bench.air.setPropagation(.steady, now: bench.now)
    let advertiser = bench.add()
    let scanners = positions.map { position in bench.add { $0.position = position } }
    if isExtended {
      bench.advertiseExtended(advertiser, .scannable, response: [3, 9, 0x48, 0x69])
    } else {
      bench.advertise(advertiser)
    }
    for scanner in scanners {
      bench.unmask(scanner)
      if isExtended { bench.scanExtended(scanner) } else { bench.scan(scanner) }
    }
    bench.run(for: .seconds(60))
    return scanners.map { scanner in
      bench.heard[scanner, default: []].filter { item in
        switch item.event {
        case .leAdvertisingReport(let event): event.reports.contains { $0.eventType == .scanResponse }
        case .leExtendedAdvertisingReport(let event): event.reports.contains { $0.eventType.contains(.scanResponse) }
        default: false
        }
      }.map(\.time)
    }
  }

  @Test(
    "of two equally strong scanners none is understood when both ask, and the one that asks alone is",
    arguments: [true, false]
  )
  func equal(isExtended: Bool) {
    let alone = responses(at: [RadioPosition(x: 3)], isExtended: isExtended)[0].count
    let pair = responses(at: [RadioPosition(x: 3), RadioPosition(y: 3)], isExtended: isExtended)
    #expect(Set(pair[0]).isDisjoint(with: pair[1]))
    let sum = pair[0].count + pair[1].count
    #expect(sum > alone / 2 && sum < alone, "\(alone) \(pair.map(\.count))")
  }

  @Test("scanners that want each response but once all get it, in spite of the others", arguments: 1...5)
  func once(seed: Int) {
    var bench = AirBench(seed: UInt64(seed))
    let advertiser = bench.add()
    let scanners = (0..<4).map { _ in bench.add() }
    bench.advertise(advertiser)
    for scanner in scanners { bench.scan(scanner, filter: true) }
    bench.run(for: .seconds(60))
    for scanner in scanners { #expect(bench.count(LEAdvertisingReport.self, from: scanner) == 2) }
  }

  @Test("one that is much nearer is understood all the same")
  func capture() {
    let alone = responses(at: [RadioPosition(x: 0.5)])[0].count
    let pair = responses(at: [RadioPosition(x: 0.5), RadioPosition(x: 10)])
    #expect(pair[0].count > alone * 9 / 10, "\(alone) \(pair.map(\.count))")
    #expect(pair[1].count < pair[0].count / 4)
  }
}
