import BluetoothTypes
import Halcyon
import RadioPort
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("What a scan lets through, and how often", .reportsWorlds)
struct ScanChoiceTests {
  private static func sighting(
    _ peer: PeerID,
    _ structures: [ADStructure],
    rssi: Int? = -50,
    at time: RadioInstant
  ) -> Sighting {
    Sighting(
      peer: peer,
      address: nil,
      advertisement: AdvertisingData(structures),
      rssi: rssi,
      isConnectable: true,
      isScanResponse: true,
      time: time
    )
  }

  /// The names of the devices that a filter lets through.
  private static func found(_ filter: ScanFilter, in scene: Scene) async throws -> [String] {
    let task = Task {
      var names: [String] = []
      for try await discovery in scene.central.scan(where: filter, duration: .seconds(1)) {
        names.append(discovery.name ?? "?")
      }
      return names.sorted()
    }
    try await scene.settle()
    let now = scene.world.now
    let beacon = IBeacon(uuid: "48A10000-5C1B-4C5A-9B1E-0C4A6C3F7D21", major: 1, minor: 2, powerAtOneMeter: -59)
    let devices: [(UInt64, [ADStructure], Int?)] = [
      (1, [.completeLocalName("Pulse"), .serviceUUIDs(["180D"])], -40),
      (2, [.completeLocalName("Lamp"), .manufacturerData(.nordicSemiconductor, [1, 2, 3])], -60),
      (3, [.completeLocalName("Other lamp"), .manufacturerData(.nordicSemiconductor, [9, 2, 3])], -80),
      (4, [.completeLocalName("Data"), .serviceData("FEAA", [0x20, 0])], nil),
      (5, AdvertisingData(.iBeacon(beacon)).structures, -70),
    ]
    for (number, structures, rssi) in devices {
      await scene.radio.hear(sighting(PeerID(high: 7, low: number), structures, rssi: rssi, at: now))
    }
    return try await task.value
  }

  @Test("LBT-03: filters by service, name, manufacturer data, service data, strength, beacon and own code")
  func filters() async throws {
    let cases: [(ScanFilter, [String])] = [
      (.service(.heartRate), ["Pulse"]),
      (.namePrefix("L") || .named("Pulse"), ["Lamp", "Pulse"]),
      (.manufacturer(.nordicSemiconductor), ["Lamp", "Other lamp"]),
      (.manufacturer(.nordicSemiconductor, beginningWith: [1, 2]), ["Lamp"]),
      (.manufacturer(.nordicSemiconductor) { $0.first == 9 }, ["Other lamp"]),
      (.serviceData("FEAA", beginningWith: [0x20]), ["Data"]),
      (.stronger(than: -65), ["Lamp", "Pulse"]),
      (.beacons, ["?"]),
      (!.hasName, ["?"]),
      (ScanFilter { $0.id.low == 4 }, ["Data"]),
    ]
    try await Scene.run { scene in
      for (filter, names) in cases {
        let found = try await Self.found(filter, in: scene)
        #expect(found == names)
      }
    }
  }

  @Test("A discovery of an iBeacon has the beacon decoded")
  func beacon() async throws {
    try await Scene.run { scene in
      let task = Task {
        for try await discovery in scene.central.scan(where: .beacons) { return discovery.beacon }
        return nil
      }
      try await scene.settle()
      let beacon = IBeacon(uuid: "48A10000-5C1B-4C5A-9B1E-0C4A6C3F7D21", major: 3, minor: 4, powerAtOneMeter: -59)
      let data = AdvertisingData(.iBeacon(beacon)).structures
      await scene.radio.hear(Self.sighting(Scene.device, data, at: scene.world.now))
      #expect(try await task.value == .iBeacon(beacon))
    }
  }

  @Test("OK-02: a scan is throttled per device: at once, then the newest at the end of each interval")
  func throttled() async throws {
    try await Scene.run { scene in
      let start = scene.world.now
      let found = Mutex<[String]>([])
      let task = Task {
        for try await discovery in scene.central.scan(duplicates: .every(.seconds(1)), duration: .seconds(4)) {
          let time = start.duration(to: scene.world.now).components.seconds
          found.withLock { $0.append("\(time) \(discovery.name ?? "") \(discovery.rssi ?? 0)") }
        }
      }
      try await scene.settle()
      await scene.radio.hear(Scene.other, "Lamp", rssi: -70)
      for step in 0..<15 {
        await scene.radio.hear(Scene.device, "Pulse", rssi: -40 - step)
        try await scene.world.run(for: .milliseconds(100))
      }
      try await task.value
      #expect(found.withLock { $0 } == ["0 Lamp -70", "0 Pulse -40", "1 Pulse -49", "2 Pulse -54"])
    }
  }

  @Test("OK-02: a throttled scan among devices without number keeps at most as many as it may")
  func throttleBound() async throws {
    try await Scene.run { scene in
      let task = Task {
        var count = 0
        for try await _ in scene.central.scan(duplicates: .every(.seconds(60)), duration: .seconds(5)) { count += 1 }
        return count
      }
      try await scene.settle()
      for number in 0..<3000 {
        await scene.radio.hear(PeerID(high: 8, low: UInt64(number)), nil)
        if number % 500 == 0 { try await scene.settle() }
      }
      #expect(try await task.value == 3000)
    }
  }

  @Test("OK-02: the default time limit of a scan is 30 s, a configuration changes it, a manual stop ends it normally")
  func defaultLimit() async throws {
    var timeouts = Central.Timeouts()
    timeouts.scan = .seconds(5)
    try await Scene.run(configuration: .init(timeouts: timeouts)) { scene in
      let start = scene.world.now
      await expectError(.timedOut) { for try await _ in scene.central.scan() {} }
      #expect(start.duration(to: scene.world.now) == .seconds(5))
      await expectError(.timedOut) { for try await _ in Central(radio: scene.radio).scan() {} }
      #expect(start.duration(to: scene.world.now) == .seconds(35))
      let scan = Task { for try await _ in scene.central.scan() {} }
      try await scene.settle()
      await scene.central.stopScan()
      try await scan.value
    }
  }

  @Test("OK-03: a scan completes without an error once the number of devices was found")
  func count() async throws {
    try await World.simulated(seed: 6) { world in
      for number in 1...5 { world.add(.counting(name: "Counter \(number)")) }
      let central = Central(radio: world.radio)
      try await central.ready()
      #expect(Set(try await central.scan(limit: 3).collect(10).map(\.id)).count == 3)
    }
  }

  @Test("LBT-03: scan and buffer N discoveries; the scan stops")
  func collect() async throws {
    try await Scene.run { scene in
      let task = Task { try await scene.central.scan(duplicates: .all).collect(3) }
      try await scene.settle()
      for rssi in [-1, -2, -3, -4] { await scene.radio.hear(Scene.device, "Pulse", rssi: rssi) }
      #expect(try await task.value.map(\.rssi) == [-1, -2, -3])
      try await scene.settle()
      #expect(await scene.radio.runningScans == 0)
      #expect(try await scene.central.scan().collect(0).isEmpty)
      #expect(try await scene.central.scan(duration: .seconds(1)).collect(3).isEmpty)
    }
  }

  @Test("OK-07: what the central is busy with is told: scanning, connecting, discovering")
  func activity() async throws {
    try await Scene.run { scene in
      #expect(scene.central.activity == [])
      var activities = scene.central.activities.makeAsyncIterator()
      #expect(await activities.next() == [])
      let scan = Task { for try await _ in scene.central.scan() {} }
      #expect(await activities.next() == .scanning)
      await scene.radio.set { $0.held = [.connect, .discover] }
      let connect = Task { try await scene.connected() }
      #expect(await activities.next() == [.scanning, .connecting])
      scan.cancel()
      _ = await scan.result
      #expect(await activities.next() == .connecting)
      await scene.radio.letGo(.connect)
      let peripheral = try await connect.value
      #expect(await activities.next() == [])
      let services = Task { try await peripheral.services() }
      #expect(await activities.next() == .discovering)
      #expect(scene.central.activity.description == "discovering")
      await scene.radio.letGo(.discover)
      _ = try await services.value
      #expect(await activities.next() == [])
    }
  }

  @Test("OK-06, HM-01, PLX-05: each state has a reason that a person can read, in both languages, and a ready flag")
  func reasons() async throws {
    for power in RadioState.Power.allCases {
      for language in Language.allCases {
        let plain = RadioState(power).message(in: language)
        #expect(!plain.isEmpty)
        #expect(RadioState(power, reason: "why so.").message(in: language).contains("why so"))
      }
      #expect(RadioState(power).isPoweredOn == (power == .poweredOn))
    }
    try await Scene.run(
      state: RadioState(.resetting, reason: "the controller is started again"),
      configuration: .init(language: .simplifiedChinese)
    ) { scene in
      #expect(!scene.central.isReady)
      #expect(scene.central.stateMessage.contains("the controller is started again"))
      #expect(scene.central.stateMessage.contains("蓝牙正在重新启动"))
      var ready = scene.central.states.map(\.isPoweredOn).makeAsyncIterator()
      #expect(await ready.next() == false)
      await scene.radio.setPower(.poweredOn)
      #expect(await ready.next() == true)
      #expect(scene.central.isReady)
    }
  }
}
