import BluetoothTypes

/// What a radio can do with credit-based L2CAP channels (Core 5.4, Vol 3, Part A, 3.4 and 10.1): streams of SDUs beside
/// the attributes, with flow control in both directions.
///
/// The rules are those of ``CentralRadio`` and ``PeripheralRadio``. Besides:
/// - A channel is open to either end of a link, whichever made the link, and ends with it. It is no claim on the link:
///   who opens a channel keeps the claim for as long.
/// - Flow control reaches from the owner at one end to the owner at the other: an SDU that was not received from the
///   radio keeps its place, and when all places are taken the peer stops to send.
/// - Each channel is closed by its owner, also one that has ended by itself. Until then it keeps what can be received.
/// - Channels and PSMs of owners that are gone are nobody's: their calls do nothing.
/// - A radio without channels answers each wish with `.unsupported`; that is what the methods do where a radio does not
///   have its own.
public protocol ChannelRadio: BasicRadio {
  /// Opens a channel to what listens on `psm` at the peer.
  ///
  /// - Parameters:
  ///   - events: Called for everything that happens to the channel after `completion` had it.
  ///   - completion: Called once with what was opened, or with the failure: `.refused` with the peer's reason
  ///     underneath, `.invalidArgument` for a PSM out of range, `.busy` if the link has no room for another channel,
  ///     `.timedOut` if the peer does not answer, `.notConnected`, `.disconnected`, `.poweredOff`. After `closeChannel`
  ///     it is not called any more. It is not to be closed if it was not opened, but that does no harm.
  func openChannel(
    to psm: L2CAPPSM,
    on link: LinkID,
    options: ChannelOptions,
    events: @escaping @Sendable (ChannelEvent) -> Void,
    completion: @escaping @Sendable (Result<ChannelInfo, RadioFailure>) -> Void
  ) -> ChannelID

  /// Listens on a PSM, on all links of the radio. It stays published when the radio goes off and comes back.
  ///
  /// - Parameters:
  ///   - incoming: Called for each channel that a peer has opened, with what it is; gives back who is told of all that
  ///     happens to it.
  ///   - completion: Called once with the PSM, or with the failure: `.invalidArgument` for a PSM out of range, `.busy`
  ///     if it is in use or all are, `.poweredOff`.
  func publishChannel(
    _ publication: ChannelPublication,
    incoming: @escaping @Sendable (ChannelID, ChannelInfo) -> @Sendable (ChannelEvent) -> Void,
    completion: @escaping @Sendable (Result<L2CAPPSM, RadioFailure>) -> Void
  ) -> ChannelListenerID

  /// Listens no more. Channels that are open stay.
  func unpublishChannel(_ listener: ChannelListenerID)

  /// Sends an SDU, or takes nothing if there is no room. Check and send are one step: where it says `.full`,
  /// `readyToSend` will come, once.
  ///
  /// - Throws: `.tooLong` for more than the channel's `sendLimit`, `.notConnected` for a channel that has ended or is
  ///   closed, or is not open yet.
  func send(_ sdu: [UInt8], on channel: ChannelID) throws(RadioFailure) -> ChannelSendOutcome

  /// Takes the oldest SDU that has come, and lets the peer send as much again. `nil` if there is none: then
  /// `readyToReceive` or `ended` will come. Check and wait are one step.
  func receive(on channel: ChannelID) -> [UInt8]?

  /// Closes a channel, or gives up one that is being opened; one that the peer opens in spite of that is closed. None of
  /// its events comes any more, and what was not received is dropped.
  ///
  /// - Parameter completion: Called once: when the peer has agreed, the link is gone, or the radio's own bound has
  ///   passed; for `.afterSending`, which has no bound, when the wait is ended.
  func closeChannel(_ channel: ChannelID, _ closing: ChannelClosing, completion: @escaping @Sendable () -> Void)
}

// Radios without channels.
extension ChannelRadio {
  private var noChannels: RadioFailure {
    RadioFailure(.unsupported, reason: "this radio has no L2CAP channels: use characteristics, or another radio")
  }

  /// Fails with `.unsupported`.
  public func openChannel(
    to psm: L2CAPPSM,
    on link: LinkID,
    options: ChannelOptions,
    events: @escaping @Sendable (ChannelEvent) -> Void,
    completion: @escaping @Sendable (Result<ChannelInfo, RadioFailure>) -> Void
  ) -> ChannelID {
    completion(.failure(noChannels))
    return ChannelID(rawValue: 0)
  }

  /// Fails with `.unsupported`.
  public func publishChannel(
    _ publication: ChannelPublication,
    incoming: @escaping @Sendable (ChannelID, ChannelInfo) -> @Sendable (ChannelEvent) -> Void,
    completion: @escaping @Sendable (Result<L2CAPPSM, RadioFailure>) -> Void
  ) -> ChannelListenerID {
    completion(.failure(noChannels))
    return ChannelListenerID(rawValue: 0)
  }

  /// Does nothing.
  public func unpublishChannel(_ listener: ChannelListenerID) {}

  /// Throws `.unsupported`.
  public func send(_ sdu: [UInt8], on channel: ChannelID) throws(RadioFailure) -> ChannelSendOutcome {
    throw noChannels
  }

  /// Has nothing.
  public func receive(on channel: ChannelID) -> [UInt8]? { nil }

  /// Calls `completion`.
  public func closeChannel(
    _ channel: ChannelID,
    _ closing: ChannelClosing,
    completion: @escaping @Sendable () -> Void
  ) { completion() }
}
