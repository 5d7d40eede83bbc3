import Halcyon
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("The guide: proximity", .reportsWorlds)
struct ProximityTests {
  @Test("OK-20, OK-23: how near a device is, from the strength of its signal")
  func readings() async throws {
    try await withScooter { device, scooter in
      var changes: [Proximity] = []
      // readme: begin
      let zones = ProximityConfiguration(pathLoss: PathLoss(powerAtOneMeter: -50), near: 2, far: 5)
      for try await reading in scooter.proximity(zones) where reading.hasChanged {
        print(reading.proximity, "at about", reading.distance?.rounded() ?? 0, "m")
        changes.append(reading.proximity)  // readme: leave out
        if changes.count == 2 { break }  // readme: leave out
        device.move(to: 10)  // readme: leave out
      }
      // readme: end
      #expect(changes == [.near, .far])
    }
  }

  @Test("OK-20, OK-23: a lock that opens as its user comes and closes as the user goes, but not during a ride")
  func lock() async throws {
    try await withScooter { device, scooter in
      let zones = ProximityConfiguration(pathLoss: PathLoss(powerAtOneMeter: -50))
      let ride = Ride()
      let log = Log()
      // readme: begin
      let lock = ProximityLock(scooter, by: .signal(zones), arm: LockCommand.arm, disarm: .disarm, to: .scooterLock) {
        command in command == .disarm || !ride.isOn
      }
      let locking = Task { try await lock.run() }  // until it is cancelled
      // readme: end
      let watching = Task {
        // readme: begin
        for await event in lock.events {
          switch event {
          case .done(let command): print("done:", command)
          case .refused(let command): print("not now:", command)
          case .failed(let command, let error): print("failed:", command, error)
          }
          await log.add(event)  // readme: leave out
        }
        // readme: end
      }
      let world = device.world
      try await world.run(for: .seconds(5))
      #expect(lock.last == .disarm)
      ride.isOn = true
      device.move(along: Movement([.walk(to: RadioPosition(x: 10), speed: 1.4)]))
      try await world.run(for: .seconds(20))
      #expect(lock.last == .disarm)
      #expect(await log.refused > 0)
      ride.isOn = false
      try await world.run(for: .seconds(2))
      #expect(device.written(to: "FFA1") == [[0], [1]])
      locking.cancel()
      watching.cancel()
    }
  }

  @Test("OK-20, OK-23: a device that measures the distance itself is believed")
  func toldDistance() async throws {
    try await withScooter { device, scooter in
      let zones = ProximityConfiguration(pathLoss: PathLoss(powerAtOneMeter: -50))
      // readme: begin
      let told = ProximityLock.Mode.distance(from: .keyDistance, zones) { Double($0) / 100 }  // it tells centimetres
      let lock = ProximityLock(scooter, by: told, arm: LockCommand.arm, disarm: .disarm, to: .scooterLock)
      // readme: end
      let locking = Task { try await lock.run() }
      try await device.world.run(for: .seconds(40))
      #expect(device.written(to: "FFA1") == [[0], [1], [0]])
      locking.cancel()
    }
  }

  @Test("OK-20, OK-23: a device that follows the connection is disarmed by it and arms without it")
  func link() async throws {
    try await withScooter { device, scooter in
      // readme: begin
      let lock = ProximityLock(scooter, by: .link, arm: LockCommand.arm, disarm: .disarm, to: .scooterLock)
      // readme: end
      let locking = Task { try await lock.run() }
      try await device.world.run(for: .seconds(2))
      #expect(lock.last == .disarm)
      device.disconnect()
      try await device.world.run(for: .milliseconds(200))
      #expect(lock.last == .arm)
      locking.cancel()
    }
  }
}

// readme: begin
enum LockCommand: UInt8, ByteReadable, ByteWritable {
  case disarm = 0
  case arm = 1
}

extension Characteristic where Value == LockCommand {
  static var scooterLock: Self { .init("FFA1", in: "FFA0") }
}
// readme: end

extension Characteristic where Value == UInt16 {
  static var keyDistance: Self { .init("FFA2", in: "FFA0") }
}

private final class Ride: Sendable {
  private let flag = Mutex(false)

  var isOn: Bool {
    get { flag.withLock { $0 } }
    set { flag.withLock { $0 = newValue } }
  }
}

private actor Log {
  private(set) var refused = 0

  func add(_ event: ProximityLock.Event) { if case .refused = event { refused += 1 } }
}

/// A scooter that stands one metre away and tells, in centimetres, that its key is near, away from second 10 on, and back
/// at second 30.
private func withScooter(
  _ body: @escaping @Sendable (VirtualDevice, Peripheral) async throws -> Void
) async throws {
  try await World.simulated(seed: 1) { world in
    // Another strength for each packet, by 4 dB.
    world.setPropagation(Propagation(exponent: 2, shadowing: 0, fading: 4, sensitivity: -110))
    let device = world.add(
      .custom(name: "Scooter") { scooter in
        scooter.services = [
          VirtualDevice.Service(
            "FFA0",
            characteristics: [
              VirtualDevice.Characteristic("FFA1", .write),
              VirtualDevice.Characteristic("FFA2", .notify, every: .milliseconds(200)) { device in
                UInt16(10...30 ~= device.world.now.sinceStart / .seconds(1) ? 750 : 120).bytes
              },
            ]
          )
        ]
      }
    )
    let central = Central(radio: world.radio)
    try await central.ready()
    try await body(device, try await central.scan(where: .named("Scooter")).connect())
  }
}
