import Halcyon
import HostStack
import Synchronization
import Testing

/// What a program is told when a controller that worked goes wrong.
@Suite("A controller that goes wrong in the middle", .timeLimit(.minutes(5)))
struct BrokenSessionTests {
  /// Connects to the device of the model.
  private func connect(_ central: Central) async throws -> Peripheral {
    try await central.ready(within: .seconds(60))
    return try await central.scan(for: [.heartRate], timeout: .seconds(60)).connect(timeout: .seconds(60))
  }

  /// Everything that can be pending at once, each with how often it has ended and with what.
  private func failures(
    of server: ControllerServer,
    _ provoke: @escaping @Sendable (Peripheral) async throws -> Void
  ) async throws -> [BluetoothError] {
    try await withCentral(port: server.port) { central, _ in
      let device = try await connect(central)
      _ = try await device.services()
      let isStreaming = AsyncStream.makeStream(of: Void.self)
      let pending: [@Sendable () async throws -> Void] = [
        { for try await _ in device.values(of: .heartRateMeasurement, onReconnect: .end) { isStreaming.1.yield() } },
        { for try await _ in central.scan(duplicates: .all, timeout: .never) {} },
        { _ = try await central.connect(to: PeerID(BluetoothAddress(0xC000_0000_0002, .random))) },
        { while true { _ = try await device.readRSSI() } },
        { try await provoke(device) },
        { while true { _ = try await device.read(.bodySensorLocation) } },
      ]
      let errors = try await bounded("the end of all that was pending") {
        await withTaskGroup(of: BluetoothError?.self) { group in
          for operation in pending {
            group.addTask {
              do { try await operation() } catch { return error as? BluetoothError }
              return nil
            }
          }
          return await group.reduce(into: [BluetoothError?]()) { $0.append($1) }
        }
      }
      #expect(device.state.isDisconnected)
      #expect(central.state.power == .poweredOff)
      #expect(errors.count == pending.count)
      return errors.compactMap { $0 }
    }
  }

  private static let control = 0x12 as UInt8  // ATT_WRITE_REQ

  /// A server that does something to the first write of the control point; other writes are subscriptions.
  private func server(_ fault: ControllerServer.Fault) throws -> ControllerServer {
    try ControllerServer([
      .init(fault: { packet in
        let isControl =
          ModelController.attOpcode(packet) == Self.control && packet.bytes.last == 1 && packet.bytes.count == 13
        return isControl ? fault : .none
      })
    ])
  }

  @Test("F01: a controller that closes the connection ends everything that is pending once, with the reason")
  func closes() async throws {
    let server = try server(.close())
    defer { server.stop() }
    let errors = try await failures(of: server) {
      try await $0.write(.resetEnergyExpended, to: .heartRateControlPoint)
    }
    #expect(errors.count == 6)
    for error in errors {
      #expect([.poweredOff, .notConnected].contains(error.kind), "\(error)")
      if error.kind == .poweredOff {
        #expect(error.message.contains("The HCI controller at 127.0.0.1:\(server.port) closed the connection"))
      }
    }
    #expect(errors.count { $0.kind == .poweredOff } >= 4)
  }

  @Test("the same in the middle of a packet")
  func closesInPacket() async throws {
    let server = try server(.close(after: [0x02, 0x40, 0x20, 0x05]))
    defer { server.stop() }
    let errors = try await failures(of: server) {
      try await $0.write(.resetEnergyExpended, to: .heartRateControlPoint)
    }
    #expect(errors.contains { $0.message.contains("in the middle of a packet, of which 4 bytes had come") })
  }

  @Test("garbage on the stream of a session ends everything that is pending once, with the byte")
  func garbage() async throws {
    let server = try server(.bytes([0x7F, 0x45, 0x4C, 0x46]))
    defer { server.stop() }
    let errors = try await failures(of: server) {
      try await $0.write(.resetEnergyExpended, to: .heartRateControlPoint)
    }
    #expect(errors.count == 6)
    #expect(errors.contains { $0.message.contains("is not HCI: at byte") && $0.message.contains("0x7F") })
  }

  @Test("F08: a controller that closes while it connects fails the connect with the reason")
  func closesWhileConnecting() async throws {
    let server = try ControllerServer([
      .init(fault: { ModelController.isCommand($0, LECreateConnection.self) ? .close() : .none })
    ])
    defer { server.stop() }
    try await withCentral(port: server.port) { central, _ in
      let error = await #expect(throws: BluetoothError.self) { _ = try await connect(central) }
      #expect(error?.kind == .poweredOff)
      #expect(error?.operation == .connect)
      #expect(error?.message.contains("closed the connection") == true)
    }
  }

  @Test("a controller that stops to answer in a session is left, and everything pending ends")
  func stopsToAnswer() async throws {
    let server = try ControllerServer([
      .init(fault: { ModelController.isCommand($0, ReadRSSI.self) ? .silence : .none })
    ])
    defer { server.stop() }
    try await withCentral(port: server.port, commandTimeout: .seconds(2)) { central, _ in
      let device = try await connect(central)
      let error = await #expect(throws: BluetoothError.self) { try await device.readRSSI() }
      #expect(error?.kind == .poweredOff)
      #expect(error?.message.contains("the controller does not answer: command 0x1405") == true)
      #expect(device.state.isDisconnected)
    }
  }

  @Test("a controller that is not ready at first is tried again by itself, and who waits for the radio gets it")
  func comesLater() async throws {
    let server = try ControllerServer([.init(fault: { _ in .close() }), .init()])
    defer { server.stop() }
    try await withCentral(port: server.port) { central, _ in
      try await central.ready(within: .seconds(60))
      let device = try await connect(central)
      #expect(try await device.read(.bodySensorLocation) == .chest)
    }
  }

  @Test("a radio that has lost its controller can be switched on again, and the same peripheral connects")
  func again() async throws {
    let first = ControllerServer.Behaviour(fault: { packet in
      ModelController.attOpcode(packet) == Self.control && packet.bytes.count == 13 ? .close() : .none
    })
    let server = try ControllerServer([first, .init()])
    defer { server.stop() }
    try await withCentral(port: server.port) { central, live in
      let device = try await connect(central)
      await #expect(throws: BluetoothError.self) {
        try await device.write(.resetEnergyExpended, to: .heartRateControlPoint)
      }
      await live.radio.powerOn()
      try await central.ready(within: .seconds(60))
      try await central.connect(to: device, timeout: .seconds(60))
      #expect(try await device.read(.bodySensorLocation) == .chest)
      try await device.write(.resetEnergyExpended, to: .heartRateControlPoint)
    }
  }

  @Test("an answer of the device that fits no request fails the request and ends that link, not the radio")
  func mismatch() async throws {
    let server = try ControllerServer([
      .init(fault: { packet in
        ModelController.attOpcode(packet) == 0x0A ? .bytes(ModelController.att([0x13]).bytes) : .none
      })
    ])
    defer { server.stop() }
    try await withCentral(port: server.port) { central, _ in
      let device = try await connect(central)
      let error = await #expect(throws: BluetoothError.self) { try await device.read(.bodySensorLocation) }
      #expect(error?.kind == .protocolViolation, "\(error?.message ?? "")")
      #expect(device.state.isDisconnected)
      #expect(central.state.power == .poweredOn)
    }
  }
}
