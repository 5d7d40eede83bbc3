import BluetoothTypes

/// What a signalling command is (Core 5.4, Vol 3, Part A, 4, table 4.2): an open set.
package struct SignallingCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let commandReject = Self(rawValue: 0x01)
  package static let disconnectionRequest = Self(rawValue: 0x06)
  package static let disconnectionResponse = Self(rawValue: 0x07)
  package static let connectionParameterUpdateRequest = Self(rawValue: 0x12)
  package static let connectionParameterUpdateResponse = Self(rawValue: 0x13)
  package static let leCreditBasedConnectionRequest = Self(rawValue: 0x14)
  package static let leCreditBasedConnectionResponse = Self(rawValue: 0x15)
  package static let flowControlCredit = Self(rawValue: 0x16)
  package static let creditBasedConnectionRequest = Self(rawValue: 0x17)
  package static let creditBasedConnectionResponse = Self(rawValue: 0x18)
  package static let creditBasedReconfigureRequest = Self(rawValue: 0x19)
  package static let creditBasedReconfigureResponse = Self(rawValue: 0x1A)

  /// Whether it answers something: what nobody asked for is then passed over in silence. Of the codes that only
  /// BR/EDR has, the answers too.
  package var isResponse: Bool {
    switch rawValue {
    case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x15, 0x18, 0x1A: true
    default: false
    }
  }
}

extension SignallingCode: CustomStringConvertible {
  package var description: String {
    switch self {
    case .commandReject: "Command Reject"
    case .disconnectionRequest: "Disconnection Request"
    case .disconnectionResponse: "Disconnection Response"
    case .connectionParameterUpdateRequest: "Connection Parameter Update Request"
    case .connectionParameterUpdateResponse: "Connection Parameter Update Response"
    case .leCreditBasedConnectionRequest: "LE Credit Based Connection Request"
    case .leCreditBasedConnectionResponse: "LE Credit Based Connection Response"
    case .flowControlCredit: "Flow Control Credit"
    case .creditBasedConnectionRequest: "Credit Based Connection Request"
    case .creditBasedConnectionResponse: "Credit Based Connection Response"
    case .creditBasedReconfigureRequest: "Credit Based Reconfigure Request"
    case .creditBasedReconfigureResponse: "Credit Based Reconfigure Response"
    default: "code 0x" + hexadecimal(rawValue, digits: 2)
    }
  }
}
