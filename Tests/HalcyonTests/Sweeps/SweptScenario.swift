import Foundation
import Halcyon
import RadioPort
import Synchronization
import Testing
import VirtualRadio

/// What a program does from the first to the last, in steps whose ends are taken down.
final class SweptScenario: Sendable {
  enum Step: String, Sendable, CaseIterable {
    case ready, connect, discover, read, subscribe, write, longWrite, command, longRead, rssi, notifying,
      request, transfer, shared, openChannel, exchange, closeChannel, disconnect
  }

  struct Failure: Sendable {
    var step: Step
    var error: any Error
    var time: RadioInstant
  }

  private struct State {
    var step = Step.ready
    var failure: Failure?
    var isWhole = false
  }

  private let state = Mutex(State())

  var step: Step { state.withLock { $0.step } }
  var failure: Failure? { state.withLock { $0.failure } }
  var isWhole: Bool { state.withLock { $0.isWhole } }

  /// Runs the scenario until its end or its first error. Nothing of it is left when it returns but what leaked.
  func run(_ world: World, _ device: PeerID) async {
    weak var weakCentral: Central?
    weak var weakPeripheral: Peripheral?
    do {
      let central = Central(radio: world.radio)
      weakCentral = central
      do {
        try await steps(central, device) { weakPeripheral = $0 }
        state.withLock { $0.isWhole = true }
      } catch {
        state.withLock { $0.failure = Failure(step: $0.step, error: error, time: world.now) }
      }
    }
    // Lets the executor drop what it still holds.
    for _ in 0..<3 { await Task { try? await world.settle() }.value }
    #expect(weakPeripheral == nil, "the peripheral leaked after \(step)")
    #expect(weakCentral == nil, "the central leaked after \(step)")
  }

  private func steps(_ central: Central, _ device: PeerID, _ found: (Peripheral) -> Void) async throws {
    try await central.ready()
    enter(.connect)
    let peripheral = try await central.scan(for: ["FFF0"], timeout: .seconds(20)).connect(timeout: .seconds(20))
    found(peripheral)
    enter(.discover)
    #expect(try await peripheral.services().count == 4)
    enter(.read)
    #expect(try await peripheral.read(.otherSetting) == 9)
    enter(.subscribe)
    var last: UInt32 = 0
    for try await value in peripheral.values(of: .count, onReconnect: .end) {
      #expect(value > last)
      last = value
      if value % 3 == 0 { break }
    }
    enter(.write)
    try await peripheral.write(8, to: .setting)
    enter(.longWrite)
    try await peripheral.write(CountingDevice.longValue, to: .bulk)
    enter(.command)
    for number in 0..<12 as Range<UInt8> { try await peripheral.write([number], to: .log) }
    enter(.longRead)
    #expect(try await peripheral.read(.long) == CountingDevice.longValue)
    enter(.rssi)
    try await peripheral.readRSSI()
    enter(.notifying)
    try await peripheral.setNotifying(true, for: .alarm).setNotifying(false, for: .alarm)
    enter(.request)
    #expect(try await peripheral.request([1], on: .bulk, answer: .count) > last)
    enter(.transfer)
    let bytes = [UInt8](repeating: 0x5A, count: 900)
    for try await progress in peripheral.send(bytes, to: .log) { #expect(progress.bytesTotal == 900) }
    enter(.shared)
    let counts = peripheral.shared(of: .count, onReconnect: .end)
    var reader = counts.makeAsyncIterator()
    counts.start()
    #expect(try await reader.next() != nil)
    counts.stop()
    #expect(try await reader.next() == nil)
    enter(.openChannel)
    let channel = try await peripheral.openChannel(
      psm: CountingDevice.psm,
      options: .init(mtu: 600, mps: 150, credits: 3)
    )
    enter(.exchange)
    for number in 0..<4 as Range<UInt8> {
      try await channel.send([number] + [UInt8](repeating: 0xA5, count: 500))
    }
    for number in 0..<4 as Range<UInt8> {
      let message = try await channel.receive()
      #expect(message?.count == 501 && message?.first == number)
    }
    enter(.closeChannel)
    try await channel.close(timeout: .default)
    enter(.disconnect)
    await peripheral.disconnect()
    try Task.checkCancellation()
  }

  private func enter(_ step: Step) { state.withLock { $0.step = step } }
}

/// Runs a scenario again and again with a fault at its first moment, its second, … until there is none left.
enum Sweep {
  enum Moments: Sendable { case packets, jobs }

  /// Every moment if `HALCYON_THOROUGH` is set, else some of them, spread over the whole session.
  private static let isThorough = ProcessInfo.processInfo.environment["HALCYON_THOROUGH"] != nil

  /// Returns how many moments the session has.
  ///
  /// - Parameters:
  ///   - fault: Does the harm, on the loop, in the middle of whatever goes on.
  ///   - repair: Undoes it, a while later.
  ///   - judge: Looks at how the scenario has ended, and when the fault was.
  static func run(
    at moments: Moments,
    fault: @escaping @Sendable (World, CountingDevice, Task<Void, Never>) -> Void,
    repair: @escaping @Sendable (World, CountingDevice) -> Void = { _, _ in },
    judge: @escaping @Sendable (SweptScenario, RadioInstant) -> Void
  ) async throws -> Int {
    var moment = 1
    let stride = isThorough ? 1 : moments == .jobs ? 11 : 5
    while try await once(at: moments, moment, fault, repair, judge) {
      moment += stride
      if moment > 5000 {
        Issue.record("the sweep does not end")
        break
      }
    }
    return moment
  }

  /// Returns whether the scenario lasted until the moment.
  private static func once(
    at moments: Moments,
    _ moment: Int,
    _ fault: @escaping @Sendable (World, CountingDevice, Task<Void, Never>) -> Void,
    _ repair: @escaping @Sendable (World, CountingDevice) -> Void,
    _ judge: @escaping @Sendable (SweptScenario, RadioInstant) -> Void
  ) async throws -> Bool {
    try await World.simulated(seed: 3) { world in
      let device = world.add(.counting(every: .milliseconds(50)))
      let radio = world.radio
      let scenario = SweptScenario()
      let strike = Mutex<(start: Int?, time: RadioInstant?)>((nil, nil))
      let task = Task { await scenario.run(world, device.id) }
      let watch: @Sendable (Int) -> Void = { number in
        // Numbered from the scenario's own beginning.
        let isNow = strike.withLock { strike in
          let start = strike.start ?? number
          strike.start = start
          guard strike.time == nil, number - start + 1 >= moment else { return false }
          strike.time = world.now
          return true
        }
        if isNow { fault(world, device, task) }
      }
      switch moments {
      case .packets: world.watchPackets(watch)
      case .jobs: world.watchJobs(watch)
      }
      let bound = Task { try await world.run(for: .seconds(120)) }
      await task.value
      let now = world.now
      bound.cancel()
      world.watchPackets(nil)
      world.watchJobs(nil)
      guard let time = strike.withLock({ $0.time }) else {
        #expect(scenario.isWhole, "\(String(describing: scenario.failure))")
        return false
      }
      #expect(now.sinceStart < .seconds(110), "moment \(moment): stuck in \(scenario.step)")
      judge(scenario, time)

      // The rest of what was begun comes to its end, and nothing is left at the controller.
      try await world.run(for: .seconds(3))
      #expect(world.activity(of: radio) == ControllerActivity.none, "moment \(moment), \(scenario.step)")
      repair(world, device)
      try await world.run(for: .seconds(3))
      #expect(world.activity(of: radio) == ControllerActivity.none, "moment \(moment), \(scenario.step), repaired")
      #expect(!device.isConnected, "moment \(moment), \(scenario.step)")

      // Everything works again.
      let next = SweptScenario()
      await next.run(world, device.id)
      #expect(next.isWhole, "moment \(moment), after \(scenario.step): \(String(describing: next.failure))")
      return true
    }
  }
}
