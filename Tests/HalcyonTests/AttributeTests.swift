import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Reading, writing and what is discovered for it", .reportsWorlds)
struct AttributeTests {
  @Test("LBT-06: a characteristic is named by its UUID and its service's, found on demand, and known from then on")
  func onDemand() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      #expect(try await peripheral.read(.level) == 80)
      #expect(try await peripheral.read(.level) == 80)
      #expect(await scene.radio.count(.discover(["180F"])) == 1)
      #expect(peripheral.services.map(\.uuid) == ["180F"])
    }
  }

  @Test("LBT-06: first uses at the same time share one discovery, also when one of them is cancelled")
  func sharedDiscovery() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      await scene.radio.set { $0.held = [.discover] }
      let first = Task { try await peripheral.read(.level) }
      let second = Task { try await peripheral.read(.level) }
      try await scene.settle()
      first.cancel()
      await #expect(throws: CancellationError.self) { try await first.value }
      #expect(await scene.radio.count(.abandon) == 0)
      await scene.radio.letGo(.discover)
      #expect(try await second.value == 80)
      #expect(await scene.radio.count(.discover(["180F"])) == 1)
    }
  }

  @Test("A discovery that nobody waits for any more is abandoned")
  func abandonedDiscovery() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      await scene.radio.set { $0.held = [.discover] }
      let error = await bluetoothError { try await peripheral.read(.level, timeout: .seconds(1)) }
      #expect(error?.kind == .timedOut)
      #expect(await scene.radio.count(.abandon) == 1)
      await scene.radio.set { $0.held = [] }
      #expect(try await peripheral.read(.level) == 80)
    }
  }

  @Test("PLX-07: services are discovered all or by filter, and each is asked for once")
  func services() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      #expect(try await peripheral.services(["180F", "AAAA"]).map(\.uuid) == ["180F"])
      #expect(try await peripheral.services().map(\.handle) == Table.services.map(\.handle))
      #expect(try await peripheral.services(["180D"]).first?.characteristics.map(\.uuid) == ["2A37", "2A38", "2A39"])
      #expect(await scene.radio.calls.suffix(2) == [.discover(["180F", "AAAA"]), .discover(nil)])
    }
  }

  @Test("What is not there is named: the service or the characteristic")
  func notFound() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      let first = await bluetoothError { try await peripheral.read(.noService) }
      #expect(first?.kind == .serviceNotFound)
      let error = await bluetoothError { try await peripheral.read(.noCharacteristic) }
      #expect(error?.kind == .characteristicNotFound)
      #expect(error?.characteristic?.uuid == "AAAA")
    }
  }

  @Test("F35: the same characteristic in two services is two, each with its own handle")
  func sameUUIDInTwoServices() async throws {
    try await Scene.run { scene in
      await scene.radio.set { $0.values[Table.command] = [7] }
      let peripheral = try await scene.connected()
      #expect(try await peripheral.read(.level) == 80)
      #expect(try await peripheral.read(.command) == [7])
    }
  }

  @Test("F36: a name that means two is an error with the choices, and each choice works")
  func ambiguous() async throws {
    try await Scene.run { scene in
      await scene.radio.set { radio in
        radio.values[Table.first] = [1]
        radio.values[Table.second] = [2]
      }
      let peripheral = try await scene.connected()
      let error = await bluetoothError { try await peripheral.read(.twice) }
      #expect(error?.kind == .ambiguous)
      #expect(error?.choices.map(\.handle) == [Table.first, Table.second])
      #expect(error?.message.contains("0x0034") == true)
      var read: [UInt8] = []
      for choice in error?.choices ?? [] { read.append(try await peripheral.read(choice.typed(as: UInt8.self))) }
      #expect(read == [1, 2])
    }
  }

  @Test("An instance from an earlier connection holds if the same stands at its handle, else the error says so")
  func instancesAcrossConnections() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      let level = try #require(try await peripheral.services(["180F"]).first?.characteristics.first)
      await scene.radio.loseLinks()
      try await scene.central.connect(to: peripheral)
      #expect(try await peripheral.read(level) == [80])
      await scene.radio.changeServices(to: [])
      #expect(peripheral.services.isEmpty)
      await expectError(.characteristicNotFound) { try await peripheral.read(level) }
      await expectError(.serviceNotFound) { try await peripheral.read(.level) }
    }
  }

  @Test("What a characteristic does not allow is refused before anything is sent")
  func notPermitted() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      let unreadable = await bluetoothError { try await peripheral.read(.control) }
      #expect(unreadable?.kind == .notPermitted)
      let error = await bluetoothError { try await peripheral.write([1], to: .control, type: .withoutResponse) }
      #expect(error?.kind == .notPermitted)
      #expect(error?.message.contains("it allows only: write") == true)
      await expectError(.notPermitted) { for try await _ in peripheral.values(of: .location) {} }
      #expect(await scene.radio.calls.last == .discover(["180D"]))
    }
  }

  @Test("LBT-05: no bytes where a value needs some are an error, for a read and for a write; text may be empty")
  func emptyValues() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      await expectError(.empty) { try await peripheral.read(.empty) }
      #expect(try await peripheral.read(.text) == [])
      await expectError(.empty) { try await peripheral.write([], to: .control) }
    }
  }

  @Test("LBT-05: bytes that make no value of the type are an error that holds the reason")
  func undecodable() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      let wide = Characteristic<UInt32>("2A19", in: "180F")
      let error = await bluetoothError { try await peripheral.read(wide) }
      #expect(error?.kind == .undecodable)
      #expect(error?.underlying is ByteError)
    }
  }

  @Test("A refusal of the device is the error att with its code")
  func refused() async throws {
    try await Scene.run { scene in
      let code = ATTErrorCode(rawValue: 0x05)
      let refusal = RadioFailure(.att, underlying: .att(code, Table.level), reason: "")
      await scene.radio.set { $0.refusals[Table.level] = refusal }
      let peripheral = try await scene.connected()
      let error = await bluetoothError { try await peripheral.read(.level) }
      #expect(error?.kind == .att(code))
      #expect(error?.attCode == code)
    }
  }

  @Test("F29: each of two writes ends with its own reply")
  func writesEndWithTheirOwnReply() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      _ = try await peripheral.services()
      await scene.radio.set { $0.held = [.request] }
      let first = Task { try await peripheral.write([1], to: .control) }
      try await scene.settle()
      let second = Task { await bluetoothError { try await peripheral.write([2], to: .control, timeout: .seconds(1)) } }
      try await scene.settle()
      await scene.radio.letGoFirst(.request)
      _ = try await first.value
      #expect(await second.value?.kind == .timedOut)
      #expect(await scene.radio.calls.suffix(3) == [.write(Table.control, [1]), .write(Table.control, [2]), .abandon])
    }
  }

  @Test("F26, F27: a write without response waits for room and returns when there is some, however soon that is")
  func waitsForRoom() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      try await peripheral.write([0], to: .command)
      await scene.radio.set { $0.held = [.writeWithoutResponse] }
      let task = Task {
        for index in 1...3 { try await peripheral.write([UInt8(index)], to: .command, type: .withoutResponse) }
      }
      try await scene.settle()
      #expect(await scene.radio.calls.last == .writeWithoutResponse(Table.command, [1]))
      await scene.radio.letGoFirst(.writeWithoutResponse)
      try await scene.settle()
      #expect(await scene.radio.calls.last == .writeWithoutResponse(Table.command, [2]))
      await scene.radio.letGo(.writeWithoutResponse)
      try await task.value
      #expect(await scene.radio.calls.suffix(3) == [1, 2, 3].map { .writeWithoutResponse(Table.command, [$0]) })
    }
  }

  @Test("F28: a write that never gets room ends with its time limit, or with the connection")
  func roomNeverComes() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      await scene.radio.set { $0.held = [.writeWithoutResponse] }
      await expectError(.timedOut) { try await peripheral.write([1], to: .command) }
      let task = Task { await bluetoothError { try await peripheral.write([2], to: .command) } }
      try await scene.settle()
      await scene.radio.loseLinks()
      #expect(await task.value?.kind == .disconnected)
    }
  }

  @Test("F32, F33: 20 bytes fit until the MTU is exchanged, and a longer value is an error that says the most")
  func tooLong() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      #expect(peripheral.maximumWriteLength(for: .withoutResponse) == 20)
      let value = [UInt8](repeating: 1, count: 21)
      let error = await bluetoothError { try await peripheral.write(value, to: .command) }
      #expect(error?.kind == .tooLong)
      #expect(error?.message.contains("21 bytes and 20 is the most") == true)
      await scene.radio.changeMTU(to: 247)
      #expect(peripheral.maximumWriteLength(for: .withoutResponse) == 244)
      try await peripheral.write(value, to: .command)
      #expect(peripheral.maximumWriteLength(for: .withResponse) == 512)
      try await peripheral.write([UInt8](repeating: 1, count: 512), to: .control)
      let long = [UInt8](repeating: 1, count: 513)
      await expectError(.tooLong) { try await peripheral.write(long, to: .control) }
    }
  }

  @Test("A cancelled read throws CancellationError at once, and its late reply changes nothing")
  func cancelledRead() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      await scene.radio.set { $0.held = [.request] }
      let task = Task { try await peripheral.read(.level) }
      try await scene.settle()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(await scene.radio.count(.abandon) == 1)
      await scene.radio.letGo(.request)
      #expect(try await peripheral.read(.level) == 80)
    }
  }

  @Test("The signal strength is read and remembered")
  func rssi() async throws {
    try await Scene.run { scene in
      let peripheral = try await scene.connected()
      #expect(try await peripheral.readRSSI() == -61)
      #expect(peripheral.rssi == -61)
    }
  }
}
