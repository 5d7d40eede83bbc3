import BluetoothTypes
import Halcyon
import RadioPort
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Peripheral server: what goes on at the same time", .reportsWorlds)
struct BesideTests {
  /// The server, for handlers that use it.
  private final class Holder: Sendable {
    private struct State { weak var server: PeripheralServer? }
    private let state = Mutex(State())
    var server: PeripheralServer? { state.withLock { $0.server } }
    func hold(_ server: PeripheralServer) { state.withLock { $0.server = server } }
  }

  @Test("A handler may send, and wait for the confirmation, before it answers")
  func sendInHandler() async throws {
    let (log, holder) = (Shared(), Holder())
    try await Meeting.run { world in
      Service(.notes) {
        Indicating(.feed)
        Writable(.other) { value in
          for byte in value {
            let count = try await holder.server?.send([byte], on: .feed)
            #expect(count == 1)
          }
        }
      }
    } _: { meeting in
      holder.hold(meeting.server)
      let peripheral = try await meeting.connected()
      let reader = SendingTests.collect(.feed, of: peripheral, into: log)
      try await meeting.settle()
      try await peripheral.write([1, 2, 3], to: .other, timeout: .seconds(5))
      #expect(log.bytes == [[1], [2], [3]])
      reader.cancel()
    }
  }

  @Test("A server that stops ends its own indications, not those of another server on the radio")
  func neighbours() async throws {
    let log = Shared()
    try await Meeting.run { world in
      Service(.notes) { Indicating(.feed) }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      let second = PeripheralServer(advertising: .init(services: []), radio: meeting.serverRadio) {
        Service(.annex) { Indicating(.extra) }
      }
      try await second.start()
      try await meeting.settle()
      let readers = [
        SendingTests.collect(.feed, of: peripheral, into: log), SendingTests.collect(.extra, of: peripheral, into: log),
      ]
      try await meeting.settle()
      let first = Task { try await meeting.server.send([1], on: .feed) }
      let other = Task { try await second.send([2], on: .extra) }
      let last = Task { try await meeting.server.send([3], on: .feed) }
      try await meeting.world.settle()
      await second.stop()
      await expectError(.stopped) { _ = try await other.value }
      #expect(try await first.value == 1)
      #expect(try await last.value == 1)
      #expect(log.bytes == [[1], [3]])
      for reader in readers { reader.cancel() }
    }
  }

  @Test("A value that waits for a central that unsubscribes is not sent to it, and says so")
  func unsubscribed() async throws {
    let log = Shared()
    try await Meeting.run { world in
      Service(.notes) { Indicating(.feed) }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      let reader = SendingTests.collect(.feed, of: peripheral, into: log)
      try await meeting.settle()
      let central = try meeting.onlyCentral()
      let sends = (0..<20).map { number in
        Task { try await meeting.server.send([UInt8(number)], on: .feed, to: central) }
      }
      try await meeting.world.settle()
      reader.cancel()
      var kinds: [BluetoothError.Kind] = []
      for send in sends {
        do { _ = try await send.value } catch let error as BluetoothError { kinds.append(error.kind) }
      }
      #expect(kinds.last == .notSubscribed)
      #expect(Set(kinds).count == 1)
      #expect(try await meeting.server.send([99], on: .feed) == 0)
    }
  }

  @Test("Writes without response wait for a slow handler as long as it takes, each with the whole time for itself")
  func slowHandler() async throws {
    let log = Shared()
    try await Meeting.run { world in
      Service(.notes) {
        Writable(.number, type: .withoutResponse) { value in
          try await world.clock.sleep(for: .seconds(2))
          log.add(value)
        }
      }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      for number in 0..<30 as Range<UInt32> { try await peripheral.write(number, to: .number) }
      try await meeting.world.run(for: .seconds(70))
      #expect(log.numbers == Array(0..<30))
    }
  }

  @Test("A write without response is carried out though its central leaves right after it; requests are given up")
  func leaving() async throws {
    let (log, ended) = (Shared(), Shared())
    try await Meeting.run { world in
      Service(.notes) {
        Writable(.number, type: .automatic) { value in
          do { try await world.clock.sleep(for: .seconds(1)) } catch {
            ended.add(value)
            throw error
          }
          log.add(value)
        }
      }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      for number in 1...3 as ClosedRange<UInt32> {
        try await peripheral.write(number, to: .number, type: .withoutResponse)
      }
      let last = Task { try await peripheral.write(4, to: .number, type: .withResponse) }
      try await meeting.world.run(for: .milliseconds(500))
      await peripheral.disconnect()
      await #expect(throws: BluetoothError.self) { try await last.value }
      try await meeting.world.run(for: .seconds(10))
      #expect(meeting.server.connectedCentrals.isEmpty)
      #expect(log.numbers == [1, 2, 3])
      #expect(ended.numbers.isEmpty)
    }
  }
}

extension Characteristic where Value == [UInt8] {
  fileprivate static var extra: Self { .init("A0040001-0000-4000-8000-00805F9B34FB", in: .annex) }
}

extension ServiceID {
  fileprivate static let annex: ServiceID = "A0040000-0000-4000-8000-00805F9B34FB"
}
