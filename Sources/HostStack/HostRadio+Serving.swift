import BluetoothTypes
import RadioPort

// The owners of services, and what the host tells them.

extension HostRadio {
  /// What the radio keeps for the peripheral role.
  struct Serving: Sendable {
    /// One owner.
    struct Server: Sendable {
      let events: @Sendable (ServerEvent) -> Void
      /// The links that had no room when the owner wanted to send.
      var waits: Set<LinkID> = []
    }

    /// One update on its way to one central.
    struct Indicated: Hashable, Sendable {
      let link: LinkID
      let token: UInt64
    }

    /// Whose a withdrawn value was, for as long as ends of subscriptions to it are still to be told.
    struct Departed: Sendable {
      let server: ServerID
      var subscriberCount: Int
    }

    /// A request that waits for its owner.
    struct Request: Sendable {
      let server: ServerID
      let reply: ReplyID
    }

    var servers: [ServerID: Server] = [:]
    var requests: [ServerRequestID: Request] = [:]
    var replies: [ReplyID: ServerRequestID] = [:]
    var departed: [AttributeHandle: Departed] = [:]
    /// Who waits for the confirmations of an update.
    var confirmations: [Indicated: @Sendable (LinkID, Result<Void, RadioFailure>) -> Void] = [:]
    /// Who waits for answers about connection parameters.
    var wishes: [LinkID: [@Sendable (Result<Void, RadioFailure>) -> Void]] = [:]
    var advertising = Advertising()
    private var count: UInt64 = 0

    /// A number that was never given out before; 0 is nobody's, as the host's own services have it.
    mutating func nextNumber() -> UInt64 {
      count &+= 1
      return count
    }
  }

  func tellServers(_ event: ServerEvent) {
    for id in serving.servers.keys.sorted(by: { $0.rawValue < $1.rawValue }) { serving.servers[id]?.events(event) }
  }

  private func owner(of attribute: AttributeHandle) -> ServerID? {
    host.database.owner(of: attribute).map(ServerID.init).flatMap { serving.servers[$0] == nil ? nil : $0 }
  }

  // MARK: Requests

  func asked(_ link: LinkID, _ reply: ReplyID, _ request: OwnerRequest) {
    let attribute: AttributeHandle? =
      switch request {
      case .read(let handle): handle
      case .write(let parts): parts.first?.attribute
      }
    guard let server = attribute.flatMap({ owner(of: $0) }) else {
      return host.answer(reply, .failure(.unlikelyError), now: executor.now)
    }
    let id = ServerRequestID(rawValue: serving.nextNumber())
    serving.requests[id] = Serving.Request(server: server, reply: reply)
    serving.replies[reply] = id
    switch request {
    case .read(let handle):
      // Always the whole: all parts that a client reads are then of one value.
      serving.servers[server]?.events(.read(ReadRequest(id: id, central: link, attribute: handle, offset: 0)))
    case .write(let parts):
      serving.servers[server]?.events(
        .write(WriteRequest(id: id, central: link, parts: parts, wantsResponse: true))
      )
    }
  }

  func noticed(_ link: LinkID, _ notice: ServerNotice) {
    switch notice {
    case .stored(let handle, let value): tellOwner(of: handle, .stored(link, handle, value))
    case .command(let handle, let value):
      let part = WriteRequest.Part(attribute: handle, offset: 0, value: value)
      let id = ServerRequestID(rawValue: serving.nextNumber())
      tellOwner(of: handle, .write(WriteRequest(id: id, central: link, parts: [part], wantsResponse: false)))
    case .subscription(let handle, let modes): subscriptionChanged(link, handle, modes)
    case .confirmed(_, let token, let confirmation): confirmed(link, token, confirmation)
    case .ended(let reply):
      guard let id = serving.replies.removeValue(forKey: reply),
        let request = serving.requests.removeValue(forKey: id)
      else { return }
      serving.servers[request.server]?.events(.requestEnded(id))
    }
  }

  private func tellOwner(of attribute: AttributeHandle, _ event: ServerEvent) {
    guard let server = owner(of: attribute) else { return }
    serving.servers[server]?.events(event)
  }

  private func subscriptionChanged(_ link: LinkID, _ handle: AttributeHandle, _ modes: SubscriptionModes) {
    if owner(of: handle) != nil { return tellOwner(of: handle, .subscriptionChanged(link, handle, modes)) }
    // It ended with its service, which is no more in the database.
    guard modes.isEmpty, var departed = serving.departed[handle] else { return }
    departed.subscriberCount -= 1
    serving.departed[handle] = departed.subscriberCount > 0 ? departed : nil
    serving.servers[departed.server]?.events(.subscriptionChanged(link, handle, modes))
  }

  // MARK: Values that are sent

  private func confirmed(_ link: LinkID, _ token: UInt64, _ confirmation: Confirmation) {
    let completion = serving.confirmations.removeValue(forKey: Serving.Indicated(link: link, token: token))
    let failure: RadioFailure? =
      switch confirmation {
      case .confirmed: nil
      case .unsubscribed: RadioFailure(.refused, reason: "the central unsubscribed before the value was sent")
      case .withdrawn: RadioFailure(.invalidArgument, reason: "the service was withdrawn before the value was sent")
      case .lost(let failure): failure
      }
    completion?(link, failure.map { .failure($0) } ?? .success(()))
  }

  func roomToUpdate(_ link: LinkID) {
    for id in serving.servers.keys.sorted(by: { $0.rawValue < $1.rawValue })
    where serving.servers[id]?.waits.remove(link) != nil {
      serving.servers[id]?.events(.readyToUpdate)
    }
  }

  // MARK: Links

  func centralLeft(_ link: LinkID, _ failure: RadioFailure) {
    for wish in serving.wishes.removeValue(forKey: link) ?? [] { wish(.failure(failure)) }
    tellServers(.centralDisconnected(link, failure))
    // Who waited for this link's room waits for nothing.
    roomToUpdate(link)
  }

  func wishAnswered(_ link: LinkID, _ result: Result<Void, RadioFailure>) {
    guard var wishes = serving.wishes[link], !wishes.isEmpty else { return }
    let first = wishes.removeFirst()
    serving.wishes[link] = wishes.isEmpty ? nil : wishes
    first(result)
  }
}
