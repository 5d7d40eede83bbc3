import BluetoothTypes
import RadioPort
import Synchronization

extension Peripheral {
  /// Opens a channel to what the device publishes on a PSM.
  ///
  /// Any number of channels may be open at the same time. Each holds the connection, as the peripheral does, until it
  /// has ended.
  ///
  /// - Parameters:
  ///   - psm: What the channel is for: a number that the protocol gives, or that the device tells, as with
  ///     ``Characteristic/l2capPSM(in:)``.
  ///   - options: How much the channel is to hold at this end; the defaults suit most protocols.
  /// - Throws: ``BluetoothError`` of the kinds `.refused`, with the device's reason in
  ///   ``BluetoothError/channelResult``; `.invalidArgument` for a PSM out of range; `.unsupported` if radio or device has
  ///   no channels; `.busy` if the connection has no room for another one; `.notConnected`, `.disconnected`,
  ///   `.poweredOff`, `.timedOut`. `CancellationError`: if the device opens the channel in spite of that, it is closed.
  public func openChannel(
    psm: L2CAPPSM,
    options: L2CAPChannel.Options = L2CAPChannel.Options(),
    timeout: Timeout = .default
  ) async throws -> L2CAPChannel {
    try await core.openChannel(psm, options, timeout: timeout)
  }
}

extension PeripheralCore {
  /// A channel that is being opened or open, for the events that come for it.
  private final class OpeningChannel: Sendable {
    // Only used on the executor; a mutex tells the compiler so at little cost.
    private let state = Mutex<(id: ChannelID?, core: WeakCore)>((nil, WeakCore()))

    struct WeakCore { weak var core: ChannelCore? }

    var id: ChannelID? {
      get { state.withLock { $0.id } }
      set { state.withLock { $0.id = newValue } }
    }

    var core: ChannelCore? {
      get { state.withLock { $0.core.core } }
      set { state.withLock { $0.core.core = newValue } }
    }

    func take(_ event: ChannelEvent) { core?.assumeIsolated { $0.take(event) } }
  }

  func openChannel(_ psm: L2CAPPSM, _ options: ChannelOptions, timeout: Timeout) async throws -> L2CAPChannel {
    let limit = timeout.duration(standard: central.configuration.timeouts.openChannel)
    var attempt = attempt(.openChannel, limit: limit)
    attempt.psm = psm
    let deadline = central.deadline(after: limit)
    let link = try await usableLink(for: attempt, deadline: deadline)
    let channels = ChannelAccess(access.radio)
    return try await PendingOperation<L2CAPChannel>.run(
      on: executor,
      deadline: deadline,
      timeout: { [attempt] in attempt.timedOut }
    ) { [attempt] operation in
      guard self.link == link else { return operation.finish(.failure(attempt.error(lastLoss))) }
      let number = nextNumber()
      running[number] = { loss in operation.giveUp(attempt.error(loss)) }
      let opening = OpeningChannel()
      let id = channels.open(psm, on: link, options, events: { opening.take($0) }) { [weak self, executor] result in
        let finish: @Sendable () -> Void = { [weak self] in
          switch result {
          case .success(let info):
            let channel = self?.assumeIsolated { $0.opened(info, opening, psm) }
            guard let channel else { return operation.giveUp(CancellationError()) }
            operation.finish(.success(channel))
          case .failure(let failure): operation.finish(.failure(attempt.error(failure)))
          }
        }
        // Its number is known only when the call has returned.
        if opening.id == nil { executor.submit(finish) } else { finish() }
      }
      opening.id = id
      operation.onEnd { [weak self] givenUp in
        self?.assumeIsolated { $0.running[number] = nil }
        if givenUp != nil { channels.close(id, .now) }
      }
    }
  }

  private func opened(_ info: ChannelInfo, _ opening: OpeningChannel, _ psm: L2CAPPSM) -> L2CAPChannel? {
    guard let id = opening.id else { return nil }
    let context = ChannelContext(
      psm: psm,
      subject: BluetoothError.Subject(id: self.id, name: facts.name),
      language: central.configuration.language,
      sendLimit: central.configuration.timeouts.write
    )
    let number = nextNumber()
    let channel = ChannelCore(ChannelAccess(access.radio), id, info, context, keeper: self) { [weak self] _ in
      self?.assumeIsolated { $0.running[number] = nil }
    }
    opening.core = channel
    running[number] = { [weak channel] loss in channel?.assumeIsolated { $0.end(.lost(loss)) } }
    central.log(.info, .channels, "opened a channel to \(psm) of \(self.id)", "已打开通往 \(self.id) 上 \(psm) 的通道")
    return L2CAPChannel(core: channel)
  }
}
