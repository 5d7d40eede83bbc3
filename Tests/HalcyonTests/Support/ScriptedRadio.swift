import BluetoothTypes
import Halcyon
import RadioPort

/// A radio that does what a test says, for what is hard to provoke otherwise. It keeps to the contract of the port; it
/// answers at once unless the test has told it to hold the answers of a kind back.
actor ScriptedRadio: CentralRadio, PeripheralRadio {
  enum Call: Hashable, Sendable {
    case startScan
    case stopScan
    case connect(PeerID)
    case release
    case discover([BluetoothUUID]?)
    case read(AttributeHandle)
    case write(AttributeHandle, [UInt8])
    case writeWithoutResponse(AttributeHandle, [UInt8])
    case readRSSI
    case abandon
    case subscribe(AttributeHandle)
    case unsubscribe(AttributeHandle)
  }

  enum Kind: Hashable, Sendable { case connect, release, discover, request, writeWithoutResponse, subscribe }

  private struct ScanEntry {
    let sighting: @Sendable (Sighting) -> Void
    let ended: @Sendable (RadioFailure) -> Void
  }

  private struct ClaimEntry {
    let peer: PeerID
    let events: @Sendable (LinkEvent) -> Void
    let completion: @Sendable (Result<LinkID, RadioFailure>) -> Void
    var link: LinkID?
  }

  private struct Held {
    let kind: Kind
    let reply: @Sendable () -> Void
    let fail: @Sendable (RadioFailure) -> Void
  }

  private struct SubscriptionEntry {
    let handle: AttributeHandle
    let handler: @Sendable ([UInt8]) -> Void
  }

  nonisolated let executor: any RadioExecutor
  private(set) var calls: [Call] = []
  private(set) var state: RadioState
  var held: Set<Kind> = []
  var services: [RemoteService] = []
  var values: [AttributeHandle: [UInt8]] = [:]
  var refusals: [AttributeHandle: RadioFailure] = [:]
  var connectFailure: RadioFailure?
  private(set) var options: [LinkOptions] = []
  var mtu = 23
  /// Values that the device sends before it answers a subscription.
  var earlyValues: [[UInt8]] = []

  private var count: UInt64 = 0
  private var observers: [RadioObservation: @Sendable (RadioState) -> Void] = [:]
  private var scans: [ScanID: ScanEntry] = [:]
  private var claims: [ClaimID: ClaimEntry] = [:]
  private var holds: [UInt64: Held] = [:]
  private var subscriptions: [SubscriptionID: SubscriptionEntry] = [:]

  init(_ executor: any RadioExecutor, state: RadioState = .poweredOn) {
    self.executor = executor
    self.state = state
  }

  private func next() -> UInt64 {
    count += 1
    return count
  }

  // MARK: What tests do

  func set(_ change: @Sendable (isolated ScriptedRadio) -> Void) { change(self) }

  var runningScans: Int { scans.count }
  var openClaims: Int { claims.count }
  var openSubscriptions: Int { subscriptions.count }
  var observerCount: Int { observers.count }
  /// How many answers are held back.
  var heldCount: Int { holds.count }
  func count(_ call: Call) -> Int { calls.filter { $0 == call }.count }

  func setPower(_ power: RadioState.Power) {
    state = RadioState(power)
    let failure = RadioFailure(.poweredOff, reason: "switched off")
    for observer in observers.sorted(by: { $0.key.rawValue < $1.key.rawValue }) { observer.value(state) }
    guard power != .poweredOn else { return }
    let running = scans.sorted { $0.key.rawValue < $1.key.rawValue }
    scans = [:]
    for scan in running { scan.value.ended(failure) }
    loseLinks(failure)
  }

  func hear(_ sighting: Sighting) {
    for scan in scans.sorted(by: { $0.key.rawValue < $1.key.rawValue }) { scan.value.sighting(sighting) }
  }

  func hear(_ peer: PeerID, _ name: String?, rssi: Int? = -50, isScanResponse: Bool = false) {
    hear(
      Sighting(
        peer: peer,
        address: nil,
        advertisement: AdvertisingData(name.map { [ADStructure(.completeLocalName, Array($0.utf8))] } ?? []),
        rssi: rssi,
        isConnectable: true,
        isScanResponse: isScanResponse,
        time: executor.now
      )
    )
  }

  func loseLinks(_ failure: RadioFailure = ScriptedRadio.lost) {
    let pending = holds.sorted { $0.key < $1.key }
    holds = [:]
    for hold in pending { hold.value.fail(failure) }
    subscriptions = [:]
    for (id, claim) in claims.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where claim.link != nil {
      claims[id]?.link = nil
      claim.events(.disconnected(failure))
    }
  }

  /// The links are lost, and what was asked on them is not answered until it is let go.
  func loseLinksUnanswered() {
    subscriptions = [:]
    for (id, claim) in claims.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where claim.link != nil {
      claims[id]?.link = nil
      claim.events(.disconnected(Self.lost))
    }
  }

  static let lost = RadioFailure(
    .disconnected,
    underlying: .hci(HCIStatus(rawValue: 0x08)),
    reason: "connection timeout"
  )

  /// Answers what was held back, and holds nothing of the kind any more.
  func letGo(_ kind: Kind) {
    held.remove(kind)
    for (id, hold) in holds.sorted(by: { $0.key < $1.key }) where hold.kind == kind {
      holds[id] = nil
      hold.reply()
    }
  }

  func letGoFirst(_ kind: Kind) {
    guard let (id, hold) = holds.filter({ $0.value.kind == kind }).min(by: { $0.key < $1.key }) else { return }
    holds[id] = nil
    hold.reply()
  }

  func notify(_ handle: AttributeHandle, _ bytes: [UInt8]) {
    for entry in subscriptions.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where entry.value.handle == handle {
      entry.value.handler(bytes)
    }
  }

  func changeMTU(to mtu: Int) {
    self.mtu = mtu
    for claim in claims.values where claim.link != nil { claim.events(.mtuChanged(mtu)) }
  }

  func changeServices(to services: [RemoteService], in range: ClosedRange<AttributeHandle> = .first ... .last) {
    self.services = services
    for claim in claims.values where claim.link != nil { claim.events(.servicesChanged(range)) }
  }

  // MARK: The port

  func observeState(_ observer: @escaping @Sendable (RadioState) -> Void) -> RadioObservation {
    let id = RadioObservation(rawValue: next())
    observers[id] = observer
    return id
  }

  func endObservation(_ observation: RadioObservation) { observers[observation] = nil }

  func startScan(
    _ request: ScanRequest,
    sighting: @escaping @Sendable (Sighting) -> Void,
    ended: @escaping @Sendable (RadioFailure) -> Void
  ) -> ScanID {
    calls.append(.startScan)
    let id = ScanID(rawValue: next())
    scans[id] = ScanEntry(sighting: sighting, ended: ended)
    return id
  }

  func stopScan(_ scan: ScanID) {
    calls.append(.stopScan)
    scans[scan] = nil
  }

  func connect(
    to peer: PeerID,
    options: LinkOptions,
    events: @escaping @Sendable (LinkEvent) -> Void,
    completion: @escaping @Sendable (Result<LinkID, RadioFailure>) -> Void
  ) -> ClaimID {
    calls.append(.connect(peer))
    self.options.append(options)
    let id = ClaimID(rawValue: next())
    if let connectFailure {
      completion(.failure(connectFailure))
      return id
    }
    claims[id] = ClaimEntry(peer: peer, events: events, completion: completion)
    hold(
      .connect,
      reply: { $0.establish(id) },
      fail: { [weak self] failure in
        self?.assumeIsolated { $0.claims[id]?.completion(.failure(failure)) }
      }
    )
    return id
  }

  private func establish(_ id: ClaimID) {
    guard let claim = claims[id] else { return }
    let link = LinkID(peer: claim.peer, generation: next())
    claims[id]?.link = link
    claim.completion(.success(link))
  }

  func release(_ claim: ClaimID, completion: @escaping @Sendable () -> Void) {
    calls.append(.release)
    claims[claim] = nil
    hold(.release, reply: { _ in completion() }, fail: { _ in completion() })
  }

  func mtu(of link: LinkID) -> Int { claims.values.contains { $0.link == link } ? mtu : 23 }

  func readRSSI(of link: LinkID, completion: @escaping @Sendable (Result<Int, RadioFailure>) -> Void) -> RequestID {
    calls.append(.readRSSI)
    return hold(.request, reply: { _ in completion(.success(-61)) }, fail: { completion(.failure($0)) })
  }

  func discover(
    _ services: [BluetoothUUID]?,
    on link: LinkID,
    completion: @escaping @Sendable (Result<[RemoteService], RadioFailure>) -> Void
  ) -> RequestID {
    calls.append(.discover(services))
    return hold(
      .discover,
      reply: { radio in
        completion(.success(radio.services.filter { service in services?.contains(service.uuid) ?? true }))
      },
      fail: { completion(.failure($0)) }
    )
  }

  func read(
    _ attribute: AttributeHandle,
    on link: LinkID,
    completion: @escaping @Sendable (Result<[UInt8], RadioFailure>) -> Void
  ) -> RequestID {
    calls.append(.read(attribute))
    return hold(
      .request,
      reply: { radio in
        completion(radio.refusals[attribute].map { .failure($0) } ?? .success(radio.values[attribute] ?? []))
      },
      fail: { completion(.failure($0)) }
    )
  }

  func write(
    _ value: [UInt8],
    to attribute: AttributeHandle,
    on link: LinkID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> RequestID {
    calls.append(.write(attribute, value))
    return hold(
      .request,
      reply: { radio in completion(radio.refusals[attribute].map { .failure($0) } ?? .success(())) },
      fail: { completion(.failure($0)) }
    )
  }

  func writeWithoutResponse(
    _ value: [UInt8],
    to attribute: AttributeHandle,
    on link: LinkID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> RequestID {
    calls.append(.writeWithoutResponse(attribute, value))
    return hold(.writeWithoutResponse, reply: { _ in completion(.success(())) }, fail: { completion(.failure($0)) })
  }

  func abandon(_ request: RequestID) {
    calls.append(.abandon)
    holds[request.rawValue] = nil
  }

  func subscribe(
    to characteristic: RemoteCharacteristic,
    on link: LinkID,
    handler: @escaping @Sendable ([UInt8]) -> Void,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> SubscriptionID {
    calls.append(.subscribe(characteristic.handle))
    let id = SubscriptionID(rawValue: next())
    subscriptions[id] = SubscriptionEntry(handle: characteristic.handle, handler: handler)
    for value in earlyValues { handler(value) }
    hold(
      .subscribe,
      reply: { radio in
        if let refusal = radio.refusals[characteristic.handle] {
          radio.subscriptions[id] = nil
          completion(.failure(refusal))
        } else {
          completion(.success(()))
        }
      },
      fail: { completion(.failure($0)) }
    )
    return id
  }

  func unsubscribe(
    _ subscription: SubscriptionID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) {
    if let entry = subscriptions.removeValue(forKey: subscription) { calls.append(.unsubscribe(entry.handle)) }
    completion(.success(()))
  }

  /// Answers now, or keeps the answer.
  @discardableResult
  private func hold(
    _ kind: Kind,
    reply: @escaping @Sendable (isolated ScriptedRadio) -> Void,
    fail: @escaping @Sendable (RadioFailure) -> Void
  ) -> RequestID {
    let id = next()
    if held.contains(kind) {
      holds[id] = Held(kind: kind, reply: { [weak self] in self?.assumeIsolated { reply($0) } }, fail: fail)
    } else {
      reply(self)
    }
    return RequestID(rawValue: id)
  }
}
