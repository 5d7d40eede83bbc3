import BluetoothTypes
import Foundation
import Halcyon
import RadioPort
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

/// Faults of every kind, at random and in combination, while programs in both roles do everything at once, with short
/// patience: every call ends in time and in a way that it may end, and when all is repaired everything works.
@Suite("Everything goes wrong at once", .reportsWorlds(packets: 40))
struct ChaosTests {
  static var seeds: Range<UInt64> {
    ProcessInfo.processInfo.environment["HALCYON_THOROUGH"] != nil ? 0..<40 : 0..<2
  }

  @Test("Devices, links and adapters fail in every way", arguments: seeds)
  func faults(seed: UInt64) async throws { try await Chaos.run(seed: seed, withGarbage: false) }

  @Test("And the controllers say what makes no sense", arguments: seeds)
  func garbage(seed: UInt64) async throws { try await Chaos.run(seed: seed, withGarbage: true) }
}

private final class Chaos: Sendable {
  private struct State {
    var random: Dice
    var longest: (what: String, time: Duration) = ("", .zero)
    var ends: [String: Int] = [:]
    var current: [Int: String] = [:]
  }

  private let world: World
  private let devices: [CountingDevice]
  private let serverRadio: any Radio
  private let state: Mutex<State>

  private init(_ world: World, _ devices: [CountingDevice], _ serverRadio: any Radio, _ seed: UInt64) {
    (self.world, self.devices, self.serverRadio) = (world, devices, serverRadio)
    state = Mutex(State(random: Dice(seed: seed)))
  }

  static func run(seed: UInt64, withGarbage: Bool) async throws {
    try await World.simulated(seed: seed) { world in
      let devices = (0..<3).map { world.add(.counting(name: "Counter \($0)", every: .milliseconds(90))) }
      let serverRadio = world.makeRadio(name: "server")
      let chaos = Chaos(world, devices, serverRadio, seed)
      do {
        let central = Central(radio: world.radio)
        let server = PeripheralServer(advertising: .init(name: "Served"), radio: serverRadio) {
          Service(.notes) {
            Readable(.note, value: [1])
            Notifying(.feed)
            Indicating(.number)
            Writable(.other) { _ in try await world.clock.sleep(for: .milliseconds(30)) }
          }
        }
        try await central.ready()
        let end = world.now.advanced(by: .seconds(25))
        let workers = (0..<6).map { number in Task { await chaos.work(number, central, until: end) } }
        let serving = Task { await chaos.serve(server, until: end) }
        let harm = Task { await chaos.harm(until: end, withGarbage) }
        let bound = Task {
          try await world.clock.sleep(for: .seconds(200))
          Issue.record("stuck in \(chaos.state.withLock { $0.current })")
          for worker in workers { worker.cancel() }
          serving.cancel()
        }
        await harm.value
        for worker in workers { await worker.value }
        await serving.value
        bound.cancel()
        let longest = chaos.state.withLock { $0.longest }
        #expect(longest.time < .seconds(35), "\(longest)")
        if ProcessInfo.processInfo.environment["HALCYON_THOROUGH"] != nil {
          print(seed, world.now, longest, chaos.state.withLock { $0.ends }.sorted { $0.key < $1.key })
        }
        await server.stop()
      }
      chaos.repair()
      if withGarbage {
        // What the hosts were told of their controllers was not true.
        for radio in [world.radio, serverRadio] {
          world.radioPower(false, of: radio)
          try await world.run(for: .seconds(1))
          world.radioPower(true, of: radio)
        }
      }
      try await world.run(for: .seconds(20))
      for radio in [world.radio, serverRadio] {
        #expect(world.activity(of: radio) == ControllerActivity.none)
      }
      for device in devices {
        #expect(!device.isConnected && device.isPoweredOn, "\(device.name)")
        device.moveOutOfRange()
      }
      for device in devices {
        device.moveIntoRange()
        let next = SweptScenario()
        await next.run(world, device.id)
        #expect(next.isWhole, "with \(device.name): \(String(describing: next.failure))")
        device.moveOutOfRange()
      }
      let visitor = Task { await Visitor(world: world).run() }
      let served = ServedScenario()
      let bound = Task {
        try await world.clock.sleep(for: .seconds(60))
        Issue.record("stuck in \(served.step)")
      }
      await served.run(world, serverRadio)
      bound.cancel()
      #expect(served.isWhole, "\(String(describing: served.failure))")
      visitor.cancel()
      await visitor.value
    }
  }

  // MARK: Programs

  private func roll(_ sides: Int) -> Int { state.withLock { $0.random.roll(sides) } }
  private func bytes(_ most: Int) -> [UInt8] { (0..<roll(most)).map { _ in UInt8(roll(256)) } }

  private func work(_ number: Int, _ central: Central, until end: RadioInstant) async {
    while world.now < end {
      let device = devices[roll(devices.count)]
      let limit = Duration.milliseconds(roll(6000))
      await call(number, "connect", atMost: roll(3) == 0 ? limit : nil) {
        let peripheral =
          self.roll(2) == 0
          ? try await central.connect(to: device.id, timeout: .seconds(8))
          : try await central.scan(for: ["FFF0", .notes], timeout: .seconds(8)).connect(timeout: .seconds(8))
        for _ in 0..<self.roll(12) { await self.use(number, peripheral) }
        if self.roll(2) == 0 { await peripheral.disconnect() }
      }
      try? await world.clock.sleep(for: .milliseconds(1 + roll(300)))
    }
  }

  private func use(_ number: Int, _ peripheral: Peripheral) async {
    let limit: Duration? = roll(3) == 0 ? .milliseconds(roll(400)) : nil
    switch roll(9) {
    case 0: await call(number, "discover", atMost: limit) { _ = try await peripheral.services() }
    case 1: await call(number, "read", atMost: limit) { _ = try await peripheral.read(.long) }
    case 2:
      await call(number, "write", atMost: limit) {
        try await peripheral.write(self.bytes(500) + [1], to: .bulk, timeout: .seconds(5))
      }
    case 3:
      await call(number, "commands", atMost: limit) {
        for _ in 0..<self.roll(40) { try await peripheral.write(self.bytes(15), to: .log) }
      }
    case 4:
      await call(number, "values", atMost: limit ?? .seconds(10)) {
        var last: UInt32 = 0
        for try await value in peripheral.values(of: .count, onReconnect: self.roll(2) == 0 ? .end : .resubscribe) {
          #expect(value > last || last > 0xFFFF)
          last = value
          if self.roll(9) == 0 { break }
        }
      }
    case 5: await call(number, "rssi", atMost: limit) { try await peripheral.readRSSI() }
    case 6:
      await call(number, "channel", atMost: limit) {
        let channel = try await peripheral.openChannel(psm: CountingDevice.psm, timeout: .seconds(5))
        for _ in 0..<self.roll(5) {
          try await channel.send(self.bytes(500) + [1], timeout: .seconds(4))
          if self.roll(3) > 0 {
            let task = Task { try await channel.receive() }
            let stop = Task {
              try await self.world.clock.sleep(for: .seconds(4))
              task.cancel()
            }
            defer { stop.cancel() }
            // Nobody has to answer.
            if case .failure(let error) = await task.result, !(error is CancellationError) { throw error }
          }
        }
        if self.roll(2) == 0 { try await channel.close(timeout: .seconds(4)) }
      }
    case 7: await call(number, "note", atMost: limit) { _ = try await peripheral.read(.note) }
    default:
      await call(number, "other", atMost: limit) { try await peripheral.write(self.bytes(400) + [1], to: .other) }
    }
  }

  private func serve(_ server: PeripheralServer, until end: RadioInstant) async {
    while world.now < end {
      let limit: Duration? = roll(3) == 0 ? .milliseconds(roll(800)) : nil
      switch roll(8) {
      case 0: await call(100, "start", atMost: limit) { try await server.start(timeout: .seconds(5)) }
      case 1: await call(100, "stop", atMost: nil) { await server.stop() }
      case 2:
        await call(100, "advertise", atMost: limit) {
          try await server.advertise(.init(name: "Served \(self.roll(10))"), timeout: .seconds(5))
        }
      case 3:
        await call(100, "publish", atMost: limit) {
          let psm = try await server.publishChannel { channel in
            for try await message in channel { try await channel.send(message) }
          }
          try await self.world.clock.sleep(for: .milliseconds(self.roll(900)))
          await server.unpublishChannel(psm)
        }
      case 4:
        await call(100, "kick", atMost: limit) {
          if let central = server.connectedCentrals.first { try await server.disconnect(central) }
        }
      case 5: await call(100, "indicate", atMost: limit) { try await server.send(5, on: .number, timeout: .seconds(5)) }
      default: await call(100, "send", atMost: limit) { try await server.send([5], on: .feed, timeout: .seconds(5)) }
      }
      try? await world.clock.sleep(for: .milliseconds(1 + roll(300)))
    }
  }

  /// Makes a call, cancels it after a while, and takes down how it ends.
  private func call(
    _ number: Int,
    _ what: String,
    atMost limit: Duration?,
    _ body: @escaping @Sendable () async throws -> Void
  ) async {
    let start = world.now
    state.withLock { $0.current[number] = what }
    let task = Task { try await body() }
    var cancelled: RadioInstant?
    let cancelling = Task {
      guard let limit else { return nil as RadioInstant? }
      try await world.clock.sleep(for: limit)
      task.cancel()
      return world.now
    }
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    cancelling.cancel()
    cancelled = (try? await cancelling.value) ?? nil
    let time = start.duration(to: world.now)
    var end = "well"
    if case .failure(let error) = result {
      switch error {
      case is CancellationError:
        end = "cancelled"
        #expect(cancelled != nil || Task.isCancelled, "\(what) was cancelled by nobody")
      case let error as BluetoothError:
        end = "\(error.kind)"
        #expect(!error.message.isEmpty)
      case is ByteError: end = "unreadable"
      default: Issue.record("\(what): \(error)")
      }
    }
    state.withLock {
      $0.ends["\(what) \(end)", default: 0] += 1
      // Of what was to do several things, each has its own limit.
      if time > $0.longest.time, what != "connect", what != "commands", what != "channel" { $0.longest = (what, time) }
    }
  }

  // MARK: Harm

  private func harm(until end: RadioInstant, _ withGarbage: Bool) async {
    while world.now < end {
      try? await world.clock.sleep(for: .milliseconds(20 + roll(700)))
      let device = devices[roll(devices.count)]
      let while_ = Duration.milliseconds(100 + roll(5000))
      let radio = roll(2) == 0 ? world.radio : serverRadio
      let faults = roll(4) == 0 ? world.faults(of: radio) : device.faults
      switch roll(withGarbage ? 27 : 24) {
      case 0: device.disconnect()
      case 1:
        device.powerOff()
        world.clock.executor.schedule(at: world.now.advanced(by: while_)) { device.powerOn() }
      case 2: device.moveOutOfRange(for: while_)
      case 3: faults?.add(.dropLink())
      case 4: faults?.add(.dropLink(reason: .remoteUserTerminatedConnection, at: .packet(1 + roll(30))))
      case 5: faults?.add(.losePackets(Double(roll(11)) / 10, for: while_))
      case 6: faults?.add(.delayPackets(by: .milliseconds(roll(900)), for: while_))
      case 7: faults?.add(.powerOff(for: while_))
      case 8: faults?.add(.stopAdvertising(for: while_))
      case 9:
        if let address = [nil, device.address][roll(2)] { device.faults.add(.changeAddress(to: address)) }
      case 10: device.faults.add(.refuse(.all, with: .insufficientResources, times: roll(5)))
      case 11: device.faults.add(.delay(.all, by: .milliseconds(roll(3000)), times: roll(5)))
      case 12: device.faults.add(.garbage(.all, bytes(30), times: 1))
      case 13: device.faults.add(.ignore(.all, times: 1))
      case 14: device.faults.add(.notifyBeforeReply([0xFF, 0xFF, 0xFF, 0xFF], times: 1))
      case 15: device.faults.add(.refuseChannel(times: roll(3)))
      case 16: device.faults.add(.ignoreChannel(times: 1))
      case 17: device.faults.add(.closeChannels())
      case 18: device.faults.add(.stallChannels(for: while_))
      case 19:
        let radio = radio
        world.radioPower(false, of: radio)
        world.clock.executor.schedule(at: world.now.advanced(by: roll(2) == 0 ? .zero : while_)) { [world] in
          world.radioPower(true, of: radio)
        }
      case 20: device.sendRaw(bytes(40))
      case 21: device.requestConnectionParameters(interval: .milliseconds(8)...(.milliseconds(8 + roll(200))))
      case 22: device.requestMTU()
      case 23: device.disconnect()
      default: for _ in 0..<5 { inject(to: radio) }
      }
    }
  }

  /// A packet of those that have passed, with a few bytes changed or cut off, or all at random.
  private func inject(to radio: any Radio) {
    let packets = world.trace.entries.filter { $0.direction == .toHost }
    guard !packets.isEmpty else { return }
    var bytes = packets[roll(packets.count)].packet.bytes
    for _ in 0..<roll(4) where bytes.count > 1 { bytes[1 + roll(bytes.count - 1)] = UInt8(roll(256)) }
    if roll(4) == 0, bytes.count > 4 { bytes.removeLast(1 + roll(bytes.count - 4)) }
    if roll(8) == 0 { bytes = [bytes[0]] + self.bytes(40) }
    if let packet = HCIPacket(bytes) { world.inject(packet, to: radio) }
  }

  private func repair() {
    for device in devices {
      device.faults.removeAll()
      device.onRequest(nil)
      device.moveIntoRange()
      device.powerOn()
    }
    for radio in [world.radio, serverRadio] {
      world.faults(of: radio)?.removeAll()
      world.radioPower(true, of: radio)
    }
  }
}

/// Numbers that look random and are the same with each seed.
private struct Dice: Sendable {
  private var state: UInt64
  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }
  mutating func roll(_ sides: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, sides)))
  }
}
