import Halcyon
import Synchronization
import Testing
import VirtualRadio
import VirtualRadioTesting

/// The API on our host, a virtual controller and a virtual device: the whole way down to HCI and up again.
@Suite("The whole stack", .reportsWorlds)
struct WorldTests {
  /// A device with the same characteristic in two services, one to write fast and one to answer wrongly.
  static let lab = VirtualDevice.Description(
    name: "Lab",
    advertisedServices: ["FFE0"],
    services: [
      VirtualDevice.Service(
        "FFE0",
        characteristics: [
          .init("FFE1", [.read, .write, .writeWithoutResponse], value: [1]),
          .init("FFE2", [.read, .notify], value: [9]),
          .init("FFE3", .read, value: []),
        ]
      ),
      VirtualDevice.Service("FFF0", characteristics: [.init("FFE1", .read, value: [2])]),
    ]
  )

  static let first = Characteristic<[UInt8]>("FFE1", in: "FFE0")
  static let second = Characteristic<[UInt8]>("FFE1", in: "FFF0")
  static let notifying = Characteristic<[UInt8]>("FFE2", in: "FFE0")

  static func withLab(
    _ body: @escaping @Sendable (World, VirtualDevice, Central, Peripheral) async throws -> Void
  ) async throws {
    try await World.simulated(seed: 1) { world in
      let lab = world.add(.custom(lab))
      let central = Central(radio: world.radio)
      try await central.ready()
      let peripheral = try await central.scan(for: ["FFE0"]).connect()
      try await body(world, lab, central, peripheral)
    }
  }

  @Test("PLX-03, LBT-02: from nothing to a value in one expression, and then a stream of beats")
  func design() async throws {
    try await World.simulated(seed: 1) { world in
      let band = world.add(.heartRateBand(name: "Pulse"))
      world.add(.heartRateBand(name: "Other"))
      let central = Central(radio: world.radio)
      try await central.ready()

      let location = try await central.scan(for: [.heartRate], timeout: .seconds(10))
        .filter { $0.name == "Pulse" }
        .connect(timeout: .seconds(10))
        .read(.bodySensorLocation)
      #expect(location == .chest)
      try await world.run(for: .seconds(1))
      #expect(!band.isConnected)

      var names: Set<String> = []
      for try await discovery in central.scan(for: [.heartRate], limit: 2) { names.insert(discovery.name ?? "") }
      #expect(names == ["Pulse", "Other"])

      let peripheral = try await central.scan(where: .named("Pulse")).connect()
      var beats: [UInt16] = []
      for try await beat in peripheral.values(of: .heartRateMeasurement) {
        beats.append(beat.beatsPerMinute)
        if beats.count == 5 { break }
      }
      #expect(beats.count == 5)
      try await world.run(for: .seconds(1))
      #expect(!band.isSubscribed)
      try await peripheral.write(.resetEnergyExpended, to: .heartRateControlPoint)
      #expect(band.energyExpended <= 1)
      #expect(try await peripheral.read(.manufacturerName) == "Halcyon")
      #expect(try await peripheral.read(.batteryLevel) == 100)
      #expect(try await peripheral.readRSSI() < 0)
      await peripheral.disconnect()
      try await world.run(for: .seconds(1))
      #expect(!band.isConnected)
    }
  }

  @Test("PLX-07: the whole tree of services, characteristics and descriptors is discovered")
  func tree() async throws {
    try await Self.withLab { _, lab, _, peripheral in
      let services = try await peripheral.services()
      #expect(services.map(\.uuid).suffix(2) == ["FFE0", "FFF0"])
      let own = try #require(services.first { $0.uuid == "FFE0" })
      #expect(own.characteristics.map(\.uuid) == ["FFE1", "FFE2", "FFE3"])
      #expect(own.characteristics[1].descriptors.map(\.uuid) == ["2902"])
      #expect(own.characteristics[0].properties == [.read, .write, .writeWithoutResponse])
      #expect(own.characteristics[0].handle == lab.handles(of: "FFE1").first)
      #expect(peripheral.services == services)
    }
  }

  @Test("F35: the same characteristic in two services is two")
  func sameUUID() async throws {
    try await Self.withLab { _, _, _, peripheral in
      let value1 = try await peripheral.read(Self.first)
      #expect(value1 == [1])
      let value2 = try await peripheral.read(Self.second)
      #expect(value2 == [2])
    }
  }

  @Test("F02: what waits when the device is lost ends with disconnected and the reason")
  func lostWhileWaiting() async throws {
    try await Self.withLab { world, lab, central, peripheral in
      _ = try await peripheral.services()
      lab.onRequest { _ in .never }
      let read = Task { await bluetoothError { try await peripheral.read(Self.first) } }
      let values = Task {
        await bluetoothError { for try await _ in peripheral.values(of: Self.notifying, onReconnect: .end) {} }
      }
      try await world.run(for: .milliseconds(500))
      lab.moveOutOfRange()
      #expect(await read.value?.kind == .disconnected)
      #expect(await values.value?.kind == .disconnected)
      #expect(peripheral.lastError?.controllerStatus == HCIStatus(rawValue: 0x08))
      await expectError(.notConnected) { try await peripheral.readRSSI() }
      lab.onRequest(nil)
      lab.moveIntoRange()
      try await central.connect(to: peripheral)
      let value3 = try await peripheral.read(Self.first)
      #expect(value3 == [1])
    }
  }

  @Test("F05, F06, F07: a connect to a device that is away ends by cancellation and by time, and leaves no link behind")
  func connectToNobody() async throws {
    try await Self.withLab { world, lab, central, peripheral in
      await peripheral.disconnect()
      lab.moveOutOfRange()
      let task = Task { try await central.connect(to: peripheral, timeout: nil) }
      try await world.run(for: .seconds(100))
      let cancelled = world.now
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(world.now == cancelled)
      await expectError(.timedOut) { try await central.connect(to: peripheral, timeout: .seconds(5)) }
      lab.moveIntoRange()
      try await world.run(for: .seconds(60))
      #expect(!lab.isConnected)
      try await central.connect(to: peripheral)
      #expect(lab.isConnected)
    }
  }

  @Test("F01: when the adapter goes, every pending operation ends once with that reason; when it is back, all works")
  func powerLoss() async throws {
    try await Self.withLab { world, lab, central, peripheral in
      _ = try await peripheral.services()
      lab.onRequest { _ in .never }
      let scan = Task { await bluetoothError { for try await _ in central.scan(timeout: nil) {} } }
      let read = Task { await bluetoothError { try await peripheral.read(Self.first) } }
      let connect = Task {
        await bluetoothError { try await central.connect(to: PeerID(BluetoothAddress(1, .public))) }
      }
      try await world.run(for: .seconds(1))
      world.radioPower(false)
      #expect(await scan.value?.kind == .poweredOff)
      #expect(await read.value?.kind == .poweredOff)
      #expect(await connect.value?.kind == .poweredOff)
      #expect(peripheral.state.isDisconnected)
      lab.onRequest(nil)
      world.radioPower(true)
      try await central.ready()
      try await central.connect(to: peripheral)
      let value4 = try await peripheral.read(Self.first)
      #expect(value4 == [1])
    }
  }

  @Test("F16, F23: values before the reply to the subscription come, and a read ends with its own reply among values")
  func valuesBetween() async throws {
    try await Self.withLab { world, lab, _, peripheral in
      lab.onRequest { request in
        if request.isSubscription { return .notifyFirst([1], then: .after(.seconds(1), then: .normal)) }
        if request.kind == .read, request.characteristic == "FFE2" { return .notifyFirst([2]) }
        return .normal
      }
      var values = peripheral.values(of: Self.notifying).makeAsyncIterator()
      let value5 = try await values.next()
      #expect(value5 == [1])
      let value6 = try await peripheral.read(Self.notifying)
      #expect(value6 == [9])
      let value7 = try await values.next()
      #expect(value7 == [2])
    }
  }

  @Test("F20, F21, F25: two readers get each value with its own bytes; the device is asked once and told at the last")
  func twoReaders() async throws {
    try await Self.withLab { world, lab, _, peripheral in
      let subscriptions = Mutex<[UInt8]>([])
      lab.onRequest { request in
        if request.isSubscription { subscriptions.withLock { $0.append(request.bytes[3]) } }
        return .normal
      }
      let counts = [2, 4]
      let readers = counts.map { count in
        Task {
          var received: [[UInt8]] = []
          for try await value in peripheral.values(of: Self.notifying) {
            received.append(value)
            if received.count == count { break }
          }
          return received
        }
      }
      try await world.run(for: .seconds(1))
      for index in 0..<4 { try lab.notify([UInt8(index), 7], of: "FFE2") }
      let expected: [[UInt8]] = [[0, 7], [1, 7], [2, 7], [3, 7]]
      #expect(try await readers[0].value == Array(expected.prefix(2)))
      #expect(try await readers[1].value == expected)
      try await world.run(for: .seconds(1))
      #expect(subscriptions.withLock { $0 } == [1, 0])
    }
  }

  @Test("F22: a subscription that the device refuses throws its ATT error")
  func refused() async throws {
    try await Self.withLab { _, lab, _, peripheral in
      lab.onRequest { $0.isSubscription ? .error(.insufficientAuthentication) : .normal }
      await expectError(.att(.insufficientAuthentication)) {
        for try await _ in peripheral.values(of: Self.notifying) {}
      }
    }
  }

  @Test("F26: five hundred writes without response arrive, all and in order")
  func manyWrites() async throws {
    try await Self.withLab { world, lab, _, peripheral in
      for index in 0..<500 {
        try await peripheral.write(
          [UInt8(index & 0xFF), UInt8(index >> 8)] + [UInt8](repeating: 0, count: 18),
          to: Self.first,
          type: .withoutResponse
        )
      }
      try await world.run(for: .seconds(5))
      let order = lab.written(to: "FFE1").map { Int($0[0]) | Int($0[1]) << 8 }
      #expect(order == Array(0..<500))
    }
  }

  @Test("F29: two writes at once each end with their own reply")
  func twoWrites() async throws {
    try await Self.withLab { _, lab, _, peripheral in
      lab.onRequest { request in
        guard request.kind == .write else { return .normal }
        return request.bytes.last == 1 ? .after(.seconds(2)) : .error(.writeNotPermitted)
      }
      let slow = Task { try await peripheral.write([1], to: Self.first) }
      let refused = Task { await bluetoothError { try await peripheral.write([2], to: Self.first) } }
      _ = try await slow.value
      #expect(await refused.value?.kind == .att(.writeNotPermitted))
      #expect(lab.written(to: "FFE1") == [[1]])
    }
  }

  @Test("F33: a value that fits no write command is an error; a long one with response arrives whole")
  func longWrites() async throws {
    try await Self.withLab { _, lab, _, peripheral in
      _ = try await peripheral.services()
      let most = peripheral.maximumWriteLength(for: .withoutResponse)
      #expect(most == 244)
      await expectError(.tooLong) {
        try await peripheral.write([UInt8](repeating: 3, count: most + 1), to: Self.first, type: .withoutResponse)
      }
      let long = (0..<512).map { UInt8($0 & 0xFF) }
      try await peripheral.write(long, to: Self.first)
      let value8 = try await peripheral.read(Self.first)
      #expect(value8 == long)
    }
  }

  @Test(
    "F41, F42: nonsense for an answer is an error of the operation or the connection, and the next connection works"
  )
  func nonsense() async throws {
    try await Self.withLab { _, lab, central, peripheral in
      lab.onRequest {
        $0.kind == .readByGroupType || $0.kind == .readByType ? .raw([$0.kind.rawValue + 1, 0]) : .normal
      }
      #expect(await bluetoothError { try await peripheral.services() } != nil)
      lab.onRequest { $0.kind == .read ? .raw([0x0B] + [UInt8](repeating: 1, count: 2000)) : .normal }
      if peripheral.state.isDisconnected { try await central.connect(to: peripheral) }
      #expect(await bluetoothError { try await peripheral.read(Self.first) } != nil)
      lab.onRequest(nil)
      if peripheral.state.isDisconnected { try await central.connect(to: peripheral) }
      let value9 = try await peripheral.read(Self.first)
      #expect(value9 == [1])
    }
  }

  @Test("F17, F18: a ride through a tunnel: the stream goes on after the reconnect, each value once")
  func tunnel() async throws {
    try await World.simulated(seed: 3) { world in
      let band = world.add(.heartRateBand(name: "Pulse"))
      let central = Central(radio: world.radio)
      try await central.ready()
      let peripheral = try await central.scan(for: [.heartRate]).connect()
      let received = Mutex(0)
      let reader = Task {
        for try await _ in peripheral.values(of: .heartRateMeasurement) { received.withLock { $0 += 1 } }
      }
      let keeper = Task {
        for await state in peripheral.states where state.isDisconnected {
          try await central.connect(to: peripheral, timeout: nil)
        }
      }
      for _ in 0..<3 {
        try await world.run(for: .seconds(60))
        band.moveOutOfRange(for: .seconds(600))
        try await world.run(for: .seconds(660))
      }
      let count = received.withLock { $0 }
      #expect(peripheral.state.isReady)
      #expect(count > 300 && count <= band.measurementCount)
      reader.cancel()
      keeper.cancel()
      _ = await (reader.result, keeper.result)
    }
  }
}
