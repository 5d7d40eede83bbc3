import BluetoothTypes
import RadioPort

/// What stands behind a ``CBPeripheral``, on the radio's executor: the claim on its link, and the operations that run.
///
/// What it is told to tell is called on the app's queue, in the order in which it happened.
actor PeripheralSession {
  /// What happens to the connection.
  enum ConnectionEvent: Sendable {
    /// The delay that was asked for is over.
    case delayEnded
    case connected(LinkID, mtu: Int)
    case failed(RadioFailure)
    /// `nil`: ended by this program.
    case disconnected(RadioFailure?)
    /// Lost, and being made anew.
    case reconnecting(RadioFailure)
    case mtuChanged(Int)
    case servicesChanged(ClosedRange<AttributeHandle>)
  }

  typealias Completion<Value> = @Sendable (Result<Value, RadioFailure>) -> Void

  /// An operation whose end is still to be told.
  private struct Pending {
    var request: RequestID?
    let fail: @Sendable (RadioFailure) -> Void
  }

  /// What the radio was asked for, and who asked again before the device had agreed.
  private struct Subscription {
    let number: UInt64
    var id: SubscriptionID?
    var isAgreed = false
    var waiting: [Completion<Void>] = []
  }

  nonisolated let peer: PeerID
  nonisolated let radio: RadioAccess
  nonisolated let delivery: Delivery
  private let observe: @Sendable (UInt64, ConnectionEvent) -> Void

  /// The call of `connect` that counts, from the call to the end of its link.
  private var attempt: UInt64?
  private var claim: ClaimID?
  private var link: LinkID?
  /// How it is to be connected.
  private var options = ConnectOptions()
  /// Whether a link was lost and is being made anew.
  private var isReconnecting = false
  private var delay: RadioTimer?
  private var services: [RemoteService] = []
  private var pending: [UInt64: Pending] = [:]
  private var subscriptions: [AttributeHandle: Subscription] = [:]
  private var operationCount: UInt64 = 0
  /// The channels that were opened on this connection, as long as somebody keeps them.
  private var channels: [WeakCarried<ChannelSession>] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { radio.executor.asUnownedSerialExecutor() }

  /// - Parameter observe: Called on the app's queue with the number of the attempt that an event belongs to.
  init(
    peer: PeerID,
    radio: RadioAccess,
    delivery: Delivery,
    observe: @escaping @Sendable (UInt64, ConnectionEvent) -> Void
  ) {
    self.peer = peer
    self.radio = radio
    self.delivery = delivery
    self.observe = observe
  }

  /// Does something here, after all that was said before.
  nonisolated func perform(_ work: @escaping @Sendable (isolated PeripheralSession) -> Void) {
    radio.executor.submit { self.assumeIsolated { work($0) } }
  }

  private func tell(_ attempt: UInt64, _ event: ConnectionEvent) {
    let observe = observe
    delivery.deliver { observe(attempt, event) }
  }

  // MARK: Connection

  /// How long to wait after an attempt to make a lost link anew has failed.
  private static let patience = Duration.seconds(1)

  func connect(_ number: UInt64, _ options: ConnectOptions) {
    if attempt != nil {
      // The link is wanted already; who asks again is told again.
      attempt = number
      self.options = options
      if let link { tell(number, .connected(link, mtu: radio.enter { $0.mtu(of: link) })) }
      return
    }
    guard !options.requiresNotifications else {
      let reason = "the device is to be sent the system's notifications (ANCS), which Linux does not do"
      return tell(number, .failed(RadioFailure(.unsupported, reason: reason)))
    }
    attempt = number
    self.options = options
    if options.delay > .zero { claimLink(after: options.delay, asWished: true) } else { claimLink() }
  }

  /// - Parameter asWished: Whether the program has asked for the delay.
  private func claimLink(after delay: Duration, asWished: Bool = false) {
    let executor = radio.executor
    self.delay = executor.schedule(at: executor.now.advanced(by: delay)) { [weak self] in
      self?.assumeIsolated { session in
        session.delay = nil
        if asWished, let attempt = session.attempt { session.tell(attempt, .delayEnded) }
        session.claimLink()
      }
    }
  }

  private func claimLink() {
    operationCount &+= 1
    let round = operationCount
    self.round = round
    let (peer, options) = (peer, LinkOptions(alerts: options.alerts))
    // The answer may come before the name of the claim does.
    let claim = radio.enter { radio in
      radio.connect(
        to: peer,
        options: options,
        events: { [weak self] event in self?.assumeIsolated { $0.happened(event, round) } },
        completion: { [weak self] result in self?.assumeIsolated { $0.connected(result, round) } }
      )
    }
    if self.round == round { self.claim = claim }
  }

  /// Counts the claims; what belongs to an earlier one is dropped.
  private var round: UInt64?

  private func connected(_ result: Result<LinkID, RadioFailure>, _ round: UInt64) {
    guard self.round == round, let attempt else { return }
    switch result {
    case .success(let link):
      self.link = link
      isReconnecting = false
      tell(attempt, .connected(link, mtu: radio.enter { $0.mtu(of: link) }))
    case .failure(let failure) where failure.kind == .connectionFailed && isReconnecting:
      claim = nil
      self.round = nil
      claimLink(after: Self.patience)
    case .failure(let failure):
      forget()
      tell(attempt, .failed(failure))
    }
  }

  private func happened(_ event: LinkEvent, _ round: UInt64) {
    guard self.round == round, let attempt else { return }
    switch event {
    case .disconnected(let failure):
      failPending(failure)
      let options = options
      forget()
      guard options.reconnects, failure.kind != .poweredOff else { return tell(attempt, .disconnected(failure)) }
      self.attempt = attempt
      self.options = options
      isReconnecting = true
      tell(attempt, .reconnecting(failure))
      claimLink()
    case .mtuChanged(let mtu): tell(attempt, .mtuChanged(mtu))
    case .servicesChanged(let range):
      services.removeAll { $0.handle <= range.upperBound && $0.endHandle >= range.lowerBound }
      // The device may have forgotten them with the rest: who wants them subscribes again.
      for handle in subscriptions.keys.filter(range.contains).sorted() { dropSubscription(handle) }
      tell(attempt, .servicesChanged(range))
    case .parametersChanged, .phyChanged, .dataLengthChanged: break
    }
  }

  private func forget() {
    attempt = nil
    options = ConnectOptions()
    isReconnecting = false
    claim = nil
    round = nil
    link = nil
    services = []
    subscriptions = [:]
    channels = []
  }

  /// Gives the connection up, also one that is still to come.
  func cancelConnection() {
    guard let attempt else { return }
    if let delay { radio.executor.cancel(delay) }
    delay = nil
    failPending(RadioFailure(.disconnected, reason: "the connection was ended by this program"))
    let claim = claim
    let subscriptions = subscriptions.values.sorted { $0.number < $1.number }.compactMap(\.id)
    let channels = channels.compactMap(\.object)
    forget()
    // Others may go on with the link.
    for channel in channels { channel.assumeIsolated { $0.linkReleased() } }
    for subscription in subscriptions { radio.enter { $0.unsubscribe(subscription, completion: { _ in }) } }
    guard let claim else { return tell(attempt, .disconnected(nil)) }
    radio.enter { radio in
      radio.release(claim) { [self] in self.assumeIsolated { $0.tell(attempt, .disconnected(nil)) } }
    }
  }

  // MARK: Operations

  private func failPending(_ failure: RadioFailure) {
    for number in pending.keys.sorted() {
      guard let operation = pending.removeValue(forKey: number) else { continue }
      if let request = operation.request { radio.enter { $0.abandon(request) } }
      operation.fail(failure)
    }
  }

  /// Runs an operation whose end is told once, on the app's queue: with what `begin` brings, or with the link's end.
  func run<Value: Sendable>(
    on link: LinkID,
    _ finish: @escaping Completion<Value>,
    _ begin: @Sendable (isolated any Radio, @escaping Completion<Value>) -> RequestID?
  ) {
    let delivery = delivery
    let finish: Completion<Value> = { result in delivery.deliver { finish(result) } }
    guard link == self.link else {
      return finish(.failure(RadioFailure(.notConnected, reason: "the connection is gone: connect again")))
    }
    operationCount &+= 1
    let number = operationCount
    pending[number] = Pending { finish(.failure($0)) }
    let request = radio.enter { radio in
      begin(radio) { [weak self] result in
        self?.assumeIsolated { session in
          if session.pending.removeValue(forKey: number) != nil { finish(result) }
        }
      }
    }
    pending[number]?.request = request
  }

  func discover(_ uuids: [BluetoothUUID]?, on link: LinkID, _ finish: @escaping Completion<[RemoteService]>) {
    run(on: link, finish) { radio, completion in
      radio.discover(uuids, on: link) { [weak self] result in
        if case .success(let found) = result { self?.assumeIsolated { $0.note(found) } }
        completion(result)
      }
    }
  }

  private func note(_ found: [RemoteService]) {
    let handles = Set(found.map(\.handle))
    services = (services.filter { !handles.contains($0.handle) } + found).sorted { $0.handle < $1.handle }
  }

  /// What was discovered with a service.
  func contents(of service: AttributeHandle, on link: LinkID, _ finish: @escaping Completion<RemoteService>) {
    guard let known = services.first(where: { $0.handle == service }), link == self.link else {
      return run(on: link, finish) { _, completion in
        completion(.failure(RadioFailure(.invalidArgument, reason: "the service has changed: discover services again")))
        return nil
      }
    }
    run(on: link, finish) { _, completion in
      completion(.success(known))
      return nil
    }
  }

  /// The services that a service includes, with what is in them.
  func includedServices(of service: AttributeHandle, on link: LinkID, _ finish: @escaping Completion<[RemoteService]>) {
    let includes = services.first { $0.handle == service }?.includedServices
    guard let includes else {
      return contents(of: service, on: link) { finish($0.map { _ in [] }) }
    }
    let wanted = Set(includes.map(\.serviceHandle))
    let pick: @Sendable ([RemoteService]) -> [RemoteService] = { $0.filter { wanted.contains($0.handle) } }
    // A service that is only included is found where all are asked for.
    discover(nil, on: link) { finish($0.map(pick)) }
  }

  func read(_ attribute: AttributeHandle, on link: LinkID, _ finish: @escaping Completion<[UInt8]>) {
    run(on: link, finish) { radio, completion in radio.read(attribute, on: link, completion: completion) }
  }

  func write(_ value: [UInt8], to attribute: AttributeHandle, on link: LinkID, _ finish: @escaping Completion<Void>) {
    run(on: link, finish) { radio, completion in
      radio.write(value, to: attribute, on: link, completion: completion)
    }
  }

  func send(_ value: [UInt8], to attribute: AttributeHandle, on link: LinkID, _ finish: @escaping Completion<Void>) {
    run(on: link, finish) { radio, completion in
      radio.writeWithoutResponse(value, to: attribute, on: link, completion: completion)
    }
  }

  func readRSSI(on link: LinkID, _ finish: @escaping Completion<Int>) {
    run(on: link, finish) { radio, completion in radio.readRSSI(of: link, completion: completion) }
  }

  /// Opens a channel, which ends with the connection.
  func openChannel(_ psm: L2CAPPSM, on link: LinkID, _ finish: @escaping Completion<ChannelSession>) {
    let channel = ChannelSession(radio: radio, delivery: delivery)
    let opened: Completion<ChannelSession> = { [weak self] result in
      // Kept before the app hears of it.
      if case .success(let channel) = result { self?.assumeIsolated { $0.keep(channel) } }
    }
    run(on: link, finish) { _, completion in
      channel.assumeIsolated { channel in
        channel.open(to: psm, on: link) { result in
          opened(result)
          completion(result)
        }
      }
      return nil
    }
  }

  private func keep(_ channel: ChannelSession) {
    channels = channels.filter { $0.object != nil } + [WeakCarried(channel)]
  }

  /// Ends an operation that is not even begun, behind those that were.
  func refuse(_ failure: RadioFailure, on link: LinkID, _ finish: @escaping Completion<Void>) {
    run(on: link, finish) { _, completion in
      completion(.failure(failure))
      return nil
    }
  }

  // MARK: Subscriptions

  /// - Parameter value: Called on the app's queue for each value.
  func subscribe(
    to characteristic: RemoteCharacteristic,
    on link: LinkID,
    value: @escaping @Sendable ([UInt8]) -> Void,
    _ finish: @escaping Completion<Void>
  ) {
    let handle = characteristic.handle
    if link == self.link, let present = subscriptions[handle] {
      return run(on: link, finish) { [self] _, completion in
        if present.isAgreed {
          completion(.success(()))
        } else {
          assumeIsolated { $0.subscriptions[handle]?.waiting.append(completion) }
        }
        return nil
      }
    }
    let delivery = delivery
    run(on: link, finish) { [self] radio, completion in
      let number = assumeIsolated { $0.beginSubscription(handle) }
      let subscription = radio.subscribe(
        to: characteristic,
        on: link,
        handler: { bytes in delivery.deliver { value(bytes) } },
        completion: { [weak self] result in
          completion(result)
          self?.assumeIsolated { $0.agreed(handle, number, result) }
        }
      )
      assumeIsolated { $0.named(handle, number, subscription) }
      return nil
    }
  }

  private func beginSubscription(_ handle: AttributeHandle) -> UInt64 {
    operationCount &+= 1
    subscriptions[handle] = Subscription(number: operationCount)
    return operationCount
  }

  private func named(_ handle: AttributeHandle, _ number: UInt64, _ id: SubscriptionID) {
    // The refusal may have come before the name did.
    if subscriptions[handle]?.number == number { subscriptions[handle]?.id = id }
  }

  /// The device has agreed, or has not; who asked meanwhile is told the same.
  private func agreed(_ handle: AttributeHandle, _ number: UInt64, _ result: Result<Void, RadioFailure>) {
    guard subscriptions[handle]?.number == number else { return }
    let waiting = subscriptions[handle]?.waiting ?? []
    if case .success = result {
      subscriptions[handle]?.isAgreed = true
      subscriptions[handle]?.waiting = []
    } else {
      subscriptions[handle] = nil
    }
    for other in waiting { other(result) }
  }

  private func dropSubscription(_ handle: AttributeHandle) {
    guard let dropped = subscriptions.removeValue(forKey: handle) else { return }
    if let id = dropped.id { radio.enter { $0.unsubscribe(id, completion: { _ in }) } }
    let failure = RadioFailure(.invalidArgument, reason: "the services have changed: discover them again")
    for waiting in dropped.waiting { waiting(.failure(failure)) }
  }

  func unsubscribe(from handle: AttributeHandle, on link: LinkID, _ finish: @escaping Completion<Void>) {
    let subscription = link == self.link ? subscriptions.removeValue(forKey: handle) : nil
    let failure = RadioFailure(.invalidArgument, reason: "it was switched off before the device had agreed")
    for waiting in subscription?.waiting ?? [] { waiting(.failure(failure)) }
    run(on: link, finish) { radio, completion in
      if let id = subscription?.id { radio.unsubscribe(id, completion: completion) } else { completion(.success(())) }
      return nil
    }
  }
}
