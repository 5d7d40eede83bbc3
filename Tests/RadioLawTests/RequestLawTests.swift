#if os(Linux)
  import BluetoothTypes
  import RadioPort
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  /// What each radio must do with the requests of centrals, whatever it is made of.
  @Suite("The laws of the port, peripheral role: requests", .reportsWorlds)
  struct RequestLawTests {
    private static let long = (0..<500).map { UInt8(truncatingIfNeeded: $0) }

    @Test("a value is read from its owner, with one question, however long it is", arguments: RadioKind.allCases)
    func reads(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let client = try await bench.client()
        for value in [[], [1, 2, 3], Self.long, [UInt8](repeating: 9, count: 512)] as [[UInt8]] {
          let read = try client.read("FFE1")
          try await bench.world.run(for: .seconds(1))
          let request = try #require(bench.owner.reads.first)
          #expect(request.attribute == (try bench.handle("FFE1")))
          #expect(request.offset == 0)
          #expect(read.count == 0)
          bench.answer(request.id, .success(value))
          try await bench.world.run(for: .seconds(2))
          #expect(try read.value() == value)
          #expect(bench.owner.reads.count == 1)
          _ = bench.owner.take()
        }
        // Longer than a value can be is never cut.
        let read = try client.read("FFE1")
        try await bench.world.run(for: .seconds(1))
        bench.answer(try #require(bench.owner.reads.first).id, .success([UInt8](repeating: 0, count: 513)))
        try await bench.world.run(for: .seconds(1))
        #expect(try read.failure().kind == .att)
      }
    }

    @Test(
      "requests of several centrals are answered in any order, and only the first answer counts",
      arguments: RadioKind.allCases
    )
    func anyOrder(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let clients = [try await bench.client(), try await bench.client(), try await bench.client()]
        // One after the other, as some radios know of a central only when it has asked for something.
        for client in clients {
          let read = try client.read("FFE1")
          try await bench.world.run(for: .seconds(1))
          bench.answer(try #require(bench.owner.reads.last).id, .success([]))
          try await bench.world.run(for: .seconds(1))
          #expect(try read.value() == [])
        }
        _ = bench.owner.take()
        let reads = try clients.map { try $0.read("FFE1") }
        try await bench.world.run(for: .seconds(1))
        let requests = bench.owner.reads
        #expect(Set(requests.map(\.central)).count == 3)
        #expect(Set(requests.map(\.id)).count == 3)
        let links = bench.enter { $0.centrals }
        for request in requests.reversed() {
          bench.answer(request.id, .success([UInt8(links.firstIndex(of: request.central) ?? 9)]))
          bench.answer(request.id, .failure(.unlikelyError))
          bench.answer(request.id, .success([8]))
          try await bench.world.run(for: .seconds(1))
        }
        #expect(try reads.map { try $0.value() } == [[0], [1], [2]])
        bench.answer(ServerRequestID(rawValue: 999_999), .success([]))
      }
    }

    @Test("a write with response is answered by its owner; one without needs no answer", arguments: RadioKind.allCases)
    func writes(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let client = try await bench.client()
        let write = try client.write([1, 2], to: "FFE1")
        try await bench.world.run(for: .seconds(1))
        let request = try #require(bench.owner.writes.first)
        #expect(request.wantsResponse)
        #expect(request.parts == [.init(attribute: try bench.handle("FFE1"), offset: 0, value: [1, 2])])
        #expect(write.count == 0)
        bench.answer(request.id, .success([]))
        try await bench.world.run(for: .seconds(1))
        try write.value()
        _ = bench.owner.take()

        for number in 0..<50 as Range<UInt8> { _ = try client.command([number], to: "FFE3") }
        try await bench.world.run(for: .seconds(3))
        let commands = bench.owner.writes
        #expect(commands.map(\.parts.first?.value) == (0..<50).map { [$0] })
        #expect(commands.allSatisfy { !$0.wantsResponse })
        // An answer does no harm.
        for command in commands { bench.answer(command.id, .success([])) }
        try await bench.world.run(for: .seconds(1))
        #expect(client.isConnected)
      }
    }

    @Test("what is refused carries the owner's error to the central", arguments: RadioKind.allCases)
    func refusals(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let client = try await bench.client()
        let codes: [ATTErrorCode] = [
          .insufficientAuthorization, .invalidAttributeValueLength, ATTErrorCode(rawValue: 0x80),
          ATTErrorCode(rawValue: 0x9F), ATTErrorCode(rawValue: 0xFD), ATTErrorCode(rawValue: 0x13),
        ]
        for code in codes {
          let outcomes = (try client.read("FFE1"), try client.write([1], to: "FFE1"))
          try await bench.world.run(for: .seconds(1))
          bench.answer(try #require(bench.owner.reads.last).id, .failure(code))
          try await bench.world.run(for: .seconds(1))
          bench.answer(try #require(bench.owner.writes.last).id, .failure(code))
          try await bench.world.run(for: .seconds(1))
          for failure in [try outcomes.0.failure(), try outcomes.1.failure()] {
            guard case .att(code, _)? = failure.underlying else {
              Issue.record("\(code) became \(failure)")
              continue
            }
          }
        }
      }
    }

    @Test("what a value does not allow is refused without its owner", arguments: RadioKind.allCases)
    func permissions(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let definition = ServiceDefinition(
          "FFD0",
          characteristics: [
            CharacteristicDefinition(
              "FFD1",
              properties: [.read, .write],
              permissions: [.read, .encryptedRead, .write]
            ),
            CharacteristicDefinition(
              "FFD2",
              properties: .notify,
              subscriptionPermissions: [.read, .write, .encryptedWrite]
            ),
          ]
        )
        _ = try await bench.publish(definition, by: bench.owner)
        let client = try await bench.client()
        _ = bench.owner.take()
        let write = try client.write([1], to: "FFE5")
        let command = try client.read("FFE3")
        let secret = try client.read("FFD1")
        try await bench.world.run(for: .seconds(1))
        for (outcome, code) in [(command, ATTErrorCode.readNotPermitted), (secret, .insufficientAuthentication)] {
          guard case .att(code, _)? = try outcome.failure().underlying else {
            Issue.record("\(try outcome.failure())")
            continue
          }
        }
        guard case .att(.writeNotPermitted, _)? = try write.failure().underlying else {
          Issue.record("\(try write.failure())")
          return
        }
        await #expect(throws: RadioFailure.self) { try await client.subscribe(to: "FFD2") }
        #expect(bench.owner.reads.isEmpty && bench.owner.writes.isEmpty && bench.owner.subscriptions.isEmpty)
      }
    }

    @Test(
      "values that the radio keeps are served and written without the owner, who is told",
      arguments: RadioKind.allCases
    )
    func stored(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let client = try await bench.client()
        let before = try client.read("FFE5")
        try await bench.world.run(for: .seconds(1))
        #expect(try before.value() == [5])
        try bench.setValue(Self.long, of: "FFE5", by: bench.owner)
        let write = try client.write(Self.long, to: "FFE6")
        let after = (try client.read("FFE5"), try client.read("FFE6"))
        try await bench.world.run(for: .seconds(4))
        try write.value()
        #expect(try after.0.value() == Self.long)
        #expect(try after.1.value() == Self.long)
        #expect(bench.owner.stored == [Self.long])
        #expect(bench.owner.reads.isEmpty && bench.owner.writes.isEmpty)

        let other = bench.newOwner()
        for (value, uuid, owner, kind) in [
          ([1], "FFE1", bench.owner, .invalidArgument), ([1], "FFE5", other, .invalidArgument),
          ([UInt8](repeating: 0, count: 513), "FFE5", bench.owner, .tooLong),
        ] as [([UInt8], BluetoothUUID, Owner, RadioFailure.Kind)] {
          let failure = #expect(throws: RadioFailure.self) { try bench.setValue(value, of: uuid, by: owner) }
          #expect(failure?.kind == kind)
        }
      }
    }

    @Test("a value is read from any offset, and behind its end the offset is refused", arguments: RadioKind.allCases)
    func offsets(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        try bench.setValue([0, 1, 2, 3, 4, 5], of: "FFE5", by: bench.owner)
        bench.owner.onEvent { event in
          guard case .read(let request) = event else { return }
          bench.answer(request.id, .success(Array(Self.long.dropFirst(request.offset))))
        }
        let raw = try await bench.rawClient()
        let stored = try #require(try await raw.handles(of: 0xFFE5).first)
        #expect(try await raw.read(stored, from: 4) == [0x0D, 4, 5])
        #expect(try await raw.read(stored, from: 6) == [0x0D])
        #expect(try await raw.read(stored, from: 7)?.last == ATTErrorCode.invalidOffset.rawValue)
        let owned = try #require(try await raw.handles(of: 0xFFE1).first)
        #expect(try await raw.read(owned, from: 400) == [0x0D] + Self.long[400..<422])
        #expect(try await raw.read(owned, from: 422) == [0x0D] + Self.long[422..<444])
        #expect(try await raw.read(owned, from: 501)?.last == ATTErrorCode.invalidOffset.rawValue)
      }
    }

    @Test(
      "values that are prepared and executed come as one request, in order and joined",
      arguments: RadioKind.allCases
    )
    func preparedWrites(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let raw = try await bench.rawClient()
        let first = try #require(try await raw.handles(of: 0xFFE1).first)
        let second = try #require(try await raw.handles(of: 0xFFE7).first)
        try await raw.prepare([1, 2], at: first)
        try await raw.prepare([3], at: first, offset: 2)
        try await raw.prepare([7], at: second)
        #expect(bench.owner.writes.isEmpty)
        #expect(try await raw.execute() == nil)
        let request = try #require(bench.owner.writes.first)
        #expect(request.wantsResponse)
        #expect(
          request.parts == [
            .init(attribute: try bench.handle("FFE1"), offset: 0, value: [1, 2, 3]),
            .init(attribute: try bench.handle("FFE7"), offset: 0, value: [7]),
          ]
        )
        bench.answer(request.id, .success([]))
        try await bench.world.run(for: .seconds(1))
        #expect(raw.answer == [0x19])
        #expect(bench.owner.writes.count == 1)

        // What is taken back never comes.
        try await raw.prepare([9], at: first)
        #expect(try await raw.ask([0x18, 0x00]) == [0x19])
        #expect(bench.owner.writes.count == 1)
      }
    }

    @Test("of values that are written as one all are taken or none, whoever has them", arguments: RadioKind.allCases)
    func allOrNothing(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let other = bench.newOwner()
        let service = ServiceDefinition(
          "FFD0",
          characteristics: [CharacteristicDefinition("FFD1", properties: [.read, .write])]
        )
        bench.note(try await bench.publish(service, by: other))
        let raw = try await bench.rawClient()
        let kept = try #require(try await raw.handles(of: 0xFFE6).first)
        let owned = try #require(try await raw.handles(of: 0xFFE1).first)
        let foreign = try #require(try await raw.handles(of: 0xFFD1).first)

        for isTaken in [false, true] {
          try await raw.prepare([66], at: kept)
          try await raw.prepare([1], at: owned)
          try await raw.prepare([2], at: foreign)
          #expect(try await raw.execute() == nil)
          let first = try #require(bench.owner.writes.last)
          #expect(first.parts.map(\.value) == [[1]])
          #expect(other.writes.isEmpty)
          bench.answer(first.id, .success([]))
          try await bench.world.run(for: .seconds(1))
          let second = try #require(other.writes.last)
          #expect(second.parts == [.init(attribute: try bench.handle("FFD1"), offset: 0, value: [2])])
          #expect(bench.owner.stored.isEmpty)
          bench.answer(second.id, isTaken ? .success([]) : .failure(ATTErrorCode(rawValue: 0x81)))
          try await bench.world.run(for: .seconds(1))
          #expect(isTaken ? raw.answer == [0x19] : raw.answer?.last == 0x81)
          #expect(bench.owner.stored == (isTaken ? [[66]] : []))
          _ = (bench.owner.take(), other.take())
        }
        // An offset behind the end of what is kept spoils all.
        try await raw.prepare([1], at: owned)
        try await raw.prepare([66], at: kept, offset: 9)
        #expect(try await raw.execute()?.last == ATTErrorCode.invalidOffset.rawValue)
        #expect(bench.owner.writes.isEmpty && bench.owner.stored.isEmpty)
      }
    }

    @Test(
      "commands are told though a request is open; a central that floods the radio with requests is put off",
      arguments: RadioKind.allCases
    )
    func flood(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let raw = try await bench.rawClient()
        let asked = try #require(try await raw.handles(of: 0xFFE1).first)
        let commanded = try #require(try await raw.handles(of: 0xFFE3).first)
        func bytes(_ handle: AttributeHandle) -> [UInt8] {
          [UInt8(handle.rawValue & 0xFF), UInt8(handle.rawValue >> 8)]
        }
        #expect(try await raw.ask([0x0A] + bytes(asked)) == nil)
        for number in 0..<40 { try await raw.send([0x52] + bytes(commanded) + [UInt8(number)]) }
        try await bench.world.run(for: .seconds(5))
        #expect(bench.owner.writes.flatMap { $0.parts.map(\.value) } == (0..<40).map { [UInt8($0)] })
        bench.answer(try #require(bench.owner.reads.first).id, .success([1]))
        try await bench.world.run(for: .seconds(1))
        #expect(raw.answer == [0x0B, 1])
        _ = bench.owner.take()
        // Nine may be open with one that is impatient, and all are answered in order.
        for _ in 0..<9 { try await raw.send([0x0A] + bytes(asked)) }
        try await bench.world.run(for: .seconds(2))
        for number in 0..<9 {
          bench.answer(try #require(bench.owner.reads.last).id, .success([UInt8(number)]))
          try await bench.world.run(for: .seconds(1))
          #expect(raw.answer == [0x0B, UInt8(number)])
        }
        #expect(bench.owner.reads.count == 9)
        for _ in 0..<10 { try await raw.send([0x0A] + bytes(asked)) }
        try await bench.world.run(for: .seconds(3))
        #expect(raw.isGone)
        if !bench.lacks(.hidesLinks) { #expect(bench.owner.disconnected == [.disconnected]) }
      }
    }

    @Test(
      "a service that is withdrawn ends its requests and subscriptions, and late answers do no harm",
      arguments: RadioKind.allCases
    )
    func withdrawing(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let client = try await bench.client()
        try await client.subscribe(to: "FFE2")
        let read = try client.read("FFE1")
        try await bench.world.run(for: .seconds(1))
        let request = try #require(bench.owner.reads.first)
        _ = bench.owner.take()
        let handle = try bench.handle("FFE2")
        try bench.withdraw("FFE0", by: bench.owner).value()
        try await bench.world.run(for: .seconds(1))
        #expect(try read.failure().kind == .att)
        #expect(bench.owner.ended == [request.id])
        #expect(bench.owner.subscriptions == [[]])
        #expect(bench.enter { $0.subscribers(of: handle) }.isEmpty)
        bench.answer(request.id, .success([1]))
        #expect(try bench.withdraw("FFE0", by: bench.owner).failure().kind == .invalidArgument)
        let failure = #expect(throws: RadioFailure.self) { try bench.update([1], of: "FFE2") }
        #expect(failure?.kind == .invalidArgument)
        try await bench.world.run(for: .seconds(2))
        try await client.discover()
        #expect(!client.services.contains { $0.uuid == "FFE0" })

        // What comes later has its own requests.
        bench.note(try await bench.publish(ServerBench.definition, by: bench.owner))
        try await client.discover()
        let again = try client.read("FFE1")
        try await bench.world.run(for: .seconds(1))
        bench.answer(try #require(bench.owner.reads.last).id, .success([3]))
        try await bench.world.run(for: .seconds(1))
        #expect(try again.value() == [3])
      }
    }

    @Test(
      "a central that goes away ends its requests and subscriptions before it is told to be gone",
      arguments: RadioKind.allCases
    )
    func leaving(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let client = try await bench.client()
        if !bench.lacks(.hidesLinks) { #expect(bench.owner.connected.count == 1) }
        try await client.subscribe(to: "FFE2")
        #expect(bench.owner.connected.count == 1)
        _ = try client.read("FFE1")
        try await bench.world.run(for: .seconds(1))
        let request = try #require(bench.owner.reads.first)
        #expect(bench.enter { $0.centrals } == [request.central])
        _ = bench.owner.take()
        client.moveAway()
        try await bench.world.run(for: .seconds(20))
        #expect(bench.owner.subscriptions == [[]])
        if bench.lacks(.hidesLinks) {
          // Whether the central is there does not show before the request is answered.
          #expect(bench.owner.ended.isEmpty && bench.owner.disconnected.isEmpty)
        } else {
          #expect(bench.owner.ended == [request.id])
        }
        bench.answer(request.id, .success([1]))
        try await bench.world.run(for: .seconds(31))
        #expect(bench.owner.disconnected == [.disconnected])
        guard case .centralDisconnected? = bench.owner.take().last else {
          Issue.record("the end of the link was not the last that was told of it")
          return
        }
        #expect(bench.enter { $0.centrals }.isEmpty)
        #expect(bench.enter { $0.mtu(of: request.central) } == 23)
      }
    }
  }
#endif
