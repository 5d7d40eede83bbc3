import BluetoothTypes
import RadioPort

/// A channel of one of the links.
struct HostedChannel: Sendable {
  let link: LinkID
  let psm: L2CAPPSM
}

/// A PSM on which peers may open channels.
struct ChannelListener: Sendable {
  let id: ChannelListenerID
  let psm: L2CAPPSM
  let publication: ChannelPublication
}

/// A peer's wish for a channel of which the owner is asked.
struct ChannelWish: Sendable {
  let id: InterceptID
  let link: LinkID
  let identifier: UInt8
  let request: L2CAPLECreditBasedConnectionRequest
}

// Credit-based channels.

extension Host {
  // MARK: Listening

  /// Publishes a PSM on all links.
  ///
  /// - Throws: `.invalidArgument` for a PSM out of range, `.busy` if it is taken or all are, and what is due while the
  ///   host is off.
  package mutating func publishChannel(
    _ publication: ChannelPublication
  ) throws(RadioFailure) -> (id: ChannelListenerID, psm: L2CAPPSM) {
    guard phase == .on else { throw offFailure }
    let psm = try freePSM(publication.psm)
    let id = ChannelListenerID(rawValue: nextNumber())
    channelListeners.append(ChannelListener(id: id, psm: psm, publication: publication))
    return (id, psm)
  }

  private func freePSM(_ wished: L2CAPPSM?) throws(RadioFailure) -> L2CAPPSM {
    let used = Set(channelListeners.map(\.psm))
    guard let wished else {
      let free = L2CAPPSM.dynamicRange.lazy.map { L2CAPPSM(rawValue: $0) }.first { !used.contains($0) }
      guard let free else {
        throw RadioFailure(.busy, reason: "all 128 dynamic PSMs are published: unpublish one first")
      }
      return free
    }
    guard wished.isValid else {
      throw RadioFailure(.invalidArgument, reason: "\(wished) can not be published: take one from 0x0001 to 0x00FF")
    }
    guard !used.contains(wished) else {
      throw RadioFailure(.busy, reason: "\(wished) is published already: unpublish it first, or take another")
    }
    return wished
  }

  /// Listens no more; channels that are open stay.
  package mutating func unpublishChannel(_ listener: ChannelListenerID) {
    channelListeners.removeAll { $0.id == listener }
  }

  mutating func channelRequested(_ request: L2CAPLECreditBasedConnectionRequest, _ identifier: UInt8, _ index: Int) {
    guard links[index].isOpen else { return }
    guard configuration.interceptsRequests else { return answer(request, identifier, index) }
    let id = InterceptID(rawValue: nextNumber())
    let link = links[index].id
    channelWishes.append(ChannelWish(id: id, link: link, identifier: identifier, request: request))
    emit(.channelWished(id, link, L2CAPPSM(rawValue: request.spsm)))
  }

  /// Says what becomes of a wish for a channel. A word that comes when the link is gone does nothing.
  package mutating func resolve(channel id: InterceptID, _ interception: ChannelInterception, now: RadioInstant) {
    guard let place = channelWishes.firstIndex(where: { $0.id == id }) else { return }
    let wish = channelWishes.remove(at: place)
    guard let index = openIndex(of: wish.link) else { return }
    switch interception {
    case .serve: answer(wish.request, wish.identifier, index)
    case .refuse(let result): links[index].link.refuse(channel: wish.identifier, result)
    case .ignore: break
    }
    settle(now)
  }

  private mutating func answer(
    _ request: L2CAPLECreditBasedConnectionRequest,
    _ identifier: UInt8,
    _ index: Int
  ) {
    let psm = L2CAPPSM(rawValue: request.spsm)
    guard let listener = channelListeners.first(where: { $0.psm == psm }) else {
      return links[index].link.refuse(channel: identifier, .spsmNotSupported)
    }
    if listener.publication.requiresEncryption, let refusal = links[index].security.refusalOfChannel {
      return links[index].link.refuse(channel: identifier, refusal)
    }
    let id = ChannelID(rawValue: nextNumber())
    let options = listener.publication.options
    guard let limits = links[index].link.accept(request, identifier: identifier, as: id, options) else {
      return report(.peer, "\(links[index].address) asked for a channel to \(psm) that can not be; it was told why")
    }
    let channel = HostedChannel(link: links[index].id, psm: psm)
    channels[id] = channel
    beginServing(index)
    emit(.channelArrived(id, listener.id, channel.info(limits)))
  }

  // MARK: Opening and closing

  /// Asks the peer for a channel; `.channelOpened` tells how that ended.
  package mutating func openChannel(
    to psm: L2CAPPSM,
    on link: LinkID,
    options: ChannelOptions = ChannelOptions(),
    now: RadioInstant
  ) -> ChannelID {
    let id = ChannelID(rawValue: nextNumber())
    guard let index = openIndex(of: link) else {
      emit(.channelOpened(id, .failure(goneFailure)))
      return id
    }
    guard psm.isValid else {
      let reason = "\(psm) is no channel of a Low Energy link, whose PSMs go from 0x0001 to 0x00FF"
      emit(.channelOpened(id, .failure(RadioFailure(.invalidArgument, reason: reason))))
      return id
    }
    channels[id] = HostedChannel(link: link, psm: psm)
    links[index].link.openChannel(id, to: psm, options, now: now)
    settle(now)
    return id
  }

  /// Closes a channel, or gives up one that is being opened; `.channelReleased` comes once for each call.
  package mutating func closeChannel(_ id: ChannelID, _ closing: ChannelClosing, now: RadioInstant) {
    guard let channel = channels[id], let index = openIndex(of: channel.link) else {
      channels[id] = nil
      return emit(.channelReleased(id))
    }
    links[index].link.close(id, closing, now: now)
    settle(now)
  }

  // MARK: Data

  /// Sends an SDU; `false` if there is no room, and then `.channelRoom` tells when.
  ///
  /// - Throws: `.tooLong`, and `.notConnected` for a channel that is not open.
  package mutating func send(_ sdu: [UInt8], on id: ChannelID, now: RadioInstant) throws(RadioFailure) -> Bool {
    guard let channel = channels[id], let index = openIndex(of: channel.link) else {
      guard phase == .on else { throw offFailure }
      throw RadioFailure(.notConnected, reason: "the channel is gone: open another one")
    }
    let isTaken = try links[index].link.send(sdu, on: id)
    if isTaken { settle(now) }
    return isTaken
  }

  /// The owner has so many SDUs of a channel: the peer may send as much again.
  package mutating func consumed(_ count: Int, on id: ChannelID, now: RadioInstant) {
    guard let channel = channels[id], let index = openIndex(of: channel.link) else { return }
    links[index].link.consumed(count, on: id)
    settle(now)
  }

  // MARK: What the links tell

  mutating func take(_ news: ChannelNews, of id: ChannelID) {
    guard let channel = channels[id] else { return }
    switch news {
    case .opened(.success(let limits)): emit(.channelOpened(id, .success(channel.info(limits))))
    case .opened(.failure(let failure)):
      channels[id] = nil
      emit(.channelOpened(id, .failure(failure)))
    case .received(let sdu): emit(.channelReceived(id, sdu))
    case .room: emit(.channelRoom(id))
    case .ended(let failure):
      channels[id] = nil
      emit(.channelEnded(id, failure))
    case .released:
      channels[id] = nil
      emit(.channelReleased(id))
    }
  }
}

extension HostedChannel {
  func info(_ limits: ChannelLimits) -> ChannelInfo {
    ChannelInfo(psm: psm, link: link, sendLimit: limits.send, receiveLimit: limits.receive)
  }
}
