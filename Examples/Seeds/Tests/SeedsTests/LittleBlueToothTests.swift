import Halcyon
import Testing
import VirtualRadio
import VirtualRadioTesting

@testable import Seeds

@Suite("The README of LittleBlueTooth", .reportsWorlds)
struct LittleBlueToothTests {
  private func withDevices(
    _ body: @escaping @Sendable (Central, VirtualDevice, HeartRateBand) async throws -> Void
  ) async throws {
    try await World.simulated(seed: 1) { world in
      let band = world.add(.heartRateBand(name: "Pulse"))
      let punch = world.add(.punch())
      let central = Central(radio: world.radio)
      try await central.ready()
      try await body(central, punch, band)
    }
  }

  @Test("LBT-02: one expression leads from nothing to a value, and each operator is a step of one")
  func chains() async throws {
    try await withDevices { central, _, band in
      #expect(try await LittleBlueTooth.inOneExpression(central: central) == .chest)
      let beats = try await LittleBlueTooth.operators(central: central)
      #expect(beats.count == 3)
      #expect(beats.last.map(Int.init) == band.beatsPerMinute)
      #expect(!band.isConnected)
    }
  }

  @Test("LBT-03: a scan ends by its time, by the loop that is left, by a connect, or with its buffer full")
  func scanning() async throws {
    try await withDevices { central, punch, _ in
      let failure = try await LittleBlueTooth.scanWithTimeout(central: central)
      #expect(failure == .timedOut)
      #expect(try await LittleBlueTooth.scanAndStop(central: central)?.name == "PunchLX")
      #expect(try await LittleBlueTooth.scanAndBuffer(central: central).count == 2)
      let connected = await LittleBlueTooth.scanAndConnect(central: central)
      #expect(connected?.id == Peripheral.ID(punch.address))
      #expect(central.activity.isEmpty)
    }
  }

  @Test("LBT-04: a connect from a discovery, and from an identifier alone")
  func connecting() async throws {
    try await withDevices { central, punch, _ in
      let id = try await LittleBlueTooth.connectFromDiscovery(central: central)
      #expect(id == Peripheral.ID(punch.address))
      try await LittleBlueTooth.connectFromIdentifier(id, central: central)
      #expect(!punch.isConnected)
    }
  }

  @Test("LBT-05, LBT-06, LBT-07: typed values are read and written, and a command gets its answer")
  func values() async throws {
    try await withDevices { central, punch, _ in
      let board = try await central.scan(for: [.punch]).connect()
      let motion = try await LittleBlueTooth.readAcceleration(of: board)
      #expect(motion.time == .seconds(1.5))
      #expect(motion.acceleration == SIMD3(0, 0, 9.81))
      #expect(motion.rotation == SIMD3(1, -2, 0.5))
      #expect(throws: ByteError.self) { try Acceleration(bytes: [1, 2, 3]) }
      try await LittleBlueTooth.write(to: board)
      #expect(try await !LittleBlueTooth.writeAndListen(to: board).isOn)
      #expect(punch.written(to: Characteristic.led.uuid) == [[1], [0]])
    }
  }

  @Test("LBT-08: listens of one, of several parts of an app, and of everything")
  func listening() async throws {
    try await withDevices { central, punch, _ in
      let board = try await central.scan(for: [.punch]).connect()
      #expect(try await LittleBlueTooth.listen(to: board).count == 3)
      let all = try await LittleBlueTooth.listenToAll(of: board)
      #expect(all.buttons.count >= 2)
      #expect(all.leds == [LedState(isOn: true)])
      await board.disconnect()
      let shared = try await LittleBlueTooth.connectableListen(central: central)
      #expect(shared.first.count == 3)
      #expect(shared.first == shared.second)
      #expect(punch.subscriberCount(of: Characteristic.button.uuid) == 0)
    }
  }

  @Test("LBT-10, LBT-12: the events of a connection that comes back by itself and is then ended")
  func events() async throws {
    try await withDevices { central, punch, _ in
      let events = try await LittleBlueTooth.observeConnection(central: central) { punch.disconnect() }
      #expect(
        events == ["connected", "ready", "lost: disconnected", "connected by itself", "ready", "disconnected"]
      )
      try await punch.world.run(for: .seconds(60))
      #expect(!punch.isConnected)
    }
  }

  @Test("LBT-11: what has to come first is done before anything else")
  func setUp() async throws {
    try await withDevices { central, punch, _ in
      try await LittleBlueTooth.authenticateFirst(central: central)
      #expect(punch.written(to: Characteristic.led.uuid) == [[1]])
    }
  }
}
