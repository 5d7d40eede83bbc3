#if os(Linux)
  import BluetoothTypes
  import RadioPort
  import Synchronization
  import Testing
  import VirtualRadio

  /// What a radio can not do in the peripheral role because what it is made of can not.
  enum ServerLimit: Sendable {
    /// It does not tell when a central connects or leaves, but only of its first use and after a long silence.
    case hidesLinks
    /// It does not tell when an indication is confirmed, but counts it as confirmed when it is sent.
    case hidesConfirmations
    /// It does not end the link to a central.
    case keepsLinks
    /// It advertises nothing but a name and services.
    case advertisesNamesOnly
  }

  extension RadioKind {
    /// Apple's API has a callback for none of the first two, and no method for the third; the fourth is said in the
    /// documentation of `startAdvertising(_:)`.
    var serverLimits: Set<ServerLimit> {
      switch self {
      case .host: []
      case .coreBluetooth: [.hidesLinks, .hidesConfirmations, .keepsLinks, .advertisesNamesOnly]
      }
    }
  }

  /// An owner of services on the radio under test, and what it was told.
  final class Owner: Sendable {
    let id: ServerID
    private let told: Told

    final class Told: Sendable {
      let events = Mutex<[ServerEvent]>([])
      let handler = Mutex<(@Sendable (ServerEvent) -> Void)?>(nil)

      func add(_ event: ServerEvent) {
        events.withLock { $0.append(event) }
        handler.withLock { $0 }?(event)
      }
    }

    init(on radio: some PeripheralRadio) {
      let told = Told()
      self.told = told
      id = radio.assumeIsolated { $0.openServer { told.add($0) } }
    }

    /// Does something at each event, besides keeping it.
    func onEvent(_ handler: @escaping @Sendable (ServerEvent) -> Void) { told.handler.withLock { $0 = handler } }

    func take() -> [ServerEvent] {
      told.events.withLock { events in
        defer { events = [] }
        return events
      }
    }

    private func all<Part>(_ part: (ServerEvent) -> Part?) -> [Part] {
      let events = told.events.withLock { $0 }
      return events.compactMap(part)
    }

    var reads: [ReadRequest] { all { if case .read(let request) = $0 { request } else { nil } } }
    var writes: [WriteRequest] { all { if case .write(let request) = $0 { request } else { nil } } }
    var ended: [ServerRequestID] { all { if case .requestEnded(let id) = $0 { id } else { nil } } }
    var connected: [LinkID] { all { if case .centralConnected(let link) = $0 { link } else { nil } } }
    var disconnected: [RadioFailure.Kind] {
      all { if case .centralDisconnected(_, let why) = $0 { why.kind } else { nil } }
    }
    var subscriptions: [SubscriptionModes] {
      all { if case .subscriptionChanged(_, _, let modes) = $0 { modes } else { nil } }
    }
    var stored: [[UInt8]] { all { if case .stored(_, _, let value) = $0 { value } else { nil } } }
    var readyCount: Int { all { if case .readyToUpdate = $0 { () } else { nil } }.count }
    var advertisingEnds: [RadioFailure.Kind] {
      all { if case .advertisingEnded(let why) = $0 { why.kind } else { nil } }
    }
  }

  /// A radio that serves, in a world with centrals.
  final class ServerBench: Sendable {
    static let name = "Law"
    /// The services that the bench publishes.
    static let definition = ServiceDefinition(
      "FFE0",
      characteristics: [
        CharacteristicDefinition("FFE1", properties: [.read, .write], userDescription: "One"),
        CharacteristicDefinition("FFE2", properties: .notify),
        CharacteristicDefinition("FFE3", properties: .writeWithoutResponse),
        CharacteristicDefinition("FFE4", properties: .indicate),
        CharacteristicDefinition("FFE5", properties: .read, source: .stored([5])),
        CharacteristicDefinition("FFE6", properties: [.read, .write], source: .stored([6])),
        CharacteristicDefinition("FFE7", properties: [.read, .write]),
      ]
    )

    let kind: RadioKind
    let world: World
    let radio: any Radio
    let owner: Owner
    private let places = Mutex<[BluetoothUUID: AttributeHandle]>([:])
    private let clientCount = Mutex(0)

    static func run(_ kind: RadioKind, _ body: @escaping @Sendable (ServerBench) async throws -> Void) async throws {
      try await World.simulated(seed: 3) { world in
        let bench = ServerBench(kind, world)
        try await world.run(for: .seconds(1))
        let service = try await bench.publish(definition, by: bench.owner)
        bench.note(service)
        try await bench.advertise(AdvertisingRequest(name: name, services: ["FFE0"]), by: bench.owner).value()
        try await body(bench)
      }
    }

    init(_ kind: RadioKind, _ world: World) {
      func open<Opened: Radio>(_ radio: Opened) -> Owner { Owner(on: radio) }
      self.kind = kind
      self.world = world
      radio = kind.make(in: world)
      owner = open(radio)
    }

    /// Calls the radio on its executor, where the test runs too.
    func enter<Value: Sendable>(_ body: @Sendable (isolated any Radio) -> Value) -> Value {
      func open<Opened: Radio>(_ radio: Opened) -> Value { radio.assumeIsolated { body($0) } }
      return open(radio)
    }

    func lacks(_ limit: ServerLimit) -> Bool { kind.serverLimits.contains(limit) }

    // MARK: Owners

    func newOwner() -> Owner {
      func open<Opened: Radio>(_ radio: Opened) -> Owner { Owner(on: radio) }
      return open(radio)
    }

    func publish(_ definition: ServiceDefinition, by owner: Owner) async throws -> PublishedService {
      let outcome = startPublishing(definition, by: owner)
      try await world.run(for: .seconds(1))
      return try outcome.value()
    }

    func startPublishing(_ definition: ServiceDefinition, by owner: Owner) -> Outcome<PublishedService> {
      let outcome = Outcome<PublishedService>()
      let server = owner.id
      enter { radio in radio.publish(definition, by: server) { outcome.add($0) } }
      return outcome
    }

    func note(_ service: PublishedService) {
      places.withLock { places in
        places[service.uuid] = service.handle
        for characteristic in service.characteristics { places[characteristic.uuid] = characteristic.handle }
      }
    }

    func handle(_ uuid: BluetoothUUID) throws -> AttributeHandle { try #require(places.withLock { $0[uuid] }) }

    func withdraw(_ uuid: BluetoothUUID, by owner: Owner) throws -> Outcome<Void> {
      let outcome = Outcome<Void>()
      let (handle, server) = (try handle(uuid), owner.id)
      enter { radio in radio.withdraw(handle, by: server) { outcome.add($0) } }
      return outcome
    }

    func close(_ owner: Owner) -> Outcome<Void> {
      let outcome = Outcome<Void>()
      let server = owner.id
      enter { radio in radio.closeServer(server) { outcome.add(.success(())) } }
      return outcome
    }

    func answer(_ id: ServerRequestID, _ result: Result<[UInt8], ATTErrorCode>) {
      enter { $0.respond(to: id, with: result) }
    }

    func setValue(_ value: [UInt8], of uuid: BluetoothUUID, by owner: Owner) throws {
      let (handle, server) = (try handle(uuid), owner.id)
      let result: Result<Void, RadioFailure> = enter { radio in
        Result { () throws(RadioFailure) in try radio.setValue(value, of: handle, by: server) }
      }
      try result.get()
    }

    func update(
      _ value: [UInt8],
      of uuid: BluetoothUUID,
      to links: [LinkID]? = nil,
      mode: UpdateMode = .asSubscribed,
      by owner: Owner? = nil,
      confirmed: (@Sendable (LinkID, Result<Void, RadioFailure>) -> Void)? = nil
    ) throws -> UpdateOutcome {
      let (handle, server) = (try handle(uuid), (owner ?? self.owner).id)
      let result: Result<UpdateOutcome, RadioFailure> = enter { radio in
        Result { () throws(RadioFailure) in
          try radio.update(value, of: handle, to: links, mode: mode, by: server, confirmed: confirmed)
        }
      }
      return try result.get()
    }

    // MARK: Advertising

    func startAdvertising(_ request: AdvertisingRequest, by owner: Owner) -> Outcome<Void> {
      let outcome = Outcome<Void>()
      let server = owner.id
      enter { radio in radio.startAdvertising(request, by: server) { outcome.add($0) } }
      return outcome
    }

    func advertise(_ request: AdvertisingRequest, by owner: Owner) async throws -> Outcome<Void> {
      let outcome = startAdvertising(request, by: owner)
      try await world.run(for: .seconds(1))
      return outcome
    }

    func stopAdvertising(by owner: Owner) -> Outcome<Void> {
      let outcome = Outcome<Void>()
      let server = owner.id
      enter { radio in radio.stopAdvertising(by: server) { outcome.add(.success(())) } }
      return outcome
    }

    /// What a passer-by hears of the radio within two seconds, all told; `nil` for nothing.
    func heard() async throws -> AdvertisingData? {
      let passer = Client(self, number())
      defer { world.radioPower(false, of: passer.radio) }
      return try await passer.listen()?.advertisement
    }

    // MARK: Centrals

    private func number() -> Int {
      clientCount.withLock { count in
        count += 1
        return count
      }
    }

    /// A central that is connected and knows the services.
    func client(_ options: LinkOptions = LinkOptions()) async throws -> Client {
      let client = Client(self, number())
      try await client.connect(options)
      return client
    }

    /// A central that speaks ATT itself, connected.
    func rawClient() async throws -> RawCentral {
      let number = number()
      let address = try #require(try await Client(self, number).listen()?.address)
      let raw = RawCentral(world, number: number)
      try await raw.connect(to: address)
      return raw
    }
  }

  /// A central in the world of a radio under test, on our host.
  final class Client: Sendable {
    let world: World
    let radio: any Radio
    private let state = Mutex<(link: LinkID?, claim: ClaimID?, services: [RemoteService])>((nil, nil, []))
    private let received = Mutex<[BluetoothUUID: [[UInt8]]]>([:])
    private let isConnectedNow = Mutex(false)

    init(_ bench: ServerBench, _ number: Int) {
      world = bench.world
      radio = bench.world.makeRadio(name: "central \(number)")
    }

    private func enter<Value: Sendable>(_ body: @Sendable (isolated any Radio) -> Value) -> Value {
      func open<Opened: Radio>(_ radio: Opened) -> Value { radio.assumeIsolated { body($0) } }
      return open(radio)
    }

    var isConnected: Bool { isConnectedNow.withLock { $0 } }
    var services: [RemoteService] { state.withLock { $0.services } }

    /// The last that was heard within two seconds.
    func listen() async throws -> Sighting? {
      let heard = Mutex<Sighting?>(nil)
      try await world.settle()
      let scan = enter { radio in
        radio.startScan(
          ScanRequest(allowsDuplicates: true),
          sighting: { sighting in heard.withLock { $0 = sighting } },
          ended: { _ in }
        )
      }
      try await world.run(for: .seconds(2))
      enter { $0.stopScan(scan) }
      return heard.withLock { $0 }
    }

    func connect(_ options: LinkOptions = LinkOptions()) async throws {
      let peer = try #require(try await listen()?.peer)
      let outcome = Outcome<LinkID>()
      let claim = enter { radio in
        radio.connect(
          to: peer,
          options: options,
          events: { event in if case .disconnected = event { self.isConnectedNow.withLock { $0 = false } } },
          completion: { outcome.add($0) }
        )
      }
      try await world.run(for: .seconds(2))
      let link = try outcome.value()
      isConnectedNow.withLock { $0 = true }
      state.withLock { $0 = (link, claim, []) }
      try await discover()
    }

    func discover() async throws {
      let link = try link
      let services = Outcome<[RemoteService]>()
      enter { radio in _ = radio.discover(nil, on: link) { services.add($0) } }
      try await world.run(for: .seconds(3))
      let found = try services.value()
      state.withLock { $0.services = found }
    }

    private var link: LinkID { get throws { try #require(state.withLock { $0.link }) } }

    func leave() {
      guard let claim = state.withLock({ $0.claim }) else { return }
      enter { $0.release(claim) {} }
    }

    func moveAway() { world.move(radio, to: RadioPosition(x: 10_000, y: 0)) }

    // MARK: Values

    func characteristic(_ uuid: BluetoothUUID) throws -> RemoteCharacteristic { try services.characteristic(uuid) }

    func read(_ uuid: BluetoothUUID) throws -> Outcome<[UInt8]> {
      try read(at: characteristic(uuid).handle)
    }

    func read(at handle: AttributeHandle) throws -> Outcome<[UInt8]> {
      let outcome = Outcome<[UInt8]>()
      let link = try link
      enter { radio in _ = radio.read(handle, on: link) { outcome.add($0) } }
      return outcome
    }

    func write(_ value: [UInt8], to uuid: BluetoothUUID) throws -> Outcome<Void> {
      let outcome = Outcome<Void>()
      let (handle, link) = (try characteristic(uuid).handle, try link)
      enter { radio in _ = radio.write(value, to: handle, on: link) { outcome.add($0) } }
      return outcome
    }

    func command(_ value: [UInt8], to uuid: BluetoothUUID) throws -> Outcome<Void> {
      let outcome = Outcome<Void>()
      let (handle, link) = (try characteristic(uuid).handle, try link)
      enter { radio in _ = radio.writeWithoutResponse(value, to: handle, on: link) { outcome.add($0) } }
      return outcome
    }

    /// Subscribes and waits until the peer has agreed.
    @discardableResult
    func subscribe(to uuid: BluetoothUUID) async throws -> SubscriptionID {
      let outcome = Outcome<Void>()
      let (characteristic, link) = (try characteristic(uuid), try link)
      let id = enter { radio in
        radio.subscribe(
          to: characteristic,
          on: link,
          handler: { value in self.received.withLock { $0[uuid, default: []].append(value) } },
          completion: { outcome.add($0) }
        )
      }
      try await world.run(for: .seconds(1))
      try outcome.value()
      return id
    }

    func unsubscribe(_ subscription: SubscriptionID) async throws {
      enter { $0.unsubscribe(subscription) { _ in } }
      try await world.run(for: .seconds(1))
    }

    func values(of uuid: BluetoothUUID) -> [[UInt8]] { received.withLock { $0[uuid] ?? [] } }
  }
#endif
