import BluetoothTypes
import CoreBluetooth
import RadioPort

// L2CAP channels, over the streams of the framework.

/// The wish for a channel that is not open yet. The framework's answer does not name the wish, so that a device has one
/// at a time with the framework and the others wait.
struct ChannelOpening {
  let id: ChannelID
  let psm: L2CAPPSM
  let events: @Sendable (ChannelEvent) -> Void
  /// Gone if it was given up; the framework can not be told so.
  var completion: (@Sendable (Result<ChannelInfo, RadioFailure>) -> Void)?
}

extension CoreBluetoothRadio {
  package func openChannel(
    to psm: L2CAPPSM,
    on link: LinkID,
    options: ChannelOptions,
    events: @escaping @Sendable (ChannelEvent) -> Void,
    completion: @escaping @Sendable (Result<ChannelInfo, RadioFailure>) -> Void
  ) -> ChannelID {
    let id = ChannelID(rawValue: next())
    guard let device = devices[link.peer], device.link == link, offFailure == nil else {
      completion(.failure(offFailure ?? obstacle(toChannelOn: link)))
      return id
    }
    guard psm.isValid else {
      completion(
        .failure(RadioFailure(.invalidArgument, reason: "\(psm) can not be opened: it is from 0x0001 to 0x00FF"))
      )
      return id
    }
    device.openings.append(ChannelOpening(id: id, psm: psm, events: events, completion: completion))
    if device.openings.count == 1 { device.peripheral?.openL2CAPChannel(psm.rawValue) }
    return id
  }

  private func obstacle(toChannelOn link: LinkID) -> RadioFailure {
    guard servedMTU(of: link) != nil else {
      return RadioFailure(.notConnected, reason: "the link is gone: connect again")
    }
    return RadioFailure(
      .unsupported,
      reason: "this system opens channels only to devices that it has connected to: let the central open the channel"
    )
  }

  /// The framework has answered the oldest wish of a device.
  func channelAnswered(_ device: Device, _ channel: CBL2CAPChannel?, _ error: (any Error)?) {
    guard let link = device.link, !device.openings.isEmpty else {
      // It comes too late, as the link has ended meanwhile.
      return channel?.closeStreams() ?? ()
    }
    let opening = device.openings.removeFirst()
    if let following = device.openings.first { device.peripheral?.openL2CAPChannel(following.psm.rawValue) }
    guard let completion = opening.completion else { return channel?.closeStreams() ?? () }
    guard let channel, error == nil else { return completion(.failure(RadioFailure(opening: opening.psm, error))) }
    let open = add(channel, as: opening.id, psm: opening.psm, on: link)
    open.events = opening.events
    completion(.success(open.info))
    open.begin(on: queue)
  }

  func add(
    _ channel: CBL2CAPChannel,
    as id: ChannelID,
    psm: L2CAPPSM,
    on link: LinkID
  ) -> FrameworkChannel {
    let limit = FrameworkChannel.pieceLimit
    let info = ChannelInfo(psm: psm, link: link, sendLimit: limit, receiveLimit: limit, keepsBoundaries: false)
    let delegate = ChannelStreamEvents(self, id)
    let open = FrameworkChannel(id, info, channel, delegate, executor: executor)
    channels[id] = open
    return open
  }

  /// All channels of a link end with it.
  func endChannels(on link: LinkID, _ failure: RadioFailure) {
    let ended = channels.values.filter { $0.info.link == link }.sorted { $0.id.rawValue < $1.id.rawValue }
    for channel in ended { channel.linkEnded(failure) }
  }

  func streamHappened(_ event: Stream.Event, isInput: Bool, on id: ChannelID) {
    guard let channel = channels[id] else { return }
    channel.happened(event, isInput: isInput)
    if channel.hasEnded { channelClosed(on: channel.info.link) }
  }

  func channelEnded(_ id: ChannelID) {
    guard let channel = channels[id] else { return }
    channel.end()
    channelClosed(on: channel.info.link)
  }

  // MARK: Open channels

  package func send(_ sdu: [UInt8], on channel: ChannelID) throws(RadioFailure) -> ChannelSendOutcome {
    guard let channel = channels[channel] else { throw FrameworkChannel.gone }
    return try channel.send(sdu)
  }

  package func receive(on channel: ChannelID) -> [UInt8]? { channels[channel]?.receive() }

  package func closeChannel(
    _ channel: ChannelID,
    _ closing: ChannelClosing,
    completion: @escaping @Sendable () -> Void
  ) {
    for device in devices.values {
      // The first is with the framework, which can not be told.
      if device.openings.first?.id == channel { device.openings[0].completion = nil }
      device.openings.removeAll { $0.id == channel && $0.completion != nil }
    }
    guard let open = channels[channel] else { return completion() }
    let link = open.info.link
    open.close(closing) { [weak self] in
      self?.assumeIsolated { radio in
        radio.channels[channel] = nil
        radio.channelClosed(on: link)
      }
      completion()
    }
  }
}

extension RadioFailure {
  /// What the framework tells as ATT errors.
  private static let results: [ATTErrorCode: L2CAPConnectionResult] = [
    .insufficientAuthentication: .insufficientAuthentication,
    .insufficientAuthorization: .insufficientAuthorization,
    .encryptionKeySizeTooShort: .encryptionKeySizeTooShort,
    .insufficientEncryption: .insufficientEncryption,
  ]

  /// Why the framework has not opened a channel. What it says of an unknown PSM is not documented, so that whatever is
  /// not told to be something else is taken for a refusal.
  fileprivate init(opening psm: L2CAPPSM, _ error: (any Error)?) {
    let what = "the channel to \(psm) could not be opened"
    let failure = RadioFailure(error, otherwise: .refused, what)
    let result: L2CAPConnectionResult
    switch (failure.kind, failure.underlying) {
    case (.att, .att(let code, _)):
      guard let told = Self.results[code] else {
        self.init(.refused, underlying: failure.underlying, reason: failure.reason)
        return
      }
      result = told
    case (.busy, _): result = .noResources
    // The PSM is all that there is to be wrong with the wish.
    case (.invalidArgument, _): result = .spsmNotSupported
    default:
      self = failure
      return
    }
    self.init(.refused, underlying: .channel(result), reason: "the peer refused: \(result) (\(failure.reason))")
  }
}
