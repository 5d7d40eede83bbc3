import BluetoothTypes
import RadioPort

/// A discovery at the radio and all who wait for it.
struct RunningDiscovery {
  let need: DiscoveryNeed
  let edition: UInt64
  var request: RequestID?
  var waiters: [UInt64: @Sendable (RadioFailure?) -> Void] = [:]
}

/// One who waits for a discovery.
struct DiscoveryTicket: Sendable {
  let discovery: UInt64
  let waiter: UInt64
}

extension PeripheralCore {
  /// Waits until all of `need` is known of the present link.
  func ensureKnown(_ need: DiscoveryNeed, for attempt: Attempt, deadline: RadioInstant?) async throws {
    let link = try await usableLink(for: attempt, deadline: deadline)
    while self.link == link, database.missing(need) != nil {
      try await PendingOperation<Void>.run(on: executor, deadline: deadline, timeout: { attempt.timedOut }) {
        operation in
        // Looked at again: the check and the registration must be one step.
        guard self.link == link else { return operation.finish(.failure(attempt.error(lastLoss))) }
        guard let missing = database.missing(need) else { return operation.finish(.success(())) }
        let number = nextNumber()
        running[number] = { loss in operation.giveUp(attempt.error(loss)) }
        let ticket = discover(missing, on: link) { failure in
          operation.finish(failure.map { .failure(attempt.error($0)) } ?? .success(()))
        }
        operation.onEnd { [weak self] givenUp in
          self?.assumeIsolated { core in
            core.running[number] = nil
            if givenUp != nil { core.leaveDiscovery(ticket) }
          }
        }
      }
    }
    guard self.link == link else { throw attempt.error(lastLoss) }
  }

  /// Joins a discovery that will bring what is missing, or begins one. `completion` may be called before the return.
  func discover(
    _ missing: DiscoveryNeed,
    on link: LinkID,
    completion: @escaping @Sendable (RadioFailure?) -> Void
  ) -> DiscoveryTicket {
    let waiter = nextNumber()
    let running = discoveries.filter { $0.value.need.covers(missing) && $0.value.edition == database.edition }
    if let number = running.keys.min() {
      discoveries[number]?.waiters[waiter] = completion
      return DiscoveryTicket(discovery: number, waiter: waiter)
    }
    let number = nextNumber()
    discoveries[number] = RunningDiscovery(need: missing, edition: database.edition, waiters: [waiter: completion])
    let request = access.discover(missing.uuids, on: link) { [weak self] result in
      self?.assumeIsolated { $0.discoveryEnded(number, result) }
    }
    discoveries[number]?.request = request
    return DiscoveryTicket(discovery: number, waiter: waiter)
  }

  /// One of those who wait has gone; with the last, the discovery is abandoned.
  func leaveDiscovery(_ ticket: DiscoveryTicket) {
    guard discoveries[ticket.discovery]?.waiters.removeValue(forKey: ticket.waiter) != nil,
      discoveries[ticket.discovery]?.waiters.isEmpty == true
    else { return }
    if let request = discoveries.removeValue(forKey: ticket.discovery)?.request { access.abandon(request) }
  }

  private func discoveryEnded(_ number: UInt64, _ result: Result<[RemoteService], RadioFailure>) {
    guard let discovery = discoveries.removeValue(forKey: number), let link else { return }
    var failure: RadioFailure?
    switch result {
    case .success(let services):
      if discovery.edition == database.edition {
        database.add(services, for: discovery.need)
        let known = database.services.map { Peripheral.Service($0, on: link) }
        updateFacts { $0.services = known }
        central.log(
          .info,
          .attributes,
          "\(id) has \(known.count) services that are known",
          "\(id) 已知 \(known.count) 个服务"
        )
      }
    case .failure(let reason): failure = reason
    }
    for (_, waiter) in discovery.waiters.sorted(by: { $0.key < $1.key }) { waiter(failure) }
  }

  // MARK: What programs ask for

  func services(_ only: [ServiceID]?, timeout: Timeout) async throws -> [Peripheral.Service] {
    let limit = timeout.duration(standard: central.configuration.timeouts.discover)
    let attempt = attempt(.discover, limit: limit)
    let wanted = only.map { Set($0.map(\.uuid)) }
    try await ensureKnown(
      wanted.map { .services($0) } ?? .all,
      for: attempt,
      deadline: central.deadline(after: limit)
    )
    guard let link else { throw attempt.error(lastLoss) }
    return database.services
      .filter { service in wanted.map { $0.contains(service.uuid) } ?? true }
      .map { Peripheral.Service($0, on: link) }
  }

  /// Finds the characteristic that a name means, and discovers what is needed for it. Returns when it is the turn of who
  /// holds the ticket.
  func resolve(
    _ name: CharacteristicName,
    _ ticket: UInt64?,
    for attempt: Attempt,
    deadline: RadioInstant?
  ) async throws -> CharacteristicName.Instance {
    try await ensureKnown(.services([name.service.uuid]), for: attempt, deadline: deadline)
    try await awaitOrder(ticket, for: attempt, deadline: deadline)
    return try lookUp(name, for: attempt)
  }

  /// Finds the characteristic that a name means for who makes no request at once.
  func resolveInTurn(
    _ name: CharacteristicName,
    for attempt: Attempt,
    deadline: RadioInstant?
  ) async throws -> CharacteristicName.Instance {
    let ticket = enterOrder()
    defer { leaveOrder(ticket) }
    return try await resolve(name, ticket, for: attempt, deadline: deadline)
  }

  func lookUp(_ name: CharacteristicName, for attempt: Attempt) throws(BluetoothError) -> CharacteristicName.Instance {
    guard let link else { throw attempt.error(lastLoss) }
    switch CharacteristicLookup(name, in: database.services, on: link) {
    case .found(let instance): return instance
    case .noService: throw attempt.error(.serviceNotFound)
    case .noCharacteristic: throw attempt.error(.characteristicNotFound)
    case .outdated: throw attempt.error(.characteristicNotFound, detail: .outdated)
    case .ambiguous(let choices): throw attempt.error(.ambiguous, choices: choices)
    }
  }
}
