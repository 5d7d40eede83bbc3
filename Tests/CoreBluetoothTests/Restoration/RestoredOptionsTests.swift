#if os(Linux)
  import CoreBluetooth
  import Foundation
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  @Suite("The options of restored connections", .reportsWorlds)
  struct RestoredOptionsTests {
    /// Connects to the lamp in this way, waits, and kills the program.
    private func shelf(
      _ world: World,
      _ options: [String: Any],
      after wait: Duration,
      whenFound: () -> Void = {}
    ) async throws -> Shelf {
      let shelf = try Shelf()
      let recorder = Recorder()
      let manager = CBCentralManager(delegate: recorder, queue: nil, options: shelf.options(world.radio))
      try await manager.look(around: world)
      let lamp = try #require(recorder.peripherals.first { $0.name == "Lamp" })
      whenFound()
      manager.connect(lamp, options: options)
      try await world.run(for: wait)
      let left = try shelf.afterKill()
      manager.cancelPeripheralConnection(lamp)
      try await world.run(for: .seconds(2))
      return left
    }

    /// The program as it is started again, with all that it hears.
    private func restart(_ world: World, _ shelf: Shelf) -> (RestoredCentral, CBCentralManager) {
      let delegate = RestoredCentral()
      return (delegate, CBCentralManager(delegate: delegate, queue: nil, options: shelf.options(world.radio)))
    }

    @Test("a restored connection with auto-reconnect comes back when it is lost, and one without it does not")
    func autoReconnect() async throws {
      for reconnects in [true, false] {
        try await World.simulated(seed: 1) { world in
          let lamp = world.add(CentralFlowTests.lamp)
          let shelf = try await shelf(
            world,
            [CBConnectPeripheralOptionEnableAutoReconnect: reconnects],
            after: .seconds(2)
          )
          let (delegate, manager) = restart(world, shelf)
          try await world.run(for: .seconds(5))
          #expect(delegate.take() == ["restore in unknown", "state poweredOn", "connected Lamp"])
          lamp.disconnect()
          try await world.run(for: .seconds(10))
          #expect(delegate.take() == (reconnects ? ["disconnected", "connected Lamp"] : ["disconnected"]))
          withExtendedLifetime(manager) {}
        }
      }
    }

    @Test("a start delay that was not over is waited for again; one that was over is not")
    func startDelay() async throws {
      try await World.simulated(seed: 2) { world in
        world.add(CentralFlowTests.lamp)
        let shelf = try await shelf(world, [CBConnectPeripheralOptionStartDelayKey: 30], after: .seconds(10))
        let (delegate, manager) = restart(world, shelf)
        try await world.run(for: .seconds(25))
        #expect(delegate.take() == ["restore in unknown", "state poweredOn"])
        #expect(delegate.statesThen == [.connecting])
        try await world.run(for: .seconds(10))
        #expect(delegate.take() == ["connected Lamp"])
        withExtendedLifetime(manager) {}
      }
      for isInRange in [true, false] {
        try await World.simulated(seed: 3) { world in
          let lamp = world.add(CentralFlowTests.lamp)
          let shelf = try await shelf(
            world,
            [CBConnectPeripheralOptionStartDelayKey: 30],
            after: .seconds(40)
          ) { if !isInRange { lamp.moveOutOfRange() } }
          lamp.moveIntoRange()
          let (delegate, manager) = restart(world, shelf)
          try await world.run(for: .seconds(5))
          #expect(delegate.take() == ["restore in unknown", "state poweredOn", "connected Lamp"])
          withExtendedLifetime(manager) {}
        }
      }
    }

    @Test("all options are kept again by the program that was restored, for the next time")
    func keptAgain() async throws {
      try await World.simulated(seed: 4) { world in
        world.add(CentralFlowTests.lamp)
        let shelf = try await shelf(
          world,
          [
            CBConnectPeripheralOptionNotifyOnConnectionKey: true,
            CBConnectPeripheralOptionNotifyOnNotificationKey: NSNumber(value: true),
            CBConnectPeripheralOptionEnableAutoReconnect: true,
          ],
          after: .seconds(2)
        )
        let name = try #require(shelf.names.first)
        let before = try Data(contentsOf: shelf.file(name))
        let (delegate, manager) = restart(world, shelf)
        try await world.run(for: .seconds(5))
        #expect(delegate.take().last == "connected Lamp")
        #expect(try Data(contentsOf: shelf.file(name)) == before)
        // The three alerts are one number: the connection is 1, the value 4.
        #expect(String(decoding: before, as: UTF8.self).contains("\"alerts\" : 5"))
        withExtendedLifetime(manager) {}
      }
    }

    @Test("a file of a time without options, and one whose delay is out of all bounds, are restored")
    func otherFiles() async throws {
      for delay in ["", "1e300", "-5"] {
        try await World.simulated(seed: 5) { world in
          world.add(CentralFlowTests.lamp)
          let shelf = try await shelf(world, [:], after: .seconds(2))
          let url = shelf.file(try #require(shelf.names.first))
          let text = try String(contentsOf: url, encoding: .utf8)
          let changed =
            delay.isEmpty
            ? text.replacingOccurrences(of: "\"options\"", with: "\"former\"")
            : text.replacingOccurrences(of: "\"delay\" : 0", with: "\"delay\" : \(delay)")
          #expect(changed != text)
          try changed.write(to: url, atomically: true, encoding: .utf8)
          let (delegate, manager) = restart(world, shelf)
          try await world.run(for: .seconds(5))
          let told = delegate.take()
          #expect(told.first == "restore in unknown")
          #expect(told.contains("connected Lamp") == (delay != "1e300"))
          withExtendedLifetime(manager) {}
        }
      }
    }
  }
#endif
