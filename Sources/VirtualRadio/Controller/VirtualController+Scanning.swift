import BluetoothTypes
import HostStack

// Commands for legacy scanning (Core 5.4, Vol 4, Part E, 7.8.10 and 7.8.11).
extension VirtualController {
  mutating func setScanParameters(_ command: LESetScanParameters) {
    guard !scanner.isEnabled else { return complete(command, .commandDisallowed) }
    guard
      command.leScanType == .passive || command.leScanType == .active,
      Self.isListeningValid(interval: command.leScanInterval, window: command.leScanWindow),
      command.ownAddressType.rawValue <= 3, command.scanningFilterPolicy.rawValue <= 3
    else { return complete(command, .invalidHCICommandParameters) }
    guard command.ownAddressType.isWithoutPrivacy, command.scanningFilterPolicy.rawValue <= 1 else {
      return complete(command, .unsupportedFeatureOrParameterValue)
    }
    scanner.isActive = command.leScanType == .active
    scanner.window = ListeningWindow(interval: command.leScanInterval, window: command.leScanWindow)
    scanner.ownAddressType = command.ownAddressType
    scanner.filtersByAcceptList = command.scanningFilterPolicy == .filterAcceptList
    complete(command)
  }

  mutating func setScanning(_ command: LESetScanEnable, now: Int64) -> CommandEffect {
    guard command.leScanEnable else {
      scanner.disable()
      complete(command)
      return .activity
    }
    guard let address = ownAddress(scanner.ownAddressType) else {
      complete(command, .invalidHCICommandParameters)
      return .none
    }
    scanner.enable(address: address, filtersDuplicates: command.filterDuplicates, now: now)
    complete(command)
    return .activity
  }

  /// Whether an interval and a window are in range and go together.
  static func isListeningValid(interval: UInt16, window: UInt16) -> Bool {
    (0x0004...0x4000).contains(interval) && (0x0004...0x4000).contains(window) && window <= interval
  }
}
