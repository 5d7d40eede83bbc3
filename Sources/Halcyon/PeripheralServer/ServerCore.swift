import BluetoothTypes
import RadioPort
import Synchronization

/// What stands behind a ``PeripheralServer``, on the radio's executor: its services at the radio, its centrals, and the
/// handlers that run.
actor ServerCore {
  /// Where it stands.
  enum Phase {
    case stopped
    case starting
    case running
    case suspended
  }

  nonisolated let access: PeripheralAccess
  nonisolated let executor: any RadioExecutor
  nonisolated let configuration: PeripheralServer.Configuration
  nonisolated let declaration: Result<ServerPlan, ServerPlan.Problem>
  nonisolated let states = UpdateHub<PeripheralServer.State>(.value, .stopped(nil))
  nonisolated let centrals = UpdateHub<[ConnectedCentral]>(.value, [])
  nonisolated let subscriptions = UpdateHub<[PeripheralServer.Subscription]>(.value, [])
  nonisolated let events = UpdateHub<PeripheralServer.Event>(.events)
  private nonisolated let updateLengths = Mutex<[LinkID: Int]>([:])

  var phase = Phase.stopped
  /// Counts the starts and stops: what belongs to an earlier one is dropped.
  var generation: UInt64 = 0
  var server: ServerID?
  var advertising: PeripheralServer.Advertising
  /// Counts what was given to the radio to be advertised: only the answer to the last one counts.
  var advertisingAttempts: UInt64 = 0
  var stateWaiters: [UInt64: PendingOperation<Void>] = [:]
  private var observation: RadioObservation?
  private var numberCount: UInt64 = 0

  /// What is published, by the handles of the values.
  var characteristics: [AttributeHandle: ServerPlan.PlannedCharacteristic] = [:]
  var clients: [LinkID: Client] = [:]
  var tickets: [UInt64: SendTicket] = [:]
  var jobs: [ServerRequestID: Job] = [:]
  /// What waits behind a handler for the same central and characteristic.
  var lines: [Line: [ServerRequestID]] = [:]
  /// The PSMs on which others may open channels, and the channels that they have opened.
  var publications: [UInt64: Publication] = [:]
  var channels: [UInt64: ServedChannel] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    radio: any PeripheralRadio,
    advertising: PeripheralServer.Advertising,
    configuration: PeripheralServer.Configuration,
    services: [Service]
  ) {
    access = PeripheralAccess(radio)
    executor = radio.executor
    self.advertising = advertising
    self.configuration = configuration
    declaration = Result { () throws(ServerPlan.Problem) in try ServerPlan(services) }
  }

  deinit {
    states.close()
    centrals.close()
    subscriptions.close()
    events.close()
    for job in jobs.values { job.task?.cancel() }
    for client in clients.values { for task in client.handlers.values { task.cancel() } }
    for channel in channels.values { channel.task?.cancel() }
    let (access, observation, server) = (access, observation, server)
    guard observation != nil || server != nil else { return }
    let (listeners, cores) = (publications.values.compactMap(\.listener), channels.values.map(\.core))
    executor.run {
      for listener in listeners { ChannelAccess(access.radio).unpublish(listener) }
      for core in cores { core.assumeIsolated { $0.end(.stopped) } }
      if let observation { access.endObservation(observation) }
      if let server { access.closeServer(server) }
    }
  }

  func nextNumber() -> UInt64 {
    numberCount &+= 1
    return numberCount
  }

  // MARK: What programs see at once

  nonisolated func updateLength(of link: LinkID) -> Int { updateLengths.withLock { $0[link] } ?? 20 }

  func setUpdateLength(_ length: Int?, of link: LinkID) { updateLengths.withLock { $0[link] = length } }

  func setPhase(_ phase: Phase, _ error: BluetoothError? = nil) {
    self.phase = phase
    let state: PeripheralServer.State =
      switch phase {
      case .stopped: .stopped(error)
      case .starting: .starting
      case .running: .running
      case .suspended: .suspended(error ?? self.error(.poweredOff, .advertise))
      }
    log(.info, .server, "the server is \(state)", "服务状态：\(state)")
    states.send(state)
  }

  // MARK: The radio's state

  func observe() {
    guard observation == nil else { return }
    observation = access.observeState { [weak self] state in self?.assumeIsolated { $0.stateChanged(to: state) } }
  }

  private func stateChanged(to state: RadioState) {
    if state.power != .unknown {
      let waiters = stateWaiters.sorted { $0.key < $1.key }
      stateWaiters = [:]
      for waiter in waiters { waiter.value.finish(.success(())) }
    }
    // The services are still there.
    if state.power == .poweredOn, phase == .suspended { advertiseAgain() }
  }

  /// Has the radio advertise what it did before.
  func advertiseAgain() {
    guard let server, case .success(let plan) = declaration else { return }
    let generation = generation
    advertisingAttempts &+= 1
    let attempt = advertisingAttempts
    access.startAdvertising(advertising.request(standard: plan.primaryServices), by: server) { [weak self] result in
      self?.assumeIsolated { core in
        guard core.generation == generation, core.advertisingAttempts == attempt else { return }
        switch result {
        case .success: if core.phase == .suspended { core.setPhase(.running) }
        case .failure(let failure): core.setPhase(.suspended, core.error(failure, .advertise))
        }
      }
    }
  }

  // MARK: Errors and the log

  nonisolated func error(
    _ kind: BluetoothError.Kind,
    _ operation: BluetoothError.Operation,
    on central: LinkID? = nil,
    of name: CharacteristicName? = nil,
    underlying: (any Error)? = nil,
    detail: BluetoothError.Detail? = nil
  ) -> BluetoothError {
    BluetoothError(
      kind,
      operation,
      peripheral: central.map { BluetoothError.Subject(id: $0.peer, name: nil) },
      characteristic: name.map { Characteristic($0) },
      underlying: underlying,
      detail: detail,
      language: configuration.language
    )
  }

  nonisolated func error(
    _ failure: RadioFailure,
    _ operation: BluetoothError.Operation,
    on central: LinkID? = nil,
    of name: CharacteristicName? = nil
  ) -> BluetoothError {
    error(BluetoothError.kind(of: failure), operation, on: central, of: name, underlying: failure)
  }

  nonisolated func log(
    _ level: LogEntry.Level,
    _ category: LogEntry.Category = .server,
    _ english: @autoclosure () -> String,
    _ chinese: @autoclosure () -> String? = nil
  ) {
    configuration.log?.log(level, category, at: executor.now, configuration.language, english, chinese)
  }

  nonisolated func deadline(after limit: Duration?) -> RadioInstant? { limit.map { executor.now.advanced(by: $0) } }
}
