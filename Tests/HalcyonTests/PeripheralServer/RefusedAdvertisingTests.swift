#if os(Linux)
  import BluetoothTypes
  import CoreBluetooth
  import CoreBluetoothRadio
  import Halcyon
  import HostStack
  import RadioPort
  import Synchronization
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  @Suite("Advertising that the controller refuses", .reportsWorlds)
  struct RefusedAdvertisingTests {
    enum Way: CaseIterable { case host, coreBluetooth }

    /// A server on a controller that refuses to advertise when it is told to.
    struct Bench: Sendable {
      let world: World
      let channel: RefusingChannel
      let radio: HostRadio
      let server: PeripheralServer
      let central: Central

      /// The names that are heard within a second.
      func heard() async throws -> Set<String> {
        var names: Set<String> = []
        for try await discovery in central.scan(duration: .seconds(1)) {
          if let name = discovery.name { names.insert(name) }
        }
        return names
      }
    }

    private func run(_ way: Way, _ body: @escaping @Sendable (Bench) async throws -> Void) async throws {
      try await World.simulated(seed: 1) { world in
        let controller = world.space.addController(
          ControllerConfiguration(address: BluetoothAddress(0x77, .public)),
          name: "server"
        )
        let channel = RefusingChannel(controller, world.executor)
        let radio = HostRadio(executor: world.executor, channel: channel, configuration: HostConfiguration())
        await radio.powerOn()
        let used: any Radio =
          switch way {
          case .host: radio
          case .coreBluetooth:
            CoreBluetoothRadio(executor: radio.executor, queue: nil, options: [CBManagerOptionRadioKey: radio])
          }
        let server = PeripheralServer(advertising: .init(name: "First"), radio: used) {
          Service(.notes) { Readable(.note, value: [1]) }
        }
        let central = Central(radio: world.radio)
        try await central.ready()
        try await server.start()
        try await body(Bench(world: world, channel: channel, radio: radio, server: server, central: central))
      }
    }

    @Test("the call throws the reason, and what was advertised goes on", arguments: Way.allCases)
    func goesOn(_ way: Way) async throws {
      try await run(way) { bench in
        bench.channel.refuse(1)
        do {
          try await bench.server.advertise(.init(name: "Second"))
          Issue.record("it was taken")
        } catch let error as BluetoothError {
          #expect(error.operation == .advertise)
          if way == .host { #expect(error.controllerStatus == .unspecifiedError) }
        }
        #expect(bench.server.state.isRunning)
        #expect(try await bench.heard() == ["First"])
        // And it can be tried again.
        try await bench.server.advertise(.init(name: "Third"))
        #expect(try await bench.heard() == ["Third"])
      }
    }

    @Test("where what was advertised can not go on either, the state says so", arguments: Way.allCases)
    func canNotGoOn(_ way: Way) async throws {
      try await run(way) { bench in
        bench.channel.refuse(2)
        await #expect(throws: BluetoothError.self) { try await bench.server.advertise(.init(name: "Second")) }
        try await bench.world.run(for: .seconds(1))
        guard case .suspended(let reason) = bench.server.state else {
          Issue.record("the state is \(bench.server.state)")
          return
        }
        #expect(reason.operation == .advertise)
        #expect(try await bench.heard() == [])
        try await bench.server.advertise(.init(name: "Third"))
        #expect(bench.server.state.isRunning)
        #expect(try await bench.heard() == ["Third"])
      }
    }

    @Test("another server whose start is refused leaves alone what the first advertises", arguments: Way.allCases)
    func another(_ way: Way) async throws {
      try await run(way) { bench in
        let second = PeripheralServer(advertising: .init(services: [.battery]), radio: bench.radio) {
          Service(.battery) { Readable(.batteryLevel, value: BatteryLevel(5)) }
        }
        bench.channel.refuse(1)
        await #expect(throws: BluetoothError.self) { try await second.start() }
        #expect(!second.state.isRunning && bench.server.state.isRunning)
        #expect(try await bench.heard() == ["First"])
        try await second.start()
        #expect(second.state.isRunning && bench.server.state.isRunning)
        #expect(try await bench.heard() == ["First"])
      }
    }

    @Test("a call that is cancelled before the controller has answered changes nothing", arguments: Way.allCases)
    func cancelled(_ way: Way) async throws {
      try await run(way) { bench in
        bench.channel.delay(.seconds(1))
        let server = bench.server
        let call = Task { try await server.advertise(.init(name: "Second")) }
        try await bench.world.run(for: .milliseconds(500))
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        bench.channel.delay(nil)
        try await bench.world.run(for: .seconds(3))
        #expect(bench.server.state.isRunning)
        #expect(try await bench.heard() == ["First"])
      }
    }

    @Test("an extended set that is refused leaves the legacy advertisement on the air, one that is taken ends it")
    func otherSet() async throws {
      try await run(.host) { bench in
        let server = await bench.radio.openServer { _ in }
        await bench.server.stop()
        try await bench.radio.advertise(AdvertisingRequest(name: "Legacy"), by: server)
        bench.channel.refuse(1)
        let extended = AdvertisingRequest(name: "Extended", format: .extended())
        await #expect(throws: RadioFailure.self) { try await bench.radio.advertise(extended, by: server) }
        #expect(try await bench.heard() == ["Legacy"])
        try await bench.radio.advertise(extended, by: server)
        let heard = Mutex<Set<String>>([])
        let scan = await bench.world.mainRadio.startScan(
          ScanRequest(allowsDuplicates: true),
          sighting: { sighting in
            if let name = sighting.advertisement.localName { heard.withLock { _ = $0.insert(name) } }
          },
          ended: { _ in }
        )
        try await bench.world.run(for: .seconds(1))
        await bench.world.mainRadio.stopScan(scan)
        #expect(heard.withLock { $0 } == ["Extended"])
      }
    }
  }

  /// A way to a controller that does not do as it is told.
  final class RefusingChannel: HCIChannel {
    private struct State {
      var receive: (@Sendable (HCIPacket) -> Void)?
      var refusals = 0
      var delay: Duration?
    }

    private let inner: VirtualChannel
    private let executor: any RadioExecutor
    private let state = Mutex(State())

    init(_ inner: VirtualChannel, _ executor: any RadioExecutor) {
      self.inner = inner
      self.executor = executor
    }

    /// The next so many times it does not begin to advertise.
    func refuse(_ count: Int) { state.withLock { $0.refusals = count } }

    /// It takes so long to begin.
    func delay(_ delay: Duration?) { state.withLock { $0.delay = delay } }

    func open(
      receive: @escaping @Sendable (HCIPacket) -> Void,
      closed: @escaping @Sendable (HCIChannelFailure) -> Void
    ) {
      state.withLock { $0.receive = receive }
      inner.open(receive: receive, closed: closed)
    }

    func send(_ packet: HCIPacket) {
      guard let command = try? AnyHCICommand(packet), case .leSetExtendedAdvertisingEnable(let enable) = command,
        enable.enable
      else { return inner.send(packet) }
      let (receive, isRefused, delay) = state.withLock { state in
        defer { state.refusals = max(0, state.refusals - 1) }
        return (state.receive, state.refusals > 0, state.delay)
      }
      if isRefused {
        executor.submit {
          receive?(
            CommandComplete(
              opcode: .leSetExtendedAdvertisingEnable,
              returnParameters: [HCIStatus.unspecifiedError.rawValue]
            ).packet
          )
        }
      } else if let delay {
        _ = executor.schedule(at: executor.now.advanced(by: delay)) { self.inner.send(packet) }
      } else {
        inner.send(packet)
      }
    }

    func close() { inner.close() }
  }

  extension HostRadio {
    fileprivate func advertise(_ request: AdvertisingRequest, by server: ServerID) async throws {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        startAdvertising(request, by: server) { continuation.resume(with: $0.mapError { $0 as any Error }) }
      }
    }
  }
#endif
