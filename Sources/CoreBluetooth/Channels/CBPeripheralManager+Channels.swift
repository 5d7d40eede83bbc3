import BluetoothTypes
import Foundation
import RadioPort

extension CBPeripheralManager {
  /// Lets centrals open channels to a PSM that the system chooses; the delegate is told which.
  ///
  /// - Parameter encryptionRequired: Whether a channel needs an encrypted connection.
  public func publishL2CAPChannel(withEncryption encryptionRequired: Bool) {
    guard isReadyForCommands() else { return }
    let manager = WeakCarried(self)
    session.perform { session in
      session.publishChannel(requiresEncryption: encryptionRequired) { result in
        guard let manager = manager.object else { return }
        let (psm, error) = result.parts
        manager.delegate?.peripheralManager(manager, didPublishL2CAPChannel: psm?.rawValue ?? 0, error: error)
      }
    }
  }

  /// Lets centrals open no more channels to a PSM; those that are open stay.
  public func unpublishL2CAPChannel(_ PSM: CBL2CAPPSM) {
    guard isReadyForCommands() else { return }
    let manager = WeakCarried(self)
    session.perform { session in
      session.unpublishChannel(L2CAPPSM(rawValue: PSM)) { result in
        guard let manager = manager.object else { return }
        manager.delegate?.peripheralManager(manager, didUnpublishL2CAPChannel: PSM, error: result.parts.error)
      }
    }
  }

  /// A central has opened a channel.
  func opened(_ session: ChannelSession, _ info: ChannelInfo, mtu: Int) {
    let channel = CBL2CAPChannel(session, psm: info.psm, peer: object(info.link, mtu))
    delegate?.peripheralManager(self, didOpen: channel, error: nil)
  }
}
