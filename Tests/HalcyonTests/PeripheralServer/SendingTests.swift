import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Peripheral server: values that are sent", .reportsWorlds)
struct SendingTests {
  /// Collects the values of a characteristic.
  static func collect(_ characteristic: Characteristic<[UInt8]>, of peripheral: Peripheral, into log: Shared) -> Task<
    Void, any Error
  > {
    Task { for try await value in peripheral.values(of: characteristic) { log.add(bytes: value) } }
  }

  @Test("F30: a send waits while the radio is full, and nothing is dropped")
  func backPressure() async throws {
    let log = Shared()
    try await Meeting.run { world in
      Service(.notes) { Notifying(.feed) }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      let reader = Self.collect(.feed, of: peripheral, into: log)
      try await meeting.settle()
      let sends = (0..<500).map { number in
        Task { try await meeting.server.send([UInt8(number & 0xFF), UInt8(number >> 8)], on: .feed) }
      }
      for send in sends { #expect(try await send.value == 1) }
      try await meeting.settle()
      #expect(log.bytes == (0..<500).map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
      reader.cancel()
    }
  }

  @Test("F28: a send for which there is never room ends at its limit, and with the link")
  func noRoom() async throws {
    let log = Shared()
    try await Meeting.run { world in
      Service(.notes) { Notifying(.feed) }
    } _: { meeting in
      let peripheral = try await meeting.connected(options: LinkOptions(supervisionTimeout: .seconds(20)))
      let reader = Self.collect(.feed, of: peripheral, into: log)
      try await meeting.settle()
      let central = try meeting.onlyCentral()
      meeting.world.move(meeting.serverRadio, to: RadioPosition(x: 100_000))
      // The radio takes some without sending them.
      let first = (0..<60).map { number in
        Task { try await meeting.server.send([UInt8(number)], on: .feed, to: central, timeout: .seconds(5)) }
      }
      let last = Task { try await meeting.server.send([0xFF], on: .feed, to: central, timeout: .never) }
      var timeouts = 0
      for send in first {
        do { _ = try await send.value } catch let error as BluetoothError where error.kind == .timedOut {
          timeouts += 1
        }
      }
      #expect(timeouts > 0)
      await expectError(.disconnected) { _ = try await last.value }
      await expectError(.notConnected) { try await meeting.server.send([1], on: .feed, to: central) }
      reader.cancel()
    }
  }

  @Test("A send that is cancelled while it waits is never sent")
  func cancelled() async throws {
    let log = Shared()
    try await Meeting.run { world in
      Service(.notes) { Notifying(.feed) }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      let reader = Self.collect(.feed, of: peripheral, into: log)
      try await meeting.settle()
      let sends = (0..<100).map { number in Task { try await meeting.server.send([UInt8(number)], on: .feed) } }
      let last = Task { try await meeting.server.send([0xFF], on: .feed) }
      try await meeting.world.settle()
      last.cancel()
      await #expect(throws: CancellationError.self) { try await last.value }
      for send in sends { _ = try await send.value }
      try await meeting.settle()
      #expect(log.bytes.count == 100)
      reader.cancel()
    }
  }

  @Test("F31: values of more than 20 bytes are whole once the MTU was exchanged, whenever that was")
  func mtu() async throws {
    let log = Shared()
    let long = Array(repeating: 5, count: 200) as [UInt8]
    try await Meeting.run { world in
      Service(.notes) { Notifying(.feed) }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      let reader = Self.collect(.feed, of: peripheral, into: log)
      try await meeting.settle()
      let limit = meeting.server.maximumUpdateLength(for: try meeting.onlyCentral())
      #expect(limit > 200)
      try await meeting.server.send(long, on: .feed)
      try await meeting.settle()
      #expect(log.bytes == [long])
      await expectError(.tooLong) { try await meeting.server.send(Array(repeating: 1, count: limit + 1), on: .feed) }
      reader.cancel()
    }
  }

  @Test("F39: two centrals on one radio, and several readers, all get every value")
  func manyReaders() async throws {
    let (first, second, third) = (Shared(), Shared(), Shared())
    try await Meeting.run { world in
      Service(.notes) { Notifying(.feed) }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      let other = Central(radio: meeting.world.radio)
      try await other.ready()
      let same = try await other.connect(to: peripheral.id)
      let readers = [
        Self.collect(.feed, of: peripheral, into: first), Self.collect(.feed, of: peripheral, into: second),
        Self.collect(.feed, of: same, into: third),
      ]
      try await meeting.settle()
      #expect(meeting.server.connectedCentrals.count == 1)
      #expect(meeting.server.currentSubscriptions.count == 1)
      for number in 0..<10 as Range<UInt8> { try await meeting.server.send([number], on: .feed) }
      try await meeting.settle()
      for log in [first, second, third] { #expect(log.bytes == (0..<10).map { [$0] }) }
      // One that leaves does not end it for the others (F20).
      readers[0].cancel()
      await peripheral.disconnect()
      try await meeting.settle()
      try await meeting.server.send([99], on: .feed)
      try await meeting.settle()
      #expect(third.bytes.last == [99])
      #expect(second.bytes.last == [9])
      readers[2].cancel()
    }
  }

  @Test("Several centrals: a value goes to all who have subscribed, or to the one that is named")
  func severalCentrals() async throws {
    let (first, second) = (Shared(), Shared())
    try await Meeting.run { world in
      Service(.notes) { Notifying(.feed) }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      let phone = Central(radio: meeting.world.makeRadio(name: "another phone"))
      try await phone.ready()
      let again = try await phone.connect(to: peripheral.id)
      let reader = Self.collect(.feed, of: peripheral, into: first)
      try await meeting.settle()
      #expect(meeting.server.connectedCentrals.count == 2)
      let (one, two) = (meeting.server.connectedCentrals[0], meeting.server.connectedCentrals[1])
      await expectError(.notSubscribed) { try await meeting.server.send([0], on: .feed, to: two) }
      let otherReader = Self.collect(.feed, of: again, into: second)
      try await meeting.settle()
      #expect(try await meeting.server.send([1], on: .feed) == 2)
      #expect(try await meeting.server.send([2], on: .feed, to: one) == 1)
      #expect(try await meeting.server.send([3], on: .feed, to: two) == 1)
      try await meeting.settle()
      #expect(first.bytes == [[1], [2]])
      #expect(second.bytes == [[1], [3]])
      try await meeting.server.disconnect(two)
      try await meeting.settle()
      #expect(meeting.server.connectedCentrals == [one])
      #expect(try await meeting.server.send([4], on: .feed) == 1)
      reader.cancel()
      otherReader.cancel()
    }
  }

  @Test("An indicated value is sent when the central has confirmed it")
  func indications() async throws {
    let log = Shared()
    try await Meeting.run { world in
      Service(.notes) {
        Indicating(.feed)
        Readable(.feed) { [9] }
      }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      #expect(try await meeting.server.send([0], on: .feed) == 0)
      let reader = Self.collect(.feed, of: peripheral, into: log)
      try await meeting.settle()
      for number in 1...20 as ClosedRange<UInt8> {
        #expect(try await meeting.server.send([number], on: .feed) == 1)
        #expect(log.bytes.last == [number])
      }
      #expect(try await peripheral.read(.feed) == [9])
      reader.cancel()
    }
  }

  @Test("The handler of a subscription runs from the subscription to its end, and sends to its central")
  func subscriptionHandler() async throws {
    let (log, ends) = (Shared(), Shared())
    try await Meeting.run { world in
      Service(.notes) {
        Notifying(.feed) { subscriber in
          for number in 0..<100 as Range<UInt8> {
            do {
              try await subscriber.send([number])
              try await world.clock.sleep(for: .seconds(1))
            } catch {
              ends.add(UInt32(number))
              throw error
            }
          }
        }
      }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      let reader = Self.collect(.feed, of: peripheral, into: log)
      try await meeting.world.run(for: .seconds(6))
      #expect(log.bytes.prefix(3) == [[0], [1], [2]])
      #expect(meeting.server.currentSubscriptions.map(\.modes) == [.notifications])
      reader.cancel()
      try await meeting.settle()
      #expect(ends.numbers.count == 1)
      #expect(meeting.server.currentSubscriptions.isEmpty)
    }
  }

  @Test("One of two characteristics with the same name is named by its part of the declaration")
  func separate() async throws {
    let log = Shared()
    let left = Notifying(.feed)
    try await Meeting.run { world in
      Service(.notes) {
        Separate {
          left
          Readable(.feed, value: [1])
        }
        Separate {
          Notifying(.feed)
          Readable(.feed, value: [2])
        }
      }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      let service = try #require(try await peripheral.services([.notes]).first)
      #expect(service.characteristics.count == 2)
      #expect(try await peripheral.read(service.characteristics[0]) == [1])
      #expect(try await peripheral.read(service.characteristics[1]) == [2])
      let reader = Self.collect(service.characteristics[0], of: peripheral, into: log)
      try await meeting.settle()
      await expectError(.ambiguous) { try await meeting.server.send([5], on: .feed) }
      #expect(try await meeting.server.send([6], on: left) == 1)
      try await meeting.settle()
      #expect(log.bytes == [[6]])
      reader.cancel()
    }
  }
}
