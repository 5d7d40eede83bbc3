import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Streams of values", .reportsWorlds)
struct ValuesTests {
  private func collect(_ count: Int, _ values: Values<[UInt8]>) -> Task<[[UInt8]], any Error> {
    Task {
      var received: [[UInt8]] = []
      for try await value in values {
        received.append(value)
        if received.count == count { break }
      }
      return received
    }
  }

  @Test("F16: values that come before the reply to the subscription are delivered")
  func earlyValues() async throws {
    try await Scene.run { scene in
      await scene.radio.set { radio in
        radio.held = [.subscribe]
        radio.earlyValues = [[1], [2]]
      }
      let peripheral = try await scene.connected()
      let task = collect(3, peripheral.values(of: .measurement))
      try await scene.settle()
      await scene.radio.letGo(.subscribe)
      await scene.radio.notify(Table.measurement, [3])
      #expect(try await task.value == [[1], [2], [3]])
    }
  }

  @Test("F20, F21: two readers get each value once, and one that stops leaves the other's in place")
  func twoReaders() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      let values = peripheral.values(of: .measurement)
      let first = collect(1, values)
      let second = collect(3, values)
      try await scene.settle()
      #expect(await scene.radio.openSubscriptions == 2)
      await scene.radio.notify(Table.measurement, [1])
      #expect(try await first.value == [[1]])
      try await scene.settle()
      #expect(await scene.radio.openSubscriptions == 1)
      await scene.radio.notify(Table.measurement, [2])
      await scene.radio.notify(Table.measurement, [3])
      #expect(try await second.value == [[1], [2], [3]])
      try await scene.settle()
      #expect(await scene.radio.openSubscriptions == 0)
    }
  }

  @Test("F22: a subscription that the device refuses throws its ATT error")
  func refused() async throws {
    try await Scene.run { scene in
      let code = ATTErrorCode(rawValue: 0x05)
      await scene.radio.set { radio in
        radio.refusals[Table.measurement] = RadioFailure(.att, underlying: .att(code, Table.measurement), reason: "")
      }
      let peripheral = try await scene.connected()
      let error = await bluetoothError { for try await _ in peripheral.values(of: .measurement) {} }
      #expect(error?.kind == .att(code))
      #expect(error?.operation == .subscribe)
      #expect(await scene.radio.openSubscriptions == 0)
    }
  }

  @Test("F23: a read ends with its own reply while the same characteristic notifies")
  func readWhileNotifying() async throws {
    try await Scene.run { scene in
      await scene.radio.set { $0.values[Table.measurement] = [9] }
      let peripheral = try await scene.connected()
      let values = collect(1, peripheral.values(of: .measurement))
      try await scene.settle()
      await scene.radio.set { $0.held = [.request] }
      let read = Task { try await peripheral.read(.measurement) }
      try await scene.settle()
      await scene.radio.notify(Table.measurement, [1])
      #expect(try await values.value == [[1]])
      await scene.radio.letGo(.request)
      #expect(try await read.value == [9])
    }
  }

  @Test("F25: each value keeps its own bytes, however late it is read")
  func ownBytes() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      var values = peripheral.values(of: .measurement).makeAsyncIterator()
      let first = Task { try await peripheral.read(.level) }
      _ = try await first.value
      let reader = Task {
        var received: [[UInt8]] = []
        for _ in 0..<3 { if let value = try await values.next() { received.append(value) } }
        return received
      }
      try await scene.settle()
      for index in 0..<3 { await scene.radio.notify(Table.measurement, [UInt8(index), 0xFF]) }
      #expect(try await reader.value == [[0, 0xFF], [1, 0xFF], [2, 0xFF]])
    }
  }

  @Test("F19: the newest are kept and what is dropped is counted, or the stream ends at the limit, as chosen")
  func buffering() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      let newest = peripheral.values(of: .measurement, buffering: .newest(2))
      let failing = peripheral.values(of: .measurement, buffering: .failing(2))
      let tasks = [newest, failing].map { values in
        Task {
          var received: [UInt8] = []
          var kind: BluetoothError.Kind?
          do {
            for try await value in values {
              received += value
              if received == [0] { try await scene.world.run(for: .seconds(1)) }
              if received.last == 4 { break }
            }
          } catch let error as BluetoothError { kind = error.kind }
          return (received, kind)
        }
      }
      try await scene.settle()
      await scene.radio.notify(Table.measurement, [0])
      try await scene.settle()
      for index in 1...4 { await scene.radio.notify(Table.measurement, [UInt8(index)]) }
      #expect(try await tasks[0].value == ([0, 3, 4], nil))
      #expect(newest.dropped == 2)
      #expect(try await tasks[1].value == ([0, 1, 2], .overflow))
      try await scene.settle()
      #expect(await scene.radio.openSubscriptions == 0)
    }
  }

  @Test("A value that is not of its type ends the stream with undecodable")
  func undecodable() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      let wide = Characteristic<UInt16>("2A37", in: "180D")
      let task = Task { await bluetoothError { for try await _ in peripheral.values(of: wide) {} } }
      try await scene.settle()
      await scene.radio.notify(Table.measurement, [1, 2])
      await scene.radio.notify(Table.measurement, [1])
      #expect(await task.value?.kind == .undecodable)
      try await scene.settle()
      #expect(await scene.radio.openSubscriptions == 0)
    }
  }

  @Test("A cancelled stream throws CancellationError at once and leaves")
  func cancelled() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      let task = collect(9, peripheral.values(of: .measurement))
      try await scene.settle()
      #expect(await scene.radio.openSubscriptions == 1)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(await scene.radio.openSubscriptions == 0)
    }
  }

  @Test("A stream that waits for the device's agreement is bounded, and leaves at the limit")
  func subscribeTimesOut() async throws {
    try await Scene.run { scene in
      await scene.radio.set { $0.held = [.subscribe] }
      let peripheral = try await scene.connected()
      let values = peripheral.values(of: .measurement, timeout: .seconds(3))
      await expectError(.timedOut) { for try await _ in values {} }
      #expect(await scene.radio.openSubscriptions == 0)
    }
  }

  @Test("F17, F18: after a reconnect a stream goes on, and each value comes once")
  func resubscribes() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      let task = collect(3, peripheral.values(of: .measurement))
      try await scene.settle()
      for index in 1...3 {
        await scene.radio.notify(Table.measurement, [UInt8(index)])
        await scene.radio.loseLinks()
        try await scene.central.connect(to: peripheral)
        try await scene.settle()
        #expect(await scene.radio.openSubscriptions == (index < 3 ? 1 : 0))
      }
      #expect(try await task.value == [[1], [2], [3]])
    }
  }

  @Test("F18: a stream that is to end with its connection throws disconnected with the reason")
  func endsWithTheConnection() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      let task = Task {
        await bluetoothError { for try await _ in peripheral.values(of: .measurement, onReconnect: .end) {} }
      }
      try await scene.settle()
      await scene.radio.loseLinks()
      let error = await task.value
      #expect(error?.kind == .disconnected)
      #expect(error?.controllerStatus == HCIStatus(rawValue: 0x08))
    }
  }

  @Test(
    "F38: when the device's services change, a stream finds its characteristic at its new place, once for each reader"
  )
  func servicesChange() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      let tasks = [
        collect(2, peripheral.values(of: .measurement)),
        collect(2, peripheral.values(of: .measurement, onReconnect: .end)),
      ]
      try await scene.settle()
      await scene.radio.notify(Table.measurement, [1])
      let moved = AttributeHandle(0x71)
      await scene.radio.changeServices(
        to: [Table.service(0x70, "180D", [Table.characteristic(moved, "2A37", .notify)])]
      )
      try await scene.settle()
      #expect(await scene.radio.openSubscriptions == 2)
      #expect(await scene.radio.count(.unsubscribe(Table.measurement)) == 2)
      await scene.radio.notify(Table.measurement, [7])
      await scene.radio.notify(moved, [2])
      for task in tasks { #expect(try await task.value == [[1], [2]]) }
      try await scene.settle()
      #expect(await scene.radio.openSubscriptions == 0)
    }
  }

  @Test("F38: a stream whose characteristic is gone from the device ends with that error; others are left alone")
  func servicesGo() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      let gone = Task { await bluetoothError { for try await _ in peripheral.values(of: .measurement) {} } }
      try await scene.settle()
      let elsewhere = AttributeHandle(0x80)...AttributeHandle(0x90)
      await scene.radio.changeServices(to: Table.services, in: elsewhere)
      try await scene.settle()
      #expect(await scene.radio.count(.subscribe(Table.measurement)) == 1)
      await scene.radio.changeServices(to: Array(Table.services.dropFirst()))
      #expect(await gone.value?.kind == .serviceNotFound)
      #expect(await scene.radio.openSubscriptions == 0)
    }
  }

  @Test("F38: a stream that has asked for its subscription when the services change asks anew, in its time")
  func servicesChangeWhileSubscribing() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      await scene.radio.set { $0.held = [.subscribe, .discover] }
      let task = collect(1, peripheral.values(of: .measurement, timeout: .seconds(5)))
      try await scene.settle()
      await scene.radio.changeServices(to: Table.services)
      await scene.radio.letGo(.discover)
      try await scene.settle()
      await scene.radio.changeServices(to: Table.services)
      try await scene.settle()
      #expect(await scene.radio.openSubscriptions == 1)
      await scene.radio.letGo(.subscribe)
      try await scene.world.run(for: .seconds(60))
      await scene.radio.notify(Table.measurement, [1])
      #expect(try await task.value == [[1]])
    }
  }

  @Test("A disconnect by the program ends every stream")
  func localDisconnect() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      let task = Task { await bluetoothError { for try await _ in peripheral.values(of: .measurement) {} } }
      try await scene.settle()
      await peripheral.disconnect()
      #expect(await task.value?.kind == .disconnected)
      await expectError(.notConnected) { for try await _ in peripheral.values(of: .measurement) {} }
    }
  }

  @Test("F44: a stream holds its peripheral while it goes on, and lets it go when its task is cancelled")
  func lifetimes() async throws {
    try await Scene.run { scene in
      weak var peripheral: Peripheral?
      let task: Task<Void, any Error>
      do {
        let connected = try await scene.connected()
        let values = connected.values(of: .measurement)
        peripheral = connected
        task = Task { for try await _ in values {} }
      }
      try await scene.settle()
      #expect(await scene.radio.openClaims == 1)
      #expect(await scene.radio.openSubscriptions == 1)
      task.cancel()
      _ = await task.result
      try await scene.settle()
      #expect(peripheral == nil)
      #expect(await scene.radio.openSubscriptions == 0)
      #expect(await scene.radio.openClaims == 0)
    }
  }
}
