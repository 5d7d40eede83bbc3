import CoreBluetooth
import VirtualRadio
import WalkthroughApp

/// Lets the app's two parts meet: each is given a radio of its own in one virtual world.
@main struct Walkthrough {
  static func main() async throws {
    try await World.simulated(seed: 1) { world in
      let server = PeripheralWalk(
        named: "Notebook",
        options: [CBManagerOptionRadioKey: world.radio],
        repeater: WorldRepeater(world: world),
        now: { "\(world.now.sinceStart.components.seconds) s" },
        log: { print("peripheral:", $0) }
      )
      let client = CentralWalk(
        lookingFor: "Notebook",
        greeting: "hello",
        valuesWanted: 3,
        options: [CBManagerOptionRadioKey: world.makeRadio()],
        log: { print("central:   ", $0) }
      )
      while !client.isOver { try await world.run(for: .seconds(1)) }
      withExtendedLifetime(server) {}
    }
  }
}

/// Time as it passes in the world.
struct WorldRepeater: Repeater {
  let world: World

  func start(every seconds: TimeInterval, _ work: @escaping () -> Void) -> () -> Void {
    let work = Work(work: work)
    let task = Task { [world] in
      while !Task.isCancelled {
        try await world.run(for: .seconds(seconds))
        work.work()
      }
    }
    return { task.cancel() }
  }

  // @unchecked: it is called on the world's thread only, as all of the world is.
  private struct Work: @unchecked Sendable { let work: () -> Void }
}
