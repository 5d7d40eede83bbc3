/// The way from a host to one controller: a socket, a serial line, or a virtual controller in the same process.
///
/// All calls in both directions happen on the executor of the radio that uses the channel.
public protocol HCIChannel: AnyObject, Sendable {
  /// Opens the channel. Everything that arrives goes to `receive` in order, one whole packet a call.
  /// `closed` is called once, with the reason in words, when the channel can no longer be used, whether it never opened
  /// or broke later; nothing arrives after that. After it, `open` may be called again.
  func open(
    receive: @escaping @Sendable (HCIPacket) -> Void,
    closed: @escaping @Sendable (HCIChannelFailure) -> Void
  )

  /// Sends one packet; dropped if the channel is not open.
  func send(_ packet: HCIPacket)

  /// Closes the channel; `closed` is not called.
  func close()
}

/// Why a channel to a controller can not be used.
public struct HCIChannelFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Whether the other end is absent, gone, or talks nonsense.
  public enum Kind: Hashable, Sendable {
    /// Nobody listens there, the device file is missing, or access is denied.
    case unreachable
    /// The other end closed the channel, or the adapter was switched off.
    case closed
    /// What arrives is not HCI.
    case garbled
    /// What the controller was a part of is over; no channel to it opens any more.
    case ended
  }

  /// What happened.
  public let kind: Kind
  /// What was tried, on what, and why it failed.
  public let reason: String

  /// Makes a failure.
  public init(_ kind: Kind, reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// The reason.
  public var description: String { reason }
}
