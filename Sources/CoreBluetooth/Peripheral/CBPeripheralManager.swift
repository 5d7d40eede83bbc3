import BluetoothTypes
import Dispatch
import Foundation
import RadioPort

/// Publishes services and advertises them.
open class CBPeripheralManager: CBManager {
  struct State {
    weak var delegate: (any CBPeripheralManagerDelegate)?
    /// What is advertised or is to be; `nil` for nothing.
    var advertising: Advertising?
    var advertisingCount: UInt64 = 0
    /// What was added, in this order.
    var services: [CBMutableService] = []
    /// Those that were restored while the radio was off, which takes them only when it is on.
    var awaitingPower: [CBMutableService] = []
    /// The published characteristics by their handles.
    var characteristics: [AttributeHandle: CBMutableCharacteristic] = [:]
    /// The centrals that are connected.
    var centrals: [LinkID: CBCentral] = [:]
    /// The one object of each central, for as long as somebody keeps it.
    var known: [PeerID: WeakCarried<CBCentral>] = [:]
    /// Values that the radio has not taken yet.
    var unsent = 0
    /// Whether the app is to be told when there is room again.
    var wasFull = false
    /// What is to be gone on with once the radio's state is known.
    var toRestore: ServerRecord?
  }

  /// What the app wants to be advertised.
  struct Advertising {
    let record: ServerRecord.Advertisement
    /// Counts the starts.
    let number: UInt64
    var isOnAir = false
    /// Whether the power went meanwhile. It goes on by itself when the power is back, unless the app starts anew.
    var isCarriedOver = false
    /// Whether it is from before the program ended, and goes on as soon as the radio is on.
    var isRestored = false

    /// Whether the app sees that something is advertised.
    var isShown: Bool { isOnAir || isRestored }
  }

  /// How many values may wait at once.
  static let updateRoom = 16

  let guarded: Guarded<State>
  let session: ServerSession
  /// Where is kept what is to survive the program; `nil` without a restore identifier.
  let restoration: RestorationFile?
  let showsPowerAlert: Bool

  /// A manager without a delegate, on the main queue.
  public convenience init() { self.init(delegate: nil, queue: nil, options: nil) }

  /// A manager with a delegate.
  ///
  /// - Parameter queue: Where the delegate is called; `nil` for the main queue. It should be a serial one.
  public convenience init(delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?) {
    self.init(delegate: delegate, queue: queue, options: nil)
  }

  /// A manager with options.
  ///
  /// - Parameter options: The keys `CBPeripheralManagerOption…`, and of ours, `CBManagerOptionRadioKey` and
  ///   `CBManagerOptionStateDirectoryKey`.
  public init(delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil) {
    restoration = RestorationFile(
      role: "peripheral",
      key: CBPeripheralManagerOptionRestoreIdentifierKey,
      options: options
    )
    guarded = Guarded(State(delegate: delegate, toRestore: restoration?.load(ServerRecord.self)))
    showsPowerAlert = ConnectOptions.flag(options, CBPeripheralManagerOptionShowPowerAlertKey)
    let ground = Ground(queue: queue, options: options)
    let manager = LateReference<CBPeripheralManager>()
    session = ServerSession(radio: ground.radio, delivery: ground.delivery) { manager.object?.handle($0) }
    super.init(ground)
    manager.set(self)
    session.perform { $0.begin() }
  }

  deinit {
    restoration?.end()
    session.perform { $0.end() }
    for service in guarded.withLock({ $0.services }) {
      for characteristic in Self.takeBack(service)?.characteristics.object ?? [] {
        characteristic.removeAllSubscribers()
      }
    }
  }

  /// Who hears what centrals want; it is not kept.
  open weak var delegate: (any CBPeripheralManagerDelegate)? {
    get { guarded.withLock { $0.delegate } }
    set { guarded.withLock { $0.delegate = newValue } }
  }

  /// Whether this program may use Bluetooth. On Linux nobody is asked.
  @available(*, deprecated, message: "use CBManager.authorization")
  open class func authorizationStatus() -> CBPeripheralManagerAuthorizationStatus { .authorized }

  // MARK: Services

  /// Publishes a service with all that is in it. Services that it includes must be published before.
  ///
  /// To add one twice, or one with a fixed value that can be written, is a mistake in the program and stops it.
  open func add(_ service: CBMutableService) {
    guard isReadyForCommands() else { return }
    for characteristic in service.mutableCharacteristics { characteristic.check() }
    publish(service)
    saveRestorableState()
  }

  /// - Parameter isRestored: Whether the app is not to be told of it, as it did not ask.
  func publish(_ service: CBMutableService, isRestored: Bool = false) {
    let publication = Publication(service)
    let isNew = service.publication.withLock { present in
      guard present == nil else { return false }
      present = publication
      return true
    }
    guard isNew else { Misuse.raise("Services cannot be added more than once: \(service)") }
    guarded.withLock { $0.services.append(service) }
    // As it is now: what the app does to it from here on changes nothing.
    let (definition, included) = (service.definition, service.includedPublications)
    let (manager, service) = (WeakCarried(self), Carried(service))
    session.perform { session in
      session.publish(definition, including: included, as: publication) {
        manager.object?.published(service.object, publication, $0, isRestored: isRestored)
      }
    }
  }

  private func published(
    _ service: CBMutableService,
    _ publication: Publication,
    _ result: Result<PublishedService, RadioFailure>,
    isRestored: Bool
  ) {
    // It may have been removed, and even added again, meanwhile.
    let isPresent = service.publication.withLock { $0 === publication }
    switch result {
    case .success(let published):
      publication.values.withLock { $0 = published.characteristics.map(\.handle) }
      for (characteristic, place) in zip(publication.characteristics.object, published.characteristics) {
        guarded.withLock { $0.characteristics[place.handle] = characteristic }
        if isPresent { characteristic.published.withLock { $0 = place.handle } }
      }
    case .failure(let failure) where isPresent && isRestored && failure.kind == .poweredOff:
      guarded.withLock { $0.awaitingPower.append(service) }
      return
    case .failure where isPresent:
      service.publication.withLock { $0 = nil }
      guarded.withLock { $0.services.removeAll { $0 === service } }
    case .failure: break
    }
    saveRestorableState()
    if !isRestored {
      delegate?.peripheralManager(self, didAdd: service, error: result.parts.error)
    } else if case .failure(let failure) = result {
      Misuse.warn("\(service) is not published again: \(failure)")
    }
  }

  /// Withdraws a service.
  open func remove(_ service: CBMutableService) {
    guard isReadyForCommands() else { return }
    let isKnown = guarded.withLock { state in
      let count = state.services.count
      state.services.removeAll { $0 === service }
      return state.services.count < count
    }
    guard isKnown else { return Misuse.log("\(self) was told to remove \(service), which was not added") }
    withdraw(service)
    saveRestorableState()
  }

  /// Withdraws all services.
  open func removeAllServices() {
    guard isReadyForCommands() else { return }
    withdrawAll()
    saveRestorableState()
  }

  func withdrawAll() {
    let services = guarded.withLock { state in
      defer { state.services = [] }
      return state.services
    }
    // Those that include others first.
    for service in services.reversed() { withdraw(service) }
  }

  /// Ends the stay of a service as far as the app can see; it can be added again at once.
  private static func takeBack(_ service: CBMutableService) -> Publication? {
    let publication = service.publication.withLock { present in
      defer { present = nil }
      return present
    }
    for characteristic in publication?.characteristics.object ?? [] { characteristic.published.withLock { $0 = nil } }
    return publication
  }

  private func withdraw(_ service: CBMutableService) {
    guard let publication = Self.takeBack(service) else { return }
    let manager = WeakCarried(self)
    session.perform { session in session.withdraw(publication) { _ in manager.object?.withdrawn(publication) } }
  }

  private func withdrawn(_ publication: Publication) {
    for characteristic in publication.characteristics.object { characteristic.removeAllSubscribers() }
    let values = Set(publication.values.withLock { $0 })
    guarded.withLock { state in state.characteristics = state.characteristics.filter { !values.contains($0.key) } }
  }

  // MARK: Values

  /// Answers a request, or with the first of several all of them. Each is answered once; the order does not matter.
  open func respond(to request: CBATTRequest, withResult result: CBATTError.Code) {
    guard request.group.session === session else {
      return Misuse.log("\(self) was told to answer \(request), which another manager was asked")
    }
    guard request.group.answer() else { return Misuse.log("\(request) was answered before") }
    guard request.group.wantsResponse else { return }
    let answer: Result<[UInt8], ATTErrorCode> =
      result == .success
      ? .success([UInt8](request.value ?? Data())) : .failure(ATTErrorCode(rawValue: UInt8(result.rawValue)))
    let id = request.group.id
    session.perform { $0.respond(to: id, with: answer) }
  }

  /// Sends a value to centrals that have subscribed to it.
  ///
  /// - Parameter centrals: Whom to send it to; `nil` for all.
  /// - Returns: Whether there was room. If not, nothing is sent, and
  ///   ``CBPeripheralManagerDelegate/peripheralManagerIsReady(toUpdateSubscribers:)`` tells when there is again. A value
  ///   that is longer than ``CBCentral/maximumUpdateValueLength`` of one of the centrals is not sent, but told in the
  ///   log.
  open func updateValue(
    _ value: Data,
    for characteristic: CBMutableCharacteristic,
    onSubscribedCentrals centrals: [CBCentral]?
  ) -> Bool {
    guard isReadyForCommands() else { return false }
    guard let handle = characteristic.published.withLock({ $0 }) else {
      Misuse.log("\(characteristic) is not published by \(self)")
      return false
    }
    let hasRoom = guarded.withLock { state in
      guard state.unsent < Self.updateRoom else {
        state.wasFull = true
        return false
      }
      state.unsent += 1
      return true
    }
    guard hasRoom else { return false }
    let bytes = [UInt8](value)
    let links = centrals.map { $0.map(\.link) }
    session.perform { $0.update(bytes, of: handle, to: links) }
    return true
  }

  // MARK: Advertising and links

  /// Whether the manager advertises.
  open var isAdvertising: Bool {
    ObservedProperties.note(.isAdvertising, of: self)
    return guarded.withLock { $0.advertising?.isShown ?? false }
  }

  /// Changes what is advertised; who observes ``isAdvertising`` hears of it if that changes.
  func setAdvertising(_ change: (inout Advertising?) -> Void) {
    let shows = guarded.withLock { state in
      var next = state.advertising
      change(&next)
      return (state.advertising?.isShown ?? false) != (next?.isShown ?? false)
    }
    func apply() { guarded.withLock { change(&$0.advertising) } }
    if shows { ObservedProperties.change(self, .isAdvertising, by: apply) } else { apply() }
  }

  /// Advertises until ``stopAdvertising()``.
  ///
  /// An advertisement has 28 bytes for both, and as many more for who asks. Of what does not fit, the name is shortened
  /// and services are left out, those named last first. Apple's devices tell of them to each other in an overflow area,
  /// whose form is not public: from here nobody hears of them.
  ///
  /// - Parameter advertisementData: A name and services, by `CBAdvertisementDataLocalNameKey` and
  ///   `CBAdvertisementDataServiceUUIDsKey`; other keys are passed over, which is logged.
  open func startAdvertising(_ advertisementData: [String: Any]?) {
    guard isReadyForCommands() else { return }
    let data = advertisementData ?? [:]
    let known: Set = [CBAdvertisementDataLocalNameKey, CBAdvertisementDataServiceUUIDsKey]
    for key in data.keys.sorted() where !known.contains(key) {
      Misuse.warn("The advertisement key '\(key)' is not allowed")
    }
    let services = CBUUID.values(Self.value(data, CBAdvertisementDataServiceUUIDsKey, as: [CBUUID].self))
    let record = ServerRecord.Advertisement(
      name: Self.value(data, CBAdvertisementDataLocalNameKey, as: String.self),
      services: services?.map { RecordedUUID($0) }
    )
    // What goes on from before the program ended gives way, and is not on the air for the moment.
    setAdvertising { if $0?.isCarriedOver == true { $0 = nil } }
    let number: UInt64? = guarded.withLock { state in
      if state.advertising != nil { return nil }
      state.advertisingCount &+= 1
      state.advertising = Advertising(record: record, number: state.advertisingCount)
      return state.advertisingCount
    }
    let manager = WeakCarried(self)
    guard let number else {
      let delivery = delivery
      return session.perform { _ in
        delivery.deliver {
          guard let manager = manager.object else { return }
          manager.delegate?.peripheralManagerDidStartAdvertising(manager, error: CBError(.alreadyAdvertising))
        }
      }
    }
    let request = record.request
    session.perform { $0.startAdvertising(request) { manager.object?.advertisingStarted(number, $0) } }
    saveRestorableState()
  }

  /// What stands under a key; says so in the log if it is something else than it should be.
  private static func value<Value>(_ data: [String: Any], _ key: String, as type: Value.Type) -> Value? {
    guard let given = data[key] else { return nil }
    if let value = given as? Value { return value }
    Misuse.log("The advertisement key '\(key)' takes \(type), not \(Swift.type(of: given)), and is ignored")
    return nil
  }

  private func advertisingStarted(_ number: UInt64, _ result: Result<Void, RadioFailure>) {
    noteAdvertising(number, result)
    delegate?.peripheralManagerDidStartAdvertising(self, error: result.parts.error)
  }

  /// Notes what became of a start, unless it was stopped or replaced since.
  private func noteAdvertising(_ number: UInt64, _ result: Result<Void, RadioFailure>) {
    setAdvertising { advertising in
      guard advertising?.number == number else { return }
      if case .success = result { advertising?.isOnAir = true } else { advertising = nil }
    }
    saveRestorableState()
  }

  /// Without power nothing is advertised for the moment.
  func pauseAdvertising() {
    setAdvertising { advertising in
      advertising?.isCarriedOver = true
      advertising?.isOnAir = false
      advertising?.isRestored = false
    }
  }

  /// Goes on with what was advertised when the power went.
  func resumeAdvertising() {
    guard let present = guarded.withLock({ $0.advertising }), present.isCarriedOver, !present.isOnAir else { return }
    let manager = WeakCarried(self)
    let (request, number) = (present.record.request, present.number)
    session.perform { session in
      session.startAdvertising(request) { result in
        if case .failure(let failure) = result { Misuse.warn("advertising does not go on: \(failure)") }
        manager.object?.noteAdvertising(number, result)
      }
    }
  }

  /// Stops advertising; centrals that are connected stay.
  open func stopAdvertising() {
    guard isReadyForCommands() else { return }
    setAdvertising { $0 = nil }
    session.perform { $0.stopAdvertising() }
    saveRestorableState()
  }

  /// Asks a central for a link that reacts quickly or takes little power. The central may refuse.
  open func setDesiredConnectionLatency(_ latency: CBPeripheralManagerConnectionLatency, for central: CBCentral) {
    guard isReadyForCommands() else { return }
    let wished: LinkLatency =
      switch latency {
      case .low: .low
      case .medium: .medium
      case .high: .high
      }
    let link = central.link
    session.perform { $0.requestParameters(wished.options, of: link) }
  }
}
