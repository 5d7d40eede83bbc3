import BluetoothTypes

/// Puts an L2CAP frame into a line for packet traces, for example `ATT Read Request handle 0x002A`.
package enum L2CAPDescription {
  /// Describes a whole frame, header first; what can not be read is shown as bytes with the reason.
  package static func line(for frame: [UInt8]) -> String {
    do {
      let frame = try L2CAPFrame(bytes: frame)
      return switch frame.channel {
      case .att: line(forATT: frame.payload)
      case .leSignalling: line(forSignalling: frame.payload)
      default: "\(frame.channel) \(bytes(frame.payload))"
      }
    } catch {
      return "L2CAP frame that can not be read, \(error): \(bytes(frame))"
    }
  }

  /// Describes the payload of one ACL packet, which may be a whole frame, the beginning of one or what continues one.
  package static func line(forACL payload: [UInt8], isContinuation: Bool) -> String {
    if isContinuation { return "L2CAP continued, \(counted(payload.count, "byte"))" }
    guard payload.count >= L2CAPFrame.headerLength else { return "L2CAP begins, \(bytes(payload))" }
    let announced = Int(payload[0]) | Int(payload[1]) << 8
    let present = payload.count - L2CAPFrame.headerLength
    guard present < announced else { return line(for: payload) }
    let channel = L2CAPChannelID(rawValue: UInt16(payload[2]) | UInt16(payload[3]) << 8)
    let name =
      switch (channel, payload.dropFirst(L2CAPFrame.headerLength).first) {
      case (.att, let opcode?): "ATT \(ATTOpcode(rawValue: opcode))"
      case (.leSignalling, let code?): "L2CAP \(SignallingCode(rawValue: code))"
      default: "\(channel)"
      }
    return "\(name) begins, \(present) of \(counted(announced, "byte"))"
  }

  /// Describes a whole ATT PDU.
  package static func line(forATT pdu: [UInt8]) -> String {
    do {
      let pdu = try ATTPDU(bytes: pdu)
      let details = details(of: pdu)
      return details.isEmpty ? "ATT \(pdu.opcode)" : "ATT \(pdu.opcode) \(details)"
    } catch {
      let opcode = pdu.first.map { ATTOpcode(rawValue: $0).description } ?? "PDU"
      return "ATT \(opcode) that can not be read, \(error): \(bytes(pdu))"
    }
  }

  /// Describes a whole signalling command.
  package static func line(forSignalling payload: [UInt8]) -> String {
    do {
      let command = try SignallingCommand(bytes: payload)
      return "L2CAP \(command.code) id \(command.identifier) \(try details(of: command))"
    } catch {
      return "L2CAP signalling command that can not be read, \(error): \(bytes(payload))"
    }
  }

  private static func bytes(_ bytes: [UInt8]) -> String {
    let shown = bytes.prefix(20)
    return bytes.isEmpty ? "empty" : hexadecimal(shown) + (shown.count < bytes.count ? " … (\(bytes.count) bytes)" : "")
  }

  private static func details(of pdu: ATTPDU) -> String {
    switch pdu {
    case .errorResponse(let pdu): "\(pdu.code) to \(pdu.request), handle \(pdu.handle)"
    case .exchangeMTURequest(let pdu): "\(pdu.mtu)"
    case .exchangeMTUResponse(let pdu): "\(pdu.mtu)"
    case .findInformationRequest(let pdu): "\(pdu.start) to \(pdu.end)"
    case .findInformationResponse(let pdu): pdu.records.map { "\($0.handle) \($0.uuid)" }.joined(separator: ", ")
    case .findByTypeValueRequest(let pdu):
      "\(pdu.start) to \(pdu.end) type \(BluetoothUUID(pdu.type)) value \(bytes(pdu.value))"
    case .findByTypeValueResponse(let pdu):
      pdu.records.map { "\($0.handle) to \($0.groupEnd)" }.joined(separator: ", ")
    case .readByTypeRequest(let pdu): "\(pdu.start) to \(pdu.end) type \(pdu.type)"
    case .readByTypeResponse(let pdu): pdu.records.map { "\($0.handle) \(bytes($0.value))" }.joined(separator: ", ")
    case .readByGroupTypeRequest(let pdu): "\(pdu.start) to \(pdu.end) type \(pdu.type)"
    case .readByGroupTypeResponse(let pdu):
      pdu.records.map { "\($0.handle) to \($0.groupEnd) \(bytes($0.value))" }.joined(separator: ", ")
    case .readRequest(let pdu): "handle \(pdu.handle)"
    case .readResponse(let pdu): bytes(pdu.value)
    case .readBlobRequest(let pdu): "handle \(pdu.handle) from byte \(pdu.offset)"
    case .readBlobResponse(let pdu): bytes(pdu.value)
    case .readMultipleRequest(let pdu): pdu.handles.map(\.description).joined(separator: ", ")
    case .readMultipleResponse(let pdu): bytes(pdu.values)
    case .readMultipleVariableRequest(let pdu): pdu.handles.map(\.description).joined(separator: ", ")
    case .readMultipleVariableResponse(let pdu): pdu.values.map { bytes($0.bytes) }.joined(separator: ", ")
    case .writeRequest(let pdu): "handle \(pdu.handle) value \(bytes(pdu.value))"
    case .writeCommand(let pdu): "handle \(pdu.handle) value \(bytes(pdu.value))"
    case .signedWriteCommand(let pdu): "handle \(pdu.handle) value \(bytes(pdu.value))"
    case .prepareWriteRequest(let pdu): "handle \(pdu.handle) from byte \(pdu.offset) value \(bytes(pdu.value))"
    case .prepareWriteResponse(let pdu): "handle \(pdu.handle) from byte \(pdu.offset) value \(bytes(pdu.value))"
    case .executeWriteRequest(let pdu):
      switch pdu.flags {
      case .write: "write"
      case .cancel: "cancel"
      default: "flags \(pdu.flags.rawValue)"
      }
    case .handleValueNotification(let pdu): "handle \(pdu.handle) value \(bytes(pdu.value))"
    case .handleValueIndication(let pdu): "handle \(pdu.handle) value \(bytes(pdu.value))"
    case .multipleHandleValueNotification(let pdu):
      pdu.records.map { "handle \($0.handle) value \(bytes($0.value))" }.joined(separator: ", ")
    case .writeResponse, .executeWriteResponse, .handleValueConfirmation: ""
    case .unknown(_, let rest): bytes(rest)
    }
  }

  private static func details(of command: SignallingCommand) throws(ByteError) -> String {
    switch command.code {
    case .commandReject:
      switch try L2CAPCommandReject(data: command.data).reason {
      case .notUnderstood: "not understood"
      case .mtuExceeded(let actual): "longer than \(counted(actual, "byte"))"
      case .invalidChannel(let local, let remote): "no such channel: \(local), \(remote)"
      case .other(let code, let data): "reason \(code), \(bytes(data))"
      }
    case .connectionParameterUpdateRequest:
      parameters(try L2CAPConnectionParameterUpdateRequest(data: command.data))
    case .connectionParameterUpdateResponse:
      try L2CAPConnectionParameterUpdateResponse(data: command.data).isAccepted
        ? "accepted" : "rejected"
    case .leCreditBasedConnectionRequest:
      opening(try L2CAPLECreditBasedConnectionRequest(data: command.data))
    case .leCreditBasedConnectionResponse:
      opened(try L2CAPLECreditBasedConnectionResponse(data: command.data))
    case .disconnectionRequest, .disconnectionResponse:
      ending(try L2CAPDisconnectionRequest(data: command.data))
    case .flowControlCredit:
      try credits(L2CAPFlowControlCredit(data: command.data))
    default: bytes(command.data)
    }
  }

  private static func credits(_ message: L2CAPFlowControlCredit) -> String {
    "\(message.channel) \(message.credits) credits"
  }

  private static func opening(_ message: L2CAPLECreditBasedConnectionRequest) -> String {
    "\(L2CAPPSM(rawValue: message.spsm)) as \(message.source), MTU \(message.mtu), MPS \(message.mps), "
      + "\(message.initialCredits) credits"
  }

  private static func opened(_ message: L2CAPLECreditBasedConnectionResponse) -> String {
    guard message.result == .success else { return "\(message.result)" }
    return
      "as \(message.destination), MTU \(message.mtu), MPS \(message.mps), \(message.initialCredits) credits"
  }

  private static func ending(_ message: L2CAPDisconnectionRequest) -> String {
    "\(message.source) to \(message.destination)"
  }

  private static func parameters(_ message: L2CAPConnectionParameterUpdateRequest) -> String {
    "interval \(message.intervalMin) to \(message.intervalMax) × 1.25 ms, latency \(message.latency), "
      + "timeout \(message.timeout) × 10 ms"
  }
}
