import BluetoothTypes
import Foundation
import RadioPort

/// What happens to the connections of the whole system.
public enum CBConnectionEvent: Int, Sendable {
  /// A device is no longer connected.
  case peerDisconnected = 0
  /// A device is connected.
  case peerConnected = 1
}

/// Of which devices a manager hears in ``CBCentralManager/registerForConnectionEvents(options:)``.
public struct CBConnectionEventMatchingOption: RawRepresentable, Hashable, Sendable {
  /// The name of the option.
  public let rawValue: String

  /// An option from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  // The strings are among the constants of the system's Bluetooth service, as published listings of it show them.

  /// Those that have one of these services, `[CBUUID]`; four at most.
  public static let serviceUUIDs = Self(rawValue: "kCBConnectionEventMatchingOptionServiceUUIDs")
  /// Those that have one of these identifiers, `[UUID]`.
  public static let peripheralUUIDs = Self(rawValue: "kCBConnectionEventMatchingOptionPeripheralUUIDs")
}

/// Which devices a manager wants to hear of, and which it has heard of.
struct ConnectionEventFilter: Sendable {
  /// As many services as Apple's framework takes.
  static let mostServices = 4

  let services: Set<BluetoothUUID>
  let peers: Set<PeerID>
  private var told: Set<PeerID> = []

  init(_ options: [CBConnectionEventMatchingOption: Any]) {
    let services = CBUUID.values(options[.serviceUUIDs] as? [CBUUID]) ?? []
    if services.count > Self.mostServices {
      Misuse.warn(
        "connection events can be asked for of \(Self.mostServices) services at most; the others are left out"
      )
    }
    self.services = Set(services.prefix(Self.mostServices))
    let identifiers = (options[.peripheralUUIDs] as? [Any])?.compactMap { $0 as? UUID } ?? []
    peers = Set(identifiers.map { PeerID($0) })
  }

  /// What is to be told of an event.
  mutating func take(_ event: PeerEvent) -> (CBConnectionEvent, PeerID)? {
    switch event {
    case .connected(let peer) where peers.contains(peer): note(peer)
    case .servicesKnown(let peer, let found) where !services.isDisjoint(with: found): note(peer)
    case .connected, .servicesKnown: nil
    case .disconnected(let peer): told.remove(peer).map { (.peerDisconnected, $0) }
    }
  }

  private mutating func note(_ peer: PeerID) -> (CBConnectionEvent, PeerID)? {
    told.insert(peer).inserted ? (.peerConnected, peer) : nil
  }
}
