import HostStack

/// The two ways of speaking of advertising, of which a host keeps to one until it resets the controller
/// (Core 5.4, Vol 4, Part E, 3.1.1).
enum AdvertisingCommandSet: Sendable {
  case legacy
  case extended

  /// To which one a command belongs; `nil` for one that goes with both.
  init?(_ opcode: HCIOpcode) {
    switch opcode {
    case .leSetAdvertisingParameters, .leReadAdvertisingPhysicalChannelTXPower, .leSetAdvertisingData,
      .leSetScanResponseData, .leSetAdvertisingEnable, .leSetScanParameters, .leSetScanEnable, .leCreateConnection:
      self = .legacy
    case .leSetAdvertisingSetRandomAddress, .leSetExtendedAdvertisingParameters, .leSetExtendedAdvertisingData,
      .leSetExtendedScanResponseData, .leSetExtendedAdvertisingEnable, .leReadMaximumAdvertisingDataLength,
      .leReadNumberOfSupportedAdvertisingSets, .leRemoveAdvertisingSet, .leClearAdvertisingSets,
      .leSetExtendedScanParameters, .leSetExtendedScanEnable, .leExtendedCreateConnection:
      self = .extended
    default: return nil
    }
  }
}

extension VirtualController {
  /// Whether a command goes with those that came before it; the first one settles it.
  mutating func allows(_ opcode: HCIOpcode) -> Bool {
    guard let wanted = AdvertisingCommandSet(opcode) else { return true }
    guard let commandSet else {
      self.commandSet = wanted
      return true
    }
    return commandSet == wanted
  }
}
