import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Writes on the whole stack", .reportsWorlds)
struct WritesInWorldTests {
  @Test("F26, F27: hundreds of writes without response arrive, all, in order, whatever room there is")
  func manyCommands() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      let count = 600
      for number in 0..<count {
        // Lengths of one packet, of several fragments, and none that ends on a border only.
        let filler = [UInt8](repeating: 0xEE, count: number % 97)
        try await peripheral.write(UInt16(number).bytes + filler, to: .log)
      }
      try await stage.settle()
      let written = stage.device.device.written(to: "FFF3").map { UInt16($0[0]) | UInt16($0[1]) << 8 }
      #expect(written == (0..<UInt16(count)).map { $0 })
      #expect(stage.activity?.buffersInUse == 0)
    }
  }

  @Test("F26: writers at the same time each keep their order, and nothing is lost")
  func parallelCommands() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<8 as Range<UInt8> {
          group.addTask {
            for number in 0..<100 as Range<UInt8> { try await peripheral.write([writer, number], to: .log) }
          }
        }
        try await group.waitForAll()
      }
      try await stage.settle()
      let written = stage.device.device.written(to: "FFF3")
      #expect(written.count == 800)
      for writer in 0..<8 as Range<UInt8> {
        #expect(written.filter { $0[0] == writer }.map { $0[1] } == Array(0..<100))
      }
    }
  }

  @Test("F26, F28: writes without response that wait for room end with the link, at once or at its supervision timeout")
  func commandsAndLoss() async throws {
    try await Stage.run { stage in
      for isOrderly in [true, false] {
        let peripheral = try await stage.connected()
        _ = try await peripheral.services()
        if !isOrderly { stage.device.moveOutOfRange(for: .seconds(5)) }
        let tasks = (0..<100 as Range<UInt8>).map { number in Task { try await peripheral.write([number], to: .log) } }
        try await stage.world.settle()
        if isOrderly { stage.device.disconnect() }
        let before = stage.world.now
        var failures = 0
        for task in tasks {
          let error = await bluetoothError { try await task.value }
          if let error {
            failures += 1
            #expect(error.kind == .disconnected)
          }
        }
        #expect(failures > 0)
        #expect(before.duration(to: stage.world.now) < .seconds(3))
        try await stage.world.run(for: .seconds(6))
      }
    }
  }

  @Test("F29: requests at the same time each end with their own reply, in order, also where some are refused or late")
  func parallelRequests() async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      _ = try await peripheral.services()
      stage.device.onRequest { request in
        guard request.kind == .write, let value = request.bytes.last else { return .normal }
        return value % 2 == 1 ? .after(.milliseconds(300), then: .error(.outOfRange)) : .normal
      }
      let tasks = (0..<20 as Range<UInt8>).map { number in
        Task { try await peripheral.write(number, to: number % 3 == 0 ? .otherSetting : .setting) }
      }
      for (number, task) in tasks.enumerated() {
        let error = await bluetoothError { try await task.value }
        #expect(error?.kind == (number % 2 == 1 ? .att(.outOfRange) : nil), "write \(number)")
      }
      let written = stage.device.device.written.map(\.value)
      #expect(written == stride(from: 0, to: 20, by: 2).map { [UInt8($0)] })
    }
  }

  @Test("F29: a write that is cancelled while its reply is out does not hand that reply to the next", arguments: 0..<6)
  func cancelledRequest(step: Int) async throws {
    try await Stage.run { stage in
      let peripheral = try await stage.connected()
      _ = try await peripheral.services()
      stage.device.onRequest { request in
        guard request.kind == .write, let value = request.bytes.last else { return .normal }
        return value == 1 ? .after(.milliseconds(100), then: .error(.outOfRange)) : .normal
      }
      let first = Task { try await peripheral.write(1, to: .setting) }
      try await stage.world.settle()
      let second = Task { try await peripheral.write(2, to: .setting) }
      let third = Task { try await peripheral.read(.otherSetting) }
      try await stage.world.run(for: .milliseconds(step * 30))
      first.cancel()
      let error = await bluetoothError { try await first.value }
      #expect(error == nil || error?.kind == .att(.outOfRange))
      _ = try await second.value
      #expect(try await third.value == 9)
      #expect(try await peripheral.read(.setting) == 2)
    }
  }

  @Test(
    "F32, F33: with a device that has the shortest MTU 20 bytes fit, more is an error, and a long write goes in parts"
  )
  func shortMTU() async throws {
    try await Stage.run(
      every: .seconds(1),
      { $0.mtu = 23 },
      body: { stage in
        let peripheral = try await stage.connected()
        #expect(peripheral.maximumWriteLength(for: .withoutResponse) == 20)
        _ = try await peripheral.services()
        #expect(peripheral.maximumWriteLength(for: .withoutResponse) == 20)
        try await peripheral.write([UInt8](repeating: 1, count: 20), to: .log)
        let error = await bluetoothError { try await peripheral.write([UInt8](repeating: 1, count: 21), to: .log) }
        #expect(error?.kind == .tooLong)
        #expect(error?.message.contains("20") == true)
        try await stage.settle()
        #expect(stage.device.device.written(to: "FFF3").map(\.count) == [20])
        #expect(try await peripheral.read(.long) == CountingDevice.longValue)
        try await peripheral.write(CountingDevice.longValue, to: .bulk)
        let handle = try #require(stage.device.device.handles(of: "FFF2").first)
        #expect(try stage.device.device.value(of: handle) == CountingDevice.longValue)
        await expectError(.tooLong) { try await peripheral.write([UInt8](repeating: 1, count: 513), to: .bulk) }
      }
    )
  }

  @Test("F31, F32: the longer MTU holds once it is exchanged, also when the device asks for it, and ends with the link")
  func longMTU() async throws {
    try await Stage.run(
      every: .seconds(1),
      { $0.requestsMTU = true },
      body: { stage in
        for _ in 0..<2 {
          let peripheral = try await stage.connected()
          _ = try await peripheral.services()
          #expect(peripheral.maximumWriteLength(for: .withoutResponse) == 244)
          #expect(stage.device.device.mtu == 247)
          let value = [UInt8](repeating: 5, count: 244)
          try await peripheral.write(value, to: .log)
          await expectError(.tooLong) { try await peripheral.write(value + [1], to: .log) }
          try await stage.settle()
          await peripheral.disconnect()
          #expect(peripheral.maximumWriteLength(for: .withoutResponse) == 20)
        }
        #expect(stage.device.device.written(to: "FFF3").map(\.count) == [244, 244])
      }
    )
  }
}
