import BluetoothTypes
import RadioPort

// The centrals, and what they have subscribed to.

extension ServerCore {
  /// A central and what goes on with it.
  struct Client {
    var subscriptions: [AttributeHandle: SubscriptionModes] = [:]
    /// The handlers of its subscriptions that run.
    var handlers: [FeedKey: Task<Void, Never>] = [:]
    /// What waits for room, oldest first.
    var waiting: [WaitingValue] = []
    /// Whether the radio had no room for it.
    var isFull = false
  }

  struct FeedKey: Hashable {
    let attribute: AttributeHandle
    let mode: SendMode
  }

  /// What the handler of a subscription sends with. Does not hold the server.
  struct Feed: Sendable {
    let central: ConnectedCentral
    let send: @Sendable ([UInt8], Timeout) async throws -> Void
  }

  var sortedLinks: [LinkID] { clients.keys.sorted { $0.generation < $1.generation } }

  func connected(_ link: LinkID) {
    guard clients[link] == nil else { return }
    clients[link] = Client()
    setUpdateLength(PeripheralCore.writeLength(mtu: access.mtu(of: link)), of: link)
    centrals.send(sortedLinks.map(ConnectedCentral.init))
    events.send(.connected(ConnectedCentral(link: link)))
  }

  func mtuChanged(_ link: LinkID, _ mtu: Int) {
    guard clients[link] != nil else { return }
    let length = PeripheralCore.writeLength(mtu: mtu)
    setUpdateLength(length, of: link)
    events.send(.maximumUpdateLengthChanged(ConnectedCentral(link: link), length))
  }

  /// A central is gone, or the server is stopped.
  func left(_ link: LinkID, _ cause: BluetoothError, isStop: Bool) {
    guard clients[link] != nil else { return }
    endRequests(of: link)
    for handle in (clients[link]?.subscriptions.keys).map({ $0.sorted() }) ?? [] {
      subscriptionChanged(link, handle, [])
    }
    guard let client = clients.removeValue(forKey: link) else { return }
    setUpdateLength(nil, of: link)
    for value in client.waiting {
      lost(value.ticket, link, isStop ? error(.stopped, .send) : resent(cause, characteristics[value.handle]?.name))
    }
    centrals.send(sortedLinks.map(ConnectedCentral.init))
    events.send(.disconnected(ConnectedCentral(link: link), cause))
  }

  /// The loss of a link as the cause of a send's failure.
  private func resent(_ cause: BluetoothError, _ name: CharacteristicName?) -> BluetoothError {
    BluetoothError(
      cause.kind,
      .send,
      peripheral: cause.peripheral,
      characteristic: name.map { Characteristic($0) },
      underlying: cause.underlying,
      detail: cause.detail,
      language: cause.language
    )
  }

  func subscriptionChanged(_ link: LinkID, _ handle: AttributeHandle, _ modes: SubscriptionModes) {
    guard let characteristic = characteristics[handle], clients[link]?.subscriptions[handle, default: []] != modes
    else { return }
    clients[link]?.subscriptions[handle] = modes.isEmpty ? nil : modes
    let central = ConnectedCentral(link: link)
    let name = Characteristic<[UInt8]>(characteristic.name)
    subscriptions.send(allSubscriptions)
    if modes.isEmpty {
      events.send(.unsubscribed(central, name))
    } else {
      events.send(.subscribed(.init(central: central, characteristic: name, modes: modes)))
    }
    for (mode, bit) in [(SendMode.notification, SubscriptionModes.notifications), (.indication, .indications)] {
      let key = FeedKey(attribute: handle, mode: mode)
      if !modes.contains(bit) {
        clients[link]?.handlers.removeValue(forKey: key)?.cancel()
      } else if clients[link]?.handlers[key] == nil, let handler = characteristic.subscribed[mode] {
        run(handler, key, central, characteristic.name)
      }
    }
  }

  private func run(
    _ handler: @escaping SubscriptionHandler,
    _ key: FeedKey,
    _ central: ConnectedCentral,
    _ name: CharacteristicName
  ) {
    let feed = Feed(central: central) { [weak self] bytes, timeout in
      guard let self else { throw CancellationError() }
      try await self.send(bytes, .handle(key.attribute), to: central, timeout: timeout)
    }
    clients[central.link]?.handlers[key] = Self.launch(on: executor) { [weak self] in
      do {
        try await handler(feed)
      } catch {
        guard !Task.isCancelled else { return }
        await self?.subscriptionFailed(central, name, error)
      }
    }
  }

  private func subscriptionFailed(_ central: ConnectedCentral, _ name: CharacteristicName, _ error: any Error) {
    log(
      .warning,
      .server,
      "the handler of the subscription to \(name.uuid) has failed: \(error)",
      "\(name.uuid) 的订阅处理程序失败：\(error)"
    )
    events.send(.handlerFailed(central, Characteristic(name), error))
  }

  private var allSubscriptions: [PeripheralServer.Subscription] {
    sortedLinks.flatMap { link in
      (clients[link]?.subscriptions ?? [:]).sorted { $0.key < $1.key }.compactMap { handle, modes in
        characteristics[handle].map { characteristic in
          .init(
            central: ConnectedCentral(link: link),
            characteristic: Characteristic(characteristic.name),
            modes: modes
          )
        }
      }
    }
  }

  // MARK: Links

  func disconnect(_ central: ConnectedCentral) async throws {
    try await perform(.disconnect, on: central.link, nil, nil) { (access, end) in
      access.disconnect(central.link, completion: end)
    }
  }

  func requestParameters(_ options: LinkOptions, of central: ConnectedCentral) async throws {
    try await perform(.requestLatency, on: central.link, nil, nil) { (access, end) in
      access.requestParameters(options, of: central.link, completion: end)
    }
  }
}
