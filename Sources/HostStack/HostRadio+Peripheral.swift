import BluetoothTypes
import RadioPort

// The port's methods for the peripheral role.

extension HostRadio {
  private var now: RadioInstant { executor.now }

  // MARK: Owners

  /// Begins to serve; see ``PeripheralRadio``.
  public func openServer(events: @escaping @Sendable (ServerEvent) -> Void) -> ServerID {
    let id = ServerID(rawValue: serving.nextNumber())
    serving.servers[id] = Serving.Server(events: events)
    return id
  }

  /// Ends a server; see ``PeripheralRadio``.
  public func closeServer(_ server: ServerID, completion: @escaping @Sendable () -> Void) {
    guard serving.servers.removeValue(forKey: server) != nil else { return completion() }
    for (id, request) in serving.requests.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where request.server == server {
      respond(to: id, with: .failure(.unlikelyError))
    }
    for service in host.database.services where service.owner == server.rawValue {
      host.remove(service.handle, now: now)
    }
    stopAdvertising(by: server, completion: completion)
    if serving.servers.isEmpty { host.disconnectUnclaimedCentrals(now: now) }
    deliver()
  }

  /// The links over which the services are used, oldest first.
  public var centrals: [LinkID] { host.centrals }

  // MARK: Services

  /// Adds a service behind all others; see ``PeripheralRadio``.
  public func publish(
    _ service: ServiceDefinition,
    by server: ServerID,
    completion: @escaping @Sendable (Result<PublishedService, RadioFailure>) -> Void
  ) {
    if let failure = obstacle(to: service, server) { return completion(.failure(failure)) }
    guard let placed = host.add(service, owner: server.rawValue, now: now) else {
      return completion(
        .failure(RadioFailure(.busy, reason: "no handles are left for the service \(service.uuid): withdraw others"))
      )
    }
    completion(
      .success(
        PublishedService(
          handle: placed.handle,
          uuid: placed.uuid,
          characteristics: placed.characteristics.map {
            PublishedCharacteristic(handle: $0.value, uuid: $0.uuid, descriptors: $0.descriptors)
          }
        )
      )
    )
    deliver()
  }

  private func obstacle(to service: ServiceDefinition, _ server: ServerID) -> RadioFailure? {
    guard host.phase == .on else { return host.offFailure }
    guard serving.servers[server] != nil else { return Self.closed }
    for include in service.includes where !host.database.services.contains(where: { $0.handle == include }) {
      return RadioFailure(
        .invalidArgument,
        reason: "the service \(service.uuid) includes the one at \(include), which is not published: publish it first"
      )
    }
    for characteristic in service.characteristics {
      let sources =
        [(characteristic.uuid, characteristic.source)] + characteristic.descriptors.map { ($0.uuid, $0.source) }
      for case (let uuid, .stored(let value)) in sources where value.count > ServerConnection.longestValue {
        return Self.tooLong(value.count, uuid)
      }
      let implied = [BluetoothUUID.clientConfigurationDescriptor, .extendedPropertiesDescriptor]
      if let descriptor = characteristic.descriptors.first(where: { implied.contains($0.uuid) }) {
        return RadioFailure(
          .invalidArgument,
          reason: "the descriptor \(descriptor.uuid) of the characteristic \(characteristic.uuid) follows from its "
            + "properties: leave it out"
        )
      }
    }
    return nil
  }

  /// Removes a service; see ``PeripheralRadio``.
  public func withdraw(
    _ service: AttributeHandle,
    by server: ServerID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) {
    guard let placed = host.database.services.first(where: { $0.handle == service && $0.owner == server.rawValue })
    else { return completion(.failure(Self.notOwned(service))) }
    for handle in placed.characteristics.map(\.value) {
      let count = host.subscribers(of: handle).count
      if count > 0 { serving.departed[handle] = Serving.Departed(server: server, subscriberCount: count) }
    }
    host.remove(service, now: now)
    deliver()
    completion(.success(()))
  }

  /// Replaces a value that the radio keeps; see ``PeripheralRadio``.
  public func setValue(_ value: [UInt8], of attribute: AttributeHandle, by server: ServerID) throws(RadioFailure) {
    guard let found = host.database[attribute], found.owner == server.rawValue, case .stored = found.source,
      found.role == .value || found.role == .descriptor
    else { throw Self.notOwned(attribute) }
    guard value.count <= ServerConnection.longestValue else { throw Self.tooLong(value.count, found.type) }
    host.setValue(value, of: attribute)
  }

  private static let closed = RadioFailure(.invalidArgument, reason: "the server was closed: open a new one")

  private static func notOwned(_ handle: AttributeHandle) -> RadioFailure {
    RadioFailure(.invalidArgument, reason: "the owner has nothing of this kind at \(handle)")
  }

  private static func tooLong(_ count: Int, _ uuid: BluetoothUUID) -> RadioFailure {
    RadioFailure(
      .tooLong,
      reason: "\(count) bytes are too long for \(uuid); a value has at most \(ServerConnection.longestValue)"
    )
  }

  // MARK: Requests

  /// Answers a request; see ``PeripheralRadio``.
  public func respond(to request: ServerRequestID, with result: Result<[UInt8], ATTErrorCode>) {
    guard let pending = serving.requests.removeValue(forKey: request) else { return }
    serving.replies[pending.reply] = nil
    var result = result
    if case .success(let value) = result, value.count > ServerConnection.longestValue {
      log?(HostReport(.owner, "the answer to a read has \(counted(value.count, "byte")); a value has at most 512"))
      result = .failure(.unlikelyError)
    }
    host.answer(pending.reply, result, now: now)
    deliver()
  }

  // MARK: Values that are sent

  /// The centrals that have subscribed to a characteristic, in the order in which they connected.
  public func subscribers(of characteristic: AttributeHandle) -> [LinkID] { host.subscribers(of: characteristic) }

  /// Sends a value to those who have subscribed to it; see ``PeripheralRadio``.
  public func update(
    _ value: [UInt8],
    of characteristic: AttributeHandle,
    to centrals: [LinkID]?,
    mode: UpdateMode,
    by server: ServerID,
    confirmed: (@Sendable (LinkID, Result<Void, RadioFailure>) -> Void)?
  ) throws(RadioFailure) -> UpdateOutcome {
    guard host.phase == .on else { throw host.offFailure }
    guard let attribute = host.database[characteristic], attribute.role == .value, attribute.owner == server.rawValue,
      !attribute.properties.isDisjoint(with: [.notify, .indicate])
    else { throw Self.notOwned(characteristic) }
    let token = serving.nextNumber()
    let outcome: Host.Updated
    do throws(NotifyRefusal) {
      outcome = try host.update(value, of: characteristic, to: centrals, mode: mode, token: token, now: now)
    } catch {
      guard case .tooLong(let limit) = error else { throw host.goneFailure }
      throw RadioFailure(
        .tooLong,
        reason: "the value of \(attribute.type) has \(value.count) bytes, and one of the links takes \(limit)"
      )
    }
    switch outcome {
    case .full(let links):
      serving.servers[server]?.waits.formUnion(links)
      return .full
    case .sent(let notified, let indicated):
      for link in indicated { serving.confirmations[Serving.Indicated(link: link, token: token)] = confirmed }
      deliver()
      return .sent(notified: notified, indicated: indicated)
    }
  }

  /// Notifies values of several characteristics at once; see ``PeripheralRadio``.
  public func update(
    _ values: [ValueUpdate],
    to centrals: [LinkID]?,
    by server: ServerID
  ) throws(RadioFailure) -> UpdateOutcome {
    guard host.phase == .on else { throw host.offFailure }
    for update in values {
      guard let attribute = host.database[update.characteristic], attribute.role == .value,
        attribute.owner == server.rawValue, attribute.properties.contains(.notify)
      else { throw Self.notOwned(update.characteristic) }
    }
    let outcome: Host.Updated
    do throws(NotifyRefusal) {
      outcome = try host.update(
        values.map { ($0.characteristic, $0.value) },
        to: centrals,
        now: now
      )
    } catch {
      guard case .tooLong(let limit) = error else { throw host.goneFailure }
      throw RadioFailure(
        .tooLong,
        reason: "one of the values is too long: one of the links takes \(limit) bytes"
      )
    }
    switch outcome {
    case .full(let links):
      serving.servers[server]?.waits.formUnion(links)
      return .full
    case .sent(let notified, let indicated):
      deliver()
      return .sent(notified: notified, indicated: indicated)
    }
  }

  // MARK: Links

  /// Ends the link to a central; see ``PeripheralRadio``.
  public func disconnect(_ central: LinkID, completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void) {
    guard host.centrals.contains(central) else { return completion(.failure(host.goneFailure)) }
    host.disconnect(central, now: now)
    deliver()
    completion(.success(()))
  }

  /// Asks a central for other connection parameters; see ``PeripheralRadio``.
  public func requestParameters(
    _ options: LinkOptions,
    of central: LinkID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) {
    do throws(RadioFailure) {
      try host.updateParameters(of: central, to: options, now: now)
    } catch {
      return completion(.failure(error))
    }
    if host.links.contains(where: { $0.id == central && $0.link.role == .peripheral }) {
      var wishes = serving.wishes[central, default: []]
      // The host keeps one that waits; a later one takes its place.
      let replaced = wishes.count > 1 ? wishes.removeLast() : nil
      serving.wishes[central] = wishes + [completion]
      replaced?(.failure(RadioFailure(.refused, reason: "a later wish for connection parameters took its place")))
    } else {
      // This end decides itself.
      completion(.success(()))
    }
    deliver()
  }
}
