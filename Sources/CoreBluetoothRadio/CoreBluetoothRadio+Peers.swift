import BluetoothTypes
import CoreBluetooth
import RadioPort

// All links. The framework tells of those that others have made only where one names the devices or their services, so
// that these are the links of this radio.

extension CoreBluetoothRadio {
  package func observePeers(_ observer: @escaping @Sendable (PeerEvent) -> Void) -> RadioObservation {
    let id = RadioObservation(rawValue: next())
    let linked = devices.values.filter { toldPeers.contains($0.peer) && $0.link != nil }
    for device in linked.sorted(by: { ($0.link?.generation ?? 0) < ($1.link?.generation ?? 0) }) {
      observer(.connected(device.peer))
      if let services = device.services { observer(.servicesKnown(device.peer, services)) }
    }
    peerObservers.append((id, observer))
    return id
  }

  package var hasExtendedAdvertising: Bool {
    #if os(macOS)
      false
    #else
      CBCentralManager.supports(.extendedScanAndConnect)
    #endif
  }

  /// Tells which links have come and gone since it was called last.
  func tellLinks() {
    let linked = Set(devices.values.compactMap { $0.link?.peer })
    let gone = toldPeers.subtracting(linked)
    let come = linked.subtracting(toldPeers)
    toldPeers = linked
    let byName = { (peers: Set<PeerID>) in peers.sorted { $0.description < $1.description } }
    for peer in byName(gone) { for observer in peerObservers { observer.observe(.disconnected(peer)) } }
    for peer in byName(come) { for observer in peerObservers { observer.observe(.connected(peer)) } }
  }

  /// All services of a device were discovered.
  func noteServices(_ services: [BluetoothUUID], on link: LinkID) {
    guard let device = devices[link.peer], device.link == link, device.services != services else { return }
    device.services = services
    for observer in peerObservers { observer.observe(.servicesKnown(link.peer, services)) }
  }
}
