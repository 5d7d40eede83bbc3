import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

/// Our host on both ends of our air, without executors: bytes and time only.
@Suite("Two hosts on one air")
struct HostsOnAirTests {
  struct Bench {
    var air = Air(seed: 1)
    var hosts: [ControllerID: Host] = [:]
    var events: [ControllerID: [HostEvent]] = [:]
    var now = RadioInstant.zero

    mutating func add(
      _ configuration: HostConfiguration,
      address: UInt64,
      _ change: (inout ControllerConfiguration) -> Void = { _ in }
    ) -> ControllerID {
      var controller = ControllerConfiguration(address: BluetoothAddress(address, .public))
      change(&controller)
      let id = air.addController(controller)
      hosts[id] = Host(configuration: configuration)
      hosts[id]?.powerOn(now: now)
      settle()
      return id
    }

    mutating func settle() {
      var isQuiet: Bool
      repeat {
        isQuiet = true
        for id in hosts.keys.sorted() {
          for output in hosts[id]?.takeOutputs() ?? [] {
            isQuiet = false
            switch output {
            case .send(let packet):
              PacketCensus.current?.sent(packet)
              air.receive(packet, from: id, now: now)
            case .event(let event): events[id, default: []].append(event)
            }
          }
        }
        air.advance(to: now)
        for (id, packet) in air.takeOutputs() {
          isQuiet = false
          if hosts[id] != nil { PacketCensus.current?.received(packet) }
          hosts[id]?.receive(packet, now: now)
        }
      } while !isQuiet
    }

    mutating func pass(_ duration: Duration) {
      let end = now.advanced(by: duration)
      settle()
      while let next = ([air.nextEvent] + hosts.values.map(\.deadline)).compactMap({ $0 }).min(), next <= end {
        now = max(now, next)
        for id in hosts.keys.sorted() { hosts[id]?.wake(now: now) }
        settle()
      }
      now = end
    }
  }

  @Test("they find each other, connect, discover, subscribe, notify, and lose each other")
  func wholeStory() throws {
    var bench = Bench()
    let configuration = HostConfiguration(
      name: "Pulse",
      services: [
        ServiceDefinition(
          BluetoothUUID(UInt16(0x180D)),
          characteristics: [CharacteristicDefinition(BluetoothUUID(UInt16(0x2A37)), properties: .notify)]
        )
      ]
    )
    let central = bench.add(HostConfiguration(), address: 0x10)
    let peripheral = bench.add(configuration, address: 0x20)
    bench.hosts[peripheral]?.startAdvertising(
      AdvertisingConfiguration(data: [2, 1, 6, 3, 3, 0x0D, 0x18], scanResponse: [6, 9] + Array("Pulse".utf8)),
      now: bench.now
    )
    let scan = bench.hosts[central]?.startScan(ScanRequest(), now: bench.now)
    bench.settle()
    bench.pass(.seconds(2))
    var peer: PeerID?
    for case .sighting(let sighting, _) in bench.events[central] ?? [] where sighting.advertisement.localName == "Pulse"
    {
      peer = sighting.peer
    }
    let found = try #require(peer)
    if let scan { bench.hosts[central]?.stopScan(scan, now: bench.now) }
    _ = bench.hosts[central]?.connect(to: found, now: bench.now)
    bench.settle()
    bench.pass(.seconds(2))
    var made: LinkID?
    for case .claimed(_, .success(let link)) in bench.events[central] ?? [] { made = link }
    let link = try #require(made)
    _ = bench.hosts[central]?.discover(nil, on: link, now: bench.now)
    bench.settle()
    bench.pass(.seconds(2))
    var services: [RemoteService] = []
    for case .discovered(_, .success(let found)) in bench.events[central] ?? [] { services = found }
    let measurement = try #require(services.last?.characteristics.first)
    #expect(measurement.uuid == BluetoothUUID(UInt16(0x2A37)))
    #expect(bench.hosts[central]?.mtu(of: link) == 517)
    _ = bench.hosts[central]?.subscribe(to: measurement, on: link, now: bench.now)
    bench.settle()
    bench.pass(.seconds(1))
    for beat in 0..<50 {
      bench.hosts[peripheral]?.publish([0, UInt8(beat)], of: measurement.handle, now: bench.now)
      bench.settle()
      bench.pass(.milliseconds(100))
    }
    var beats: [UInt8] = []
    for case .value(_, let bytes) in bench.events[central] ?? [] { beats.append(bytes[1]) }
    #expect(beats == Array(0..<50))
    bench.air.setReachable(false, peripheral, now: bench.now)
    bench.settle()
    bench.pass(.seconds(5))
    var ends: [RadioFailure] = []
    for case .link(.disconnected(let failure), _) in bench.events[central] ?? [] { ends.append(failure) }
    #expect(ends.map(\.kind) == [.disconnected])
    #expect(ends.first?.underlying == .hci(.connectionTimeout))
    #expect(bench.hosts[peripheral]?.centrals.isEmpty == true)
  }
}
