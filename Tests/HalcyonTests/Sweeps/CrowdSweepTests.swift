import Foundation
import Halcyon
import RadioPort
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

/// A fault on one link, or in one task, while the same radio has other links in both roles: those are not to notice it.
@Suite("A fault at every moment, in a crowd", .reportsWorlds(packets: 25))
struct CrowdSweepTests {
  enum Harm: Sendable, CaseIterable {
    case cancel, disconnect, outOfRange, deviceOff
  }

  @Test("Who is not concerned loses nothing and waits for nobody", arguments: Harm.allCases)
  func everyPacket(_ harm: Harm) async throws {
    var moment = 1
    let stride = ProcessInfo.processInfo.environment["HALCYON_THOROUGH"] != nil ? 11 : 151
    while try await Self.once(harm, moment) { moment += stride }
    #expect(moment > 400)
  }

  private static func once(_ harm: Harm, _ moment: Int) async throws -> Bool {
    try await World.simulated(seed: 4) { world in
      let device = world.add(.counting(every: .milliseconds(50)))
      let other = world.add(.counting(name: "Other", every: .milliseconds(70)))
      let central = Central(radio: world.radio)
      let bystander = Bystander()
      let crowd = Task {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await bystander.use(other, central) }
          group.addTask { try await bystander.serve(world) }
          defer { group.cancelAll() }
          try await group.next()
        }
      }
      while bystander.rounds < 3 { try await world.run(for: .milliseconds(200)) }

      let scenario = SweptScenario()
      let strike = Mutex<(start: Int?, isDone: Bool)>((nil, false))
      let task = Task { await scenario.run(world, device.id) }
      world.watchPackets { number in
        let isNow = strike.withLock { strike in
          let start = strike.start ?? number
          strike.start = start
          guard !strike.isDone, number - start + 1 >= moment else { return false }
          strike.isDone = true
          return true
        }
        guard isNow else { return }
        switch harm {
        case .cancel: task.cancel()
        case .disconnect: device.disconnect()
        case .outOfRange: device.moveOutOfRange(for: .seconds(5))
        case .deviceOff:
          device.powerOff()
          world.clock.executor.schedule(at: world.now.advanced(by: .seconds(5))) { device.powerOn() }
        }
      }
      await task.value
      world.watchPackets(nil)
      let isStruck = strike.withLock { $0.isDone }
      #expect(isStruck || scenario.isWhole, "\(String(describing: scenario.failure))")
      try await world.run(for: .seconds(6))
      // They have gone on, without a gap.
      let rounds = bystander.rounds
      try await world.run(for: .seconds(2))
      #expect(bystander.rounds > rounds, "moment \(moment), after \(scenario.step)")
      #expect(bystander.longestRound < .seconds(3), "moment \(moment), after \(scenario.step)")
      crowd.cancel()
      await #expect(throws: CancellationError.self) { try await crowd.value }
      let sent = other.sent.all.map(\.count)
      let received = bystander.received
      #expect(received == Array(sent.prefix(received.count)) && sent.count - received.count <= 4, "moment \(moment)")
      #expect(bystander.heard == Array(0..<bystander.heard.count as Range<Int>), "moment \(moment)")
      return isStruck
    }
  }
}

/// Programs that use the same radio for other things.
private final class Bystander: Sendable {
  private struct State {
    var received: [UInt32] = []
    var heard: [Int] = []
    var rounds = 0
    var longestRound = Duration.zero
  }

  private let state = Mutex(State())

  var received: [UInt32] { state.withLock { $0.received } }
  var heard: [Int] { state.withLock { $0.heard } }
  var rounds: Int { state.withLock { $0.rounds } }
  var longestRound: Duration { state.withLock { $0.longestRound } }

  /// Reads, writes, listens and exchanges messages with a device.
  func use(_ device: CountingDevice, _ central: Central) async throws {
    try await central.ready()
    let peripheral = try await central.connect(to: device.id)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for try await count in peripheral.values(of: .count, onReconnect: .end) {
          self.state.withLock { $0.received.append(count) }
        }
      }
      group.addTask {
        let channel = try await peripheral.openChannel(psm: CountingDevice.psm)
        while true {
          let start = central.clock.now
          try await channel.send(pattern(500))
          #expect(try await channel.receive() == pattern(500))
          #expect(try await peripheral.read(.long) == CountingDevice.longValue)
          try await peripheral.write(CountingDevice.longValue, to: .bulk)
          let time = start.duration(to: central.clock.now)
          self.state.withLock {
            $0.rounds += 1
            $0.longestRound = max($0.longestRound, time)
          }
        }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  /// Serves numbers to another phone, and takes down what that has heard.
  func serve(_ world: World) async throws {
    let server = PeripheralServer(advertising: .init(name: "Pulse"), radio: world.radio) {
      Service(.notes) { Indicating(.number) }
    }
    try await server.start()
    let phone = Central(radio: world.makeRadio(name: "phone"))
    try await phone.ready()
    let peripheral = try await phone.scan(for: [.notes], timeout: .seconds(10)).connect()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for try await number in peripheral.values(of: .number, onReconnect: .end) {
          self.state.withLock { $0.heard.append(Int(number)) }
        }
      }
      group.addTask {
        for await subscriptions in server.subscriptions where !subscriptions.isEmpty { break }
        for number in 0..<UInt32.max { try await server.send(number, on: .number) }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}
