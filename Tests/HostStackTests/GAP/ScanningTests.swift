import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("Scanning")
struct ScanningTests {
  static let heartRate = BluetoothUUID(UInt16(0x180D))
  static let flags: [UInt8] = [0x02, 0x01, 0x06]
  static let service: [UInt8] = [0x03, 0x03, 0x0D, 0x18]
  static let name: [UInt8] = [0x05, 0x09, 0x50, 0x75, 0x6C, 0x73]

  private func start(_ bench: inout HostBench, _ request: ScanRequest = ScanRequest()) -> ScanID {
    bench.act { host, now in host.startScan(request, now: now) }
  }

  @Test("one controller scan serves all scans; its kind follows what they ask for together")
  func merging() {
    var bench = HostBench.on()
    let passive = start(&bench, ScanRequest(isActive: false))
    #expect(
      bench.takeCommands() == [
        .leSetScanParameters(
          LESetScanParameters(
            leScanType: .passive,
            leScanInterval: 0x60,
            leScanWindow: 0x30,
            ownAddressType: .public,
            scanningFilterPolicy: .all
          )
        ),
        .leSetScanEnable(LESetScanEnable(leScanEnable: true, filterDuplicates: false)),
      ]
    )
    let active = start(&bench)
    #expect(bench.takeNames() == ["LE Set Scan Enable", "LE Set Scan Parameters", "LE Set Scan Enable"])
    _ = start(&bench)
    #expect(bench.takeNames().isEmpty)
    bench.act { host, now in host.stopScan(passive, now: now) }
    bench.act { host, now in host.stopScan(active, now: now) }
    #expect(bench.takeNames().isEmpty)
  }

  @Test("F04: the controller stops when the last scan does")
  func lastScan() {
    var bench = HostBench.on()
    let first = start(&bench)
    let second = start(&bench)
    _ = bench.takeCommands()
    bench.act { host, now in host.stopScan(first, now: now) }
    #expect(bench.takeCommands().isEmpty)
    bench.act { host, now in host.stopScan(second, now: now) }
    #expect(bench.takeCommands() == [.leSetScanEnable(LESetScanEnable(leScanEnable: false, filterDuplicates: false))])
    bench.advertise(Self.flags)
    #expect(bench.events.sightings.isEmpty)
  }

  @Test("F40: advertisement and scan response are merged; 127 is no strength")
  func merged() {
    var bench = HostBench.on()
    _ = start(&bench)
    bench.advertise(Self.flags + Self.service, rssi: 127)
    bench.advertise(Self.name, .scanResponse, rssi: -40)
    let sightings = bench.events.sightings
    #expect(sightings.count == 2)
    #expect(sightings[0].rssi == nil)
    #expect(sightings[0].isConnectable)
    #expect(!sightings[0].isScanResponse)
    #expect(sightings[1].rssi == -40)
    #expect(sightings[1].isScanResponse)
    #expect(sightings[1].isConnectable)
    #expect(sightings[1].advertisement.localName == "Puls")
    #expect(sightings[1].advertisement.serviceUUIDs == [Self.heartRate])
    #expect(sightings[1].peer == PeerID(HostBench.peer(1)))
    #expect(sightings[1].address == HostBench.peer(1))
  }

  @Test("a device is told once until its content changes, unless duplicates are wanted")
  func duplicates() {
    var bench = HostBench.on()
    let once = start(&bench)
    let always = start(&bench, ScanRequest(allowsDuplicates: true))
    var told: [[ScanID]] { bench.events.compactMap { if case .sighting(_, let scans) = $0 { scans } else { nil } } }
    bench.advertise(Self.flags)
    bench.advertise(Self.flags)
    bench.advertise(Self.flags + Self.service)
    bench.advertise(Self.flags, .nonconnectableUndirected)
    bench.advertise(Self.flags, .nonconnectableUndirected)
    #expect(told == [[once, always], [always], [once, always], [once, always], [always]])
    // A scan that starts later hears of what is known already.
    let late = start(&bench)
    bench.events = []
    bench.advertise(Self.flags, .nonconnectableUndirected)
    #expect(told == [[always, late]])
  }

  @Test("the filter by services counts advertisement and scan response together")
  func filter() {
    var bench = HostBench.on()
    _ = start(&bench, ScanRequest(services: [Self.heartRate]))
    bench.advertise(Self.flags)
    bench.advertise(Self.flags, from: HostBench.peer(2))
    #expect(bench.events.sightings.isEmpty)
    bench.advertise(Self.service, .scanResponse)
    #expect(bench.events.sightings.map(\.address) == [HostBench.peer(1)])
  }

  @Test("a report that is cut short is told, and its good part is kept")
  func cutShort() {
    var bench = HostBench.on()
    _ = start(&bench)
    let good = LEAdvertisingReport(reports: [
      .init(address: HostBench.peer(1), data: Self.flags, rssi: -50),
      .init(address: HostBench.peer(2), data: Self.flags + Self.name, rssi: -50),
    ]).packet
    for count in 1..<good.bytes.count {
      var bytes = Array(good.bytes.prefix(count))
      if bytes.count > 2 { bytes[2] = UInt8(bytes.count - 3) }
      var bench = bench
      guard let packet = HCIPacket(bytes) else { continue }
      bench.receive(packet)
      #expect(!bench.events.reports.isEmpty)
      if count >= 19 { #expect(bench.events.sightings.first?.address == HostBench.peer(1)) }
    }
    // The data itself may be malformed too: a structure that claims more than there is.
    bench.advertise(Self.flags + [0x09, 0xFF, 0x01])
    #expect(bench.events.sightings.last?.advertisement.structures.count == 1)
    #expect(bench.events.reports.map(\.kind) == [.malformedAdvertisement])
  }

  @Test("a controller that refuses to scan ends the scan with its reason")
  func refused() {
    var bench = HostBench.on {
      $0.answers[.leSetScanParameters] = { _ in [HostBench.refuse(.leSetScanParameters, .memoryCapacityExceeded)] }
    }
    let scan = start(&bench)
    #expect(
      bench.events.contains {
        if case .scanEnded(scan, let failure) = $0 { failure.status == .memoryCapacityExceeded } else { false }
      }
    )
  }

  @Test("F01, F10: power loss ends a scan once, and stopping it afterwards does nothing")
  func powerLoss() {
    var bench = HostBench.on()
    let scan = start(&bench)
    bench.act { host, _ in host.powerOff() }
    bench.act { host, now in host.stopScan(scan, now: now) }
    bench.act { host, _ in host.powerOff() }
    let ends = bench.events.filter { if case .scanEnded = $0 { true } else { false } }
    #expect(ends.count == 1)
    let late = start(&bench)
    #expect(
      bench.events.contains {
        if case .scanEnded(late, let failure) = $0 { failure.kind == .poweredOff } else { false }
      }
    )
  }

  @Test("the table of advertisers is bounded")
  func bounded() {
    var table = SightingTable(limit: 16)
    let scans = [(id: ScanID(rawValue: 1), request: ScanRequest())]
    for number in 0..<1000 {
      let report = SightingTable.Report(
        address: BluetoothAddress(UInt64(number), .random),
        data: [],
        rssi: nil,
        isConnectable: true,
        isScanResponse: false
      )
      #expect(table.heard(report, scans: scans, now: .zero).scans.count == 1)
      #expect(table.count <= 16)
    }
  }
}
