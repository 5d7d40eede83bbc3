#if os(Linux)
  import BluetoothTypes
  import CoreBluetooth
  @testable import HostStack
  import RadioPort
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  @Suite("CBPeripheralManager: requests, links, advertising, misuse", .reportsWorlds)
  struct ManagerBehaviourTests {
    typealias Site = PeripheralFlowTests.Site

    @Test("add, remove, removeAllServices while connected: the central is told, didModifyServices")
    func serviceChanged() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await Site(world)
        let bench = try await Bench(world, to: "Site")
        try await bench.discoverAll()
        bench.peripheral.setNotifyValue(true, for: try bench.characteristic("FFF1"))
        try await world.run(for: .seconds(1))
        (_, _) = (bench.recorder.take(), site.delegate.take())
        site.manager.remove(site.services[1])
        try await world.run(for: .seconds(3))
        #expect(bench.recorder.take() == ["modified 1"])
        site.manager.add(site.services[1])
        try await world.run(for: .seconds(3))
        #expect(bench.recorder.take() == ["modified 0"])
        site.manager.removeAllServices()
        try await world.run(for: .seconds(3))
        #expect(bench.recorder.take().allSatisfy { $0.hasPrefix("modified") })
        #expect(site.delegate.take() == ["added FFE0", "unsubscribed FFF1"])
        #expect(!site.manager.updateValue(Data([1]), for: site.ticker, onSubscribedCentrals: nil))
        try await bench.discoverAll()
        #expect(bench.peripheral.services?.isEmpty == true)
      }
    }

    @Test("CBATTRequest: central, characteristic, offset, value; long reads come in parts, each from its offset")
    func requestParts() async throws {
      try await World.simulated(seed: 2) { world in
        let site = try await Site(world)
        let short = world.makeHostRadio(name: "short", configuration: HostConfiguration(mtu: 23))
        let bench = try await Bench(world, to: "Site", on: short)
        try await bench.discoverAll()
        let long = Data((0..<60).map { UInt8($0) })
        site.note.value = long
        let note = try #require(bench.peripheral.services?.first?.characteristics?.last)
        bench.peripheral.readValue(for: note)
        try await world.run(for: .seconds(2))
        #expect(note.value == long)
        let reads = site.delegate.requests.compactMap(\.first)
        #expect(reads.first?.offset == 0 && reads.allSatisfy { $0.characteristic === site.note })
        #expect(reads.allSatisfy { $0.central === reads.first?.central })
        #expect(reads.first?.central.maximumUpdateValueLength == 20)
        // An answer with an error has its code.
        site.delegate.holdsReads = true
        bench.peripheral.readValue(for: note)
        try await world.run(for: .seconds(1))
        let held = try #require(site.delegate.requests.last?.first)
        site.manager.respond(to: held, withResult: .insufficientAuthorization)
        try await world.run(for: .seconds(1))
        #expect((bench.recorder.errors.last as? CBATTError)?.code == .insufficientAuthorization)
      }
    }

    @Test("a request is answered by the manager that was asked, and by no other")
    func otherManager() async throws {
      try await World.simulated(seed: 3) { world in
        let site = try await Site(world)
        let other = try await Stand(world, [])
        let bench = try await Bench(world, to: "Site")
        try await bench.discoverAll()
        site.delegate.holdsReads = true
        bench.peripheral.readValue(for: try bench.characteristic("FFF2"))
        try await world.run(for: .seconds(1))
        let request = try #require(site.delegate.requests.last?.first)
        other.manager.respond(to: request, withResult: .unlikelyError)
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == [])
        request.value = Data([4])
        site.manager.respond(to: request, withResult: .success)
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["value FFF2"] && bench.recorder.values == [Data([4])])
      }
    }

    @Test("writes without response: the app is asked and no answer is due; an answer does no harm")
    func writeCommands() async throws {
      try await World.simulated(seed: 4) { world in
        let sink = Stand.characteristic("FFF1", [.writeWithoutResponse, .write], .writeable)
        let stand = try await Stand(world, [sink])
        let bench = try await Bench(world, to: "Stand")
        try await bench.discoverAll()
        for number in 0..<5 {
          bench.peripheral.writeValue(
            Data([UInt8(number)]),
            for: try bench.characteristic("FFF1"),
            type: .withoutResponse
          )
        }
        try await world.run(for: .seconds(1))
        #expect(stand.delegate.take() == Array(repeating: "write 1", count: 5))
        #expect(stand.delegate.requests.compactMap { $0.first?.value } == (0..<5).map { Data([$0]) })
        #expect(bench.recorder.take().allSatisfy { $0 == "ready" })
      }
    }

    @Test("setDesiredConnectionLatency: the link gets another interval, and a central that is gone none")
    func latency() async throws {
      try await World.simulated(seed: 5) { world in
        let site = try await Site(world)
        let bench = try await Bench(world, to: "Site")
        try await bench.discoverAll()
        bench.peripheral.setNotifyValue(true, for: try bench.characteristic("FFF1"))
        try await world.run(for: .seconds(1))
        let central = try #require(site.ticker.subscribedCentrals?.first)
        func roundTrip() async throws -> Duration {
          let start = world.now
          let note = try #require(bench.peripheral.services?.first?.characteristics?.last)
          _ = bench.recorder.take()
          bench.peripheral.readValue(for: note)
          while bench.recorder.events.isEmpty { try await world.run(for: .milliseconds(5)) }
          return start.duration(to: world.now)
        }
        for (latency, least, most) in [
          (CBPeripheralManagerConnectionLatency.high, Duration.milliseconds(250), Duration.seconds(4)),
          (.medium, .milliseconds(50), .milliseconds(400)), (.low, .milliseconds(5), .milliseconds(90)),
        ] {
          site.manager.setDesiredConnectionLatency(latency, for: central)
          try await world.run(for: .seconds(20))
          let time = try await roundTrip()
          #expect(time >= least && time <= most, "\(latency): \(time)")
        }
        bench.manager.cancelPeripheralConnection(bench.peripheral)
        try await world.run(for: .seconds(1))
        site.manager.setDesiredConnectionLatency(.low, for: central)
        try await world.run(for: .seconds(1))
      }
    }

    @Test("startAdvertising: what fits is heard, the rest is left out; other keys and types are passed over")
    func advertisingRoom() async throws {
      try await World.simulated(seed: 6) { world in
        let stand = try await Stand(world, [])
        stand.manager.stopAdvertising()
        #expect(!stand.manager.isAdvertising)
        let services = (0..<6).map { CBUUID(string: "0000000\($0)-0000-4000-8000-00805F9B34FB") }
        stand.manager.startAdvertising([
          CBAdvertisementDataLocalNameKey: "A name of no great length",
          CBAdvertisementDataServiceUUIDsKey: services,
          CBAdvertisementDataTxPowerLevelKey: NSNumber(value: 4),
        ])
        #expect(!stand.manager.isAdvertising, "it is only on when the delegate is told")
        try await world.run(for: .seconds(1))
        #expect(stand.delegate.take() == ["advertising true"] && stand.delegate.errors.isEmpty)
        let recorder = Recorder()
        let central = CBCentralManager(recorder, on: world.radio)
        try await world.run(for: .seconds(1))
        central.scanForPeripherals(withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        try await world.run(for: .seconds(3))
        let heard = try #require(recorder.advertisements.last)
        let named = try #require(heard[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID])
        #expect(!named.isEmpty && named == Array(services.prefix(named.count)) && named.count < services.count)
        #expect(heard[CBAdvertisementDataTxPowerLevelKey] == nil)
        #expect(heard[CBAdvertisementDataOverflowServiceUUIDsKey] == nil)
        // What is of the wrong type is as if it were not there.
        stand.manager.stopAdvertising()
        stand.manager.startAdvertising([CBAdvertisementDataLocalNameKey: 5, CBAdvertisementDataServiceUUIDsKey: "FFF0"])
        try await world.run(for: .seconds(1))
        #expect(stand.delegate.take() == ["advertising true"])
      }
    }

    @Test("updateValue: to some, to nobody, without power, for what is not published")
    func updates() async throws {
      try await World.simulated(seed: 7) { world in
        let site = try await Site(world)
        let first = try await Bench(world, to: "Site")
        let second = try await Bench(world, to: "Site", on: world.makeRadio(name: "second"))
        #expect(site.manager.updateValue(Data([0]), for: site.ticker, onSubscribedCentrals: nil))
        for bench in [first, second] {
          try await bench.discoverAll()
          bench.peripheral.setNotifyValue(true, for: try bench.characteristic("FFF1"))
          try await world.run(for: .seconds(1))
        }
        let centrals = try #require(site.ticker.subscribedCentrals)
        #expect(centrals.count == 2 && centrals[0] !== centrals[1])
        #expect(site.manager.updateValue(Data([1]), for: site.ticker, onSubscribedCentrals: [centrals[1]]))
        #expect(site.manager.updateValue(Data([2]), for: site.ticker, onSubscribedCentrals: []))
        #expect(site.manager.updateValue(Data([3]), for: site.ticker, onSubscribedCentrals: nil))
        try await world.run(for: .seconds(1))
        #expect(first.recorder.values == [Data([3])] && second.recorder.values == [Data([1]), Data([3])])
        let stranger = Stand.characteristic("FFF1", .notify, .readable)
        #expect(!site.manager.updateValue(Data([1]), for: stranger, onSubscribedCentrals: nil))
        #expect(stranger.subscribedCentrals == [])
      }
    }

    @Test("a delegate without the optional methods: requests are refused as not supported, the rest passes")
    func bareDelegate() async throws {
      final class Bare: NSObject, CBPeripheralManagerDelegate {
        func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}
      }
      try await World.simulated(seed: 8) { world in
        let stand = try await Stand(
          world,
          [Stand.characteristic("FFF1", [.read, .write, .notify], [.readable, .writeable])]
        )
        let bare = Bare()
        stand.manager.delegate = bare
        let bench = try await Bench(world, to: "Stand")
        try await bench.discoverAll()
        let value = try bench.characteristic("FFF1")
        bench.peripheral.readValue(for: value)
        bench.peripheral.writeValue(Data([1]), for: value, type: .withResponse)
        bench.peripheral.setNotifyValue(true, for: value)
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["value FFF1 failed", "wrote FFF1 failed", "notifying true"])
        let codes = bench.recorder.errors.compactMap { ($0 as? CBATTError)?.code }
        #expect(codes == [.requestNotSupported, .requestNotSupported])
      }
    }

    @Test("a manager of each initializer begins as unknown, hears its state first, and keeps no delegate")
    func initializers() async throws {
      try await World.simulated(seed: 10) { world in
        var delegate: Server? = Server()
        let manager = CBPeripheralManager(
          delegate: delegate,
          queue: nil,
          options: [CBManagerOptionRadioKey: world.radio]
        )
        #expect(manager.state == .unknown && manager.delegate === delegate)
        try await world.run(for: .seconds(1))
        #expect(delegate?.take() == ["state poweredOn"])
        delegate = nil
        #expect(manager.delegate == nil)
      }
      // Without a radio of their own they share that of the process; the tests name none.
      let queue = DispatchQueue(label: "managers")
      let managers = [CBPeripheralManager(), CBPeripheralManager(delegate: nil, queue: queue)]
      #expect(managers.allSatisfy { $0.delegate == nil && [.unknown, .unsupported].contains($0.state) })
    }

    @Test("state and authorization: raw values as Apple's, also of the older types")
    func states() async throws {
      let listener = Misuse.Listener()
      try await World.simulated(seed: 9) { world in
        let delegate = Server()
        let manager = CBPeripheralManager(
          delegate: delegate,
          queue: nil,
          options: [
            CBManagerOptionRadioKey: world.radio, CBPeripheralManagerOptionShowPowerAlertKey: NSNumber(value: true),
          ]
        )
        #expect(manager.state == .unknown && !manager.isAdvertising)
        try await world.run(for: .seconds(1))
        #expect(manager.state == .poweredOn && CBPeripheralManager.authorization == .allowedAlways)
        world.radioPower(false)
        try await world.run(for: .seconds(1))
        #expect(delegate.take() == ["state poweredOn", "state poweredOff"])
        #expect(listener.messages.filter { $0.contains("\(manager): Bluetooth is off") }.count == 1)
      }
      let (states, status) = (Older() as any OlderNames).rawValues
      #expect(states == [0, 1, 2, 3, 4, 5] && status == [0, 1, 2, 3, 3])
      let latencies: [CBPeripheralManagerConnectionLatency] = [.low, .medium, .high]
      #expect(latencies.map(\.rawValue) == [0, 1, 2])
      #expect(CBManagerState.poweredOn.rawValue == 5 && CBManagerAuthorization.allowedAlways.rawValue == 3)
    }
  }

  /// Uses deprecated names without a warning.
  private protocol OlderNames {
    var rawValues: (states: [Int], status: [Int]) { get }
  }

  private struct Older: OlderNames {
    @available(*, deprecated)
    var rawValues: (states: [Int], status: [Int]) {
      let states: [CBPeripheralManagerState] = [
        .unknown, .resetting, .unsupported, .unauthorized, .poweredOff, .poweredOn,
      ]
      let status: [CBPeripheralManagerAuthorizationStatus] = [
        .notDetermined, .restricted, .denied, .authorized, CBPeripheralManager.authorizationStatus(),
      ]
      return (states.map(\.rawValue), status.map(\.rawValue))
    }
  }
#endif
