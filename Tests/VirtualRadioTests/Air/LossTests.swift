import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("Lost packets")
struct LossTests {
  /// A link on which a packet is lost now and then: `margin` dB above the sensitivity, with the fading of each event.
  private func weakLink(margin: Double, seed: UInt64, timeout: UInt16 = 400) throws -> (AirBench, AirBench.Pair) {
    var bench = AirBench(seed: seed)
    bench.air.setPropagation(.steady, now: bench.now)
    let link = try bench.link(timeout: timeout)
    let distance = 10.0
    bench.air.setPosition(RadioPosition(x: distance), of: link.peripheral, now: bench.now)
    let strength = Propagation().mean(power: 0, distance: distance)
    let weak = Propagation(shadowing: 0, fading: 3, sensitivity: strength - margin)
    bench.air.setPropagation(weak, now: bench.now)
    return (bench, link)
  }

  @Test(
    "over a bad link all data comes through, once, in order, only later; buffers are given back once",
    arguments: 1...8
  )
  func nothingIsLost(seed: Int) throws {
    var (bench, link) = try weakLink(margin: 1, seed: UInt64(seed), timeout: 3200)
    bench.send(LESetDataLength(connectionHandle: link.centralHandle, txOctets: 100), to: link.central)
    var sent = (down: 0, up: 0)
    var room = (down: 8, up: 8)
    for _ in 0..<400 {
      while room.down > 0, sent.down < 150 {
        let length = 1 + sent.down % 60
        bench.send([UInt8](repeating: UInt8(sent.down), count: length), on: link.centralHandle, to: link.central)
        sent.down += 1
        room.down -= 1
      }
      while room.up > 0, sent.up < 150 {
        bench.send([UInt8(sent.up), 1], on: link.peripheralHandle, to: link.peripheral)
        sent.up += 1
        room.up -= 1
      }
      bench.run(for: .milliseconds(60))
      for entry in bench.take(NumberOfCompletedPackets.self, from: link.central).flatMap(\.completed) {
        room.down += Int(entry.count)
      }
      for entry in bench.take(NumberOfCompletedPackets.self, from: link.peripheral).flatMap(\.completed) {
        room.up += Int(entry.count)
      }
    }
    #expect(sent == (150, 150) && room == (8, 8))
    let down = bench.received(by: link.peripheral).flatMap(\.self)
    #expect(down == (0..<150).flatMap { [UInt8](repeating: UInt8($0), count: 1 + $0 % 60) })
    #expect(bench.received(by: link.central) == (0..<150).map { [UInt8($0), 1] })
    #expect(bench.count(DataBufferOverflow.self, from: link.central) == 0)
  }

  @Test("the worse the link, the slower")
  func throughput() throws {
    var rates: [Int] = []
    for margin in [20.0, 4, 0] {
      var (bench, link) = try weakLink(margin: margin, seed: 5, timeout: 3200)
      bench.send(LESetDataLength(connectionHandle: link.centralHandle), to: link.central)
      bench.run(for: .seconds(5))
      bench.heard = [:]
      let payload = [UInt8](repeating: 7, count: 200)
      for _ in 0..<8 { bench.send(payload, on: link.centralHandle, to: link.central) }
      let end = bench.now.advanced(by: .seconds(20))
      while let next = bench.air.nextEvent, next < end {
        bench.run(for: bench.now.duration(to: next))
        let completed = bench.take(NumberOfCompletedPackets.self, from: link.central).flatMap(\.completed)
        for _ in 0..<completed.reduce(0, { $0 + Int($1.count) }) {
          bench.send(payload, on: link.centralHandle, to: link.central)
        }
      }
      rates.append(bench.received(by: link.peripheral).count)
    }
    #expect(rates[0] > rates[1] * 11 / 10 && rates[1] > rates[2] * 3 / 2 && rates[2] > 50, "\(rates)")
  }

  @Test("an idle link gets lost by itself, the sooner the weaker it is, and each end finds out by its own timeout")
  func supervision() throws {
    func lifetime(_ margin: Double, _ seed: UInt64) throws -> Duration? {
      var (bench, link) = try weakLink(margin: margin, seed: seed, timeout: 50)
      let start = bench.now
      bench.run(for: .seconds(900))
      let ends = [link.central, link.peripheral].compactMap { id in
        bench.heard[id, default: []].first { $0.event?.event is DisconnectionComplete }
      }
      #expect(ends.isEmpty || ends.count == 2)
      for end in ends { #expect((end.event?.event as? DisconnectionComplete)?.reason == .connectionTimeout) }
      return ends.first.map { start.duration(to: $0.time) }
    }
    #expect(try (1...3).allSatisfy { try lifetime(8, UInt64($0)) == nil })
    let weak = try (1...5).compactMap { try lifetime(-4, UInt64($0)) }
    #expect(weak.count == 5 && weak.allSatisfy { $0 >= .milliseconds(480) })
    let weaker = try (1...5).compactMap { try lifetime(-12, UInt64($0)) }
    #expect(weaker.count == 5 && weaker.allSatisfy { $0 < .seconds(60) })
    #expect(weaker.reduce(.zero, +) < weak.reduce(.zero, +))
    #expect(try lifetime(-4, 1) == weak.first)
  }

  @Test("an idle link that may lose packets costs a step for each supervision timeout at most")
  func idleCost() throws {
    var (bench, link) = try weakLink(margin: 8, seed: 1, timeout: 600)
    let steps = bench.air.stepCount
    bench.run(for: .seconds(900))
    #expect(bench.air.stepCount - steps <= 2 * 150 + 10)
    bench.send([1], on: link.centralHandle, to: link.central)
    bench.run(for: .milliseconds(200))
    #expect(bench.received(by: link.peripheral) == [[1]])
  }

  @Test("a disconnect over a bad link ends both ends; who hears no acknowledgement waits for its timeout")
  func disconnecting() throws {
    for seed in 1...20 {
      var (bench, link) = try weakLink(margin: -1, seed: UInt64(seed))
      let (id, handle) =
        seed % 2 == 0 ? (link.central, link.centralHandle) : (link.peripheral, link.peripheralHandle)
      let other = seed % 2 == 0 ? link.peripheral : link.central
      bench.send(Disconnect(connectionHandle: handle, reason: .remoteUserTerminatedConnection), to: id)
      bench.run(for: .seconds(60))
      let local = bench.take(DisconnectionComplete.self, from: id).map(\.reason)
      #expect(local == [.connectionTerminatedByLocalHost])
      let remote = bench.take(DisconnectionComplete.self, from: other).map(\.reason)
      #expect(remote == [.remoteUserTerminatedConnection] || remote == [.connectionTimeout])
    }
  }

  @Test("the same seed loses the same packets")
  func determinism() throws {
    func run(_ seed: UInt64) throws -> [String] {
      var (bench, link) = try weakLink(margin: 0, seed: seed)
      for number in UInt8(0)..<8 { bench.send([number], on: link.centralHandle, to: link.central) }
      bench.run(for: .seconds(5))
      return bench.heard[link.peripheral, default: []].map { "\($0.time.nanoseconds) \($0.packet.bytes)" }
    }
    #expect(try run(7) == run(7))
    #expect(try run(7) != run(8))
  }

  @Test("LE Coded reaches farther than LE 1M, and says so")
  func coded() throws {
    var (bench, link) = try weakLink(margin: 12, seed: 1)
    for (options, time) in [(UInt16(1), LinkPHY.codedS2), (2, .codedS8)] {
      bench.send(
        LESetPHY(connectionHandle: link.centralHandle, txPHYs: .leCoded, rxPHYs: .leCoded, phyOptions: options),
        to: link.central
      )
      bench.run(for: .seconds(3))
      let event = try bench.takeFirst(LEPHYUpdateComplete.self, from: link.central)
      #expect(event.txPHY == .leCoded && event.rxPHY == .leCoded)
      #expect(bench.air.links.first?.central.phy == time)
      bench.send(
        LESetPHY(connectionHandle: link.centralHandle, txPHYs: .le1M, rxPHYs: .le1M),
        to: link.central
      )
      bench.run(for: .seconds(3))
      _ = bench.take(LEPHYUpdateComplete.self, from: link.central)
    }
    bench.send(
      LESetPHY(connectionHandle: link.centralHandle, txPHYs: .leCoded, rxPHYs: .leCoded, phyOptions: 2),
      to: link.central
    )
    bench.run(for: .seconds(3))
    var weak = bench.air.propagation
    weak.sensitivity += 12 + 3
    bench.air.setPropagation(weak, now: bench.now)
    bench.run(for: .seconds(600))
    #expect(bench.count(DisconnectionComplete.self, from: link.central) == 0)
  }
}
