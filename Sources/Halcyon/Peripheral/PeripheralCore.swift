import BluetoothTypes
import RadioPort
import Synchronization

/// What stands behind a ``Peripheral``, on the radio's executor: its connection, what was discovered on it, and all that
/// runs on it.
actor PeripheralCore {
  nonisolated let id: PeerID
  nonisolated let central: CentralCore
  nonisolated let access: RadioAccess
  nonisolated let executor: any RadioExecutor
  nonisolated let states = UpdateHub<ConnectionState>(.value, .disconnected(nil))
  nonisolated let names = UpdateHub<String?>(.value, .some(nil))
  nonisolated let rssiReadings = UpdateHub<Int>(.value)
  nonisolated let serviceChanges = UpdateHub<ServiceChange>(.events)
  private nonisolated let knownFacts = Mutex(PeripheralFacts())
  private nonisolated let weakHandle = Mutex(WeakHandle())

  /// The connection of this central, or its wish for one.
  var claim: Claim?
  var claimCount: UInt64 = 0
  var connectWaiters: [UInt64: PendingOperation<Void>] = [:] {
    didSet {
      guard connectWaiters.isEmpty != (connectMark == nil) else { return }
      connectMark = connectWaiters.isEmpty ? nil : central.activity.mark(.connecting)
    }
  }
  private var connectMark: ActivityMark?
  /// How the device is to be connected, as the program said last.
  var plan: ConnectionPlan
  /// A connection that is being made again.
  var reconnecting: Reconnecting?
  /// A first connect that waits for Bluetooth.
  var powerWait: PowerWait?
  /// Operations that wait until the connection is ready.
  var readyWaiters: [UInt64: ReadyWaiter] = [:]
  /// Releases that the radio is not done with, and who waits for them.
  var releases: [UInt64: [PendingOperation<Void>]] = [:]
  var owesDisconnectEvent = false
  var lastLoss = LinkLoss()

  /// What runs on the link and fails with it.
  var running: [UInt64: @Sendable (LinkLoss) -> Void] = [:]
  var database = DiscoveredDatabase()
  var discoveries: [UInt64: RunningDiscovery] = [:] {
    didSet {
      guard discoveries.isEmpty != (discoveryMark == nil) else { return }
      discoveryMark = discoveries.isEmpty ? nil : central.activity.mark(.discovering)
    }
  }
  private var discoveryMark: ActivityMark?
  var feeds: [UInt64: ActiveFeed] = [:]
  private var lastSighting: Sighting?
  /// Subscriptions that are held without a reader.
  var heldReaders: [UInt64: HeldReader] = [:]
  /// What goes on over losses of the connection, and ends when the program ends it, or with the error if it does not come
  /// back as it was to.
  var uses: [UInt64: @Sendable (BluetoothError?) -> Void] = [:]
  var order = OperationOrder()
  var turns: [TurnKey: TurnQueue] = [:]
  private var numberCount: UInt64 = 0

  struct Claim {
    let number: UInt64
    var id: ClaimID?
    /// The link, once it is up.
    var link: LinkID?
    /// Whether its set-up is done, so that all may use it.
    var isReady = false
    /// The set-up, while it runs.
    var setUp: SetUpRun?
  }

  private struct WeakHandle { weak var peripheral: Peripheral? }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(id: PeerID, central: CentralCore) {
    self.id = id
    self.central = central
    plan = ConnectionPlan(reconnect: central.configuration.reconnect)
    access = central.access
    executor = central.executor
  }

  deinit {
    states.close()
    for timer in [reconnecting?.timer, powerWait?.timer] {
      if let timer { executor.cancel(timer) }
    }
    for watch in [reconnecting?.watch, powerWait?.watch] {
      guard let watch else { continue }
      let central = central
      executor.run { central.assumeIsolated { $0.endWatch(watch) } }
    }
    names.close()
    rssiReadings.close()
    serviceChanges.close()
    if let claim = claim?.id {
      let access = access
      executor.run { access.release(claim) }
    }
    central.roster.remove(id, ObjectIdentifier(self))
  }

  /// The object that programs hold. Never two at a time.
  nonisolated var handle: Peripheral {
    weakHandle.withLock { handle in
      if let peripheral = handle.peripheral { return peripheral }
      let peripheral = Peripheral(core: self)
      handle.peripheral = peripheral
      return peripheral
    }
  }

  nonisolated var facts: PeripheralFacts { knownFacts.withLock { $0 } }

  func updateFacts(_ change: @Sendable (inout PeripheralFacts) -> Void) {
    let (old, new) = knownFacts.withLock { facts in
      let old = facts.name
      change(&facts)
      return (old, facts.name)
    }
    if old != new { names.send(new) }
  }

  /// The link, if it is up.
  var link: LinkID? { claim?.link }

  func nextNumber() -> UInt64 {
    numberCount &+= 1
    return numberCount
  }

  nonisolated func attempt(
    _ operation: BluetoothError.Operation,
    _ name: CharacteristicName? = nil,
    limit: Duration? = nil
  ) -> Attempt {
    Attempt(
      operation: operation,
      name: name,
      limit: limit,
      subject: BluetoothError.Subject(id: id, name: facts.name),
      language: central.configuration.language
    )
  }

  /// The system remembers the device's name.
  func named(_ name: String) { updateFacts { $0.name = $0.name ?? name } }

  /// A scan has heard the device.
  func heard(_ sighting: Sighting) {
    // Each scan tells of it.
    guard sighting != lastSighting else { return }
    lastSighting = sighting
    updateFacts { facts in
      facts.advertisement = sighting.advertisement
      if let name = sighting.advertisement.localName { facts.name = name }
      if let rssi = sighting.rssi { facts.rssi = rssi }
      facts.smoothedRSSI.add(sighting.rssi, at: sighting.time)
    }
    if let rssi = sighting.rssi { rssiReadings.send(rssi) }
  }
}
