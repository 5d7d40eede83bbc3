#if os(Linux)
  import CoreBluetooth
  import RadioPort
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  /// A delegate that serves and keeps what it is told.
  final class Server: NSObject, CBPeripheralManagerDelegate {
    private(set) var events: [String] = []
    private(set) var requests: [[CBATTRequest]] = []
    private(set) var errors: [any Error] = []
    var onReady: (() -> Void)?
    /// Whether reads wait for the test to answer them.
    var holdsReads = false
    /// Whether reads are let go without an answer.
    var forgetsReads = false
    /// Whether writes are refused.
    var refusesWrites = false

    func take() -> [String] {
      defer { events = [] }
      return events
    }

    private func note(_ event: String, _ error: (any Error)? = nil) {
      if let error { errors.append(error) }
      events.append(error == nil ? event : event + " failed")
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) { note("state \(peripheral.state)") }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
      note("advertising \(peripheral.isAdvertising)", error)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
      note("added \(service.uuid.uuidString)", error)
    }

    func peripheralManager(
      _ peripheral: CBPeripheralManager,
      central: CBCentral,
      didSubscribeTo characteristic: CBCharacteristic
    ) {
      note("subscribed \(characteristic.uuid.uuidString)")
    }

    func peripheralManager(
      _ peripheral: CBPeripheralManager,
      central: CBCentral,
      didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
      note("unsubscribed \(characteristic.uuid.uuidString)")
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
      note("read \(request.characteristic.uuid.uuidString)")
      if forgetsReads { return }
      requests.append([request])
      if holdsReads { return }
      guard request.characteristic.properties.contains(.read) else {
        return peripheral.respond(to: request, withResult: .readNotPermitted)
      }
      request.value = request.characteristic.value?.dropFirst(request.offset)
      peripheral.respond(to: request, withResult: .success)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
      self.requests.append(requests)
      note("write \(requests.count)")
      if refusesWrites, let first = requests.first {
        return peripheral.respond(to: first, withResult: .unlikelyError)
      }
      for request in requests {
        (request.characteristic as? CBMutableCharacteristic)?.value = request.value
      }
      if let first = requests.first { peripheral.respond(to: first, withResult: .success) }
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
      note("ready")
      onReady?()
    }
  }

  @Suite("The peripheral flow in Apple's API", .reportsWorlds)
  struct PeripheralFlowTests {
    /// A server with the services of the walk-through, which advertises.
    struct Site {
      let delegate = Server()
      let manager: CBPeripheralManager
      let ticker: CBMutableCharacteristic
      let note: CBMutableCharacteristic
      let old: CBMutableCharacteristic
      let services: [CBMutableService]

      init(_ world: World, on radio: (any Radio)? = nil) async throws {
        ticker = CBMutableCharacteristic(
          type: CBUUID(string: "FFF1"),
          properties: .notify,
          value: nil,
          permissions: .readable
        )
        note = CBMutableCharacteristic(
          type: CBUUID(string: "FFF2"),
          properties: [.read, .write],
          value: nil,
          permissions: [.readable, .writeable]
        )
        note.descriptors = [
          CBMutableDescriptor(type: CBUUID(string: CBUUIDCharacteristicUserDescriptionString), value: "Note")
        ]
        old = CBMutableCharacteristic(
          type: CBUUID(string: "FFF2"),
          properties: .read,
          value: Data("old".utf8),
          permissions: .readable
        )
        let first = CBMutableService(type: CBUUID(string: "FFF0"), primary: true)
        first.characteristics = [ticker, note]
        let second = CBMutableService(type: CBUUID(string: "FFE0"), primary: true)
        second.characteristics = [old]
        services = [first, second]
        manager = CBPeripheralManager(delegate, on: radio ?? world.makeRadio(name: "server"))
        try await world.run(for: .seconds(1))
        for service in services { manager.add(service) }
        try await world.run(for: .seconds(1))
        manager.startAdvertising([
          CBAdvertisementDataLocalNameKey: "Site",
          CBAdvertisementDataServiceUUIDsKey: services.map(\.uuid),
        ])
        try await world.run(for: .seconds(1))
      }
    }

    @Test("TUT-03: services are confirmed one by one, then advertised, and a UUID may be used twice")
    func publishing() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await Site(world)
        #expect(site.delegate.take() == ["state poweredOn", "added FFF0", "added FFE0", "advertising true"])
        #expect(site.delegate.errors.isEmpty)
        let bench = try await Bench(world, to: "Site")
        #expect(
          bench.recorder.advertisements.last?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
            == site.services.map(\.uuid)
        )
        try await bench.discoverAll()
        #expect(bench.peripheral.services?.map(\.uuid) == site.services.map(\.uuid))
        let both = bench.peripheral.services?.flatMap { $0.characteristics ?? [] }.filter {
          $0.uuid.uuidString == "FFF2"
        }
        let characteristics = try #require(both)
        #expect(characteristics.map(\.properties) == [[.read, .write], .read])
        site.note.value = Data("new".utf8)
        for characteristic in characteristics { bench.peripheral.readValue(for: characteristic) }
        bench.peripheral.discoverDescriptors(for: characteristics[0])
        try await world.run(for: .seconds(1))
        #expect(characteristics.map { $0.value } == [Data("new".utf8), Data("old".utf8)])
        let descriptor = try #require(characteristics[0].descriptors?.first { $0.uuid.uuidString == "2901" })
        bench.peripheral.readValue(for: descriptor)
        try await world.run(for: .seconds(1))
        #expect(descriptor.value as? String == "Note")
      }
    }

    @Test("TUT-04: a read is refused with the code for reads; what is written is what later reads return")
    func requests() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await Site(world)
        let bench = try await Bench(world, to: "Site")
        try await bench.discoverAll()
        let note = try #require(bench.peripheral.services?.first?.characteristics?.last)
        let ticker = try #require(bench.peripheral.services?.first?.characteristics?.first)
        bench.peripheral.readValue(for: ticker)
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["value FFF1 failed"])
        #expect((bench.recorder.errors.last as? CBATTError)?.code == .readNotPermitted)

        // Longer than a packet: the peer prepares it in parts, and they are one request.
        let long = Data((0..<400).map { UInt8($0 & 0xFF) })
        bench.peripheral.writeValue(long, for: note, type: .withResponse)
        try await world.run(for: .seconds(2))
        #expect(bench.recorder.take() == ["wrote FFF2"])
        #expect(site.note.value == long)
        #expect(site.delegate.requests.last?.count == 1)
        bench.peripheral.readValue(for: note)
        try await world.run(for: .seconds(2))
        #expect(note.value == long)
      }
    }

    @Test("TUT-04: subscribers are told of, get each value, and are gone when they leave")
    func subscribers() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await Site(world)
        let bench = try await Bench(world, to: "Site")
        try await bench.discoverAll()
        _ = site.delegate.take()
        let ticker = try #require(bench.peripheral.services?.first?.characteristics?.first)
        bench.peripheral.setNotifyValue(true, for: ticker)
        try await world.run(for: .seconds(1))
        #expect(site.delegate.take() == ["subscribed FFF1"])
        let central = try #require(site.ticker.subscribedCentrals?.first)
        #expect(central.maximumUpdateValueLength == bench.peripheral.maximumWriteValueLength(for: .withoutResponse))
        #expect(site.manager.updateValue(Data([1]), for: site.ticker, onSubscribedCentrals: nil))
        #expect(site.manager.updateValue(Data([2]), for: site.ticker, onSubscribedCentrals: [central]))
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.values == [Data([1]), Data([2])])
        bench.peripheral.setNotifyValue(false, for: ticker)
        try await world.run(for: .seconds(1))
        #expect(site.delegate.take() == ["unsubscribed FFF1"])
        bench.peripheral.setNotifyValue(true, for: ticker)
        try await world.run(for: .seconds(1))
        bench.manager.cancelPeripheralConnection(bench.peripheral)
        try await world.run(for: .seconds(2))
        #expect(site.delegate.take() == ["subscribed FFF1", "unsubscribed FFF1"])
        #expect(site.ticker.subscribedCentrals?.isEmpty == true)
      }
    }

    @Test("TUT-04: the time goes as text to who has subscribed, every 2 s, until nobody is subscribed any more")
    func ticker() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await Site(world)
        let bench = try await Bench(world, to: "Site")
        try await bench.discoverAll()
        let ticker = try bench.characteristic("FFF1")
        var told: [Data] = []
        /// What the app's timer does.
        func tick() {
          guard site.ticker.subscribedCentrals?.isEmpty == false else { return }
          let text = Data("\(world.now.nanoseconds / 1_000_000_000) s".utf8)
          told.append(text)
          #expect(site.manager.updateValue(text, for: site.ticker, onSubscribedCentrals: nil))
        }
        for second in 0..<10 {
          switch second {
          case 2: bench.peripheral.setNotifyValue(true, for: ticker)
          case 7: bench.peripheral.setNotifyValue(false, for: ticker)
          default: break
          }
          try await world.run(for: .seconds(1))
          tick()
          try await world.run(for: .seconds(1))
        }
        #expect(told.count == 5 && Set(told).count == 5)
        #expect(bench.recorder.values == told)
      }
    }

    @Test("TUT-04: a full queue refuses a value, and the ready callback comes when there is room again")
    func fullQueue() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await Site(world)
        let bench = try await Bench(world, to: "Site")
        try await bench.discoverAll()
        let ticker = try #require(bench.peripheral.services?.first?.characteristics?.first)
        bench.peripheral.setNotifyValue(true, for: ticker)
        try await world.run(for: .seconds(1))
        _ = site.delegate.take()
        let (manager, characteristic) = (site.manager, site.ticker)
        var sent: UInt8 = 0
        func fill() {
          while sent < 200, manager.updateValue(Data([sent]), for: characteristic, onSubscribedCentrals: nil) {
            sent += 1
          }
        }
        site.delegate.onReady = { fill() }
        fill()
        #expect(sent < 200)
        try await world.run(for: .seconds(20))
        #expect(site.delegate.take().contains("ready"))
        #expect(bench.recorder.values == (0..<200).map { Data([$0]) })
      }
    }

    @Test("TUT-04: requests of several centrals are answered in any order, each once")
    func anyOrder() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await Site(world)
        let first = try await Bench(world, to: "Site")
        let second = try await Bench(world, to: "Site", on: world.makeRadio(name: "second"))
        try await first.discoverAll()
        try await second.discoverAll()
        site.delegate.holdsReads = true
        for bench in [first, second] {
          let note = try #require(bench.peripheral.services?.first?.characteristics?.last)
          bench.peripheral.readValue(for: note)
          try await world.run(for: .seconds(1))
        }
        let requests = site.delegate.requests.suffix(2).compactMap(\.first)
        #expect(requests.count == 2)
        #expect(requests.first?.central !== requests.last?.central)
        for (number, request) in requests.enumerated().reversed() {
          request.value = Data([UInt8(number)])
          site.manager.respond(to: request, withResult: .success)
          // Once is enough.
          site.manager.respond(to: request, withResult: .unlikelyError)
          try await world.run(for: .seconds(1))
        }
        #expect(first.recorder.take() == ["value FFF2"])
        #expect(second.recorder.take() == ["value FFF2"])
        #expect(first.recorder.values == [Data([0])])
        #expect(second.recorder.values == [Data([1])])
      }
    }

    @Test("a service that is removed is gone for the centrals, and can be added again")
    func removing() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await Site(world)
        let bench = try await Bench(world, to: "Site")
        try await bench.discoverAll()
        _ = site.delegate.take()
        site.manager.remove(site.services[1])
        try await world.run(for: .seconds(2))
        try await bench.discoverAll()
        #expect(bench.peripheral.services?.map(\.uuid) == [site.services[0].uuid])
        site.manager.add(site.services[1])
        try await world.run(for: .seconds(2))
        #expect(site.delegate.take() == ["added FFE0"])
        site.manager.removeAllServices()
        site.manager.stopAdvertising()
        #expect(!site.manager.isAdvertising)
        try await world.run(for: .seconds(2))
        #expect(site.delegate.take().isEmpty)
      }
    }

    @Test("to advertise twice is an error; commands without power are logged and do nothing")
    func misuse() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await Site(world)
        _ = site.delegate.take()
        site.manager.startAdvertising(nil)
        try await world.run(for: .seconds(1))
        #expect(site.delegate.take() == ["advertising true failed"])
        #expect((site.delegate.errors.last as? CBError)?.code == .alreadyAdvertising)
        let early = CBPeripheralManager(
          delegate: site.delegate,
          queue: nil,
          options: [CBManagerOptionRadioKey: world.radio]
        )
        early.add(CBMutableService(type: CBUUID(string: "FFF3"), primary: true))
        try await world.run(for: .seconds(1))
        #expect(site.delegate.take() == ["state poweredOn"])
      }
    }
  }
#endif
