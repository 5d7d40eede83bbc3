import Halcyon
import RadioPort
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("The set-up of a connection", .reportsWorlds)
struct SetUpTests {
  @Test("LBT-11: connection tasks run after every connect and reconnect, before any other operation")
  func beforeAllElse() async throws {
    try await Scene.run { scene in
      let runs = Tally()
      await scene.radio.set { $0.held = [.request] }
      let connect = Task {
        try await scene.central.connect(to: Scene.device, reconnect: .waiting) { peripheral in
          runs.add()
          try await peripheral.write([7], to: .control)
        }
      }
      try await scene.settle()
      let peripheral = try #require(try await scene.peripheral())
      guard case .settingUp = peripheral.state else {
        Issue.record("the state is \(peripheral.state)")
        return
      }
      let read = Task { try await peripheral.read(.level) }
      try await scene.settle()
      #expect(await scene.radio.count(.read(Table.level)) == 0)
      await scene.radio.letGo(.request)
      _ = try await connect.value
      #expect(try await read.value == 80)
      #expect(peripheral.state.isReady)

      await scene.radio.set { $0.held = [.request] }
      await scene.radio.loseLinks()
      try await scene.settle()
      let second = Task { try await peripheral.read(.level) }
      try await scene.settle()
      #expect(await scene.radio.count(.read(Table.level)) == 1)
      await scene.radio.letGo(.request)
      #expect(try await second.value == 80)
      #expect(runs.count == 2)
      let calls = await scene.radio.calls.filter { [.write(Table.control, [7]), .read(Table.level)].contains($0) }
      #expect(
        calls == [
          .write(Table.control, [7]), .read(Table.level), .write(Table.control, [7]), .read(Table.level),
        ]
      )
    }
  }

  @Test("F12: a set-up that fails closes the link; the connect says what the set-up threw")
  func failing() async throws {
    struct WrongKey: Error {}
    try await Scene.run { scene in
      var events = scene.central.connectionEvents.makeAsyncIterator()
      let error = await bluetoothError {
        try await scene.central.connect(to: Scene.device) { _ in throw WrongKey() }
      }
      #expect(error?.kind == .setUpFailed)
      #expect(error?.underlying is WrongKey)
      #expect(error?.message.contains("WrongKey") == true)
      #expect(await scene.radio.openClaims == 0)
      guard case .connected = await events.next(), case .failed(let peripheral, let told) = await events.next() else {
        Issue.record("other events")
        return
      }
      #expect(told.kind == .setUpFailed)
      #expect(peripheral.state.error?.kind == .setUpFailed)
      // With another set-up it can be used.
      let connected = try await scene.central.connect(to: Scene.device) { _ in }
      #expect(try await connected.read(.level) == 80)
    }
  }

  @Test("F13: a link that drops during the set-up fails the connect with its reason, and the next one begins clean")
  func lostMeanwhile() async throws {
    try await Scene.run { scene in
      await scene.radio.set { $0.held = [.request] }
      let wasCancelled = Tally()
      let connect = Task {
        await bluetoothError {
          try await scene.central.connect(to: Scene.device) { peripheral in
            do {
              _ = try await peripheral.read(.level)
            } catch {
              wasCancelled.add()
              throw error
            }
          }
        }
      }
      try await scene.settle()
      await scene.radio.loseLinks()
      let error = await connect.value
      #expect(error?.kind == .disconnected)
      #expect(error?.operation == .connect)
      try await scene.settle()
      #expect(wasCancelled.count == 1)
      await scene.radio.set { $0.held = [] }
      #expect(try await scene.connected().read(.level) == 80)
    }
  }

  @Test("F05, F06: cancellation and the time limit of a connect end its set-up too, and close the link")
  func ended() async throws {
    try await Scene.run { scene in
      let isForEver: ConnectionSetUp = { _ in try await scene.central.clock.sleep(for: .seconds(3600)) }
      let connect = Task { try await scene.central.connect(to: Scene.device, setUp: isForEver) }
      try await scene.settle()
      let start = scene.world.now
      connect.cancel()
      await #expect(throws: CancellationError.self) { try await connect.value }
      #expect(await scene.radio.openClaims == 0)
      let late = await bluetoothError {
        try await scene.central.connect(to: Scene.device, timeout: .seconds(2), setUp: isForEver)
      }
      #expect(late?.kind == .timedOut)
      #expect(late?.operation == .connect)
      let setUp = await bluetoothError {
        try await scene.central.connect(to: Scene.device, timeout: nil, setUp: isForEver)
      }
      #expect(setUp?.kind == .timedOut)
      #expect(setUp?.operation == .setUp)
      #expect(start.duration(to: scene.world.now) == .seconds(32))
      #expect(await scene.radio.openClaims == 0)
    }
  }

  @Test("LBT-11: a stream that begins during the set-up begins when that is done; one of the set-up at once")
  func streams() async throws {
    try await Scene.run { scene in
      let first = Mutex<[UInt8]?>(nil)
      let connect = Task {
        try await scene.central.connect(to: Scene.device) { peripheral in
          for try await value in peripheral.values(of: .measurement) {
            first.withLock { $0 = value }
            break
          }
        }
      }
      try await scene.settle()
      let peripheral = try #require(try await scene.peripheral())
      let other = Task {
        for try await value in peripheral.values(of: .measurement) { return value }
        return []
      }
      try await scene.settle()
      #expect(await scene.radio.openSubscriptions == 1)
      await scene.radio.notify(Table.measurement, [1])
      _ = try await connect.value
      try await scene.settle()
      #expect(first.withLock { $0 } == [1])
      #expect(await scene.radio.openSubscriptions == 1)
      await scene.radio.notify(Table.measurement, [2])
      #expect(try await other.value == [2])
    }
  }

  @Test("A set-up may connect to its own peripheral, and disconnect it")
  func inItself() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.central.connect(to: Scene.device) { peripheral in
        try await scene.central.connect(to: peripheral)
      }
      #expect(peripheral.state.isReady)
      await peripheral.disconnect()
      await expectError(.disconnected) {
        try await scene.central.connect(to: Scene.device) { await $0.disconnect() }
      }
      #expect(await scene.radio.openClaims == 0)
    }
  }
}
