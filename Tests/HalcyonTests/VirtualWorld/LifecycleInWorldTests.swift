import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Scans and connections on the whole stack", .reportsWorlds)
struct LifecycleInWorldTests {
  /// A device that is never there.
  static let nobody = PeerID(BluetoothAddress(0xC000_0000_0009, .random))

  @Test("PLX-03, F04: a scan stops at the controller by its limit, by stopScan, by break and by cancellation")
  func scansStop() async throws {
    try await Stage.run { stage in
      let central = stage.central
      var found = 0
      for try await _ in central.scan(limit: 1) { found += 1 }
      #expect(found == 1)
      try await stage.expectQuiet()

      let stopped = Task { for try await _ in central.scan(timeout: nil) {} }
      try await stage.world.run(for: .seconds(2))
      #expect(stage.activity?.isScanning == true)
      await central.stopScan()
      try await stopped.value
      try await stage.expectQuiet()

      for try await _ in central.scan() { break }
      try await stage.expectQuiet()

      let cancelled = Task { for try await _ in central.scan(timeout: nil) {} }
      try await stage.world.run(for: .seconds(2))
      let before = stage.world.now
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      #expect(stage.world.now == before)
      try await stage.expectQuiet()
    }
  }

  @Test("LBT-02: one expression goes from nothing to a value of a device")
  func chain() async throws {
    try await Stage.run { stage in
      stage.world.add(.heartRateBand(name: "Pulse", location: .wrist))
      let location = try await stage.central.scan(for: [.heartRate], timeout: .seconds(10))
        .filter { $0.name == "Pulse" }
        .connect(timeout: .seconds(10))
        .read(.bodySensorLocation)
      #expect(location == .wrist)
      try await stage.expectQuiet()
    }
  }

  @Test("link options that no controller can follow are refused as an argument, and others are brought into range")
  func linkOptions() async throws {
    try await Stage.run { stage in
      stage.world.add(.heartRateBand(name: "Pulse"))
      let discovery = try #require(try await stage.central.scan(limit: 1).first { _ in true })
      let silent = LinkOptions(interval: .seconds(4) ... .seconds(4), latency: 499, supervisionTimeout: .seconds(1))
      let error = await #expect(throws: BluetoothError.self) {
        try await stage.central.connect(to: discovery, options: silent)
      }
      #expect(error?.kind == .invalidArgument)
      #expect(error?.message.contains("lower the latency or the interval") == true)
      let odd = LinkOptions(interval: .zero ... .zero, latency: 0, supervisionTimeout: .seconds(-1))
      let device = try await stage.central.connect(to: discovery, options: odd)
      #expect(device.state.isReady)
    }
  }

  @Test("F01: everything that is pending when Bluetooth goes off ends once with poweredOff, at that moment")
  func powerOff() async throws {
    try await Stage.run { stage in
      let (central, device) = (stage.central, stage.device)
      let peripheral = try await stage.connected()
      _ = try await peripheral.services()
      device.onRequest { request in request.kind == .read || request.isSubscription ? .never : .normal }
      let tasks: [Task<Void, any Error>] = [
        Task { for try await _ in central.scan(for: ["AAAA"], timeout: nil) {} },
        Task { _ = try await peripheral.read(.setting, timeout: nil) },
        Task { _ = try await peripheral.read(.otherSetting, timeout: nil) },
        Task { for try await _ in peripheral.values(of: .count, onReconnect: .end) {} },
        Task { _ = try await central.connect(to: Self.nobody, timeout: nil) },
      ]
      try await stage.world.run(for: .seconds(5))
      let before = stage.world.now
      stage.world.radioPower(false)
      for (index, task) in tasks.enumerated() {
        await expectError(.poweredOff) { try await task.value }
        #expect(stage.world.now == before, "task \(index)")
      }
      #expect(peripheral.state.isDisconnected)
      await expectError(.poweredOff) { try await stage.connected() }
      await expectError(.poweredOff) { for try await _ in central.scan() {} }
      device.onRequest(nil)
      try await stage.world.run(for: .seconds(5))
      stage.world.radioPower(true)
      try await central.ready()
      #expect(try await stage.connected().read(.setting) == 7)
    }
  }

  @Test("F01: Bluetooth going off and the cancellation of everything at one moment end everything once")
  func powerOffAndCancel() async throws {
    try await Stage.run { stage in
      for cancelsFirst in [true, false] {
        let central = stage.central
        let scan = Task { for try await _ in central.scan(for: ["AAAA"], timeout: nil) {} }
        let connect = Task { _ = try await central.connect(to: Self.nobody, timeout: nil) }
        try await stage.world.run(for: .seconds(1))
        if cancelsFirst { scan.cancel(); connect.cancel() }
        stage.world.radioPower(false)
        if !cancelsFirst { scan.cancel(); connect.cancel() }
        await #expect(throws: CancellationError.self) { try await scan.value }
        await #expect(throws: CancellationError.self) { try await connect.value }
        try await stage.settle()
        stage.world.radioPower(true)
        try await central.ready()
        try await stage.expectQuiet()
      }
    }
  }

  @Test("F02: each kind of request that waits when the device goes fails with disconnected, at that moment")
  func requestsFailWithTheLink() async throws {
    try await Stage.run { stage in
      let device = stage.device
      for kind in 0..<5 {
        let peripheral = try await stage.connected()
        if kind > 0 { _ = try await peripheral.services() }
        device.onRequest { _ in .never }
        let task: Task<Void, any Error> = Task {
          switch kind {
          case 0: _ = try await peripheral.services(timeout: nil)
          case 1: _ = try await peripheral.read(.setting, timeout: nil)
          case 2: _ = try await peripheral.write(1, to: .setting, timeout: nil)
          case 3: for try await _ in peripheral.values(of: .count, onReconnect: .end, timeout: nil) {}
          default: _ = try await peripheral.write(CountingDevice.longValue, to: .bulk, timeout: nil)
          }
        }
        try await stage.world.run(for: .seconds(3))
        device.disconnect()
        let error = await bluetoothError { try await task.value }
        #expect(error?.kind == .disconnected, "request \(kind): \(String(describing: error))")
        #expect(error?.controllerStatus == .remoteUserTerminatedConnection, "request \(kind)")
        device.onRequest(nil)
        try await stage.settle()
      }
      // Also where the device is just not heard any more.
      let peripheral = try await stage.connected()
      device.onRequest { _ in .never }
      let task = Task { _ = try await peripheral.read(.setting, timeout: nil) }
      try await stage.world.run(for: .seconds(1))
      let before = stage.world.now
      device.moveOutOfRange()
      let error = await bluetoothError { try await task.value }
      #expect(error?.kind == .disconnected)
      #expect(error?.controllerStatus == .connectionTimeout)
      #expect(before.duration(to: stage.world.now) < .seconds(3))
      await expectError(.notConnected) { try await peripheral.readRSSI() }
    }
  }

  @Test("F05, F07: cancelling a connect to a device that is away ends it at once, here and at the controller")
  func cancelledConnect() async throws {
    try await Stage.run { stage in
      let (central, device) = (stage.central, stage.device)
      device.moveOutOfRange()
      let task = Task { try await central.connect(to: device.id, timeout: nil) }
      try await stage.world.run(for: .seconds(100))
      #expect(stage.activity?.isConnecting == true)
      let before = stage.world.now
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(stage.world.now == before)
      try await stage.expectQuiet()
      // Nothing comes up late.
      device.moveIntoRange()
      try await stage.world.run(for: .seconds(60))
      #expect(!device.isConnected)
      try await stage.expectQuiet()
      #expect(try await stage.connected().read(.setting) == 7)
    }
  }

  @Test("F06: the time limit of a connect ends it at the controller; minutes later no link comes up")
  func connectTimesOut() async throws {
    try await Stage.run { stage in
      stage.device.moveOutOfRange()
      let before = stage.world.now
      await expectError(.timedOut) { try await stage.central.connect(to: stage.device.id, timeout: .seconds(10)) }
      #expect(before.duration(to: stage.world.now) == .seconds(10))
      try await stage.expectQuiet()
      stage.device.moveIntoRange()
      try await stage.world.run(for: .seconds(600))
      #expect(!stage.device.isConnected)
    }
  }

  @Test("F06, F07: a connect that is given up just while the link comes up leaves no link behind", arguments: 0..<8)
  func givenUpAsItComesUp(step: Int) async throws {
    try await Stage.run(seed: UInt64(step + 1)) { stage in
      let central = stage.central
      let device = stage.device
      // The device is heard within 100 to 110 ms; the limits lie around that.
      for milliseconds in stride(from: 1 + step, to: 130, by: 8) {
        let before = stage.world.now
        do {
          let peripheral = try await central.connect(to: device.id, timeout: .milliseconds(milliseconds))
          await peripheral.disconnect()
        } catch {
          #expect((error as? BluetoothError)?.kind == .timedOut)
          #expect(before.duration(to: stage.world.now) == .milliseconds(milliseconds))
        }
        try await stage.world.run(for: .seconds(3))
        #expect(!device.isConnected)
        try await stage.expectQuiet()
      }
    }
  }

  @Test("F08: a connect that the controller refuses throws, and its state ends at disconnected")
  func controllerRefuses() async throws {
    try await Stage.run { stage in
      var held: [Peripheral] = []
      // As many links as the controller has room for.
      for index in 0..<8 {
        let device = stage.world.add(.counting(name: "Full \(index)"))
        held.append(try await stage.connected(device.id))
      }
      let events = Task { [central = stage.central] in
        for await event in central.connectionEvents { if case .failed(_, let error) = event { return error.kind } }
        return BluetoothError.Kind("none")
      }
      try await stage.world.settle()
      let error = await bluetoothError { try await stage.connected() }
      #expect(error?.kind == .connectionFailed, "\(String(describing: error))")
      #expect(error?.controllerStatus == .connectionLimitExceeded)
      #expect(await events.value == .connectionFailed)
      // The links that are there go on, and with room the connect works.
      for peripheral in held { #expect(try await peripheral.read(.setting) == 7) }
      await held.removeLast().disconnect()
      #expect(try await stage.connected().read(.setting) == 7)
    }
  }

  @Test("F08: a device that goes just when the link is made fails the connect, or the first request, with a reason")
  func deviceGoesAtOnce() async throws {
    try await Stage.run { stage in
      let (world, device) = (stage.world, stage.device)
      let isGone = Tally()
      world.watchPackets { _ in
        if device.isConnected || world.activity(of: world.radio)?.linkCount == 1, isGone.add() == 1 {
          device.moveOutOfRange()
        }
      }
      let before = world.now
      let error = await bluetoothError { try await stage.connected().read(.setting) }
      #expect([.connectionFailed, .disconnected].contains(error?.kind), "\(String(describing: error))")
      #expect(before.duration(to: world.now) < .seconds(5))
      world.watchPackets(nil)
      try await stage.expectQuiet()
    }
  }
}
