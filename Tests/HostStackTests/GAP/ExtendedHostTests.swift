import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("A host on a controller with extended advertising")
struct ExtendedHostTests {
  /// A host on a controller with these features.
  static func bench(
    _ features: LEFeatures = [.extendedAdvertising, .le2M, .leCoded, .dataPacketLengthExtension],
    sets: UInt8 = 3,
    _ configuration: HostConfiguration = HostConfiguration()
  ) -> HostBench {
    HostBench.on(configuration) {
      $0.answers[.leReadLocalSupportedFeatures] = { _ in
        [HostBench.complete(LEReadLocalSupportedFeatures.self, .init(leFeatures: features))]
      }
      $0.answers[.leReadMaximumAdvertisingDataLength] = { _ in
        [HostBench.complete(LEReadMaximumAdvertisingDataLength.self, .init(maxAdvertisingDataLength: 1650))]
      }
      $0.answers[.leReadNumberOfSupportedAdvertisingSets] = { _ in
        [
          HostBench.complete(
            LEReadNumberOfSupportedAdvertisingSets.self,
            .init(numSupportedAdvertisingSets: sets)
          )
        ]
      }
      $0.answers[.leReadResolvingListSize] = { _ in
        [HostBench.complete(LEReadResolvingListSize.self, .init(resolvingListSize: 2))]
      }
      for opcode in [HCIOpcode.leExtendedCreateConnection, .leSetPHY] {
        $0.answers[opcode] = { _ in [CommandStatus(opcode: opcode).packet] }
      }
    }
  }

  private func report(
    _ data: [UInt8],
    _ type: ExtendedAdvertisingReportType = .connectable,
    set: UInt8 = 1,
    primary: LEPHY = .le1M
  ) -> LEExtendedAdvertisingReport {
    LEExtendedAdvertisingReport(
      reports: [
        .init(
          eventType: type,
          address: HostBench.peer(1),
          primaryPHY: primary,
          secondaryPHY: type.contains(.legacy) ? .none : .le2M,
          advertisingSID: type.contains(.legacy) ? 0xFF : set,
          rssi: -40,
          data: data
        )
      ]
    )
  }

  // MARK: Scanning

  @Test("scans by extended commands, on the PHYs that the scans ask for together")
  func scan() {
    var bench = Self.bench()
    let near = bench.act { host, now in host.startScan(ScanRequest(), now: now) }
    #expect(bench.takeNames() == ["LE Set Extended Scan Parameters", "LE Set Extended Scan Enable"])
    let far = bench.act { host, now in host.startScan(ScanRequest(phys: [.leCoded]), now: now) }
    let phys = bench.takeCommands().compactMap { command -> LEPHYs? in
      if case .leSetExtendedScanParameters(let command) = command { command.scanningPHYs } else { nil }
    }
    #expect(phys == [[.le1M, .leCoded]])
    bench.act { host, now in host.stopScan(near, now: now) }
    bench.act { host, now in host.stopScan(far, now: now) }
    #expect(bench.takeNames().last == "LE Set Extended Scan Enable")
    var plain = HostBench.on()
    _ = plain.act { host, now in host.startScan(ScanRequest(phys: [.leCoded]), now: now) }
    #expect(plain.takeNames() == ["LE Set Scan Parameters", "LE Set Scan Enable"])
  }

  @Test("a sighting tells PHYs, set and power; each set is sighted by itself, and legacy packets as ever")
  func sightings() throws {
    var bench = Self.bench()
    _ = bench.act { host, now in host.startScan(ScanRequest(), now: now) }
    bench.receive(report([2, 1, 6], [.connectable, .incomplete]))
    #expect(bench.events.sightings.isEmpty)
    bench.receive(report([3, 9, 0x48, 0x69]))
    bench.receive(report([2, 1, 4], set: 2))
    bench.receive(report([2, 1, 6], [.legacy, .connectable, .scannable]))
    bench.receive(report([2, 1, 6], [.connectable, .incomplete]))
    bench.receive(report([3, 9, 0x48, 0x69]))
    let sightings = bench.events.sightings
    #expect(sightings.map(\.channel.set) == [1, 2, nil])
    let first = try #require(sightings.first)
    #expect(first.advertisement.localName == "Hi" && first.isConnectable && first.rssi == -40)
    #expect(first.channel == AdvertisingChannel(secondaryPHY: .le2M, set: 1))
    #expect(sightings.last?.channel == .legacy)
  }

  @Test("a scan that does not want extended advertising, or another PHY, does not hear of it")
  func filters() {
    var bench = Self.bench()
    let legacy = bench.act { host, now in host.startScan(ScanRequest(includesExtended: false), now: now) }
    let coded = bench.act { host, now in host.startScan(ScanRequest(phys: [.leCoded]), now: now) }
    bench.receive(report([2, 1, 6]))
    #expect(bench.events.sightings.isEmpty)
    bench.receive(report([2, 1, 6], [.legacy, .connectable]))
    bench.receive(report([2, 1, 6], primary: .leCoded))
    let heard = bench.events.compactMap { event -> [ScanID]? in
      if case .sighting(_, let scans) = event { scans } else { nil }
    }
    #expect(heard == [[legacy], [coded]])
  }

  @Test("a part of the data is told only of who is not known yet")
  func truncated() {
    var bench = Self.bench()
    _ = bench.act { host, now in host.startScan(ScanRequest(allowsDuplicates: true), now: now) }
    bench.receive(report([2, 1, 6, 9, 9], [.incomplete]))
    bench.receive(report([], [.truncated]))
    #expect(bench.events.sightings.map(\.channel.isTruncated) == [true])
    bench.receive(report([2, 1, 6]))
    bench.receive(report([], [.truncated]))
    #expect(bench.events.sightings.map(\.channel.isTruncated) == [true, false])
  }

  @Test("a scan that the controller ends by itself is started again")
  func scanTimeout() {
    var bench = Self.bench()
    _ = bench.act { host, now in host.startScan(ScanRequest(), now: now) }
    bench.commands = []
    bench.receive(LEScanTimeout())
    #expect(bench.takeNames() == ["LE Set Extended Scan Parameters", "LE Set Extended Scan Enable"])
  }

  // MARK: Advertising

  @Test("data goes to the controller in fragments, and the set is enabled when all is there")
  func fragments() {
    var bench = Self.bench()
    let data = [UInt8](repeating: 7, count: 600)
    let configuration = AdvertisingConfiguration(data: data, isConnectable: false, format: .extended())
    bench.act { host, now in host.startAdvertising(configuration, set: 2, now: now) }
    let pieces = bench.commands.compactMap { command -> LESetExtendedAdvertisingData? in
      if case .leSetExtendedAdvertisingData(let command) = command { command } else { nil }
    }
    #expect(pieces.map(\.operation) == [.firstFragment, .intermediateFragment, .lastFragment])
    #expect(pieces.flatMap(\.advertisingData) == data && pieces.allSatisfy { $0.advertisingHandle == 2 })
    #expect(bench.takeNames().last == "LE Set Extended Advertising Enable")
    #expect(bench.events.contains { if case .advertisingStarted(2) = $0 { true } else { false } })
    bench.act { host, now in host.stopAdvertising(set: 2, now: now) }
    #expect(bench.takeNames() == ["LE Set Extended Advertising Enable", "LE Remove Advertising Set"])
    #expect(bench.events.contains { if case .advertisingStopped(2, nil) = $0 { true } else { false } })
  }

  @Test("sets are independent: one that a central took goes on later, the others never stopped")
  func sets() {
    var bench = Self.bench()
    let one = AdvertisingConfiguration(data: [2, 1, 6])
    let other = AdvertisingConfiguration(data: [2, 1, 4], isConnectable: false, format: .extended())
    bench.act { host, now in host.startAdvertising(one, now: now) }
    bench.act { host, now in host.startAdvertising(other, set: 1, now: now) }
    bench.commands = []
    bench.connected(HostBench.peer(1), role: .peripheral)
    bench.receive(LEAdvertisingSetTerminated(advertisingHandle: 0, connectionHandle: 0x40))
    #expect(!bench.takeNames().contains { $0.contains("Advertising") })
    bench.disconnected()
    let enabled = bench.takeCommands().compactMap { command -> [UInt8]? in
      if case .leSetExtendedAdvertisingEnable(let command) = command {
        command.sets.map(\.advertisingHandle)
      } else {
        nil
      }
    }
    #expect(enabled == [[0]])
  }

  @Test("more sets than the controller has, and data that does not fit, are refused with the reason")
  func limits() {
    var bench = Self.bench(sets: 1)
    let extended = AdvertisingConfiguration(data: [2, 1, 6], format: .extended())
    bench.act { host, now in host.startAdvertising(extended, now: now) }
    bench.act { host, now in host.startAdvertising(extended, set: 1, now: now) }
    let long = AdvertisingConfiguration(data: [UInt8](repeating: 1, count: 246), format: .extended())
    bench.act { host, now in host.startAdvertising(long, now: now) }
    var plain = HostBench.on()
    plain.act { host, now in host.startAdvertising(extended, now: now) }
    let failures = (bench.events + plain.events).compactMap { event -> RadioFailure.Kind? in
      switch event {
      case .advertisingStopped(_, let failure?): failure.kind
      // What was there before goes on.
      case .advertisingRefused(0, let failure): failure.kind
      default: nil
      }
    }
    #expect(failures == [.busy, .tooLong, .unsupported])
    #expect(bench.host.advertisers.first?.isOn == true)
  }

  // MARK: Links

  @Test("connects by the extended command, on Coded where the device was sighted there alone")
  func connecting() {
    var bench = Self.bench()
    func phys() -> [LEPHYs] {
      bench.takeCommands().compactMap { command in
        if case .leExtendedCreateConnection(let command) = command { command.initiatingPHYs } else { nil }
      }
    }
    let first = bench.act { host, now in host.connect(to: PeerID(HostBench.peer(1)), now: now) }
    #expect(phys() == [[.le1M, .le2M]])
    bench.act { host, now in host.release(first, now: now) }
    bench.connected(HostBench.peer(1), status: .unknownConnectionIdentifier)
    _ = bench.act { host, now in host.startScan(ScanRequest(phys: [.le1M, .leCoded]), now: now) }
    bench.receive(report([2, 1, 6], primary: .leCoded))
    _ = bench.act { host, now in host.connect(to: PeerID(HostBench.peer(1)), now: now) }
    #expect(phys() == [[.le2M, .leCoded]])
  }

  @Test("asks for the longest packets and for the preferred PHY, and tells what comes of it")
  func packets() throws {
    var bench = Self.bench()
    let options = LinkOptions(preferredPHYs: PHYPreference([.le2M]))
    let claim = bench.act { host, now in host.connect(to: PeerID(HostBench.peer(1)), options: options, now: now) }
    bench.commands = []
    bench.connected(HostBench.peer(1))
    #expect(bench.takeNames() == ["LE Set Data Length", "LE Set PHY"])
    bench.receive(
      LEDataLengthChange(
        connectionHandle: 0x40,
        maxTXOctets: 251,
        maxTXTime: 2120,
        maxRXOctets: 27,
        maxRXTime: 328
      )
    )
    bench.receive(LEPHYUpdateComplete(status: .success, connectionHandle: 0x40, txPHY: .le2M, rxPHY: .le2M))
    #expect(
      bench.events.linkEvents.map(\.event) == [
        .dataLengthChanged(transmit: 251, receive: 27), .phyChanged(transmit: .le2M, receive: .le2M),
      ]
    )
    let link = try #require(try bench.events.claims.first { $0.claim == claim }?.result.get())
    let request = bench.act { host, now in host.setPHYs(PHYPreference([.leCoded]), of: link, now: now) }
    bench.receive(
      LEPHYUpdateComplete(status: .unsupportedRemoteFeature, connectionHandle: 0x40, txPHY: .le2M, rxPHY: .le2M)
    )
    let lost = bench.act { host, now in host.setPHYs(PHYPreference([.le1M]), of: link, now: now) }
    bench.disconnected()
    let results = bench.events.compactMap { event -> (RequestID, RadioFailure.Kind?)? in
      guard case .phys(let id, let result) = event else { return nil }
      if case .failure(let failure) = result { return (id, failure.kind) }
      return (id, nil)
    }
    #expect(results.map(\.0) == [request, lost])
    #expect(results.last?.1 == .disconnected)
  }

  // MARK: Private addresses

  @Test("who shows a private address whose key is known is sighted and connected to by the identity")
  func identities() throws {
    let key = IdentityKey(99)
    let identity = HostBench.peer(7)
    let configuration = {
      var configuration = HostConfiguration()
      configuration.identities = [KnownIdentity(address: identity, key: key)]
      return configuration
    }()
    var bench = Self.bench([.extendedAdvertising], sets: 3, configuration)
    _ = bench.act { host, now in host.startScan(ScanRequest(allowsDuplicates: true), now: now) }
    let claim = bench.act { host, now in host.connect(to: PeerID(identity), now: now) }
    bench.commands = []
    let addresses = (1...2).map { key.address(randomBits: $0) }
    for address in addresses {
      var event = report([2, 1, 6])
      event.reports[0].address = address
      bench.receive(event)
    }
    #expect(bench.events.sightings.allSatisfy { $0.peer == PeerID(identity) && $0.address == identity })
    #expect(bench.events.sightings.map(\.channel.privateAddress) == addresses)
    // The attempt is renewed for each address.
    bench.connected(HostBench.peer(0), status: .unknownConnectionIdentifier)
    let wanted = bench.takeCommands().compactMap { command -> BluetoothAddress? in
      if case .leExtendedCreateConnection(let command) = command { command.peerAddress } else { nil }
    }
    #expect(wanted.last == addresses[1])
    bench.connected(addresses[1])
    let link = try #require(try bench.events.claims.first { $0.claim == claim }?.result.get())
    #expect(link.peer == PeerID(identity))
  }

  @Test("known devices go into the controller's resolving list, as many as there is room for, and then it resolves")
  func resolvingList() {
    var configuration = HostConfiguration()
    configuration.identities = (1...3).map {
      KnownIdentity(address: HostBench.peer($0), key: IdentityKey(UInt128($0)))
    }
    var bench = HostBench(configuration)
    bench.answers = Self.bench([.privacy]).answers
    bench.act { host, now in host.powerOn(now: now) }
    let names = bench.takeNames().suffix(6)
    #expect(
      Array(names) == [
        "LE Read Resolving List Size", "LE Add Device To Resolving List", "LE Set Privacy Mode",
        "LE Add Device To Resolving List", "LE Set Privacy Mode", "LE Set Address Resolution Enable",
      ]
    )
    #expect(bench.host.state == .poweredOn)
    #expect(bench.host.info.ownAddressType == .public)
    configuration.ownIdentityKey = IdentityKey(5)
    var shy = HostBench(configuration)
    shy.answers = bench.answers
    shy.act { host, now in host.powerOn(now: now) }
    #expect(shy.host.info.ownAddressType == .resolvableOrPublic)
  }
}
