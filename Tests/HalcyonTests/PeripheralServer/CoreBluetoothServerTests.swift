#if os(Linux)
  import BluetoothTypes
  import CoreBluetooth
  import CoreBluetoothRadio
  import Halcyon
  import RadioPort
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  @Suite("Peripheral server over CoreBluetooth", .reportsWorlds)
  struct CoreBluetoothServerTests {
    /// Puts Apple's API between the server and the radio of its world.
    static let coreBluetooth: @Sendable (any Radio) -> any Radio = { radio in
      CoreBluetoothRadio(executor: radio.executor, queue: nil, options: [CBManagerOptionRadioKey: radio])
    }

    @Test("The example of the design: a server with a value to read, one to write and one that is notified")
    func design() async throws {
      let log = Shared(commands: [])
      try await Meeting.run(through: Self.coreBluetooth) { world in
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

    @Test(
      "Long values are read whole, of one answer, and written whole; what a handler throws is what the central gets"
    )
    func requests() async throws {
      let long = (0..<500).map { UInt8(truncatingIfNeeded: $0) }
      let log = Shared()
      try await Meeting.run(through: Self.coreBluetooth) { world in
        Service(.notes) {
          Readable(.note) { request -> [UInt8] in
            log.add(UInt32(request.offset))
            return long
          }
          Writable(.note) { value in log.add(bytes: value) }
          Readable(.other) { () async throws -> [UInt8] in throw ATTError(rawValue: 0x80) }
          Writable(.number, type: .withoutResponse) { value in log.add(value) }
        }
      } _: { meeting in
        let peripheral = try await meeting.connected()
        #expect(try await peripheral.read(.note) == long)
        #expect(log.numbers == [0])
        try await peripheral.write(long, to: .note)
        #expect(log.bytes == [long])
        await expectError(.att(ATTError(rawValue: 0x80))) { _ = try await peripheral.read(.other) }
        for number in 1..<300 as Range<UInt32> { try await peripheral.write(number, to: .number) }
        try await meeting.settle()
        #expect(log.numbers == Array(0..<300))
      }
    }

    @Test("A fixed value changes when the server changes it; services include others; descriptions are told")
    func declarations() async throws {
      let battery = Service(.battery, isPrimary: false) { Readable(.batteryLevel) { BatteryLevel(50) } }
      try await Meeting.run(through: Self.coreBluetooth) { world in
        Service(.notes, includes: [battery]) {
          Readable(.note, value: [1])
          Described(.note, "A note")
        }
      } _: { meeting in
        let peripheral = try await meeting.connected()
        #expect(try await peripheral.read(.note) == [1])
        try await meeting.server.setValue([2, 3], of: .note)
        #expect(try await peripheral.read(.note) == [2, 3])
        let service = try #require(try await peripheral.services().first { $0.uuid == ServiceID.notes.uuid })
        #expect(service.includedServices.map(\.uuid) == [ServiceID.battery.uuid])
        #expect(service.characteristics.first?.descriptors.map(\.uuid.uint16) == [0x2901])
      }
    }

    @Test("F30: a send waits while the framework is full, and nothing is dropped")
    func backPressure() async throws {
      let log = Shared()
      try await Meeting.run(through: Self.coreBluetooth) { world in
        Service(.notes) { Notifying(.feed) }
      } _: { meeting in
        let peripheral = try await meeting.connected()
        let reader = SendingTests.collect(.feed, of: peripheral, into: log)
        try await meeting.settle()
        let values: [[UInt8]] = (0..<500 as Range<UInt16>).map { number in [UInt8(number & 0xFF), UInt8(number >> 8)] }
        let sends = values.map { value in Task { try await meeting.server.send(value, on: .feed) } }
        for send in sends { #expect(try await send.value == 1) }
        try await meeting.settle()
        #expect(log.bytes == values)
        reader.cancel()
      }
    }

    @Test("Several centrals: a value goes to all who have subscribed, or to the one that is named")
    func severalCentrals() async throws {
      let (first, second) = (Shared(), Shared())
      try await Meeting.run(through: Self.coreBluetooth) { world in
        Service(.notes) { Indicating(.feed) }
      } _: { meeting in
        let peripheral = try await meeting.connected()
        let phone = Central(radio: meeting.world.makeRadio(name: "another phone"))
        try await phone.ready()
        let again = try await phone.connect(to: peripheral.id)
        let readers = [SendingTests.collect(.feed, of: peripheral, into: first)]
        try await meeting.settle()
        // One that asks for nothing is not known to be there.
        #expect(meeting.server.connectedCentrals.count == 1)
        let otherReader = SendingTests.collect(.feed, of: again, into: second)
        try await meeting.settle()
        #expect(meeting.server.connectedCentrals.count == 2)
        let (one, two) = (meeting.server.connectedCentrals[0], meeting.server.connectedCentrals[1])
        #expect(try await meeting.server.send([1], on: .feed) == 2)
        #expect(try await meeting.server.send([2], on: .feed, to: one) == 1)
        #expect(try await meeting.server.send([3], on: .feed, to: two) == 1)
        try await meeting.settle()
        #expect(first.bytes == [[1], [2]])
        #expect(second.bytes == [[1], [3]])
        await expectError(.unsupported) { try await meeting.server.disconnect(two) }
        await again.disconnect()
        try await meeting.settle()
        #expect(meeting.server.currentSubscriptions.map(\.central) == [one])
        #expect(try await meeting.server.send([4], on: .feed) == 1)
        for reader in readers + [otherReader] { reader.cancel() }
      }
    }

    @Test("When Bluetooth goes off the server waits, and goes on when it is back")
    func power() async throws {
      try await Meeting.run(through: Self.coreBluetooth) { world in
        Service(.notes) { Readable(.note, value: [1]) }
      } _: { meeting in
        let peripheral = try await meeting.connected()
        #expect(try await peripheral.read(.note) == [1])
        #expect(meeting.server.connectedCentrals.count == 1)
        meeting.world.radioPower(false, of: meeting.serverRadio)
        try await meeting.settle()
        guard case .suspended(let error) = meeting.server.state else {
          Issue.record("the server is \(meeting.server.state)")
          return
        }
        #expect(error.kind == .poweredOff)
        #expect(meeting.server.connectedCentrals.isEmpty)
        meeting.world.radioPower(true, of: meeting.serverRadio)
        try await meeting.world.run(for: .seconds(5))
        #expect(meeting.server.state.isRunning)
        let again = try await meeting.central.connect(to: try #require(try await meeting.found()))
        #expect(try await again.read(.note) == [1])
      }
    }

    @Test("A server stops and starts again, beside another on the same radio; what can not be served is told")
    func stopping() async throws {
      try await Meeting.run(through: Self.coreBluetooth) { world in
        Service(.notes) { Readable(.note, value: [1]) }
      } _: { meeting in
        let radio = Self.coreBluetooth(meeting.world.makeRadio(name: "shared"))
        let first = PeripheralServer(advertising: .init(name: "Shared"), radio: radio) {
          Service(.notes) { Readable(.note, value: [1]) }
        }
        let second = PeripheralServer(advertising: .init(services: []), radio: radio) {
          Service(.battery) { Readable(.batteryLevel) { BatteryLevel(80) } }
        }
        try await first.start()
        try await second.start()
        let peripheral = try await meeting.central.scan(timeout: .seconds(5)).filter { $0.name == "Shared" }.connect()
        #expect(try await peripheral.read(.batteryLevel).percentage == 80)
        #expect(try await peripheral.read(.note) == [1])
        try await meeting.settle()
        await second.stop()
        try await meeting.settle()
        await expectError(.serviceNotFound) { _ = try await peripheral.read(.batteryLevel) }
        #expect(try await peripheral.read(.note) == [1])
        try await second.start()
        try await meeting.settle()
        #expect(try await peripheral.read(.batteryLevel).percentage == 80)

        let protected = PeripheralServer(radio: radio) {
          Service(.notes) { Readable(.note, protection: .authenticated) { [1] } }
        }
        await expectError(.unsupported) { try await protected.start() }
      }
    }
  }
#endif
