import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Peripheral server: from start to stop", .reportsWorlds)
struct ServerLifecycleTests {
  @Test("Stopping takes the server off the air and its services back; it can be started again")
  func stopping() async throws {
    try await Meeting.run { world in
      Service(.notes) {
        Readable(.note, value: [1])
        Notifying(.feed)
      }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      #expect(try await peripheral.read(.note) == [1])
      await meeting.server.stop()
      #expect(!meeting.server.state.isRunning)
      #expect(meeting.server.connectedCentrals.isEmpty)
      await expectError(.stopped) { try await meeting.server.send([1], on: .feed) }
      try await meeting.settle()
      #expect(try await meeting.found() == nil)
      await expectError(.notConnected) { _ = try await peripheral.read(.note) }
      try await meeting.server.start()
      try await meeting.server.start()
      let again = try await meeting.central.connect(to: try #require(try await meeting.found()))
      #expect(try await again.read(.note) == [1])
    }
  }

  @Test("Two servers share a radio; one that starts or stops while a central is connected is told to it")
  func twoServers() async throws {
    try await Meeting.run { world in
      Service(.notes) { Readable(.note, value: [1]) }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      _ = try await peripheral.services()
      // The central asks to be told of changes once it knows the services.
      try await meeting.settle()
      let second = PeripheralServer(advertising: .init(services: []), radio: meeting.serverRadio) {
        Service(.battery) { Readable(.batteryLevel) { BatteryLevel(80) } }
      }
      try await second.start()
      try await meeting.settle()
      #expect(second.connectedCentrals.count == 1)
      #expect(try await peripheral.read(.batteryLevel).percentage == 80)
      #expect(try await peripheral.read(.note) == [1])
      await second.stop()
      try await meeting.settle()
      await expectError(.serviceNotFound) { _ = try await peripheral.read(.batteryLevel) }
      #expect(try await peripheral.read(.note) == [1])
      #expect(meeting.server.state.isRunning)
    }
  }

  @Test("When Bluetooth goes off the server waits, and goes on when it is back")
  func power() async throws {
    try await Meeting.run { world in
      Service(.notes) { Readable(.note, value: [1]) }
    } _: { meeting in
      _ = try await meeting.connected()
      meeting.world.radioPower(false, of: meeting.serverRadio)
      try await meeting.settle()
      guard case .suspended(let error) = meeting.server.state else {
        Issue.record("the server is \(meeting.server.state)")
        return
      }
      #expect(error.kind == .poweredOff)
      #expect(meeting.server.connectedCentrals.isEmpty)
      meeting.world.radioPower(true, of: meeting.serverRadio)
      try await meeting.world.run(for: .seconds(5))
      #expect(meeting.server.state.isRunning)
      let again = try await meeting.central.connect(to: try #require(try await meeting.found()))
      #expect(try await again.read(.note) == [1])
    }
  }

  @Test("A server on a radio that is off does not start, and says why")
  func off() async throws {
    try await Meeting.run { world in
      Service(.notes) { Readable(.note, value: [1]) }
    } _: { meeting in
      try await meeting.settle()
      meeting.world.radioPower(false, of: meeting.serverRadio)
      try await meeting.settle()
      await expectError(.poweredOff) { try await meeting.server.start() }
      #expect(!meeting.server.state.isRunning)
    }
  }

  @Test("What does not fit into an advertisement is an error that names it, unless it may be shortened")
  func tooLong() async throws {
    let name = String(repeating: "n", count: 40)
    try await Meeting.run(advertising: .init(name: name)) { world in
      Service(.notes) { Readable(.note, value: [1]) }
    } _: { meeting in
      await expectError(.tooLong) { try await meeting.server.start() }
      try await meeting.settle()
      #expect(try await meeting.found() == nil)
    }
    try await Meeting.run(advertising: .init(name: name, overflow: .shorten)) { world in
      Service(.notes) { Readable(.note, value: [1]) }
    } _: { meeting in
      try await meeting.server.start()
      let discovery = try await meeting.central.scan(for: [.notes], timeout: .seconds(5)).first { $0.name != nil }
      #expect(discovery?.name == String(repeating: "n", count: 29))
    }
  }

  @Test("A server advertises while a central is connected, and something else when told")
  func advertising() async throws {
    try await Meeting.run { world in
      Service(.notes) { Readable(.note, value: [1]) }
    } _: { meeting in
      _ = try await meeting.connected()
      #expect(try await meeting.found()?.name == "Pulse")
      try await meeting.server.advertise(.init(name: "Other"))
      let other = Central(radio: meeting.world.makeRadio(name: "another phone"))
      try await other.ready()
      #expect(try await other.scan(timeout: .seconds(5)).first { $0.name != nil }?.name == "Other")
    }
  }

  @Test("A start that is cancelled leaves nothing behind")
  func interrupted() async throws {
    try await Meeting.run { world in
      Service(.notes) { Readable(.note, value: [1]) }
    } _: { meeting in
      let cancelled = Task { try await meeting.server.start() }
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      try await meeting.settle()
      #expect(try await meeting.found() == nil)
      try await meeting.server.start()
      #expect(try await meeting.found() != nil)
    }
  }

  @Test("A start that is stopped while it is under way ends, and leaves nothing behind")
  func stoppedStart() async throws {
    try await Meeting.run { world in
      Service(.notes) { Readable(.note, value: [1]) }
    } _: { meeting in
      let server = meeting.server
      var states = server.states.makeAsyncIterator()
      let start = Task { try await server.start() }
      while let state = await states.next() { if case .starting = state { break } }
      await expectError(.busy) { try await server.start() }
      await server.stop()
      await expectError(.stopped) { try await start.value }
      try await meeting.settle()
      #expect(try await meeting.found() == nil)
      try await server.start()
      #expect(try await meeting.found() != nil)
    }
  }

  @Test("Mistakes in the declaration are told at the start")
  func mistakes() async throws {
    try await World.simulated(seed: 1) { world in
      func start(@ServiceBuilder _ services: () -> [Service]) async throws {
        let server = PeripheralServer(radio: world.radio, services: services)
        try await server.start()
      }
      await expectError(.invalidArgument) {
        try await start { Service(.notes) { Readable(.bodySensorLocation, value: .chest) } }
      }
      await expectError(.invalidArgument) {
        try await start {
          Service(.notes) {
            Readable(.note, value: [1])
            Readable(.note, value: [2])
          }
        }
      }
      await expectError(.invalidArgument) {
        try await start {
          Service(.notes) {
            Readable(.note, value: [1])
            Writable(.note) { _ in }
          }
        }
      }
      await expectError(.invalidArgument) { try await start { Service(.notes) { Described(.note, "Nothing") } } }
      await expectError(.tooLong) {
        try await start { Service(.notes) { Readable(.note, value: Array(repeating: 0, count: 513)) } }
      }
    }
  }

  @Test("A server goes off the air with its last reference")
  func deinitialized() async throws {
    try await World.simulated(seed: 1) { world in
      let central = Central(radio: world.radio)
      try await central.ready()
      let radio = world.makeRadio(name: "server")
      do {
        let server = PeripheralServer(advertising: .init(name: "Short"), radio: radio) {
          Service(.notes) { Readable(.note, value: [1]) }
        }
        try await server.start()
        #expect(try await central.scan(duration: .seconds(1)).first { _ in true } != nil)
      }
      try await world.run(for: .seconds(1))
      #expect(try await central.scan(duration: .seconds(1)).first { _ in true } == nil)
    }
  }

  @Test("Centrals are told as they come and go, and a link is made to save power when asked")
  func centrals() async throws {
    try await Meeting.run { world in
      Service(.notes) { Readable(.note, value: [1]) }
    } _: { meeting in
      let seen = Shared()
      let watcher = Task { for await centrals in meeting.server.centrals { seen.add(UInt32(centrals.count)) } }
      try await meeting.settle()
      let peripheral = try await meeting.connected()
      try await meeting.settle()
      try await meeting.server.setLatency(.high, for: try meeting.onlyCentral())
      try await meeting.world.run(for: .seconds(2))
      let start = meeting.world.clock.now
      _ = try await peripheral.read(.note)
      #expect(start.duration(to: meeting.world.clock.now) > .milliseconds(100))
      await peripheral.disconnect()
      try await meeting.world.run(for: .seconds(3))
      #expect(seen.numbers == [0, 1, 0])
      watcher.cancel()
    }
  }
}
