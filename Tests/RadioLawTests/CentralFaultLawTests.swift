#if os(Linux)
  import BluetoothTypes
  import RadioPort
  import Synchronization
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  /// What each radio must do in the central role when a device is slow, refuses, changes or goes.
  @Suite("The laws of the port, central role, faults", .reportsWorlds)
  struct CentralFaultLawTests {
    private func run(_ kind: RadioKind, _ body: @escaping @Sendable (Bench) async throws -> Void) async throws {
      try await World.simulated(seed: 2) { world in
        let bench = try await Bench(kind, world, CentralLawTests.device)
        try await body(bench)
      }
    }

    @Test("F16: values that come before the reply to the subscription are delivered", arguments: RadioKind.allCases)
    func valuesBeforeReply(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let (_, link, services) = try await bench.ready()
        bench.device.onRequest { $0.isSubscription ? .notifyFirst([1], then: .after(.seconds(2))) : .normal }
        let (_, outcome) = bench.subscribe(to: try services.characteristic("FFE2"), on: link)
        try await bench.world.run(for: .seconds(1))
        #expect(outcome.count == 0 && bench.log.take() == ["value [1]"])
        try await bench.world.run(for: .seconds(4))
        try outcome.value()
        try bench.device.notify([2], of: "FFE2")
        try await bench.world.run(for: .seconds(1))
        #expect(bench.log.take() == ["value [2]"])
      }
    }

    @Test(
      "F22: a subscription that is refused fails with the device's code, and another try works",
      arguments: RadioKind.allCases
    )
    func refusedSubscription(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let (_, link, services) = try await bench.ready()
        let characteristic = try services.characteristic("FFE2")
        bench.device.onRequest { $0.isSubscription ? .error(.insufficientResources) : .normal }
        let (_, refused) = bench.subscribe(to: characteristic, on: link)
        try await bench.world.run(for: .seconds(1))
        let failure = try refused.failure()
        guard failure.kind == .att, case .att(.insufficientResources, _)? = failure.underlying else {
          Issue.record("\(failure)")
          return
        }
        bench.device.onRequest(nil)
        let (_, outcome) = bench.subscribe(to: characteristic, on: link)
        try await bench.world.run(for: .seconds(1))
        try outcome.value()
        try bench.device.notify([3], of: "FFE2")
        try await bench.world.run(for: .seconds(1))
        #expect(bench.log.take() == ["value [3]"])
      }
    }

    @Test("F29: requests of one kind to one attribute end each with its own reply", arguments: RadioKind.allCases)
    func ownReplies(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let (_, link, services) = try await bench.ready()
        let handle = try services.characteristic("FFE1").handle
        let count = Mutex<UInt8>(0)
        bench.device.onRequest { request in
          guard request.kind == .read else { return .normal }
          let number = count.withLock { count in
            count += 1
            return count
          }
          return number == 2 ? .error(.insufficientResources) : .after(.milliseconds(200), then: .raw([0x0B, number]))
        }
        let reads = (0..<4).map { _ in bench.read(handle, on: link) }
        try await bench.world.run(for: .seconds(5))
        #expect(try reads[0].value() == [1])
        #expect(try reads[1].failure().kind == .att)
        #expect(try reads[2].value() == [3])
        #expect(try reads[3].value() == [4])
      }
    }

    @Test(
      "F33: a value that is too long to be sent without response is refused, and the next one goes",
      arguments: RadioKind.allCases
    )
    func longCommand(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let (_, link, services) = try await bench.ready()
        let handle = try services.characteristic("FFE3").handle
        let room = bench.enter { $0.mtu(of: link) } - 3
        let outcomes = [room + 1, room].map { length in
          let outcome = Outcome<Void>()
          bench.enter { radio in
            _ = radio.writeWithoutResponse([UInt8](repeating: 9, count: length), to: handle, on: link) {
              outcome.add($0)
            }
          }
          return outcome
        }
        try await bench.world.run(for: .seconds(2))
        #expect(try outcomes[0].failure().kind == .tooLong)
        try outcomes[1].value()
        #expect(bench.device.written(to: "FFE3").map(\.count) == [room])
      }
    }

    @Test("F28: values that wait for room end once each when the link goes", arguments: RadioKind.allCases)
    func waitingCommands(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let (_, link, services) = try await bench.ready()
        let handle = try services.characteristic("FFE3").handle
        bench.device.moveOutOfRange()
        let outcomes = (0..<500).map { number in
          let outcome = Outcome<Void>()
          bench.enter { radio in
            _ = radio.writeWithoutResponse([UInt8(number & 0xFF)], to: handle, on: link) { outcome.add($0) }
          }
          return outcome
        }
        try await bench.world.run(for: .seconds(30))
        #expect(outcomes.allSatisfy { $0.count == 1 })
        #expect(try outcomes.last?.failure().kind == .disconnected)
        #expect(bench.log.take() == ["disconnected disconnected"])
      }
    }

    @Test("F13: a discovery that is cut off ends once, and the next link discovers all", arguments: RadioKind.allCases)
    func cutDiscovery(_ kind: RadioKind) async throws {
      try await run(kind) { bench in
        let peer = try await bench.find()
        for wait in [0, 20, 60, 120, 200] {
          let (_, connected) = bench.connect(to: peer)
          try await bench.world.run(for: .seconds(2))
          let link = try connected.value()
          let outcome = Outcome<[RemoteService]>()
          bench.enter { radio in _ = radio.discover(nil, on: link) { outcome.add($0) } }
          try await bench.world.run(for: .milliseconds(wait))
          bench.device.disconnect()
          try await bench.world.run(for: .seconds(5))
          #expect(outcome.count == 1, "after \(wait) ms")
        }
        _ = bench.log.take()
        let (_, link, services) = try await bench.ready()
        let read = bench.read(try services.characteristic("FFEA").handle, on: link)
        try await bench.world.run(for: .seconds(1))
        #expect(try read.value() == [9])
      }
    }

    @Test(
      "F37, F38: a device that has changed says so once, and what is discovered then works",
      arguments: RadioKind.allCases
    )
    func changedServices(_ kind: RadioKind) async throws {
      // Where the characteristic is that says so; not every radio tells the handles that are on the air.
      let handle = try await World.simulated(seed: 2) { world -> UInt16 in
        let bench = try await Bench(.host, world, CentralLawTests.device)
        return try await bench.ready().services.characteristic("2A05").handle.rawValue
      }
      try await run(kind) { bench in
        let peer = try await bench.find()
        let (connected, log) = (Outcome<LinkID>(), bench.log)
        bench.enter { radio in
          _ = radio.connect(
            to: peer,
            options: LinkOptions(),
            events: { if case .servicesChanged = $0 { log.add("changed") } },
            completion: { connected.add($0) }
          )
        }
        try await bench.world.run(for: .seconds(2))
        let link = try connected.value()
        func discover() async throws -> [RemoteService] {
          let outcome = Outcome<[RemoteService]>()
          bench.enter { radio in _ = radio.discover(nil, on: link) { outcome.add($0) } }
          try await bench.world.run(for: .seconds(5))
          return try outcome.value()
        }
        let before = try await discover()
        #expect(bench.log.take().isEmpty)
        bench.device.sendRaw([0x1D, UInt8(handle & 0xFF), UInt8(handle >> 8), 0x01, 0x00, 0xFF, 0xFF])
        try await bench.world.run(for: .seconds(2))
        #expect(bench.log.take() == ["changed"])
        let after = try await discover()
        #expect(after.map(\.uuid) == before.map(\.uuid))
        let read = bench.read(try after.characteristic("FFE1").handle, on: link)
        let (_, subscribed) = bench.subscribe(to: try after.characteristic("FFE2"), on: link)
        try await bench.world.run(for: .seconds(2))
        #expect(try read.value() == [7])
        try subscribed.value()
      }
    }

    @Test(
      "F23: a read ends with its own reply while the same characteristic notifies",
      // Apple's API tells both in one way.
      arguments: RadioKind.allCases.filter { $0 != .coreBluetooth }
    )
    func readWhileNotifying(_ kind: RadioKind) async throws {
      try await World.simulated(seed: 3) { world in
        let device = DeviceKind<VirtualDevice>.custom(name: "Law") { device in
          device.services = [
            VirtualDevice.Service(
              ServiceID("FFE0"),
              characteristics: [VirtualDevice.Characteristic("FFE6", [.read, .notify], value: [6])]
            )
          ]
        }
        let bench = try await Bench(kind, world, device)
        let (_, link, services) = try await bench.ready()
        let characteristic = try services.characteristic("FFE6")
        let (_, subscribed) = bench.subscribe(to: characteristic, on: link)
        try await world.run(for: .seconds(1))
        try subscribed.value()
        bench.device.onRequest { $0.kind == .read ? .notifyFirst([1], then: .raw([0x0B, 42])) : .normal }
        for _ in 0..<5 {
          let read = bench.read(characteristic.handle, on: link)
          try await world.run(for: .seconds(1))
          #expect(try read.value() == [42])
          #expect(bench.log.take() == ["value [1]"])
        }
      }
    }
  }
#endif
