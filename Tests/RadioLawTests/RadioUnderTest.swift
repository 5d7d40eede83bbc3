#if os(Linux)
  import BluetoothTypes
  import CoreBluetooth
  import CoreBluetoothRadio
  import RadioPort
  import Synchronization
  import Testing
  import VirtualRadio

  /// The radios that have to keep the laws of the port. To add one is to add a case.
  enum RadioKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// Our host on a virtual controller.
    case host
    /// CoreBluetooth, on Linux our own module, over our host.
    case coreBluetooth

    var testDescription: String { rawValue }

    func make(in world: World) -> any Radio {
      switch self {
      case .host: world.radio
      case .coreBluetooth:
        CoreBluetoothRadio(
          executor: world.radio.executor,
          queue: nil,
          options: [CBManagerOptionRadioKey: world.radio]
        )
      }
    }
  }

  /// What came out of a call; it is read when the world has gone on.
  final class Outcome<Value: Sendable>: Sendable {
    private let results = Mutex<[Result<Value, RadioFailure>]>([])

    func add(_ result: Result<Value, RadioFailure>) { results.withLock { $0.append(result) } }

    var count: Int { results.withLock { $0.count } }

    /// The one result.
    func value() throws -> Value {
      let all = results.withLock { $0 }
      try #require(all.count == 1, "\(all.count) results: a completion is called exactly once")
      return try all[0].get()
    }

    /// The kind of the one failure.
    func failure() throws -> RadioFailure {
      let all = results.withLock { $0 }
      try #require(all.count == 1, "\(all.count) results: a completion is called exactly once")
      switch all[0] {
      case .success: throw RadioFailure(.invalidArgument, reason: "it did not fail")
      case .failure(let failure): return failure
      }
    }
  }

  /// What was told, in order.
  final class Log: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    func take() -> [String] {
      lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
  }

  /// A radio in a world with one device, and what it has told.
  final class Bench: Sendable {
    let world: World
    let radio: any CentralRadio
    let device: VirtualDevice
    let log = Log()

    init(_ kind: RadioKind, _ world: World, _ device: DeviceKind<VirtualDevice>) async throws {
      self.world = world
      self.device = world.add(device)
      radio = kind.make(in: world)
      try await world.run(for: .seconds(1))
    }

    /// Calls the radio on its executor, where the test runs too.
    func enter<Value: Sendable>(_ body: @Sendable (isolated any CentralRadio) -> Value) -> Value {
      func open<Opened: CentralRadio>(_ radio: Opened) -> Value { radio.assumeIsolated { body($0) } }
      return open(radio)
    }

    // MARK: Steps

    /// Scans until the device is heard.
    func find() async throws -> PeerID {
      let peers = Mutex<[PeerID]>([])
      let name = device.name
      let scan = enter { radio in
        radio.startScan(
          ScanRequest(),
          sighting: { sighting in
            if sighting.advertisement.localName == name { peers.withLock { $0.append(sighting.peer) } }
          },
          ended: { _ in }
        )
      }
      try await world.run(for: .seconds(3))
      enter { $0.stopScan(scan) }
      return try #require(peers.withLock { $0.first })
    }

    func connect(to peer: PeerID) -> (claim: ClaimID, link: Outcome<LinkID>) {
      let outcome = Outcome<LinkID>()
      let log = log
      let claim = enter { radio in
        radio.connect(
          to: peer,
          options: LinkOptions(),
          events: { event in
            if case .disconnected(let failure) = event { log.add("disconnected \(failure.kind.rawValue)") }
          },
          completion: { outcome.add($0) }
        )
      }
      return (claim, outcome)
    }

    /// Finds the device, connects and discovers all.
    func ready() async throws -> (claim: ClaimID, link: LinkID, services: [RemoteService]) {
      let peer = try await find()
      let (claim, outcome) = connect(to: peer)
      try await world.run(for: .seconds(2))
      let link = try outcome.value()
      let services = Outcome<[RemoteService]>()
      enter { radio in _ = radio.discover(nil, on: link) { services.add($0) } }
      try await world.run(for: .seconds(5))
      return (claim, link, try services.value())
    }

    func read(_ handle: AttributeHandle, on link: LinkID) -> Outcome<[UInt8]> {
      let outcome = Outcome<[UInt8]>()
      enter { radio in _ = radio.read(handle, on: link) { outcome.add($0) } }
      return outcome
    }

    func write(_ value: [UInt8], to handle: AttributeHandle, on link: LinkID) -> Outcome<Void> {
      let outcome = Outcome<Void>()
      enter { radio in _ = radio.write(value, to: handle, on: link) { outcome.add($0) } }
      return outcome
    }

    func subscribe(
      to characteristic: RemoteCharacteristic,
      on link: LinkID,
      as name: String = "value"
    ) -> (SubscriptionID, Outcome<Void>) {
      let outcome = Outcome<Void>()
      let log = log
      let id = enter { radio in
        radio.subscribe(to: characteristic, on: link, handler: { log.add("\(name) \($0)") }) { outcome.add($0) }
      }
      return (id, outcome)
    }
  }

  extension [RemoteService] {
    func characteristic(_ uuid: BluetoothUUID) throws -> RemoteCharacteristic {
      try #require(flatMap(\.characteristics).first { $0.uuid == uuid })
    }
  }
#endif
