import BluetoothTypes
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@testable import Halcyon

@Suite("Connections", .reportsWorlds)
struct ConnectionTests {
  @Test("A connection is told of by the peripheral's state and by the central's events")
  func connects() async throws {
    try await Scene.run { scene in
      var events = scene.central.connectionEvents.makeAsyncIterator()
      let peripheral = try await scene.connected()
      #expect(peripheral.state.isReady)
      #expect(peripheral.id == Scene.device)
      guard case .connected(let connected) = await events.next() else {
        Issue.record("no event of the connection")
        return
      }
      #expect(connected === peripheral)
      guard case .ready(peripheral) = await events.next() else {
        Issue.record("no event that it is ready")
        return
      }
      await peripheral.disconnect()
      guard case .disconnected(_, nil) = await events.next() else {
        Issue.record("no event of the disconnect")
        return
      }
      #expect(peripheral.state.isDisconnected)
      #expect(peripheral.state.error == nil)
      #expect(await scene.radio.openClaims == 0)
    }
  }

  @Test(
    "F05: cancelling a connect to a device that is away cancels it at the radio and throws CancellationError at once"
  )
  func cancelConnect() async throws {
    try await Scene.run { scene in
      await scene.radio.set { $0.held = [.connect, .release] }
      let task = Task { try await scene.central.connect(to: Scene.device, timeout: nil) }
      try await scene.settle()
      #expect(await scene.radio.openClaims == 1)
      let start = scene.world.now
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(scene.world.now == start)
      #expect(await scene.radio.openClaims == 0)
    }
  }

  @Test("F06: the time-out of a connect cancels it at the radio; a link that would come up late has no owner here")
  func connectTimesOut() async throws {
    try await Scene.run { scene in
      await scene.radio.set { $0.held = [.connect] }
      let start = scene.world.now
      let error = await bluetoothError { try await scene.central.connect(to: Scene.device, timeout: .seconds(5)) }
      #expect(error?.kind == .timedOut)
      #expect(error?.operation == .connect)
      #expect(error?.peripheral?.id == Scene.device)
      #expect(start.duration(to: scene.world.now) == .seconds(5))
      #expect(await scene.radio.openClaims == 0)
      await scene.radio.letGo(.connect)
      #expect(await scene.radio.openClaims == 0)
      let peripheral = try await scene.connected()
      #expect(peripheral.state.isReady)
    }
  }

  @Test("F07: cancelling needs no event from the radio, and a new connect does not wait for the old one's end")
  func cancelNeedsNoEvent() async throws {
    try await Scene.run { scene in
      await scene.radio.set { $0.held = [.connect, .release] }
      let task = Task { try await scene.central.connect(to: Scene.device, timeout: nil) }
      try await scene.settle()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await scene.radio.set { $0.held = [.release] }
      #expect(try await scene.connected().state.isReady)
    }
  }

  @Test("F08: a connect that fails at the controller throws, and the state ends at disconnected with the reason")
  func connectFails() async throws {
    try await Scene.run { scene in
      let failure = RadioFailure(
        .connectionFailed,
        underlying: .hci(HCIStatus(rawValue: 0x3E)),
        reason: "failed to be established"
      )
      await scene.radio.set { $0.connectFailure = failure }
      var events = scene.central.connectionEvents.makeAsyncIterator()
      let error = await bluetoothError { try await scene.connected() }
      #expect(error?.kind == .connectionFailed)
      #expect(error?.controllerStatus == HCIStatus(rawValue: 0x3E))
      guard case .failed(let peripheral, let told) = await events.next() else {
        Issue.record("no event of the failure")
        return
      }
      #expect(told.kind == .connectionFailed)
      #expect(peripheral.state.error?.kind == .connectionFailed)
      #expect(peripheral.lastError?.kind == .connectionFailed)
    }
  }

  @Test("Connects at the same time share one claim; it is given up with the last of them")
  func sharedConnect() async throws {
    try await Scene.run { scene in
      await scene.radio.set { $0.held = [.connect] }
      let first = Task { try await scene.central.connect(to: Scene.device) }
      let second = Task { try await scene.central.connect(to: Scene.device) }
      try await scene.settle()
      first.cancel()
      await #expect(throws: CancellationError.self) { try await first.value }
      #expect(await scene.radio.openClaims == 1)
      await scene.radio.letGo(.connect)
      #expect(try await second.value.state.isReady)
      #expect(await scene.radio.count(.connect(Scene.device)) == 1)
    }
  }

  @Test("A lost connection ends with the reason; the next one begins clean")
  func lost() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      _ = try await peripheral.services()
      #expect(peripheral.services.count == 4)
      await scene.radio.loseLinks()
      #expect(peripheral.state.error?.kind == .disconnected)
      #expect(peripheral.lastError?.controllerStatus == HCIStatus(rawValue: 0x08))
      await expectError(.notConnected) { try await peripheral.read(.level) }
      try await scene.central.connect(to: peripheral)
      #expect(peripheral.lastError == nil)
      #expect(peripheral.services.isEmpty)
      #expect(try await peripheral.read(.level) == 80)
    }
  }

  @Test("States are told current first, and a slow reader gets the newest")
  func states() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      var states = peripheral.states.makeAsyncIterator()
      #expect(await states.next()?.isReady == true)
      await scene.radio.loseLinks()
      try await scene.central.connect(to: peripheral)
      #expect(await states.next()?.isReady == true)
      var radio = scene.central.states.makeAsyncIterator()
      #expect(await radio.next() == .poweredOn)
      await scene.radio.setPower(.poweredOff)
      #expect(await radio.next()?.power == .poweredOff)
      #expect(scene.central.state.power == .poweredOff)
    }
  }

  @Test("F01: when Bluetooth goes off, every pending operation ends once, with that reason")
  func powerLoss() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      _ = try await peripheral.services()
      await scene.radio.set { $0.held = [.request, .connect] }
      let scan = Task { await bluetoothError { for try await _ in scene.central.scan() {} } }
      let read = Task { await bluetoothError { try await peripheral.read(.level) } }
      let write = Task { await bluetoothError { try await peripheral.write([1], to: .control) } }
      let rssi = Task { await bluetoothError { try await peripheral.readRSSI() } }
      let values = Task {
        await bluetoothError { for try await _ in peripheral.values(of: .measurement, onReconnect: .end) {} }
      }
      try await scene.settle()
      await scene.radio.setPower(.poweredOff)
      for task in [scan, read, write, rssi, values] { #expect(await task.value?.kind == .poweredOff) }
      for task in [scan, read, write, rssi, values] { task.cancel() }
      #expect(peripheral.state.error?.kind == .poweredOff)
      await expectError(.poweredOff) { try await scene.connected() }
      await scene.radio.setPower(.poweredOn)
      await scene.radio.set { $0.held = [] }
      #expect(try await scene.connected().read(.level) == 80)
    }
  }

  @Test("F02: a request that waits when the connection is lost fails with disconnected and the reason")
  func requestAtDisconnect() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      await scene.radio.set { $0.held = [.request] }
      let task = Task { await bluetoothError { try await peripheral.readRSSI() } }
      try await scene.settle()
      await scene.radio.loseLinks()
      let error = await task.value
      #expect(error?.kind == .disconnected)
      #expect(error?.operation == .readRSSI)
      #expect(error?.controllerStatus == HCIStatus(rawValue: 0x08))
    }
  }

  @Test("LBT-16: the strength of a link is waited for as long as was asked for, or as is usual")
  func strengthTimeLimit() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      await scene.radio.set { $0.held = [.request] }
      for (limit, wait) in [(Timeout.seconds(3), Duration.seconds(3)), (.default, .seconds(10))] {
        let before = scene.world.now
        let error = await bluetoothError { try await peripheral.readRSSI(timeout: limit) }
        #expect(error?.kind == .timedOut)
        #expect(error?.operation == .readRSSI)
        #expect(before.duration(to: scene.world.now) == wait)
      }
    }
  }

  @Test("F02: the strength of a link that is lost is not waited for, also where the radio answers late or never")
  func strengthAtDisconnect() async throws {
    try await Scene.run { scene in
      let ends: [(BluetoothError.Kind, @Sendable (Peripheral) async -> Void)] = [
        (.disconnected, { _ in await scene.radio.loseLinksUnanswered() }),
        (.disconnected, { await $0.disconnect() }),
        (.poweredOff, { _ in await scene.radio.setPower(.poweredOff) }),
      ]
      for (kind, end) in ends {
        let peripheral = try await scene.connected()
        await scene.radio.set { $0.held = [.request] }
        let task = Task { await bluetoothError { try await peripheral.readRSSI(timeout: nil) } }
        try await scene.settle()
        let before = scene.world.now
        await end(peripheral)
        let error = await task.value
        #expect(error?.kind == kind)
        #expect(error?.operation == .readRSSI)
        #expect(scene.world.now == before)
        // The answer comes after all, and is nobody's.
        await scene.radio.letGo(.request)
        await scene.radio.setPower(.poweredOn)
        #expect(peripheral.rssi == nil)
      }
      #expect(try await scene.connected().readRSSI() == -61)
    }
  }

  @Test("F08: the reason why a connect failed stays when the radio is done with an earlier disconnect late")
  func lateRelease() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      await scene.radio.set { $0.held = [.release] }
      let done = Task { await peripheral.disconnect() }
      try await scene.settle()
      await scene.radio.set { $0.connectFailure = RadioFailure(.connectionFailed, reason: "no room") }
      await expectError(.connectionFailed) { try await scene.connected() }
      #expect(peripheral.state.error?.kind == .connectionFailed)
      await scene.radio.letGo(.release)
      await done.value
      #expect(peripheral.state.error?.kind == .connectionFailed)
    }
  }

  @Test("A disconnect by the program fails what is pending, says so, and returns when the radio is done")
  func localDisconnect() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      await scene.radio.set { $0.held = [.request, .release] }
      let read = Task { await bluetoothError { try await peripheral.read(.level) } }
      try await scene.settle()
      let done = Task { await peripheral.disconnect() }
      try await scene.settle()
      guard case .disconnecting = peripheral.state else {
        Issue.record("the state is \(peripheral.state)")
        return
      }
      let error = await read.value
      #expect(error?.kind == .disconnected)
      #expect(error?.message.contains("this program ended the connection") == true)
      #expect(await scene.radio.count(.abandon) == 1)
      await scene.radio.letGo(.release)
      await done.value
      #expect(peripheral.state.isDisconnected)
      await peripheral.disconnect()
    }
  }

  @Test("A disconnect ends a connect that is under way")
  func disconnectWhileConnecting() async throws {
    try await Scene.run { scene in
      await scene.radio.set { $0.held = [.connect] }
      let peripheral = await scene.central.core.peripheral(Scene.device)
      let task = Task { await bluetoothError { try await scene.connected() } }
      try await scene.settle()
      await peripheral.disconnect()
      #expect(await task.value?.kind == .disconnected)
      #expect(await scene.radio.openClaims == 0)
    }
  }

  @Test("ready waits until Bluetooth is on, and says why if it never is")
  func ready() async throws {
    try await Scene.run(state: .unknown) { scene in
      let task = Task { try await scene.central.ready() }
      try await scene.settle()
      await scene.radio.setPower(.poweredOn)
      try await task.value
      try await scene.central.ready()
    }
    try await Scene.run(state: RadioState(.poweredOff, reason: "port refused")) { scene in
      let error = await bluetoothError { try await scene.central.ready(within: .seconds(2)) }
      #expect(error?.kind == .timedOut)
      #expect(error?.message.contains("port refused") == true)
    }
    try await Scene.run(state: RadioState(.unauthorized)) { scene in
      await expectError(.unauthorized) { try await scene.central.ready() }
    }
  }

  @Test("The connection ends with the last reference to the peripheral, and the central goes with its last")
  func lifetimes() async throws {
    try await Scene.run { scene in
      var peripheral: Peripheral? = try await scene.connected()
      weak let gone = peripheral?.core
      #expect(await scene.radio.openClaims == 1)
      peripheral = nil
      #expect(gone == nil)
      #expect(await scene.radio.openClaims == 0)

      var other: Central? = Central(radio: scene.radio)
      #expect(await scene.radio.observerCount == 2)
      weak let core = other?.core
      var states = other?.states.makeAsyncIterator()
      _ = await states?.next()
      other = nil
      #expect(core == nil)
      #expect(await states?.next() == nil)
      #expect(await scene.radio.observerCount == 1)
    }
  }
}
