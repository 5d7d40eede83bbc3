import BluetoothTypes
import RadioPort

// Channels that others open.

extension ServerCore {
  typealias ChannelHandler = @Sendable (L2CAPChannel) async throws -> Void

  /// A PSM that is published, or about to be.
  struct Publication {
    let handler: ChannelHandler
    var listener: ChannelListenerID?
    /// Known once it is published.
    var psm: L2CAPPSM?
  }

  /// A channel and its handler.
  struct ServedChannel {
    let core: ChannelCore
    var task: Task<Void, Never>?
  }

  nonisolated var channelAccess: ChannelAccess { ChannelAccess(access.radio) }

  // MARK: Publishing

  func publishChannel(_ publication: ChannelPublication, _ handler: @escaping ChannelHandler) async throws -> L2CAPPSM {
    guard phase == .running || phase == .suspended else {
      throw error(.stopped, .publishChannel, about: publication.psm)
    }
    let start = generation
    let number = nextNumber()
    do {
      let psm = try await PendingOperation<L2CAPPSM>.run(
        on: executor,
        deadline: nil,
        timeout: { CancellationError() }
      ) { pending in
        publications[number] = Publication(handler: handler)
        let listener = channelAccess.publish(publication) { [weak self, channelAccess] id, info in
          guard let arrived = self?.assumeIsolated({ $0.arrived(id, info, number) }) else {
            channelAccess.close(id, .now)
            return { _ in }
          }
          return arrived
        } completion: { [weak self] result in
          let wished = publication.psm
          pending.finish(
            result.mapError { failure in self?.error(failure, .publishChannel, about: wished) ?? failure as any Error }
          )
        }
        publications[number]?.listener = listener
      }
      guard generation == start, publications[number] != nil else { throw error(.stopped, .publishChannel, about: psm) }
      publications[number]?.psm = psm
      log(.info, .channels, "published \(psm)", "已发布 \(psm)")
      return psm
    } catch {
      unpublish(number)
      throw error
    }
  }

  func unpublishChannel(_ psm: L2CAPPSM) {
    for number in publications.filter({ $0.value.psm == psm }).keys { unpublish(number) }
  }

  private func unpublish(_ number: UInt64) {
    guard let listener = publications.removeValue(forKey: number)?.listener else { return }
    channelAccess.unpublish(listener)
  }

  // MARK: Channels

  /// Somebody has opened a channel; gives who takes its events.
  private func arrived(
    _ id: ChannelID,
    _ info: ChannelInfo,
    _ number: UInt64
  ) -> (@Sendable (ChannelEvent) -> Void)? {
    guard let handler = publications[number]?.handler else { return nil }
    let central = ConnectedCentral(link: info.link)
    let context = ChannelContext(
      psm: info.psm,
      subject: BluetoothError.Subject(id: info.link.peer, name: nil),
      language: configuration.language,
      sendLimit: configuration.timeouts.send
    )
    let core = ChannelCore(channelAccess, id, info, context, central: central) { _ in }
    let place = nextNumber()
    channels[place] = ServedChannel(core: core)
    log(
      .info,
      .channels,
      "\(central) has opened a channel to \(info.psm)",
      "\(central) 已打开通往 \(info.psm) 的通道"
    )
    events.send(.channelOpened(central, info.psm))
    let channel = L2CAPChannel(core: core)
    channels[place]?.task = Self.launch(on: executor) { [weak self] in
      do {
        try await handler(channel)
        await channel.close()
        await self?.channelDone(place, nil)
      } catch {
        await core.closeNow()
        await self?.channelDone(place, error)
      }
    }
    return { [weak core] event in core?.assumeIsolated { $0.take(event) } }
  }

  /// A handler has returned or failed.
  private func channelDone(_ place: UInt64, _ error: (any Error)?) {
    guard let channel = channels.removeValue(forKey: place)?.core, let central = channel.central else { return }
    if let error {
      log(
        .warning,
        .channels,
        "the handler of a channel to \(channel.context.psm) has failed: \(error)",
        "通道 \(channel.context.psm) 的处理程序失败：\(error)"
      )
    }
    events.send(.channelClosed(central, channel.context.psm, error))
  }

  /// The server ends.
  func endAllChannels() {
    for number in publications.keys.sorted() { unpublish(number) }
    let ended = channels.sorted { $0.key < $1.key }
    channels = [:]
    for (_, channel) in ended {
      channel.core.assumeIsolated { $0.end(.stopped) }
      channel.task?.cancel()
    }
  }

  // MARK: Errors

  nonisolated func error(
    _ kind: BluetoothError.Kind,
    _ operation: BluetoothError.Operation,
    about psm: L2CAPPSM?
  ) -> BluetoothError {
    BluetoothError(kind, operation, psm: psm, language: configuration.language)
  }

  nonisolated private func error(
    _ failure: RadioFailure,
    _ operation: BluetoothError.Operation,
    about psm: L2CAPPSM?
  ) -> BluetoothError {
    BluetoothError(
      BluetoothError.kind(of: failure),
      operation,
      psm: psm,
      underlying: failure,
      language: configuration.language
    )
  }
}
