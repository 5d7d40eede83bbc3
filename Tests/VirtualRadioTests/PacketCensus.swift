import BluetoothTypes
import HostStack
import RadioPort
import Synchronization

@testable import VirtualRadio

/// What hosts of ours really send in tests: the commands, and the ATT PDUs of clients and servers.
final class PacketCensus: Sendable {
  private struct Findings {
    var commands: Set<HCIOpcode> = []
    var pdus: Set<UInt8> = []
  }

  /// Where what is sent in a test is counted; `nil` if nobody counts.
  @TaskLocal static var current: PacketCensus?

  private let findings = Mutex(Findings())

  var commands: Set<HCIOpcode> { findings.withLock { $0.commands } }
  /// The opcodes of all ATT PDUs, of requests and answers alike.
  var pdus: Set<UInt8> { findings.withLock { $0.pdus } }

  /// Counts a packet that a host has sent.
  func add(_ packet: HCIPacket) {
    let bytes = packet.bytes.dropFirst().map(\.self)
    findings.withLock { findings in
      switch packet.kind {
      case .command where bytes.count > 2:
        findings.commands.insert(HCIOpcode(rawValue: UInt16(bytes[0]) | UInt16(bytes[1]) << 8))
      // The beginning of a frame on the channel of ATT.
      case .acl where bytes.count > 8 && bytes[1] & 0x10 == 0 && bytes[6] == 4 && bytes[7] == 0:
        findings.pdus.insert(bytes[8])
      default: break
      }
    }
  }

  /// Counts what the hosts of a world have sent.
  static func add(_ world: World) {
    guard let current else { return }
    for entry in world.trace.entries where entry.direction == .toController { current.add(entry.packet) }
  }
}

extension HostsOnAirTests {
  /// Two hosts, with controllers of one kind or another, do on one link all that hosts can do on one.
  static func everything(features: LEFeatures) throws -> Bool {
    var bench = Bench()
    let characteristics = [
      CharacteristicDefinition(
        "FF01",
        properties: [.read, .write],
        source: .stored([UInt8](repeating: 1, count: 400))
      ),
      CharacteristicDefinition("FF02", properties: [.read, .writeWithoutResponse], source: .stored([1])),
      CharacteristicDefinition("FF03", properties: [.read, .notify], source: .stored([2])),
      CharacteristicDefinition("FF04", properties: .notify),
      CharacteristicDefinition("FF05", properties: .indicate),
    ]
    let configuration = HostConfiguration(services: [ServiceDefinition("FF00", characteristics: characteristics)])
    let central = bench.add(HostConfiguration(), address: 0x10) { $0.features = features }
    let peripheral = bench.add(configuration, address: 0x20) { $0.features = features }
    bench.hosts[peripheral]?.startAdvertising(
      AdvertisingConfiguration(data: [2, 1, 6], scanResponse: [2, 9, 0x41]),
      now: bench.now
    )
    let scan = bench.hosts[central]?.startScan(ScanRequest(), now: bench.now)
    bench.pass(.seconds(1))
    if let scan { bench.hosts[central]?.stopScan(scan, now: bench.now) }
    let away = bench.hosts[central]?.connect(to: PeerID(BluetoothAddress(0x99, .public)), now: bench.now)
    bench.pass(.seconds(1))
    if let away { bench.hosts[central]?.release(away, now: bench.now) }
    let claim = bench.hosts[central]?.connect(to: PeerID(BluetoothAddress(0x20, .public)), now: bench.now)
    bench.pass(.seconds(2))
    var made: LinkID?
    for case .claimed(_, .success(let link)) in bench.events[central] ?? [] { made = link }
    guard let link = made, let back = bench.hosts[peripheral]?.centrals.first else { return false }
    _ = bench.hosts[central]?.discover(nil, on: link, now: bench.now)
    bench.pass(.seconds(2))
    var found: [RemoteCharacteristic] = []
    for case .discovered(_, .success(let services)) in bench.events[central] ?? [] {
      found = services.last?.characteristics ?? []
    }
    guard found.count == characteristics.count else { return false }
    let now = bench.now
    if var host = bench.hosts[central] {
      _ = host.read(found[0].handle, on: link, now: now)
      _ = host.read([found[1].handle, found[2].handle], on: link, now: now)
      _ = host.read([found[1].handle, found[2].handle], lengths: [1, 1], on: link, now: now)
      _ = host.write([7], to: found[0].handle, on: link, now: now)
      _ = host.write([UInt8](repeating: 7, count: 300), to: found[0].handle, on: link, now: now)
      _ = host.writeWithoutResponse([7], to: found[1].handle, on: link, now: now)
      for characteristic in found[2...] { _ = host.subscribe(to: characteristic, on: link, now: now) }
      _ = host.read(AttributeHandle(0x0FFF), on: link, now: now)
      _ = host.readRSSI(of: link, now: now)
      _ = host.setPHYs(PHYPreference(transmit: [.le2M], receive: [.le2M]), of: link, now: now)
      bench.hosts[central] = host
    }
    bench.settle()
    bench.pass(.seconds(3))
    try bench.hosts[peripheral]?.notify([1], of: found[2].handle, to: back, now: bench.now)
    bench.settle()
    bench.hosts[peripheral]?.publish([1], of: found[4].handle, now: bench.now)
    bench.settle()
    bench.pass(.seconds(1))
    for host in [central, peripheral] {
      try bench.hosts[host]?.updateParameters(
        of: host == central ? link : back,
        to: LinkOptions(interval: .milliseconds(40)...(.milliseconds(50))),
        now: bench.now
      )
      bench.settle()
      bench.pass(.seconds(3))
    }
    // Who asks at the link layer, as other hosts do.
    let update = LEConnectionUpdate(connectionHandle: 0x40, connectionIntervalMin: 80, connectionIntervalMax: 80)
    bench.air.receive(update.packet, from: peripheral, now: bench.now)
    bench.settle()
    bench.pass(.seconds(3))
    if let claim { bench.hosts[central]?.release(claim, now: bench.now) }
    bench.pass(.seconds(3))
    return true
  }
}
