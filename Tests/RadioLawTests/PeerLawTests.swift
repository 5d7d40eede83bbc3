#if os(Linux)
  import BluetoothTypes
  import RadioPort
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  /// What each radio must tell of all its links, whoever asked for them.
  @Suite("The laws of the port, all links", .reportsWorlds)
  struct PeerLawTests {
    private func observe(_ bench: Bench) -> RadioObservation {
      let log = bench.log
      return bench.enter { radio in
        radio.observePeers { event in
          switch event {
          case .connected: log.add("connected")
          case .servicesKnown(_, let services): log.add("services \(services.contains("FFE0"))")
          case .disconnected: log.add("disconnected")
          }
        }
      }
    }

    /// The names of the devices that are connected.
    private func connected(_ bench: Bench) throws -> [PeerID] {
      let outcome = Outcome<[KnownPeer]>()
      bench.enter { $0.connectedPeers(offering: []) { outcome.add(.success($0)) } }
      return try outcome.value().map(\.peer)
    }

    @Test(
      "a link is told when it comes and goes, its services when they are discovered, and both to who looks later",
      arguments: RadioKind.allCases
    )
    func links(_ kind: RadioKind) async throws {
      try await World.simulated(seed: 1) { world in
        let bench = try await Bench(kind, world, CentralLawTests.device)
        let observation = observe(bench)
        #expect(try connected(bench).isEmpty)
        let peer = try await bench.find()
        let (claim, outcome) = bench.connect(to: peer)
        // A second owner shares the link, which is told once.
        let second = bench.connect(to: peer)
        try await world.run(for: .seconds(2))
        let link = try outcome.value()
        #expect(bench.log.take() == ["connected"])
        #expect(try connected(bench) == [peer])
        for _ in 0..<2 {
          bench.enter { radio in _ = radio.discover(nil, on: link) { _ in } }
          try await world.run(for: .seconds(5))
        }
        #expect(bench.log.take() == ["services true"])
        // Who begins to look now is told at once of what there is.
        let late = observe(bench)
        #expect(bench.log.take() == ["connected", "services true"])
        bench.enter { $0.endObservation(late) }
        bench.enter { $0.release(second.claim, completion: {}) }
        try await world.run(for: .seconds(1))
        #expect(bench.log.take().isEmpty)
        bench.enter { $0.release(claim, completion: {}) }
        #expect(try connected(bench).isEmpty)
        try await world.run(for: .seconds(1))
        #expect(bench.log.take() == ["disconnected"])
        bench.enter { $0.endObservation(observation) }
        _ = bench.connect(to: peer)
        try await world.run(for: .seconds(2))
        #expect(bench.log.take().isEmpty)
      }
    }

    @Test("a link that is lost, or goes with the power, is told once", arguments: RadioKind.allCases)
    func losses(_ kind: RadioKind) async throws {
      try await World.simulated(seed: 1) { world in
        let bench = try await Bench(kind, world, CentralLawTests.device)
        let peer = try await bench.find()
        _ = observe(bench)
        _ = bench.connect(to: peer)
        try await world.run(for: .seconds(2))
        bench.device.disconnect()
        try await world.run(for: .seconds(2))
        _ = bench.connect(to: peer)
        try await world.run(for: .seconds(2))
        world.radioPower(false)
        try await world.run(for: .seconds(1))
        #expect(
          bench.log.take().filter { !$0.contains(" ") } == ["connected", "disconnected", "connected", "disconnected"]
        )
        #expect(try connected(bench).isEmpty)
      }
    }

    @Test("extended advertising is there where the controller has it, once it is on", arguments: RadioKind.allCases)
    func extendedAdvertising(_ kind: RadioKind) async throws {
      try await World.simulated(seed: 1) { world in
        let bench = try await Bench(kind, world, CentralLawTests.device)
        #expect(bench.enter { $0.hasExtendedAdvertising })
      }
    }
  }
#endif
