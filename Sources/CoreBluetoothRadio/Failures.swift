import BluetoothTypes
import CoreBluetooth
import RadioPort

extension RadioFailure {
  /// What the framework's error means; the end of a link without one was wished here.
  init(_ error: (any Error)?, otherwise kind: Kind, _ what: String) {
    guard let error else {
      self.init(kind, reason: what)
      return
    }
    let cocoa = error as NSError
    let reason = "\(what): \(cocoa.localizedDescription)"
    if cocoa.domain == CBATTErrorDomain, let code = UInt8(exactly: cocoa.code) {
      self.init(.att, underlying: .att(ATTErrorCode(rawValue: code), AttributeHandle(0)), reason: reason)
      return
    }
    let underlying: Underlying = .platform(domain: cocoa.domain, code: cocoa.code)
    guard cocoa.domain == CBErrorDomain else {
      self.init(kind, underlying: underlying, reason: reason)
      return
    }
    switch CBError.Code(rawValue: cocoa.code) {
    case .connectionTimeout:
      self.init(kind == .connectionFailed ? kind : .disconnected, underlying: .hci(.connectionTimeout), reason: reason)
    case .peripheralDisconnected:
      self.init(.disconnected, underlying: .hci(.remoteUserTerminatedConnection), reason: reason)
    case .notConnected: self.init(.disconnected, underlying: underlying, reason: reason)
    case .connectionFailed, .connectionLimitReached:
      self.init(.connectionFailed, underlying: underlying, reason: reason)
    case .outOfSpace: self.init(.busy, underlying: underlying, reason: reason)
    case .operationNotSupported, .uuidNotAllowed: self.init(.unsupported, underlying: underlying, reason: reason)
    case .invalidParameters, .invalidHandle: self.init(.invalidArgument, underlying: underlying, reason: reason)
    default: self.init(kind, underlying: underlying, reason: reason)
    }
  }
}
