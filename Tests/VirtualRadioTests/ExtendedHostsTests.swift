import BluetoothTypes
import HostStack
import RadioPort
import Synchronization
import Testing
import VirtualRadioTesting

@testable import VirtualRadio

@Suite("Our hosts with extended advertising on one air")
struct ExtendedHostsTests {
  private typealias Bench = HostsOnAirTests.Bench

  private func sightings(_ bench: Bench, _ id: ControllerID) -> [Sighting] {
    bench.events[id, default: []].compactMap { if case .sighting(let sighting, _) = $0 { sighting } else { nil } }
  }

  private func links(_ bench: Bench, _ id: ControllerID) -> [LinkID] {
    bench.events[id, default: []].compactMap { event in
      switch event {
      case .claimed(_, .success(let link)): link
      case .centralConnected(let link): link
      default: nil
      }
    }
  }

  private func data(_ count: Int) -> [UInt8] {
    var data: [UInt8] = []
    while data.count + 255 <= count { data += [254, 0xFF] + [UInt8](repeating: UInt8(data.count & 0xFF), count: 253) }
    if count - data.count > 2 {
      let rest = count - data.count
      data += [UInt8(rest - 1), 0xFF] + [UInt8](repeating: 7, count: rest - 2)
    }
    return data
  }

  @Test(
    "data of up to 1650 bytes goes from one host to the other, on every PHY, from several advertisers at once",
    arguments: [RadioPHY.le1M, .le2M, .leCoded]
  )
  func longData(phy: RadioPHY) throws {
    var bench = Bench()
    let scanner = bench.add(HostConfiguration(), address: 0x10)
    var wanted: Set<[UInt8]> = []
    for number in UInt64(1)...4 {
      let id = bench.add(HostConfiguration(), address: 0x20 + number)
      let data = data(1650 - Int(number) * 200)
      wanted.insert(data)
      let format = AdvertisingRequest.Format.extended(
        primaryPHY: phy == .leCoded ? .leCoded : .le1M,
        secondaryPHY: phy
      )
      bench.hosts[id]?.startAdvertising(
        AdvertisingConfiguration(data: data, isConnectable: false, format: format),
        set: UInt8(number),
        now: bench.now
      )
    }
    _ = bench.hosts[scanner]?.startScan(ScanRequest(phys: [.le1M, .leCoded]), now: bench.now)
    bench.settle()
    bench.pass(.seconds(20))
    let whole = sightings(bench, scanner).filter { !$0.channel.isTruncated }
    #expect(Set(try whole.map { try $0.advertisement.encoded(fitting: 1650) }) == wanted)
    #expect(whole.allSatisfy { $0.channel.secondaryPHY == phy && !$0.isConnectable })
    #expect(Set(whole.map(\.channel.set)) == [1, 2, 3, 4])
    #expect(bench.events[scanner, default: []].allSatisfy { if case .report = $0 { false } else { true } })
  }

  @Test("one device advertises legacy and extended sets; a central takes one, the others go on, both ends are told all")
  func sets() throws {
    var bench = Bench()
    let central = bench.add(HostConfiguration(), address: 0x10)
    let old = bench.add(HostConfiguration(), address: 0x11) { $0.features = [.dataPacketLengthExtension, .le2M] }
    let peripheral = bench.add(HostConfiguration(), address: 0x20)
    #expect(bench.hosts[old]?.info.hasExtendedAdvertising == false)
    let configurations: [AdvertisingConfiguration] = [
      AdvertisingConfiguration(data: [2, 1, 6]),
      AdvertisingConfiguration(data: [3, 9, 0x48, 0x69], format: .extended(secondaryPHY: .le2M)),
      AdvertisingConfiguration(data: data(500), isConnectable: false, format: .extended()),
    ]
    for (set, configuration) in configurations.enumerated() {
      bench.hosts[peripheral]?.startAdvertising(configuration, set: UInt8(set), now: bench.now)
    }
    for id in [central, old] { _ = bench.hosts[id]?.startScan(ScanRequest(), now: bench.now) }
    bench.settle()
    bench.pass(.seconds(3))
    #expect(Set(sightings(bench, central).map(\.channel.set)) == [nil, 1, 2])
    #expect(sightings(bench, old).map(\.channel) == [.legacy])
    let peer = try #require(sightings(bench, central).first?.peer)
    bench.events = [:]
    let options = LinkOptions(preferredPHYs: PHYPreference([.le2M]))
    _ = bench.hosts[central]?.connect(to: peer, options: options, now: bench.now)
    bench.settle()
    bench.pass(.seconds(2))
    let here = try #require(links(bench, central).first)
    #expect(links(bench, peripheral).count == 1)
    let told = bench.events[central, default: []].compactMap { event -> LinkEvent? in
      if case .link(let event, _) = event { event } else { nil }
    }
    #expect(told.contains(.dataLengthChanged(transmit: 251, receive: 251)))
    #expect(bench.events[peripheral, default: []].contains { if case .centralDataLength = $0 { true } else { false } })
    let sets = bench.air.controllers[2].sets.filter { $0.handle != nil && $0.isEnabled }.map(\.handle)
    #expect(sets.count == 2 && sets.contains(2))
    _ = bench.hosts[central]?.setPHYs(PHYPreference([.leCoded]), of: here, now: bench.now)
    bench.settle()
    bench.pass(.seconds(2))
    for id in [central, peripheral] {
      let phys = bench.events[id, default: []].compactMap { event -> RadioPHY? in
        switch event {
        case .link(.phyChanged(let transmit, _), _): transmit
        case .centralPHYs(_, let phys): phys.transmit
        default: nil
        }
      }
      #expect(phys.last == .leCoded)
    }
  }

  @Test("connects to devices that are away wait without limit, while scans and other connects go on")
  func waiting() throws {
    var bench = Bench()
    let central = bench.add(HostConfiguration(), address: 0x10)
    let ids = (UInt64(1)...4).map { bench.add(HostConfiguration(), address: 0x20 + $0) }
    func peer(_ number: Int) -> PeerID { PeerID(BluetoothAddress(0x20 + UInt64(number), .public)) }
    // One by legacy packets, one by extended ones, one on Coded, and one that comes last.
    let formats: [AdvertisingRequest.Format] = [
      .legacy, .extended(secondaryPHY: .le2M), .extended(primaryPHY: .leCoded, secondaryPHY: .leCoded), .legacy,
    ]
    for (index, id) in ids.enumerated() {
      bench.air.setReachable(false, id, now: bench.now)
      let configuration = AdvertisingConfiguration(data: [2, 1, 6], format: formats[index])
      bench.hosts[id]?.startAdvertising(configuration, now: bench.now)
      bench.settle()
    }
    let beacon = bench.add(HostConfiguration(), address: 0x30)
    let never = AdvertisingConfiguration(data: [2, 1, 4], isConnectable: false)
    bench.hosts[beacon]?.startAdvertising(never, now: bench.now)
    for number in 1...4 {
      let options = LinkOptions(phys: number == 3 ? [.leCoded] : nil)
      _ = bench.hosts[central]?.connect(to: peer(number), options: options, now: bench.now)
    }
    _ = bench.hosts[central]?.startScan(ScanRequest(), now: bench.now)
    bench.settle()
    // The beacon is heard all the while, which a scan that wants each device once is told of once.
    bench.pass(.seconds(600))
    #expect(links(bench, central).isEmpty)
    #expect(sightings(bench, central).count == 1)
    for (index, id) in ids.enumerated() {
      bench.air.setReachable(true, id, now: bench.now)
      bench.settle()
      bench.pass(.seconds(30))
      #expect(links(bench, central).map(\.peer) == (1...(index + 1)).map(peer))
    }
    bench.events[central] = []
    _ = bench.hosts[central]?.startScan(ScanRequest(), now: bench.now)
    bench.settle()
    bench.pass(.seconds(5))
    #expect(sightings(bench, central).map(\.address) == [BluetoothAddress(0x30, .public)])
  }

  @Test(
    "devices with changing addresses that know each other's keys meet by their identities",
    arguments: [true, false]
  )
  func privacy(resolvesInController: Bool) throws {
    var bench = Bench()
    let (phoneKey, bandKey) = (IdentityKey(0x1234), IdentityKey(0x5678))
    let (phone, band) = (BluetoothAddress(0x10, .public), BluetoothAddress(0x20, .public))
    var atPhone = HostConfiguration()
    atPhone.identities = [KnownIdentity(address: band, key: bandKey)]
    var atBand = HostConfiguration()
    atBand.identities = [KnownIdentity(address: phone, key: phoneKey)]
    atBand.ownIdentityKey = bandKey
    let features: LEFeatures = resolvesInController ? LEFeatures(rawValue: .max) : [.extendedAdvertising]
    let central = bench.add(atPhone, address: phone.value) { $0.features = features }
    let peripheral = bench.add(atBand, address: band.value)
    let stranger = bench.add(HostConfiguration(), address: 0x30)
    bench.hosts[peripheral]?.startAdvertising(AdvertisingConfiguration(data: [2, 1, 6]), now: bench.now)
    for id in [central, stranger] { _ = bench.hosts[id]?.startScan(ScanRequest(), now: bench.now) }
    bench.settle()
    bench.pass(.seconds(2))
    #expect(Set(sightings(bench, central).map(\.peer)) == [PeerID(band)])
    #expect(sightings(bench, stranger).allSatisfy { $0.address.map(bandKey.resolves) ?? false })
    _ = bench.hosts[central]?.connect(to: PeerID(band), now: bench.now)
    bench.settle()
    bench.pass(.seconds(5))
    #expect(links(bench, central).map(\.peer) == [PeerID(band)])
    #expect(links(bench, peripheral).map(\.peer) == [PeerID(phone)])
  }

  @Test("owners of a radio share the legacy advertisement, and have extended sets of their own", .reportsWorlds)
  func owners() async throws {
    try await World.simulated(seed: 1) { world in
      let (radio, scanner) = (world.makeHostRadio(), world.mainRadio)
      try await world.run(for: .seconds(1))
      let heard = Mutex<[UInt8?: AdvertisingData]>([:])
      _ = await scanner.startScan(
        ScanRequest(allowsDuplicates: true),
        sighting: { sighting in heard.withLock { $0[sighting.channel.set] = sighting.advertisement } },
        ended: { _ in }
      )
      var owners: [ServerID] = []
      for _ in 0..<4 { owners.append(await radio.openServer { _ in }) }
      let long = ADStructure(.manufacturerSpecificData, [UInt8](repeating: 1, count: 200))
      try await radio.advertise(AdvertisingRequest(name: "One"), by: owners[0])
      try await radio.advertise(AdvertisingRequest(services: [BluetoothUUID(UInt16(0x180D))]), by: owners[1])
      try await radio.advertise(AdvertisingRequest(name: "Three", more: [long], format: .extended()), by: owners[2])
      try await radio.advertise(
        AdvertisingRequest(name: "Four", more: [long], isConnectable: false, format: .extended(secondaryPHY: .le2M)),
        by: owners[3]
      )
      try await world.run(for: .seconds(3))
      var sets = heard.withLock { $0 }
      #expect(sets.keys.compactMap(\.self).count == 2 && sets.count == 3)
      #expect(sets[nil]?.localName == "One" && sets[nil]?.serviceUUIDs.count == 1)
      #expect(Set(sets.values.compactMap(\.localName)) == ["One", "Three", "Four"])
      await #expect(throws: RadioFailure.self) {
        try await radio.advertise(AdvertisingRequest(name: "Two", more: [long]), by: owners[1])
      }
      await #expect(throws: RadioFailure.self) {
        let much = [ADStructure](repeating: long, count: 2)
        try await radio.advertise(AdvertisingRequest(more: much, format: .extended()), by: owners[2])
      }

      await radio.stop(owners[3])
      try await radio.advertise(AdvertisingRequest(name: "Again", format: .extended()), by: owners[0])
      heard.withLock { $0 = [:] }
      try await world.run(for: .seconds(3))
      sets = heard.withLock { $0 }
      #expect(Set(sets.values.compactMap(\.localName)) == ["Again", "Three"])
      #expect(sets[nil]?.localName == nil && sets[nil]?.serviceUUIDs.count == 1)
      for owner in owners { await radio.stop(owner) }
      heard.withLock { $0 = [:] }
      try await world.run(for: .seconds(3))
      #expect(heard.withLock { $0.isEmpty })
    }
  }

  @Test("a radio without extended advertising refuses it with the reason, and takes all PHYs of a scan for 1M")
  func fallback() async throws {
    try await World.simulated(seed: 1) { world in
      let channel = world.space.addController(
        ControllerConfiguration(address: BluetoothAddress(0x77, .public), features: [.le2M]),
        name: "old"
      )
      let old = HostRadio(executor: world.executor, channel: channel, configuration: HostConfiguration())
      let scanner = world.mainRadio
      await old.powerOn()
      try await world.run(for: .seconds(1))
      let owner = await old.openServer { _ in }
      do {
        try await old.advertise(AdvertisingRequest(name: "Old", format: .extended()), by: owner)
        Issue.record("it was taken")
      } catch let failure as RadioFailure { #expect(failure.kind == .unsupported) }
      try await old.advertise(AdvertisingRequest(name: "Old"), by: owner)
      let heard = Mutex<[Sighting]>([])
      _ = await scanner.startScan(
        ScanRequest(phys: [.le1M, .leCoded]),
        sighting: { sighting in heard.withLock { $0.append(sighting) } },
        ended: { _ in }
      )
      try await world.run(for: .seconds(3))
      #expect(heard.withLock { $0.map(\.channel).allSatisfy { $0 == .legacy } && !$0.isEmpty })
    }
  }
}

extension HostRadio {
  fileprivate func advertise(_ request: AdvertisingRequest, by server: ServerID) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      startAdvertising(request, by: server) { continuation.resume(with: $0.mapError { $0 as any Error }) }
    }
  }

  fileprivate func stop(_ server: ServerID) async {
    await withCheckedContinuation { continuation in
      stopAdvertising(by: server) { continuation.resume() }
    }
  }
}
