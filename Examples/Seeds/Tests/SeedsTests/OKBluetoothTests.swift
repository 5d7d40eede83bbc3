import Halcyon
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

@testable import Seeds

@Suite("The guide of OKBluetooth", .reportsWorlds)
struct OKBluetoothTests {
  private func withScooter(
    _ body: @escaping @Sendable (Central, VirtualScooter, World) async throws -> Void
  ) async throws {
    try await World.simulated(seed: 1) { world in
      world.setPropagation(Propagation(exponent: 2, shadowing: 0, fading: 4, sensitivity: -110))
      let device = world.add(.scooter())
      let central = Central(radio: world.radio)
      try await central.ready()
      try await body(central, device, world)
    }
  }

  @Test("OK-02, OK-04: what is near is a list of what has a name; Bluetooth off and the end of the time are told apart")
  func scanning() async throws {
    try await withScooter { central, _, world in
      world.add(.custom(name: "") { $0.advertisedServices = ["FEE9"] })
      let names = try await OKBluetooth.listNearby(central: central)
      #expect(names == ["Scooter"])
      world.radioPower(false)
      try await world.settle()
      #expect(try await OKBluetooth.listNearby(central: central).isEmpty)
    }
  }

  @Test("OK-08, OK-09, OK-10: a button that connects and disconnects; services and characteristics")
  func connecting() async throws {
    try await withScooter { central, device, _ in
      let scooter = try await central.scan(where: .named("Scooter")).connect()
      let services = try await OKBluetooth.lookAround(scooter)
      #expect(services.map(\.uuid).contains("FEE9"))
      #expect(services.first { $0.uuid == "FEE9" }?.characteristics.count == 4)
      try await OKBluetooth.toggle(scooter, central: central)
      #expect(!device.isConnected)
      try await OKBluetooth.toggle(scooter, central: central)
      #expect(device.isConnected)
    }
  }

  @Test("OK-12, OK-13, OK-14: reads in turn, values, and a long write with progress")
  func values() async throws {
    try await withScooter { central, device, _ in
      let scooter = try await central.scan(where: .named("Scooter")).connect()
      let read = try await OKBluetooth.readAndSubscribe(scooter)
      #expect(read.version == "1.2.0")
      #expect(read.values.count == 3)
      let progress = try await OKBluetooth.write(to: scooter)
      #expect(progress?.isComplete == true)
      #expect(progress?.bytesTotal == 1000)
      _ = try await scooter.read(.version)
      #expect(device.commands.first == [1, 3])
      #expect(device.commands.dropFirst().joined().count == 1000)
    }
  }

  @Test("OK-18, OK-24: it comes back without a time limit, unless it was unbound meanwhile")
  func comingBack() async throws {
    try await withScooter { central, device, world in
      let isOwned = Mutex(true)
      let discovery = try await central.scan(where: .named("Scooter")).collect(1)[0]
      let scooter = try await OKBluetooth.connect(
        to: discovery,
        isOwned: { _ in isOwned.withLock { $0 } },
        central: central
      )
      device.moveOutOfRange(for: .seconds(3600))
      try await world.run(for: .seconds(3700))
      #expect(scooter.state.isReady)
      isOwned.withLock { $0 = false }
      device.moveOutOfRange(for: .seconds(60))
      try await world.run(for: .seconds(120))
      #expect(scooter.state.isDisconnected)
    }
  }

  @Test("OK-19: five devices at once, each with its own traffic")
  func several() async throws {
    try await withScooter { central, _, world in
      for number in 2...5 { world.add(.scooter(name: "Scooter \(number)")) }
      let heard = try await OKBluetooth.several(central: central, count: 5)
      #expect(heard.count == 5)
      #expect(heard.values.allSatisfy { $0 >= 3 })
    }
  }

  @Test("OK-20: disarmed near, armed far, by the signal")
  func proximity() async throws {
    try await withScooter { central, device, world in
      let scooter = try await central.scan(where: .named("Scooter")).connect()
      let done = try await OKBluetooth.followUser(scooter) {
        try await world.run(for: .seconds(5))
        device.move(along: Movement([.walk(to: RadioPosition(x: 10), speed: 1.4)]))
        try await world.run(for: .seconds(15))
        device.move(to: 1)
        try await world.run(for: .seconds(5))
      }
      #expect(done == [.disarm, .arm, .disarm])
      #expect(device.commands == [[0], [1], [0]])
    }
  }

  @Test("OK-20: not armed while it was started with one key")
  func guarded() async throws {
    try await withScooter { central, device, world in
      let scooter = try await central.scan(where: .named("Scooter")).connect()
      let isStarted = Mutex(true)
      let lock = OKBluetooth.lock(for: scooter) { isStarted.withLock { $0 } }
      let locking = Task { try await lock.run() }
      device.move(to: 10)
      try await world.run(for: .seconds(20))
      #expect(device.commands.isEmpty)
      isStarted.withLock { $0 = false }
      try await world.run(for: .seconds(2))
      #expect(device.commands == [[1]])
      locking.cancel()
    }
  }

  @Test("OK-20: by the distance that the scooter tells, and by the connection")
  func otherModes() async throws {
    try await withScooter { central, device, world in
      let scooter = try await central.scan(where: .named("Scooter")).connect()
      let byKey = OKBluetooth.lockByKey(for: scooter)
      var locking = Task { try await byKey.run() }
      try await world.run(for: .seconds(5))
      device.keyDistance = 8
      try await world.run(for: .seconds(5))
      #expect(device.commands == [[0], [1]])
      locking.cancel()

      let byLink = OKBluetooth.lockByLink(for: scooter)
      locking = Task { try await byLink.run() }
      try await world.run(for: .seconds(1))
      #expect(device.commands == [[0], [1], [0]])
      device.disconnect()
      try await world.run(for: .milliseconds(200))
      #expect(byLink.last == .arm)
      locking.cancel()
    }
  }

  @Test("OK-22: the screens of the example app, one after the other")
  func exampleApp() async throws {
    try await withScooter { central, device, world in
      world.add(.custom(name: "") { $0.advertisedServices = ["FEE9"] })
      let app = ExampleApp(central: central)
      #expect(app.startScreen == "  Bluetooth is on.")
      let refreshing = Task { await app.refresh() }
      try await world.run(for: .seconds(1))
      #expect(app.startScreen == "… Bluetooth is on.")
      await refreshing.value
      #expect(await app.message == "The scan has timed out.")
      let rows = await app.devices
      #expect(rows.count == 2)
      #expect(rows.map(app.row).contains { $0.hasPrefix("NONAME") && $0.hasSuffix("[connect]") })
      let scooter = try #require(rows.first { $0.name == "Scooter" })
      await app.press(scooter)
      #expect(app.row(scooter).hasSuffix("[disconnect]"))
      let service = try #require(try await app.services(of: scooter).first { $0.uuid == "FEE9" })
      let taps = try await service.characteristics.asyncMap { try await app.tap($0, of: scooter) }
      #expect(taps[0] == ["written"])
      #expect(taps[1].count == 4)
      #expect(taps[2] == ["read: \(Array("1.2.0".utf8))"])
      #expect(device.commands == [[1, 3]])
      await app.press(scooter)
      #expect(!device.isConnected)
      world.radioPower(false)
      try await world.settle()
      await app.refresh()
      #expect(await app.message?.contains("Bluetooth is off") == true)
    }
  }
}

extension Array {
  fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await body(element)) }
    return values
  }
}
