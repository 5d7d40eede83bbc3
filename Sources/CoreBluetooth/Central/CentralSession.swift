import BluetoothTypes
import RadioPort

/// What stands behind a ``CBCentralManager``, on the radio's executor: the radio's state and the scan.
///
/// What it is told to tell is called on the app's queue, in the order in which it happened.
actor CentralSession {
  /// A device that is connected to this program.
  private struct Connected: Sendable {
    let peer: PeerID
    /// `nil` as long as nobody has discovered them.
    var services: [BluetoothUUID]?
  }

  nonisolated let radio: RadioAccess
  nonisolated let delivery: Delivery
  private let stateChanged: @Sendable (RadioState) -> Void
  private let heard: @Sendable (Sighting) -> Void
  private let connectionEvent: @Sendable (CBConnectionEvent, PeerID) -> Void
  private let scanEnded: @Sendable (UInt64) -> Void
  /// Who is connected to this program, in the order in which they connected, for who asks from another thread.
  private nonisolated let connected = Guarded<[Connected]>([])

  private var filter: ConnectionEventFilter?
  private var peerObservation: RadioObservation?
  private var observation: RadioObservation?
  private var scan: ScanID?
  /// The number of the scan that runs.
  private var present: UInt64?
  private var isOver = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { radio.executor.asUnownedSerialExecutor() }

  init(
    radio: RadioAccess,
    delivery: Delivery,
    stateChanged: @escaping @Sendable (RadioState) -> Void,
    heard: @escaping @Sendable (Sighting) -> Void,
    connectionEvent: @escaping @Sendable (CBConnectionEvent, PeerID) -> Void,
    scanEnded: @escaping @Sendable (UInt64) -> Void
  ) {
    self.radio = radio
    self.delivery = delivery
    self.stateChanged = stateChanged
    self.heard = heard
    self.connectionEvent = connectionEvent
    self.scanEnded = scanEnded
  }

  /// Does something here, after all that was said before.
  nonisolated func perform(_ work: @escaping @Sendable (isolated CentralSession) -> Void) {
    radio.executor.submit { self.assumeIsolated { work($0) } }
  }

  /// Begins to follow the radio's state.
  func begin() {
    guard !isOver else { return }
    observation = radio.enter { radio in
      radio.observeState { [weak self] state in self?.assumeIsolated { $0.tell(state) } }
    }
    peerObservation = radio.enter { radio in
      radio.observePeers { [weak self] event in self?.assumeIsolated { $0.happened(event) } }
    }
    let state = radio.enter { $0.state }
    if state.power != .unknown { tell(state) }
  }

  private func tell(_ state: RadioState) {
    if state.power == .poweredOn {
      CBCentralManager.note(radio.enter { $0.hasExtendedAdvertising } ? .extendedScanAndConnect : [])
    }
    let stateChanged = stateChanged
    delivery.deliver { stateChanged(state) }
  }

  /// Scans from now on in this way, instead of another way before.
  ///
  /// - Parameters:
  ///   - number: Names the scan where its end is told.
  ///   - solicited: Devices that look for one of these are reported too.
  func startScan(_ number: UInt64, _ request: ScanRequest, solicited: [BluetoothUUID]) {
    let earlier = scan
    present = number
    let wanted = Set(request.services)
    let solicited = Set(solicited)
    var request = request
    if !solicited.isEmpty { request.services = [] }
    let isWanted: @Sendable (Sighting) -> Bool = { sighting in
      solicited.isEmpty || !wanted.isDisjoint(with: sighting.advertisement.serviceUUIDs)
        || !solicited.isDisjoint(with: sighting.advertisement.solicitedServiceUUIDs)
    }
    let asked = request
    scan = radio.enter { radio in
      radio.startScan(
        asked,
        sighting: { [weak self] sighting in
          if isWanted(sighting) { self?.assumeIsolated { $0.tell(sighting, number) } }
        },
        ended: { [weak self] failure in self?.assumeIsolated { $0.ended(failure, number) } }
      )
    }
    if let earlier { radio.enter { $0.stopScan(earlier) } }
  }

  private func tell(_ sighting: Sighting, _ number: UInt64) {
    guard number == present else { return }
    let heard = heard
    delivery.deliver { heard(sighting) }
  }

  private func ended(_ failure: RadioFailure, _ number: UInt64) {
    guard number == present else { return }
    present = nil
    scan = nil
    let scanEnded = scanEnded
    delivery.deliver { scanEnded(number) }
    if failure.kind != .poweredOff { Misuse.warn("the scan has ended: \(failure)") }
  }

  func stopScan() {
    present = nil
    if let scan { radio.enter { $0.stopScan(scan) } }
    scan = nil
  }

  // MARK: The connections of the whole program

  private func happened(_ event: PeerEvent) {
    connected.withLock { peers in
      switch event {
      case .connected(let peer): peers.append(Connected(peer: peer))
      case .disconnected(let peer): peers.removeAll { $0.peer == peer }
      case .servicesKnown(let peer, let services):
        for index in peers.indices where peers[index].peer == peer { peers[index].services = services }
      }
    }
    tellConnectionEvent(event)
  }

  private func tellConnectionEvent(_ event: PeerEvent) {
    guard let (event, peer) = filter?.take(event) else { return }
    let connectionEvent = connectionEvent
    delivery.deliver { connectionEvent(event, peer) }
  }

  /// Tells of the devices that the filter lets pass from now on, and of those that are connected already.
  func tellConnectionEvents(_ filter: ConnectionEventFilter?) {
    self.filter = filter
    for peer in connected.withLock({ $0 }) {
      tellConnectionEvent(.connected(peer.peer))
      if let services = peer.services { tellConnectionEvent(.servicesKnown(peer.peer, services)) }
    }
  }

  /// The devices that are connected to this program and have one of these services.
  nonisolated func connectedPeers(offering services: [BluetoothUUID]) -> [PeerID] {
    connected.withLock { $0.filter { $0.services?.contains(where: services.contains) ?? false }.map(\.peer) }
  }

  /// The manager is gone.
  func end() {
    isOver = true
    stopScan()
    for observation in [observation, peerObservation].compactMap(\.self) {
      radio.enter { $0.endObservation(observation) }
    }
    observation = nil
    peerObservation = nil
  }
}
