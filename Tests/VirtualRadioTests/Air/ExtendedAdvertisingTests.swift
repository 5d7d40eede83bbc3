import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("Extended advertising on the air")
struct ExtendedAdvertisingTests {
  /// The data of the first whole advertisement in a series of reports.
  private func whole(_ reports: [LEExtendedAdvertisingReport.Report], isResponse: Bool = false) -> [UInt8]? {
    var data: [UInt8] = []
    for report in reports where report.eventType.contains(.scanResponse) == isResponse {
      data += report.data
      if report.eventType.contains(.truncated) { data = [] }
      if report.eventType.isDisjoint(with: [.incomplete, .truncated]) { return data }
    }
    return nil
  }

  @Test(
    "data of every length arrives in pieces that fit into events, on every PHY",
    arguments: [LEPHY.le1M, .le2M, .leCoded],
    [0, 1, 229, 230, 245, 246, 500, 1650]
  )
  func lengths(phy: LEPHY, count: Int) {
    var bench = AirBench()
    let (advertiser, scanner) = (bench.add(), bench.add())
    bench.unmask(scanner)
    bench.advertiseExtended(advertiser, data: AirBench.bytes(count)) {
      $0.secondaryAdvertisingPHY = phy
      $0.advertisingSID = 5
      $0.primaryAdvertisingPHY = phy == .leCoded ? .leCoded : .le1M
    }
    bench.scanExtended(scanner, .passive, on: [.le1M, .leCoded])
    bench.run(for: .seconds(3))
    let reports = bench.takeReports(from: scanner)
    #expect(whole(reports) == AirBench.bytes(count))
    #expect(reports.allSatisfy { $0.data.count <= 229 && $0.advertisingSID == 5 && $0.secondaryPHY == phy })
    #expect(reports.allSatisfy { $0.address == bench.address(1) && $0.txPower == 127 })
    #expect(reports.allSatisfy { $0.eventType.isDisjoint(with: [.legacy, .connectable, .scannable]) })
  }

  @Test("a scannable set tells all in its response, to who asks, and the host hears who did")
  func scannable() {
    var bench = AirBench()
    let (advertiser, active, passive) = (bench.add(), bench.add(), bench.add())
    for id in [advertiser, active, passive] { bench.unmask(id) }
    bench.advertiseExtended(advertiser, set: 3, .scannable, response: AirBench.bytes(700)) {
      $0.scanRequestNotificationEnable = true
    }
    bench.scanExtended(active, filter: .on)
    bench.scanExtended(passive, .passive)
    bench.run(for: .seconds(3))
    let reports = bench.takeReports(from: active)
    #expect(whole(reports, isResponse: true) == AirBench.bytes(700))
    #expect(reports.first?.eventType == .scannable)
    #expect(reports.last?.eventType == [.scannable, .scanResponse])
    #expect(bench.takeReports(from: passive).allSatisfy { $0.data.isEmpty && $0.eventType == .scannable })
    let asked = bench.take(LEScanRequestReceived.self, from: advertiser)
    #expect(asked == [LEScanRequestReceived(advertisingHandle: 3, scannerAddress: bench.address(2))])
  }

  @Test("legacy packets of a set reach legacy and extended scans, extended packets only extended scans")
  func both() {
    var bench = AirBench()
    let (advertiser, old, new) = (bench.add(), bench.add(), bench.add())
    bench.unmask(new)
    bench.advertiseExtended(advertiser, set: 1, .legacyConnectable, data: [2, 1, 6], response: [2, 9, 0x48])
    bench.advertiseExtended(advertiser, set: 2, [], data: [2, 1, 4])
    // Each but once, as scanners that ask for every response are in each other's way for ever.
    bench.scan(old, filter: true)
    bench.scanExtended(new, filter: .on)
    bench.run(for: .seconds(10))
    let legacy = bench.take(LEAdvertisingReport.self, from: old).flatMap(\.reports)
    #expect(Set(legacy.map(\.data)) == [[2, 1, 6], [2, 9, 0x48]])
    let reports = bench.takeReports(from: new)
    #expect(Set(reports.map(\.data)) == [[2, 1, 6], [2, 9, 0x48], [2, 1, 4]])
    #expect(reports.first { $0.data == [2, 1, 6] }?.eventType.rawValue == 0x13)
    #expect(reports.first { $0.data == [2, 9, 0x48] }?.eventType.rawValue == 0x1B)
    #expect(reports.first { $0.data == [2, 1, 6] }?.advertisingSID == 0xFF)
  }

  @Test("the duplicate filter tells sets apart, and reports a set again when its data has changed")
  func duplicates() {
    var bench = AirBench()
    let (advertiser, scanner) = (bench.add(), bench.add())
    bench.unmask(scanner)
    bench.advertiseExtended(advertiser, set: 1, data: [1]) { $0.advertisingSID = 1 }
    bench.advertiseExtended(advertiser, set: 2, data: [2]) { $0.advertisingSID = 2 }
    bench.scanExtended(scanner, filter: .on)
    bench.run(for: .seconds(5))
    #expect(bench.takeReports(from: scanner).map(\.data).sorted { $0[0] < $1[0] } == [[1], [2]])
    bench.fill(advertiser, set: 2, data: [3])
    bench.run(for: .seconds(5))
    #expect(bench.takeReports(from: scanner).map(\.data) == [[3]])
    bench.send(LESetExtendedAdvertisingData(advertisingHandle: 1, operation: .unchanged), to: advertiser)
    bench.run(for: .seconds(5))
    #expect(bench.takeReports(from: scanner).map(\.data) == [[1]])
  }

  @Test("a filter that is reset each period reports once a period, and in the pauses nothing is heard")
  func periods() {
    var bench = AirBench()
    let (advertiser, scanner) = (bench.add(), bench.add())
    bench.unmask(scanner)
    bench.advertiseExtended(advertiser, data: [1], interval: 32)
    bench.scanExtended(scanner, filter: .resetEachPeriod, duration: 50, period: 1)
    bench.run(for: .milliseconds(12_800 - 10))
    let times = bench.heard[scanner, default: []].filter { $0.event?.event is LEExtendedAdvertisingReport }.map(\.time)
    #expect(times.count == 10)
    let period = 1_280_000_000 as Int64
    #expect(times.allSatisfy { $0.nanoseconds % period <= 510_000_000 })
    #expect(bench.count(LEScanTimeout.self, from: scanner) == 0)
  }

  @Test("a scan with a duration ends by itself, once, with Scan Timeout")
  func scanDuration() {
    var bench = AirBench()
    let (advertiser, scanner) = (bench.add(), bench.add())
    bench.unmask(scanner)
    bench.advertiseExtended(advertiser, data: [1])
    bench.scanExtended(scanner, duration: 100)
    bench.run(for: .seconds(5))
    let last = bench.heard[scanner, default: []].last { $0.event?.event is LEExtendedAdvertisingReport }
    #expect(last.map { $0.time < .zero.advanced(by: .milliseconds(1_010)) } == true)
    #expect(bench.count(LEScanTimeout.self, from: scanner) == 1)
    #expect(bench.status(.leSetExtendedScanEnable, from: scanner) == .success)
    #expect(bench.air.nextEvent == nil)
  }

  @Test("a set ends after its duration or its events, whether anybody listens or not")
  func ends() {
    var bench = AirBench()
    let advertiser = bench.add()
    bench.unmask(advertiser)
    bench.advertiseExtended(advertiser, set: 1, data: [1], duration: 200)
    bench.advertiseExtended(advertiser, set: 2, data: [1], events: 5)
    bench.run(for: .seconds(1))
    let limited = LEAdvertisingSetTerminated(
      status: .limitReached,
      advertisingHandle: 2,
      numCompletedExtendedAdvertisingEvents: 5
    )
    #expect(bench.take(LEAdvertisingSetTerminated.self, from: advertiser) == [limited])
    bench.run(for: .seconds(2))
    let over = LEAdvertisingSetTerminated(status: .advertisingTimeout, advertisingHandle: 1)
    #expect(bench.take(LEAdvertisingSetTerminated.self, from: advertiser) == [over])
    #expect(bench.air.nextEvent == nil)
  }

  @Test(
    "a connection over extended packets begins on their PHY, both hosts learn of it, and the set has ended",
    arguments: [LEPHY.le1M, .le2M, .leCoded]
  )
  func connection(phy: LEPHY) throws {
    var bench = AirBench()
    let (advertiser, central) = (bench.add(), bench.add())
    bench.unmask(advertiser)
    bench.advertiseExtended(advertiser, set: 7, .connectable, data: [1]) { $0.secondaryAdvertisingPHY = phy }
    bench.advertiseExtended(advertiser, set: 8, [], data: [2])
    bench.connectExtended(central, to: bench.address(1), on: [.le1M, .le2M])
    bench.run(for: .seconds(1))
    let made = try bench.takeFirst(LEConnectionComplete.self, from: central)
    #expect(made.status == .success && made.peerAddress == bench.address(1))
    let events = bench.heard[advertiser, default: []].compactMap { $0.event }
    let handle = try bench.takeFirst(LEEnhancedConnectionCompleteV2.self, from: advertiser)
    #expect(handle.advertisingHandle == 7 && handle.connection.role == .peripheral)
    #expect(handle.connection.peerAddress == bench.address(2))
    let ended = LEAdvertisingSetTerminated(
      advertisingHandle: 7,
      connectionHandle: handle.connection.connectionHandle
    )
    #expect(bench.take(LEAdvertisingSetTerminated.self, from: advertiser) == [ended])
    #expect(events.last == .leAdvertisingSetTerminated(ended))
    #expect(bench.air.controllers[0].sets.map(\.isEnabled) == [false, false, true])
    bench.send(LEReadPHY(connectionHandle: made.connectionHandle), to: central)
    let phys = try #require(bench.answer(LEReadPHY.self, from: central))
    #expect(phys.txPHY == phy && phys.rxPHY == phy)
    bench.send(AirBench.bytes(100), on: made.connectionHandle, to: central)
    bench.run(for: .seconds(1))
    #expect(bench.received(by: advertiser).flatMap(\.self) == AirBench.bytes(100))
  }

  @Test("who is refused over extended packets goes on waiting, and is not told of a link that never was")
  func refused() {
    var bench = AirBench()
    let (advertiser, central) = (bench.add(), bench.add())
    bench.send(LEAddDeviceToFilterAcceptList(address: bench.address(9)), to: advertiser)
    bench.advertiseExtended(advertiser, .connectable, data: [1]) {
      $0.advertisingFilterPolicy = .filterConnectionRequests
    }
    bench.connectExtended(central, to: bench.address(1))
    bench.run(for: .seconds(3))
    #expect(bench.count(LEConnectionComplete.self, from: central) == 0)
    bench.send(LECreateConnectionCancel(), to: central)
    let ends = bench.take(LEConnectionComplete.self, from: central)
    #expect(ends.map(\.status) == [.unknownConnectionIdentifier])
  }

  @Test("anonymous advertisers have no address, and the accept list takes them only by the entry for them")
  func anonymous() {
    var bench = AirBench()
    let (advertiser, scanner) = (bench.add(), bench.add())
    bench.unmask(scanner)
    bench.advertiseExtended(advertiser, .anonymous, data: [1])
    bench.scanExtended(scanner)
    bench.run(for: .seconds(1))
    let reports = bench.takeReports(from: scanner)
    #expect(!reports.isEmpty && reports.allSatisfy { $0.address == nil })
    bench.send(LESetExtendedScanEnable(enable: false), to: scanner)
    bench.scanExtended(scanner) { $0.scanningFilterPolicy = .filterAcceptList }
    bench.run(for: .seconds(1))
    #expect(bench.takeReports(from: scanner).isEmpty)
    bench.send(LESetExtendedScanEnable(enable: false), to: scanner)
    bench.send(LEAddDeviceToFilterAcceptList(address: nil), to: scanner)
    bench.send(LESetExtendedScanEnable(enable: true), to: scanner)
    bench.run(for: .seconds(1))
    #expect(!bench.takeReports(from: scanner).isEmpty)
  }

  @Test("who goes out of reach in the middle of a chain is told that the rest is lost, and hears it whole later")
  func truncated() {
    var bench = AirBench()
    let (advertiser, scanner) = (bench.add(), bench.add())
    bench.unmask(scanner)
    bench.advertiseExtended(advertiser, data: AirBench.bytes(1650)) { $0.includeTXPower() }
    bench.scanExtended(scanner, filter: .on)
    while bench.count(LEExtendedAdvertisingReport.self, from: scanner) < 4 { bench.run(for: .milliseconds(1)) }
    bench.air.setReachable(false, advertiser, now: bench.now)
    bench.run(for: .milliseconds(50))
    let reports = bench.takeReports(from: scanner)
    #expect(reports.last?.eventType == .truncated && reports.dropLast().allSatisfy { $0.eventType == .incomplete })
    bench.air.setReachable(true, advertiser, now: bench.now)
    bench.run(for: .seconds(2))
    let later = bench.takeReports(from: scanner)
    #expect(whole(later) == AirBench.bytes(1650))
    #expect(later.allSatisfy { $0.txPower == 0 })
  }

  @Test("a scan that listens on Coded alone hears nothing of 1M, and the other way round")
  func primaryPHYs() {
    var bench = AirBench()
    let (near, far, scanner) = (bench.add(), bench.add(), bench.add())
    bench.unmask(scanner)
    bench.advertiseExtended(near, data: [1])
    bench.advertiseExtended(far, data: [2]) {
      $0.primaryAdvertisingPHY = .leCoded
      $0.secondaryAdvertisingPHY = .leCoded
    }
    bench.scanExtended(scanner, on: .leCoded)
    bench.run(for: .seconds(2))
    let coded = bench.takeReports(from: scanner)
    #expect(!coded.isEmpty && coded.allSatisfy { $0.data == [2] && $0.primaryPHY == .leCoded })
    bench.send(LESetExtendedScanEnable(enable: false), to: scanner)
    bench.scanExtended(scanner, on: .le1M)
    bench.run(for: .seconds(2))
    #expect(bench.takeReports(from: scanner).allSatisfy { $0.data == [1] })
  }

  @Test("an hour of extended advertising that nobody listens to costs no steps")
  func idle() {
    var bench = AirBench()
    let advertiser = bench.add()
    bench.advertiseExtended(advertiser, data: AirBench.bytes(1000))
    let steps = bench.air.stepCount
    bench.run(for: .seconds(3600))
    #expect(bench.air.stepCount == steps)
  }
}

extension LESetExtendedAdvertisingParameters {
  fileprivate mutating func includeTXPower() { advertisingEventProperties.insert(.includeTXPower) }
}
