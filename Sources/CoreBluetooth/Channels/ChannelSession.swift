import BluetoothTypes
import RadioPort

/// What stands behind a ``CBL2CAPChannel``, on the radio's executor: moves bytes between the radio and the streams.
actor ChannelSession {
  /// How long the peer has to take what was written when the channel is closed here.
  private static let patience = Duration.seconds(5)

  nonisolated let radio: RadioAccess
  /// What the streams use.
  nonisolated let pipe: ChannelPipe
  private var channel: ChannelID?
  private var isOpen = false
  private var waitsForRoom = false
  private var isClosing = false
  /// The radio was told to close it when all is sent.
  private var isFinishing = false
  /// The radio was told to close it.
  private var isClosed = false
  private var timer: RadioTimer?
  /// How it has ended; told to the input when all that came before was received.
  private var ending: ChannelPipe.Ending?

  nonisolated var unownedExecutor: UnownedSerialExecutor { radio.executor.asUnownedSerialExecutor() }

  init(radio: RadioAccess, delivery: Delivery) {
    self.radio = radio
    let session = LateReference<ChannelSession>()
    pipe = ChannelPipe(delivery) { wish in
      session.object?.perform { session in
        switch wish {
        case .receive: session.receive()
        case .send: session.send()
        case .close: session.close()
        }
      }
    }
    session.set(self)
  }

  /// One that opened when nobody wanted it any more.
  deinit {
    guard let channel, !isClosed else { return }
    let radio = radio
    radio.executor.submit { radio.enter { $0.closeChannel(channel, .now, completion: {}) } }
  }

  /// Does something here, after all that was said before.
  nonisolated func perform(_ work: @escaping @Sendable (isolated ChannelSession) -> Void) {
    radio.executor.submit { self.assumeIsolated { work($0) } }
  }

  // MARK: The beginning

  /// - Parameter completion: Called once.
  func open(
    to psm: L2CAPPSM,
    on link: LinkID,
    completion: @escaping @Sendable (Result<ChannelSession, RadioFailure>) -> Void
  ) {
    let channel = radio.enter { radio in
      radio.openChannel(
        to: psm,
        on: link,
        options: ChannelOptions(),
        events: { [weak self] event in self?.assumeIsolated { $0.happened(event) } },
        completion: { [self] result in
          if case .success(let info) = result { assumeIsolated { $0.opened(info) } }
          completion(result.map { _ in self })
        }
      )
    }
    named(channel)
  }

  /// A peer has opened it.
  func accept(_ channel: ChannelID, _ info: ChannelInfo) -> @Sendable (ChannelEvent) -> Void {
    opened(info)
    named(channel)
    return { [weak self] event in self?.assumeIsolated { $0.happened(event) } }
  }

  private func opened(_ info: ChannelInfo) {
    isOpen = true
    pipe.opened(sendLimit: info.sendLimit)
    receive()
  }

  /// The radio may tell that it is open before it gives its name.
  private func named(_ channel: ChannelID) {
    self.channel = channel
    if isClosing { return finishClosing() }
    receive()
    send()
  }

  // MARK: In between

  private func happened(_ event: ChannelEvent) {
    switch event {
    case .readyToReceive: receive()
    case .readyToSend:
      waitsForRoom = false
      send()
    case .ended(let failure):
      let ending: ChannelPipe.Ending = failure.map { .failed($0) } ?? .byPeer
      self.ending = ending
      pipe.sendingEnded(ending)
      if isClosing { closeNow() } else { receive() }
    }
  }

  private func receive() {
    guard let channel, isOpen, !isClosed else { return }
    while pipe.takesMore {
      guard let sdu = radio.enter({ $0.receive(on: channel) }) else {
        if let ending {
          pipe.receivingEnded(ending)
          closeNow()
        }
        return
      }
      pipe.received(sdu)
    }
  }

  private func send() {
    guard let channel, isOpen, !isClosed, !waitsForRoom else { return }
    while let part = pipe.nextToSend {
      let outcome = radio.enter { radio in
        Result { () throws(RadioFailure) in try radio.send(part, on: channel) }
      }
      switch outcome {
      case .success(.taken): pipe.sent()
      case .success(.full):
        waitsForRoom = true
        return
      case .failure(let failure):
        // Its end comes as an event.
        if failure.kind != .notConnected { Misuse.warn("bytes could not be sent on the channel: \(failure)") }
        return
      }
    }
    if isClosing { finishClosing() }
  }

  // MARK: The end

  /// Nobody wants it any more: closes it when what was written has gone, or after a while.
  func close() {
    guard !isClosing, !isClosed else { return }
    isClosing = true
    let executor = radio.executor
    timer = executor.schedule(at: executor.now.advanced(by: Self.patience)) { [self] in
      assumeIsolated { $0.closeNow() }
    }
    pipe.receivingEnded(.here)
    if ending != nil { return closeNow() }
    send()
  }

  /// What was written is with the radio.
  private func finishClosing() {
    guard let channel, !isFinishing, !isClosed else { return }
    isFinishing = true
    pipe.sendingEnded(.here)
    radio.enter { radio in
      radio.closeChannel(channel, .afterSending) { [weak self] in self?.assumeIsolated { $0.closeNow() } }
    }
  }

  /// The link is not wanted any more.
  func linkReleased() {
    pipe.sendingEnded(.here)
    pipe.receivingEnded(.here)
    closeNow()
  }

  private func closeNow() {
    if let timer { radio.executor.cancel(timer) }
    timer = nil
    guard !isClosed else { return }
    isClosed = true
    pipe.sendingEnded(.here)
    if let channel { radio.enter { $0.closeChannel(channel, .now, completion: {}) } }
  }
}
