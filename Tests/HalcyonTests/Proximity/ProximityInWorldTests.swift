import BluetoothTypes
import Halcyon
import RadioPort
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

/// A scooter that takes commands, can tell how far away its key is, and stands one metre away at first.
private final class Garage: Sendable {
  static let model = PathLoss(powerAtOneMeter: -50)
  static let arm: UInt8 = 1
  static let disarm: UInt8 = 0

  let world: World
  let scooter: VirtualDevice
  let central: Central
  private let commands: Commands

  /// What was written, and when.
  final class Commands: Sendable {
    let all = Mutex<[(value: UInt8, time: RadioInstant)]>([])
  }

  init(world: World, scooter: VirtualDevice, commands: Commands) {
    self.world = world
    self.scooter = scooter
    self.commands = commands
    central = Central(radio: world.radio)
  }

  var written: [UInt8] { commands.all.withLock { $0.map(\.value) } }
  var lastWritten: RadioInstant? { commands.all.withLock { $0.last?.time } }

  func connected() async throws -> Peripheral { try await central.connect(to: PeerID(scooter.address)) }

  static func run(
    seed: UInt64 = 1,
    tells distance: (@Sendable (RadioInstant) -> Double)? = nil,
    _ body: @escaping @Sendable (Garage) async throws -> Void
  ) async throws {
    try await World.simulated(seed: seed) { world in
      // Another strength for each packet, by 4 dB.
      world.setPropagation(
        Propagation(
          range: 60,
          strengthAtOneMetre: model.powerAtOneMeter,
          exponent: model.exponent,
          shadowing: 0,
          fading: 4,
          sensitivity: -110
        )
      )
      let commands = Commands()
      let lock = VirtualDevice.Characteristic(
        "FFA1",
        .write,
        onWrite: { value, device in
          commands.all.withLock { $0.append((value.first ?? 0xFF, device.world.now)) }
        }
      )
      let key = VirtualDevice.Characteristic("FFA2", .notify, every: .milliseconds(200)) { device in
        distance.map { UInt16($0(device.world.now) * 100).bytes }
      }
      let scooter = world.add(
        .custom(name: "Scooter") { description in
          description.services = [VirtualDevice.Service("FFA0", characteristics: [lock, key])]
        }
      )
      let garage = Garage(world: world, scooter: scooter, commands: commands)
      try await garage.central.ready()
      try await body(garage)
    }
  }

  /// Runs a lock while `body` goes on, and expects that it ends by cancellation.
  func lock(
    _ lock: ProximityLock,
    sourceLocation: SourceLocation = #_sourceLocation,
    while body: () async throws -> Void
  ) async throws {
    let running = Task { try await lock.run() }
    try await world.settle()
    try await body()
    running.cancel()
    let result = await running.result
    #expect(throws: CancellationError.self, sourceLocation: sourceLocation) { try result.get() }
    #expect(lock.last == nil, sourceLocation: sourceLocation)
  }
}

extension Characteristic where Value == UInt8 {
  fileprivate static var lock: Self { .init("FFA1", in: "FFA0") }
}

extension Characteristic where Value == UInt16 {
  fileprivate static var keyDistance: Self { .init("FFA2", in: "FFA0") }
}

@Suite("A lock that follows its user", .reportsWorlds)
struct ProximityInWorldTests {
  private static let configuration = ProximityConfiguration(pathLoss: Garage.model)

  @Test("OK-20: whoever comes near disarms, whoever goes away arms, and in between nothing happens", arguments: [1, 2])
  func walk(seed: UInt64) async throws {
    try await Garage.run(seed: seed) { garage in
      let peripheral = try await garage.connected()
      let lock = ProximityLock(
        peripheral,
        by: .signal(Self.configuration),
        arm: Garage.arm,
        disarm: Garage.disarm,
        to: .lock
      )
      try await garage.lock(lock) {
        try await garage.world.run(for: .seconds(5))
        #expect(garage.written == [Garage.disarm])
        #expect(lock.last == .disarm)
        garage.scooter.move(along: Movement([.walk(to: RadioPosition(x: 3.5), speed: 1.4)]))
        try await garage.world.run(for: .seconds(60))
        #expect(garage.written == [Garage.disarm])
        // 2.75 m to where the crossing is clear.
        let start = garage.world.now
        garage.scooter.move(along: Movement([.walk(to: RadioPosition(x: 10), speed: 1.4)]))
        try await garage.world.run(for: .seconds(10))
        #expect(garage.written == [Garage.disarm, Garage.arm])
        #expect(lock.last == .arm)
        #expect(garage.lastWritten.map { start.duration(to: $0) < .seconds(2 + 3) } == true)
        garage.scooter.move(along: Movement([.walk(to: RadioPosition(x: 3.5), speed: 1.4)]))
        try await garage.world.run(for: .seconds(60))
        #expect(garage.written == [Garage.disarm, Garage.arm])
        garage.scooter.move(along: Movement([.walk(to: RadioPosition(x: 1), speed: 1.4)]))
        try await garage.world.run(for: .seconds(5))
        #expect(garage.written == [Garage.disarm, Garage.arm, Garage.disarm])
      }
    }
  }

  @Test("OK-20: the guard holds a command back for as long as it says so")
  func guarded() async throws {
    try await Garage.run { garage in
      let peripheral = try await garage.connected()
      let isRiding = Mutex(true)
      let asked = Tally()
      let lock = ProximityLock(
        peripheral,
        by: .signal(Self.configuration),
        arm: Garage.arm,
        disarm: Garage.disarm,
        to: .lock,
        if: { command in
          if command == .arm { asked.add() }
          return command == .disarm || !isRiding.withLock { $0 }
        }
      )
      let events = Received<ProximityLock.Command>()
      let listening = Task {
        for await event in lock.events { if case .refused(let command) = event { await events.add(command) } }
      }
      try await garage.lock(lock) {
        garage.scooter.move(to: 10)
        try await garage.world.run(for: .milliseconds(10_500))
        #expect(garage.written.isEmpty)
        // Once a second.
        #expect(7...11 ~= asked.count)
        #expect(await events.all.count == asked.count)
        isRiding.withLock { $0 = false }
        try await garage.world.run(for: .seconds(2))
        #expect(garage.written == [Garage.arm])
      }
      listening.cancel()
    }
  }

  @Test("OK-20: the distance may come from the device by notification")
  func toldDistance() async throws {
    // Near for 10 s, then away, and back after 30 s.
    let distance: @Sendable (RadioInstant) -> Double = { time in
      10...30 ~= time.sinceStart / .seconds(1) ? 7.5 : 1.2
    }
    try await Garage.run(tells: distance) { garage in
      let peripheral = try await garage.connected()
      let mode = ProximityLock.Mode.distance(from: .keyDistance, Self.configuration) { Double($0) / 100 }
      let lock = ProximityLock(peripheral, by: mode, arm: Garage.arm, disarm: Garage.disarm, to: .lock)
      try await garage.lock(lock) {
        try await garage.world.run(for: .seconds(40))
        #expect(garage.written == [Garage.disarm, Garage.arm, Garage.disarm])
      }
    }
  }

  @Test("OK-20: in the link-follow mode a connection disarms and its end arms")
  func link() async throws {
    try await Garage.run { garage in
      let peripheral = try await garage.connected()
      let done = Received<ProximityLock.Command>()
      let lock = ProximityLock(peripheral, by: .link, arm: Garage.arm, disarm: Garage.disarm, to: .lock)
      let listening = Task {
        for await event in lock.events { if case .done(let command) = event { await done.add(command) } }
      }
      try await garage.lock(lock) {
        try await garage.world.run(for: .seconds(2))
        #expect(garage.written == [Garage.disarm])
        garage.scooter.disconnect()
        try await garage.world.run(for: .seconds(2))
        #expect(lock.last == .arm)
        _ = try await garage.connected()
        try await garage.world.run(for: .seconds(2))
        #expect(garage.written == [Garage.disarm, Garage.disarm])
        #expect(await done.all == [.disarm, .arm, .disarm])
      }
      listening.cancel()
    }
  }

  @Test("OK-20: a lock outlives its connection, arms only while connected, and sends again on the next one")
  func lostConnection() async throws {
    try await Garage.run { garage in
      let peripheral = try await garage.connected()
      let lock = ProximityLock(
        peripheral,
        by: .signal(Self.configuration),
        arm: Garage.arm,
        disarm: Garage.disarm,
        to: .lock
      )
      try await garage.lock(lock) {
        try await garage.world.run(for: .seconds(5))
        #expect(lock.last == .disarm)
        garage.scooter.moveOutOfRange()
        try await garage.world.run(for: .seconds(60))
        #expect(peripheral.state.isDisconnected)
        #expect(lock.last == nil)
        #expect(garage.written == [Garage.disarm])
        garage.scooter.moveIntoRange()
        _ = try await garage.connected()
        try await garage.world.run(for: .seconds(5))
        #expect(garage.written == [Garage.disarm, Garage.disarm])
      }
    }
  }

  @Test("OK-20: a characteristic that is not there ends the lock with the error")
  func missingCharacteristic() async throws {
    try await Garage.run { garage in
      let peripheral = try await garage.connected()
      let missing = Characteristic<UInt16>("FFA9", in: "FFA0")
      let mode = ProximityLock.Mode.distance(from: missing, Self.configuration) { Double($0) }
      let lock = ProximityLock(peripheral, by: mode) { _, _ in }
      await expectError(.characteristicNotFound) { try await lock.run() }
    }
  }

  @Test("OK-20, F02: readings of the signal come at their interval, and end with the connection's error")
  func readings() async throws {
    try await Garage.run { garage in
      let peripheral = try await garage.connected()
      let start = garage.world.now
      var readings: [ProximityReading] = []
      for try await reading in peripheral.proximity(Self.configuration) {
        readings.append(reading)
        if readings.count == 50 { break }
      }
      #expect(4.8...5.2 ~= start.duration(to: garage.world.now) / .seconds(1))
      #expect(readings.count { $0.hasChanged } == 1)
      #expect(readings.last?.proximity == .near)
      #expect(readings.last?.distance.map { 0.6...1.6 ~= $0 } == true)
      #expect(readings.allSatisfy { $0.rssi != nil })

      let reading = Task { for try await _ in peripheral.proximity(Self.configuration) {} }
      try await garage.world.run(for: .seconds(1))
      await peripheral.disconnect()
      let result = await reading.result
      let error = await bluetoothError { try result.get() }
      #expect(error?.kind == .disconnected || error?.kind == .notConnected)
      await expectError(.notConnected) {
        for try await _ in peripheral.proximity(Self.configuration) {}
      }
    }
  }
}
