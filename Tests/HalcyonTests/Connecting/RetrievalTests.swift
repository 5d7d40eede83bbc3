import BluetoothTypes
import CoreBluetooth
import CoreBluetoothRadio
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Devices that are known, and those of other centrals", .reportsWorlds)
struct RetrievalTests {
  /// The virtual radio as it is, and behind CoreBluetooth.
  private static func radios(_ world: World) -> [any Radio] {
    let radio = world.radio
    return [
      radio, CoreBluetoothRadio(executor: radio.executor, queue: nil, options: [CBManagerOptionRadioKey: radio]),
    ]
  }

  @Test("OK-16: known peripherals are retrieved by their identifiers and connected without a scan")
  func byIdentifier() async throws {
    try await World.simulated(seed: 16) { world in
      let device = world.add(.counting())
      for radio in Self.radios(world) {
        let central = Central(radio: radio)
        try await central.ready()
        let known = try await central.peripherals(withIDs: [PeerID(high: 1, low: 2), device.id])
        #expect(known.map(\.id) == [device.id])
        let peripheral = try #require(known.first)
        #expect(peripheral.state.isDisconnected)
        try await central.connect(to: peripheral)
        _ = try await peripheral.read(.setting)
        await peripheral.disconnect()
      }
    }
  }

  @Test("OK-16: peripherals that are connected to the system are retrieved by a service, whoever has connected them")
  func connected() async throws {
    try await World.simulated(seed: 17) { world in
      let counter = world.add(.counting())
      let band = world.add(.heartRateBand(name: "Pulse"))
      let other = Central(radio: world.radio)
      try await other.ready()
      #expect(try await other.connectedPeripherals().isEmpty)
      let held = [try await other.connect(to: counter.id), try await other.connect(to: PeerID(band.address))]

      let central = Central(radio: world.radio)
      try await central.ready()
      #expect(Set(try await central.connectedPeripherals().map(\.id)) == Set(held.map(\.id)))
      let found = try await central.connectedPeripherals(offering: ["FFF0"])
      #expect(found.map(\.id) == [counter.id])
      #expect(try await central.connectedPeripherals(offering: ["AAAA"]).isEmpty)
      let peripheral = try #require(found.first)
      #expect(peripheral.state.isDisconnected)
      // The link is there already, and stays for who had it.
      try await central.connect(to: peripheral)
      await peripheral.disconnect()
      #expect(held.allSatisfy { $0.state.isReady })
    }
  }

  @Test("OK-16: over CoreBluetooth, too, the connected peripherals are found by a service")
  func connectedOverCoreBluetooth() async throws {
    try await World.simulated(seed: 18) { world in
      let device = world.add(.counting())
      let radio = Self.radios(world)[1]
      let first = Central(radio: radio)
      try await first.ready()
      let held = try await first.connect(to: device.id)
      _ = try await held.services()
      let second = Central(radio: radio)
      try await second.ready()
      #expect(try await second.connectedPeripherals().map(\.id) == [device.id])
      #expect(try await second.connectedPeripherals(offering: ["FFF0"]).map(\.id) == [device.id])
      await held.disconnect()
    }
  }

  @Test("OK-24: connect options reach the radio, the three alerts among them, also for a connection that comes back")
  func options() async throws {
    try await Scene.run { scene in
      let options = LinkOptions(latency: 4, alerts: [.connection, .disconnection, .notification])
      let peripheral = try await scene.central.connect(to: Scene.device, options: options, reconnect: .waiting)
      await scene.radio.loseLinks()
      try await scene.settle()
      #expect(peripheral.state.isReady)
      #expect(await scene.radio.options == [options, options])
    }
  }

  @Test("OK-01, LBT-17: centrals share one radio, each with its own peripherals and connections")
  func several() async throws {
    try await World.simulated(seed: 19) { world in
      let device = world.add(.counting())
      let centrals = [Central(radio: world.radio), Central(radio: world.radio)]
      var peripherals: [Peripheral] = []
      for central in centrals {
        try await central.ready()
        peripherals.append(try await central.connect(to: device.id))
      }
      #expect(peripherals[0] !== peripherals[1])
      await peripherals[0].disconnect()
      #expect(peripherals[0].state.isDisconnected)
      #expect(peripherals[1].state.isReady)
      _ = try await peripherals[1].read(.setting)
    }
  }

  @Test("OK-09, HM-05: disconnect is awaited, and the changes of all peripherals come as one stream")
  func disconnects() async throws {
    try await World.simulated(seed: 20) { world in
      let devices = [world.add(.counting(name: "A")), world.add(.counting(name: "B"))]
      let central = Central(radio: world.radio)
      try await central.ready()
      var events = central.connectionEvents.makeAsyncIterator()
      var peripherals: [Peripheral] = []
      for device in devices { peripherals.append(try await central.connect(to: device.id)) }
      await peripherals[0].disconnect()
      #expect(peripherals[0].state.isDisconnected)
      devices[1].powerOff()
      for await state in peripherals[1].states where state.isDisconnected { break }
      var ends: [(PeerID, Bool)] = []
      while ends.count < 2, let event = await events.next() {
        if case .disconnected(let peripheral, let error) = event { ends.append((peripheral.id, error != nil)) }
      }
      #expect(ends.map(\.0) == devices.map(\.id))
      #expect(ends.map(\.1) == [false, true])
    }
  }

  @Test("OK-08: a connect has a time limit, 30 s by default, that cancels it; not connected is another error")
  func timeLimits() async throws {
    try await World.simulated(seed: 21) { world in
      let device = world.add(.counting())
      device.moveOutOfRange(for: .seconds(3600))
      let central = Central(radio: world.radio)
      try await central.ready()
      let start = world.now
      await expectError(.timedOut) { try await central.connect(to: device.id) }
      #expect(start.duration(to: world.now) == .seconds(30))
      try await world.run(for: .milliseconds(200))
      #expect(world.activity(of: world.radio) == ControllerActivity.none)
      let peripheral = try #require(try await central.peripherals(withIDs: [device.id]).first)
      await expectError(.notConnected) { try await peripheral.read(.setting) }
    }
  }

  @Test("LBT-01: a configuration has a default for everything, and each default is the documented one")
  func configuration() {
    let configuration = Central.Configuration()
    #expect(configuration.whenOff == .fail)
    #expect(configuration.whenNotConnected == .fail)
    #expect(configuration.language == .english)
    #expect(configuration.log == nil)
    let timeouts = configuration.timeouts
    let all = [
      timeouts.ready, timeouts.scan, timeouts.connect, timeouts.setUp, timeouts.discover, timeouts.read, timeouts.write,
      timeouts.subscribe, timeouts.openChannel,
    ]
    #expect(all.allSatisfy { $0 == .seconds(30) })
    #expect(timeouts.readRSSI == .seconds(10))
  }

  @Test("OK-25: a peripheral shows name, identifier, advertisement, strength, services, state and its last error")
  func facts() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.central.scan(for: ["FFF0"]).connect()
      #expect(peripheral.name == "Counter")
      #expect(peripheral.id == stage.device.id)
      #expect(peripheral.advertisement?.serviceUUIDs.contains("FFF0") == true)
      #expect(peripheral.rssi != nil)
      #expect(peripheral.state.isReady)
      #expect(peripheral.lastError == nil)
      _ = try await peripheral.services()
      #expect(!peripheral.services.isEmpty)
      stage.device.moveOutOfRange(for: .seconds(60))
      for await state in peripheral.states where state.isDisconnected { break }
      #expect(peripheral.lastError?.kind == .disconnected)
    }
  }
}
