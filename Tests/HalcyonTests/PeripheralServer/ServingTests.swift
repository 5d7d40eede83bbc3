import BluetoothTypes
import Halcyon
import RadioPort
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Peripheral server: requests", .reportsWorlds)
struct ServingTests {
  @Test("The example of the design: a server with a value to read, one to write and one that is notified")
  func design() async throws {
    let log = Shared(commands: [])
    try await Meeting.run { world in
      Service(.heartRate) {
        Notifying(.heartRateMeasurement)
        Readable(.bodySensorLocation) { .chest }
        Writable(.heartRateControlPoint) { command in log.add(command) }
      }
    } _: { meeting in
      try await meeting.server.start()
      #expect(meeting.server.state.isRunning)
      let peripheral = try await meeting.central.scan(for: [.heartRate], timeout: .seconds(10))
        .filter { $0.name == "Pulse" }
        .connect(timeout: .seconds(10))
      #expect(try await peripheral.read(.bodySensorLocation) == .chest)
      try await peripheral.write(.resetEnergyExpended, to: .heartRateControlPoint)
      #expect(log.commands == [.resetEnergyExpended])
      let task = Task { () -> UInt16? in
        for try await beat in peripheral.values(of: .heartRateMeasurement) { return beat.beatsPerMinute }
        return nil
      }
      try await meeting.settle()
      #expect(try await meeting.server.send(HeartRateMeasurement(beatsPerMinute: 72), on: .heartRateMeasurement) == 1)
      #expect(try await task.value == 72)
    }
  }

  @Test("LBT-04: a central connects from a discovery, and straight from a known identifier")
  func connecting() async throws {
    try await Meeting.run { world in
      Service(.heartRate) { Readable(.bodySensorLocation, value: .wrist) }
    } _: { meeting in
      let first = try await meeting.connected()
      #expect(try await first.read(.bodySensorLocation) == .wrist)
      let id = first.id
      await first.disconnect()
      try await meeting.settle()
      #expect(meeting.server.connectedCentrals.isEmpty)
      let other = Central(radio: meeting.world.makeRadio(name: "another phone"))
      try await other.ready()
      let again = try await other.connect(to: id)
      #expect(try await again.read(.bodySensorLocation) == .wrist)
    }
  }

  @Test("LBT-16: writes without response come in order and none is lost, however many")
  func writesWithoutResponse() async throws {
    let log = Shared()
    try await Meeting.run { world in
      Service(.notes) { Writable(.number, type: .withoutResponse) { value in log.add(value) } }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      for number in 0..<300 as Range<UInt32> { try await peripheral.write(number, to: .number) }
      try await meeting.settle()
      #expect(log.numbers == Array(0..<300))
    }
  }

  @Test("LBT-16: every operation takes a time limit")
  func timeouts() async throws {
    try await Meeting.run { world in
      Service(.notes) {
        Readable(.note) { () async throws -> [UInt8] in
          try await world.clock.sleep(for: .seconds(5))
          return [1]
        }
        Described(.note, "A note")
        Notifying(.feed)
        Writable(.number) { _ in try await world.clock.sleep(for: .seconds(5)) }
      }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      await expectError(.timedOut) { _ = try await peripheral.services(timeout: .milliseconds(1)) }
      _ = try await peripheral.services(timeout: .seconds(5))
      await expectError(.timedOut) { _ = try await peripheral.read(.note, timeout: .seconds(1)) }
      await expectError(.timedOut) { try await peripheral.write(1, to: .number, timeout: .seconds(1)) }
      #expect(try await peripheral.read(.note, timeout: .seconds(20)) == [1])
      await expectError(.timedOut) {
        for try await _ in peripheral.values(of: .feed, timeout: .milliseconds(1)) {}
      }
      let description = Descriptor.userDescription(of: .note)
      await expectError(.timedOut) { _ = try await peripheral.read(description, timeout: .milliseconds(1)) }
      await expectError(.timedOut) { try await peripheral.write([1], to: description, timeout: .milliseconds(1)) }
      // Nobody is there to agree to the end.
      meeting.world.move(meeting.serverRadio, to: RadioPosition(x: 100_000))
      await expectError(.timedOut) { try await peripheral.disconnect(timeout: .milliseconds(1)) }
      try await meeting.world.run(for: .seconds(30))
      #expect(peripheral.state.isDisconnected)
    }
  }

  @Test("PLX-08: signal strength, and values by both types of write")
  func bothWrites() async throws {
    let log = Shared()
    try await Meeting.run { world in
      Service(.notes) {
        Readable(.number) { UInt32(truncatingIfNeeded: log.numbers.reduce(0, &+)) }
        Writable(.number, type: .automatic) { value in log.add(value) }
        Described(.number, "A number")
      }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      #expect(try await peripheral.readRSSI() < 0)
      try await peripheral.write(40, to: .number, type: .withResponse)
      try await peripheral.write(2, to: .number, type: .withoutResponse)
      #expect(try await peripheral.read(.number) == 42)
      let service = try #require(try await peripheral.services().last)
      let characteristic = try #require(service.characteristics.first)
      #expect(characteristic.properties == [.read, .write, .writeWithoutResponse])
      #expect(characteristic.descriptors.map(\.uuid.uint16) == [0x2901])
      #expect(try await peripheral.read(characteristic.descriptors[0], as: String.self) == "A number")
    }
  }

  @Test("Long values are read whole, of one answer of the handler, and written whole as one value")
  func longValues() async throws {
    let long = (0..<500).map { UInt8(truncatingIfNeeded: $0) }
    let log = Shared()
    try await Meeting.run { world in
      Service(.notes) {
        Readable(.note) { request -> [UInt8] in
          log.add(UInt32(request.offset))
          return long
        }
        Writable(.note) { value in log.add(bytes: value) }
      }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      #expect(try await peripheral.read(.note) == long)
      #expect(log.numbers == [0])
      try await peripheral.write(long, to: .note)
      #expect(log.bytes == [long])
    }
  }

  @Test("What a handler throws is what the central gets")
  func refusals() async throws {
    struct Broken: Error {}
    try await Meeting.run { world in
      Service(.notes) {
        Readable(.note) { () async throws -> [UInt8] in throw ATTError.insufficientAuthorization }
        Writable(.note) { _ in throw ATTError(rawValue: 0x80) }
        Readable(.other) { () async throws -> [UInt8] in throw Broken() }
        Writable(.number) { _ in }
      }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      let events = Task { () -> Bool in
        for await event in meeting.server.events {
          if case .handlerFailed(_, _, let error) = event { return error is Broken }
        }
        return false
      }
      try await meeting.settle()
      await expectError(.att(.insufficientAuthorization)) { _ = try await peripheral.read(.note) }
      await expectError(.att(ATTError(rawValue: 0x80))) { try await peripheral.write([1], to: .note) }
      await expectError(.att(.unlikelyError)) { _ = try await peripheral.read(.other) }
      #expect(await events.value)
      // Three bytes make no UInt32.
      let raw = Characteristic<UInt32>.number.typed(as: [UInt8].self)
      await expectError(.att(.invalidAttributeValueLength)) { try await peripheral.write([1, 2, 3], to: raw) }
    }
  }

  @Test("Protected values are refused on a link that is not encrypted")
  func protection() async throws {
    try await Meeting.run { world in
      Service(.notes) {
        Readable(.note, protection: .encrypted) { [1] }
        Writable(.note, protection: .authenticated) { _ in }
        Notifying(.feed, protection: .encrypted)
      }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      await expectError(.att(.insufficientAuthentication)) { _ = try await peripheral.read(.note) }
      await expectError(.att(.insufficientAuthentication)) { try await peripheral.write([1], to: .note) }
      await expectError(.att(.insufficientAuthentication)) {
        for try await _ in peripheral.values(of: .feed) {}
      }
    }
  }

  @Test("A handler that never returns is given up before the central gives the link up")
  func stuckHandler() async throws {
    let log = Shared()
    try await Meeting.run { world in
      Service(.notes) {
        Readable(.note) { () async throws -> [UInt8] in
          do {
            try await world.clock.sleep(for: .seconds(10_000))
          } catch {
            log.add(1)
            throw error
          }
          return []
        }
        Readable(.other, value: [7])
      }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      let start = meeting.world.clock.now
      await expectError(.att(.unlikelyError)) { _ = try await peripheral.read(.note, timeout: .never) }
      #expect(start.duration(to: meeting.world.clock.now) < .seconds(30))
      try await meeting.settle()
      #expect(log.numbers == [1])
      #expect(try await peripheral.read(.other) == [7])
    }
  }

  @Test("A handler is cancelled when its central leaves")
  func leaving() async throws {
    let log = Shared()
    try await Meeting.run { world in
      Service(.notes) {
        Readable(.note) { () async throws -> [UInt8] in
          log.add(1)
          do { try await world.clock.sleep(for: .seconds(20)) } catch { log.add(2) }
          return []
        }
      }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      let read = Task { try await peripheral.read(.note) }
      try await meeting.settle()
      #expect(log.numbers == [1])
      await peripheral.disconnect()
      try await meeting.settle()
      #expect(log.numbers == [1, 2])
      await #expect(throws: BluetoothError.self) { try await read.value }
    }
  }

  @Test("A fixed value changes when the server changes it")
  func fixedValues() async throws {
    try await Meeting.run { world in
      Service(.notes) {
        Readable(.note, value: [1])
        Writable(.other) { _ in }
      }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      #expect(try await peripheral.read(.note) == [1])
      try await meeting.server.setValue([2, 3], of: .note)
      #expect(try await peripheral.read(.note) == [2, 3])
      await expectError(.invalidArgument) { try await meeting.server.setValue([1], of: .other) }
      await expectError(.characteristicNotFound) { try await meeting.server.setValue([1], of: .feed) }
    }
  }

  @Test("Services include others, and secondary ones are found through them")
  func includes() async throws {
    let battery = Service(.battery, isPrimary: false) { Readable(.batteryLevel) { BatteryLevel(50) } }
    try await Meeting.run { world in
      Service(.heartRate, includes: [battery]) { Readable(.bodySensorLocation, value: .finger) }
    } _: { meeting in
      let peripheral = try await meeting.connected()
      let services = try await peripheral.services()
      let heartRate = try #require(services.first { $0.uuid == ServiceID.heartRate.uuid })
      #expect(heartRate.includedServices.map(\.uuid) == [ServiceID.battery.uuid])
      #expect(try await peripheral.read(.batteryLevel).percentage == 50)
    }
  }
}

/// What handlers have seen.
final class Shared: Sendable {
  private let state: Mutex<(numbers: [UInt32], bytes: [[UInt8]], commands: [HeartRateControlPoint])>

  init(commands: [HeartRateControlPoint] = []) { state = Mutex(([], [], commands)) }

  var numbers: [UInt32] { state.withLock { $0.numbers } }
  var bytes: [[UInt8]] { state.withLock { $0.bytes } }
  var commands: [HeartRateControlPoint] { state.withLock { $0.commands } }
  func add(_ number: UInt32) { state.withLock { $0.numbers.append(number) } }
  func add(bytes: [UInt8]) { state.withLock { $0.bytes.append(bytes) } }
  func add(_ command: HeartRateControlPoint) { state.withLock { $0.commands.append(command) } }
}
