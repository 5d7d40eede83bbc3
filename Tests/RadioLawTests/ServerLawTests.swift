#if os(Linux)
  import BluetoothTypes
  import RadioPort
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  /// What each radio must do for the owners of services and their advertisements, whatever it is made of.
  @Suite("The laws of the port, peripheral role: owners and advertising", .reportsWorlds)
  struct ServerLawTests {
    private static let other = ServiceDefinition(
      "FFD0",
      characteristics: [
        CharacteristicDefinition("FFD1", properties: .read),
        CharacteristicDefinition("FFD2", properties: .notify),
      ]
    )

    // MARK: Services

    @Test("what is published is what centrals discover", arguments: RadioKind.allCases)
    func discovery(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let included = try await bench.publish(
          ServiceDefinition("FFC0", isPrimary: false, characteristics: [.init("FFC1", properties: .read)]),
          by: bench.owner
        )
        let including = try await bench.publish(
          ServiceDefinition("FFB0", includes: [included.handle]),
          by: bench.newOwner()
        )
        #expect(including.handle > included.handle)
        let client = try await bench.client()
        let service = try #require(client.services.first { $0.uuid == "FFE0" })
        #expect(service.characteristics.map(\.uuid) == ServerBench.definition.characteristics.map(\.uuid))
        #expect(service.characteristics.map(\.properties) == ServerBench.definition.characteristics.map(\.properties))
        let owner = try #require(client.services.first { $0.uuid == "FFB0" })
        #expect(owner.includedServices.map(\.uuid) == ["FFC0"])
        let text = try client.read(
          at: try #require(service.characteristics.first?.descriptors.first { $0.uuid == "2901" }?.handle)
        )
        try await bench.world.run(for: .seconds(1))
        #expect(String(decoding: try text.value(), as: UTF8.self) == "One")
      }
    }

    @Test("a definition that makes no sense is refused, once", arguments: RadioKind.allCases)
    func refusedDefinitions(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        func failure(_ definition: ServiceDefinition) throws -> RadioFailure.Kind {
          try bench.startPublishing(definition, by: bench.owner).failure().kind
        }
        func one(_ characteristic: CharacteristicDefinition) -> ServiceDefinition {
          ServiceDefinition("FFD0", characteristics: [characteristic])
        }
        let long = AttributeSource.stored([UInt8](repeating: 0, count: 513))
        #expect(try failure(ServiceDefinition("FFD0", includes: [AttributeHandle(0x7777)])) == .invalidArgument)
        #expect(try failure(one(.init("FFD1", properties: .read, source: long))) == .tooLong)
        let implied = DescriptorDefinition("2902", source: .stored([0, 0]))
        #expect(try failure(one(.init("FFD1", properties: .notify, descriptors: [implied]))) == .invalidArgument)
        let closed = bench.close(bench.owner)
        try await bench.world.run(for: .seconds(1))
        try closed.value()
        #expect(try failure(Self.other) == .invalidArgument)
      }
    }

    @Test("owners have what they publish to themselves, and all hear of centrals", arguments: RadioKind.allCases)
    func owners(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let other = bench.newOwner()
        bench.note(try await bench.publish(Self.other, by: other))
        let client = try await bench.client()
        try await client.subscribe(to: "FFD2")
        let reads = [try client.read("FFD1"), try client.read("FFE1")]
        try await bench.world.run(for: .seconds(1))
        #expect(other.subscriptions == [.notifications])
        #expect(bench.owner.subscriptions.isEmpty)
        bench.answer(try #require(other.reads.first).id, .success([1]))
        try await bench.world.run(for: .seconds(1))
        bench.answer(try #require(bench.owner.reads.first).id, .success([2]))
        try await bench.world.run(for: .seconds(1))
        #expect(try reads.map { try $0.value() } == [[1], [2]])
        #expect(other.connected == bench.owner.connected)
        #expect(other.connected.count == 1)
        #expect(try bench.withdraw("FFD0", by: bench.owner).failure().kind == .invalidArgument)
        // One that comes later finds the centrals that are there.
        let late = bench.newOwner()
        #expect(bench.enter { $0.centrals } == other.connected)
        try await bench.world.run(for: .seconds(1))
        #expect(late.take().isEmpty)
      }
    }

    @Test("after an owner has closed nothing comes to it, and what it had is gone", arguments: RadioKind.allCases)
    func closing(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let other = bench.newOwner()
        bench.note(try await bench.publish(Self.other, by: other))
        let client = try await bench.client()
        try await client.subscribe(to: "FFE2")
        let read = try client.read("FFE1")
        try await bench.world.run(for: .seconds(1))
        let request = try #require(bench.owner.reads.first)
        _ = (bench.owner.take(), other.take())
        let closed = bench.close(bench.owner)
        let again = bench.close(bench.owner)
        try await bench.world.run(for: .seconds(2))
        try closed.value()
        try again.value()
        #expect(try read.failure().kind == .att)
        bench.answer(request.id, .success([1]))
        #expect(try await bench.heard() == nil)
        // Another owner keeps the link, and its service.
        #expect(client.isConnected)
        try await client.discover()
        #expect(!client.services.contains { $0.uuid == "FFE0" })
        let kept = try client.read("FFD1")
        try await bench.world.run(for: .seconds(1))
        bench.answer(try #require(other.reads.first).id, .success([4]))
        try await bench.world.run(for: .seconds(1))
        #expect(try kept.value() == [4])
        #expect(bench.owner.take().isEmpty)

        try bench.close(other).value()
        try await bench.world.run(for: .seconds(2))
        #expect(client.isConnected == bench.lacks(.keepsLinks))
        #expect(other.subscriptions.isEmpty)
      }
    }

    // MARK: Power

    @Test("what is published is there again when the power is; advertising is not", arguments: RadioKind.allCases)
    func power(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let included = try await bench.publish(Self.other, by: bench.owner)
        bench.note(included)
        _ = try await bench.publish(ServiceDefinition("FFB0", includes: [included.handle]), by: bench.newOwner())
        let client = try await bench.client()
        try await client.subscribe(to: "FFE2")
        let read = try client.read("FFE1")
        try await bench.world.run(for: .seconds(1))
        let request = try #require(bench.owner.reads.first)
        _ = bench.owner.take()
        bench.world.radioPower(false)
        try await bench.world.run(for: .seconds(5))
        #expect(read.count == 1)
        #expect(bench.owner.ended == [request.id])
        #expect(bench.owner.subscriptions == [[]])
        #expect(bench.owner.disconnected == [.poweredOff])
        #expect(bench.owner.advertisingEnds == [.poweredOff])
        #expect(bench.enter { $0.centrals }.isEmpty)
        bench.answer(request.id, .success([]))
        let failure = #expect(throws: RadioFailure.self) { try bench.update([1], of: "FFE2") }
        #expect(failure?.kind == .poweredOff)
        #expect(try bench.startPublishing(Self.other, by: bench.owner).failure().kind == .poweredOff)
        #expect(try bench.startAdvertising(AdvertisingRequest(), by: bench.owner).failure().kind == .poweredOff)
        try bench.setValue([55], of: "FFE5", by: bench.owner)
        try bench.stopAdvertising(by: bench.owner).value()

        bench.world.radioPower(true)
        try await bench.world.run(for: .seconds(5))
        #expect(try await bench.heard() == nil)
        _ = bench.owner.take()
        try await bench.advertise(AdvertisingRequest(name: "Back"), by: bench.owner).value()
        let other = try await bench.client()
        let service = try #require(other.services.first { $0.uuid == "FFE0" })
        #expect(service.characteristics.map(\.uuid) == ServerBench.definition.characteristics.map(\.uuid))
        #expect(other.services.first { $0.uuid == "FFB0" }?.includedServices.map(\.uuid) == ["FFD0"])
        // The names that the owner knows still hold.
        let stored = try other.read("FFE5")
        let owned = try other.read("FFE1")
        try await bench.world.run(for: .seconds(1))
        #expect(try stored.value() == [55])
        let asked = try #require(bench.owner.reads.first)
        #expect(asked.attribute == (try bench.handle("FFE1")))
        bench.answer(asked.id, .success([1]))
        try await other.subscribe(to: "FFE2")
        #expect(try bench.update([7], of: "FFE2") == .sent(notified: [asked.central], indicated: []))
        try await bench.world.run(for: .seconds(1))
        #expect(try owned.value() == [1])
        #expect(other.values(of: "FFE2") == [[7]])
        try bench.withdraw("FFD0", by: bench.owner).value()
        try await bench.world.run(for: .seconds(2))
        try await other.discover()
        #expect(!other.services.contains { $0.uuid == "FFD0" })
      }
    }

    @Test("F01: power off ends each call once, wherever it stands", arguments: RadioKind.allCases, 0..<6)
    func powerOffMeanwhile(_ kind: RadioKind, _ steps: Int) async throws {
      try await ServerBench.run(kind) { bench in
        let client = try await bench.client()
        try await client.subscribe(to: "FFE4")
        let link = try #require(bench.enter { $0.centrals }.first)
        let (other, third) = (bench.newOwner(), bench.newOwner())
        let published = bench.startPublishing(Self.other, by: other)
        let advertised = bench.startAdvertising(AdvertisingRequest(services: ["FFC0"]), by: other)
        let replaced = bench.startAdvertising(AdvertisingRequest(services: ["FFD0"]), by: other)
        let stopped = bench.stopAdvertising(by: bench.owner)
        let confirmed = Outcome<Void>()
        // While the central is told of the service that is new, some radios take no values for it.
        let taken = try bench.update([1], of: "FFE4") { _, result in confirmed.add(result) }
        let wish = Outcome<Void>()
        let end = Outcome<Void>()
        bench.enter { radio in
          radio.requestParameters(LinkLatency.high.options, of: link) { wish.add($0) }
          radio.disconnect(link) { end.add($0) }
        }
        let withdrawn = try bench.withdraw("FFE0", by: bench.owner)
        let closed = bench.close(third)
        for _ in 0..<steps { try await bench.world.settle() }
        if steps > 3 { try await bench.world.run(for: .milliseconds(steps)) }
        bench.world.radioPower(false)
        try await bench.world.run(for: .seconds(40))
        #expect(published.count == 1)
        #expect(confirmed.count == (taken == .full ? 0 : 1))
        let counts = [
          "advertised": advertised, "replaced": replaced, "stopped": stopped, "wish": wish, "end": end,
          "withdrawn": withdrawn, "closed": closed,
        ].mapValues(\.count)
        #expect(counts.filter { $0.value != 1 }.isEmpty)
        #expect(try advertised.failure().kind == .invalidArgument)
      }
    }

    // MARK: Advertising

    @Test("advertising starts, is replaced and stops", arguments: RadioKind.allCases)
    func advertising(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let first = try await bench.heard()
        #expect(first?.localName == ServerBench.name)
        #expect(first?.serviceUUIDs == ["FFE0"])
        try await bench.advertise(AdvertisingRequest(name: "Other"), by: bench.owner).value()
        let second = try await bench.heard()
        #expect(second?.localName == "Other")
        #expect(second?.serviceUUIDs == [])
        let stop = bench.stopAdvertising(by: bench.owner)
        try await bench.world.run(for: .seconds(1))
        try stop.value()
        #expect(try await bench.heard() == nil)
        try bench.stopAdvertising(by: bench.owner).value()
        try await bench.advertise(AdvertisingRequest(name: "Again"), by: bench.owner).value()
        #expect(try await bench.heard()?.localName == "Again")
        #expect(bench.owner.advertisingEnds.isEmpty)
      }
    }

    @Test("a start that is stopped or replaced at once ends, and the last word holds", arguments: RadioKind.allCases)
    func quickChanges(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let starts = ["A", "B", "C"].map { bench.startAdvertising(AdvertisingRequest(name: $0), by: bench.owner) }
        let stop = bench.stopAdvertising(by: bench.owner)
        let last = bench.startAdvertising(AdvertisingRequest(name: "D"), by: bench.owner)
        try await bench.world.run(for: .seconds(1))
        for start in starts { #expect(try start.failure().kind == .invalidArgument) }
        try stop.value()
        try last.value()
        #expect(try await bench.heard()?.localName == "D")
        let start = bench.startAdvertising(AdvertisingRequest(name: "E"), by: bench.owner)
        let end = bench.stopAdvertising(by: bench.owner)
        try await bench.world.run(for: .seconds(1))
        #expect(try start.failure().kind == .invalidArgument)
        try end.value()
        #expect(try await bench.heard() == nil)
      }
    }

    @Test("what several owners advertise is put together, and taken apart again", arguments: RadioKind.allCases)
    func severalAdvertisers(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let other = bench.newOwner()
        try await bench.advertise(AdvertisingRequest(services: ["FFD0"]), by: other).value()
        let both = try await bench.heard()
        #expect(both?.localName == ServerBench.name)
        #expect(Set(both?.serviceUUIDs ?? []) == ["FFE0", "FFD0"])
        let third = bench.newOwner()
        let refused = try await bench.advertise(AdvertisingRequest(name: "Not this"), by: third)
        #expect(try refused.failure().kind == .busy)
        let stop = bench.stopAdvertising(by: bench.owner)
        try await bench.world.run(for: .seconds(1))
        try stop.value()
        let one = try await bench.heard()
        #expect(one?.localName == nil)
        #expect(one?.serviceUUIDs == ["FFD0"])
        let closed = bench.close(other)
        try await bench.world.run(for: .seconds(1))
        try closed.value()
        #expect(try await bench.heard() == nil)
      }
    }

    @Test("what does not fit is refused and changes nothing, or is shortened", arguments: RadioKind.allCases)
    func tooLong(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let name = String(repeating: "n", count: 40)
        let refused = try await bench.advertise(AdvertisingRequest(name: name), by: bench.owner)
        #expect(try refused.failure().kind == .tooLong)
        #expect(try await bench.heard()?.localName == ServerBench.name)
        try await bench.advertise(AdvertisingRequest(name: name, overflow: .shorten), by: bench.owner).value()
        let short = try #require(try await bench.heard()?.localName)
        #expect(name.hasPrefix(short) && !short.isEmpty)
      }
    }

    @Test("what else there is to say is said, or refused", arguments: RadioKind.allCases)
    func moreData(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let more = [ADStructure(.manufacturerSpecificData, [0xFF, 0xFF, 1])]
        let outcome = try await bench.advertise(AdvertisingRequest(more: more), by: bench.owner)
        if bench.lacks(.advertisesNamesOnly) {
          #expect(try outcome.failure().kind == .unsupported)
          let extended = bench.startAdvertising(AdvertisingRequest(format: .extended()), by: bench.owner)
          #expect(try extended.failure().kind == .unsupported)
          #expect(try await bench.heard()?.localName == ServerBench.name)
        } else {
          try outcome.value()
          #expect(try await bench.heard()?.structures.contains(more[0]) == true)
        }
      }
    }

    // MARK: Links

    @Test("a link is ended for all, or not at all", arguments: RadioKind.allCases)
    func disconnecting(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let client = try await bench.client()
        try await client.subscribe(to: "FFE2")
        let link = try #require(bench.enter { $0.centrals }.first)
        let outcome = Outcome<Void>()
        bench.enter { radio in radio.disconnect(link) { outcome.add($0) } }
        try await bench.world.run(for: .seconds(2))
        if bench.lacks(.keepsLinks) {
          #expect(try outcome.failure().kind == .unsupported)
          #expect(client.isConnected)
        } else {
          try outcome.value()
          #expect(!client.isConnected)
          #expect(bench.owner.disconnected.count == 1)
        }
        let unknown = Outcome<Void>()
        let gone = LinkID(peer: link.peer, generation: 999_999)
        bench.enter { radio in radio.disconnect(gone) { unknown.add($0) } }
        #expect(try unknown.failure().kind == .notConnected)
      }
    }

    @Test("a link is made to save power when its central agrees", arguments: RadioKind.allCases)
    func parameters(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let client = try await bench.client()
        try await client.subscribe(to: "FFE2")
        let link = try #require(bench.enter { $0.centrals }.first)
        let ask: @Sendable (LinkOptions, LinkID) -> Outcome<Void> = { options, link in
          let outcome = Outcome<Void>()
          bench.enter { radio in radio.requestParameters(options, of: link) { outcome.add($0) } }
          return outcome
        }
        let wish = ask(LinkLatency.high.options, link)
        try await bench.world.run(for: .seconds(5))
        try wish.value()
        let start = bench.world.now
        let read = try client.read("FFE5")
        while read.count == 0 { try await bench.world.run(for: .milliseconds(10)) }
        #expect(start.duration(to: bench.world.now) > .milliseconds(100))
        let absurd = ask(LinkOptions(interval: .seconds(4) ... .seconds(4), latency: 499), link)
        #expect(try absurd.failure().kind == .invalidArgument)
        #expect(try ask(LinkOptions(), LinkID(peer: link.peer, generation: 999_999)).failure().kind == .notConnected)
      }
    }
  }
#endif
