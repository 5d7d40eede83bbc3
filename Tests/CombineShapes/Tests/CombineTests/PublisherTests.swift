import Combine
import Halcyon
import HalcyonCombine
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

/// Takes what comes, and asks for as much as it is told to.
final class Taker<Input: Sendable>: Subscriber, Sendable {
  typealias Failure = any Error

  private struct State {
    var subscription: (any Subscription)?
    var values: [Input] = []
    var completions = 0
    var error: (any Error)?
  }

  // A subscription of ours may be used from anywhere.
  private struct Guarded: @unchecked Sendable { var state = State() }
  private let guarded = Mutex(Guarded())
  private let more: Int

  /// Demands `more` with each value.
  init(more: Int = 0) { self.more = more }

  var values: [Input] { guarded.withLock { $0.state.values } }
  var completions: Int { guarded.withLock { $0.state.completions } }
  var error: (any Error)? { guarded.withLock { $0.state.error } }

  func ask(_ demand: Subscribers.Demand) { taken?.request(demand) }
  func cancel() { taken?.cancel() }
  private var taken: (any Subscription & Sendable)? {
    guarded.withLock { $0.state.subscription as? any Subscription & Sendable }
  }

  func receive(subscription: any Subscription) {
    let box = Guarded(state: State(subscription: subscription))
    guarded.withLock { $0.state.subscription = box.state.subscription }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guarded.withLock { $0.state.values.append(input) }
    return .max(more)
  }

  func receive(completion: Subscribers.Completion<any Error>) {
    guarded.withLock { guarded in
      guarded.state.completions += 1
      if case .failure(let error) = completion { guarded.state.error = error }
    }
  }
}

@Suite("Combine's publishers", .reportsWorlds)
struct PublisherTests {
  private static func run(_ body: @escaping @Sendable (World, HeartRateBand, Central) async throws -> Void) async throws
  {
    try await World.simulated(seed: 1) { world in
      let band = world.add(.heartRateBand(name: "Pulse"))
      let central = Central(radio: world.radio)
      try await central.ready()
      try await body(world, band, central)
    }
  }

  @Test("A stream brings no more than is demanded, and its cancellation ends the subscription at the device")
  func demand() async throws {
    try await Self.run { world, band, central in
      let peripheral = try await central.scan(for: [.heartRate]).connect()
      let taker = Taker<HeartRateMeasurement>()
      peripheral.publishers.values(of: .heartRateMeasurement).receive(subscriber: taker)
      try await world.run(for: .seconds(5))
      #expect(taker.values.isEmpty)
      #expect(band.subscriberCount(of: "2A37") == 0)
      taker.ask(.max(2))
      try await world.run(for: .seconds(10))
      #expect(taker.values.count == 2)
      #expect(band.subscriberCount(of: "2A37") == 1)
      taker.ask(.max(1))
      try await world.run(for: .seconds(1))
      #expect(taker.values.count == 3)
      taker.cancel()
      try await world.run(for: .seconds(2))
      #expect(band.subscriberCount(of: "2A37") == 0)
      taker.ask(.unlimited)
      try await world.run(for: .seconds(5))
      #expect(taker.values.count == 3)
      #expect(taker.completions == 0)
    }
  }

  @Test("Demand that comes with the values keeps a stream going; an error ends it once")
  func renewedDemand() async throws {
    try await Self.run { world, band, central in
      let peripheral = try await central.scan(for: [.heartRate]).connect()
      let taker = Taker<HeartRateMeasurement>(more: 1)
      peripheral.publishers.values(of: .heartRateMeasurement, onReconnect: .end).receive(subscriber: taker)
      taker.ask(.max(1))
      try await world.run(for: .seconds(6))
      #expect(taker.values.count >= 4)
      band.disconnect()
      try await world.run(for: .seconds(1))
      #expect(taker.completions == 1)
      #expect((taker.error as? BluetoothError)?.kind == .disconnected)
    }
  }

  @Test("A single value comes once, with its end; nothing is asked of the device before it is demanded")
  func singleValue() async throws {
    try await Self.run { world, band, central in
      let peripheral = try await central.scan(for: [.heartRate]).connect()
      let taker = Taker<BodySensorLocation>()
      peripheral.publishers.read(.bodySensorLocation).receive(subscriber: taker)
      try await world.run(for: .seconds(1))
      #expect(taker.values.isEmpty && taker.completions == 0)
      taker.ask(.max(1))
      try await world.run(for: .seconds(1))
      #expect(taker.values == [.chest] && taker.completions == 1 && taker.error == nil)

      let failing = Taker<UInt8>()
      peripheral.publishers.read(Characteristic<UInt8>("AAAA", in: .heartRate)).receive(subscriber: failing)
      failing.ask(.unlimited)
      try await world.run(for: .seconds(1))
      #expect((failing.error as? BluetoothError)?.kind == .characteristicNotFound)
      #expect(failing.values.isEmpty && failing.completions == 1)
    }
  }

  @Test("A scan and a connect are publishers; to cancel them stops them at the radio")
  func scanAndConnect() async throws {
    try await Self.run { world, band, central in
      let found = Taker<Discovery>(more: 1)
      central.publishers.scan(for: [.heartRate]).receive(subscriber: found)
      found.ask(.max(1))
      try await world.run(for: .seconds(2))
      let discovery = try #require(found.values.first)
      found.cancel()
      let count = found.values.count
      try await world.run(for: .seconds(5))
      #expect(found.values.count == count)

      band.moveOutOfRange()
      let away = Taker<Peripheral>()
      central.publishers.connect(to: discovery).receive(subscriber: away)
      away.ask(.unlimited)
      try await world.run(for: .seconds(1))
      away.cancel()
      band.moveIntoRange()
      try await world.run(for: .seconds(5))
      #expect(away.values.isEmpty && away.completions == 0)
      #expect(!band.isConnected)

      let near = Taker<Peripheral>()
      central.publishers.connect(to: discovery).receive(subscriber: near)
      near.ask(.unlimited)
      try await world.run(for: .seconds(3))
      #expect(near.values.first?.state.isReady == true && near.completions == 1)
    }
  }

  @Test("States come with the current one first; any sequence and any call can be a publisher")
  func others() async throws {
    try await Self.run { world, _, central in
      let states = Taker<RadioState>(more: 1)
      central.publishers.states.receive(subscriber: states)
      states.ask(.max(1))
      try await world.run(for: .seconds(1))
      world.radioPower(false)
      try await world.run(for: .seconds(1))
      #expect(states.values.map(\.power) == [.poweredOn, .poweredOff])

      let mapped = Taker<String>(more: 1)
      central.states.map { "\($0.power)" }.publisher(on: central).receive(subscriber: mapped)
      mapped.ask(.max(1))
      let refused = Taker<Void>()
      central.publisher { try await $0.ready(within: .seconds(1)) }.receive(subscriber: refused)
      refused.ask(.unlimited)
      try await world.run(for: .seconds(2))
      #expect(mapped.values == ["poweredOff"])
      #expect((refused.error as? BluetoothError)?.kind == .timedOut)
    }
  }
}
