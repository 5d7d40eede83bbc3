import BluetoothTypes
import Foundation
import RadioPort

extension CBPeripheral {
  /// Opens a channel to what the device listens for.
  ///
  /// - Parameter PSM: 0x0001 to 0x00FF; how this program learns of it is up to the device, for example by a
  ///   characteristic with the UUID `CBUUIDL2CAPPSMCharacteristicString`.
  public func openL2CAPChannel(_ PSM: CBL2CAPPSM) {
    guard let link = usableLink() else { return }
    let psm = L2CAPPSM(rawValue: PSM)
    let finish = later { (peripheral, result: Result<ChannelSession, RadioFailure>) in
      switch result {
      case .success(let session):
        let channel = CBL2CAPChannel(session, psm: psm, peer: peripheral)
        peripheral.delegate?.peripheral(peripheral, didOpen: channel, error: nil)
      case .failure(let failure):
        peripheral.delegate?.peripheral(peripheral, didOpen: nil, error: failure.channelError)
      }
    }
    session.perform { $0.openChannel(psm, on: link, finish) }
  }
}

extension RadioFailure {
  /// The failure of a wish for a channel: what the peer needs first as an ATT error, as Apple tells it of values.
  var channelError: any Error {
    guard case .channel(let result)? = underlying else { return error }
    let info: [String: Any] = [NSLocalizedFailureReasonErrorKey: reason]
    return switch result {
    case .insufficientAuthentication: CBATTError(.insufficientAuthentication, userInfo: info)
    case .insufficientAuthorization: CBATTError(.insufficientAuthorization, userInfo: info)
    case .encryptionKeySizeTooShort: CBATTError(.insufficientEncryptionKeySize, userInfo: info)
    case .insufficientEncryption: CBATTError(.insufficientEncryption, userInfo: info)
    case .noResources: CBError(.outOfSpace, userInfo: info)
    case .spsmNotSupported, .unacceptableParameters, .invalidParameters: CBError(.invalidParameters, userInfo: info)
    default: CBError(.unknown, userInfo: info)
    }
  }
}
