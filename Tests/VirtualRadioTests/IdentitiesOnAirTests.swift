import BluetoothTypes
import HostStack
import RadioPort
import Synchronization
import Testing
import VirtualRadioTesting

@testable import VirtualRadio

@Suite("Devices with changing addresses on the air")
struct IdentitiesOnAirTests {
  private typealias Bench = HostsOnAirTests.Bench

  private let key = IdentityKey(0x5678)
  private let band = BluetoothAddress(0x20, .public)

  private func sighted(_ bench: Bench, _ id: ControllerID) -> Set<BluetoothAddress?> {
    Set(
      bench.events[id, default: []].compactMap { event -> BluetoothAddress?? in
        if case .sighting(let sighting, _) = event { .some(sighting.address) } else { nil }
      }
    )
  }

  private func links(_ bench: Bench, _ id: ControllerID) -> [PeerID] {
    bench.events[id, default: []].compactMap { if case .claimed(_, .success(let link)) = $0 { link.peer } else { nil } }
  }

  /// A device that shows addresses that change, and advertises.
  private func addBand(_ bench: inout Bench, _ format: AdvertisingRequest.Format = .legacy) -> ControllerID {
    var configuration = HostConfiguration()
    configuration.ownIdentityKey = key
    let id = bench.add(configuration, address: band.value)
    bench.hosts[id]?.startAdvertising(AdvertisingConfiguration(data: [2, 1, 6], format: format), now: bench.now)
    bench.settle()
    return id
  }

  @Test("keys that are set while the radio scans, advertises and waits for a device reach the controller at once")
  func keysWhileOn() throws {
    var bench = Bench()
    let phone = bench.add(HostConfiguration(), address: 0x10)
    let listener = bench.add(HostConfiguration(), address: 0x11)
    _ = addBand(&bench)
    _ = bench.hosts[phone]?.startScan(ScanRequest(allowsDuplicates: true), now: bench.now)
    _ = bench.hosts[listener]?.startScan(ScanRequest(allowsDuplicates: true), now: bench.now)
    bench.hosts[phone]?.startAdvertising(AdvertisingConfiguration(data: [2, 1, 4]), now: bench.now)
    _ = bench.hosts[phone]?.connect(to: PeerID(BluetoothAddress(0x99, .public)), now: bench.now)
    bench.settle()
    bench.pass(.seconds(2))
    #expect(sighted(bench, phone).allSatisfy { $0.map(key.resolves) ?? false })

    bench.hosts[phone]?.setIdentities([KnownIdentity(address: band, key: key)], now: bench.now)
    bench.settle()
    bench.pass(.seconds(1))
    var list = try #require(bench.air.controllers.first { $0.id == phone }).resolvingList
    #expect(list.isEnabled && list.entries.map(\.identity) == [band])
    bench.events = [:]
    bench.pass(.seconds(3))
    #expect(sighted(bench, phone) == [band])
    // All went on: advertising is heard, and so is the device that is waited for.
    #expect(sighted(bench, listener).contains(BluetoothAddress(0x10, .public)))
    let late = bench.add(HostConfiguration(), address: 0x99)
    bench.hosts[late]?.startAdvertising(AdvertisingConfiguration(data: [2, 1, 6]), now: bench.now)
    bench.settle()
    bench.pass(.seconds(5))
    #expect(links(bench, phone) == [PeerID(BluetoothAddress(0x99, .public))])

    bench.hosts[phone]?.setIdentities([], now: bench.now)
    bench.settle()
    bench.pass(.seconds(1))
    list = try #require(bench.air.controllers.first { $0.id == phone }).resolvingList
    #expect(list.entries.isEmpty)
    bench.events = [:]
    bench.pass(.seconds(3))
    #expect(sighted(bench, phone).allSatisfy { $0 != band })
  }

  @Test(
    "a connect waits without limit for a device whose address changes, though only the host has its key",
    arguments: [UInt8(0), 1],
    [AdvertisingRequest.Format.legacy, .extended(primaryPHY: .leCoded, secondaryPHY: .leCoded)]
  )
  func waiting(listSize: UInt8, format: AdvertisingRequest.Format) throws {
    var bench = Bench()
    var configuration = HostConfiguration()
    // The controller's list is full with another one.
    configuration.identities = [
      KnownIdentity(address: BluetoothAddress(0x77, .public), key: IdentityKey(0x77)),
      KnownIdentity(address: band, key: key),
    ]
    let phone = bench.add(configuration, address: 0x10) {
      $0.resolvingListSize = listSize
      if listSize == 0 { $0.features.remove(.privacy) }
    }
    let device = addBand(&bench, format)
    bench.air.setReachable(false, device, now: bench.now)
    let others = [BluetoothAddress(0x30, .public), BluetoothAddress(0x31, .public)]
    for other in others { _ = bench.hosts[phone]?.connect(to: PeerID(other), now: bench.now) }
    let options = LinkOptions(phys: format == .legacy ? nil : [.leCoded])
    _ = bench.hosts[phone]?.connect(to: PeerID(band), options: options, now: bench.now)
    bench.settle()
    // Scans come and go, and one of the others is found.
    for _ in 0..<20 {
      let scan = bench.hosts[phone]?.startScan(ScanRequest(), now: bench.now)
      bench.settle()
      bench.pass(.seconds(30))
      if let scan { bench.hosts[phone]?.stopScan(scan, now: bench.now) }
      bench.settle()
      bench.pass(.seconds(30))
    }
    #expect(links(bench, phone).isEmpty)
    let other = bench.add(HostConfiguration(), address: others[0].value)
    bench.hosts[other]?.startAdvertising(AdvertisingConfiguration(data: [2, 1, 6]), now: bench.now)
    bench.settle()
    bench.pass(.seconds(20))
    #expect(links(bench, phone) == [PeerID(others[0])])
    // It comes near with an address that nobody has heard before.
    bench.air.setReachable(true, device, now: bench.now)
    bench.settle()
    bench.pass(.seconds(20))
    #expect(links(bench, phone) == [PeerID(others[0]), PeerID(band)])
    // It goes, and comes back with another one.
    bench.air.setReachable(false, device, now: bench.now)
    bench.settle()
    bench.pass(.seconds(60))
    _ = bench.hosts[phone]?.connect(to: PeerID(band), options: options, now: bench.now)
    bench.settle()
    bench.pass(.seconds(1800))
    bench.air.setReachable(true, device, now: bench.now)
    bench.settle()
    bench.pass(.seconds(30))
    #expect(links(bench, phone).count == 3)
  }
}
