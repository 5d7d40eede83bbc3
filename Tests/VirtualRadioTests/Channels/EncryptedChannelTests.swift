import BluetoothTypes
import HostStack
import RadioPort
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Encrypted links between two radios on one air", .reportsWorlds(packets: 40))
struct EncryptedChannelTests {
  private static let key = LongTermKey(0x0011_2233_4455_6677)

  /// Two radios that share a key, or not, with a link between them.
  private final class Site: Sendable {
    let world: World
    let central: HostRadio
    let peripheral: HostRadio
    private let state = Mutex<(peer: PeerID?, link: LinkID?, centralAddress: BluetoothAddress?)>((nil, nil, nil))

    init(_ world: World) {
      self.world = world
      central = world.mainRadio
      peripheral = world.makeHostRadio()
    }

    /// Calls a radio on its executor, where the test runs too.
    private func enter<Value: Sendable>(_ radio: HostRadio, _ body: @Sendable (isolated HostRadio) -> Value) -> Value {
      radio.assumeIsolated { body($0) }
    }

    func connect() async throws {
      try await world.run(for: .seconds(1))
      enter(peripheral) { radio in
        let server = radio.openServer(events: { _ in })
        let service = ServiceDefinition(
          "FFE0",
          characteristics: [
            CharacteristicDefinition(
              "FFE1",
              properties: .read,
              permissions: [.read, .encryptedRead],
              source: .stored([7])
            )
          ]
        )
        radio.publish(service, by: server, completion: { _ in })
        radio.startAdvertising(AdvertisingRequest(name: "Peer"), by: server, completion: { _ in })
        let locked = ChannelPublication(psm: 0x0080, requiresEncryption: true)
        _ = radio.publishChannel(locked, incoming: { _, _ in { _ in } }, completion: { _ in })
      }
      let scan = enter(central) { radio in
        radio.startScan(
          ScanRequest(),
          sighting: { sighting in self.state.withLock { $0.peer = sighting.peer } },
          ended: { _ in }
        )
      }
      try await world.run(for: .seconds(1))
      enter(central) { $0.stopScan(scan) }
      let peer = try #require(state.withLock { $0.peer })
      enter(central) { radio in
        _ = radio.connect(
          to: peer,
          options: LinkOptions(),
          events: { event in if case .disconnected = event { self.state.withLock { $0.link = nil } } },
          completion: { result in self.state.withLock { $0.link = try? result.get() } }
        )
      }
      try await world.run(for: .seconds(1))
    }

    var link: LinkID { get throws { try #require(state.withLock { $0.link }) } }
    var isConnected: Bool { state.withLock { $0.link != nil } }

    func setKeys(central: LongTermKey?, peripheral: LongTermKey?) {
      let addresses = (
        self.central.assumeIsolated { $0.controllerInfo.address },
        self.peripheral.assumeIsolated { $0.controllerInfo.address }
      )
      self.central.assumeIsolated { $0.setKeys(central.map { [addresses.1: $0] } ?? [:]) }
      self.peripheral.assumeIsolated { $0.setKeys(peripheral.map { [addresses.0: $0] } ?? [:]) }
    }

    func encrypt() async throws -> Result<LinkSecurity, RadioFailure>? {
      let ended = Mutex<[Result<LinkSecurity, RadioFailure>]>([])
      let link = try link
      enter(central) { $0.encrypt(link) { result in ended.withLock { $0.append(result) } } }
      try await world.run(for: .seconds(5))
      #expect(ended.withLock { $0.count } == 1)
      return ended.withLock { $0.first }
    }

    /// How the wish for a channel and the reading of a value end.
    final class Answers: Sendable {
      let state = Mutex<(channel: L2CAPConnectionResult?, value: ATTErrorCode?)>((nil, nil))

      func opened(_ result: Result<ChannelInfo, RadioFailure>) {
        guard case .failure(let failure) = result, case .channel(let code)? = failure.underlying else { return }
        state.withLock { $0.channel = code }
      }

      func read(_ result: Result<[UInt8], RadioFailure>) {
        guard case .failure(let failure) = result, case .att(let code, _)? = failure.underlying else { return }
        state.withLock { $0.value = code }
      }
    }

    func ask() async throws -> (channel: L2CAPConnectionResult?, value: ATTErrorCode?) {
      let answers = Answers()
      let link = try link
      enter(central) { radio in
        _ = radio.openChannel(to: 0x0080, on: link, options: ChannelOptions(), events: { _ in }) { answers.opened($0) }
        _ = radio.discover(nil, on: link) { result in
          let characteristics = (try? result.get())?.flatMap(\.characteristics) ?? []
          guard let handle = characteristics.first(where: { $0.uuid == "FFE1" })?.handle else { return }
          self.enter(self.central) { radio in _ = radio.read(handle, on: link) { answers.read($0) } }
        }
      }
      try await world.run(for: .seconds(3))
      return answers.state.withLock { $0 }
    }
  }

  @Test("an encrypted link is let in, by channels and by values; one in the open is told what it lacks")
  func letIn() async throws {
    try await World.simulated(seed: 1) { world in
      let site = Site(world)
      try await site.connect()
      let open = try await site.ask()
      #expect(open.channel == .insufficientAuthentication && open.value == .insufficientAuthentication)
      site.setKeys(central: Self.key, peripheral: Self.key)
      let keyed = try await site.ask()
      #expect(keyed.channel == .insufficientEncryption && keyed.value == .insufficientEncryption)
      #expect(try await site.encrypt()?.get() == .encrypted)
      let encrypted = try await site.ask()
      #expect(encrypted.channel == nil && encrypted.value == nil)
      #expect(try await site.encrypt()?.get() == .encrypted)
    }
  }

  @Test("a peer without the key keeps the link in the open; one with another key loses it")
  func wrongKeys() async throws {
    try await World.simulated(seed: 2) { world in
      let site = Site(world)
      try await site.connect()
      site.setKeys(central: Self.key, peripheral: nil)
      guard case .failure(let missing)? = try await site.encrypt() else { return #expect(Bool(false)) }
      #expect(missing.underlying == .hci(.pinOrKeyMissing))
      #expect(site.isConnected)
      #expect(try await site.ask().channel == .insufficientAuthentication)
      site.setKeys(central: Self.key, peripheral: LongTermKey(5))
      guard case .failure(let wrong)? = try await site.encrypt() else { return #expect(Bool(false)) }
      #expect(wrong.kind == .disconnected)
      #expect(!site.isConnected)
    }
  }
}
