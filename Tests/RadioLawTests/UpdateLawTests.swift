#if os(Linux)
  import BluetoothTypes
  import RadioPort
  import Synchronization
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  /// What each radio must do with values that are sent, whatever it is made of.
  @Suite("The laws of the port, peripheral role: values that are sent", .reportsWorlds)
  struct UpdateLawTests {
    @Test("PLX-08: subscriptions come and go, and end with the link", arguments: RadioKind.allCases)
    func subscriptions(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let handle = try bench.handle("FFE2")
        let first = try await bench.client()
        let second = try await bench.client()
        #expect(bench.enter { $0.subscribers(of: handle) }.isEmpty)
        #expect(try bench.update([0], of: "FFE2") == .sent(notified: [], indicated: []))

        let subscription = try await first.subscribe(to: "FFE2")
        try await second.subscribe(to: "FFE2")
        #expect(bench.owner.subscriptions == [.notifications, .notifications])
        let links = bench.enter { $0.subscribers(of: handle) }
        #expect(links.count == 2)
        #expect(links == bench.enter { $0.centrals })
        #expect(try bench.update([1], of: "FFE2") == .sent(notified: links, indicated: []))
        #expect(try bench.update([2], of: "FFE2", to: [links[1]]) == .sent(notified: [links[1]], indicated: []))
        #expect(try bench.update([3], of: "FFE2", mode: .indication) == .sent(notified: [], indicated: []))
        try await bench.world.run(for: .seconds(1))
        #expect(first.values(of: "FFE2") == [[1]])
        #expect(second.values(of: "FFE2") == [[1], [2]])

        _ = bench.owner.take()
        try await first.unsubscribe(subscription)
        #expect(bench.owner.take() == [.subscriptionChanged(links[0], handle, [])])
        #expect(bench.enter { $0.subscribers(of: handle) } == [links[1]])
        #expect(try bench.update([4], of: "FFE2") == .sent(notified: [links[1]], indicated: []))
        try await bench.world.run(for: .seconds(1))
        #expect(first.values(of: "FFE2") == [[1]])
        second.leave()
        try await bench.world.run(for: .seconds(2))
        #expect(bench.owner.subscriptions == [[]])
        #expect(bench.enter { $0.subscribers(of: handle) }.isEmpty)
      }
    }

    @Test(
      "F30: a value for which there is no room is refused whole, and room is told of when there is some",
      arguments: RadioKind.allCases
    )
    func room(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let clients = [try await bench.client(), try await bench.client()]
        for client in clients { try await client.subscribe(to: "FFE2") }
        let values: [[UInt8]] = (0..<300 as Range<UInt16>).map { number in [UInt8(number & 0xFF), UInt8(number >> 8)] }
        let sent = Mutex(0)
        let fill: @Sendable () -> Void = {
          while true {
            let number = sent.withLock { $0 }
            guard number < values.count else { return }
            guard case .sent(let links, _)? = try? bench.update(values[number], of: "FFE2"), links.count == 2 else {
              return
            }
            sent.withLock { $0 += 1 }
          }
        }
        fill()
        #expect(sent.withLock { $0 } < values.count)
        #expect(try bench.update([9], of: "FFE2") == .full)
        bench.owner.onEvent { event in if case .readyToUpdate = event { fill() } }
        try await bench.world.run(for: .seconds(60))
        #expect(bench.owner.readyCount > 0)
        for client in clients {
          #expect(client.values(of: "FFE2") == values)
        }
      }
    }

    @Test(
      "values of several characteristics go out together, to each central those that it has; a radio that can not says so",
      arguments: RadioKind.allCases
    )
    func several(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let service = ServiceDefinition(
          "FFD0",
          characteristics: [
            CharacteristicDefinition("FFD1", properties: .notify),
            CharacteristicDefinition("FFD2", properties: .notify),
          ]
        )
        bench.note(try await bench.publish(service, by: bench.owner))
        let both = try await bench.client()
        let one = try await bench.client()
        try await both.subscribe(to: "FFD1")
        try await both.subscribe(to: "FFD2")
        try await one.subscribe(to: "FFD2")
        let server = bench.owner.id
        let updates = [
          ValueUpdate([1], of: try bench.handle("FFD1")), ValueUpdate([2, 2], of: try bench.handle("FFD2")),
        ]
        func update(_ updates: [ValueUpdate]) -> Result<UpdateOutcome, RadioFailure> {
          bench.enter { radio in
            Result { () throws(RadioFailure) in try radio.update(updates, to: nil, by: server) }
          }
        }
        guard kind != .coreBluetooth else {
          #expect(throws: RadioFailure.self) { try update(updates).get() }
          return
        }
        guard case .sent(let links, _) = try update(updates).get() else {
          Issue.record("there was no room")
          return
        }
        #expect(links.count == 2)
        // One that is too long keeps all of them back.
        let long = ValueUpdate([UInt8](repeating: 0, count: 600), of: try bench.handle("FFD2"))
        #expect(throws: RadioFailure.self) { try update([updates[0], long]).get() }
        try await bench.world.run(for: .seconds(1))
        #expect(both.values(of: "FFD1") == [[1]] && both.values(of: "FFD2") == [[2, 2]])
        #expect(one.values(of: "FFD1").isEmpty && one.values(of: "FFD2") == [[2, 2]])
      }
    }

    @Test("who waits for room is told when the central that had none is gone", arguments: RadioKind.allCases)
    func roomOfOneThatLeaves(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let client = try await bench.client()
        try await client.subscribe(to: "FFE2")
        while case .sent = try bench.update([1], of: "FFE2") {}
        _ = bench.owner.take()
        client.moveAway()
        try await bench.world.run(for: .seconds(20))
        #expect(bench.owner.readyCount > 0)
        #expect(try bench.update([1], of: "FFE2") == .sent(notified: [], indicated: []))
      }
    }

    @Test("indicated values come one by one, and each is confirmed once", arguments: RadioKind.allCases)
    func indications(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let client = try await bench.client()
        try await client.subscribe(to: "FFE4")
        #expect(bench.owner.subscriptions == [.indications])
        let link = try #require(bench.enter { $0.centrals }.first)
        let outcomes = try (0..<4 as Range<UInt8>).map { number in
          let outcome = Outcome<Void>()
          let sent = try bench.update([number], of: "FFE4") { told, result in
            #expect(told == link)
            outcome.add(result)
          }
          #expect(sent == .sent(notified: [], indicated: [link]))
          return outcome
        }
        #expect(outcomes.allSatisfy { $0.count == 0 })
        try await bench.world.run(for: .seconds(5))
        for outcome in outcomes { try outcome.value() }
        #expect(client.values(of: "FFE4") == (0..<4).map { [$0] })

        // One that can not come any more.
        client.moveAway()
        let late = Outcome<Void>()
        _ = try bench.update([9], of: "FFE4") { _, result in late.add(result) }
        try await bench.world.run(for: .seconds(40))
        if bench.lacks(.hidesConfirmations) { try late.value() } else { _ = try late.failure() }
      }
    }

    @Test("a value that is longer than a link takes is refused, and comes to nobody", arguments: RadioKind.allCases)
    func tooLong(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let client = try await bench.client()
        try await client.subscribe(to: "FFE2")
        let link = try #require(bench.enter { $0.centrals }.first)
        // No value has more than 512 bytes, whatever the link takes.
        let room = min(bench.enter { $0.mtu(of: link) } - 3, 512)
        #expect(room > 20)
        let failure = #expect(throws: RadioFailure.self) {
          try bench.update([UInt8](repeating: 1, count: room + 1), of: "FFE2")
        }
        #expect(failure?.kind == .tooLong)
        _ = try bench.update([UInt8](repeating: 2, count: room), of: "FFE2")
        try await bench.world.run(for: .seconds(1))
        #expect(client.values(of: "FFE2") == [[UInt8](repeating: 2, count: room)])
      }
    }

    @Test("only the owner of a value sends it, and only what can be sent", arguments: RadioKind.allCases)
    func owners(_ kind: RadioKind) async throws {
      try await ServerBench.run(kind) { bench in
        let other = bench.newOwner()
        for (uuid, owner) in [("FFE2", other), ("FFE1", bench.owner)] as [(BluetoothUUID, Owner)] {
          let failure = #expect(throws: RadioFailure.self) { try bench.update([1], of: uuid, by: owner) }
          #expect(failure?.kind == .invalidArgument)
        }
      }
    }
  }
#endif
