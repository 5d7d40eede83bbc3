import BluetoothTypes
import HostStack
import RadioPort

// The channels that clients open.

extension VirtualDevice {
  /// A channel that is open, and what waits on it.
  struct ChannelEntry {
    let channel: Channel
    let open: OpenChannel
    /// What came and was not taken, oldest first.
    var inbox: [[UInt8]] = []
    /// What waits for room, oldest first.
    var outbox: [[UInt8]] = []
    var isReading: Bool
    /// Whether messages are being taken.
    var isTaking = false
    /// Whether it is to be closed when all that waits has gone.
    var isClosing = false
    var timer: RadioTimer?
  }

  // MARK: Publishing

  /// The host is on: publishes what the description says, once for each host.
  func publishChannels() {
    guard channelListeners.isEmpty else { return }
    for channel in description.channels {
      let publication = ChannelPublication(
        psm: channel.psm,
        requiresEncryption: channel.requiresEncryption,
        options: channel.options
      )
      do throws(RadioFailure) { channelListeners[try host.publishChannel(publication).id] = channel } catch {
        problem("a channel is not published: \(error.reason)")
      }
    }
  }

  /// A client wants a channel.
  func channelWished(_ id: InterceptID, _ link: LinkID, _ psm: L2CAPPSM) {
    let now = executor.now
    let met = partnersMet(on: link)
    let fault = world.faultBook.withLock { $0.answer(toChannel: psm, of: channel.controller, on: met, now: now) }
    host.resolve(channel: id, fault ?? .serve, now: now)
  }

  // MARK: What the host tells

  func channelArrived(_ id: ChannelID, _ listener: ChannelListenerID, _ info: ChannelInfo) {
    guard let channel = channelListeners[listener] else { return host.closeChannel(id, .now, now: executor.now) }
    let open = OpenChannel(
      id: id,
      device: self,
      psm: info.psm,
      client: info.link.peer,
      maximumSendLength: info.sendLimit
    )
    channels[id] = ChannelEntry(channel: channel, open: open, isReading: channel.isReading)
    board.withLock { $0.openChannels.append(open) }
    channel.onOpen?(open)
    if let interval = channel.interval { scheduleMessage(id, at: executor.now.advanced(by: interval)) }
  }

  func channelReceived(_ id: ChannelID, _ message: [UInt8]) {
    channels[id]?.inbox.append(message)
    takeMessages(id)
  }

  /// There is room again.
  func channelRoom(_ id: ChannelID) {
    flushChannel(id)
    takeMessages(id)
  }

  func channelEnded(_ id: ChannelID, _ failure: RadioFailure?) {
    // What came before is still taken.
    channels[id]?.outbox = []
    takeMessages(id)
    guard let entry = forget(id) else { return }
    entry.channel.onEnd?(failure, entry.open)
  }

  /// The host goes, and its names of channels with it.
  func endAllChannels(_ failure: RadioFailure) {
    for id in channels.keys.sorted(by: { $0.rawValue < $1.rawValue }) { channelEnded(id, failure) }
  }

  private func forget(_ id: ChannelID) -> ChannelEntry? {
    guard let entry = channels.removeValue(forKey: id) else { return nil }
    if let timer = entry.timer { executor.cancel(timer) }
    board.withLock { $0.openChannels.removeAll { $0.id == id } }
    return entry
  }

  // MARK: Messages

  /// Takes what has come, one after the other, as long as nothing waits to be sent.
  private func takeMessages(_ id: ChannelID) {
    // A handler that sends comes back here.
    guard channels[id]?.isTaking == false else { return }
    channels[id]?.isTaking = true
    while let entry = channels[id], entry.isReading, entry.outbox.isEmpty, !isStalled, !entry.inbox.isEmpty {
      let message = channels[id]?.inbox.removeFirst() ?? []
      host.consumed(1, on: id, now: executor.now)
      board.withLock { $0.messages[entry.open.psm, default: Recent(keeping: Self.messagesKept)].append(message) }
      entry.channel.onMessage?(message, entry.open)
    }
    channels[id]?.isTaking = false
  }

  /// Whether a fault keeps the device from taking anything.
  private var isStalled: Bool {
    let controller = channel.controller
    return world.faultBook.withLock { $0.stallsChannels(of: controller) }
  }

  /// Takes what has come on all channels, as a fault may have ended.
  func takeAllMessages() {
    for id in channels.keys.sorted(by: { $0.rawValue < $1.rawValue }) { takeMessages(id) }
    deliver()
  }

  func send(_ messages: [[UInt8]], on id: ChannelID) {
    channels[id]?.outbox += messages
    flushChannel(id)
    deliver()
  }

  private func flushChannel(_ id: ChannelID) {
    while let message = channels[id]?.outbox.first {
      do throws(RadioFailure) {
        guard try host.send(message, on: id, now: executor.now) else { return }
      } catch {
        problem("a message was not sent: \(error.reason)")
      }
      channels[id]?.outbox.removeFirst()
    }
    if channels[id]?.isClosing == true { closeChannel(id, .afterSending) }
  }

  private func scheduleMessage(_ id: ChannelID, at due: RadioInstant) {
    channels[id]?.timer = executor.schedule(at: due) { [weak self] in
      self?.assumeIsolated { $0.messageDue(id, due) }
    }
  }

  private func messageDue(_ id: ChannelID, _ due: RadioInstant) {
    guard let entry = channels[id], let interval = entry.channel.interval else { return }
    if entry.outbox.isEmpty, let message = entry.channel.next?(entry.open) { send([message], on: id) }
    // One of no length would never let time go on.
    if channels[id] != nil { scheduleMessage(id, at: due.advanced(by: max(interval, .microseconds(100)))) }
  }

  // MARK: What handlers ask for

  func setReading(_ isReading: Bool, on id: ChannelID) {
    channels[id]?.isReading = isReading
    takeMessages(id)
    deliver()
  }

  func closeChannel(_ id: ChannelID, _ closing: ChannelClosing) {
    guard let entry = channels[id] else { return }
    guard closing == .now || entry.outbox.isEmpty else {
      // What waits here goes first.
      channels[id]?.isClosing = true
      return
    }
    _ = forget(id)
    host.closeChannel(id, closing, now: executor.now)
    deliver()
  }

  func closeAllChannels() {
    for id in channels.keys.sorted(by: { $0.rawValue < $1.rawValue }) { closeChannel(id, .now) }
  }
}
