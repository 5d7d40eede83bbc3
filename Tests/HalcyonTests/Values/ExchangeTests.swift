import BluetoothTypes
import Halcyon
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("A command and its answer, and transfers in parts", .reportsWorlds)
struct ExchangeTests {
  @Test(
    "LBT-07: a command is written and its answer awaited, also if it comes before the command is confirmed"
  )
  func request() async throws {
    try await Stage.run(Tool.describe) { stage in
      let peripheral = try await stage.connected()
      for command: UInt8 in 1...3 {
        let answer = try await peripheral.request(command, on: .toolCommand, answer: .toolAnswer)
        #expect(answer == ToolAnswer(command: command, result: command * 2))
      }
      try await stage.settle()
      #expect(stage.device.subscriberCount(of: "FFC1") == 0)
    }
  }

  @Test(
    "LBT-07: requests at the same time each get their own answer, and other values are left to other readers"
  )
  func concurrentRequests() async throws {
    try await Stage.run(Tool.describe) { stage in
      let peripheral = try await stage.connected()
      let others = Received<ToolAnswer>()
      let reader = Task {
        for try await value in peripheral.values(of: .toolAnswer) { await others.add(value) }
      }
      try await stage.settle()
      let answers = try await withThrowingTaskGroup(of: ToolAnswer.self) { group in
        for command: UInt8 in 1...8 {
          group.addTask {
            try await peripheral.request(command, on: .toolCommand, answer: .toolAnswer)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(answers) == Set((1...8).map { ToolAnswer(command: $0, result: $0 * 2) }))
      #expect(await others.all.count == 8)
      let picked = Task {
        try await peripheral.request(0xFF, on: .toolCommand, answer: .toolAnswer) {
          $0.command == 0xFF
        }
      }
      try await stage.settle()
      try stage.device.device.notify([9, 9], of: "FFC1")
      try await stage.settle()
      try stage.device.device.notify([0xFF, 7], of: "FFC1")
      #expect(try await picked.value.result == 7)
      reader.cancel()
    }
  }

  @Test(
    "LBT-07, LBT-16, F02: a request ends once: refused, out of time, undecodable, cancelled, or with the connection"
  )
  func requestEnds() async throws {
    try await Stage.run(Tool.describe) { stage in
      let peripheral = try await stage.connected()
      func ask(_ command: UInt8, _ timeout: Timeout = .default) async throws -> ToolAnswer {
        try await peripheral.request(
          command,
          on: .toolCommand,
          answer: .toolAnswer,
          timeout: timeout
        )
      }
      await expectError(.att(.valueNotAllowed)) { try await ask(0) }
      await expectError(.timedOut) { try await ask(0xFF, .seconds(2)) }
      let wrong = Characteristic<UInt64>("FFC1", in: "FFC0")
      await expectError(.undecodable) {
        try await peripheral.request(1, on: .toolCommand, answer: wrong)
      }
      await expectError(.notPermitted) {
        try await peripheral.request(1, on: .toolCommand, answer: .setting)
      }
      let cancelled = Task { try await ask(0xFF) }
      let next = Task { try await ask(4) }
      try await stage.settle()
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      #expect(try await next.value.result == 8)
      let lost = Task { try await ask(0xFF) }
      let waiting = Task { try await ask(5) }
      try await stage.settle()
      stage.device.disconnect()
      await expectError(.disconnected) { try await lost.value }
      await expectError(.disconnected) { try await waiting.value }
      try await stage.settle()
      try await stage.central.connect(to: peripheral)
      #expect(try await ask(6).result == 12)
    }
  }

  @Test(
    "OK-14: a long value is sent in parts as long as the connection allows, in order, with the progress",
    arguments: [23, 247]
  )
  func transfer(mtu: Int) async throws {
    try await Stage.run { description in
      description.mtu = mtu
      Tool.describe(&description)
    } body: { stage in
      let peripheral = try await stage.connected()
      let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      for target in [Characteristic<[UInt8]>.toolUpload, .toolSlowUpload] {
        var steps: [Halcyon.Transfer.Progress] = []
        for try await progress in peripheral.send(bytes, to: target) { steps.append(progress) }
        try await stage.settle()
        let parts = stage.device.device.written(to: target.uuid)
        #expect(parts.flatMap { $0 } == bytes)
        #expect(parts.map(\.count).max() == mtu - 3)
        #expect(steps.count == parts.count)
        #expect(steps.last?.isComplete == true && steps.last?.fraction == 1)
        #expect(steps.map(\.bytesSent) == steps.map(\.bytesSent).sorted())
        #expect(steps.first == steps.first { $0.bytesSent == mtu - 3 && $0.bytesTotal == 1000 })
      }
      #expect(
        stage.device.device.written.filter { $0.characteristic == "FFC2" }.allSatisfy {
          !$0.withResponse
        }
      )
      #expect(
        stage.device.device.written.filter { $0.characteristic == "FFC3" }.allSatisfy {
          $0.withResponse
        }
      )
    }
  }

  @Test(
    "OK-14, F26: transfers at the same time do not mix; other operations go on between their parts"
  )
  func concurrentTransfers() async throws {
    try await Stage.run(Tool.describe) { stage in
      let peripheral = try await stage.connected()
      let transfers = (1...3).map { number in
        Task {
          try await peripheral.send([UInt8](repeating: UInt8(number), count: 3000), to: .toolUpload)
            .finish()
        }
      }
      #expect(try await peripheral.read(.setting) == 7)
      for transfer in transfers { #expect(try await transfer.value == peripheral) }
      try await stage.settle()
      let order = stage.device.device.written(to: "FFC2").compactMap(\.first)
      #expect(order == order.sorted())
      #expect(stage.device.device.written(to: "FFC2").flatMap { $0 }.count == 9000)
    }
  }

  @Test(
    "OK-14, F33: no bytes are an error; a transfer ends once: refused, stopped, cancelled, or with the connection"
  )
  func transferEnds() async throws {
    try await Stage.run(Tool.describe) { stage in
      let peripheral = try await stage.connected()
      let much = [UInt8](repeating: 1, count: 100_000)
      await expectError(.empty) { try await peripheral.send([], to: .toolUpload).finish() }
      await expectError(.invalidArgument) {
        try await peripheral.send([1], to: .toolUpload, partLength: 0).finish()
      }
      await expectError(.notPermitted) {
        try await peripheral.send([1], to: .toolSlowUpload, type: .withoutResponse).finish()
      }
      for try await progress in peripheral.send([1, 2, 3, 4, 5], to: .toolUpload, partLength: 2) {
        #expect(progress.bytesSent == 2)
        break
      }
      let cancelled = Task { try await peripheral.send(much, to: .toolUpload).finish() }
      try await stage.settle()
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      let lost = Task { try await peripheral.send(much, to: .toolUpload).finish() }
      let waiting = Task { try await peripheral.send(much, to: .toolUpload).finish() }
      try await stage.settle()
      stage.device.disconnect()
      await expectError(.disconnected) { try await lost.value }
      await expectError(.disconnected) { try await waiting.value }
      try await stage.settle()
      try await stage.central.connect(to: peripheral)
      try await peripheral.send([9], to: .toolUpload).finish().write(8, to: .setting)
      #expect(stage.device.device.written(to: "FFC2").last == [9])
    }
  }

  @Test("LBT-16, F28: each part of a transfer has its limit of time")
  func transferTimeout() async throws {
    try await Stage.run(Tool.describe) { stage in
      let peripheral = try await stage.connected()
      _ = try await peripheral.services()
      // What the host asks for by itself after a discovery is done.
      try await stage.world.run(for: .seconds(1))
      stage.device.onRequest { $0.kind == .write ? .after(.seconds(2), then: .normal) : .normal }
      let bytes = [UInt8](repeating: 1, count: 1000)
      try await peripheral.send(bytes, to: .toolSlowUpload, timeout: .seconds(3)).finish()
      await expectError(.timedOut) {
        try await peripheral.send(bytes, to: .toolSlowUpload, timeout: .seconds(1)).finish()
      }
    }
  }
}
