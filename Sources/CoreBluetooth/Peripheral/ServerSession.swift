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
  private var waiting: [Update] = []
  private var waitsForRoom = false

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
    case .centralConnected(let central): tell(.server(event, mtu: radio.enter { $0.mtu(of: central) }))
    default: tell(.server(event, mtu: 0))
    }
  }

  // MARK: Services

  func publish(_ service: ServiceDefinition, _ finish: @escaping Completion<PublishedService>) {
    guard let server else { return }
    let delivery = delivery
    radio.enter { radio in
      radio.publish(service, by: server) { result in delivery.deliver { finish(result) } }
    }
  }

  func withdraw(_ service: AttributeHandle, _ finish: @escaping Completion<Void>) {
    guard let server else { return }
    let delivery = delivery
    radio.enter { radio in
      radio.withdraw(service, by: server) { result in delivery.deliver { finish(result) } }
    }
  }

  // MARK: Values

  func respond(to request: ServerRequestID, with result: Result<[UInt8], ATTErrorCode>) {
    radio.enter { $0.respond(to: request, with: result) }
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
      case .failure(let failure): Misuse.warn("a value could not be sent to those who have subscribed: \(failure)")
      }
      waiting.removeFirst()
      tell(.updated)
    }
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

  /// The manager is gone.
  func end() {
    if let server { radio.enter { $0.closeServer(server, completion: {}) } }
    if let observation { radio.enter { $0.endObservation(observation) } }
    server = nil
    observation = nil
    waiting = []
  }
}
