import BluetoothTypes
import CoreBluetooth
import Synchronization
import Testing
import VirtualRadio
import WristbandApp

@Suite("The wristband, in a virtual world")
struct WristbandTests {
  static let band = DeviceKind<VirtualDevice>.custom(name: "Band") { band in
    band.services = [
      VirtualDevice.Service(
        ServiceID("FFE0"),
        characteristics: [
          VirtualDevice.Characteristic("FF01", [.read, .notify], value: [10]),
          VirtualDevice.Characteristic("FF02", .writeWithoutResponse),
          VirtualDevice.Characteristic("FF03", [.read, .indicate], value: [20]),
          VirtualDevice.Characteristic("FF04", .read, value: [30]),
          VirtualDevice.Characteristic("FF05", .notify),
        ]
      )
    ]
  }

  private func makeManager(_ world: World) -> WristbandManager {
    WristbandManager(sendingTo: "FF02", options: [CBManagerOptionRadioKey: world.radio])
  }

  @Test("HM-01: what hinders Bluetooth is said in words; a scan that is begun too early starts by itself")
  func availability() async throws {
    try await World.simulated(seed: 1) { world in
      world.add(Self.band)
      let manager = makeManager(world)
      #expect(manager.beginScan() == .init(isAvailable: true, reason: "Bluetooth is not ready yet"))
      try await world.run(for: .seconds(3))
      #expect(manager.found.map(\.name) == ["Band"])
      #expect(manager.availability == .init(isAvailable: true, reason: "Bluetooth is ready"))
      world.radioPower(false)
      try await world.run(for: .seconds(1))
      #expect(manager.beginScan() == .init(isAvailable: false, reason: "Bluetooth is switched off"))
    }
  }

  @Test("HM-02: each sighting is told, each device stands in the list once, and a scan ends")
  func scanning() async throws {
    try await World.simulated(seed: 1) { world in
      world.add(Self.band)
      world.add(.heartRateBand(name: "Pulse"))
      let manager = makeManager(world)
      var sightings = 0
      manager.onSighting = { _, _ in sightings += 1 }
      manager.beginScan()
      try await world.run(for: .seconds(3))
      #expect(Set(manager.found.map(\.name)) == ["Band", "Pulse"])
      #expect(manager.found.count == 2)
      #expect(sightings >= 2)
      manager.endScan()
      let before = sightings
      world.add(.lamp(name: "Lamp"))
      try await world.run(for: .seconds(3))
      #expect(sightings == before)
    }
  }

  @Test("HM-03, HM-06: a connect has an outcome; all that can be sent is sent, and read once; lists are live")
  func connecting() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(Self.band)
      let manager = makeManager(world)
      var values: [String] = []
      var outcomes: [WristbandManager.Outcome] = []
      manager.onValue = { values.append("\($0.uuid.uuidString) \($1.first ?? 0)") }
      manager.beginScan()
      try await world.run(for: .seconds(3))
      let band = try #require(manager.found.first)
      manager.connect(band) { outcomes.append($0) }
      try await world.run(for: .seconds(5))
      #expect(manager.current == band)
      #expect(manager.connected == [band])
      #expect(Set(values) == ["FF01 10", "FF03 20"])
      #expect(values.count == 2)
      try device.notify([11], of: "FF01")
      try device.notify([21], of: "FF03")
      try device.notify([50], of: "FF05")
      try await world.run(for: .seconds(1))
      #expect(values.dropFirst(2) == ["FF01 11", "FF03 21", "FF05 50"])
      manager.connect(band) { outcomes.append($0) }
      #expect(outcomes == [.connected, .alreadyConnected])

      manager.disconnect(band)
      try await world.run(for: .seconds(1))
      manager.connect(band) { outcomes.append($0) }
      world.radioPower(false)
      try await world.run(for: .seconds(1))
      guard case .failed(let reason) = try #require(outcomes.last) else {
        Issue.record("\(outcomes)")
        return
      }
      #expect(!reason.isEmpty)
      #expect(manager.connected.isEmpty)
    }
  }

  @Test("HM-04: the characteristic to send to is picked by its UUID, and data goes there without response")
  func sending() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(Self.band)
      let manager = makeManager(world)
      #expect(!manager.send(Data([1])))
      manager.beginScan()
      try await world.run(for: .seconds(3))
      manager.connect(try #require(manager.found.first)) { _ in }
      try await world.run(for: .seconds(5))
      #expect(manager.target?.uuid == CBUUID(string: "FF02"))
      for number: UInt8 in 1...3 { #expect(manager.send(Data([number]))) }
      try await world.run(for: .seconds(1))
      #expect(device.written(to: "FF02") == [[1], [2], [3]])
    }
  }

  @Test("HM-05: that a device is gone is posted for all of the app, and it leaves the list")
  func disconnecting() async throws {
    try await World.simulated(seed: 1) { world in
      let device = world.add(Self.band)
      let manager = makeManager(world)
      manager.beginScan()
      try await world.run(for: .seconds(3))
      let band = try #require(manager.found.first)
      manager.connect(band) { _ in }
      try await world.run(for: .seconds(5))
      let gone = Mutex<[ObjectIdentifier]>([])
      let observer = NotificationCenter.default.addObserver(
        forName: WristbandManager.didDisconnect,
        object: band,
        queue: nil
      ) { notification in
        if let object = notification.object as AnyObject? { gone.withLock { $0.append(ObjectIdentifier(object)) } }
      }
      device.disconnect()
      try await world.run(for: .seconds(1))
      #expect(gone.withLock { $0 } == [ObjectIdentifier(band)])
      #expect(manager.connected.isEmpty)
      #expect(manager.current == nil)
      #expect(manager.target == nil)
      NotificationCenter.default.removeObserver(observer)
    }
  }
}
