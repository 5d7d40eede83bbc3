#if os(Linux)
  import BluetoothTypes
  import RadioPort
  import Synchronization
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  /// What each radio must do in the central role, whatever it is made of.
  @Suite("The laws of the port, central role", .reportsWorlds)
  struct CentralLawTests {
    static let device = DeviceKind<VirtualDevice>.custom(name: "Law") { device in
      device.advertisedServices = [ServiceID("FFE0")]
      device.services = [
        VirtualDevice.Service(
          ServiceID("FFE0"),
          includes: [
            VirtualDevice.Service(
              ServiceID("FFE9"),
              isPrimary: false,
              characteristics: [VirtualDevice.Characteristic("FFEA", .read, value: [9])]
            )
          ],
          characteristics: [
            VirtualDevice.Characteristic("FFE1", [.read, .write], value: [7], userDescription: "One"),
            VirtualDevice.Characteristic("FFE1", [.read, .write], value: [8], userDescription: "Two"),
            VirtualDevice.Characteristic("FFE2", .notify),
            VirtualDevice.Characteristic("FFE3", .writeWithoutResponse),
            VirtualDevice.Characteristic("FFE4", .indicate),
            VirtualDevice.Characteristic("FFE5", .read, value: [UInt8](repeating: 5, count: 500)),
          ]
        )
      ]
    }

    private func run(_ kind: RadioKind, _ body: @escaping @Sendable (Bench) async throws -> Void) async throws {
      try await World.simulated(seed: 1) { world in
        let bench = try await Bench(kind, world, Self.device)
        try await body(bench)
      }
    }

    @Test("the state is known soon, and each change is told", arguments: RadioKind.allCases)
    func states(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let log = bench.log
        #expect(bench.enter { $0.state.power } == .poweredOn)
        let observation = bench.enter { radio in radio.observeState { log.add("\($0.power)") } }
        bench.world.radioPower(false)
        try await bench.world.run(for: .seconds(1))
        #expect(log.take().last == "poweredOff")
        bench.world.radioPower(true)
        try await bench.world.run(for: .seconds(1))
        #expect(log.take().last == "poweredOn")
        bench.enter { $0.endObservation(observation) }
        bench.world.radioPower(false)
        try await bench.world.run(for: .seconds(1))
        #expect(log.take().isEmpty)
      }
    }

    @Test(
      "each scan hears for itself: its services, each device once, until it is stopped",
      arguments: RadioKind.allCases
    )
    func scans(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let log = bench.log
        let start: @Sendable (String, ScanRequest) -> ScanID = { name, request in
          bench.enter { radio in
            radio.startScan(
              request,
              sighting: { _ in log.add(name) },
              ended: { log.add("\(name) \($0.kind.rawValue)") }
            )
          }
        }
        let first = start("all", ScanRequest())
        _ = start("other", ScanRequest(services: ["180D"]))
        try await bench.world.run(for: .seconds(5))
        let heard = log.take()
        #expect((1...2).contains(heard.count))
        #expect(Set(heard) == ["all"])
        let second = start("again", ScanRequest(services: ["FFE0"], allowsDuplicates: true))
        try await bench.world.run(for: .seconds(5))
        #expect(log.take().filter { $0 == "again" }.count > 20)
        bench.enter { $0.stopScan(second) }
        try await bench.world.run(for: .seconds(1))
        _ = log.take()
        bench.world.radioPower(false)
        try await bench.world.run(for: .seconds(1))
        #expect(Set(log.take()) == ["all poweredOff", "other poweredOff"])
        bench.enter { $0.stopScan(first) }
      }
    }

    @Test("the database is told whole, and attributes of one UUID stay apart", arguments: RadioKind.allCases)
    func discovery(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let (_, link, services) = try await bench.ready()
        let service = try #require(services.first { $0.uuid == "FFE0" })
        #expect(service.isPrimary)
        #expect(service.characteristics.map(\.uuid) == ["FFE1", "FFE1", "FFE2", "FFE3", "FFE4", "FFE5"])
        #expect(service.characteristics[0].properties == [.read, .write])
        #expect(service.includedServices.map(\.uuid) == ["FFE9"])
        let included = try #require(services.first { $0.handle == service.includedServices.first?.serviceHandle })
        #expect(!included.isPrimary)
        let handles = services.flatMap { [$0.handle] + $0.characteristics.map(\.handle) }
        #expect(Set(handles).count == handles.count)
        for characteristic in service.characteristics {
          #expect(characteristic.declarationHandle < characteristic.handle)
          #expect((service.handle...service.endHandle).contains(characteristic.handle))
        }

        let reads = service.characteristics.prefix(2).map { bench.read($0.handle, on: link) }
        let texts = service.characteristics.prefix(2).compactMap { characteristic in
          characteristic.descriptors.first { $0.uuid == "2901" }.map { bench.read($0.handle, on: link) }
        }
        try await bench.world.run(for: .seconds(2))
        #expect(try reads.map { try $0.value() } == [[7], [8]])
        #expect(try texts.map { String(decoding: try $0.value(), as: UTF8.self) } == ["One", "Two"])
      }
    }

    @Test("a value is read whole, however long it is", arguments: RadioKind.allCases)
    func longRead(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let (_, link, services) = try await bench.ready()
        let read = bench.read(try services.characteristic("FFE5").handle, on: link)
        try await bench.world.run(for: .seconds(2))
        #expect(try read.value() == [UInt8](repeating: 5, count: 500))
      }
    }

    @Test("a write is answered once, and a refusal says why", arguments: RadioKind.allCases)
    func writes(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let (_, link, services) = try await bench.ready()
        let good = bench.write([1, 2], to: try services.characteristic("FFE1").handle, on: link)
        let bad = bench.write([1], to: try services.characteristic("FFE5").handle, on: link)
        let long = bench.write(
          [UInt8](repeating: 0, count: 513),
          to: try services.characteristic("FFE1").handle,
          on: link
        )
        try await bench.world.run(for: .seconds(2))
        try good.value()
        #expect(try bad.failure().kind == .att)
        guard case .att(.writeNotPermitted, _)? = try bad.failure().underlying else {
          Issue.record("\(try bad.failure())")
          return
        }
        #expect(try long.failure().kind == .tooLong)
        #expect(bench.device.written(to: "FFE1") == [[1, 2]])
      }
    }

    @Test("writes without response all arrive, in order", arguments: RadioKind.allCases)
    func commands(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let (_, link, services) = try await bench.ready()
        let handle = try services.characteristic("FFE3").handle
        let outcomes = (0..<100).map { number in
          let outcome = Outcome<Void>()
          bench.enter { radio in
            _ = radio.writeWithoutResponse([UInt8(number)], to: handle, on: link) { outcome.add($0) }
          }
          return outcome
        }
        try await bench.world.run(for: .seconds(10))
        #expect(outcomes.allSatisfy { $0.count == 1 })
        #expect(bench.device.written(to: "FFE3") == (0..<100).map { [$0] })
      }
    }

    @Test(
      "each subscriber gets each value once, and the peer is asked for the first and told after the last",
      arguments: RadioKind.allCases,
      ["FFE2", "FFE4"]
    )
    func subscriptions(_ kind: RadioKind, _ text: String) async throws {
      try await run(kind) { bench in
        let uuid = try BluetoothUUID(text)
        let (_, link, services) = try await bench.ready()
        let characteristic = try services.characteristic(uuid)
        let (first, firstOutcome) = bench.subscribe(to: characteristic, on: link, as: "a")
        let (second, secondOutcome) = bench.subscribe(to: characteristic, on: link, as: "b")
        try await bench.world.run(for: .seconds(2))
        try firstOutcome.value()
        try secondOutcome.value()
        #expect(bench.device.subscriberCount(of: uuid) == 1)
        try bench.device.notify([1], of: uuid)
        try await bench.world.run(for: .seconds(1))
        #expect(bench.log.take() == ["a [1]", "b [1]"])

        let left = Outcome<Void>()
        bench.enter { radio in radio.unsubscribe(first) { left.add($0) } }
        try bench.device.notify([2], of: uuid)
        try await bench.world.run(for: .seconds(1))
        try left.value()
        #expect(bench.log.take() == ["b [2]"])
        let gone = Outcome<Void>()
        bench.enter { radio in radio.unsubscribe(second) { gone.add($0) } }
        try await bench.world.run(for: .seconds(1))
        try gone.value()
        #expect(bench.device.subscriberCount(of: uuid) == 0)
      }
    }

    @Test("what can not be subscribed to is refused, once", arguments: RadioKind.allCases)
    func refusedSubscription(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let (_, link, services) = try await bench.ready()
        let (_, outcome) = bench.subscribe(to: try services.characteristic("FFE5"), on: link)
        try await bench.world.run(for: .seconds(1))
        _ = try outcome.failure()
      }
    }

    @Test("a lost link ends all that runs on it before its owners are told", arguments: RadioKind.allCases)
    func lostLink(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let (_, link, services) = try await bench.ready()
        bench.device.moveOutOfRange()
        let read = bench.read(try services.characteristic("FFE1").handle, on: link)
        try await bench.world.run(for: .seconds(30))
        #expect(try read.failure().kind == .disconnected)
        #expect(bench.log.take() == ["disconnected disconnected"])
        let late = bench.read(try services.characteristic("FFE1").handle, on: link)
        #expect(try late.failure().kind == .notConnected)
      }
    }

    @Test(
      "a link is shared: it goes with its last claim, and who releases it hears no event",
      arguments: RadioKind.allCases
    )
    func claims(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let (first, link, _) = try await bench.ready()
        let (second, joined) = bench.connect(to: link.peer)
        try await bench.world.settle()
        #expect(try joined.value() == link)
        let log = bench.log
        bench.enter { radio in radio.release(first) { log.add("released") } }
        try await bench.world.run(for: .seconds(1))
        #expect(log.take() == ["released"])
        #expect(bench.device.isConnected)
        bench.enter { radio in radio.release(second) { log.add("released") } }
        try await bench.world.run(for: .seconds(5))
        #expect(log.take() == ["released"])
        #expect(!bench.device.isConnected)
      }
    }

    @Test("F05, F06: a connect that is released is given up, and no link comes later", arguments: RadioKind.allCases)
    func cancelledConnect(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let peer = try await bench.find()
        bench.device.moveOutOfRange()
        let (claim, outcome) = bench.connect(to: peer)
        try await bench.world.run(for: .seconds(30))
        #expect(outcome.count == 0)
        let log = bench.log
        bench.enter { radio in radio.release(claim) { log.add("released") } }
        try await bench.world.run(for: .seconds(2))
        #expect(log.take() == ["released"])
        bench.device.moveIntoRange()
        try await bench.world.run(for: .seconds(10))
        #expect(outcome.count == 0)
        #expect(!bench.device.isConnected)
      }
    }

    @Test("after a disconnect the next link has another name, and works", arguments: RadioKind.allCases)
    func reconnect(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let (_, link, _) = try await bench.ready()
        bench.device.disconnect()
        try await bench.world.run(for: .seconds(2))
        #expect(bench.log.take() == ["disconnected disconnected"])
        let (_, second, services) = try await bench.ready()
        #expect(second != link)
        let read = bench.read(try services.characteristic("FFE1").handle, on: second)
        try await bench.world.run(for: .seconds(1))
        #expect(try read.value() == [7])
      }
    }

    @Test("F01, F09: power off ends each operation once", arguments: RadioKind.allCases)
    func powerOff(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let (_, link, services) = try await bench.ready()
        let read = bench.read(try services.characteristic("FFE1").handle, on: link)
        bench.world.radioPower(false)
        try await bench.world.run(for: .seconds(5))
        #expect(read.count == 1)
        #expect(bench.log.take().count == 1)
        let (_, outcome) = bench.connect(to: link.peer)
        try await bench.world.settle()
        #expect(try outcome.failure().kind == .poweredOff)
      }
    }

    @Test("the strength and the MTU of a link are told", arguments: RadioKind.allCases)
    func facts(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let (_, link, _) = try await bench.ready()
        let outcome = Outcome<Int>()
        bench.enter { radio in _ = radio.readRSSI(of: link) { outcome.add($0) } }
        try await bench.world.run(for: .seconds(1))
        #expect((-100 ... -20).contains(try outcome.value()))
        #expect(bench.enter { $0.mtu(of: link) } == 247)
      }
    }

    @Test(
      "several values are read at once, whole and in order, and fail together; a radio that can not says so",
      arguments: RadioKind.allCases
    )
    func readSeveral(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let (_, link, services) = try await bench.ready()
        let ones = services.flatMap(\.characteristics).filter { $0.uuid == "FFE1" }.map(\.handle)
        let long = try services.characteristic("FFE5").handle
        let secret = try services.characteristic("FFE2").handle
        func read(_ handles: [AttributeHandle]) async throws -> Outcome<[[UInt8]]> {
          let outcome = Outcome<[[UInt8]]>()
          bench.enter { radio in _ = radio.read(handles, on: link) { outcome.add($0) } }
          try await bench.world.run(for: .seconds(3))
          return outcome
        }
        let all = try await read(ones + [long])
        guard kind != .coreBluetooth else {
          // Apple's API reads one value at a time.
          #expect(try all.failure().kind == .unsupported)
          return
        }
        #expect(try all.value() == [[7], [8], [UInt8](repeating: 5, count: 500)])
        #expect(try await read(ones.reversed()).value() == [[8], [7]])
        let refused = try await read(ones + [secret]).failure()
        #expect(refused.underlying == .att(.readNotPermitted, secret))
        #expect(try await read(ones).value() == [[7], [8]])
      }
    }

    @Test("an abandoned request is not told about, and the next one works", arguments: RadioKind.allCases)
    func abandon(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let (_, link, services) = try await bench.ready()
        let handle = try services.characteristic("FFE1").handle
        let given = Outcome<[UInt8]>()
        bench.enter { radio in
          let id = radio.read(handle, on: link) { given.add($0) }
          radio.abandon(id)
        }
        let wanted = bench.read(handle, on: link)
        try await bench.world.run(for: .seconds(2))
        #expect(given.count == 0)
        #expect(try wanted.value() == [7])
      }
    }
  }
#endif
