import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Chains of steps on one peripheral and on many", .reportsWorlds)
struct ChainTests {
  /// The peripherals, as something that brings them one after the other.
  private static func sequence(_ peripherals: [Peripheral]) -> AsyncStream<Peripheral> {
    AsyncStream { continuation in
      for peripheral in peripherals { continuation.yield(peripheral) }
      continuation.finish()
    }
  }

  @Test("LBT-02: one expression scans, connects, writes, switches on, sends and reads")
  func oneExpression() async throws {
    try await Stage.run(Tool.describe) { stage in
      let value = try await stage.central.scan(for: ["FFF0"], timeout: .seconds(10))
        .filter { $0.name == "Counter" }
        .connect()
        .write(42, to: .setting)
        .setNotifying(true, for: .count)
        .send([1, 2, 3], to: .toolUpload).finish()
        .read(.setting)
      #expect(value == 42)
    }
  }

  @Test(
    "PLX-10: each step is done for every peripheral, side by side, and an error of one is its own"
  )
  func steps() async throws {
    try await Stage.run { stage in
      let others = (0..<3).map { stage.world.add(.counting(name: "Other \($0)")) }
      var peripherals = [try await stage.connected()]
      for other in others { peripherals.append(try await stage.connected(other.id)) }
      stage.device.onRequest { $0.kind == .read ? .error(.readNotPermitted) : .normal }
      var values: [PeerID: UInt8] = [:]
      var errors: [PeerID: BluetoothError.Kind] = [:]
      let results = Self.sequence(peripherals)
        .write(5, to: .setting)
        .read(.setting)
        .each { _, value in value + 1 }
        .disconnect()
      for try await result in results {
        values[result.peripheral.id] = result.value
        errors[result.peripheral.id] = (result.error as? BluetoothError)?.kind
        #expect(result.peripheral.state.isDisconnected)
      }
      #expect(values == Dictionary(uniqueKeysWithValues: others.map { ($0.id, 6) }))
      #expect(errors == [stage.device.id: .att(.readNotPermitted)])
    }
  }

  @Test("PLX-10: a slow peripheral holds up nobody, and no more than asked for are under way")
  func sideBySide() async throws {
    try await Stage.run { stage in
      let others = (0..<4).map { stage.world.add(.counting(name: "Other \($0)")) }
      var peripherals = [try await stage.connected()]
      for other in others { peripherals.append(try await stage.connected(other.id)) }
      stage.device.onRequest { $0.kind == .read ? .after(.seconds(20), then: .normal) : .normal }
      var order: [PeerID] = []
      for try await result in Self.sequence(peripherals).read(.setting) {
        order.append(result.peripheral.id)
      }
      #expect(order.count == 5)
      #expect(order.last == stage.device.id)

      let world = stage.world
      let running = Noted<Int>()
      let counter = Tally()
      let ended = Tally()
      let steps = Self.sequence(peripherals).each(max: 2) { _ in
        running.add(counter.add() - ended.count)
        try await world.clock.sleep(for: .seconds(1))
        ended.add()
      }
      var count = 0
      for try await _ in steps { count += 1 }
      #expect(count == 5)
      #expect(running.all.max() == 2)
    }
  }

  @Test("PLX-10: all readable characteristics of one service of every peripheral are collected")
  func readAll() async throws {
    try await Stage.run(Tool.describe) { stage in
      let other = stage.world.add(.counting(name: "Other"))
      let peripherals = [try await stage.connected(), try await stage.connected(other.id)]
      var collected: [PeerID: [BluetoothUUID: [UInt8]]] = [:]
      for try await result in Self.sequence(peripherals).readAll(in: "FFF0") {
        for reading in try result.get() {
          collected[result.peripheral.id, default: [:]][reading.characteristic.uuid] = reading.bytes
        }
      }
      let expected: [BluetoothUUID: [UInt8]] = [
        "FFF1": [0, 0, 0, 0], "FFF2": [7], "FFF4": CountingDevice.longValue,
      ]
      #expect(collected == [stage.device.id: expected, other.id: expected])
      await expectError(.serviceNotFound) { try await peripherals[1].readAll(in: "FFC0") }
      stage.device.onRequest { $0.characteristic == "FFF1" ? .error(.readNotPermitted) : .normal }
      let readings = try await peripherals[0].readAll(in: "FFF0")
      #expect(readings.map { $0.bytes != nil } == [false, true, true])
    }
  }

  @Test("PLX-10: from one endless scan every device is connected and one service of each read; the scan goes on")
  func fromOneScan() async throws {
    try await Stage.run { stage in
      let other = stage.world.add(.counting(name: "Other"))
      var collected: [PeerID: Int] = [:]
      let readings = stage.central.scan(for: ["FFF0"], timeout: .never).connectEach().readAll(in: "FFF0")
      for try await result in readings {
        collected[result.peripheral.id] = try result.get().count
        #expect(stage.activity?.isScanning == true)
        if collected.count == 2 { break }
      }
      #expect(collected == [stage.device.id: 3, other.id: 3])
      try await stage.settle()
      #expect(stage.activity?.isScanning == false)
    }
  }

  @Test(
    "PLX-10, F44: values of all peripherals come in one sequence; leaving it ends every subscription"
  )
  func listening() async throws {
    try await Stage.run { stage in
      let other = stage.world.add(.counting(name: "Other"))
      let peripherals = [try await stage.connected(), try await stage.connected(other.id)]
      var counts: [PeerID: [UInt32]] = [:]
      for try await result in Self.sequence(peripherals).values(of: .count) {
        counts[result.peripheral.id, default: []].append(try result.get())
        if counts.values.reduce(0, { $0 + $1.count }) == 8 { break }
      }
      #expect(counts == [stage.device.id: [1, 2, 3, 4], other.id: [1, 2, 3, 4]])
      try await stage.settle()
      #expect(stage.device.subscriberCount(of: "FFF1") == 0)
      #expect(other.subscriberCount(of: "FFF1") == 0)

      let values = Self.sequence(peripherals).values(of: .count, onReconnect: .end)
      let task = Task { () -> [PeerID] in
        var failed: [PeerID] = []
        for try await result in values where result.error != nil {
          failed.append(result.peripheral.id)
        }
        return failed
      }
      try await stage.settle()
      other.disconnect()
      try await stage.settle()
      stage.device.disconnect()
      #expect(try await task.value == [other.id, stage.device.id])
    }
  }

  @Test(
    "What the source throws comes behind the results before it; a cancelled chain cancels its steps"
  )
  func ends() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      let failing = AsyncThrowingStream<Peripheral, any Error> { continuation in
        continuation.yield(peripheral)
        continuation.finish(throwing: CancellationError())
      }
      let seen = Tally()
      await #expect(throws: CancellationError.self) {
        for try await result in failing.read(.setting) {
          #expect(result.value == 7)
          seen.add()
        }
      }
      #expect(seen.count == 1)
      for try await _ in Self.sequence([]).read(.setting) { seen.add() }
      #expect(seen.count == 1)

      let world = stage.world
      let cancelled = Tally()
      let steps = Self.sequence([peripheral]).each { _ in
        do { try await world.clock.sleep(for: .seconds(100)) } catch {
          cancelled.add()
          throw error
        }
      }
      let task = Task { for try await _ in steps {} }
      try await stage.settle()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      try await stage.settle()
      #expect(cancelled.count == 1)
    }
  }
}
