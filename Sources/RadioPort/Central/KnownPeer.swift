import BluetoothTypes

/// A device that a radio knows without a scan.
public struct KnownPeer: Hashable, Sendable {
  /// What names it.
  public var peer: PeerID
  /// What it calls itself, if the radio remembers that.
  public var name: String?

  /// A device, with its name if that is remembered.
  public init(_ peer: PeerID, name: String? = nil) {
    self.peer = peer
    self.name = name
  }
}
