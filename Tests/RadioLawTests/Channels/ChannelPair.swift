#if os(Linux)
  import BluetoothTypes
  import RadioPort
  import Synchronization
  import Testing
  import VirtualRadio

  /// What a radio can not do with channels because what it is made of can not.
  enum ChannelLimit: Sendable {
    /// It chooses the PSM that is published itself.
    case choosesPSM
    /// It chooses itself how much a channel holds.
    case choosesSizes
    /// It has streams of bytes in place of SDUs, and does not tell what of them has gone.
    case streams
    /// It opens channels only from the central to the peripheral.
    case opensAsCentral
  }

  extension RadioKind {
    /// Apple's API takes neither sizes nor, to publish, a PSM, has one method to open a channel, of `CBPeripheral`, and
    /// gives streams.
    var channelLimits: Set<ChannelLimit> {
      switch self {
      case .host: []
      case .coreBluetooth: [.choosesPSM, .choosesSizes, .streams, .opensAsCentral]
      }
    }
  }

  /// Which part the radio under test has; our host has the other.
  struct ChannelCase: Sendable, CustomTestStringConvertible {
    let kind: RadioKind
    /// Whether it opens the channels; else it publishes.
    let opens: Bool
    /// Whether it has made the link; else it advertises.
    let isCentral: Bool

    var testDescription: String {
      "\(kind) \(opens ? "opens" : "publishes") as \(isCentral ? "central" : "peripheral")"
    }

    static let all = RadioKind.allCases.flatMap { kind in
      [true, false].flatMap { opens in
        [true, false].map { ChannelCase(kind: kind, opens: opens, isCentral: $0) }
      }
    }
    .filter { $0.isCentral || !$0.opens || !$0.kind.channelLimits.contains(.opensAsCentral) }

    /// What is not to be had of the end that publishes.
    var publishLimits: Set<ChannelLimit> { opens ? [] : kind.channelLimits }
    /// What is not to be had of the end that opens.
    var openLimits: Set<ChannelLimit> { opens ? kind.channelLimits : [] }

    /// How many bytes one end sends that the other does not take, at most: what waits at both, and is on its way.
    var mostUnderWay: Int { kind.channelLimits.contains(.choosesSizes) ? 50_000 : 10_000 }
  }

  /// Two radios in a world with a link between them, of which one publishes a PSM and the other opens channels to it.
  final class ChannelPair: Sendable {
    struct State {
      var psms: [Result<L2CAPPSM, RadioFailure>] = []
      var listener: ChannelListenerID?
      /// The link as the central has it.
      var centralLink: LinkID?
      /// The link as the peripheral has it.
      var peripheralLink: LinkID?
      var claim: ClaimID?
      var hasLostLink = false
      var accepted: [ChannelEnd] = []
    }

    let world: World
    let central: any Radio
    let peripheral: any Radio
    /// Who opens channels, and who publishes.
    let opener: any Radio
    let publisher: any Radio
    /// The radio that a world switches off by ``World/radioPower(_:)``, under the radio under test.
    let subject: any Radio
    private let hidesLinks: Bool
    private let server = Mutex<ServerID?>(nil)
    private let state = Mutex(State())

    init(_ which: ChannelCase, _ world: World) {
      self.world = world
      hidesLinks = !which.isCentral && which.kind.serverLimits.contains(.hidesLinks)
      subject = which.kind.make(in: world)
      let other = world.makeRadio(name: "other")
      (central, peripheral) = which.isCentral ? (subject, other) : (other, subject)
      (opener, publisher) = which.opens ? (subject, other) : (other, subject)
    }

    static func run(
      _ which: ChannelCase,
      _ publication: ChannelPublication = ChannelPublication(),
      toSend: Int = 0,
      seed: UInt64 = 1,
      _ body: @escaping @Sendable (ChannelPair) async throws -> Void
    ) async throws {
      try await World.simulated(seed: seed) { world in
        let pair = ChannelPair(which, world)
        try await world.run(for: .seconds(1))
        pair.publish(publication, toSend: toSend)
        try await pair.connect()
        try await body(pair)
      }
    }

    var now: State { state.withLock { $0 } }
    /// The link as who opens channels has it.
    var link: LinkID {
      get throws { try #require(opener === central ? now.centralLink : now.peripheralLink, "there is no link") }
    }
    var psm: L2CAPPSM { get throws { try #require(try now.psms.last?.get()) } }

    /// Calls a radio on its executor, where the test runs too.
    func enter<Value: Sendable>(_ radio: any Radio, _ body: @Sendable (isolated any Radio) -> Value) -> Value {
      func open<Opened: Radio>(_ radio: Opened) -> Value { radio.assumeIsolated { body($0) } }
      return open(radio)
    }

    /// Publishes; each channel that comes sends so many bytes.
    func publish(_ publication: ChannelPublication, toSend: Int = 0) {
      let publisher = publisher
      let listener = enter(publisher) { radio in
        radio.publishChannel(
          publication,
          incoming: { id, info in
            let end = ChannelEnd(publisher, toSend: toSend)
            self.state.withLock { $0.accepted.append(end) }
            return end.arrived(id, info)
          },
          completion: { result in self.state.withLock { $0.psms.append(result) } }
        )
      }
      state.withLock { $0.listener = listener }
    }

    /// A channel that is open.
    func open(_ options: ChannelOptions = ChannelOptions(), toSend: Int = 0) async throws -> ChannelEnd {
      let end = ChannelEnd(opener, toSend: toSend)
      end.open(to: try psm, on: try link, options)
      try await world.run(for: .seconds(1))
      #expect(end.now.openings == 1 && end.now.failure == nil)
      return end
    }

    /// Advertises, finds and connects.
    func connect() async throws {
      let server = enter(peripheral) { radio in
        radio.openServer(events: { event in
          switch event {
          case .centralConnected(let link): self.state.withLock { $0.peripheralLink = link }
          case .centralDisconnected: self.state.withLock { $0.peripheralLink = nil }
          default: break
          }
        })
      }
      self.server.withLock { $0 = server }
      // Something to read, while channels are busy.
      enter(peripheral) { radio in
        radio.publish(
          ServiceDefinition(
            "FFE0",
            characteristics: [CharacteristicDefinition("FFE5", properties: .read, source: .stored([5]))]
          ),
          by: server,
          completion: { _ in }
        )
      }
      try await world.run(for: .milliseconds(100))
      try await reconnect()
    }

    private func advertise() {
      guard let server = server.withLock({ $0 }) else { return }
      enter(peripheral) { radio in
        radio.startAdvertising(AdvertisingRequest(name: "Peer"), by: server, completion: { _ in })
      }
    }

    func reconnect() async throws {
      advertise()
      let peers = Mutex<[PeerID]>([])
      let scan = enter(central) { radio in
        radio.startScan(
          ScanRequest(),
          sighting: { sighting in peers.withLock { $0.append(sighting.peer) } },
          ended: { _ in }
        )
      }
      try await world.run(for: .seconds(1))
      enter(central) { $0.stopScan(scan) }
      guard let peer = peers.withLock({ $0.first }) else { return }
      state.withLock { ($0.centralLink, $0.hasLostLink) = (nil, false) }
      let claim = enter(central) { radio in
        radio.connect(
          to: peer,
          options: LinkOptions(interval: .milliseconds(15) ... .milliseconds(15)),
          events: { event in if case .disconnected = event { self.state.withLock { $0.hasLostLink = true } } },
          completion: { result in self.state.withLock { $0.centralLink = try? result.get() } }
        )
      }
      state.withLock { $0.claim = claim }
      try await world.run(for: .seconds(1))
    }

    // MARK: What goes wrong

    func disconnect() {
      guard let claim = now.claim else { return }
      enter(central) { $0.release(claim, completion: {}) }
    }

    func setReachable(_ isReachable: Bool) {
      world.move(world.radio, to: isReachable ? .origin : RadioPosition(x: 100_000))
    }

    /// Whether the link is there, as both ends know, if they are told.
    var isLinked: Bool {
      let state = now
      return state.centralLink != nil && !state.hasLostLink && (hidesLinks || state.peripheralLink != nil)
    }
  }
#endif
