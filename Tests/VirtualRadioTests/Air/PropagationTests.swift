import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("Strength and movement")
struct PropagationTests {
  @Test("the strength falls by ten times the exponent with each tenfold distance")
  func pathLoss() {
    for exponent in [2.0, 3.5] {
      let propagation = Propagation(exponent: exponent)
      #expect(propagation.mean(power: 4, distance: 1) == -46)
      #expect(abs(propagation.mean(power: 4, distance: 10) - (-46 - 10 * exponent)) < 1e-9)
      #expect(abs(propagation.mean(power: 4, distance: 100) - (-46 - 20 * exponent)) < 1e-9)
    }
  }

  @Test("shadowing has the deviation that was asked for, stays for a while, and is another one for each pair and seed")
  func shadowing() {
    let shadow = Shadow(key: 7, deviation: 4, coherence: 1_000_000_000)
    let values = (0..<20_000).map { shadow.value(at: $0 * 100_000_000) }
    let mean = values.reduce(0, +) / 20_000
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 20_000
    #expect(abs(mean) < 0.4)
    #expect(abs(variance.squareRoot() - 4) < 0.3)
    func correlation(_ lag: Int) -> Double {
      zip(values, values.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 } / Double(values.count - lag) / variance
    }
    #expect(correlation(1) > 0.9)
    #expect(correlation(4) > 0.4 && correlation(4) < 0.85)
    #expect(abs(correlation(25)) < 0.1)
    #expect(values == (0..<20_000).map { shadow.value(at: $0 * 100_000_000) })
    let other = Shadow(key: 8, deviation: 4, coherence: 1_000_000_000)
    #expect(zip(values, (0..<20_000).map { other.value(at: $0 * 100_000_000) }).reduce(0) { $0 + $1.0 * $1.1 } < 20_000)
  }

  @Test("at its sensitivity a receiver loses three of ten packets, a few dB above none, a few below all")
  func sensitivity() {
    #expect(abs(BitErrors(margin: 0).loss(payload: 37) - 0.308) < 0.02)
    #expect(BitErrors(margin: 4).loss(payload: 251) < 1e-3)
    #expect(BitErrors(margin: -4).loss(payload: 0) > 0.9)
    var random = SeededGenerator(seed: 3)
    var counts: [Reception: Int] = [:]
    for _ in 0..<10_000 { counts[BitErrors(margin: 0).reception(payload: 37, random: &random), default: 0] += 1 }
    #expect(abs(counts[.missed, default: 0] - 315) < 80)
    #expect(abs(counts[.heard, default: 0] - 6925) < 200)
  }

  @Test("a movement goes straight from place to place with its speeds, stays, and begins anew")
  func movement() {
    let steps: [Movement.Step] = [.walk(to: RadioPosition(x: 10), speed: 2), .pause(.seconds(5)), .walk(to: .origin)]
    let once = RadioTrack(from: .origin, along: Movement(steps), start: 1_000_000_000)
    func x(_ track: RadioTrack, _ seconds: Double) -> Double { track.position(at: Int64(seconds * 1e9)).x }
    #expect(x(once, 0) == 0 && x(once, 1) == 0)
    #expect(abs(x(once, 3.5) - 5) < 1e-9)
    #expect(x(once, 6) == 10 && x(once, 10.9) == 10)
    #expect(abs(x(once, 12) - (10 - 1.4)) < 1e-6)
    #expect(x(once, 1000) == 0 && !once.isMoving(at: 1_000_000_000_000))
    let again = RadioTrack(from: .origin, along: Movement(steps, repeats: true), start: 0)
    let period = 5 + 5 + 10 / 1.4
    for lap in [1.0, 2, 500] { #expect(abs(x(again, lap * period + 2.5) - 5) < 1e-4) }
    let nowhere = RadioTrack(from: .origin, along: Movement([.pause(.zero)], repeats: true), start: 0)
    #expect(!nowhere.isMoving(at: 5))
    let slow = Movement([.walk(to: RadioPosition(x: 1e300), speed: .nan), .walk(to: .origin, speed: 0)])
    #expect(RadioTrack(from: .origin, along: slow, start: 0).isMoving(at: 1_000_000_000_000_000))
  }

  @Test("who walks away is heard ever more weakly and then not at all; nothing is stepped for it but the crossings")
  func walkingAway() {
    var bench = AirBench()
    let (advertiser, scanner) = (bench.add(), bench.add())
    bench.advertise(advertiser, type: .nonconnectableUndirected)
    bench.scan(scanner, .passive)
    bench.air.move(advertiser, along: Movement([.walk(to: RadioPosition(x: 100), speed: 1)]), now: bench.now)
    bench.run(for: .seconds(10))
    let near = bench.take(LEAdvertisingReport.self, from: scanner).flatMap(\.reports).map { Int($0.rssi) }
    bench.run(for: .seconds(21))
    let far = bench.take(LEAdvertisingReport.self, from: scanner).flatMap(\.reports).map { Int($0.rssi) }
    #expect(near.reduce(0, +) / near.count > far.reduce(0, +) / far.count + 12)
    bench.run(for: .seconds(10))
    #expect(bench.count(LEAdvertisingReport.self, from: scanner) == 0)
    #expect(bench.air.position(of: advertiser, now: bench.now)?.x ?? 0 > 40)
    let steps = bench.air.stepCount
    bench.run(for: .seconds(3600))
    #expect(bench.air.stepCount - steps <= 2)
  }

  @Test("who comes into range is heard, without anybody looking")
  func walkingIn() {
    var bench = AirBench()
    let (advertiser, scanner) = (bench.add { $0.position = RadioPosition(x: 100) }, bench.add())
    bench.advertise(advertiser)
    bench.scan(scanner)
    bench.run(for: .seconds(60))
    bench.air.move(advertiser, along: Movement([.walk(to: .origin, speed: 10)]), now: bench.now)
    bench.run(for: .seconds(6))
    #expect(bench.count(LEAdvertisingReport.self, from: scanner) == 0)
    bench.run(for: .seconds(4))
    #expect(bench.count(LEAdvertisingReport.self, from: scanner) > 10)
  }
}
