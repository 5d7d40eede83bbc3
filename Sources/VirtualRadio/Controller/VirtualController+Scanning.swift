import BluetoothTypes
import HostStack

// Commands for scanning, legacy and extended (Core 5.4, Vol 4, Part E, 7.8.10, 7.8.11, 7.8.64 and 7.8.65).
extension VirtualController {
  mutating func setScanParameters(_ command: LESetScanParameters) {
    guard !scanner.isEnabled else { return complete(command, .commandDisallowed) }
    guard
      command.leScanType == .passive || command.leScanType == .active,
      Self.isListeningValid(interval: command.leScanInterval, window: command.leScanWindow),
      command.ownAddressType.rawValue <= 3, command.scanningFilterPolicy.rawValue <= 3
    else { return complete(command, .invalidHCICommandParameters) }
    guard supports(command.ownAddressType), supports(command.scanningFilterPolicy) else {
      return complete(command, .unsupportedFeatureOrParameterValue)
    }
    scanner.modes = [
      Scanner.Mode(
        isActive: command.leScanType == .active,
        window: ListeningWindow(interval: command.leScanInterval, window: command.leScanWindow)
      )
    ]
    scanner.isExtended = false
    scanner.ownAddressType = command.ownAddressType
    scanner.filterPolicy = command.scanningFilterPolicy
    complete(command)
  }

  mutating func setScanning(_ command: LESetScanEnable, now: Int64) -> CommandEffect {
    guard command.leScanEnable else {
      scanner.disable()
      complete(command)
      return .activity
    }
    guard hasScanAddress else {
      complete(command, .invalidHCICommandParameters)
      return .none
    }
    scanner.enable(command.filterDuplicates ? .on : .off, now: now)
    complete(command)
    return .activity
  }

  mutating func setScanParameters(_ command: LESetExtendedScanParameters) {
    guard !scanner.isEnabled else { return complete(command, .commandDisallowed) }
    let phys = command.scanningPHYs
    guard
      !phys.isEmpty, command.parameters.count == phys.count,
      command.parameters.allSatisfy({ block in
        (block.scanType == .passive || block.scanType == .active)
          && Self.isListeningValid(interval: block.scanInterval, window: block.scanWindow, isExtended: true)
      }),
      command.ownAddressType.rawValue <= 3, command.scanningFilterPolicy.rawValue <= 3
    else { return complete(command, .invalidHCICommandParameters) }
    guard phys.isSubset(of: primaryPHYs), supports(command.ownAddressType), supports(command.scanningFilterPolicy)
    else { return complete(command, .unsupportedFeatureOrParameterValue) }
    scanner.modes = zip(phys.linkPHYs, command.parameters).map { phy, block in
      Scanner.Mode(
        phy: phy,
        isActive: block.scanType == .active,
        window: ListeningWindow(interval: block.scanInterval, window: block.scanWindow)
      )
    }
    scanner.isExtended = true
    scanner.ownAddressType = command.ownAddressType
    scanner.filterPolicy = command.scanningFilterPolicy
    complete(command)
  }

  mutating func setScanning(_ command: LESetExtendedScanEnable, now: Int64) -> CommandEffect {
    guard command.enable else {
      scanner.disable()
      complete(command)
      return .activity
    }
    let duration = Int64(command.duration) &* 10_000_000
    let period = Int64(command.duration == 0 ? 0 : command.period) &* 1_280_000_000
    guard
      command.filterDuplicates.rawValue <= 2, hasScanAddress, period == 0 || duration < period,
      command.filterDuplicates != .resetEachPeriod || period > 0
    else {
      complete(command, .invalidHCICommandParameters)
      return .none
    }
    // Without parameters it scans by the default ones.
    scanner.isExtended = true
    scanner.enable(command.filterDuplicates, duration: duration, period: period, now: now)
    complete(command)
    return .activity
  }

  /// The time of the scan is over.
  mutating func endScan() {
    scanner.disable()
    send(LEScanTimeout())
  }

  private var hasScanAddress: Bool { !scanner.ownAddressType.isRandom || randomAddress != nil }

  /// The PHYs on which it can listen to advertisers.
  var primaryPHYs: LEPHYs { features.contains(.leCoded) ? [.le1M, .leCoded] : .le1M }

  /// Whether an interval and a window are in range and go together.
  static func isListeningValid(interval: UInt16, window: UInt16, isExtended: Bool = false) -> Bool {
    let range: ClosedRange<UInt16> = isExtended ? 0x0004...0xFFFF : 0x0004...0x4000
    return range.contains(interval) && range.contains(window) && window <= interval
  }
}

extension LEPHYs {
  /// One after the other, from the lowest bit up.
  var linkPHYs: [LinkPHY] { [LinkPHY.le1M, .le2M, .codedS8].filter { rawValue & $0.bit != 0 } }
}
