import CoreBluetooth
import Testing
import VirtualRadio
import WalkthroughApp

@Suite("The walk-through, in a virtual world")
struct WalkthroughTests {
  @Test("TUT-01, TUT-03, TUT-04: both flows run against each other to their end")
  func bothFlows() async throws {
    try await World.simulated(seed: 1) { world in
      var server: [String] = []
      var client: [String] = []
      let peripheral = PeripheralWalk(
        named: "Notebook",
        options: [CBManagerOptionRadioKey: world.radio],
        repeater: WorldRepeater(world: world),
        now: { "\(world.now.sinceStart.components.seconds) s" },
        log: { server.append($0) }
      )
      let central = CentralWalk(
        lookingFor: "Notebook",
        greeting: "hello",
        valuesWanted: 3,
        options: [CBManagerOptionRadioKey: world.makeRadio()],
        log: { client.append($0) }
      )
      try await world.run(for: .seconds(60))
      #expect(central.isOver)

      #expect(
        Array(server.prefix(4)) == [
          "powered on, adding services", "service FFF0 is there", "service FFE0 is there", "advertising",
        ]
      )
      #expect(
        Array(client.prefix(5)) == [
          "powered on, scanning", "heard Notebook with FFF0, FFE0, connecting", "connected", "service FFF0",
          "service FFE0",
        ]
      )
      #expect(
        Set(server.dropFirst(4)) == [
          "FFF2 is now hello", "FFF1 has a subscriber", "FFF1 has lost a subscriber",
        ]
      )
      // The value before the write, the one after it, and that of the other characteristic with the same UUID.
      #expect(client.contains("FFF2 = empty"))
      #expect(client.contains("FFF2 was written"))
      #expect(client.contains("FFF2 = hello"))
      #expect(client.contains("FFF2 = from long ago"))
      #expect(client.contains("descriptor 2901: A note for all"))
      #expect(client.filter { $0.hasPrefix("FFF1 = ") && $0.hasSuffix(" s") }.count == 3)
      #expect(client.suffix(2) == ["FFF1 is not sent", "disconnected"])
      withExtendedLifetime(peripheral) {}
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
