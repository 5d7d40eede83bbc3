import BluetoothTypes
import Halcyon
import RadioPort
import Synchronization
import Testing
import VirtualRadio

/// What a server does from the first to the last, in steps whose ends are taken down.
final class ServedScenario: Sendable {
  enum Step: String, Sendable, CaseIterable {
    case start, visitor, setValue, notify, indicate, tellOne, advertise, publish, channel, latency, unpublish,
      disconnect,
      stop
  }

  struct Failure: Sendable {
    var step: Step
    var error: any Error
    var time: RadioInstant
  }

  private struct State {
    var step = Step.start
    var failure: Failure?
    var isWhole = false
    var channelCount = 0
  }

  static let psm: L2CAPPSM = 0x0082

  private let state = Mutex(State())

  var step: Step { state.withLock { $0.step } }
  var failure: Failure? { state.withLock { $0.failure } }
  var isWhole: Bool { state.withLock { $0.isWhole } }

  /// Runs the scenario until its end or its first error. Nothing of it is left when it returns but what leaked.
  func run(_ world: World, _ radio: any Radio) async {
    weak var weakServer: PeripheralServer?
    do {
      let server = PeripheralServer(advertising: .init(name: "Served"), radio: radio) {
        Service(.notes) {
          Readable(.note, value: [1])
          Notifying(.feed)
          Indicating(.number)
          Readable(.other) { try await Self.slow(world) }
          Writable(.other) { _ in _ = try await Self.slow(world) }
        }
      }
      weakServer = server
      do {
        try await steps(server)
        state.withLock { $0.isWhole = true }
      } catch {
        state.withLock { $0.failure = Failure(step: $0.step, error: error, time: world.now) }
      }
    }
    for _ in 0..<3 { await Task { try? await world.settle() }.value }
    #expect(weakServer == nil, "the server leaked after \(step)")
  }

  /// A handler that takes its time.
  private static func slow(_ world: World) async throws -> [UInt8] {
    try await world.clock.sleep(for: .milliseconds(40))
    return pattern(300)
  }

  private func steps(_ server: PeripheralServer) async throws {
    try await server.start()
    try await subscribed(server, .visitor)
    enter(.setValue)
    try await server.setValue([2, 3], of: .note)
    enter(.notify)
    for number in 0..<30 as Range<UInt8> { try await server.send([number], on: .feed) }
    enter(.indicate)
    for number in 0..<3 as Range<UInt32> { try await server.send(number, on: .number) }
    try await subscribed(server, .tellOne)
    let central = try #require(server.connectedCentrals.first)
    try await server.send(9, on: .number, to: central)
    enter(.advertise)
    for name in ["Another", "Served"] { try await server.advertise(.init(name: name)) }
    enter(.publish)
    let (opened, source) = AsyncStream.makeStream(of: Void.self)
    try await server.publishChannel(psm: Self.psm, options: .init(mtu: 600, mps: 150, credits: 3)) { channel in
      for try await message in channel {
        try await channel.send(message)
        source.yield()
      }
    }
    enter(.channel)
    for await _ in opened { break }
    try Task.checkCancellation()
    enter(.latency)
    if let central = server.connectedCentrals.first { try await server.setLatency(.low, for: central) }
    enter(.unpublish)
    await server.unpublishChannel(Self.psm)
    try Task.checkCancellation()
    enter(.disconnect)
    if let central = server.connectedCentrals.first { try await server.disconnect(central) }
    enter(.stop)
    await server.stop()
    try Task.checkCancellation()
  }

  private func subscribed(_ server: PeripheralServer, _ step: Step) async throws {
    enter(step)
    for await subscriptions in server.subscriptions where subscriptions.count >= 2 { return }
    try Task.checkCancellation()
  }

  private func enter(_ step: Step) { state.withLock { $0.step = step } }
}

/// A central that comes to the server again and again, and makes use of all that it has.
struct Visitor: Sendable {
  let world: World

  func run() async {
    let central = Central(radio: world.radio)
    while !Task.isCancelled {
      try? await visit(central)
      try? await world.clock.sleep(for: .milliseconds(50))
    }
  }

  private func visit(_ central: Central) async throws {
    try await central.ready(within: .seconds(10))
    let peripheral = try await central.scan(for: [.notes], timeout: .seconds(5)).connect(timeout: .seconds(5))
    _ = try await peripheral.services()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for try await _ in peripheral.values(of: .feed, onReconnect: .end) {} }
      group.addTask { for try await _ in peripheral.values(of: .number, onReconnect: .end) {} }
      group.addTask {
        while true {
          #expect([[1], [2, 3]].contains(try await peripheral.read(.note)))
          #expect(try await peripheral.read(.other) == pattern(300))
          try await peripheral.write(pattern(400), to: .other)
        }
      }
      group.addTask {
        while true {
          do {
            let channel = try await peripheral.openChannel(
              psm: ServedScenario.psm,
              options: .init(mtu: 600, mps: 100, credits: 2)
            )
            while true {
              try await channel.send(pattern(400))
              guard let answer = try await channel.receive() else { break }
              #expect(answer == pattern(400))
            }
          } catch let error as BluetoothError {
            // Not published yet, or not any more.
            guard peripheral.state.isReady else { throw error }
          }
          try await world.clock.sleep(for: .milliseconds(200))
        }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
    await peripheral.disconnect()
  }
}
