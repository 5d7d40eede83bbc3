import Halcyon
import RadioPort
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Waiting for Bluetooth and for a connection", .reportsWorlds)
struct WaitPolicyTests {
  private static func off(_ whenOff: WaitPolicy) -> Central.Configuration { .init(whenOff: whenOff) }

  @Test(
    "PLX-01: a scan, a connect and a retrieval wait until Bluetooth is on, if they are to; by default they fail at once"
  )
  func centralOperations() async throws {
    try await Scene.run(state: RadioState(.poweredOff, reason: "the switch")) { scene in
      let start = scene.world.now
      await expectError(.poweredOff) { for try await _ in scene.central.scan() {} }
      await expectError(.poweredOff) { try await scene.connected() }
      await expectError(.poweredOff) { try await scene.central.peripherals(withIDs: [Scene.device]) }
      await expectError(.poweredOff) { try await scene.central.connectedPeripherals() }
      #expect(scene.world.now == start)
    }
    try await Scene.run(state: RadioState(.poweredOff), configuration: Self.off(.wait)) { scene in
      let scan = Task {
        for try await discovery in scene.central.scan() { return discovery.name }
        return nil
      }
      let connect = Task { try await scene.connected() }
      let known = Task { try await scene.central.connectedPeripherals() }
      try await scene.world.run(for: .seconds(20))
      #expect(await scene.radio.calls.isEmpty)
      await scene.radio.setPower(.resetting)
      await scene.radio.setPower(.poweredOn)
      #expect(try await connect.value.state.isReady)
      #expect(try await known.value.isEmpty)
      await scene.radio.hear(Scene.device, "Pulse")
      #expect(try await scan.value == "Pulse")
    }
  }

  @Test("PLX-01: the wait for Bluetooth can be bounded, and an operation's own time limit holds too")
  func bounded() async throws {
    let configuration = Self.off(.wait(atMost: .seconds(5)))
    try await Scene.run(state: RadioState(.poweredOff, reason: "the switch"), configuration: configuration) { scene in
      let start = scene.world.now
      let connect = await bluetoothError { try await scene.connected() }
      #expect(connect?.kind == .poweredOff)
      #expect(connect?.message.contains("the switch") == true)
      #expect(start.duration(to: scene.world.now) == .seconds(5))
      await expectError(.poweredOff) { for try await _ in scene.central.scan() {} }
      #expect(start.duration(to: scene.world.now) == .seconds(10))
      await expectError(.timedOut) { try await scene.central.connect(to: Scene.device, timeout: .seconds(2)) }
      await expectError(.timedOut) { for try await _ in scene.central.scan(timeout: .seconds(2)) {} }
      #expect(start.duration(to: scene.world.now) == .seconds(14))
      await scene.radio.setPower(.unauthorized)
      await expectError(.unauthorized) { try await scene.connected() }
      await expectError(.unauthorized) { for try await _ in scene.central.scan() {} }
    }
  }

  @Test("PLX-02: operations of a peripheral wait until it is connected, if they are to; by default they fail at once")
  func peripheralOperations() async throws {
    try await Scene.run(configuration: .init(whenNotConnected: .wait)) { scene in
      let peripheral = try await scene.connected()
      await scene.radio.loseLinks()
      let read = Task { try await peripheral.read(.level) }
      let write = Task { try await peripheral.write([1], to: .control) }
      let services = Task { try await peripheral.services() }
      let strength = Task { try await peripheral.readRSSI(timeout: .seconds(60)) }
      let values = Task {
        for try await value in peripheral.values(of: .measurement) { return value }
        return []
      }
      try await scene.world.run(for: .seconds(20))
      #expect(await scene.radio.count(.read(Table.level)) == 0)
      try await scene.central.connect(to: peripheral)
      #expect(try await read.value == 80)
      _ = try await write.value
      #expect(try await services.value.count == 4)
      #expect(try await strength.value == -61)
      try await scene.settle()
      await scene.radio.notify(Table.measurement, [9])
      #expect(try await values.value == [9])
    }
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      await scene.radio.loseLinks()
      let start = scene.world.now
      await expectError(.notConnected) { try await peripheral.read(.level) }
      await expectError(.notConnected) { for try await _ in peripheral.values(of: .measurement) {} }
      #expect(scene.world.now == start)
    }
  }

  @Test("PLX-02: the wait for a connection can be bounded, and ends with a disconnect and with cancellation")
  func boundedPeripheral() async throws {
    try await Scene.run(configuration: .init(whenNotConnected: .wait(atMost: .seconds(5)))) { scene in
      let peripheral = try await scene.connected()
      await scene.radio.loseLinks()
      let start = scene.world.now
      await expectError(.notConnected) { try await peripheral.read(.level) }
      #expect(start.duration(to: scene.world.now) == .seconds(5))
      await expectError(.notConnected) { for try await _ in peripheral.values(of: .measurement) {} }
      #expect(start.duration(to: scene.world.now) == .seconds(10))
      await expectError(.timedOut) { try await peripheral.read(.level, timeout: .seconds(1)) }
      let read = Task { await bluetoothError { try await peripheral.read(.level) } }
      let cancelled = Task { try await peripheral.read(.level) }
      try await scene.settle()
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      await peripheral.disconnect()
      #expect(await read.value?.kind == .disconnected)
    }
  }

  @Test("F09: Bluetooth goes off while connecting: fails at once, or waits with a bound if it is to")
  func offWhileConnecting() async throws {
    try await Scene.run { scene in
      await scene.radio.set { $0.held = [.connect] }
      let connect = Task { await bluetoothError { try await scene.connected() } }
      try await scene.settle()
      let start = scene.world.now
      await scene.radio.setPower(.poweredOff)
      #expect(await connect.value?.kind == .poweredOff)
      #expect(scene.world.now == start)
    }
    try await Scene.run(configuration: Self.off(.wait(atMost: .seconds(10)))) { scene in
      await scene.radio.set { $0.held = [.connect] }
      let first = Task { try await scene.connected() }
      try await scene.settle()
      let peripheral = try #require(try await scene.peripheral())
      await scene.radio.setPower(.poweredOff)
      try await scene.world.run(for: .seconds(5))
      guard case .connecting = peripheral.state else {
        Issue.record("the state is \(peripheral.state)")
        return
      }
      await scene.radio.set { $0.held = [] }
      await scene.radio.setPower(.poweredOn)
      #expect(try await first.value.state.isReady)
      await peripheral.disconnect()

      await scene.radio.set { $0.held = [.connect] }
      let second = Task { await bluetoothError { try await scene.connected() } }
      try await scene.settle()
      let start = scene.world.now
      await scene.radio.setPower(.poweredOff)
      #expect(await second.value?.kind == .poweredOff)
      #expect(start.duration(to: scene.world.now) == .seconds(10))
    }
  }

  @Test("F15, OK-06: a running scan ends with an error when Bluetooth goes off, or goes on by itself afterwards")
  func scanAcrossPowerLoss() async throws {
    try await Scene.run { scene in
      let scan = Task { await bluetoothError { for try await _ in scene.central.scan() {} } }
      try await scene.settle()
      await scene.radio.setPower(.poweredOff)
      #expect(await scan.value?.kind == .poweredOff)
    }
    try await Scene.run(configuration: Self.off(.wait(atMost: .seconds(60)))) { scene in
      let found = Mutex<[String]>([])
      let scan = Task {
        await bluetoothError {
          for try await discovery in scene.central.scan(timeout: nil) {
            found.withLock { $0.append(discovery.name ?? "") }
          }
        }
      }
      try await scene.settle()
      await scene.radio.hear(Scene.device, "Pulse")
      for power in [RadioState.Power.poweredOff, .resetting] {
        await scene.radio.setPower(power)
        #expect(scene.central.activity == .scanning)
        try await scene.world.run(for: .seconds(50))
        await scene.radio.setPower(.poweredOn)
        #expect(await scene.radio.runningScans == 1)
      }
      await scene.radio.hear(Scene.other, "Lamp")
      try await scene.settle()
      #expect(found.withLock { $0 } == ["Pulse", "Lamp"])
      await scene.radio.setPower(.poweredOff)
      #expect(await scan.value?.kind == .poweredOff)
      #expect(scene.central.activity == [])
    }
  }

  @Test("F15: on the whole stack a scan goes on after the adapter was off, and finds what comes")
  func scanInWorld() async throws {
    try await World.simulated(seed: 3) { world in
      let central = Central(.init(whenOff: .wait), radio: world.radio)
      let scan = Task { try await central.scan(for: ["FFF0"]).connect(timeout: .seconds(10)) }
      try await world.run(for: .seconds(1))
      world.radioPower(false)
      try await world.run(for: .seconds(5))
      #expect(!central.isReady)
      let device = world.add(.counting())
      world.radioPower(true)
      #expect(try await scan.value.id == device.id)
    }
  }

  @Test("HM-01: a scan and a connect begun while the state is unknown begin by themselves when it becomes known")
  func unknownState() async throws {
    try await Scene.run(state: .unknown) { scene in
      let scan = Task {
        for try await discovery in scene.central.scan() { return discovery.name }
        return nil
      }
      let connect = Task { try await scene.connected() }
      try await scene.settle()
      #expect(await scene.radio.calls.isEmpty)
      await scene.radio.setPower(.poweredOn)
      await scene.radio.hear(Scene.device, "Pulse")
      #expect(try await scan.value == "Pulse")
      #expect(try await connect.value.state.isReady)
    }
    try await Scene.run(state: .unknown) { scene in
      let scan = Task { await bluetoothError { for try await _ in scene.central.scan() {} } }
      try await scene.settle()
      await scene.radio.setPower(.unsupported)
      #expect(await scan.value?.kind == .unsupported)
    }
  }
}
