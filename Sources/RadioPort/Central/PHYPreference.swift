/// On which physical layers the packets of a link are to be sent; the radios of both ends choose among those that both
/// want (Core 5.4, Vol 4, Part E, 7.8.49).
public struct PHYPreference: Hashable, Sendable {
  /// For the packets from here to the peer; empty for no preference.
  public var transmit: Set<RadioPHY>
  /// For the packets from the peer; empty for no preference.
  public var receive: Set<RadioPHY>

  /// A preference for each direction.
  public init(transmit: Set<RadioPHY>, receive: Set<RadioPHY>) {
    self.transmit = transmit
    self.receive = receive
  }

  /// The same preference for both directions.
  public init(_ phys: Set<RadioPHY>) { self.init(transmit: phys, receive: phys) }
}

extension PHYPreference: CustomStringConvertible {
  /// The PHYs of each direction: `transmit le2M, receive le1M or le2M`.
  public var description: String { "transmit \(Self.names(transmit)), receive \(Self.names(receive))" }

  /// PHYs in the order of their numbers.
  static func names(_ phys: Set<RadioPHY>) -> String {
    if phys.isEmpty { return "any" }
    return phys.sorted { $0.rawValue < $1.rawValue }.map { "\($0)" }.joined(separator: " or ")
  }
}
