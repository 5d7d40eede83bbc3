import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Scanning", .reportsWorlds)
struct ScanTests {
  @Test("A scan does nothing before it is iterated, and stops at the radio when it is left")
  func startsWhenIterated() async throws {
    try await Scene.run { scene in
      let scan = scene.central.scan()
      try await scene.settle()
      #expect(await scene.radio.calls.isEmpty)
      let task = Task {
        for try await discovery in scan {
          #expect(discovery.name == "Pulse")
          break
        }
      }
      try await scene.settle()
      #expect(await scene.radio.runningScans == 1)
      await scene.radio.hear(Scene.device, "Pulse")
      try await task.value
      try await scene.settle()
      #expect(await scene.radio.runningScans == 0)
    }
  }

  @Test(
    "F04: cancelling the task that iterates a scan stops the radio's scan, and the iteration throws CancellationError"
  )
  func cancellationStopsTheScan() async throws {
    try await Scene.run { scene in
      let task = Task { for try await _ in scene.central.scan(timeout: nil) {} }
      try await scene.settle()
      #expect(await scene.radio.runningScans == 1)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(await scene.radio.runningScans == 0)
    }
  }

  @Test("F04: a task that is cancelled before it iterates never starts a scan")
  func cancelledBefore() async throws {
    try await Scene.run { scene in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        for try await _ in scene.central.scan() {}
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(await scene.radio.count(.startScan) == 0)
    }
  }

  @Test("F04: an error thrown in the loop, and an iterator that is dropped, stop the scan")
  func droppedIterators() async throws {
    struct Enough: Error {}
    try await Scene.run { scene in
      let task = Task { for try await _ in scene.central.scan() { throw Enough() } }
      try await scene.settle()
      await scene.radio.hear(Scene.device, "Pulse")
      await #expect(throws: Enough.self) { try await task.value }
      try await scene.settle()
      #expect(await scene.radio.runningScans == 0)

      let other = Task {
        var iterator = scene.central.scan().makeAsyncIterator()
        _ = try await iterator.next()
        #expect(await scene.radio.runningScans == 1)
      }
      try await scene.settle()
      await scene.radio.hear(Scene.device, "Pulse")
      try await other.value
      try await scene.settle()
      #expect(await scene.radio.runningScans == 0)
    }
  }

  @Test("A scan throws timedOut at its time limit, and ends normally after its duration")
  func timeLimits() async throws {
    try await Scene.run { scene in
      let start = scene.world.now
      let error = await bluetoothError { for try await _ in scene.central.scan(timeout: .seconds(10)) {} }
      #expect(error?.kind == .timedOut)
      #expect(error?.operation == .scan)
      #expect(start.duration(to: scene.world.now) == .seconds(10))
      for try await _ in scene.central.scan(duration: .seconds(3600)) {}
      #expect(start.duration(to: scene.world.now) == .seconds(3610))
      #expect(await scene.radio.runningScans == 0)
      await expectError(.timedOut) { for try await _ in scene.central.scan() {} }
      #expect(start.duration(to: scene.world.now) == .seconds(3640))
    }
  }

  @Test("PLX-03: a scan for a count of peripherals stops when it is reached, and counts each peripheral once")
  func limit() async throws {
    try await Scene.run { scene in
      let task = Task {
        var found: [PeerID] = []
        for try await discovery in scene.central.scan(limit: 2) { found.append(discovery.id) }
        return found
      }
      try await scene.settle()
      await scene.radio.hear(Scene.device, "Pulse")
      await scene.radio.hear(Scene.device, "Pulse")
      #expect(await scene.radio.runningScans == 1)
      await scene.radio.hear(Scene.other, "Lamp")
      #expect(await scene.radio.runningScans == 0)
      #expect(try await task.value == [Scene.device, Scene.other])
    }
  }

  @Test("PLX-03: stopScan ends every scan of its central normally, and those of others go on")
  func stopScan() async throws {
    try await Scene.run { scene in
      let other = Central(radio: scene.radio)
      let mine = Task { for try await _ in scene.central.scan() {} }
      let others = Task { for try await _ in other.scan() {} }
      try await scene.settle()
      await scene.central.stopScan()
      try await mine.value
      #expect(await scene.radio.runningScans == 1)
      others.cancel()
      _ = await others.result
    }
  }

  @Test("A device's advertisement and its scan response come as one discovery; what changes comes again")
  func merging() async throws {
    try await Scene.run { scene in
      let task = Task {
        var names: [String?] = []
        for try await discovery in scene.central.scan(duration: .seconds(5)) { names.append(discovery.name) }
        return names
      }
      try await scene.settle()
      await scene.radio.hear(Scene.device, nil)
      await scene.radio.hear(Scene.device, "Pulse", isScanResponse: true)
      await scene.radio.hear(Scene.other, nil)
      try await scene.world.run(for: .seconds(1))
      await scene.radio.hear(Scene.other, nil)
      await scene.radio.hear(Scene.device, "Pulse 2")
      #expect(try await task.value == ["Pulse", nil, "Pulse 2"])
    }
  }

  @Test("With all duplicates each advertisement is told of, with its own signal strength")
  func allDuplicates() async throws {
    try await Scene.run { scene in
      let task = Task {
        var strengths: [Int?] = []
        for try await discovery in scene.central.scan(duplicates: .all, duration: .seconds(5)) {
          strengths.append(discovery.rssi)
        }
        return strengths
      }
      try await scene.settle()
      for rssi in [-40, nil, -42] { await scene.radio.hear(Scene.device, "Pulse", rssi: rssi) }
      #expect(try await task.value == [-40, nil, -42])
    }
  }

  @Test("Filters by name, strength and their combinations let through what they say")
  func filters() async throws {
    try await Scene.run { scene in
      let filter = ScanFilter.named("Pulse") && .stronger(than: -60) && !.ids([Scene.other])
      let task = Task {
        var found: [Discovery] = []
        for try await discovery in scene.central.scan(where: filter, duration: .seconds(5)) { found.append(discovery) }
        return found
      }
      try await scene.settle()
      await scene.radio.hear(Scene.other, "Pulse")
      await scene.radio.hear(PeerID(high: 3, low: 3), "Lamp")
      await scene.radio.hear(PeerID(high: 4, low: 4), "Pulse", rssi: -80)
      await scene.radio.hear(PeerID(high: 5, low: 5), "Pulse", rssi: nil)
      await scene.radio.hear(Scene.device, "Pulse")
      let found = try await task.value
      #expect(found.map(\.id) == [Scene.device])
      #expect(found.first?.rssi == -50)
      #expect(found.first?.isConnectable == true)
      #expect(found.first?.peripheral.name == "Pulse")
    }
  }

  @Test("A scan while Bluetooth is off says so at once; one before the state is known begins when it is")
  func states() async throws {
    try await Scene.run(state: RadioState(.poweredOff, reason: "the switch")) { scene in
      let error = await bluetoothError { for try await _ in scene.central.scan() {} }
      #expect(error?.kind == .poweredOff)
      #expect(error?.message.contains("the switch") == true)
      #expect(await scene.radio.count(.startScan) == 0)
    }
    try await Scene.run(state: .unknown) { scene in
      let task = Task { for try await _ in scene.central.scan(duration: .seconds(5)) {} }
      try await scene.settle()
      #expect(await scene.radio.count(.startScan) == 0)
      await scene.radio.setPower(.poweredOn)
      #expect(await scene.radio.runningScans == 1)
      try await task.value
    }
  }

  @Test("The same device is the same object, and goes when nobody holds it")
  func identity() async throws {
    try await Scene.run { scene in
      func find() async throws -> [Peripheral] {
        let task = Task {
          var found: [Peripheral] = []
          for try await discovery in scene.central.scan(duplicates: .all, duration: .seconds(1)) {
            found.append(discovery.peripheral)
          }
          return found
        }
        try await scene.settle()
        await scene.radio.hear(Scene.device, "Pulse")
        await scene.radio.hear(Scene.device, "Pulse")
        return try await task.value
      }
      var found = try await find()
      #expect(found.count == 2)
      #expect(found.first === found.last)
      weak let peripheral = found.first
      found = []
      #expect(peripheral == nil)
    }
  }
}
