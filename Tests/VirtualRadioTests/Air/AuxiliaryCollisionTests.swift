import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("Extended advertising that collides on the general-purpose channels")
struct AuxiliaryCollisionTests {
  private static let twoChannels: UInt64 = 0b11
  private static let otherChannels: UInt64 = 0b1100

  /// What a scanner gets of each of some advertisers in a minute, when their auxiliary packets use these channels.
  private func reports(
    _ positions: [RadioPosition],
    data count: Int,
    on map: UInt64
  ) -> [[LEExtendedAdvertisingReport.Report]] {
    var bench = AirBench()
    bench.air.setPropagation(.steady, now: bench.now)
    let scanner = bench.add()
    bench.unmask(scanner)
    for (number, position) in positions.enumerated() {
      let advertiser = bench.add { $0.position = position }
      bench.send(LESetHostChannelClassification(channelMap: map), to: advertiser)
      bench.advertiseExtended(advertiser, data: [UInt8](repeating: UInt8(number), count: count))
    }
    bench.scanExtended(scanner, .passive)
    bench.run(for: .seconds(60))
    let all = bench.takeReports(from: scanner)
    return positions.indices.map { number in
      all.filter { $0.address == bench.address(UInt64(number) + 2) }
    }
  }

  private let here = [RadioPosition](repeating: RadioPosition(x: 5), count: 6)

  @Test(
    "the fewer channels there are, the more of their packets advertisers take from each other, as chance has it"
  )
  func share() {
    let many = reports(here, data: 200, on: ChannelSelection.allChannels).reduce(0) {
      $0 + $1.count
    }
    let few = reports(here, data: 200, on: Self.twoChannels).reduce(0) { $0 + $1.count }
    // exp(-1.8 ms · 9.5/s · 5 / 2): each packet is lost if another on its channel begins during it; where that began before,
    // the scanner is at the other one, whatever their channels are.
    let share = Double(few) / Double(many)
    #expect(abs(share - 0.957) < 0.025, "\(share)")
  }

  @Test("who is much stronger is heard through the others")
  func capture() {
    let near = [RadioPosition(x: 0.5)]
    let alone = reports(near, data: 200, on: Self.twoChannels)[0].count
    let crowd = reports(near + here, data: 200, on: Self.twoChannels)
    // Where it is not heard, the scanner was at the packet of another.
    let others = crowd.dropFirst().map(\.count).reduce(0, +) / here.count
    #expect(crowd[0].count > others, "\(crowd[0].count) \(others)")
    #expect(crowd[0].count <= alone)
  }

  @Test("of a chain that is hit the rest is lost, which is told; what comes whole is right")
  func chains() {
    let all = reports(Array(here.prefix(3)), data: 1650, on: Self.twoChannels)
    var (whole, broken) = (0, 0)
    for (number, reports) in all.enumerated() {
      var data: [UInt8] = []
      for report in reports {
        data += report.data
        if report.eventType.contains(.truncated) {
          broken += 1
          data = []
        } else if !report.eventType.contains(.incomplete) {
          whole += 1
          #expect(data == [UInt8](repeating: UInt8(number), count: 1650))
          data = []
        }
      }
    }
    #expect(whole > 100 && broken > 100, "\(whole) whole, \(broken) broken")
  }

  /// How long centrals take to connect, or scanners to get a response, beside an advertiser of long chains; the sum of 30
  /// runs.
  private func delay(jammerOn map: UInt64, connects: Bool) -> Duration {
    (UInt64(1)...30).reduce(.zero) { sum, seed in
      var bench = AirBench(seed: seed)
      bench.air.setPropagation(.steady, now: bench.now)
      let (asker, advertiser, jammer) = (bench.add(), bench.add(), bench.add())
      for id in [asker, advertiser] {
        bench.unmask(id)
        bench.send(LESetHostChannelClassification(channelMap: Self.twoChannels), to: id)
      }
      bench.send(LESetHostChannelClassification(channelMap: map), to: jammer)
      bench.advertiseExtended(jammer, data: AirBench.bytes(1650), interval: 32)
      bench.advertiseExtended(
        advertiser,
        connects ? .connectable : .scannable,
        response: connects ? [] : [1, 2, 3]
      )
      // Who listens to the jammer, so that it is on the air, listens to it alone.
      let listener = bench.add { $0.position = RadioPosition(x: 1) }
      bench.scanExtended(listener, .passive) { $0.scanningFilterPolicy = .filterAcceptList }
      bench.run(for: .milliseconds(Int(seed) * 3))
      let start = bench.now
      if connects {
        bench.connectExtended(asker, to: bench.address(2))
      } else {
        bench.send(LEAddDeviceToFilterAcceptList(address: bench.address(2)), to: asker)
        bench.scanExtended(asker) { $0.scanningFilterPolicy = .filterAcceptList }
      }
      while bench.now < start.advanced(by: .seconds(10)) {
        bench.run(for: .milliseconds(5))
        let isDone = connects ? isConnected(asker, bench) : hasResponse(asker, bench)
        if isDone { break }
      }
      return sum + start.duration(to: bench.now)
    }
  }

  private func isConnected(_ id: ControllerID, _ bench: AirBench) -> Bool {
    bench.count(LEEnhancedConnectionCompleteV2.self, from: id) > 0
  }

  private func hasResponse(_ id: ControllerID, _ bench: AirBench) -> Bool {
    bench.heard[id, default: []].contains { item in
      let reports = (item.event?.event as? LEExtendedAdvertisingReport)?.reports ?? []
      return reports.contains { $0.eventType.contains(.scanResponse) }
    }
  }

  @Test(
    "requests and their answers are hit too: it takes longer beside who uses the same channels",
    arguments: [true, false]
  )
  func requests(connects: Bool) {
    let beside = delay(jammerOn: Self.otherChannels, connects: connects)
    let through = delay(jammerOn: Self.twoChannels, connects: connects)
    #expect(through > beside * 1.2, "\(through) \(beside)")
  }

  @Test("links and advertisers on the same channels take from each other, and others do not")
  func links() throws {
    func run(jammerOn map: UInt64) throws -> (packets: Int, chains: Int) {
      var bench = AirBench()
      bench.air.setPropagation(.steady, now: bench.now)
      let link = try bench.link(at: RadioPosition(x: 1))
      bench.send(LESetHostChannelClassification(channelMap: Self.twoChannels), to: link.central)
      // Equally strong at each other.
      let jammer = bench.add { $0.position = RadioPosition(x: 1) }
      let listener = bench.add { $0.position = RadioPosition(x: 1) }
      bench.unmask(listener)
      bench.send(LESetHostChannelClassification(channelMap: map), to: jammer)
      bench.advertiseExtended(jammer, data: AirBench.bytes(1000), interval: 32)
      bench.scanExtended(listener, .passive)
      for _ in 0..<300 {
        while bench.air.controllers.first(where: { $0.id == link.central })?.buffersInUse ?? 8 < 8 {
          // Eight packets on the air, so that all events are used to their ends.
          bench.send(AirBench.bytes(216), on: link.centralHandle, to: link.central)
        }
        bench.run(for: .milliseconds(10))
      }
      let packets = bench.received(by: link.peripheral)
      // What collided came again, and nothing twice.
      let bytes = packets.flatMap(\.self)
      let whole = bytes.count / 216
      #expect(Array(bytes.prefix(whole * 216)) == Array((0..<whole).map { _ in AirBench.bytes(216) }.joined()))
      let chains = bench.takeReports(from: listener).count {
        $0.eventType.isDisjoint(with: [.incomplete, .truncated])
      }
      return (packets.count, chains)
    }
    let apart = try run(jammerOn: Self.otherChannels)
    let together = try run(jammerOn: Self.twoChannels)
    #expect(together.packets < apart.packets * 95 / 100, "\(together) \(apart)")
    #expect(together.chains < apart.chains * 9 / 10, "\(together) \(apart)")
  }
}
