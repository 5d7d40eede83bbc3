import BluetoothTypes

/// What happens between the radio and any device.
public enum PeerEvent: Hashable, Sendable {
  /// There is a link.
  case connected(PeerID)
  /// What services the device has was discovered, or has turned out not to have changed since an earlier link.
  case servicesKnown(PeerID, [BluetoothUUID])
  /// The link is gone, or on its way out.
  case disconnected(PeerID)
}

// For radios that are asked for what only one owner does.
extension CentralRadio {
  /// Tells nothing.
  public func observePeers(_ observer: @escaping @Sendable (PeerEvent) -> Void) -> RadioObservation {
    RadioObservation(rawValue: 0)
  }

  /// `false`.
  public var hasExtendedAdvertising: Bool { false }
}
