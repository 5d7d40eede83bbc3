import BluetoothTypes
import HostStack
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("A simulated world", .reportsWorlds)
struct WorldTests {
  @Test("the world's radio comes up by itself, and is one radio however often it is asked for")
  func radio() async throws {
    try await World.simulated(seed: 1) { world in
      let radio = world.radio
      #expect(radio === world.radio)
      try await world.run(for: .seconds(1))
      #expect(await radio.state.power == .poweredOn)
    }
  }

  @Test("F15: the adapter can be pulled out and put in again, and its users are told each time")
  func power() async throws {
    try await World.simulated(seed: 1) { world in
      let radio = world.radio
      let log = Log()
      try await world.run(for: .seconds(1))
      _ = await radio.observeState { log.note("\($0.power)") }
      world.radioPower(false)
      try await world.settle()
      #expect(await radio.state.power == .poweredOff)
      #expect(await radio.state.reason?.contains("switched off") == true)
      try await world.run(for: .seconds(60))
      world.radioPower(true)
      try await world.run(for: .seconds(1))
      #expect(await radio.state.power == .poweredOn)
      #expect(log.all.first == "poweredOff")
      #expect(log.all.last == "poweredOn")
      // Off and on without a pause between is off and on too.
      world.radioPower(false)
      world.radioPower(true)
      try await world.run(for: .seconds(1))
      #expect(log.all.filter { $0 == "poweredOff" }.count == 2)
      #expect(await radio.state.power == .poweredOn)
    }
  }

  @Test("a controller that was taken away closes the channel of its host, and refuses the next")
  func removal() async throws {
    try await World.simulated(seed: 1) { world in
      let log = Log()
      let channel = world.space.addController(.init(address: BluetoothAddress(7, .public)), name: "Lamp")
      channel.open(receive: { log.note("\($0.kind)") }, closed: { log.note($0.reason) })
      channel.send(Reset().packet)
      try await world.settle()
      world.space.removeController(channel.controller)
      channel.send(Reset().packet)
      try await world.settle()
      channel.open(receive: { log.note("\($0.kind)") }, closed: { log.note($0.reason) })
      try await world.settle()
      #expect(
        log.all == [
          "event", "The virtual controller of Lamp was taken away.", "This controller was taken out of the world.",
        ]
      )
    }
  }

  @Test("packets of an opening that was closed never reach the next, though it is opened in the same step")
  func reopening() async throws {
    try await World.simulated(seed: 1) { world in
      let log = Log()
      let channel = world.space.addController(.init(address: BluetoothAddress(7, .public)), name: "Lamp")
      channel.open(
        receive: { _ in
          log.note("first")
          channel.close()
          channel.open(receive: { log.note("second: \($0.bytes.dropFirst(4).prefix(2))") }, closed: { _ in })
        },
        closed: { _ in }
      )
      for _ in 0..<3 { channel.send(Reset().packet) }
      try await world.settle()
      #expect(log.all == ["first"])
      // The same before anything was carried.
      channel.send(Reset().packet)
      channel.close()
      channel.open(receive: { _ in log.note("third") }, closed: { _ in })
      try await world.settle()
      #expect(log.all == ["first"])
      channel.send(Reset().packet)
      try await world.settle()
      #expect(log.all == ["first", "third"])
    }
  }

  @Test("radios of one world hear each other, and each has an address of its own")
  func severalRadios() async throws {
    try await World.simulated(seed: 1) { world in
      let radios = [world.mainRadio, world.makeHostRadio(), world.makeHostRadio(name: "tablet")]
      try await world.run(for: .seconds(1))
      var addresses: Set<BluetoothAddress> = []
      for radio in radios {
        #expect(await radio.state.power == .poweredOn)
        addresses.insert(await radio.controllerInfo.address)
      }
      #expect(addresses.count == 3)
      world.radioPower(false, of: radios[2])
      try await world.settle()
      #expect(await radios[2].state.power == .poweredOff)
      #expect(await radios[0].state.power == .poweredOn)
      #expect(Set(world.trace.entries.map(\.controller)) == ["radio", "radio 2", "tablet"])
    }
  }

  @Test("when a world ends its radios go off, and who waits for them is told")
  func end() async throws {
    let log = Log()
    let radio = try await World.simulated(seed: 1) { world in
      let radio = world.radio
      try await world.run(for: .seconds(1))
      _ = await radio.observeState { log.note("\($0.power): \($0.reason ?? "")") }
      _ = await radio.startScan(ScanRequest(), sighting: { _ in }, ended: { log.note($0.kind.rawValue) })
      return radio
    }
    #expect(log.all.contains("poweredOff"))
    #expect(log.all.contains { $0.contains("The world has ended") })
    #expect(await radio.state.power == .unsupported)
  }

  @Test("nothing is left of a world when it is over")
  func lifetime() async throws {
    weak var weakWorld: World?
    weak var weakSpace: AirSpace?
    weak var weakRadio: HostRadio?
    let executor = try await {
      let held = try await World.simulated(seed: 1) { world in
        let radio = world.mainRadio
        try await world.run(for: .seconds(1))
        _ = await radio.startScan(ScanRequest(), sighting: { _ in _ = world.now }, ended: { _ in })
        Task { try await world.run(for: .seconds(3600)) }
        try await world.run(for: .seconds(10))
        return (world, world.space, world.mainRadio)
      }
      (weakWorld, weakSpace, weakRadio) = held
      return held.0.executor
    }()
    // A radio that goes closes its channel on the executor; let that be over.
    for _ in 0..<2 { await withCheckedContinuation { done in executor.submit { done.resume() } } }
    #expect(weakWorld == nil)
    #expect(weakRadio == nil)
    #expect(weakSpace == nil)
  }

  @Test("the same seed gives the same packets; the digest is of all, also of those that are not kept")
  func trace() async throws {
    func run(seed: UInt64, kept: Int) async throws -> PacketTrace {
      try await World.simulated(seed: seed, packetsKept: kept) { world in
        let radio = world.radio
        try await world.run(for: .seconds(1))
        _ = await radio.startScan(ScanRequest(), sighting: { _ in }, ended: { _ in })
        try await world.run(for: .seconds(30))
        return world.trace
      }
    }
    let whole = try await run(seed: 1, kept: 10_000)
    let short = try await run(seed: 1, kept: 3)
    let none = try await run(seed: 1, kept: 0)
    #expect(whole.packetCount > 10)
    #expect(whole.entries.count == whole.packetCount)
    #expect(short.entries == Array(whole.entries.suffix(3)))
    #expect(none.entries.isEmpty)
    #expect(Set([whole.digest, short.digest, none.digest]).count == 1)
    let text = whole.description
    #expect(text.contains("> Reset\n"))
    #expect(text.contains("< Command Complete Reset Success (0x00)\n"))
    #expect(text.contains("> LE Set Extended Scan Enable "))
    #expect(short.description.hasPrefix("… \(whole.packetCount - 3) earlier packets\n"))
  }

  @Test("chance is the seed's and the name's, whoever else draws")
  func randomness() async throws {
    func draw(seed: UInt64, _ name: String, others: Int) async throws -> [UInt64] {
      try await World.simulated(seed: seed) { world in
        var other = world.randomness(for: "other")
        for _ in 0..<others { _ = other.next() }
        var generator = world.randomness(for: name)
        return (0..<4).map { _ in generator.next() }
      }
    }
    let first = try await draw(seed: 1, "a", others: 0)
    #expect(try await draw(seed: 1, "a", others: 9) == first)
    #expect(try await draw(seed: 1, "b", others: 0) != first)
    #expect(try await draw(seed: 2, "a", others: 0) != first)
  }

  @Test("the current world is known to tasks and actors of its body, and to nobody else")
  func current() async throws {
    try await World.simulated(seed: 1) { world in
      #expect(World.current === world)
      await Task { #expect(World.current === world) }.value
    }
    #expect(World.current == nil)
  }
}
