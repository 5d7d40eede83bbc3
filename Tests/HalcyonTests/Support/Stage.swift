import Halcyon
import RadioPort
import Synchronization
import Testing
import VirtualRadio

/// A world with a radio, a device that counts, and an app's central.
struct Stage: Sendable {
  let world: World
  let device: CountingDevice
  let central: Central

  static func run(
    seed: UInt64 = 1,
    every interval: Duration = .seconds(1),
    configuration: Central.Configuration = .init(),
    _ describe: @escaping @Sendable (inout VirtualDevice.Description) -> Void = { _ in },
    body: @escaping @Sendable (Stage) async throws -> Void
  ) async throws {
    try await World.simulated(seed: seed) { world in
      let device = world.add(.counting(every: interval, describe))
      let central = Central(configuration, radio: world.radio)
      try await central.ready()
      try await body(Stage(world: world, device: device, central: central))
    }
  }

  var activity: ControllerActivity? { world.activity(of: world.radio) }

  func connected(_ id: PeerID? = nil) async throws -> Peripheral { try await central.connect(to: id ?? device.id) }

  /// Lets the consequences of an end come.
  func settle() async throws { try await world.run(for: .milliseconds(200)) }

  /// Expects that the radio does nothing any more.
  func expectQuiet(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await settle()
    let activity = activity
    #expect(activity == ControllerActivity.none, sourceLocation: sourceLocation)
  }
}

/// A flag that is set once, or a count, from any closure of a test.
final class Tally: Sendable {
  private let number = Mutex(0)
  var count: Int { number.withLock { $0 } }
  @discardableResult func add() -> Int {
    number.withLock { number in
      number += 1
      return number
    }
  }
}

/// Takes values down as they come.
actor Received<Value: Sendable> {
  private(set) var all: [Value] = []
  func add(_ value: Value) { all.append(value) }
}
