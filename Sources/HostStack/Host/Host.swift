import BluetoothTypes
import RadioPort

/// A whole Bluetooth Low Energy host on one controller: packets, calls and the time go in; packets and events come out.
///
/// It has no clock and does no I/O. After each call the owner takes the outputs, in order, and sees to it that `wake` is
/// called when ``deadline`` has come.
package struct Host: Sendable {
  enum Phase: Sendable {
    case off
    case starting
    case on
  }

  package let configuration: HostConfiguration

  var outputs: [HostOutput] = []
  /// Memory for outputs on their way.
  private var spareOutputs: [HostOutput] = []
  var phase = Phase.off
  /// Whether the host can be used.
  package internal(set) var state = RadioState.unknown
  /// What the controller is; empty until it has started.
  package internal(set) var info = ControllerInfo()

  var startup: Startup
  var commands: CommandQueue<CommandPurpose>
  var data = ACLScheduler()
  var scanner: Scanner
  var connector = Connector()
  /// One for each set that is or was in use.
  var advertisers: [Advertiser] = []
  var resolver: IdentityResolver
  var resolution: AddressResolution
  var turns: ExclusiveTurns?
  var restarts = RestartLimit()
  var server: GATTServer
  var links: [HostedLink] = []
  var claims: [Claim] = []
  var subscriptions: [SubscriptionID: LinkID] = [:]
  /// What is remembered of the services of peers, beyond their links.
  package var gattCache = GATTCache()
  /// The keys that are shared with peers, by their identities.
  var keys: [BluetoothAddress: LongTermKey] = [:]
  /// Whose each channel is: those that are open or wanted.
  var channels: [ChannelID: HostedChannel] = [:]
  /// The PSMs that are published.
  var channelListeners: [ChannelListener] = []
  /// The PDUs of clients that wait for the owner's word, oldest first.
  var intercepted: [(id: InterceptID, link: LinkID, pdu: [UInt8], isRequest: Bool)] = []
  /// The wishes for channels that wait for it.
  var channelWishes: [ChannelWish] = []

  /// Whether what the controller is to do may have changed.
  var isControlDirty = false
  var scratch: [LinkOutput] = []
  var serverScratch: [GATTServer.Output] = []
  private var counter: UInt64 = 0

  package init(configuration: HostConfiguration = HostConfiguration()) {
    self.configuration = configuration
    startup = Self.startup(configuration)
    resolver = IdentityResolver(configuration.identities)
    resolution = AddressResolution(configuration.identities, ownKey: configuration.ownIdentityKey)
    commands = CommandQueue(timeout: configuration.commandTimeout)
    scanner = Scanner(timing: configuration.scanTiming)
    server = GATTServer(database: configuration.makeDatabase())
  }

  /// A number that was never given out before.
  mutating func nextNumber() -> UInt64 {
    counter &+= 1
    return counter
  }

  // MARK: Out

  /// Whether something waits to be taken.
  package var hasOutputs: Bool { !outputs.isEmpty }

  /// Takes what has come out, oldest first.
  package mutating func takeOutputs() -> [HostOutput] {
    var taken: [HostOutput] = []
    swap(&taken, &outputs)
    return taken
  }

  /// Takes what has come out, oldest first, into the empty `buffer`. Once nothing has come out, tells when `wake` is due,
  /// and keeps the memory of `buffer` for the next time.
  ///
  /// In one call, as for each look at its host an actor has to make sure that nobody else looks.
  package mutating func nextOutputs(_ buffer: inout [HostOutput], deadline: inout RadioInstant?) {
    swap(&outputs, &buffer)
    if outputs.capacity == 0 { swap(&outputs, &spareOutputs) }
    guard buffer.isEmpty else { return }
    deadline = currentDeadline()
    swap(&buffer, &spareOutputs)
  }

  mutating func emit(_ event: HostEvent) { outputs.append(.event(event)) }

  mutating func report(_ kind: HostReport.Kind, _ text: String) {
    outputs.append(.event(.report(HostReport(kind, text))))
  }

  // MARK: Power

  /// Starts the controller, or starts it again.
  package mutating func powerOn(now: RadioInstant) {
    if phase != .off { fail(RadioState(.resetting, reason: "the controller is started again")) }
    restarts = RestartLimit()
    start(now: now)
  }

  private static func startup(_ configuration: HostConfiguration) -> Startup {
    Startup(randomness: configuration.randomness, randomAddress: configuration.randomAddress)
  }

  mutating func start(now: RadioInstant) {
    startup = Self.startup(configuration)
    phase = .starting
    commands.reset()
    startup.begin(&commands)
    settle(now)
  }

  /// The controller is gone, or to be left alone: all that is pending ends with `.poweredOff`.
  package mutating func powerOff(_ state: RadioState = RadioState(.poweredOff)) { fail(state) }

  // MARK: Time

  /// When `wake` is due; `nil` if nothing happens until something goes in.
  package var deadline: RadioInstant? {
    var copy = self
    return copy.currentDeadline()
  }

  /// The same. A read of ``deadline`` copies the whole host first; a call that may change it does not.
  package mutating func currentDeadline() -> RadioInstant? {
    var first = RadioInstant.distantFuture
    func take(_ other: RadioInstant?) { if let other, other < first { first = other } }
    take(commands.deadline)
    guard phase == .on else { return first == .distantFuture ? nil : first }
    // In a span, as a link is else copied to be asked.
    let links = links.span
    for index in links.indices {
      take(links[index].link.deadline)
      take(links[index].closing?.bound)
    }
    take(server.deadline)
    take(connector.deadline(info))
    if let turns, connector.hasWishes, scanner.isWanted { take(turns.until) }
    return first == .distantFuture ? nil : first
  }

  /// Lets happen what is due; too early does no harm.
  package mutating func wake(now: RadioInstant) {
    if let overdue = commands.overdue(now: now) {
      return fail(
        RadioState(
          .poweredOff,
          reason: "the controller does not answer: \(overdue); check that it is attached and powered, then try again"
        )
      )
    }
    guard phase == .on else { return }
    for index in links.indices { links[index].link.wake(now: now) }
    finishOverdue(now: now)
    server.wake(now: now)
    isControlDirty = true
    settle(now)
  }

  /// Does all that follows from what has gone in.
  mutating func settle(_ now: RadioInstant) {
    repeat {
      drainLinks(now)
      if isControlDirty { updateControl(now) }
      while let packet = commands.nextPacket(now: now) { outputs.append(.send(packet)) }
    } while sendData(now)
  }

  /// Hands over as much data as the controller takes; whether somebody waited for that.
  private mutating func sendData(_ now: RadioInstant) -> Bool {
    var isNews = false
    while let next = data.nextPacket() {
      outputs.append(.send(next.packet))
      guard let handed = next.handed, let index = index(ofHandle: handed.handle) else {
        continue
      }
      isNews = true
      if case .server = handed.token {
        frameOfServerSent(index)
      } else {
        links[index].link.frameSent(handed.token, now: now)
      }
    }
    return isNews
  }

  private mutating func updateControl(_ now: RadioInstant) {
    isControlDirty = false
    guard phase == .on else { return }
    scanner.listen(on: hiddenPHYs)
    var (holdsScans, holdsConnects) = (false, false)
    if turns != nil {
      turns?.update(scans: scanner.isWanted, connects: connector.hasWishes, now: now)
      let isConnecting = turns?.isConnecting ?? false
      holdsScans = connector.isBusy || isConnecting && connector.hasWishes
      holdsConnects = !isConnecting || scanner.isActiveInController
    }
    let isPaused = resolution.needsPause(info)
    scanner.hold(holdsScans || isPaused)
    connector.hold(holdsConnects || isPaused)
    scanner.update(&commands, info)
    connector.update(&commands, info, now: now)
    for index in advertisers.indices {
      advertisers[index].hold(isPaused)
      advertisers[index].update(&commands, info)
    }
    guard isPaused else { return }
    let isQuiet = !scanner.isActiveInController && !connector.isBusy && advertisers.allSatisfy(\.isIdle)
    resolution.update(&commands, info, isQuiet: isQuiet)
  }
}

// MARK: - Failure

extension Host {
  /// Ends everything that is pending, once, and comes to rest.
  mutating func fail(_ state: RadioState) {
    let failure = Self.failure(for: state)
    phase = .off
    // Whatever comes next for the controller, it begins with a reset; what was for before must not come behind that.
    outputs.removeAll { if case .send = $0 { true } else { false } }
    setState(state)
    commands.reset()
    turns = nil
    connector = Connector()
    data = ACLScheduler()
    info = ControllerInfo()
    resolution = AddressResolution(resolver.identities, ownKey: configuration.ownIdentityKey)
    isControlDirty = false
    endAllLinks(failure)
    for claim in claims where claim.handle == nil { emit(.claimed(claim.id, .failure(failure))) }
    claims.removeAll()
    for scan in scanner.removeAll() { emit(.scanEnded(scan, failure)) }
    for advertiser in advertisers where advertiser.wanted != nil || !advertiser.isIdle {
      emit(.advertisingStopped(advertiser.set, failure))
    }
    advertisers = []
    intercepted.removeAll()
    channelWishes.removeAll()
    subscriptions.removeAll()
  }

  mutating func setState(_ state: RadioState) {
    guard state != self.state else { return }
    self.state = state
    emit(.state(state))
  }

  /// The failure for what can not be done as long as the host is not on.
  static func failure(for state: RadioState) -> RadioFailure {
    switch state.power {
    case .unsupported: RadioFailure(.unsupported, reason: state.reason ?? "there is no Low Energy here")
    case .unauthorized: RadioFailure(.unauthorized, reason: state.reason ?? "this program may not use the radio")
    default:
      RadioFailure(.poweredOff, reason: state.reason ?? "the radio is off: wait until it is powered on")
    }
  }

  /// The failure for a command that the controller refused: one that it does not have will not work next time either.
  static func refusal(_ status: HCIStatus, reason: String) -> RadioFailure {
    let isMissing = status == .unknownHCICommand || status == .unsupportedFeatureOrParameterValue
    return RadioFailure(isMissing ? .unsupported : .controller, underlying: .hci(status), reason: reason)
  }

  var offFailure: RadioFailure { Self.failure(for: state) }
}
