import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("Keys of devices with changing addresses, and the controller's resolving list")
struct IdentitiesTests {
  private static let known = (1...3).map { KnownIdentity(address: HostBench.peer($0), key: IdentityKey(UInt128($0))) }

  private static func bench(
    _ identities: [KnownIdentity] = [],
    _ features: LEFeatures = [.privacy],
    _ change: (inout HostBench) -> Void = { _ in }
  ) -> HostBench {
    var configuration = HostConfiguration()
    configuration.identities = identities
    let answers = ExtendedHostTests.bench(features).answers
    return HostBench.on(configuration) {
      $0.answers = answers
      change(&$0)
    }
  }

  private static let pausing = ["LE Set Scan Enable", "LE Create Connection Cancel", "LE Set Advertising Enable"]

  @Test("keys that come while the radio is in use reach the controller in a pause of all that uses its list")
  func pause() {
    var bench = Self.bench(Array(Self.known[..<1]))
    let scan = bench.act { host, now in host.startScan(ScanRequest(), now: now) }
    bench.act { host, now in host.startAdvertising(AdvertisingConfiguration(data: [2, 1, 6]), now: now) }
    _ = bench.act { host, now in host.connect(to: PeerID(HostBench.peer(9)), now: now) }
    _ = bench.takeCommands()
    _ = bench.takeEvents()
    bench.act { host, now in host.setIdentities(Array(Self.known[1...]), now: now) }
    // The controller has yet to tell the end of its looking.
    #expect(bench.takeNames() == Self.pausing)
    bench.connected(HostBench.peer(0), status: .unknownConnectionIdentifier)
    let names = bench.takeNames()
    #expect(
      Array(names.prefix(5)) == [
        "LE Remove Device From Resolving List", "LE Add Device To Resolving List", "LE Set Privacy Mode",
        "LE Add Device To Resolving List", "LE Set Privacy Mode",
      ]
    )
    for name in ["LE Set Scan Enable", "LE Create Connection", "LE Set Advertising Enable"] {
      #expect(names.dropFirst(5).contains(name))
    }
    let ended = bench.events.contains { event in
      switch event {
      case .scanEnded(scan, _), .advertisingStopped, .claimed: true
      default: false
      }
    }
    #expect(!ended)
    // The same keys again change nothing, and so pause nothing.
    bench.act { host, now in host.setIdentities(Array(Self.known[1...]), now: now) }
    #expect(bench.takeNames().isEmpty)
  }

  @Test("what is stopped in the pause stays stopped, and what is started begins behind it")
  func changesInPause() {
    var bench = Self.bench(Array(Self.known[..<1]))
    bench.act { host, now in host.startAdvertising(AdvertisingConfiguration(data: [2, 1, 6]), now: now) }
    _ = bench.act { host, now in host.connect(to: PeerID(HostBench.peer(9)), now: now) }
    bench.act { host, now in host.setIdentities(Self.known, now: now) }
    _ = bench.takeCommands()
    _ = bench.takeEvents()
    bench.act { host, now in host.stopAdvertising(now: now) }
    #expect(bench.events.contains { if case .advertisingStopped(0, nil) = $0 { true } else { false } })
    _ = bench.act { host, now in host.startScan(ScanRequest(), now: now) }
    #expect(bench.takeNames().isEmpty)
    bench.connected(HostBench.peer(0), status: .unknownConnectionIdentifier)
    let names = bench.takeNames()
    #expect(names.first == "LE Add Device To Resolving List")
    #expect(names.contains("LE Set Scan Enable") && names.contains("LE Create Connection"))
    #expect(!names.contains("LE Set Advertising Enable"))
  }

  @Test("a list that takes no more, an entry that can not be taken out and a refusal of everything end in rest")
  func refusals() {
    // Announced for two, there is room for none.
    var full = Self.bench {
      $0.answers[.leAddDeviceToResolvingList] = { _ in
        [HostBench.refuse(.leAddDeviceToResolvingList, .memoryCapacityExceeded)]
      }
    }
    full.act { host, now in host.setIdentities(Self.known, now: now) }
    #expect(full.takeNames() == ["LE Add Device To Resolving List"])
    #expect(full.events.reports.map(\.kind) == [.refusedCommand])

    var stuck = Self.bench(Array(Self.known[..<2])) {
      $0.answers[.leRemoveDeviceFromResolvingList] = { _ in
        [HostBench.refuse(.leRemoveDeviceFromResolvingList, .hardwareFailure)]
      }
    }
    stuck.act { host, now in host.setIdentities(Array(Self.known[1...]), now: now) }
    #expect(
      stuck.takeNames().prefix(3) == [
        "LE Remove Device From Resolving List", "LE Clear Resolving List", "LE Add Device To Resolving List",
      ]
    )

    let all: [HCIOpcode] = [
      .leRemoveDeviceFromResolvingList, .leClearResolvingList, .leAddDeviceToResolvingList, .leSetPrivacyMode,
      .leSetAddressResolutionEnable,
    ]
    var stubborn = Self.bench(Array(Self.known[..<1]))
    for opcode in all {
      stubborn.answers[opcode] = { _ in [HostBench.refuse(opcode, .commandDisallowed)] }
    }
    _ = stubborn.act { host, now in host.startScan(ScanRequest(), now: now) }
    stubborn.act { host, now in host.setIdentities(Self.known, now: now) }
    stubborn.act { host, now in host.setIdentities([], now: now) }
    #expect(stubborn.takeNames().count < 20)
    #expect(stubborn.takeNames().isEmpty)
  }

  @Test("a device whose address only the host can follow is listened for while its connect waits, and not else")
  func background() {
    var bench = Self.bench(Array(Self.known[..<1]), [])
    func address(_ number: UInt32) -> BluetoothAddress { Self.known[0].key.address(randomBits: number) }
    _ = bench.act { host, now in host.connect(to: PeerID(HostBench.peer(9)), now: now) }
    #expect(bench.takeNames() == ["LE Create Connection"])
    let claim = bench.act { host, now in host.connect(to: PeerID(HostBench.peer(1)), now: now) }
    bench.connected(HostBench.peer(0), status: .unknownConnectionIdentifier)
    let commands = bench.takeCommands()
    let isPassive = commands.contains {
      if case .leSetScanParameters(let command) = $0 { command.leScanType == .passive } else { false }
    }
    #expect(isPassive)
    // Its address changes twice; what is told to nobody is told to nobody.
    for number in 1...2 {
      bench.advertise([2, 1, 6], from: address(UInt32(number)))
      bench.connected(HostBench.peer(0), status: .unknownConnectionIdentifier)
    }
    let listed = bench.takeCommands().compactMap { command -> BluetoothAddress? in
      if case .leAddDeviceToFilterAcceptList(let command) = command { command.address } else { nil }
    }
    #expect(listed.contains(address(1)) && listed.last { $0 != HostBench.peer(9) } == address(2))
    #expect(bench.events.sightings.isEmpty)
    // A scan of somebody's asks for responses, and tells of it from the beginning.
    let scan = bench.act { host, now in host.startScan(ScanRequest(), now: now) }
    bench.advertise([2, 1, 6], from: address(2))
    #expect(bench.events.sightings.map(\.peer) == [PeerID(HostBench.peer(1))])
    bench.act { host, now in host.stopScan(scan, now: now) }
    _ = bench.takeCommands()
    bench.connected(address(2))
    let link = bench.events.claims.first { $0.claim == claim }.flatMap { try? $0.result.get() }
    #expect(link?.peer == PeerID(HostBench.peer(1)))
    let stops = bench.takeCommands().compactMap { command -> Bool? in
      if case .leSetScanEnable(let command) = command { command.leScanEnable } else { nil }
    }
    #expect(stops == [false])
  }

  @Test("a controller that refuses to listen for a waiting device is not asked for ever")
  func refusedBackground() {
    var bench = Self.bench(Array(Self.known[..<1]), []) {
      $0.answers[.leSetScanEnable] = { _ in [HostBench.refuse(.leSetScanEnable, .hardwareFailure)] }
    }
    _ = bench.act { host, now in host.connect(to: PeerID(HostBench.peer(1)), now: now) }
    bench.pass(.seconds(60))
    #expect(bench.takeNames().count { $0 == "LE Set Scan Enable" } == 1)
    #expect(bench.events.reports.map(\.kind) == [.refusedCommand])
  }

  @Test("where a controller can not listen while it looks for peers, the two take turns")
  func turns() {
    var bench = Self.bench(Array(Self.known[..<1]), [])
    bench.answers[.leSetScanEnable] = { _ in [HostBench.refuse(.leSetScanEnable, .commandDisallowed)] }
    _ = bench.act { host, now in host.connect(to: PeerID(HostBench.peer(1)), now: now) }
    bench.answers[.leSetScanEnable] = nil
    _ = bench.takeCommands()
    bench.pass(.seconds(4))
    bench.connected(HostBench.peer(0), status: .unknownConnectionIdentifier)
    #expect(bench.takeNames().contains("LE Set Scan Enable"))
    bench.pass(.seconds(4))
    #expect(bench.takeNames().contains("LE Create Connection"))
  }
}
