import Halcyon
import RadioPort
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Connections that come back by themselves", .reportsWorlds)
struct ReconnectTests {
  private static let failure = RadioFailure(.connectionFailed, reason: "failed to be established")

  /// Names of events, with the kind of the error.
  private static func word(_ event: ConnectionEvent) -> String {
    let name =
      switch event {
      case .connected: "connected"
      case .reconnected: "reconnected"
      case .ready: "ready"
      case .failed: "failed"
      case .disconnected: "disconnected"
      }
    return event.error.map { "\(name) \($0.kind)" } ?? name
  }

  private static func follow(_ central: Central) -> (Task<Void, Never>, Words) {
    let words = Words()
    let events = central.connectionEvents
    let task = Task {
      for await event in events { words.add(word(event)) }

    }
    return (task, words)
  }

  /// Words as they come.
  final class Words: Sendable {
    private let words = Mutex<[String]>([])
    var all: [String] { words.withLock { $0 } }
    func add(_ word: String) { words.withLock { $0.append(word) } }
  }

  @Test("LBT-10: events tell of connected, ready, auto-connected, failed with error, disconnected with or without")
  func events() async throws {
    try await Scene.run { scene in
      let (task, words) = Self.follow(scene.central)
      try await scene.settle()
      let peripheral = try await scene.central.connect(to: Scene.device, reconnect: .waiting)
      await scene.radio.set { $0.connectFailure = Self.failure }
      await scene.radio.loseLinks()
      await scene.radio.set { $0.connectFailure = nil }
      try await scene.world.run(for: .seconds(2))
      #expect(peripheral.state.isReady)
      await peripheral.disconnect()
      await scene.radio.set { $0.connectFailure = Self.failure }
      await expectError(.connectionFailed) { try await scene.central.connect(to: peripheral) }
      try await scene.settle()
      task.cancel()
      #expect(
        words.all == [
          "connected", "ready", "disconnected disconnected", "failed connectionFailed", "reconnected", "ready",
          "disconnected", "failed connectionFailed",
        ]
      )
    }
  }

  @Test("LBT-10: the state goes through connecting, settingUp, ready, reconnecting and disconnected, with the attempt")
  func states() async throws {
    try await Scene.run { scene in
      await scene.radio.set { $0.held = [.connect] }
      let connect = Task {
        try await scene.central.connect(to: Scene.device, reconnect: .backoff(jitter: 0, attempts: 2)) { peripheral in
          try await peripheral.write([1], to: .control)
        }
      }
      try await scene.settle()
      let peripheral = try #require(try await scene.peripheral())
      guard case .connecting = peripheral.state else {
        Issue.record("the state is \(peripheral.state)")
        return
      }
      await scene.radio.set { $0.held = [.request] }
      await scene.radio.letGo(.connect)
      try await scene.settle()
      guard case .settingUp = peripheral.state else {
        Issue.record("the state is \(peripheral.state)")
        return
      }
      await scene.radio.letGo(.request)
      _ = try await connect.value
      #expect(peripheral.state.isReady)
      await scene.radio.set { $0.connectFailure = Self.failure }
      await scene.radio.loseLinks()
      guard case .reconnecting(attempt: 1) = peripheral.state else {
        Issue.record("the state is \(peripheral.state)")
        return
      }
      #expect(peripheral.lastError?.kind == .disconnected)
      try await scene.world.run(for: .seconds(1.5))
      guard case .reconnecting(attempt: 2) = peripheral.state else {
        Issue.record("the state is \(peripheral.state)")
        return
      }
      try await scene.world.run(for: .seconds(3))
      #expect(peripheral.state.error?.kind == .connectionFailed)
      #expect(peripheral.state.isDisconnected)
    }
  }

  @Test("OK-18: after an unexpected disconnect a connect waits without limit, and completes when the device is near")
  func waiting() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.central.connect(to: stage.device.id, reconnect: .waiting)
      var values = peripheral.values(of: .count).makeAsyncIterator()
      #expect(try await values.next() != nil)
      stage.device.moveOutOfRange(for: .seconds(7200))
      for await state in peripheral.states where state.isReconnecting { break }
      for await state in peripheral.states where state.isReady { break }
      #expect(stage.world.now.sinceStart > .seconds(7200))
      // F18: the stream goes on by itself.
      #expect(try await values.next() != nil)
    }
  }

  @Test("OK-18, LBT-12: the app decides with the error in hand, and may refuse each reconnect")
  func decided() async throws {
    try await Scene.run { scene in
      let asked = Mutex<[String]>([])
      let isBound = Mutex(true)
      let peripheral = try await scene.central.connect(
        to: Scene.device,
        reconnect: .when { error, attempt in
          asked.withLock { $0.append("\(error.kind) \(attempt)") }
          return isBound.withLock { $0 } ? .wait : .giveUp
        }
      )
      await scene.radio.loseLinks()
      try await scene.settle()
      #expect(peripheral.state.isReady)
      let values = Task { for try await _ in peripheral.values(of: .measurement) {} }
      try await scene.settle()
      isBound.withLock { $0 = false }
      await scene.radio.loseLinks()
      #expect(peripheral.state.error?.kind == .disconnected)
      #expect(peripheral.state.error?.controllerStatus == HCIStatus(rawValue: 0x08))
      // Nothing will come any more, so nobody waits for it.
      let end = await bluetoothError { try await values.value }
      #expect(end?.kind == .disconnected)
      #expect(asked.withLock { $0 } == ["disconnected 1", "disconnected 1"])
      #expect(await scene.radio.count(.connect(Scene.device)) == 2)
    }
  }

  @Test("Backoff grows by its factor up to its cap, is spread by chance of the radio, and ends after its attempts")
  func backoff() async throws {
    func times(_ seed: UInt64, jitter: Double) async throws -> [Duration] {
      let times = Mutex<[Duration]>([])
      try await World.simulated(seed: seed) { world in
        let device = world.add(.counting(every: .seconds(1)))
        var timeouts = Central.Timeouts()
        timeouts.connect = .seconds(1)
        let quick = Central(.init(timeouts: timeouts), radio: world.radio)
        try await quick.ready()
        let peripheral = try await quick.connect(
          to: device.id,
          timeout: .seconds(10),
          reconnect: .backoff(initial: .seconds(2), factor: 3, cap: .seconds(10), jitter: jitter, attempts: 4)
        )
        device.moveOutOfRange(for: .seconds(3600))
        var lost: RadioInstant?
        for await event in quick.connectionEvents {
          if case .disconnected = event { lost = world.now }
          if case .failed = event, let lost { times.withLock { $0.append(lost.duration(to: world.now)) } }
          if peripheral.state.isDisconnected { break }
        }
        #expect(peripheral.state.error?.kind == .timedOut)
      }
      return times.withLock { $0 }
    }
    // Each attempt takes 1 s.
    #expect(try await times(1, jitter: 0) == [.seconds(3), .seconds(10), .seconds(21), .seconds(32)])
    let spread = try await times(2, jitter: 0.5)
    #expect(spread.count == 4)
    #expect(spread[0] > .seconds(2) && spread[0] < .seconds(3))
    #expect(try await times(2, jitter: 0.5) == spread)
    #expect(try await times(3, jitter: 0.5) != spread)
  }

  @Test("LBT-12: an explicit disconnect ends the reconnecting, in a pause, in an attempt and while Bluetooth is off")
  func disconnectEnds() async throws {
    try await Scene.run { scene in
      for step in 0..<3 {
        let peripheral = try await scene.central.connect(
          to: Scene.device,
          reconnect: step == 0 ? .backoff(initial: .seconds(60)) : .waiting
        )
        let values = Task { for try await _ in peripheral.values(of: .measurement) {} }
        try await scene.settle()
        await scene.radio.set { $0.held = [.connect] }
        if step == 2 { await scene.radio.setPower(.poweredOff) } else { await scene.radio.loseLinks() }
        #expect(peripheral.state.isReconnecting)
        await peripheral.disconnect()
        #expect(peripheral.state.isDisconnected)
        #expect(peripheral.state.error == nil)
        let end = await bluetoothError { try await values.value }
        #expect(end?.kind == .disconnected)
        await scene.radio.set { $0.held = [] }
        await scene.radio.setPower(.poweredOn)
        try await scene.world.run(for: .seconds(300))
        #expect(peripheral.state.isDisconnected)
        #expect(await scene.radio.openClaims == 0)
      }
    }
  }

  @Test("F09, F15: a connection that comes back waits while Bluetooth is off, without counting attempts")
  func powerLoss() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.central.connect(to: Scene.device, reconnect: .backoff(jitter: 0, attempts: 1))
      await scene.radio.setPower(.poweredOff)
      try await scene.world.run(for: .seconds(3600))
      guard case .reconnecting(attempt: 1) = peripheral.state else {
        Issue.record("the state is \(peripheral.state)")
        return
      }
      await scene.radio.setPower(.poweredOn)
      try await scene.settle()
      #expect(peripheral.state.isReady)
      await scene.radio.setPower(.unauthorized)
      #expect(peripheral.state.isDisconnected)
    }
  }

  @Test("A set-up that fails at each reconnect has a pause between the attempts, which grows")
  func failingSetUp() async throws {
    struct Refused: Error {}
    try await Scene.run { scene in
      let runs = Tally()
      let peripheral = try await scene.central.connect(to: Scene.device, reconnect: .waiting) { _ in
        if runs.add() > 1 { throw Refused() }
      }
      await scene.radio.loseLinks()
      try await scene.world.run(for: .seconds(64))
      // At 0, 1, 3, 7, 15, 31 and 61 s.
      #expect(runs.count == 8)
      #expect(peripheral.state.isReconnecting)
      #expect(peripheral.lastError?.kind == .setUpFailed)
      await peripheral.disconnect()
    }
  }

  @Test("A connect joins a connection that is coming back, ends its pause, and leaves it be when it gives up")
  func joining() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.central.connect(
        to: Scene.device,
        reconnect: .backoff(initial: .seconds(600), cap: .seconds(600), jitter: 0)
      )
      await scene.radio.loseLinks()
      try await scene.settle()
      #expect(peripheral.state.isReconnecting)
      try await scene.central.connect(to: peripheral)
      #expect(peripheral.state.isReady)
      await scene.radio.set { $0.held = [.connect] }
      await scene.radio.loseLinks()
      try await scene.world.run(for: .seconds(601))
      await expectError(.timedOut) { try await scene.central.connect(to: peripheral, timeout: .seconds(1)) }
      #expect(peripheral.state.isReconnecting)
      #expect(await scene.radio.openClaims == 1)
      await scene.radio.letGo(.connect)
      #expect(peripheral.state.isReady)
    }
  }

  @Test("OK-18, F44: reconnecting ends with the last reference to the peripheral")
  func lifetime() async throws {
    try await Scene.run { scene in
      for isPowered in [true, false] {
        var peripheral: Peripheral? = try await scene.central.connect(to: Scene.device, reconnect: .waiting)
        await scene.radio.set { $0.held = [.connect] }
        if isPowered { await scene.radio.loseLinks() } else { await scene.radio.setPower(.poweredOff) }
        #expect(peripheral?.state.isReconnecting == true)
        weak let gone = peripheral
        peripheral = nil
        #expect(gone == nil)
        #expect(await scene.radio.openClaims == 0)
        await scene.radio.set { $0.held = [] }
        await scene.radio.setPower(.poweredOn)
        try await scene.settle()
        #expect(await scene.radio.openClaims == 0)
      }
    }
  }

  @Test("OK-19: seven devices are connected at once, each with its own traffic, and are kept up")
  func seven() async throws {
    try await World.simulated(seed: 4) { world in
      let devices = (1...7).map { number in
        world.add(.counting(name: "Counter \(number)"))
      }
      let central = Central(.init(reconnect: .waiting), radio: world.radio)
      try await central.ready()
      let tally = ValueCounts()
      try await withThrowingTaskGroup { group in
        for device in devices {
          group.addTask {
            let peripheral = try await central.connect(to: device.id)
            for try await _ in peripheral.values(of: .count) {
              if tally.add(device.id) == 60 { break }
            }
          }
        }
        try await world.run(for: .seconds(10))
        for device in devices.prefix(3) { device.moveOutOfRange(for: .seconds(20)) }
        try await group.waitForAll()
      }
      #expect(tally.counts.withLock { $0.values.allSatisfy { $0 == 60 } && $0.count == 7 })
    }
  }
}

/// Counts the values of each device.
private final class ValueCounts: Sendable {
  let counts = Mutex<[PeerID: Int]>([:])

  func add(_ device: PeerID) -> Int {
    counts.withLock { counts in
      counts[device, default: 0] += 1
      return counts[device, default: 0]
    }
  }
}
