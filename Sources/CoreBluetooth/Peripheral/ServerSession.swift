import BluetoothTypes
import RadioPort

/// What stands behind a ``CBPeripheralManager``, on the radio's executor: its server, and the values that wait for room.
///
/// What it is told to tell is called on the app's queue, in the order in which it happened.
actor ServerSession {
  /// What is told besides the results of calls.
  enum Event: Sendable {
    case state(RadioState)
    case server(ServerEvent, mtu: Int)
    /// A value that waited is on its way or has failed.
    case updated
    /// A central has opened a channel.
    case channel(ChannelSession, ChannelInfo, mtu: Int)
  }

  typealias Completion<Value> = @Sendable (Result<Value, RadioFailure>) -> Void

  /// A value that is to be sent.
  private struct Update {
    let value: [UInt8]
    let characteristic: AttributeHandle
    let centrals: [LinkID]?
  }

  nonisolated let radio: RadioAccess
  nonisolated let delivery: Delivery
  private let observe: @Sendable (Event) -> Void
  private var server: ServerID?
  private var observation: RadioObservation?
  /// The requests that the app has yet to answer.
  private var requests: Set<ServerRequestID> = []
  private var waiting: [Update] = []
  private var waitsForRoom = false
  /// The PSMs that centrals can open channels to.
  private var listeners: [L2CAPPSM: ChannelListenerID] = [:]
  /// The channels that centrals have opened, as long as somebody keeps them.
  private var channels: [WeakCarried<ChannelSession>] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { radio.executor.asUnownedSerialExecutor() }

  init(radio: RadioAccess, delivery: Delivery, observe: @escaping @Sendable (Event) -> Void) {
    self.radio = radio
    self.delivery = delivery
    self.observe = observe
  }

  /// Does something here, after all that was said before.
  nonisolated func perform(_ work: @escaping @Sendable (isolated ServerSession) -> Void) {
    radio.executor.submit { self.assumeIsolated { work($0) } }
  }

  private func tell(_ event: Event) {
    let observe = observe
    delivery.deliver { observe(event) }
  }

  /// Begins to serve and to follow the radio's state.
  func begin() {
    server = radio.enter { radio in
      radio.openServer { [weak self] event in self?.assumeIsolated { $0.happened(event) } }
    }
    observation = radio.enter { radio in
      radio.observeState { [weak self] state in self?.assumeIsolated { $0.stateChanged(to: state) } }
    }
    let (state, centrals) = radio.enter { ($0.state, $0.centrals) }
    if state.power != .unknown { tell(.state(state)) }
    for central in centrals { happened(.centralConnected(central)) }
  }

  private func stateChanged(to state: RadioState) {
    tell(.state(state))
    // What waits for room fails now, as there are no centrals any more.
    if state.power != .poweredOn {
      waitsForRoom = false
      sendWaiting()
    }
  }

  private func happened(_ event: ServerEvent) {
    switch event {
    case .readyToUpdate:
      waitsForRoom = false
      sendWaiting()
    case .read(let request):
      requests.insert(request.id)
      tell(.server(event, mtu: 0))
    case .write(let request):
      if request.wantsResponse { requests.insert(request.id) }
      tell(.server(event, mtu: 0))
    case .requestEnded(let request): requests.remove(request)
    case .centralConnected(let central): tell(.server(event, mtu: radio.enter { $0.mtu(of: central) }))
    default: tell(.server(event, mtu: 0))
    }
  }

  // MARK: Services

  /// - Parameter included: The services that it includes; `nil` for one that was given to no manager.
  func publish(
    _ service: ServiceDefinition,
    including included: [Publication?],
    as publication: Publication,
    _ finish: @escaping Completion<PublishedService>
  ) {
    guard let server else { return }
    let delivery = delivery
    let state = radio.enter { $0.state }
    guard state.power == .poweredOn else {
      publication.state.withLock { $0 = .over }
      let failure = RadioFailure(.poweredOff, reason: state.reason ?? "the radio is not on")
      return delivery.deliver { finish(.failure(failure)) }
    }
    var complete = service
    // Only now, as they have their handles when they were published.
    complete.includes = included.compactMap { $0?.handle }
    guard complete.includes.count == included.count else {
      publication.state.withLock { $0 = .over }
      let reason = "the service \(service.uuid) includes one that is not published: add that one first"
      return delivery.deliver { finish(.failure(RadioFailure(.invalidArgument, reason: reason))) }
    }
    radio.enter { [complete] radio in
      radio.publish(complete, by: server) { [weak self] result in
        delivery.deliver { finish(result) }
        self?.assumeIsolated { $0.published(publication, result) }
      }
    }
  }

  private func published(_ publication: Publication, _ result: Result<PublishedService, RadioFailure>) {
    let unwanted = publication.state.withLock { state in
      guard case .pending(let unwanted) = state else { return nil as Completion<Void>? }
      if case .success(let published) = result { state = .published(published.handle) } else { state = .over }
      return unwanted
    }
    if let unwanted { withdraw(publication, unwanted) }
  }

  /// Withdraws what is published. What is still on its way is withdrawn when it is.
  func withdraw(_ publication: Publication, _ finish: @escaping Completion<Void>) {
    let delivery = delivery
    let handle: AttributeHandle? = publication.state.withLock { state in
      switch state {
      case .pending:
        state = .pending(unwanted: finish)
        return nil
      case .published(let handle):
        state = .over
        return handle
      case .over: return nil
      }
    }
    guard let server, let handle else { return }
    radio.enter { radio in
      radio.withdraw(handle, by: server) { result in delivery.deliver { finish(result) } }
    }
  }

  // MARK: Values

  func respond(to request: ServerRequestID, with result: Result<[UInt8], ATTErrorCode>) {
    requests.remove(request)
    radio.enter { $0.respond(to: request, with: result) }
  }

  /// Answers what the app has let go without an answer, if the central still waits for it.
  func refuseForgotten(_ request: ServerRequestID) {
    guard requests.contains(request) else { return }
    Misuse.log("A request was released without respond(to:withResult:); it is refused")
    respond(to: request, with: .failure(.unlikelyError))
  }

  /// Sends a value behind those that wait.
  func update(_ value: [UInt8], of characteristic: AttributeHandle, to centrals: [LinkID]?) {
    waiting.append(Update(value: value, characteristic: characteristic, centrals: centrals))
    if !waitsForRoom { sendWaiting() }
  }

  private func sendWaiting() {
    guard let server else { return }
    while !waitsForRoom, let update = waiting.first {
      let outcome = radio.enter { radio in
        Result { () throws(RadioFailure) in
          try radio.update(
            update.value,
            of: update.characteristic,
            to: update.centrals,
            mode: .asSubscribed,
            by: server,
            confirmed: nil
          )
        }
      }
      switch outcome {
      case .success(.full):
        waitsForRoom = true
        return
      case .success(.sent): break
      case .failure(let failure) where failure.kind == .tooLong && narrow(update): continue
      case .failure(let failure): Misuse.warn("a value could not be sent to those who have subscribed: \(failure)")
      }
      waiting.removeFirst()
      tell(.updated)
    }
  }

  /// Leaves out those for whom a value is too long; whether there are such, and others.
  private func narrow(_ update: Update) -> Bool {
    let (subscribers, limits) = radio.enter { radio in
      let subscribers = radio.subscribers(of: update.characteristic)
      return (subscribers, subscribers.map { min(512, radio.mtu(of: $0) - 3) })
    }
    let all = zip(subscribers, limits).filter { link, _ in update.centrals?.contains(link) ?? true }
    let able = all.filter { $0.1 >= update.value.count }.map(\.0)
    guard !able.isEmpty, able.count < all.count else { return false }
    Misuse.warn(
      "a value of \(update.value.count) bytes is too long for \(all.count - able.count) of \(all.count) centrals, and is "
        + "sent to the others only; see maximumUpdateValueLength"
    )
    waiting[0] = Update(value: update.value, characteristic: update.characteristic, centrals: able)
    return true
  }

  // MARK: Advertising and links

  func startAdvertising(_ request: AdvertisingRequest, _ finish: @escaping Completion<Void>) {
    guard let server else { return }
    let delivery = delivery
    radio.enter { radio in
      radio.startAdvertising(request, by: server) { result in delivery.deliver { finish(result) } }
    }
  }

  func stopAdvertising() {
    guard let server else { return }
    radio.enter { $0.stopAdvertising(by: server, completion: {}) }
  }

  func requestParameters(_ options: LinkOptions, of central: LinkID) {
    radio.enter { radio in
      radio.requestParameters(options, of: central) { result in
        if case .failure(let failure) = result { Misuse.warn("the connection latency stays as it is: \(failure)") }
      }
    }
  }

  // MARK: Channels

  func publishChannel(requiresEncryption: Bool, _ finish: @escaping Completion<L2CAPPSM>) {
    let (radio, delivery) = (radio, delivery)
    // The radio may say what becomes of it before it names it, or after.
    let known = Guarded<(psm: L2CAPPSM?, listener: ChannelListenerID?)>((nil, nil))
    let listener = radio.enter { port in
      port.publishChannel(
        ChannelPublication(requiresEncryption: requiresEncryption),
        incoming: { [weak self] id, info in
          // It closes by itself if nobody is here any more to keep it.
          let channel = ChannelSession(radio: radio, delivery: delivery)
          let events = channel.assumeIsolated { Carried($0.accept(id, info)) }
          self?.assumeIsolated { $0.arrived(channel, info) }
          return events.object
        },
        completion: { [weak self] result in
          if case .success(let psm) = result {
            known.withLock { $0.psm = psm }
            if let listener = known.withLock({ $0.listener }) { self?.assumeIsolated { $0.listeners[psm] = listener } }
          }
          delivery.deliver { finish(result) }
        }
      )
    }
    known.withLock { $0.listener = listener }
    if let psm = known.withLock({ $0.psm }) { listeners[psm] = listener }
  }

  private func arrived(_ channel: ChannelSession, _ info: ChannelInfo) {
    channels = channels.filter { $0.object != nil } + [WeakCarried(channel)]
    tell(.channel(channel, info, mtu: radio.enter { $0.mtu(of: info.link) }))
  }

  func unpublishChannel(_ psm: L2CAPPSM, _ finish: @escaping Completion<Void>) {
    guard let listener = listeners.removeValue(forKey: psm) else {
      let reason = "\(psm) is not published by this manager"
      return delivery.deliver { finish(.failure(RadioFailure(.invalidArgument, reason: reason))) }
    }
    radio.enter { $0.unpublishChannel(listener) }
    delivery.deliver { finish(.success(())) }
  }

  func unpublishChannels() {
    for (_, listener) in listeners.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      radio.enter { $0.unpublishChannel(listener) }
    }
    listeners = [:]
  }

  /// The manager is gone.
  func end() {
    unpublishChannels()
    for channel in channels.compactMap(\.object) { channel.assumeIsolated { $0.linkReleased() } }
    if let server { radio.enter { $0.closeServer(server, completion: {}) } }
    if let observation { radio.enter { $0.endObservation(observation) } }
    server = nil
    observation = nil
    waiting = []
    requests = []
  }
}
