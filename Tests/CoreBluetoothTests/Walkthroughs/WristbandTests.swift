#if os(Linux)
  import BluetoothTypes
  @testable import CoreBluetooth
  import RadioPort
  import Synchronization
  import SystemRadio
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  /// The one-to-one manager of the walk-through, whose file is that of the example, where things go less smoothly.
  @Suite("A one-to-one manager in Apple's API", .reportsWorlds)
  struct WristbandTests {
    /// Notifies, indicates, is sent to; has one UUID twice, and a value that it refuses to give.
    private static func band(_ name: String) -> DeviceKind<VirtualDevice> {
      .custom(name: name) { band in
        band.services = [
          VirtualDevice.Service(
            ServiceID("FFE0"),
            characteristics: [
              VirtualDevice.Characteristic("FF01", [.read, .notify], value: [10]),
              VirtualDevice.Characteristic("FF01", [.read, .indicate], value: [11]),
              VirtualDevice.Characteristic("FF03", .read, value: [30]),
            ]
          ),
          VirtualDevice.Service(
            ServiceID("FFE1"),
            characteristics: [
              VirtualDevice.Characteristic("FF02", .writeWithoutResponse),
              VirtualDevice.Characteristic(
                "FF04",
                [.read, .notify],
                onRead: { _ throws(ATTErrorCode) in throw ATTErrorCode(rawValue: 0x81) }
              ),
            ]
          ),
        ]
      }
    }

    private func manager(on radio: any Radio) -> WristbandManager {
      WristbandManager(sendingTo: "FF02", options: [CBManagerOptionRadioKey: radio])
    }

    /// A manager that has found the devices of the world, and is connected to them.
    private func connected(_ world: World) async throws -> WristbandManager {
      let manager = manager(on: world.radio)
      manager.beginScan()
      try await world.run(for: .seconds(3))
      manager.endScan()
      for device in manager.found { manager.connect(device) { #expect($0 == .connected) } }
      try await world.run(for: .seconds(5))
      return manager
    }

    // MARK: HM-01

    @Test("HM-01: each state in which Bluetooth is not to be used has a reason of its own, and no scan begins")
    func reasons() async throws {
      let reasons = Mutex<Set<String>>([])
      let off = RadioState.Power.allCases.filter { $0 != .unknown && $0 != .poweredOn }
      for power in off {
        try await World.simulated(seed: 1) { world in
          let manager = manager(on: UnavailableRadio(executor: world.radio.executor, power: power, reason: "as a test"))
          _ = manager.availability
          try await world.run(for: .seconds(1))
          let told = manager.beginScan()
          #expect(!told.isAvailable && told == manager.availability)
          reasons.withLock { _ = $0.insert(told.reason) }
          try await world.run(for: .seconds(5))
          #expect(manager.found.isEmpty)
        }
      }
      #expect(reasons.withLock { $0.count } == off.count)
    }

    @Test("HM-01: a scan that is begun while the state is unknown begins by itself, also if the radio is off at first")
    func earlyScan() async throws {
      for isOff in [false, true] {
        try await World.simulated(seed: 1) { world in
          world.add(Self.band("Band"))
          if isOff { world.radioPower(false) }
          let manager = manager(on: world.radio)
          #expect(manager.beginScan().isAvailable)
          try await world.run(for: .seconds(5))
          #expect(manager.found.isEmpty == isOff)
          world.radioPower(true)
          try await world.run(for: .seconds(5))
          #expect(manager.found.map(\.name) == ["Band"])
          manager.endScan()
        }
      }
    }

    @Test("HM-01: a scan that is given up before the state is known does not begin")
    func earlyEnd() async throws {
      let listener = Misuse.Listener()
      try await World.simulated(seed: 1) { world in
        world.add(Self.band("Band"))
        let manager = manager(on: world.radio)
        manager.beginScan()
        manager.endScan()
        #expect(
          listener.messages.contains { $0.contains("can only accept this command while in the powered on state") }
        )
        try await world.run(for: .seconds(5))
        #expect(manager.found.isEmpty)
      }
    }

    // MARK: HM-02

    @Test(
      "HM-02: each sighting is told once a scan, in the list each device stands once, and nothing comes after a stop"
    )
    func sightings() async throws {
      try await World.simulated(seed: 1) { world in
        for name in ["One", "Two", "Three"] { world.add(Self.band(name)) }
        let manager = manager(on: world.radio)
        var told: [String: Int] = [:]
        manager.onSighting = { peripheral, strength in
          #expect((-127...20).contains(strength.intValue))
          told[peripheral.name ?? "?", default: 0] += 1
        }
        manager.beginScan()
        try await world.run(for: .seconds(5))
        #expect(told == ["One": 1, "Two": 1, "Three": 1])
        manager.endScan()
        world.add(Self.band("Four"))
        try await world.run(for: .seconds(5))
        #expect(told.count == 3)
        manager.beginScan()
        try await world.run(for: .seconds(5))
        #expect(told == ["One": 2, "Two": 2, "Three": 2, "Four": 1])
        #expect(manager.found.count == 4 && Set(manager.found.map(\.identifier)).count == 4)
        manager.endScan()
      }
    }

    // MARK: HM-03

    @Test("HM-03: a device that is connected is told as that, and one that can not be connected fails with words")
    func outcomes() async throws {
      try await World.simulated(seed: 1) { world in
        world.add(Self.band("Band"))
        let manager = try await connected(world)
        let band = try #require(manager.found.first)
        var outcomes: [WristbandManager.Outcome] = []
        manager.connect(band) { outcomes.append($0) }
        #expect(outcomes == [.alreadyConnected])
        manager.disconnect(band)
        try await world.run(for: .seconds(2))
        manager.connect(band) { outcomes.append($0) }
        world.radioPower(false)
        try await world.run(for: .seconds(2))
        #expect(outcomes.count == 2)
        guard case .failed(let words)? = outcomes.last else {
          Issue.record("it did not fail: \(outcomes)")
          return
        }
        #expect(words.contains(" "))
      }
    }

    @Test(
      "HM-03: all that can be subscribed to is, and read once: a UUID that is there twice, and a value that is refused"
    )
    func everything() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(Self.band("Band"))
        let manager = manager(on: world.radio)
        var values: [UInt8] = []
        manager.onValue = { values.append($1.first ?? 0) }
        manager.beginScan()
        try await world.run(for: .seconds(3))
        manager.endScan()
        let band = try #require(manager.found.first)
        manager.connect(band) { _ in }
        try await world.run(for: .seconds(5))
        // Each of the two of one UUID; not the one that can not be subscribed to, nor the one that is refused.
        #expect(values.sorted() == [10, 11])
        let all = band.services?.flatMap { $0.characteristics ?? [] } ?? []
        #expect(all.map(\.isNotifying) == [true, true, false, false, true])
        try device.notify([40], of: "FF04")
        try await world.run(for: .seconds(1))
        #expect(values.last == 40)
      }
    }

    // MARK: HM-04

    @Test("HM-04: what is sent to the characteristic of the UUID arrives in order; without room it is told, not lost")
    func sending() async throws {
      try await World.simulated(seed: 1) { world in
        let device = world.add(Self.band("Band"))
        let manager = try await connected(world)
        #expect(manager.target?.service?.uuid == CBUUID(string: "FFE1"))
        var sent: [[UInt8]] = []
        var refusals = 0
        for number: UInt8 in 0..<200 {
          while !manager.send(Data([number, 1])) {
            refusals += 1
            try await world.run(for: .milliseconds(100))
          }
          sent.append([number, 1])
        }
        try await world.run(for: .seconds(1))
        #expect(refusals > 0)
        #expect(device.written(to: "FF02") == sent)
      }
    }

    // MARK: HM-05

    private enum End: CaseIterable { case byDevice, byRange, byPower, byApp }

    @Test("HM-05: that a device is gone is posted once for all of the app, however it went, and it leaves the lists")
    func ends() async throws {
      for end in End.allCases {
        try await World.simulated(seed: 1) { world in
          let device = world.add(Self.band("Band"))
          let manager = try await connected(world)
          let band = try #require(manager.connected.first)
          let posted = Mutex<[ObjectIdentifier]>([])
          let observer = NotificationCenter.default.addObserver(
            forName: WristbandManager.didDisconnect,
            object: band,
            queue: nil
          ) { notification in
            if let object = notification.object as AnyObject? {
              posted.withLock { $0.append(ObjectIdentifier(object)) }
            }
          }
          defer { NotificationCenter.default.removeObserver(observer) }
          switch end {
          case .byDevice: device.disconnect()
          case .byRange: device.moveOutOfRange()
          case .byPower: world.radioPower(false)
          case .byApp: manager.disconnect(band)
          }
          try await world.run(for: .seconds(10))
          #expect(posted.withLock { $0 } == [ObjectIdentifier(band)], "\(end)")
          #expect(manager.connected.isEmpty && manager.current == nil && manager.target == nil, "\(end)")
          #expect(!manager.send(Data([1])), "\(end)")
          #expect(band.state == .disconnected, "\(end)")
        }
      }
    }

    // MARK: HM-06

    @Test("HM-06: what several devices send arrives in one place, and the lists and the current one are live")
    func lists() async throws {
      try await World.simulated(seed: 1) { world in
        let devices = ["One", "Two"].map { world.add(Self.band($0)) }
        let manager = try await connected(world)
        #expect(manager.found.count == 2 && Set(manager.connected) == Set(manager.found))
        #expect(manager.current == manager.connected.last)
        var values: [String] = []
        manager.onValue = { values.append("\($0.service?.peripheral?.name ?? "?") \($1.first ?? 0)") }
        for (number, device) in devices.enumerated() { try device.notify([UInt8(number)], of: "FF04") }
        try await world.run(for: .seconds(1))
        #expect(values.sorted() == ["One 0", "Two 1"])
        devices[0].disconnect()
        try await world.run(for: .seconds(2))
        #expect(manager.connected.map(\.name) == ["Two"])
        #expect(manager.found.count == 2)
        devices[0].moveIntoRange()
        manager.connect(try #require(manager.found.first { $0.name == "One" })) { #expect($0 == .connected) }
        try await world.run(for: .seconds(5))
        #expect(manager.connected.map(\.name) == ["Two", "One"] && manager.current?.name == "One")
      }
    }
  }
#endif
