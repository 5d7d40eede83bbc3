#if os(Linux)
  import BluetoothTypes
  import CoreBluetooth
  @testable import HostStack
  import RadioPort
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  @Suite("The peripheral flow in Apple's API: what changes meanwhile", .reportsWorlds)
  struct PeripheralChangesTests {
    typealias Site = PeripheralFlowTests.Site

    /// Where values stand in the radio's database, by the UUIDs of characteristic and service.
    private static func handles(of names: [(BluetoothUUID, BluetoothUUID)], at radio: HostRadio) -> [UInt8] {
      radio.assumeIsolated { radio in
        names.compactMap { uuid, service in
          radio.host.database.characteristic(uuid, in: service).map { UInt8(truncatingIfNeeded: $0.value.rawValue) }
        }
      }
    }

    @Test("services are removed and added again in one go, and serve, notify and tell as before")
    func removedAndAdded() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await Site(world)
        _ = site.delegate.take()
        for _ in 0..<2 {
          site.manager.removeAllServices()
          for service in site.services { site.manager.add(service) }
        }
        site.manager.remove(site.services[0])
        site.manager.add(site.services[0])
        try await world.run(for: .seconds(1))
        #expect(site.delegate.take().allSatisfy { $0.hasPrefix("added") && !$0.hasSuffix("failed") })
        let bench = try await Bench(world, to: "Site")
        try await bench.discoverAll()
        #expect(Set(bench.peripheral.services?.map(\.uuid) ?? []) == Set(site.services.map(\.uuid)))
        #expect(bench.peripheral.services?.count == 2)
        bench.peripheral.setNotifyValue(true, for: try bench.characteristic("FFF1"))
        try await world.run(for: .seconds(1))
        #expect(site.delegate.take() == ["subscribed FFF1"])
        #expect(site.manager.updateValue(Data([5]), for: site.ticker, onSubscribedCentrals: nil))
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.values == [Data([5])])
        // Those who have subscribed are told, and the app is told of them.
        site.manager.remove(site.services[0])
        site.manager.add(site.services[0])
        try await world.run(for: .seconds(1))
        #expect(site.delegate.take() == ["unsubscribed FFF1", "added FFF0"])
        #expect(site.ticker.subscribedCentrals?.isEmpty == true)
      }
    }

    @Test("services of a manager that is gone can be added to another one")
    func otherManager() async throws {
      try await World.simulated(seed: 1) { world in
        var site: Site? = try await Site(world)
        let services = site?.services ?? []
        site = nil
        let delegate = Server()
        let manager = CBPeripheralManager(delegate, on: world.makeRadio())
        try await world.run(for: .seconds(1))
        for service in services { manager.add(service) }
        try await world.run(for: .seconds(1))
        #expect(delegate.take() == ["state poweredOn", "added FFF0", "added FFE0"])
      }
    }

    @Test("what is changed right after a service was given to the manager does not change what is published")
    func changedAfterAdding() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await Site(world)
        let value = CBMutableCharacteristic(
          type: CBUUID(string: "FFD1"),
          properties: [.read, .write],
          value: nil,
          permissions: [.readable, .writeable]
        )
        let service = CBMutableService(type: CBUUID(string: "FFD0"), primary: true)
        service.characteristics = [value]
        site.manager.add(service)
        value.value = Data("first".utf8)
        service.characteristics = []
        try await world.run(for: .seconds(1))
        let bench = try await Bench(world, to: "Site")
        try await bench.discoverAll()
        _ = site.delegate.take()
        let found = try bench.characteristic("FFD1")
        bench.peripheral.readValue(for: found)
        bench.peripheral.writeValue(Data("second".utf8), for: found, type: .withResponse)
        bench.peripheral.readValue(for: found)
        try await world.run(for: .seconds(1))
        #expect(site.delegate.take() == ["read FFD1", "write 1", "read FFD1"])
        #expect(bench.recorder.values == [Data("first".utf8), Data("second".utf8)])
      }
    }

    @Test("a service that includes one that is not published is refused")
    func missingInclude() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await Site(world)
        _ = site.delegate.take()
        let inner = CBMutableService(type: CBUUID(string: "FFD0"), primary: false)
        let outer = CBMutableService(type: CBUUID(string: "FFD1"), primary: true)
        outer.includedServices = [inner]
        site.manager.add(outer)
        try await world.run(for: .seconds(1))
        #expect(site.delegate.take() == ["added FFD1 failed"])
        site.manager.add(inner)
        site.manager.add(outer)
        try await world.run(for: .seconds(1))
        #expect(site.delegate.take() == ["added FFD0", "added FFD1"])
        let bench = try await Bench(world, to: "Site")
        try await bench.discoverAll()
        let found = try #require(bench.peripheral.services?.first { $0.uuid.uuidString == "FFD1" })
        bench.peripheral.discoverIncludedServices(nil, for: found)
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == [#"included ["FFD0"]"#])
      }
    }

    @Test("advertising that is stopped and started in one go is on, and stops when told")
    func restartedAdvertising() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await Site(world)
        for _ in 0..<3 {
          site.manager.stopAdvertising()
          site.manager.startAdvertising([CBAdvertisementDataLocalNameKey: "Other"])
        }
        try await world.run(for: .seconds(1))
        #expect(site.manager.isAdvertising)
        _ = try await Bench(world, to: "Other")
        site.manager.stopAdvertising()
        #expect(!site.manager.isAdvertising)
        try await world.run(for: .seconds(1))
        _ = site.delegate.take()
        site.manager.startAdvertising([CBAdvertisementDataLocalNameKey: "Third"])
        try await world.run(for: .seconds(1))
        #expect(site.delegate.take() == ["advertising true"])
      }
    }

    @Test("TUT-02: without power advertising pauses and the services stay; the requests of before are over")
    func power() async throws {
      try await World.simulated(seed: 1) { world in
        let radio = world.makeRadio(name: "server")
        let site = try await Site(world, on: radio)
        let bench = try await Bench(world, to: "Site")
        try await bench.discoverAll()
        site.delegate.holdsReads = true
        bench.peripheral.readValue(for: try bench.characteristic("FFF2"))
        bench.peripheral.setNotifyValue(true, for: try bench.characteristic("FFF1"))
        try await world.run(for: .seconds(1))
        _ = site.delegate.take()
        world.radioPower(false, of: radio)
        try await world.run(for: .seconds(1))
        #expect(site.delegate.take().first == "state poweredOff")
        #expect(!site.manager.isAdvertising)
        #expect(!site.manager.updateValue(Data([1]), for: site.ticker, onSubscribedCentrals: nil))
        #expect(site.ticker.subscribedCentrals?.isEmpty == true)
        if let old = site.delegate.requests.last?.first { site.manager.respond(to: old, withResult: .success) }
        world.radioPower(true, of: radio)
        try await world.run(for: .seconds(10))
        #expect(site.delegate.take() == ["state poweredOn"])
        #expect(site.manager.isAdvertising)
        site.delegate.holdsReads = false
        let again = try await Bench(world, to: "Site")
        try await again.discoverAll()
        #expect(again.peripheral.services?.map(\.uuid) == site.services.map(\.uuid))
        // Who starts anew is not told that it goes on already.
        _ = site.delegate.take()
        site.manager.startAdvertising([CBAdvertisementDataLocalNameKey: "Other"])
        try await world.run(for: .seconds(1))
        #expect(site.delegate.take() == ["advertising true"])
      }
    }

    @Test("TUT-02: in a state below poweredOff the services are gone, and are added anew like new ones")
    func resetting() async throws {
      try await World.simulated(seed: 1) { world in
        let radio = world.makeRadio(name: "server")
        let site = try await Site(world, on: radio)
        _ = site.delegate.take()
        // Hardware Error (Core 5.4, Vol 4, Part E, 7.7.16).
        world.inject(HCIPacket(.event, payload: [0x10, 1, 0]), to: radio)
        try await world.run(for: .seconds(1))
        #expect(site.delegate.take() == ["state resetting", "state poweredOn"])
        #expect(!site.manager.isAdvertising)
        for service in site.services { site.manager.add(service) }
        site.manager.startAdvertising([CBAdvertisementDataLocalNameKey: "Site"])
        try await world.run(for: .seconds(1))
        #expect(site.delegate.take() == ["added FFF0", "added FFE0", "advertising true"])
        let bench = try await Bench(world, to: "Site")
        try await bench.discoverAll()
        #expect(bench.peripheral.services?.map(\.uuid) == site.services.map(\.uuid))
      }
    }

    @Test("a request that the app lets go without an answer is refused, and so are those of a manager that goes")
    func unanswered() async throws {
      try await World.simulated(seed: 1) { world in
        var site: Site? = try await Site(world)
        let bench = try await Bench(world, to: "Site")
        try await bench.discoverAll()
        let note = try bench.characteristic("FFF2")
        site?.delegate.forgetsReads = true
        bench.peripheral.readValue(for: note)
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["value FFF2 failed"])
        #expect((bench.recorder.errors.last as? CBATTError)?.code == .unlikelyError)
        site?.delegate.forgetsReads = false
        site?.delegate.holdsReads = true
        bench.peripheral.readValue(for: note)
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take().isEmpty)
        site = nil
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take().first == "value FFF2 failed")
      }
    }

    @Test("a delegate that is gone answers nothing: requests are refused, and nothing is kept")
    func goneDelegate() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await Site(world)
        let bench = try await Bench(world, to: "Site")
        try await bench.discoverAll()
        var other: Server? = Server()
        site.manager.delegate = other
        #expect(site.manager.delegate === other)
        other = nil
        #expect(site.manager.delegate == nil)
        bench.peripheral.readValue(for: try bench.characteristic("FFF2"))
        bench.peripheral.writeValue(Data([1]), for: try bench.characteristic("FFF2"), type: .withResponse)
        try await world.run(for: .seconds(1))
        #expect(bench.recorder.take() == ["value FFF2 failed", "wrote FFF2 failed"])
      }
    }

    @Test("TUT-04: prepared writes to several characteristics are one group with one reply, all or none")
    func groupOfWrites() async throws {
      try await World.simulated(seed: 1) { world in
        // The device is the client here: a link serves both ways.
        let device = world.add(CentralFlowTests.lamp)
        let radio = world.makeHostRadio(name: "server")
        let site = try await Site(world, on: radio)
        let second = CBMutableCharacteristic(
          type: CBUUID(string: "FFD1"),
          properties: .write,
          value: nil,
          permissions: .writeable
        )
        let service = CBMutableService(type: CBUUID(string: "FFD0"), primary: true)
        service.characteristics = [second]
        site.manager.add(service)
        let bench = try await Bench(world, to: "Lamp", on: radio)
        _ = site.delegate.take()
        let handles = Self.handles(of: [("FFF2", "FFF0"), ("FFD1", "FFD0")], at: radio)
        #expect(handles.count == 2)
        for refuses in [true, false] {
          site.delegate.refusesWrites = refuses
          for (number, handle) in handles.enumerated() {
            device.sendRaw([0x16, handle, 0, 0, 0, UInt8(number)])
            try await world.run(for: .seconds(1))
          }
          device.sendRaw([0x18, 1])
          try await world.run(for: .seconds(1))
          #expect(site.delegate.take() == ["write 2"])
          #expect(site.note.value == (refuses ? nil : Data([0])))
          #expect(second.value == (refuses ? nil : Data([1])))
          let sent = world.trace.entries.filter {
            $0.controller == "server" && $0.direction == .toController && $0.packet.kind == .acl
          }
          let reply: [UInt8] = refuses ? [0x01, 0x18, handles[0], 0, 0x0E] : [0x19]
          #expect(sent.last.map { Array($0.packet.bytes.suffix(reply.count)) } == reply)
        }
        withExtendedLifetime(bench) {}
      }
    }

    @Test("a value that is too long for one central still goes to the others")
    func differentLengths() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await Site(world)
        let first = try await Bench(world, to: "Site")
        let short = world.makeHostRadio(name: "short", configuration: HostConfiguration(mtu: 23))
        let second = try await Bench(world, to: "Site", on: short)
        for bench in [first, second] {
          try await bench.discoverAll()
          bench.peripheral.setNotifyValue(true, for: try bench.characteristic("FFF1"))
          try await world.run(for: .seconds(1))
        }
        #expect(site.ticker.subscribedCentrals?.map(\.maximumUpdateValueLength) == [512, 20])
        let long = Data(repeating: 1, count: 100)
        #expect(site.manager.updateValue(long, for: site.ticker, onSubscribedCentrals: nil))
        #expect(site.manager.updateValue(Data([2]), for: site.ticker, onSubscribedCentrals: nil))
        try await world.run(for: .seconds(1))
        #expect(first.recorder.values == [long, Data([2])])
        #expect(second.recorder.values == [Data([2])])
      }
    }
  }
#endif
