import BluetoothTypes
import HostStack

// Commands for the resolving list and private addresses (Core 5.4, Vol 4, Part E, 7.8.38 to 7.8.45 and 7.8.77).
extension VirtualController {
  /// Whether the resolving list must not change now, as it is in use.
  private var isResolvingListLocked: Bool { resolvingList.isEnabled && isUsingAddresses }

  private var isUsingAddresses: Bool { isAdvertising || scanner.isEnabled || initiator != nil }

  mutating func addToResolvingList(_ command: LEAddDeviceToResolvingList) {
    guard !isResolvingListLocked else { return complete(command, .commandDisallowed) }
    guard let peerKey = IdentityKey(bytes: command.peerIRK), let localKey = IdentityKey(bytes: command.localIRK),
      command.peerIdentityAddress.kind == .public || command.peerIdentityAddress.kind == .random
    else { return complete(command, .invalidHCICommandParameters) }
    // No device twice, and no key of a device twice: what it resolves would belong to two.
    guard resolvingList.index(of: command.peerIdentityAddress) == nil,
      peerKey.isZero || !resolvingList.entries.contains(where: { $0.peerKey == peerKey })
    else { return complete(command, .invalidHCICommandParameters) }
    guard resolvingList.entries.count < Int(configuration.resolvingListSize) else {
      return complete(command, .memoryCapacityExceeded)
    }
    resolvingList.add(command.peerIdentityAddress, peerKey: peerKey, localKey: localKey)
    complete(command)
  }

  mutating func removeFromResolvingList(_ command: LERemoveDeviceFromResolvingList) {
    guard !isResolvingListLocked else { return complete(command, .commandDisallowed) }
    guard let index = resolvingList.index(of: command.peerIdentityAddress) else {
      return complete(command, .unknownConnectionIdentifier)
    }
    resolvingList.remove(at: index)
    complete(command)
  }

  mutating func clearResolvingList(_ command: LEClearResolvingList) {
    guard !isResolvingListLocked else { return complete(command, .commandDisallowed) }
    resolvingList.removeAll()
    complete(command)
  }

  mutating func setResolution(_ command: LESetAddressResolutionEnable) {
    guard !isUsingAddresses else { return complete(command, .commandDisallowed) }
    resolvingList.isEnabled = command.addressResolutionEnable
    complete(command)
  }

  mutating func setLifetime(_ command: LESetResolvablePrivateAddressTimeout, now: Int64) {
    guard (0x0001...0x0E10).contains(command.rpaTimeout) else { return complete(command, .invalidHCICommandParameters) }
    resolvingList.setLifetime(seconds: command.rpaTimeout, now: now)
    complete(command)
  }

  mutating func setPrivacyMode(_ command: LESetPrivacyMode) {
    guard !isResolvingListLocked else { return complete(command, .commandDisallowed) }
    guard command.privacyMode.rawValue <= 1 else { return complete(command, .invalidHCICommandParameters) }
    guard let index = resolvingList.index(of: command.peerIdentityAddress) else {
      return complete(command, .unknownConnectionIdentifier)
    }
    resolvingList.setMode(command.privacyMode, at: index)
    complete(command)
  }

  mutating func readPeerAddress(_ command: LEReadPeerResolvableAddress) {
    let index = resolvingList.index(of: command.peerIdentityAddress)
    let address = index.flatMap { resolvingList.entries[$0].peer?.address }
    complete(
      LEReadPeerResolvableAddress.self,
      .init(
        status: index == nil ? .unknownConnectionIdentifier : .success,
        peerResolvableAddress: address ?? BluetoothAddress(0, .random)
      )
    )
  }

  mutating func readLocalAddress(_ command: LEReadLocalResolvableAddress, now: Int64) {
    let index = resolvingList.index(of: command.peerIdentityAddress)
    var generator = random
    let address = index.flatMap { resolvingList.localAddress(at: $0, now: now, random: &generator) }
    random = generator
    complete(
      LEReadLocalResolvableAddress.self,
      .init(
        status: index == nil ? .unknownConnectionIdentifier : .success,
        localResolvableAddress: address ?? BluetoothAddress(0, .random)
      )
    )
  }

  // MARK: What the features allow

  /// Whether an own address type goes with the features.
  func supports(_ type: OwnAddressType) -> Bool { !type.isPrivate || features.contains(.privacy) }

  /// Whether a filter policy goes with the features.
  func supports(_ policy: ScanningFilterPolicy) -> Bool {
    policy.rawValue <= 1 || features.contains(.extendedScanningFilterPolicies)
  }

  /// Whether a PHY goes with the features.
  func supports(_ phy: LEPHY) -> Bool {
    switch phy {
    case .le1M: true
    case .le2M: features.contains(.le2M)
    case .leCoded: features.contains(.leCoded)
    default: false
    }
  }
}
