import BluetoothTypes

/// Names one connection to a device. A later one to the same device has another name, and what belongs to an old one
/// never reaches a new one.
public struct LinkID: Hashable, Sendable {
  /// The device at the other end.
  public let peer: PeerID
  /// Counts the connections of the radio.
  public let generation: UInt64

  /// Names the connection `generation` to `peer`.
  public init(peer: PeerID, generation: UInt64) {
    self.peer = peer
    self.generation = generation
  }
}

/// Names one owner's wish for a link to a device, from the call of `connect` until it is released.
public struct ClaimID: Hashable, Sendable {
  /// Given out by the radio, never twice.
  public let rawValue: UInt64
  /// An identifier from the number that the radio chose.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// How a link is to be made.
///
/// What is out of a radio's range is brought to its edge: intervals lie between 7.5 ms and 4 s, the latency is at most
/// 499, and the supervision timeout lies between 0.1 and 32 s and is made as long as interval and latency demand. Where
/// those demand more than 32 s the connect fails with `.invalidArgument` (Core 5.4, Vol 4, Part E, 7.8.12).
public struct LinkOptions: Hashable, Sendable {
  /// The connection interval that is asked for; the radio may choose another.
  public var interval: ClosedRange<Duration>
  /// How many connection events the peripheral may leave out.
  public var latency: UInt16
  /// After how long without a packet the link counts as lost.
  public var supervisionTimeout: Duration
  /// Where to look for the device: on 1M, on Coded or in turns on both; `nil` for where it was sighted, else on 1M. A
  /// radio without extended advertising has 1M alone.
  public var phys: Set<RadioPHY>?
  /// The PHYs to ask for once the link is there; `nil` to leave it at the one that it began with. Without effect where
  /// the radio has no other.
  public var preferredPHYs: PHYPreference?
  /// What the system tells the user of the link while the program is suspended. Without effect where systems do not
  /// suspend programs, which is everywhere but on Apple's platforms.
  public var alerts: LinkAlerts

  /// By default 15 to 30 ms, no latency, lost after 2 s.
  public init(
    interval: ClosedRange<Duration> = .milliseconds(15) ... .milliseconds(30),
    latency: UInt16 = 0,
    supervisionTimeout: Duration = .seconds(2),
    phys: Set<RadioPHY>? = nil,
    preferredPHYs: PHYPreference? = nil,
    alerts: LinkAlerts = []
  ) {
    self.interval = interval
    self.latency = latency
    self.supervisionTimeout = supervisionTimeout
    self.phys = phys
    self.preferredPHYs = preferredPHYs
    self.alerts = alerts
  }
}

extension LinkOptions: CustomStringConvertible {
  /// All that is asked for: `interval 0.015 seconds to 0.03 seconds, latency 0, supervision timeout 2.0 seconds`.
  public var description: String {
    var parts = [
      "interval \(interval.lowerBound) to \(interval.upperBound)", "latency \(latency)",
      "supervision timeout \(supervisionTimeout)",
    ]
    if let phys { parts.append("found on \(PHYPreference.names(phys))") }
    if let preferredPHYs { parts.append("then \(preferredPHYs)") }
    if !alerts.isEmpty { parts.append("with alerts") }
    return parts.joined(separator: ", ")
  }
}

/// Of what a system tells the user on behalf of a program that is suspended (CoreBluetooth's
/// `CBConnectPeripheralOptionNotifyOn…Key`).
public struct LinkAlerts: OptionSet, Hashable, Sendable {
  /// One bit for each of the alerts.
  public let rawValue: UInt8
  /// Alerts from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The link has come up.
  public static let connection = LinkAlerts(rawValue: 1)
  /// The link has ended.
  public static let disconnection = LinkAlerts(rawValue: 2)
  /// A value was notified or indicated.
  public static let notification = LinkAlerts(rawValue: 4)
}

/// What happens to a link after it came up.
public enum LinkEvent: Hashable, Sendable {
  /// The link is gone; the last event of the link. Who released it is not told in this way.
  case disconnected(RadioFailure)
  /// The longest ATT PDU has changed.
  case mtuChanged(Int)
  /// The connection parameters have changed.
  case parametersChanged(interval: Duration, latency: UInt16, supervisionTimeout: Duration)
  /// The packets of the link are sent on other PHYs from now on.
  case phyChanged(transmit: RadioPHY, receive: RadioPHY)
  /// The longest payload of a packet on the air has changed, in bytes.
  case dataLengthChanged(transmit: Int, receive: Int)
  /// The peer's services in this range of handles are not what they were.
  case servicesChanged(ClosedRange<AttributeHandle>)
}
