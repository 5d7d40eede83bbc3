import BluetoothTypes
import RadioPort

/// One link with what the host keeps beside it.
struct HostedLink: Sendable {
  /// The way out of a link that is given up.
  struct Closing: Sendable {
    /// The claims whose release waits for the end.
    var releases: [ClaimID]
    /// When they have waited enough.
    var bound: RadioInstant
  }

  let handle: UInt16
  let address: BluetoothAddress
  var link: HostLink
  /// Who wants the link.
  var claims: [ClaimID] = []
  /// Readings of the strength that are under way.
  var rssi: [RequestID] = []
  var parameters: ConnectionParameters
  var closing: Closing?
  /// The PHYs of the link, and who wants others.
  var phys = LinkPHYs(transmit: .le1M, receive: .le1M)
  var phyWishes = PHYWishes()
  /// Whether a wish for parameters is on its way to the controller.
  var isUpdating = false
  /// The wish that goes next.
  var nextUpdate: ConnectionParameters?
  /// How well the link is protected, and who waits until it is encrypted.
  var security = LinkSecurity.open
  var encryptions: [RequestID] = []
  /// How many PDUs of the server the controller has yet to take.
  var serverFrames = 0
  /// Whether it was told that the link is there.
  var isAnnounced = false
  /// The peer's services as they were told last.
  var announcedServices: [BluetoothUUID]?
  /// Whether the peer counts as one of the server's centrals.
  var isServed = false
  /// Whether a notification was refused for want of room.
  var wantsRoom = false

  var id: LinkID { link.id }
  var isOpen: Bool { closing == nil }
}

/// One owner's wish for a link.
struct Claim: Sendable {
  let id: ClaimID
  let address: BluetoothAddress
  /// The link's handle, once it is there.
  var handle: UInt16?
}

/// Scanning and connecting in turns, for a controller that can not do both at once.
struct ExclusiveTurns: Sendable {
  static let length = Duration.seconds(3)

  var isConnecting: Bool
  var until: RadioInstant

  init(connectingSince now: RadioInstant) {
    isConnecting = true
    until = now.advanced(by: Self.length)
  }

  /// Gives the turn to who has work, and in the end to the other.
  mutating func update(scans: Bool, connects: Bool, now: RadioInstant) {
    let other = isConnecting ? scans : connects
    let current = isConnecting ? connects : scans
    guard other, !current || until <= now else { return }
    isConnecting.toggle()
    until = now.advanced(by: Self.length)
  }
}
