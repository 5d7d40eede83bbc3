import BluetoothTypes
import RadioPort

/// Serves one database to all links: bytes of requests go in, bytes of answers and questions to the owner come out.
/// The MTU is the bearer's affair: its exchange never comes here.
package struct GATTServer: Sendable {
  /// What comes out, for one link.
  package enum Output: Sendable {
    /// Send this ATT PDU.
    case send(LinkID, [UInt8])
    /// Ask the owner of a value, and give the answer to ``answer(_:_:now:)``.
    case ask(LinkID, ReplyID, OwnerRequest)
    /// Tell the owner.
    case notice(LinkID, ServerNotice)
    /// There is room for indications again after a refusal.
    case room(LinkID)
    /// The client has not confirmed an indication in time: the link is of no more use.
    case stuck(LinkID)
    /// The client sends more requests than may wait, without waiting for a response: the link is of no more use.
    case flooded(LinkID)
  }

  /// What is served.
  package private(set) var database: GATTDatabase
  /// What has come out since it was last taken.
  package private(set) var outputs: [Output] = []
  /// In the order in which the links came up.
  private var connections: [ServerConnection] = []
  private var nextReply: UInt64 = 0

  /// Serves `database`.
  package init(database: GATTDatabase) { self.database = database }

  /// Whether something waits to be taken.
  package var hasOutputs: Bool { !outputs.isEmpty }

  /// Takes what has come out.
  package mutating func takeOutputs() -> [Output] {
    var taken: [Output] = []
    swap(&taken, &outputs)
    return taken
  }

  /// Takes what has come out, and leaves the empty `buffer` to be filled next, so that its memory is used again.
  mutating func exchangeOutputs(_ buffer: inout [Output]) { swap(&outputs, &buffer) }

  // MARK: Links

  /// A link came up.
  package mutating func open(_ link: LinkID) {
    // Question numbers of two connections never meet: each has 2³² of its own.
    if let stale = index(of: link) { connections.remove(at: stale) }
    connections.append(ServerConnection(link: link, firstReply: nextReply))
    nextReply &+= 1 &<< 32
  }

  /// A link is gone, and with it its subscriptions and all that was pending.
  ///
  /// - Parameter failure: Why; what was to be confirmed ends with it.
  package mutating func close(_ link: LinkID, _ failure: RadioFailure) {
    guard let index = index(of: link) else { return }
    var connection = connections.remove(at: index)
    if let job = connection.job { outputs.append(.notice(link, .ended(job.id))) }
    for item in connection.indications.abandon() {
      outputs.append(.notice(link, .confirmed(item.handle, token: item.token, .lost(failure))))
    }
    for handle in connection.configurations.keys.sorted() {
      outputs.append(.notice(link, .subscription(handle, [])))
    }
  }

  /// The MTU of a link has changed.
  package mutating func setMTU(_ mtu: Int, of link: LinkID) {
    if let index = index(of: link) { connections[index].mtu = max(23, mtu) }
  }

  /// How well a link is protected.
  package mutating func setSecurity(_ security: LinkSecurity, of link: LinkID) {
    if let index = index(of: link) { connections[index].security = security }
  }

  private func index(of link: LinkID) -> Int? {
    // By index, as a copy of a connection is not cheap.
    connections.indices.first { connections[$0].link == link }
  }

  /// The links whose clients have asked for a value, in the order in which the links came up.
  package func subscribers(of handle: AttributeHandle, _ wanted: SubscriptionModes? = nil) -> [LinkID] {
    connections.indices.lazy.filter { index in
      let bits = connections[index].configurations[handle, default: []]
      return wanted.map { bits.contains($0) } ?? !bits.isEmpty
    }.map { connections[$0].link }
  }

  // MARK: Requests

  /// Takes a PDU from a client.
  package mutating func receive(_ pdu: [UInt8], from link: LinkID, now: RadioInstant) {
    guard let index = index(of: link) else { return }
    connections[index].receive(pdu, &database)
    connections[index].advanceIndications(now: now)
    drain(index)
  }

  /// Gives the owner's answer to a question. An answer that nobody waits for is ignored.
  package mutating func answer(_ id: ReplyID, _ result: Result<[UInt8], ATTErrorCode>, now: RadioInstant) {
    for index in connections.indices where connections[index].job?.id == id {
      _ = connections[index].answer(id, result, &database)
      connections[index].advanceIndications(now: now)
      return drain(index)
    }
  }

  private mutating func drain(_ index: Int) {
    let link = connections[index].link
    // Taken from the end they are moved, not copied.
    if connections[index].outputs.count > 1 { connections[index].outputs.reverse() }
    while let output = connections[index].outputs.popLast() {
      switch output {
      case .send(let pdu): outputs.append(.send(link, pdu))
      case .ask(let id, let request): outputs.append(.ask(link, id, request))
      case .notice(let notice): outputs.append(.notice(link, notice))
      case .room: outputs.append(.room(link))
      case .flooded: outputs.append(.flooded(link))
      }
    }
  }

  // MARK: Services

  /// Adds a service while links are up: clients that have subscribed to Service Changed are told.
  ///
  /// - Returns: Where it landed; `nil`, with nothing added, as ``GATTDatabase/add(_:owner:)`` says.
  package mutating func add(
    _ service: ServiceDefinition,
    owner: UInt64,
    now: RadioInstant
  ) -> GATTDatabase.PlacedService? {
    guard let placed = database.add(service, owner: owner) else { return nil }
    announce(placed.handle...placed.end, now: now)
    return placed
  }

  /// Removes a service while links are up. What clients want of it is refused, their subscriptions end, and those that
  /// have subscribed to Service Changed are told.
  ///
  /// - Returns: Whether there was such a service.
  @discardableResult
  package mutating func remove(_ service: AttributeHandle, now: RadioInstant) -> Bool {
    guard let placed = database.services.first(where: { $0.handle == service }),
      let changed = database.remove(service)
    else { return false }
    for index in connections.indices {
      connections[index].withdraw(placed.handle...placed.end, &database)
      drain(index)
    }
    announce(changed, now: now)
    return true
  }

  private mutating func announce(_ range: ClosedRange<AttributeHandle>, now: RadioInstant) {
    for index in connections.indices { connections[index].awareness.databaseChanged() }
    guard let changed = database.characteristic(.serviceChanged, in: .genericAttribute)?.value else { return }
    for index in connections.indices {
      guard connections[index].configurations[changed, default: []].contains(.indications) else { continue }
      connections[index].indications.note(range, changed)
      connections[index].advanceIndications(now: now)
      drain(index)
    }
  }

  // MARK: Values

  /// Replaces a value that the database keeps.
  package mutating func store(_ value: [UInt8], at handle: AttributeHandle) { database.store(value, at: handle) }

  /// The PDU that notifies a value to a client.
  ///
  /// - Throws: `NotifyRefusal` if the client has not asked for it or it is too long.
  package func notification(
    _ value: [UInt8],
    of handle: AttributeHandle,
    to link: LinkID
  ) throws(NotifyRefusal) -> [UInt8] {
    guard let index = index(of: link) else { throw .unknown }
    if let refusal = connections[index].refusalToSend(value, handle, .notifications) { throw refusal }
    return ATTHandleValueNotification(handle: handle, value: value).bytes
  }

  /// The PDUs that notify several values to a client, in their order: as few as the client takes, where it can take
  /// several values in one (Core 5.4, Vol 3, Part F, 3.4.7.4, and Part G, 7.2).
  ///
  /// - Throws: `NotifyRefusal` if the client has not asked for one of them or one is too long.
  package func notifications(
    _ values: [(handle: AttributeHandle, value: [UInt8])],
    to link: LinkID
  ) throws(NotifyRefusal) -> [[UInt8]] {
    guard let connection = index(of: link).map({ connections[$0] }) else { throw .unknown }
    for (handle, value) in values {
      if let refusal = connection.refusalToSend(value, handle, .notifications) { throw refusal }
    }
    guard connection.features.contains(.multipleNotifications) else {
      return values.map { ATTHandleValueNotification(handle: $0.handle, value: $0.value).bytes }
    }
    var pdus: [[UInt8]] = []
    var group: [ATTMultipleHandleValueNotification.Record] = []
    var length = 1
    func close() {
      if group.count > 1 {
        pdus.append(ATTMultipleHandleValueNotification(records: group).bytes)
      } else if let only = group.first {
        pdus.append(ATTHandleValueNotification(handle: only.handle, value: only.value).bytes)
      }
      group = []
      length = 1
    }
    for (handle, value) in values {
      if length + 4 + value.count > connection.mtu { close() }
      group.append(.init(handle: handle, value: value))
      length += 4 + value.count
    }
    close()
    return pdus
  }

  /// Indicates a value to a client, after those that wait for their confirmations.
  ///
  /// - Parameter token: Comes back with the confirmation.
  /// - Throws: `NotifyRefusal` if the client has not asked for it, it is too long, or too many wait.
  package mutating func indicate(
    _ value: [UInt8],
    of handle: AttributeHandle,
    to link: LinkID,
    token: UInt64,
    now: RadioInstant
  ) throws(NotifyRefusal) {
    guard let index = index(of: link) else { throw .unknown }
    let item = IndicationQueue.Item(handle: handle, value: value, token: token)
    if let refusal = connections[index].indicate(item, now: now) { throw refusal }
    drain(index)
  }

  /// The ways in which a value may be sent to a client now: what it has subscribed to, and nothing while it does not
  /// know of a change of the database though it wants to be held to that.
  package func modes(of handle: AttributeHandle, for link: LinkID) -> SubscriptionModes {
    guard let index = index(of: link), connections[index].mayBeSent else { return [] }
    return connections[index].configurations[handle] ?? []
  }

  /// What a client says that it can do.
  package func features(of link: LinkID) -> ClientFeatures {
    index(of: link).map { connections[$0].features } ?? []
  }

  /// Whether values for a client have to wait until it knows of a change of the database that it is being told of; if
  /// so, `.room` tells when. A client that is not told, as it did not ask for it, gets none until it finds out.
  package mutating func holdsBack(_ link: LinkID) -> Bool {
    guard let index = index(of: link), !connections[index].mayBeSent,
      let changed = database.characteristic(.serviceChanged, in: .genericAttribute)?.value
    else { return false }
    return connections[index].holdBack(changed)
  }

  /// Whether an indication would be taken; if not, `.room` tells when.
  package mutating func hasRoomToIndicate(to link: LinkID) -> Bool {
    guard let index = index(of: link) else { return false }
    guard connections[index].indications.isFull else { return true }
    connections[index].indications.refuse()
    return false
  }

  // MARK: Time

  /// When a client counts as stuck.
  package var deadline: RadioInstant? {
    connections.indices.lazy.compactMap { connections[$0].indications.deadline }.min()
  }

  /// Lets happen what is due.
  package mutating func wake(now: RadioInstant) {
    for index in connections.indices {
      guard let deadline = connections[index].indications.deadline, deadline <= now else { continue }
      let link = connections[index].link
      let failure = RadioFailure(.timedOut, reason: "the central has not confirmed an indication within 30 s")
      for item in connections[index].indications.abandon() {
        outputs.append(.notice(link, .confirmed(item.handle, token: item.token, .lost(failure))))
      }
      outputs.append(.stuck(link))
    }
  }
}
