import Foundation
import Halcyon
import Testing

/// `docs/proximity.md` tells how often the proximity filter is wrong and how late; it is measured here, and compared with
/// the file.
///
/// `HALCYON_WRITE_DOCS=1 swift test --filter ProximityRateTests` writes it anew.
@Suite("How steady and how fast proximity is")
struct ProximityRateTests {
  private static let usual = ProximityWalk.Shadowing(deviation: 4)

  @Test(
    "OK-20: with 4 dB of uncorrelated shadowing nothing switches in 100 times 10 minutes between 3 and 4 m",
    arguments: ProximityRates.Stay.allCases
  )
  func steady(stay: ProximityRates.Stay) {
    #expect(ProximityRates.falseSwitches(Self.usual, stay, seeds: 0..<100) == 0)
  }

  @Test("OK-20: a clear crossing is seen within 3 s", arguments: [Proximity.near, .far])
  func fast(side: Proximity) {
    let delays = ProximityRates.delays(Self.usual, to: side, seeds: 1000..<1100)
    #expect(delays.count == 100)
    #expect((delays.last ?? .infinity) <= 3)
  }

  @Test("OK-20: the error rates in the documentation are as measured")
  func page() async throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = root.appendingPathComponent("docs/proximity.md")
    let text = await Self.text()
    if ProcessInfo.processInfo.environment["HALCYON_WRITE_DOCS"] != nil {
      try text.write(to: page, atomically: true, encoding: .utf8)
    }
    let isSame = try String(contentsOf: page, encoding: .utf8) == text
    #expect(
      isSame,
      "docs/proximity.md is not what is measured: HALCYON_WRITE_DOCS=1 swift test --filter ProximityRateTests"
    )
  }

  // MARK: The page

  private static func text() async -> String {
    let conditions = [
      usual, ProximityWalk.Shadowing(deviation: 6),
      ProximityWalk.Shadowing(deviation: 4, coherence: 0.2), ProximityWalk.Shadowing(deviation: 4, coherence: 0.5),
      ProximityWalk.Shadowing(deviation: 4, coherence: 1), ProximityWalk.Shadowing(deviation: 4, coherence: 5),
      ProximityWalk.Shadowing(deviation: 6, coherence: 0.5), ProximityWalk.Shadowing(deviation: 6, coherence: 5),
      ProximityWalk.Shadowing(deviation: 2, coherence: 5),
    ]
    let rows = await withTaskGroup(of: (Int, String).self) { group in
      for (index, condition) in conditions.enumerated() {
        group.addTask { (index, row(condition)) }
      }
      return await group.reduce(into: [(Int, String)]()) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
    return """
      # How steady proximity is

      Measured by `Tests/HalcyonTests/Proximity/ProximityRateTests.swift`; do not edit. It takes the filter as it is by
      default: near within 2 m, far beyond 5 m, ten measurements a second in whole dBm, exponent 2, calibrated at one
      metre, 4 dB of noise expected.

      False switches are those of a device that keeps between 3 and 4 m, swaying, in 12 times 10 minutes. Delays are those
      of somebody who stands at 3.5 m for half a minute and then walks with 1.4 m/s to 10 m, or to 1 m, 100 times; they
      count from the moment at which the crossing is clear, that is, the distance is as far beyond the edge as the zone
      between 3 and 4 m lies in front of it: 6.25 m, and 1.33 m. They may be negative, as 5 m and 2 m are passed before.
      Walks in front of which the filter had switched already do not count.

      | shadowing | changes after | false switches an hour | far within 3 s | median | 95 % | near within 3 s | median | 95 % |
      |---|---|---|---|---|---|---|---|---|
      \(rows.joined(separator: "\n"))

      What it means:

      - Where measurements are independent of each other, the mean of many is as good as their number is great, and the
        filter tells 4 m from 6 m in about two seconds. That is the case with fading, which a connection has more of than
        anything else as it hops over 37 channels.
      - Where people and walls keep the signal down for as long as a walk takes, no filter can tell them from a walk: what
        changes within a second is seen in the measurements and made up for, at the price of time; what stays for five is
        taken for distance. Then widen the zones, or let the device measure (channel sounding, ultra-wideband) and tell.
      - The same holds for a device in a pocket on the other side of the body: calibrate as it is worn.

      """
  }

  private static func row(_ condition: ProximityWalk.Shadowing) -> String {
    let switches = ProximityRates.falseSwitches(condition, .swaying, seeds: 500..<512)
    let cells = [Proximity.far, .near].flatMap { side -> [String] in
      let delays = ProximityRates.delays(condition, to: side, seeds: 2000..<2100)
      let inTime = delays.count { $0 <= 3 }
      return [
        delays.isEmpty ? "–" : "\(100 * inTime / delays.count) %", seconds(delays, 0.5), seconds(delays, 0.95),
      ]
    }
    let changes = condition.coherence == 0 ? "each time" : "\(condition.coherence) s"
    let rate = (Double(switches) / 2 * 10).rounded() / 10
    return "| \(Int(condition.deviation)) dB | \(changes) | \(rate) | \(cells.joined(separator: " | ")) |"
  }

  private static func seconds(_ delays: [Double], _ part: Double) -> String {
    guard !delays.isEmpty else { return "–" }
    let delay = delays[min(delays.count - 1, Int(Double(delays.count) * part))]
    return delay.isFinite ? "\((delay * 10).rounded() / 10) s" : "over 10 s"
  }
}
