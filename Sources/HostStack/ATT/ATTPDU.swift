import BluetoothTypes

/// Any ATT PDU, told apart by its opcode.
package enum ATTPDU: Hashable, Sendable {
  case errorResponse(ATTErrorResponse)
  case exchangeMTURequest(ATTExchangeMTURequest)
  case exchangeMTUResponse(ATTExchangeMTUResponse)
  case findInformationRequest(ATTFindInformationRequest)
  case findInformationResponse(ATTFindInformationResponse)
  case findByTypeValueRequest(ATTFindByTypeValueRequest)
  case findByTypeValueResponse(ATTFindByTypeValueResponse)
  case readByTypeRequest(ATTReadByTypeRequest)
  case readByTypeResponse(ATTReadByTypeResponse)
  case readRequest(ATTReadRequest)
  case readResponse(ATTReadResponse)
  case readBlobRequest(ATTReadBlobRequest)
  case readBlobResponse(ATTReadBlobResponse)
  case readMultipleRequest(ATTReadMultipleRequest)
  case readMultipleResponse(ATTReadMultipleResponse)
  case readMultipleVariableRequest(ATTReadMultipleVariableRequest)
  case readMultipleVariableResponse(ATTReadMultipleVariableResponse)
  case readByGroupTypeRequest(ATTReadByGroupTypeRequest)
  case readByGroupTypeResponse(ATTReadByGroupTypeResponse)
  case writeRequest(ATTWriteRequest)
  case writeResponse(ATTWriteResponse)
  case writeCommand(ATTWriteCommand)
  case signedWriteCommand(ATTSignedWriteCommand)
  case prepareWriteRequest(ATTPrepareWriteRequest)
  case prepareWriteResponse(ATTPrepareWriteResponse)
  case executeWriteRequest(ATTExecuteWriteRequest)
  case executeWriteResponse(ATTExecuteWriteResponse)
  case handleValueNotification(ATTHandleValueNotification)
  case handleValueIndication(ATTHandleValueIndication)
  case handleValueConfirmation(ATTHandleValueConfirmation)
  case multipleHandleValueNotification(ATTMultipleHandleValueNotification)
  /// An opcode that is not known here, with what follows it.
  case unknown(ATTOpcode, [UInt8])

  /// Reads a whole PDU.
  package init(bytes: [UInt8]) throws(ByteError) {
    var reader = ByteReader(bytes)
    let opcode = ATTOpcode(rawValue: try reader.read())
    switch opcode {
    case .errorResponse: self = .errorResponse(try ATTErrorResponse(bytes: bytes))
    case .exchangeMTURequest: self = .exchangeMTURequest(try ATTExchangeMTURequest(bytes: bytes))
    case .exchangeMTUResponse: self = .exchangeMTUResponse(try ATTExchangeMTUResponse(bytes: bytes))
    case .findInformationRequest: self = .findInformationRequest(try ATTFindInformationRequest(bytes: bytes))
    case .findInformationResponse: self = .findInformationResponse(try ATTFindInformationResponse(bytes: bytes))
    case .findByTypeValueRequest: self = .findByTypeValueRequest(try ATTFindByTypeValueRequest(bytes: bytes))
    case .findByTypeValueResponse: self = .findByTypeValueResponse(try ATTFindByTypeValueResponse(bytes: bytes))
    case .readByTypeRequest: self = .readByTypeRequest(try ATTReadByTypeRequest(bytes: bytes))
    case .readByTypeResponse: self = .readByTypeResponse(try ATTReadByTypeResponse(bytes: bytes))
    case .readRequest: self = .readRequest(try ATTReadRequest(bytes: bytes))
    case .readResponse: self = .readResponse(try ATTReadResponse(bytes: bytes))
    case .readBlobRequest: self = .readBlobRequest(try ATTReadBlobRequest(bytes: bytes))
    case .readBlobResponse: self = .readBlobResponse(try ATTReadBlobResponse(bytes: bytes))
    case .readMultipleRequest: self = .readMultipleRequest(try ATTReadMultipleRequest(bytes: bytes))
    case .readMultipleResponse: self = .readMultipleResponse(try ATTReadMultipleResponse(bytes: bytes))
    case .readMultipleVariableRequest:
      self = .readMultipleVariableRequest(try ATTReadMultipleVariableRequest(bytes: bytes))
    case .readMultipleVariableResponse:
      self = .readMultipleVariableResponse(try ATTReadMultipleVariableResponse(bytes: bytes))
    case .readByGroupTypeRequest: self = .readByGroupTypeRequest(try ATTReadByGroupTypeRequest(bytes: bytes))
    case .readByGroupTypeResponse: self = .readByGroupTypeResponse(try ATTReadByGroupTypeResponse(bytes: bytes))
    case .writeRequest: self = .writeRequest(try ATTWriteRequest(bytes: bytes))
    case .writeResponse: self = .writeResponse(try ATTWriteResponse(bytes: bytes))
    case .writeCommand: self = .writeCommand(try ATTWriteCommand(bytes: bytes))
    case .signedWriteCommand: self = .signedWriteCommand(try ATTSignedWriteCommand(bytes: bytes))
    case .prepareWriteRequest: self = .prepareWriteRequest(try ATTPrepareWriteRequest(bytes: bytes))
    case .prepareWriteResponse: self = .prepareWriteResponse(try ATTPrepareWriteResponse(bytes: bytes))
    case .executeWriteRequest: self = .executeWriteRequest(try ATTExecuteWriteRequest(bytes: bytes))
    case .executeWriteResponse: self = .executeWriteResponse(try ATTExecuteWriteResponse(bytes: bytes))
    case .handleValueNotification: self = .handleValueNotification(try ATTHandleValueNotification(bytes: bytes))
    case .handleValueIndication: self = .handleValueIndication(try ATTHandleValueIndication(bytes: bytes))
    case .handleValueConfirmation: self = .handleValueConfirmation(try ATTHandleValueConfirmation(bytes: bytes))
    case .multipleHandleValueNotification:
      self = .multipleHandleValueNotification(try ATTMultipleHandleValueNotification(bytes: bytes))
    default: self = .unknown(opcode, reader.readRemaining())
    }
  }

  /// What the PDU is.
  package var opcode: ATTOpcode {
    if case .unknown(let opcode, _) = self { return opcode }
    return ATTOpcode(rawValue: bytes.first ?? 0)
  }

  /// The whole PDU.
  package var bytes: [UInt8] {
    if case .unknown(let opcode, let rest) = self { return [opcode.rawValue] + rest }
    return message?.bytes ?? []
  }

  /// The PDU by its own type; `nil` if the opcode is not known.
  package var message: (any ATTMessage)? {
    switch self {
    case .errorResponse(let pdu): pdu
    case .exchangeMTURequest(let pdu): pdu
    case .exchangeMTUResponse(let pdu): pdu
    case .findInformationRequest(let pdu): pdu
    case .findInformationResponse(let pdu): pdu
    case .findByTypeValueRequest(let pdu): pdu
    case .findByTypeValueResponse(let pdu): pdu
    case .readByTypeRequest(let pdu): pdu
    case .readByTypeResponse(let pdu): pdu
    case .readRequest(let pdu): pdu
    case .readResponse(let pdu): pdu
    case .readBlobRequest(let pdu): pdu
    case .readBlobResponse(let pdu): pdu
    case .readMultipleRequest(let pdu): pdu
    case .readMultipleResponse(let pdu): pdu
    case .readMultipleVariableRequest(let pdu): pdu
    case .readMultipleVariableResponse(let pdu): pdu
    case .readByGroupTypeRequest(let pdu): pdu
    case .readByGroupTypeResponse(let pdu): pdu
    case .writeRequest(let pdu): pdu
    case .writeResponse(let pdu): pdu
    case .writeCommand(let pdu): pdu
    case .signedWriteCommand(let pdu): pdu
    case .prepareWriteRequest(let pdu): pdu
    case .prepareWriteResponse(let pdu): pdu
    case .executeWriteRequest(let pdu): pdu
    case .executeWriteResponse(let pdu): pdu
    case .handleValueNotification(let pdu): pdu
    case .handleValueIndication(let pdu): pdu
    case .handleValueConfirmation(let pdu): pdu
    case .multipleHandleValueNotification(let pdu): pdu
    case .unknown: nil
    }
  }
}
