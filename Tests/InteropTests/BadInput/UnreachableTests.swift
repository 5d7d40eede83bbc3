import Halcyon
import HostStack
import Testing

/// What a program is told when the controller that it was given is not there, or is none.
@Suite("A controller that can not be used", .timeLimit(.minutes(5)))
struct UnreachableTests {
  /// Waits for a radio that never comes, tries to scan and to connect, and gives the errors.
  private func errors(
    host: String = "127.0.0.1",
    port: UInt16,
    commandTimeout: Duration = .seconds(30)
  ) async throws -> [BluetoothError] {
    try await withCentral(host: host, port: port, commandTimeout: commandTimeout) { central, _ in
      let off = try await bounded("the state of the radio") { await central.states.first { $0.power == .poweredOff } }
      #expect(off?.reason?.isEmpty == false)
      var errors: [BluetoothError] = []
      func collect(_ operation: () async throws -> Void) async throws {
        do {
          try await operation()
          Issue.record("an operation has worked without a controller")
        } catch let error as BluetoothError { errors.append(error) }
      }
      try await collect { try await central.ready(within: .milliseconds(20)) }
      try await collect { for try await _ in central.scan() {} }
      try await collect { _ = try await central.connect(to: PeerID(ModelController.device)) }
      #expect(errors.map(\.kind) == [.timedOut, .poweredOff, .poweredOff])
      return errors
    }
  }

  @Test("a refused port: each operation says where nobody listens, and what to do")
  func refused() async throws {
    let server = try ControllerServer([])
    server.stop()
    for error in try await errors(port: server.port) {
      #expect(error.message.contains("No HCI controller at 127.0.0.1:\(server.port): Connection refused"))
      #expect(error.message.contains("Start a controller there, or check host and port"))
    }
  }

  @Test("a host without an address: each operation names it")
  func unresolvable() async throws {
    for error in try await errors(host: "no-such-host.invalid", port: 7001) {
      #expect(error.message.contains("no-such-host.invalid"))
      #expect(error.message.contains("Check its name"))
    }
  }

  @Test("a controller that never answers: each operation says what was asked and how long")
  func silent() async throws {
    let server = try ControllerServer.always(.init(fault: { _ in .silence }))
    defer { server.stop() }
    for error in try await errors(port: server.port, commandTimeout: .milliseconds(200)) {
      #expect(error.message.contains("the controller does not answer: command 0x0C03"))
    }
  }

  @Test("a controller that stops to answer in the middle of its start")
  func silentLater() async throws {
    let server = try ControllerServer.always(
      .init(fault: { ModelController.isCommand($0, LEReadBufferSize.self) ? .silence : .none })
    )
    defer { server.stop() }
    // Long enough for a busy machine to answer what comes before.
    for error in try await errors(port: server.port, commandTimeout: .seconds(4)) {
      #expect(error.message.contains("the controller does not answer: command 0x2002"))
    }
  }

  @Test("a server that speaks something else: each operation says what came, and where")
  func otherProtocol() async throws {
    let server = try ControllerServer.always(.init(greeting: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)))
    defer { server.stop() }
    for error in try await errors(port: server.port) {
      #expect(error.message.contains("What comes from 127.0.0.1:\(server.port) is not HCI: at byte 0"))
    }
  }

  @Test("a server that closes at once")
  func closes() async throws {
    let server = try ControllerServer.always(.init(fault: { _ in .close() }))
    defer { server.stop() }
    for error in try await errors(port: server.port) {
      #expect(error.message.contains("The HCI controller at 127.0.0.1:\(server.port) closed the connection"))
    }
  }

  @Test("a server that sends half a packet and closes: each operation says how much had come")
  func half() async throws {
    let server = try ControllerServer.always(.init(fault: { _ in .close(after: [4, 0x0E, 4]) }))
    defer { server.stop() }
    for error in try await errors(port: server.port) {
      #expect(error.message.contains("closed the connection in the middle of a packet, of which 3 bytes had come"))
    }
  }

  @Test("a server that sends half a packet and then nothing: each operation says what is missing")
  func halfThenSilence() async throws {
    let server = try ControllerServer.always(.init(fault: { _ in .bytes([4, 0x0E, 4]) }))
    defer { server.stop() }
    for error in try await errors(port: server.port, commandTimeout: .milliseconds(200)) {
      #expect(error.message.contains("the controller does not answer: command 0x0C03"))
    }
  }

  @Test("an answer that is cut short at the start names the command and the byte")
  func shortAnswer() async throws {
    let server = try ControllerServer.always(
      .init(fault: { packet in
        guard ModelController.isCommand(packet, LEReadBufferSize.self) else { return .none }
        return .bytes(CommandComplete(opcode: LEReadBufferSize.opcode, returnParameters: [0, 251]).packet.bytes)
      })
    )
    defer { server.stop() }
    for error in try await errors(port: server.port) {
      #expect(error.message.contains("the controller's answer to HCI_LE_Read_Buffer_Size can not be read"))
    }
  }
}
