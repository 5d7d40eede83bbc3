import BluetoothTypes
import Halcyon
import HostStack
import RadioPort
import Testing
import VirtualRadio
import VirtualRadioTesting

@Suite("Bad input on the whole stack", .reportsWorlds)
struct BadInputInWorldTests {
  /// Runs `body` with a second device whose values come once a second, and expects that none of them is lost meanwhile.
  private func besideAnother(
    _ body: @escaping @Sendable (Stage, Peripheral) async throws -> Void
  ) async throws {
    try await Stage.run { stage in
      let other = stage.world.add(.counting(name: "Other"))
      let steady = try await stage.connected(other.id)
      let reader = Received<UInt32>()
      let task = Task { for try await value in steady.values(of: .count) { await reader.add(value) } }
      try await stage.settle()
      let peripheral = try await stage.connected()
      _ = try await peripheral.services()
      try await body(stage, peripheral)
      #expect(steady.state.isReady)
      try await stage.world.run(for: .milliseconds(1100))
      let all = await reader.all
      let sent = other.sent.all.map(\.count)
      #expect(all == Array(sent.prefix(all.count)))
      // The last one may be on its way.
      #expect(sent.count - all.count <= 1)
      #expect(all.count > 0)
      task.cancel()
    }
  }

  /// Expects that the link works, in a function for the reason that `expectError` gives.
  private func expectReads(
    _ peripheral: Peripheral,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let value = try await peripheral.read(.otherSetting)
    #expect(value == 9, sourceLocation: sourceLocation)
  }

  @Test("An ATT response to something else fails its operation and ends the link with all on it, once; others go on")
  func mismatch() async throws {
    try await besideAnother { stage, first in
      let device = stage.device
      await first.disconnect()
      for bytes in [[0x13], [0x0D, 1, 2], [0x09, 2, 1], [0x01, 0x12, 1, 0, 1], [0x03, 0xFF, 0xFF]] as [[UInt8]] {
        let peripheral = try await stage.connected()
        device.onRequest { $0.kind == .read ? .raw(bytes) : .normal }
        // The second waits behind the first, and must not get the first's late reply.
        let tasks = (0..<2).map { _ in Task { _ = try await peripheral.read(.setting) } }
        let error = await bluetoothError { try await tasks[0].value }
        #expect(error?.kind == .protocolViolation, "\(bytes): \(String(describing: error))")
        let lost = await bluetoothError { try await tasks[1].value }
        #expect(lost?.kind == .disconnected, "\(bytes): \(String(describing: lost))")
        device.onRequest(nil)
        try await stage.settle()
        #expect(peripheral.state.isDisconnected && !device.isConnected)
        let again = try await stage.connected()
        try await expectReads(again)
        await again.disconnect()
      }
      for bytes in [[0x0B, 1], [0x01, 0x0A, 1, 0, 1], [0x17], [0x11, 0]] as [[UInt8]] {
        for isSubscription in [true, false] {
          let peripheral = try await stage.connected()
          _ = try await peripheral.services()
          try await stage.settle()
          device.onRequest { $0.kind == .write ? .raw(bytes) : .normal }
          await expectError(.protocolViolation) {
            if isSubscription {
              for try await _ in peripheral.values(of: .count) {}
            } else {
              try await peripheral.write(1, to: .setting)
            }
          }
          device.onRequest(nil)
          try await stage.settle()
          #expect(peripheral.state.isDisconnected)
        }
      }
      try await expectReads(try await stage.connected())
    }
  }

  @Test("F41: an ATT response of the right kind that can not be read fails its operation, once; the link goes on")
  func malformed() async throws {
    try await besideAnother { stage, peripheral in
      for bytes in [[0x01], [0x01, 0x0A], [0x01, 0x0A, 3]] as [[UInt8]] {
        stage.device.onRequest { $0.kind == .read ? .raw(bytes) : .normal }
        let error = await bluetoothError { try await peripheral.read(.setting) }
        #expect(error?.kind == .protocolViolation, "\(bytes): \(String(describing: error))")
        stage.device.onRequest(nil)
        try await expectReads(peripheral)
      }
    }
  }

  @Test("Discovery that is answered with nonsense throws, once for all who wait, and works when asked again")
  func badDiscovery() async throws {
    try await Stage.run { stage in
      for bytes in [
        [0x11], [0x11, 0], [0x11, 6], [0x11, 6, 1, 0, 0, 0, 1, 2], [0x11, 6, 9, 0, 3, 0, 1, 2], [0x0B], [0x09, 7],
        [0x01, 0x10, 1, 0, 0x0E],
      ] as [[UInt8]] {
        let peripheral = try await stage.connected()
        stage.device.onRequest { [.readByGroupType].contains($0.kind) ? .raw(bytes) : .normal }
        let tasks = (0..<2).map { _ in Task { try await peripheral.services() } }
        for task in tasks {
          let error = await bluetoothError { try await task.value }
          #expect(error != nil, "\(bytes)")
          #expect(
            [.protocolViolation, .att(.unlikelyError)].contains(error?.kind),
            "\(bytes): \(String(describing: error))"
          )
        }
        stage.device.onRequest(nil)
        try await stage.settle()
        // A response to something else ends the link.
        let again = try await stage.connected()
        #expect(try await again.services().count == 4)
        await again.disconnect()
      }
    }
  }

  @Test("F42: a length of 0 in a list from the wire is an error, wherever a list can stand")
  func zeroLength() async throws {
    try await Stage.run { stage in
      for kind in [.readByGroupType, .readByType, .findInformation] as [VirtualDevice.Request.Kind] {
        let peripheral = try await stage.connected()
        stage.device.onRequest { request in
          request.kind == kind ? .raw([kind.rawValue + 1, 0, 1, 0, 2, 0, 3, 0]) : .normal
        }
        // A server that can not list its descriptors may still be used; one that can not list the rest can not.
        let error = await bluetoothError { try await peripheral.services() }
        if kind == .readByGroupType { #expect(error?.kind == .protocolViolation) }
        stage.device.onRequest(nil)
        #expect(try await peripheral.services().count == 4)
        await peripheral.disconnect()
      }
    }
  }

  @Test("F41: PDUs longer than the MTU: a response fails its request, a value is dropped, and the link goes on")
  func overlong() async throws {
    try await besideAnother { stage, peripheral in
      let device = stage.device
      let long = [UInt8](repeating: 0xAA, count: 600)
      device.onRequest { $0.kind == .read ? .raw([0x0B] + long) : .normal }
      await expectError(.protocolViolation) { try await peripheral.read(.setting) }
      device.onRequest(nil)
      try await expectReads(peripheral)
      // As notification, indication, request, command and nonsense, nobody having asked.
      for opcode in [0x1B, 0x1D, 0x0A, 0x52, 0xD2, 0x0B, 0xFF] as [UInt8] {
        device.sendRaw([opcode, 3, 0] + long)
        device.sendRaw([opcode])
        device.sendRaw([])
        // What looks like a response is the next request's, so let it come before there is one.
        try await stage.settle()
        try await expectReads(peripheral)
      }
      #expect(peripheral.state.isReady)
      try await peripheral.write(CountingDevice.longValue, to: .bulk)
    }
  }

  @Test("Values and responses that nobody asked for change nothing")
  func unasked() async throws {
    try await besideAnother { stage, peripheral in
      // Until the subscription to Service Changed has its reply.
      try await stage.settle()
      for bytes in [
        [0x0B, 5], [0x13], [0x01, 0x0A, 1, 0, 1], [0x1B, 0xFF, 0xFF, 1], [0x1D, 2, 0], [0x1E], [0x23, 1],
      ]
        as [[UInt8]]
      {
        stage.device.sendRaw(bytes)
        try await stage.settle()
        try await expectReads(peripheral)
      }
    }
  }

  @Test("A device that never answers: 30 s after the request the link is dropped, everything on it ends, others go on")
  func neverAnswers() async throws {
    try await besideAnother { stage, peripheral in
      stage.device.onRequest { _ in .never }
      let before = stage.world.now
      let tasks: [Task<Void, any Error>] = [
        Task { _ = try await peripheral.read(.setting, timeout: nil) },
        Task { _ = try await peripheral.write(1, to: .setting, timeout: nil) },
        Task { for try await _ in peripheral.values(of: .count, onReconnect: .end, timeout: nil) {} },
      ]
      let error = await bluetoothError { try await tasks[0].value }
      #expect(error?.kind == .timedOut, "\(String(describing: error))")
      for task in tasks.dropFirst() {
        let error = await bluetoothError { try await task.value }
        #expect([.timedOut, .disconnected].contains(error?.kind), "\(String(describing: error))")
      }
      let time = before.duration(to: stage.world.now)
      #expect(time >= .seconds(30) && time < .seconds(31))
      try await stage.settle()
      #expect(peripheral.state.isDisconnected)
      #expect(!stage.device.isConnected)
      stage.device.onRequest(nil)
      #expect(try await stage.connected().read(.setting) == 7)
    }
  }

  @Test("A time limit of the caller ends the call alone; its late reply goes to nobody, and the link goes on")
  func callersLimit() async throws {
    try await besideAnother { stage, peripheral in
      stage.device.onRequest { $0.kind == .read ? .after(.seconds(5), then: .raw([0x0B, 99])) : .normal }
      await expectError(.timedOut) { try await peripheral.read(.setting, timeout: .seconds(1)) }
      stage.device.onRequest(nil)
      try await expectReads(peripheral)
    }
  }

  @Test("Advertising reports that are cut short, at any byte, disturb neither a scan nor a link")
  func truncatedReports() async throws {
    try await besideAnother { stage, peripheral in
      let radio = stage.world.radio
      let third = stage.world.add(.counting(name: "Third"))
      let central = stage.central
      // One report whose data says that it has a name, as a whole packet (Core 5.4, Vol 4, Part E, 7.7.65.2).
      let data: [UInt8] = [2, 0x01, 6, 6, 0x09] + Array("Ghost".utf8)
      let report: [UInt8] = [0x02, 1, 0, 0, 1, 2, 3, 4, 5, 6, UInt8(data.count)] + data + [0xC4]
      let names = Received<String>()
      let scan = Task {
        for try await found in central.scan(timeout: nil) { if let name = found.name { await names.add(name) } }
      }
      try await stage.settle()
      for length in 0..<report.count {
        let part = Array(report.prefix(length))
        // Once with the event's own length right, once with that of the whole.
        stage.world.inject(HCIPacket(.event, payload: [0x3E, UInt8(length)] + part), to: radio)
        stage.world.inject(HCIPacket(.event, payload: [0x3E, UInt8(report.count)] + part), to: radio)
      }
      // More reports than there is data for, and AD structures that reach over the end.
      stage.world.inject(
        HCIPacket(.event, payload: [0x3E, UInt8(report.count), 0x02, 9] + report.dropFirst(2)),
        to: radio
      )
      var wrong = report
      wrong[14] = 200
      stage.world.inject(HCIPacket(.event, payload: [0x3E, UInt8(wrong.count)] + wrong), to: radio)
      try await stage.world.run(for: .seconds(3))
      #expect(await names.all.contains("Third"))
      stage.world.inject(HCIPacket(.event, payload: [0x3E, UInt8(report.count)] + report), to: radio)
      try await stage.world.run(for: .seconds(2))
      #expect(await names.all.contains("Ghost"))
      scan.cancel()
      try await expectReads(peripheral)
      #expect(try await stage.connected(third.id).read(.setting) == 7)
    }
  }
}
