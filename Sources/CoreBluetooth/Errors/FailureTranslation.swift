import BluetoothTypes
import Foundation
import RadioPort

extension RadioFailure {
  /// The failure as Apple's API tells it. The reason in words stands in the user info.
  var error: any Error {
    let info: [String: Any] = [NSLocalizedFailureReasonErrorKey: reason]
    if case .att(let code, _)? = underlying {
      let text =
        CBATTError.Code(rawValue: Int(code.rawValue))?.text ?? "The device answered with the ATT error \(code)."
      return CBATTError(stored: CBATTError.make(Int(code.rawValue), info, text))
    }
    if kind == .tooLong { return CBATTError(.invalidAttributeValueLength, userInfo: info) }
    return CBError(code, userInfo: info)
  }

  private var code: CBError.Code {
    var status: HCIStatus?
    if case .hci(let value)? = underlying { status = value }
    return switch kind {
    case .disconnected: Self.code(ofDisconnect: status)
    case .connectionFailed: status == .connectionLimitExceeded ? .connectionLimitReached : .connectionFailed
    case .notConnected, .poweredOff: .notConnected
    case .timedOut: .connectionTimeout
    case .unsupported: .operationNotSupported
    case .invalidArgument: .invalidParameters
    case .busy: .outOfSpace
    default: .unknown
    }
  }

  private static func code(ofDisconnect status: HCIStatus?) -> CBError.Code {
    switch status {
    case .connectionTimeout, .llResponseTimeout: .connectionTimeout
    case .connectionFailedToBeEstablished: .connectionFailed
    case .remoteUserTerminatedConnection, .remoteDeviceTerminatedConnectionLowResources,
      .remoteDeviceTerminatedConnectionPowerOff:
      .peripheralDisconnected
    case .pinOrKeyMissing: .peerRemovedPairingInformation
    case nil, .connectionTerminatedByLocalHost: .notConnected
    default: .unknown
    }
  }
}
