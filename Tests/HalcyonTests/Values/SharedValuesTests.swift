import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Shared listens, results, and the channel of everything", .reportsWorlds)
struct SharedValuesTests {
  @Test(
    "LBT-08: a shared listen that is set up before the first connection starts with it; a stop ends every reader"
  )
  func beforeConnection() async throws {
    try await Stage.run { stage in
      let known = try await stage.connected()
      await known.disconnect()
      let counts = known.shared(of: .count)
      let readers = [Received<UInt32>(), Received<UInt32>()]
      let tasks = readers.map { reader in
        Task { for try await value in counts { await reader.add(value) } }
      }
      try await stage.world.run(for: .seconds(3))
      counts.start()
      #expect(counts.isStarted)
      try await stage.world.run(for: .seconds(3))
      #expect(stage.device.subscriberCount(of: "FFF1") == 0)
      try await stage.central.connect(to: known)
      try await stage.world.run(for: .milliseconds(3500))
      for reader in readers { #expect(await reader.all == [1, 2, 3]) }
      counts.stop()
      for task in tasks { try await task.value }
      #expect(!counts.isStarted)
      try await stage.settle()
      #expect(stage.device.subscriberCount(of: "FFF1") == 0)
    }
  }

  @Test(
    "LBT-08, F20, F21: nothing starts before it is told; one subscription serves all; a reader that leaves ends nothing"
  )
  func startsWhenTold() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      let subscriptions = Tally()
      stage.device.onRequest { request in
        if request.isSubscription { subscriptions.add() }
        return .normal
      }
      let counts = peripheral.shared(of: .count)
      let early = Received<UInt32>()
      let stays = Task { for try await value in counts { await early.add(value) } }
      let leaves = Task {
        for try await value in counts where value == 2 { return }
      }
      try await stage.world.run(for: .seconds(5))
      #expect(subscriptions.count == 0)
      counts.start()
      counts.start()
      try await leaves.value
      try await stage.world.run(for: .milliseconds(3500))
      #expect(subscriptions.count == 1)
      #expect(await early.all == [1, 2, 3, 4, 5])
      counts.stop()
      try await stays.value

      let again = Task { () -> UInt32? in
        for try await value in counts { return value }
        return nil
      }
      try await stage.settle()
      counts.start()
      #expect(try await again.value == 6)
    }
  }

  @Test(
    "LBT-08, LBT-09: a shared listen goes on after a reconnect, and ends with an error when the program disconnects"
  )
  func acrossConnections() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      let counts = peripheral.shared(of: .count)
      let reader = Received<UInt32>()
      let task = Task { for try await value in counts { await reader.add(value) } }
      try await stage.settle()
      counts.start()
      try await stage.world.run(for: .milliseconds(2500))
      stage.device.disconnect()
      try await stage.settle()
      try await stage.central.connect(to: peripheral)
      try await stage.world.run(for: .milliseconds(2500))
      #expect(await reader.all == Array(1...UInt32(stage.device.sent.count)))
      #expect(await reader.all.count > 3)
      await peripheral.disconnect()
      await expectError(.disconnected) { try await task.value }
      #expect(!counts.isStarted)
    }
  }

  @Test(
    "F22: a shared listen that the device refuses throws the ATT error for every reader, and can be started again"
  )
  func refusedListen() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      stage.device.onRequest { $0.isSubscription ? .error(.insufficientResources) : .normal }
      let counts = peripheral.shared(of: .count)
      let tasks = (0..<2).map { _ in Task { for try await _ in counts {} } }
      try await stage.settle()
      counts.start()
      for task in tasks { await expectError(.att(.insufficientResources)) { try await task.value } }
      stage.device.onRequest(nil)
      let again = Task { () -> UInt32? in
        for try await value in counts { return value }
        return nil
      }
      try await stage.settle()
      counts.start()
      #expect(try await again.value == 1)
    }
  }

  @Test("F44: a shared listen that nobody holds ends its subscription, and lets the peripheral go")
  func droppedListen() async throws {
    try await Stage.run { stage in
      weak var gone: Peripheral?
      do {
        let peripheral = try await stage.connected()
        gone = peripheral
        let counts = peripheral.shared(of: .count)
        counts.start()
        try await stage.world.run(for: .seconds(2))
        #expect(stage.device.subscriberCount(of: "FFF1") == 1)
      }
      try await stage.world.run(for: .seconds(2))
      #expect(gone == nil)
      #expect(!stage.device.isConnected)
    }
  }

  @Test("PLX-09: results go on after a value that can not be decoded; plain values end there")
  func results() async throws {
    try await Stage.run(Tool.describe) { stage in
      let peripheral = try await stage.connected()
      let wide = Characteristic<UInt16>("FFC4", in: "FFC0")
      let results = Task { () -> [Result<UInt16, BluetoothError>] in
        var all: [Result<UInt16, BluetoothError>] = []
        for try await result in peripheral.results(of: wide) {
          all.append(result)
          if all.count == 4 { break }
        }
        return all
      }
      let values = Task { for try await _ in peripheral.values(of: wide) {} }
      try await stage.world.run(for: .seconds(2))
      for bytes: [UInt8] in [[1, 0], [2], [], [3, 0]] {
        try stage.device.device.notify(bytes, of: "FFC4")
      }
      await expectError(.undecodable) { try await values.value }
      let all = try await results.value
      #expect(all.map { try? $0.get() } == [1, nil, nil, 3])
      let kinds = all.map { result -> BluetoothError.Kind? in
        if case .failure(let error) = result { error.kind } else { nil }
      }
      #expect(kinds == [nil, .undecodable, .empty, nil])
    }
  }

  @Test(
    "PLX-09, LBT-08, OK-13: notifications go on and off by themselves and come in one channel, each value once"
  )
  func channel() async throws {
    try await Stage.run(Tool.describe) { stage in
      let peripheral = try await stage.connected()
      let notified = Received<ReceivedValue>()
      let everything = Received<ReceivedValue>()
      let tasks = [
        Task { for try await value in peripheral.notifications() { await notified.add(value) } },
        Task {
          for try await value in stage.central.receivedValues() { await everything.add(value) }
        },
      ]
      try await stage.settle()
      try await peripheral.setNotifying(true, for: .count).setNotifying(true, for: .toolState)
      #expect(await peripheral.isNotifying(.count))
      // Readers of their own do not double what comes in the channel, nor does one that leaves end it.
      let reader = Task {
        for try await value in peripheral.values(of: .count) where value == 2 { return }
      }
      try await reader.value
      #expect(try await peripheral.read(.toolState) == 5)
      try stage.device.device.notify([6], of: "FFC4")
      try await stage.world.run(for: .seconds(2))
      let counts = try await notified.all.compactMap { try $0.value(of: .count) }
      #expect(counts == Array(1...UInt32(counts.count)) && counts.count >= 4)
      #expect(try await notified.all.compactMap { try $0.value(of: .toolState) } == [6])
      let states = try await everything.all.filter { try $0.value(of: .toolState) != nil }
      #expect(states.map(\.origin) == [.read, .notification] && states.map(\.bytes) == [[5], [6]])

      try await peripheral.setNotifying(false, for: .count)
      #expect(await !peripheral.isNotifying(.count))
      #expect(await peripheral.isNotifying(.toolState))
      try await stage.settle()
      #expect(stage.device.subscriberCount(of: "FFF1") == 0)
      #expect(stage.device.subscriberCount(of: "FFC4") == 1)
      for task in tasks {
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
      }
    }
  }

  @Test("F17, F18: what was switched on stays on across a loss of the connection, each value once")
  func stayingOn() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      let reader = Received<UInt32>()
      let task = Task {
        for try await value in peripheral.notifications() {
          await reader.add(try value.value(as: UInt32.self))
        }
      }
      try await stage.settle()
      try await peripheral.setNotifying(true, for: .count)
      for _ in 0..<3 {
        try await stage.world.run(for: .milliseconds(1500))
        stage.device.disconnect()
        try await stage.settle()
        try await stage.central.connect(to: peripheral)
      }
      try await stage.world.run(for: .milliseconds(1500))
      #expect(await reader.all == Array(1...UInt32(stage.device.sent.count)))
      await peripheral.disconnect()
      try await stage.central.connect(to: peripheral)
      try await stage.settle()
      #expect(stage.device.subscriberCount(of: "FFF1") == 0)
      task.cancel()
    }
  }

  @Test("F22, F02: switching on ends once: refused, out of time, cancelled, or with the connection")
  func refusedSwitch() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      await expectError(.notPermitted) { try await peripheral.setNotifying(true, for: .setting) }
      stage.device.onRequest { $0.isSubscription ? .error(.insufficientResources) : .normal }
      await expectError(.att(.insufficientResources)) {
        try await peripheral.setNotifying(true, for: .count)
      }
      stage.device.onRequest { $0.isSubscription ? .never : .normal }
      await expectError(.timedOut) {
        try await peripheral.setNotifying(true, for: .count, timeout: .seconds(2))
      }
      stage.device.disconnect()
      try await stage.settle()
      try await stage.central.connect(to: peripheral)
      let cancelled = Task { try await peripheral.setNotifying(true, for: .count) }
      let other = Task { try await peripheral.setNotifying(true, for: .count) }
      try await stage.settle()
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      stage.device.disconnect()
      await expectError(.disconnected) { try await other.value }
      stage.device.onRequest(nil)
      try await stage.central.connect(to: peripheral)
      try await peripheral.setNotifying(true, for: .count)
      #expect(stage.device.subscriberCount(of: "FFF1") == 1)
    }
  }

  @Test(
    "F19: in the channel of everything what a slow reader loses is counted, or ends it, as chosen"
  )
  func channelBuffering() async throws {
    try await Stage.run(every: .milliseconds(100)) { stage in
      let peripheral = try await stage.connected()
      let newest = peripheral.notifications(buffering: .newest(3))
      var slow = newest.makeAsyncIterator()
      var failing = peripheral.notifications(buffering: .failing(3)).makeAsyncIterator()
      try await peripheral.setNotifying(true, for: .count)
      try await stage.world.run(for: .seconds(1))
      try stage.device.device.setInterval(nil, of: "FFF1")
      try await stage.settle()
      let sent = stage.device.sent.count
      #expect(newest.dropped == sent - 3)
      #expect(try await slow.next()?.bytes == UInt32(sent - 2).bytes)
      for count in 1...3 { #expect(try await failing.next()?.bytes == UInt32(count).bytes) }
      let error = await bluetoothError { try await failing.next() }
      #expect(error?.kind == .overflow)
    }
  }
}
