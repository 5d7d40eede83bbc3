import BluetoothTypes
import RadioPort

extension ServerCore {
  /// Publishes all services and then advertises. Returns when both are done; after a failure nothing is left behind.
  func start(timeout: Timeout) async throws {
    switch phase {
    case .running: return
    case .starting: throw error(.busy, .startServer)
    case .stopped: break
    case .suspended:
      // What is published stays; only advertising is missing.
      if access.state.power == .poweredOn { return try await advertise(advertising, timeout: timeout) }
      close(nil)
    }
    let plan: ServerPlan
    do { plan = try declaration.get() } catch {
      throw self.error(.invalidArgument, .startServer, of: error.name, detail: .reason(error.reason))
    }
    generation &+= 1
    let start = generation
    let limit = timeout.duration(standard: configuration.timeouts.start)
    let deadline = deadline(after: limit)
    observe()
    setPhase(.starting)
    do {
      try await waitForRadio(deadline, limit)
      try require(start)
      try await publish(plan, start, deadline, limit)
      try await putOnAir(advertising.request(standard: plan.primaryServices), .startServer, deadline, limit)
      try require(start)
      setPhase(.running)
    } catch {
      guard generation == start else { throw error is CancellationError ? error : self.error(.stopped, .startServer) }
      close(error as? BluetoothError)
      throw error
    }
  }

  private func require(_ start: UInt64) throws {
    if generation != start { throw error(.stopped, .startServer) }
  }

  private func waitForRadio(_ deadline: RadioInstant?, _ limit: Duration?) async throws {
    while access.state.power == .unknown || access.state.power == .resetting {
      try await PendingOperation<Void>.run(on: executor, deadline: deadline, timeout: timeOut(.startServer, limit)) {
        operation in
        let id = nextNumber()
        stateWaiters[id] = operation
        operation.onEnd { [weak self] _ in self?.assumeIsolated { $0.stateWaiters[id] = nil } }
      }
    }
    let state = access.state
    guard state.power == .poweredOn else {
      throw CentralCore.error(for: state, .startServer, configuration.language)
    }
  }

  nonisolated func timeOut(
    _ operation: BluetoothError.Operation,
    _ limit: Duration?,
    on central: LinkID? = nil,
    of name: CharacteristicName? = nil
  ) -> @Sendable () -> any Error {
    { [error = error(.timedOut, operation, on: central, of: name, detail: limit.map { .time($0) })] in error }
  }

  private func publish(
    _ plan: ServerPlan,
    _ start: UInt64,
    _ deadline: RadioInstant?,
    _ limit: Duration?
  ) async throws {
    let server = access.openServer { [weak self] event in
      self?.assumeIsolated { core in
        if core.generation == start { core.take(event) }
      }
    }
    self.server = server
    for link in access.centrals { connected(link) }
    var handles: [PartIdentity: AttributeHandle] = [:]
    for service in plan.services {
      let definition = ServiceDefinition(
        service.id.uuid,
        isPrimary: service.isPrimary,
        includes: service.includes.compactMap { handles[$0] },
        characteristics: service.characteristics.map(\.definition)
      )
      let published = try await perform(.startServer, deadline, limit) { (access, end) in
        access.publish(definition, by: server, completion: end)
      }
      try require(start)
      handles[service.identity] = published.handle
      for (characteristic, place) in zip(service.characteristics, published.characteristics) {
        characteristics[place.handle] = characteristic
      }
    }
  }

  /// Waits for something that the radio does.
  func perform<Value: Sendable>(
    _ operation: BluetoothError.Operation,
    on central: LinkID? = nil,
    _ deadline: RadioInstant?,
    _ limit: Duration?,
    _ begin: (PeripheralAccess, @escaping @Sendable (Result<Value, RadioFailure>) -> Void) -> Void
  ) async throws -> Value {
    let (access, core) = (access, self)
    return try await PendingOperation<Value>.run(
      on: executor,
      deadline: deadline,
      timeout: timeOut(operation, limit, on: central)
    ) { pending in
      begin(access) { [weak core] result in
        pending.finish(
          result.mapError { failure in core?.error(failure, operation, on: central) ?? failure as any Error }
        )
      }
    }
  }

  private func putOnAir(
    _ request: AdvertisingRequest,
    _ operation: BluetoothError.Operation,
    _ deadline: RadioInstant?,
    _ limit: Duration?
  ) async throws {
    guard let server else { throw error(.stopped, operation) }
    advertisingAttempts &+= 1
    try await perform(operation, deadline, limit) { (access, end) in
      access.startAdvertising(request, by: server, completion: end)
    }
  }

  /// Advertises something else.
  func advertise(_ advertising: PeripheralServer.Advertising, timeout: Timeout) async throws {
    guard phase == .running || phase == .suspended, case .success(let plan) = declaration else {
      throw error(.stopped, .advertise)
    }
    let start = generation
    let limit = timeout.duration(standard: configuration.timeouts.start)
    let request = advertising.request(standard: plan.primaryServices)
    let attempt = advertisingAttempts &+ 1
    do {
      try await putOnAir(request, .advertise, deadline(after: limit), limit)
    } catch {
      // Who does not wait any more wants what was there before, and the radio may still be about to do the other.
      let isRefusal = (error as? BluetoothError)?.underlying is RadioFailure
      if !isRefusal, generation == start, phase == .running, advertisingAttempts == attempt { advertiseAgain() }
      throw error
    }
    guard generation == start else { throw error(.stopped, .advertise) }
    self.advertising = advertising
    setPhase(.running)
  }

  // MARK: Stopping

  /// Ends all that the server does, at once.
  func close(_ reason: BluetoothError?) {
    guard phase != .stopped else { return }
    generation &+= 1
    let server = server
    self.server = nil
    endAllJobs()
    endAllChannels()
    let cause = reason ?? error(.stopped, .serve)
    for link in clients.keys.sorted(by: { $0.generation < $1.generation }) { left(link, cause, isStop: true) }
    // Those whose indications are still to be confirmed.
    for ticket in tickets.sorted(by: { $0.key < $1.key }) {
      ticket.value.operation.finish(.failure(error(.stopped, .send)))
    }
    characteristics = [:]
    if let server { access.closeServer(server) }
    setPhase(.stopped, reason)
  }

  /// Ends all that the server does and returns when it is off the air.
  func stop() async {
    guard phase != .stopped, let server else { return close(nil) }
    let (executor, access) = (executor, access)
    // The services go with the close; who waits here waits only for the air.
    try? await PendingOperation<Void>.run(on: executor, deadline: nil, timeout: { CancellationError() }) { pending in
      access.stopAdvertising(by: server) { pending.finish(.success(())) }
      close(nil)
    }
  }

  // MARK: What the radio tells

  func take(_ event: ServerEvent) {
    switch event {
    case .centralConnected(let link): connected(link)
    case .centralDisconnected(let link, let failure): left(link, error(failure, .connection, on: link), isStop: false)
    case .mtuChanged(let link, let mtu): mtuChanged(link, mtu)
    case .parametersChanged, .phyChanged, .dataLengthChanged, .stored: break
    case .read(let request): read(request)
    case .write(let request): write(request)
    case .requestEnded(let id): requestEnded(id)
    case .subscriptionChanged(let link, let handle, let modes): subscriptionChanged(link, handle, modes)
    case .readyToUpdate: readyToUpdate()
    case .advertisingEnded(let failure):
      if phase == .running { setPhase(.suspended, error(failure, .advertise)) }
    }
  }
}
