import BluetoothTypes
import RadioPort

// The port's methods for L2CAP channels, and what the host tells of them.

extension HostRadio {
  /// What the radio keeps for channels.
  struct Channels: Sendable {
    /// A channel of an owner.
    struct Entry: Sendable {
      let events: @Sendable (ChannelEvent) -> Void
      /// Who waits for it to be open; gone once it was called.
      var completion: (@Sendable (Result<ChannelInfo, RadioFailure>) -> Void)?
      /// What came and was not received.
      var inbox = FIFO<[UInt8]>()
      /// Whether the owner is to be told of the next SDU.
      var isIdle = true
      /// How it ended, if it did by itself.
      var hasEnded = false
    }

    typealias Incoming = @Sendable (ChannelID, ChannelInfo) -> @Sendable (ChannelEvent) -> Void

    var open: [ChannelID: Entry] = [:]
    var listeners: [ChannelListenerID: Incoming] = [:]
    /// Who waits for the end of a channel.
    var closings: [ChannelID: [@Sendable () -> Void]] = [:]
  }

  private var now: RadioInstant { executor.now }

  // MARK: The port

  /// Opens a channel; see ``ChannelRadio``.
  public func openChannel(
    to psm: L2CAPPSM,
    on link: LinkID,
    options: ChannelOptions,
    events: @escaping @Sendable (ChannelEvent) -> Void,
    completion: @escaping @Sendable (Result<ChannelInfo, RadioFailure>) -> Void
  ) -> ChannelID {
    let id = host.openChannel(to: psm, on: link, options: options, now: now)
    channels.open[id] = Channels.Entry(events: events, completion: completion)
    deliver()
    return id
  }

  /// Listens on a PSM; see ``ChannelRadio``.
  public func publishChannel(
    _ publication: ChannelPublication,
    incoming: @escaping @Sendable (ChannelID, ChannelInfo) -> @Sendable (ChannelEvent) -> Void,
    completion: @escaping @Sendable (Result<L2CAPPSM, RadioFailure>) -> Void
  ) -> ChannelListenerID {
    do throws(RadioFailure) {
      let (id, psm) = try host.publishChannel(publication)
      channels.listeners[id] = incoming
      completion(.success(psm))
      return id
    } catch {
      completion(.failure(error))
      // A number that names nothing.
      return ChannelListenerID(rawValue: 0)
    }
  }

  /// Listens no more. Channels that are open stay.
  public func unpublishChannel(_ listener: ChannelListenerID) {
    channels.listeners[listener] = nil
    host.unpublishChannel(listener)
  }

  /// Sends an SDU, or takes nothing if there is no room; see ``ChannelRadio``.
  public func send(_ sdu: [UInt8], on channel: ChannelID) throws(RadioFailure) -> ChannelSendOutcome {
    let isTaken = try host.send(sdu, on: channel, now: now)
    deliver()
    return isTaken ? .taken : .full
  }

  /// Takes the oldest SDU that has come; see ``ChannelRadio``.
  public func receive(on channel: ChannelID) -> [UInt8]? {
    guard let sdu = channels.open[channel]?.inbox.popFirst() else {
      channels.open[channel]?.isIdle = true
      return nil
    }
    host.consumed(1, on: channel, now: now)
    deliver()
    return sdu
  }

  /// Closes a channel, or gives up one that is being opened; see ``ChannelRadio``.
  public func closeChannel(
    _ channel: ChannelID,
    _ closing: ChannelClosing,
    completion: @escaping @Sendable () -> Void
  ) {
    channels.open[channel] = nil
    channels.closings[channel, default: []].append(completion)
    host.closeChannel(channel, closing, now: now)
    deliver()
  }

  // MARK: What the host tells

  func channelOpened(_ id: ChannelID, _ result: Result<ChannelInfo, RadioFailure>) {
    guard let completion = channels.open[id]?.completion else { return }
    switch result {
    case .success: channels.open[id]?.completion = nil
    case .failure: channels.open[id] = nil
    }
    completion(result)
  }

  func channelArrived(_ id: ChannelID, _ listener: ChannelListenerID, _ info: ChannelInfo) {
    guard let incoming = channels.listeners[listener] else {
      // It was unpublished while the channel was on its way here.
      return host.closeChannel(id, .now, now: now)
    }
    channels.open[id] = Channels.Entry(events: { _ in })
    let events = incoming(id, info)
    // Who was told may have closed it.
    guard channels.open[id] != nil else { return }
    channels.open[id] = Channels.Entry(events: events)
  }

  func channelReceived(_ id: ChannelID, _ sdu: [UInt8]) {
    guard channels.open[id] != nil else { return }
    channels.open[id]?.inbox.append(sdu)
    guard channels.open[id]?.isIdle == true else { return }
    channels.open[id]?.isIdle = false
    channels.open[id]?.events(.readyToReceive)
  }

  func channelEnded(_ id: ChannelID, _ failure: RadioFailure?) {
    guard let entry = channels.open[id], !entry.hasEnded else { return }
    channels.open[id]?.hasEnded = true
    entry.events(.ended(failure))
  }

  func channelReleased(_ id: ChannelID) {
    for completion in channels.closings.removeValue(forKey: id) ?? [] { completion() }
  }
}
