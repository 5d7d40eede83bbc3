import BluetoothTypes

/// What an ATT PDU is (Core 5.4, Vol 3, Part F, 3.3.1): an open set, as a peer may know newer ones.
package struct ATTOpcode: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8

  @inlinable
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let errorResponse = Self(rawValue: 0x01)
  package static let exchangeMTURequest = Self(rawValue: 0x02)
  package static let exchangeMTUResponse = Self(rawValue: 0x03)
  package static let findInformationRequest = Self(rawValue: 0x04)
  package static let findInformationResponse = Self(rawValue: 0x05)
  package static let findByTypeValueRequest = Self(rawValue: 0x06)
  package static let findByTypeValueResponse = Self(rawValue: 0x07)
  package static let readByTypeRequest = Self(rawValue: 0x08)
  package static let readByTypeResponse = Self(rawValue: 0x09)
  package static let readRequest = Self(rawValue: 0x0A)
  package static let readResponse = Self(rawValue: 0x0B)
  package static let readBlobRequest = Self(rawValue: 0x0C)
  package static let readBlobResponse = Self(rawValue: 0x0D)
  package static let readMultipleRequest = Self(rawValue: 0x0E)
  package static let readMultipleResponse = Self(rawValue: 0x0F)
  package static let readByGroupTypeRequest = Self(rawValue: 0x10)
  package static let readByGroupTypeResponse = Self(rawValue: 0x11)
  package static let writeRequest = Self(rawValue: 0x12)
  package static let writeResponse = Self(rawValue: 0x13)
  package static let prepareWriteRequest = Self(rawValue: 0x16)
  package static let prepareWriteResponse = Self(rawValue: 0x17)
  package static let executeWriteRequest = Self(rawValue: 0x18)
  package static let executeWriteResponse = Self(rawValue: 0x19)
  package static let handleValueNotification = Self(rawValue: 0x1B)
  package static let handleValueIndication = Self(rawValue: 0x1D)
  package static let handleValueConfirmation = Self(rawValue: 0x1E)
  package static let readMultipleVariableRequest = Self(rawValue: 0x20)
  package static let readMultipleVariableResponse = Self(rawValue: 0x21)
  package static let multipleHandleValueNotification = Self(rawValue: 0x23)
  package static let writeCommand = Self(rawValue: 0x52)
  package static let signedWriteCommand = Self(rawValue: 0xD2)
}

extension ATTOpcode {
  /// The command flag (bit 6): never answered, and ignored where it is not known.
  @inlinable
  package var isCommand: Bool { rawValue & 0x40 != 0 }

  /// The authentication signature flag (bit 7).
  package var isSigned: Bool { rawValue & 0x80 != 0 }

  /// What a server must answer with a response or an error; also what is not known and has no command flag, since
  /// that is answered with Request Not Supported.
  package var isRequest: Bool { !isCommand && !isResponse && !isServerInitiated && self != .handleValueConfirmation }

  /// What a server sends in answer to a request.
  @inlinable
  package var isResponse: Bool {
    switch rawValue {
    case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x21: true
    default: false
    }
  }

  /// What a server sends by itself: notifications and indications.
  @inlinable
  package var isServerInitiated: Bool {
    switch rawValue {
    case 0x1B, 0x1D, 0x23: true
    default: false
    }
  }

  /// The opcode of the response to this request; `nil` for what has none.
  package var response: ATTOpcode? {
    switch rawValue {
    case 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20: ATTOpcode(rawValue: rawValue &+ 1)
    default: nil
    }
  }

  /// The name that the specification gives it, without the prefix ATT; `nil` if it is not known.
  package var name: String? {
    switch self {
    case .errorResponse: "Error Response"
    case .exchangeMTURequest: "Exchange MTU Request"
    case .exchangeMTUResponse: "Exchange MTU Response"
    case .findInformationRequest: "Find Information Request"
    case .findInformationResponse: "Find Information Response"
    case .findByTypeValueRequest: "Find By Type Value Request"
    case .findByTypeValueResponse: "Find By Type Value Response"
    case .readByTypeRequest: "Read By Type Request"
    case .readByTypeResponse: "Read By Type Response"
    case .readRequest: "Read Request"
    case .readResponse: "Read Response"
    case .readBlobRequest: "Read Blob Request"
    case .readBlobResponse: "Read Blob Response"
    case .readMultipleRequest: "Read Multiple Request"
    case .readMultipleResponse: "Read Multiple Response"
    case .readByGroupTypeRequest: "Read By Group Type Request"
    case .readByGroupTypeResponse: "Read By Group Type Response"
    case .writeRequest: "Write Request"
    case .writeResponse: "Write Response"
    case .prepareWriteRequest: "Prepare Write Request"
    case .prepareWriteResponse: "Prepare Write Response"
    case .executeWriteRequest: "Execute Write Request"
    case .executeWriteResponse: "Execute Write Response"
    case .handleValueNotification: "Handle Value Notification"
    case .handleValueIndication: "Handle Value Indication"
    case .handleValueConfirmation: "Handle Value Confirmation"
    case .readMultipleVariableRequest: "Read Multiple Variable Request"
    case .readMultipleVariableResponse: "Read Multiple Variable Response"
    case .multipleHandleValueNotification: "Multiple Handle Value Notification"
    case .writeCommand: "Write Command"
    case .signedWriteCommand: "Signed Write Command"
    default: nil
    }
  }
}

extension ATTOpcode: CustomStringConvertible {
  /// The name, or `opcode 0x7F` for what is not known.
  package var description: String { name ?? "opcode 0x" + hexadecimal(rawValue, digits: 2) }
}
