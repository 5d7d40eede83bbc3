import BluetoothTypes
import Halcyon
import Observation
import RadioPort
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("What is near, as a list", .reportsWorlds)
struct NearbyTests {
  private static func peer(_ number: UInt64) -> PeerID { PeerID(high: 5, low: number) }

  @Test("OK-04: the list is sorted by strength; 127 sorts last; it changes at most once in its interval")
  func sortedAndThrottled() async throws {
    try await Scene.run { scene in
      let lists = Mutex<[(time: Duration, names: [String])]>([])
      let start = scene.world.now
      let task = Task {
        for try await list in scene.central.nearby(duration: .seconds(6)) {
          lists.withLock { $0.append((start.duration(to: scene.world.now), list.map { $0.name ?? "?" })) }
        }
      }
      try await scene.settle()
      await scene.radio.hear(Self.peer(1), "Far", rssi: -80)
      await scene.radio.hear(Self.peer(2), "Unknown", rssi: nil)
      await scene.radio.hear(Self.peer(3), "Near", rssi: -40)
      for _ in 0..<20 {
        try await scene.world.run(for: .milliseconds(100))
        await scene.radio.hear(Self.peer(4), "Middle", rssi: -60)
      }
      try await task.value
      let all = lists.withLock { $0 }
      #expect(all.map(\.names).first == [])
      #expect(all.map(\.names).dropFirst().first == ["Far"])
      #expect(all.map(\.names).last == ["Near", "Middle", "Far", "Unknown"])
      for (earlier, later) in zip(all.dropFirst(), all.dropFirst(2)) {
        #expect(later.time - earlier.time >= .seconds(1.5))
      }
      #expect(all.count == 4)
      #expect(await scene.radio.runningScans == 0)
    }
  }

  @Test("OK-05: the strength is averaged over sightings; what the controller could not tell is not averaged")
  func smoothed() async throws {
    try await Scene.run { scene in
      var lists = scene.central.nearby(every: .milliseconds(1)).makeAsyncIterator()
      #expect(try await lists.next()?.isEmpty == true)
      var last: Discovery?
      for rssi in [-60, nil, -64, nil, -56] {
        await scene.radio.hear(Scene.device, "Pulse", rssi: rssi)
        last = try await lists.next()?.first
        try await scene.world.run(for: .seconds(1))
      }
      // -60; in 2 s two thirds of the way to -64; likewise to -56.
      let smoothed = try #require(last?.smoothedRSSI)
      #expect(abs(smoothed - -58.222) < 0.01)
      #expect(last?.rssi == -56)
    }
  }

  @Test("OK-05: noise of several dB is mostly gone from the smoothed strength, on the whole stack")
  func noise() async throws {
    try await World.simulated(seed: 5) { world in
      world.add(.counting())
      let central = Central(radio: world.radio)
      try await central.ready()
      var raw: [Double] = []
      var smoothed: [Double] = []
      for try await discovery in central.scan(duplicates: .all, duration: .seconds(20)) {
        guard let rssi = discovery.rssi, let mean = discovery.smoothedRSSI else { continue }
        raw.append(Double(rssi))
        smoothed.append(mean)
      }
      func spread(_ values: some Collection<Double>) -> Double { (values.max() ?? 0) - (values.min() ?? 0) }
      #expect(raw.count > 50)
      #expect(spread(smoothed.dropFirst(20)) <= spread(raw.dropFirst(20)))
    }
  }

  @Test("OK-04: unnamed devices are hidden on wish; devices that were not heard leave; connected ones stay")
  func leaving() async throws {
    try await Scene.run { scene in
      var lists = scene.central.nearby(where: .hasName, every: .seconds(1), forgetAfter: .seconds(5))
        .makeAsyncIterator()
      #expect(try await lists.next()?.isEmpty == true)
      await scene.radio.hear(Scene.device, "Pulse")
      #expect(try await lists.next()?.map(\.name) == ["Pulse"])
      await scene.radio.hear(Scene.other, "Lamp")
      await scene.radio.hear(Self.peer(9), nil)
      #expect(try await lists.next()?.count == 2)
      let peripheral = try await scene.connected()
      let before = scene.world.now
      #expect(try await lists.next()?.map(\.name) == ["Pulse"])
      #expect(before.duration(to: scene.world.now) >= .seconds(4))
      await peripheral.disconnect()
      #expect(try await lists.next()?.isEmpty == true)
    }
  }

  @Test("OK-04: a list among devices without number keeps those that were heard last")
  func bounded() async throws {
    try await Scene.run { scene in
      let task = Task {
        var last: [Discovery] = []
        for try await list in scene.central.nearby(forgetAfter: nil, duration: .seconds(30)) { last = list }
        return last
      }
      try await scene.settle()
      for number in 0..<5000 {
        await scene.radio.hear(Self.peer(UInt64(number)), nil)
        if number % 1000 == 999 { try await scene.world.run(for: .seconds(2)) }
      }
      let last = try await task.value
      #expect(last.count >= 1024 && last.count < 2048)
      #expect(last.contains { $0.id == Self.peer(4999) })
    }
  }

  @Test("OK-04, HM-06: a view observes the list as a model: it begins empty, grows, and tells of its end")
  func observed() async throws {
    try await Scene.run { scene in
      let devices = NearbyDevices(scene.central.nearby(every: .seconds(1)))
      let changes = Tally()
      @Sendable func observe() {
        withObservationTracking {
          _ = devices.list
        } onChange: {
          changes.add()
        }
      }
      observe()
      #expect(!devices.isScanning)
      let run = Task { await devices.run() }
      try await scene.settle()
      #expect(devices.isScanning)
      #expect(changes.count == 1)
      observe()
      await scene.radio.hear(Scene.device, "Pulse")
      try await scene.settle()
      #expect(changes.count == 2)
      #expect(devices.list.map(\.name) == ["Pulse"])
      run.cancel()
      await run.value
      #expect(!devices.isScanning)
      #expect(devices.error == nil)
      #expect(devices.list.count == 1)
      #expect(await scene.radio.runningScans == 0)

      let again = Task { await devices.run() }
      try await scene.settle()
      #expect(devices.list.isEmpty)
      await scene.radio.setPower(.poweredOff)
      await again.value
      #expect(devices.error?.kind == .poweredOff)
    }
  }

  @Test("OK-02: a live list can have a duration or a time limit, and each one starts empty")
  func limits() async throws {
    try await Scene.run { scene in
      let start = scene.world.now
      await expectError(.timedOut) { for try await _ in scene.central.nearby(timeout: .seconds(10)) {} }
      #expect(start.duration(to: scene.world.now) == .seconds(10))
      let task = Task {
        var lists: [Int] = []
        for try await list in scene.central.nearby(limit: 2) { lists.append(list.count) }
        return lists
      }
      try await scene.settle()
      await scene.radio.hear(Scene.device, "Pulse")
      await scene.radio.hear(Scene.other, "Lamp")
      let lists = try await task.value
      #expect(lists.first == 0)
      #expect(lists.last == 2)
    }
  }
}
