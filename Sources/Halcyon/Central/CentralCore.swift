import BluetoothTypes
import RadioPort
import Synchronization

/// What stands behind a ``Central``, on the radio's executor: the radio's state, the one object for each device, and the
/// scans that run.
actor CentralCore {
  nonisolated let access: RadioAccess
  nonisolated let executor: any RadioExecutor
  nonisolated let configuration: Central.Configuration
  nonisolated let states = UpdateHub<RadioState>(.value, .unknown)
  nonisolated let connectionEvents = UpdateHub<ConnectionEvent>(.events)
  nonisolated let activity = ActivityBoard()
  nonisolated let received: ReceptionHub
  nonisolated let roster = ConnectionRoster()

  var scans: [UInt64: ActiveScan] = [:] {
    didSet {
      guard scans.isEmpty != (scanMark == nil) else { return }
      scanMark = scans.isEmpty ? nil : activity.mark(.scanning)
    }
  }
  private var scanMark: ActivityMark?
  var scanCount: UInt64 = 0
  private var peripherals: [PeerID: WeakPeripheralCore] = [:]
  private var nextPurge = 64
  private var observation: RadioObservation?
  private var stateWaiters: [UInt64: StateWaiter] = [:]
  private var stateWatchers: [UInt64: @Sendable (RadioState) -> Void] = [:]
  private var waiterCount: UInt64 = 0

  private struct WeakPeripheralCore { weak var core: PeripheralCore? }

  /// Somebody who waits for a state, and what it means for them; `nil` to wait on.
  private struct StateWaiter {
    let operation: PendingOperation<Void>
    let verdict: @Sendable (RadioState) -> Result<Void, any Error>?
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(radio: any CentralRadio, configuration: Central.Configuration) {
    access = RadioAccess(radio)
    executor = radio.executor
    self.configuration = configuration
    received = ReceptionHub(language: configuration.language)
  }

  deinit {
    states.close()
    connectionEvents.close()
    activity.hub.close()
    received.close()
    roster.close()
    if let observation {
      let access = access
      executor.run { access.endObservation(observation) }
    }
  }

  // MARK: The radio's state

  /// Begins to follow the radio's state; at once, if the caller is on the executor.
  nonisolated func begin() {
    executor.run { [weak self] in self?.assumeIsolated { $0.observe() } }
  }

  private func observe() {
    guard observation == nil else { return }
    observation = access.observeState { [weak self] state in self?.assumeIsolated { $0.stateChanged(to: state) } }
    let state = access.state
    if state != states.current { stateChanged(to: state) }
  }

  /// The state, also where it has not been told yet.
  var currentState: RadioState {
    observe()
    return states.current ?? .unknown
  }

  private func stateChanged(to state: RadioState) {
    log(
      .info,
      .radio,
      "the radio is \(state.power)\(state.reason.map { ": \($0)" } ?? "")",
      "无线电状态：\(state.power)\(state.reason.map { "（\($0)）" } ?? "")"
    )
    states.send(state)
    // In the order in which they came, so that a run repeats.
    for (id, waiter) in stateWaiters.sorted(by: { $0.key < $1.key }) {
      guard let result = waiter.verdict(state) else { continue }
      stateWaiters[id] = nil
      waiter.operation.finish(result)
    }
    for (id, watcher) in stateWatchers.sorted(by: { $0.key < $1.key }) where stateWatchers[id] != nil { watcher(state) }
    if state.power != .unknown { startWaitingScans() }
  }

  /// Calls `watcher` for each change of the state, until told otherwise.
  func watchState(_ watcher: @escaping @Sendable (RadioState) -> Void) -> UInt64 {
    waiterCount &+= 1
    stateWatchers[waiterCount] = watcher
    return waiterCount
  }

  func endWatch(_ id: UInt64) { stateWatchers[id] = nil }

  func ready(within timeout: Timeout) async throws {
    let limit = timeout.duration(standard: configuration.timeouts.ready)
    let configuration = configuration
    let states = states
    try await waitForState(limit: limit) { state in
      switch state.power {
      case .poweredOn: .success(())
      case .unsupported, .unauthorized: .failure(Self.error(for: state, .ready, configuration.language))
      default: nil
      }
    } timeout: {
      BluetoothError(
        .timedOut,
        .ready,
        underlying: Self.failure(for: states.current ?? .unknown),
        detail: limit.map { .time($0) },
        language: configuration.language
      )
    }
  }

  /// Waits while it is not known whether the radio can be used, and while it is off if the configuration says so; fails
  /// if it can not be used.
  func requireRadio(
    for operation: BluetoothError.Operation,
    peripheral: BluetoothError.Subject?,
    limit: Duration?
  ) async throws {
    let language = configuration.language
    let waits = configuration.whenOff.waits
    let bound = configuration.whenOff.bound
    let isBoundFirst = bound.map { bound in limit.map { bound < $0 } ?? true } ?? false
    let states = states
    try await waitForState(limit: isBoundFirst ? bound : limit) { state in
      switch state.power {
      case .unknown: nil
      case .poweredOn: .success(())
      case .poweredOff where waits, .resetting where waits: nil
      // The radio fails with the reason, or is back by then.
      case .resetting: .success(())
      default: .failure(Self.error(for: state, operation, on: peripheral, language))
      }
    } timeout: {
      let state = states.current ?? .unknown
      if isBoundFirst, state.power != .unknown { return Self.error(for: state, operation, on: peripheral, language) }
      return BluetoothError(
        .timedOut,
        operation,
        peripheral: peripheral,
        underlying: state.power == .unknown ? nil : Self.failure(for: state),
        detail: limit.map { .time($0) },
        language: language
      )
    }
  }

  private func waitForState(
    limit: Duration?,
    verdict: @escaping @Sendable (RadioState) -> Result<Void, any Error>?,
    timeout: @escaping @Sendable () -> any Error
  ) async throws {
    if let result = verdict(currentState) { return try result.get() }
    try await PendingOperation<Void>.run(on: executor, deadline: deadline(after: limit), timeout: timeout) {
      operation in
      // Looked at again: the check and the registration must be one step.
      if let result = verdict(currentState) { return operation.finish(result) }
      waiterCount &+= 1
      let id = waiterCount
      stateWaiters[id] = StateWaiter(operation: operation, verdict: verdict)
      operation.onEnd { [weak self] _ in self?.assumeIsolated { $0.stateWaiters[id] = nil } }
    }
  }

  nonisolated static func error(
    for state: RadioState,
    _ operation: BluetoothError.Operation,
    on peripheral: BluetoothError.Subject? = nil,
    _ language: Language
  ) -> BluetoothError {
    let kind = BluetoothError.kind(of: state)
    return BluetoothError(
      kind,
      operation,
      peripheral: peripheral,
      underlying: failure(for: state),
      language: language
    )
  }

  private nonisolated static func failure(for state: RadioState) -> RadioFailure {
    RadioFailure(
      RadioFailure.Kind(rawValue: BluetoothError.kind(of: state).name),
      reason: state.reason ?? "the radio's state is \(state.power)"
    )
  }

  // MARK: Peripherals

  /// The one object for a device.
  func peripheral(_ id: PeerID) -> Peripheral { peripheralCore(id).handle }

  /// The object for a device, if somebody holds it.
  func heldPeripheral(_ id: PeerID) -> Peripheral? { peripherals[id]?.core?.handle }

  func peripheralIfHeld(_ id: PeerID) -> PeripheralCore? { peripherals[id]?.core }

  func peripheralCore(_ id: PeerID) -> PeripheralCore {
    if let core = peripherals[id]?.core { return core }
    // Now and then, so that a new device costs little also where many are held.
    if peripherals.count >= nextPurge {
      peripherals = peripherals.filter { $0.value.core != nil }
      nextPurge = max(64, peripherals.count * 2)
    }
    let core = PeripheralCore(id: id, central: self)
    peripherals[id] = WeakPeripheralCore(core: core)
    return core
  }

  // MARK: Common

  nonisolated func deadline(after limit: Duration?) -> RadioInstant? { limit.map { executor.now.advanced(by: $0) } }

  nonisolated func log(
    _ level: LogEntry.Level,
    _ category: LogEntry.Category = .connection,
    _ english: @autoclosure () -> String,
    _ chinese: @autoclosure () -> String? = nil
  ) {
    configuration.log?.log(level, category, at: executor.now, configuration.language, english, chinese)
  }
}
