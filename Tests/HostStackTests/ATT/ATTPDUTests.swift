import BluetoothTypes
import HostStack
import Testing

@Suite("ATT PDUs")
struct ATTPDUTests {
  static let handle = AttributeHandle(0x002A)
  static let long = BluetoothUUID(high: 0x1234_5678_9ABC_DEF0, low: 0x8000_0000_0000_0001)

  static let samples: [any ATTMessage] = [
    ATTErrorResponse(request: .readRequest, handle: handle, code: .readNotPermitted),
    ATTExchangeMTURequest(mtu: 517),
    ATTExchangeMTUResponse(mtu: 247),
    ATTFindInformationRequest(start: .first, end: .last),
    ATTFindInformationResponse(format: .short, records: [.init(handle: handle, uuid: BluetoothUUID(UInt16(0x2902)))]),
    ATTFindInformationResponse(format: .long, records: [.init(handle: handle, uuid: long)]),
    ATTFindByTypeValueRequest(start: .first, end: .last, type: 0x2800, value: [0x0D, 0x18]),
    ATTFindByTypeValueResponse(records: [.init(handle: handle, groupEnd: .last)]),
    ATTReadByTypeRequest(start: .first, end: .last, type: BluetoothUUID(UInt16(0x2803))),
    ATTReadByTypeRequest(start: .first, end: .last, type: long),
    ATTReadByTypeResponse(records: [.init(handle: handle, value: [1, 2]), .init(handle: .last, value: [3, 4])]),
    ATTReadRequest(handle: handle),
    ATTReadResponse(value: [1, 2, 3]),
    ATTReadBlobRequest(handle: handle, offset: 22),
    ATTReadBlobResponse(value: [4, 5]),
    ATTReadMultipleRequest(handles: [handle, .last]),
    ATTReadMultipleResponse(values: [1, 2]),
    ATTReadMultipleVariableRequest(handles: [handle, .last]),
    ATTReadMultipleVariableResponse(values: [.init([1]), .init(length: 4, bytes: [2, 3])]),
    ATTReadByGroupTypeRequest(start: .first, end: .last, type: BluetoothUUID(UInt16(0x2800))),
    ATTReadByGroupTypeResponse(records: [.init(handle: handle, groupEnd: .last, value: [0x0D, 0x18])]),
    ATTWriteRequest(handle: handle, value: [1]),
    ATTWriteResponse(),
    ATTWriteCommand(handle: handle, value: []),
    ATTSignedWriteCommand(handle: handle, value: [9], signature: [UInt8](repeating: 7, count: 12)),
    ATTPrepareWriteRequest(handle: handle, offset: 18, value: [1, 2]),
    ATTPrepareWriteResponse(handle: handle, offset: 18, value: [1, 2]),
    ATTExecuteWriteRequest(flags: .write),
    ATTExecuteWriteResponse(),
    ATTHandleValueNotification(handle: handle, value: [0, 72]),
    ATTHandleValueIndication(handle: handle, value: [1]),
    ATTHandleValueConfirmation(),
    ATTMultipleHandleValueNotification(records: [.init(handle: handle, value: [1]), .init(handle: .last, value: [])]),
  ]

  @Test("every PDU is read back as it was written, by its own type and by its opcode")
  func roundTrip() throws {
    for sample in Self.samples {
      func check<Message: ATTMessage>(_ message: Message) throws {
        #expect(try Message(bytes: message.bytes) == message)
        #expect(try Message(frame: FrameBuffer(.att, message)) == message)
        let any = try ATTPDU(bytes: message.bytes)
        #expect(any.bytes == message.bytes)
        #expect(any.opcode == Message.opcode)
        #expect(Message.opcode.name != nil)
        #expect(L2CAPDescription.line(forATT: message.bytes).hasPrefix("ATT \(Message.opcode)"))
      }
      try check(sample)
    }
  }

  @Test("the bytes are those of the specification")
  func bytes() {
    #expect(ATTReadRequest(handle: Self.handle).bytes == [0x0A, 0x2A, 0x00])
    #expect(
      ATTErrorResponse(request: .readRequest, handle: Self.handle, code: .attributeNotFound).bytes
        == [0x01, 0x0A, 0x2A, 0x00, 0x0A]
    )
    #expect(
      ATTReadByGroupTypeRequest(start: .first, end: .last, type: BluetoothUUID(UInt16(0x2800))).bytes
        == [0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28]
    )
    #expect(ATTHandleValueConfirmation().bytes == [0x1E])
    #expect(FrameBuffer(.att, ATTReadRequest(handle: Self.handle)).frame == [3, 0, 4, 0, 0x0A, 0x2A, 0])
  }

  @Test("a PDU that is cut at any byte is an error or a shorter PDU, never a trap")
  func truncation() {
    for sample in Self.samples {
      let bytes = sample.bytes
      for length in 0..<bytes.count {
        let cut = Array(bytes.prefix(length))
        // A value at the end of a PDU has no length of its own; what is read must be written the same.
        if let pdu = try? ATTPDU(bytes: cut) { #expect(pdu.bytes == cut) }
      }
    }
    #expect(throws: ByteError(offset: 1, problem: .truncated(needed: 2, available: 1))) {
      try ATTReadRequest(bytes: [0x0A, 0x2A])
    }
    #expect(throws: ByteError(offset: 3, problem: .trailing(1))) { try ATTReadRequest(bytes: [0x0A, 0x2A, 0, 0]) }
  }

  @Test("random bytes are an error or a PDU that is written the same")
  func random() {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<20_000 {
      let bytes = generator.bytes(Int.random(in: 0...40, using: &generator))
      if let pdu = try? ATTPDU(bytes: bytes) { #expect(pdu.bytes == bytes) }
      _ = L2CAPDescription.line(forATT: bytes)
    }
  }

  @Test(
    "F42: a record length of 0, one that is too small and one that does not divide the list are parse errors",
    arguments: [0x09, 0x11] as [UInt8]
  )
  func recordLength(opcode: UInt8) {
    for length in [0, 1, 5, 7] as [UInt8] {
      #expect(throws: ByteError.self) { try ATTPDU(bytes: [opcode, length] + [UInt8](repeating: 1, count: 6)) }
    }
    #expect(throws: ByteError.self) { try ATTPDU(bytes: [opcode, 6]) }
    #expect(throws: Never.self) { try ATTPDU(bytes: [opcode, 6, 1, 0, 2, 0, 3, 4]) }
  }

  @Test("lists without fixed lengths are checked too")
  func lists() {
    #expect(throws: ByteError.self) { try ATTPDU(bytes: [0x05, 0x03, 1, 0, 2, 0x29]) }
    #expect(throws: ByteError.self) { try ATTPDU(bytes: [0x05, 0x01, 1, 0, 2]) }
    #expect(throws: ByteError.self) { try ATTPDU(bytes: [0x05, 0x01]) }
    #expect(throws: ByteError.self) { try ATTPDU(bytes: [0x07]) }
    #expect(throws: ByteError.self) { try ATTPDU(bytes: [0x0E, 1, 0]) }
    #expect(throws: ByteError.self) { try ATTPDU(bytes: [0x23, 1, 0, 5, 0, 1]) }
  }

  @Test("opcodes tell requests, responses and commands apart")
  func kinds() {
    #expect(ATTOpcode.readRequest.isRequest && ATTOpcode.readRequest.response == .readResponse)
    #expect(ATTOpcode.errorResponse.isResponse && !ATTOpcode.errorResponse.isRequest)
    #expect(ATTOpcode.writeCommand.isCommand && !ATTOpcode.writeCommand.isRequest)
    #expect(ATTOpcode.signedWriteCommand.isSigned)
    #expect(ATTOpcode.handleValueIndication.isServerInitiated)
    #expect(!ATTOpcode.handleValueConfirmation.isRequest)
    #expect(ATTOpcode(rawValue: 0x3F).isRequest)
  }

  @Test("a trace line names the PDU and what it is about")
  func lines() {
    let read = Array(FrameBuffer(.att, ATTReadRequest(handle: Self.handle)).frame)
    #expect(L2CAPDescription.line(for: read) == "ATT Read Request handle 0x002A")
    #expect(
      L2CAPDescription.line(forATT: [0x1B, 0x2A, 0, 0, 72]) == "ATT Handle Value Notification handle 0x002A value 00 48"
    )
    #expect(L2CAPDescription.line(forACL: read, isContinuation: false) == "ATT Read Request handle 0x002A")
    #expect(
      L2CAPDescription.line(forACL: [30, 0, 4, 0, 0x0B, 1], isContinuation: false)
        == "ATT Read Response begins, 2 of 30 bytes"
    )
    #expect(L2CAPDescription.line(forACL: [1, 2], isContinuation: true) == "L2CAP continued, 2 bytes")
    #expect(L2CAPDescription.line(forATT: [0x0A, 1]).contains("can not be read, at byte 1"))
    #expect(L2CAPDescription.line(for: [9, 0, 4]).contains("can not be read"))
  }
}
