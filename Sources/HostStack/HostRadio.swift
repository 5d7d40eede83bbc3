import BluetoothTypes
import RadioPort

/// A radio made of our own host and any HCI controller: behind a socket, a serial line, or in the same process.
public actor HostRadio: CentralRadio, PeripheralRadio {
  /// Where the radio runs, and its clock.
  public nonisolated let executor: any RadioExecutor

  let channel: any HCIChannel
  var host: Host
  var log: (@Sendable (HostReport) -> Void)?

  var observers: [(id: RadioObservation, observe: @Sendable (RadioState) -> Void)] = []
  var peerObservers: [(id: RadioObservation, observe: @Sendable (PeerEvent) -> Void)] = []
  /// The packets by which the controller was started last, for who begins to look at packets later.
  package private(set) var startPackets: [RadioPacket] = []
  /// A start has fewer than this.
  private static let mostStartPackets = 200
  private var isStarting = false
  private var packetObservers: [(id: RadioObservation, observe: @Sendable (RadioPacket) -> Void)] = []
  var scans: [ScanID: ScanHandlers] = [:]
  var claims: [ClaimID: ClaimHandlers] = [:]
  var releases: [ClaimID: [@Sendable () -> Void]] = [:]
  var requests = RequestTable()
  var subscriptions: [SubscriptionID: SubscriptionHandlers] = [:]
  var endings: [SubscriptionID: [@Sendable (Result<Void, RadioFailure>) -> Void]] = [:]

  var serving = Serving()
  var channels = Channels()

  private var observationCount: UInt64 = 0
  /// Counts the openings of the channel: what an earlier one still delivers is dropped.
  private var opening: UInt64 = 0
  private var isOpen = false
  /// Whether the owner wants the radio on: whether ``powerOn()`` was called last, and not ``powerOff()``.
  package private(set) var isWanted = false
  private var isDelivering = false
  /// The state of the source of chance.
  private var chance: UInt64
  private var timer: (id: RadioTimer, deadline: RadioInstant)?

  /// Makes a radio that is off until ``powerOn()``.
  package init(executor: any RadioExecutor, channel: any HCIChannel, configuration: HostConfiguration) {
    self.executor = executor
    self.channel = channel
    host = Host(configuration: configuration)
    chance = configuration.randomness
  }

  deinit {
    guard isOpen else { return }
    let channel = self.channel
    executor.submit {
      channel.send(Reset().packet)
      channel.close()
    }
  }

  /// Whether the radio can be used.
  public var state: RadioState { host.state }

  /// A number by chance, seeded where the configuration is (SplitMix64).
  public func randomNumber() -> UInt64 {
    chance &+= 0x9E37_79B9_7F4A_7C15
    var number = chance
    number = (number ^ number &>> 30) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ number &>> 27) &* 0x94D0_49BB_1331_11EB
    return number ^ number &>> 31
  }

  /// What the controller is; empty until the radio is on.
  package var controllerInfo: ControllerInfo { host.info }

  /// From now on the private addresses of these devices are resolved, and the devices go by their identities.
  package func setIdentities(_ identities: [KnownIdentity]) {
    host.setIdentities(identities, now: executor.now)
    deliver()
  }

  /// From now on these are the keys that are shared with peers, by their identities.
  package func setKeys(_ keys: [BluetoothAddress: LongTermKey]) { host.setKeys(keys) }

  /// What is remembered of the services of peers; may be kept beyond the life of the radio and given to another.
  package var gattCache: GATTCache {
    get { host.gattCache }
    set { host.gattCache = newValue }
  }

  /// Tells `log` what the host got over from now on; `nil` for nobody.
  package func setLog(_ log: (@Sendable (HostReport) -> Void)?) { self.log = log }

  // MARK: Power

  /// Opens the channel to the controller and starts it. Does nothing if the channel is open.
  public func powerOn() {
    isWanted = true
    guard !isOpen else { return }
    isOpen = true
    opening &+= 1
    startPackets = []
    isStarting = true
    let opening = opening
    let receive = ActorEntrance<HostRadio, HCIPacket>(executor) { radio, packet in radio.receive(packet, opening) }
    let radio = WeakReference(self)
    channel.open(
      receive: { packet in if let radio = radio.object { receive(radio, packet) } },
      closed: { [weak self] failure in self?.assumeIsolated { $0.closed(failure, opening) } }
    )
    // It may have failed at once.
    guard isOpen else { return }
    host.powerOn(now: executor.now)
    deliver()
  }

  /// Closes the channel. All that is pending ends with `.poweredOff`.
  public func powerOff() {
    isWanted = false
    guard isOpen else { return }
    // So that the controller does not keep links that nobody serves.
    send(Reset().packet)
    isOpen = false
    opening &+= 1
    channel.close()
    host.powerOff(RadioState(.poweredOff, reason: "the radio was switched off"))
    deliver()
  }

  private func closed(_ failure: HCIChannelFailure, _ opening: UInt64) {
    guard opening == self.opening, isOpen else { return }
    isOpen = false
    host.powerOff(RadioState(.poweredOff, reason: failure.reason))
    // Who waits for this radio would wait for ever.
    if failure.kind == .ended { host.powerOff(RadioState(.unsupported, reason: failure.reason)) }
    deliver()
  }

  private func receive(_ packet: HCIPacket, _ opening: UInt64) {
    guard opening == self.opening, isOpen else { return }
    let now = executor.now
    if isStarting || !packetObservers.isEmpty { tell(packet, .toHost, now) }
    guard !isDelivering else {
      // What comes out of it is delivered behind the rest.
      host.receive(packet, now: now)
      if isStarting { isStarting = host.phase == .starting }
      return leaveFailedController()
    }
    var batch: [HostOutput] = []
    var deadline: RadioInstant?
    if !host.receive(packet, now: now, outputs: &batch, deadline: &deadline) { leaveFailedController() }
    if isStarting { isStarting = host.phase == .starting }
    deliver(&batch, &deadline)
  }

  /// A controller that failed is left alone; ``powerOn()`` may try it again.
  private func leaveFailedController() {
    guard host.phase == .off, isOpen else { return }
    send(Reset().packet)
    isOpen = false
    opening &+= 1
    channel.close()
  }

  // MARK: Delivery

  /// Sends and tells all that came out of the host, in order. What the told cause in turn comes behind it.
  func deliver() {
    guard !isDelivering else { return }
    var batch: [HostOutput] = []
    var deadline: RadioInstant?
    host.nextOutputs(&batch, deadline: &deadline)
    deliver(&batch, &deadline)
  }

  private func deliver(_ batch: inout [HostOutput], _ deadline: inout RadioInstant?) {
    isDelivering = true
    while !batch.isEmpty {
      // Who is told may close the channel and open it anew; the rest is not for that controller then.
      let opening = opening
      // Taken from the end they are moved: such an output costs more to copy than to handle.
      if batch.count > 1 { batch.reverse() }
      while let output = batch.popLast() {
        switch output {
        case .send(let packet): if opening == self.opening { send(packet) }
        case .event(let event): deliver(event)
        }
      }
      host.nextOutputs(&batch, deadline: &deadline)
    }
    isDelivering = false
    arm(deadline)
  }

  private func send(_ packet: HCIPacket) {
    guard isOpen else { return }
    if isStarting || !packetObservers.isEmpty { tell(packet, .toController, executor.now) }
    channel.send(packet)
  }

  private func tell(_ packet: HCIPacket, _ direction: HCIPacket.Direction, _ time: RadioInstant) {
    let packet = RadioPacket(time: time, direction: direction, packet: packet)
    if isStarting, startPackets.count < Self.mostStartPackets { startPackets.append(packet) }
    for observer in packetObservers { observer.observe(packet) }
  }

  // MARK: Time

  /// Keeps one timer that fires no later than the host's deadline. One that fires too early does no harm.
  private func arm(_ deadline: RadioInstant?) {
    guard let deadline else { return disarm() }
    if let timer {
      guard deadline < timer.deadline else { return }
      executor.cancel(timer.id)
    }
    let id = executor.schedule(at: deadline) { [weak self] in self?.assumeIsolated { $0.fired() } }
    timer = (id, deadline)
  }

  private func disarm() {
    guard let timer else { return }
    executor.cancel(timer.id)
    self.timer = nil
  }

  private func fired() {
    timer = nil
    host.wake(now: executor.now)
    leaveFailedController()
    deliver()
  }

  // MARK: State

  /// The longest ATT PDU on the link, in bytes; 23 until exchanged, and for a link that is gone.
  public func mtu(of link: LinkID) -> Int { host.mtu(of: link) }

  /// Calls `observer` for every change of the state from now on.
  public func observeState(_ observer: @escaping @Sendable (RadioState) -> Void) -> RadioObservation {
    let id = makeObservation()
    observers.append((id, observer))
    return id
  }

  /// Tells of every link that there is, and of each that comes or goes from now on.
  public func observePeers(_ observer: @escaping @Sendable (PeerEvent) -> Void) -> RadioObservation {
    let id = makeObservation()
    for event in host.peerEvents { observer(event) }
    peerObservers.append((id, observer))
    return id
  }

  /// Whether the controller has the extended packets of Bluetooth 5.
  public var hasExtendedAdvertising: Bool { host.info.hasExtendedAdvertising }

  /// Calls `observer` for every packet from now on; those of a controller that is closed do not pass.
  public func observePackets(
    _ observer: @escaping @Sendable (RadioPacket) -> Void
  ) throws(RadioFailure) -> RadioObservation {
    let id = makeObservation()
    packetObservers.append((id, observer))
    return id
  }

  /// Ends an observation.
  public func endObservation(_ observation: RadioObservation) {
    observers.removeAll { $0.id == observation }
    peerObservers.removeAll { $0.id == observation }
    packetObservers.removeAll { $0.id == observation }
  }

  private func makeObservation() -> RadioObservation {
    observationCount &+= 1
    return RadioObservation(rawValue: observationCount)
  }
}
