import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

/// Two hosts do on one link all that hosts do on one, and one more does what is done without any.
struct HostRehearsal {
  private static let addresses = (
    central: BluetoothAddress(0x10, .public), peripheral: BluetoothAddress(0x20, .public),
    away: BluetoothAddress(0x99, .public)
  )
  private static let key = LongTermKey(0x0011_2233)

  private static let services = ServiceDefinition(
    "FF00",
    characteristics: [
      CharacteristicDefinition(
        "FF01",
        properties: [.read, .write],
        source: .stored([UInt8](repeating: 1, count: 400))
      ),
      // What is no client configuration is found in another way.
      CharacteristicDefinition(
        "FF02",
        properties: [.read, .writeWithoutResponse],
        source: .stored([1]),
        descriptors: [DescriptorDefinition("2904", source: .stored([4, 0, 0, 0x27, 1, 0, 0]))]
      ),
      CharacteristicDefinition("FF03", properties: [.read, .notify], source: .stored([2])),
      CharacteristicDefinition("FF04", properties: .notify),
      CharacteristicDefinition("FF05", properties: .indicate),
    ]
  )

  private let features: LEFeatures
  private var bench = HostsOnAirTests.Bench()
  private let central: ControllerID
  private let peripheral: ControllerID
  private var claim: ClaimID?

  /// - Parameter features: What the controllers have.
  init(features: LEFeatures) {
    central = bench.add(HostConfiguration(), address: Self.addresses.central.value) { $0.features = features }
    peripheral = bench.add(
      // So that long values take more than one request.
      HostConfiguration(services: [Self.services], mtu: 100),
      address: Self.addresses.peripheral.value
    ) { $0.features = features }
    self.features = features
  }

  /// Does one thing with a host, and gives the others time for what follows of it.
  private mutating func act(
    _ id: ControllerID,
    for duration: Duration = .seconds(1),
    _ body: (inout Host, RadioInstant) throws -> Void
  ) throws {
    var host = try #require(bench.hosts[id])
    try body(&host, bench.now)
    bench.hosts[id] = host
    bench.pass(duration)
  }

  mutating func run() throws {
    try others()
    try act(peripheral) { host, now in
      host.startAdvertising(AdvertisingConfiguration(data: [2, 1, 6], scanResponse: [2, 9, 0x41]), now: now)
    }
    try act(central) { host, now in _ = host.startScan(ScanRequest(), now: now) }
    let link = try connect()
    try security(link)
    try client(link)
    try server()
    try parameters(link)
    let claim = claim
    try act(central, for: .seconds(5)) { host, now in
      if let claim { host.release(claim, now: now) }
    }
    try #require(bench.hosts[peripheral]?.centrals.isEmpty == true)
    _ = try connect()
    try stranger()
  }

  /// What is for some controllers alone: one whose host has an address of its own, one that has no buffers for Low
  /// Energy, and one at which somebody else advertises, so that its list of keys can not be changed.
  private mutating func others() throws {
    let features = features
    let random = HostConfiguration(randomAddress: BluetoothAddress(0xC000_0000_0030, .random))
    let named = bench.add(random, address: 0x30) { $0.features = features }
    try act(named) { host, now in host.startAdvertising(AdvertisingConfiguration(data: [2, 1, 6]), now: now) }
    _ = bench.add(HostConfiguration(), address: 0x31) { $0.aclBufferLength = 0 }
    var keys = HostConfiguration()
    keys.identities = [KnownIdentity(address: Self.addresses.away, key: IdentityKey(7))]
    let keeper = bench.add(keys, address: 0x32) { $0.features = features.subtracting(.extendedAdvertising) }
    bench.pass(.seconds(1))
    bench.air.receive(LESetAdvertisingEnable(advertisingEnable: true).packet, from: keeper, now: bench.now)
    try act(keeper) { host, now in host.setIdentities([], now: now) }
  }

  private mutating func connect() throws -> LinkID {
    bench.events = [:]
    // One that waits, and two that wait together.
    var (away, claim): (ClaimID?, ClaimID?)
    try act(central) { host, now in away = host.connect(to: PeerID(Self.addresses.away), now: now) }
    try act(central, for: .seconds(3)) { host, now in
      claim = host.connect(to: PeerID(Self.addresses.peripheral), now: now)
    }
    try act(central) { host, now in
      if let away { host.release(away, now: now) }
    }
    self.claim = claim
    for case .claimed(_, .success(let link)) in bench.events[central] ?? [] { return link }
    throw Missing(what: "link")
  }

  /// With a key that only one has, and with one that both have.
  private mutating func security(_ link: LinkID) throws {
    try act(central, for: .seconds(2)) { host, now in
      host.setKeys([Self.addresses.peripheral: Self.key])
      _ = host.encrypt(link, now: now)
    }
    try act(peripheral) { host, _ in host.setKeys([Self.addresses.central: Self.key]) }
    try act(central, for: .seconds(2)) { host, now in _ = host.encrypt(link, now: now) }
  }

  private mutating func client(_ link: LinkID) throws {
    bench.events = [:]
    try act(central, for: .seconds(5)) { host, now in _ = host.discover(nil, on: link, now: now) }
    var found: [RemoteCharacteristic] = []
    for case .discovered(_, .success(let services)) in bench.events[central] ?? [] {
      found = services.last?.characteristics ?? []
    }
    try #require(found.count == Self.services.characteristics.count)
    try act(central, for: .seconds(5)) { host, now in
      _ = host.read(found[0].handle, on: link, now: now)
      _ = host.read([found[1].handle, found[2].handle], on: link, now: now)
      _ = host.read([found[1].handle, found[2].handle], lengths: [1, 1], on: link, now: now)
      _ = host.write([7], to: found[0].handle, on: link, now: now)
      _ = host.write([UInt8](repeating: 7, count: 300), to: found[0].handle, on: link, now: now)
      _ = host.writeWithoutResponse([7], to: found[1].handle, on: link, now: now)
      for characteristic in found[2...] { _ = host.subscribe(to: characteristic, on: link, now: now) }
      _ = host.read(AttributeHandle(0x0FFF), on: link, now: now)
    }
  }

  private mutating func server() throws {
    let handles = bench.hosts[peripheral]?.database.services.last?.characteristics.map(\.value) ?? []
    let back = try #require(bench.hosts[peripheral]?.centrals.first)
    try #require(handles.count == 5)
    try act(peripheral) { host, now in
      try host.notify([1], of: handles[2], to: back, now: now)
      _ = try host.update([(handles[2], [1]), (handles[3], [2])], to: nil, now: now)
      host.publish([1], of: handles[4], now: now)
    }
    try act(peripheral, for: .seconds(3)) { host, now in
      try host.updateParameters(
        of: back,
        to: LinkOptions(interval: .milliseconds(40)...(.milliseconds(50))),
        now: now
      )
    }
  }

  private mutating func parameters(_ link: LinkID) throws {
    try act(central, for: .seconds(3)) { host, now in
      _ = host.readRSSI(of: link, now: now)
      try host.updateParameters(of: link, to: LinkOptions(interval: .milliseconds(15)...(.milliseconds(20))), now: now)
    }
    for phy in [RadioPHY.le2M, .leCoded, .le1M] {
      try act(central, for: .seconds(3)) { host, now in
        _ = host.setPHYs(PHYPreference(transmit: [phy], receive: [phy]), of: link, now: now)
      }
    }
    // Peripherals of others ask at the link layer; what is nonsense does not come through our controllers.
    let ends = try #require(bench.air.links.first)
    let update = LEConnectionUpdate(
      connectionHandle: ends.peripheral.handle,
      connectionIntervalMin: 80,
      connectionIntervalMax: 80
    )
    bench.air.receive(update.packet, from: peripheral, now: bench.now)
    bench.pass(.seconds(3))
    let nonsense = LERemoteConnectionParameterRequest(
      connectionHandle: ends.central.handle,
      intervalMin: 80,
      intervalMax: 40
    )
    bench.hosts[central]?.receive(nonsense.packet, now: bench.now)
    bench.pass(.seconds(1))
  }

  /// A host that is not ours goes on at the central's controller, and asks for what ours does not.
  private mutating func stranger() throws {
    bench.hosts[central] = nil
    let handle = try #require(bench.air.links.first).central.handle
    for pdu: [UInt8] in [[0x04, 1, 0, 0xFF, 0xFF], [0x06, 1, 0, 0xFF, 0xFF, 0, 0x28, 0, 0xFF]] {
      let data = [UInt8(pdu.count), 0, 4, 0] + pdu
      let packet = ACLPacket(connectionHandle: handle, boundary: .firstNonFlushable, data: data)
      bench.air.receive(packet.packet, from: central, now: bench.now)
    }
    bench.pass(.seconds(3))
    let end = Disconnect(connectionHandle: handle, reason: .remoteUserTerminatedConnection)
    bench.air.receive(end.packet, from: central, now: bench.now)
    bench.pass(.seconds(3))
    try #require(bench.hosts[peripheral]?.centrals.isEmpty == true)
  }

  struct Missing: Error { let what: String }
}
