#if os(Linux)
  import BluetoothTypes
  import RadioPort
  import Synchronization
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  @testable import CoreBluetooth
  @testable import CoreBluetoothRadio

  extension CoreBluetoothRadio {
    /// Calls the radio from where the test runs, which is its executor.
    nonisolated fileprivate func call<Value: Sendable>(
      _ body: @Sendable (isolated CoreBluetoothRadio) -> Value
    ) -> Value { assumeIsolated { body($0) } }
  }

  /// What Apple's framework does and our module of that name does not: it asks for each part of a long read, and gives
  /// the parts of a long write one by one.
  @Suite("The radio over CoreBluetooth where Apple's framework is not ours", .reportsWorlds)
  struct CoreBluetoothRadioTests {
    /// A radio that serves two values, and a central that the test plays itself.
    struct Site {
      let world: World
      let radio: CoreBluetoothRadio
      let owner: Owner
      let handles: [AttributeHandle]
      let objects: [CBMutableCharacteristic]
      let central: CBCentral
      let session: ServerSession

      init(_ world: World) async throws {
        self.world = world
        radio = CoreBluetoothRadio(
          executor: world.radio.executor,
          queue: nil,
          options: [CBManagerOptionRadioKey: world.radio]
        )
        owner = Owner(on: radio)
        try await world.run(for: .seconds(1))
        let outcome = Outcome<PublishedService>()
        let server = owner.id
        let definition = ServiceDefinition(
          "FFE0",
          characteristics: [
            CharacteristicDefinition("FFE1", properties: [.read, .write]),
            CharacteristicDefinition("FFE2", properties: [.read, .write], source: .stored([1, 2, 3])),
          ]
        )
        radio.call { $0.publish(definition, by: server) { outcome.add($0) } }
        try await world.run(for: .seconds(1))
        handles = try outcome.value().characteristics.map(\.handle)
        let handles = handles
        let found = radio.call { radio in
          Passed(value: handles.compactMap { radio.serving.characteristics[$0]?.object })
        }
        objects = found.value
        session = radio.call { Passed(value: $0.peripheralManager.session) }.value
        central = CBCentral(LinkID(peer: PeerID(high: 1, low: 2), generation: 1), mtu: 23)
      }

      func request(_ index: Int, offset: Int, value: [UInt8]? = nil) -> CBATTRequest {
        CBATTRequest(
          CBATTRequest.Group(ServerRequestID(rawValue: 1_000_000), wantsResponse: true, session),
          central,
          objects[index],
          offset: offset,
          value: value.map { Data($0) }
        )
      }

      /// What a read gives, where the owner is not asked.
      func read(_ index: Int, offset: Int) -> [UInt8]? {
        let request = request(index, offset: offset)
        radio.enter(request) { radio, request in radio.asked(toRead: request) }
        return request.value.map { [UInt8]($0) }
      }
    }

    @Test("all parts of a long read are of one answer of the owner, until something else is asked for")
    func longReads() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await Site(world)
        let value = (0..<100 as Range<UInt8>).map { $0 }
        let radio = site.radio
        #expect(site.read(0, offset: 0) == nil)
        let first = try #require(site.owner.reads.last)
        radio.call { $0.respond(to: first.id, with: .success(value)) }
        #expect(site.read(0, offset: 22) == Array(value[22...]))
        #expect(site.read(0, offset: 88) == Array(value[88...]))
        #expect(site.owner.reads.count == 1)
        // The value that the radio keeps, and then a part of the other, whose whole is let go.
        #expect(site.read(1, offset: 1) == [2, 3])
        #expect(site.read(0, offset: 22) == nil)
        let second = try #require(site.owner.reads.last)
        #expect(second.offset == 22)
        #expect(site.owner.reads.count == 2)
      }
    }

    @Test("OK-24: the alerts of a link become Apple's options, also where the same device is connected again")
    func alerts() async throws {
      let keys = LinkAlerts([.connection, .disconnection, .notification]).connectOptions?.keys.sorted()
      #expect(
        keys == [
          CBConnectPeripheralOptionNotifyOnConnectionKey, CBConnectPeripheralOptionNotifyOnDisconnectionKey,
          CBConnectPeripheralOptionNotifyOnNotificationKey,
        ]
      )
      #expect(LinkAlerts([]).connectOptions == nil)
      try await World.simulated(seed: 1) { world in
        world.add(CentralLawTests.device)
        let radio = CoreBluetoothRadio(
          executor: world.radio.executor,
          queue: nil,
          options: [CBManagerOptionRadioKey: world.radio]
        )
        try await world.run(for: .seconds(1))
        let peers = Mutex<[PeerID]>([])
        _ = radio.call { radio in
          radio.startScan(
            ScanRequest(),
            sighting: { heard in peers.withLock { $0.append(heard.peer) } },
            ended: { _ in }
          )
        }
        try await world.run(for: .seconds(2))
        let peer = try #require(peers.withLock { $0.first })
        for alerts in [LinkAlerts.connection, [.disconnection, .notification], []] {
          let link = Outcome<LinkID>()
          let claim = radio.call { radio in
            radio.connect(
              to: peer,
              options: LinkOptions(alerts: alerts),
              events: { _ in },
              completion: { link.add($0) }
            )
          }
          try await world.run(for: .seconds(2))
          _ = try link.value()
          let device = radio.call { Passed(value: $0.devices[peer]?.peripheral) }.value
          #expect(device?.guarded.withLock { $0.options.alerts } == alerts)
          radio.call { $0.release(claim, completion: {}) }
          try await world.run(for: .seconds(2))
        }
      }
    }

    @Test("parts of one value that follow each other come joined; others stay apart")
    func longWrites() async throws {
      try await World.simulated(seed: 1) { world in
        let site = try await Site(world)
        let requests = [
          site.request(0, offset: 0, value: [1, 2]), site.request(0, offset: 2, value: [3]),
          site.request(1, offset: 1, value: [9]), site.request(1, offset: 2, value: [8, 7]),
          site.request(0, offset: 1, value: [4]),
        ]
        site.radio.enter(requests) { radio, requests in radio.asked(toWrite: requests) }
        let write = try #require(site.owner.writes.last)
        #expect(write.wantsResponse)
        #expect(
          write.parts == [
            .init(attribute: site.handles[0], offset: 0, value: [1, 2, 3]),
            .init(attribute: site.handles[0], offset: 1, value: [4]),
          ]
        )
        #expect(site.owner.stored.isEmpty)
        site.radio.call { $0.respond(to: write.id, with: .success([])) }
        #expect(site.owner.stored == [[1, 9, 8, 7]])
        #expect(site.read(1, offset: 0) == [1, 9, 8, 7])
      }
    }
  }
#endif
