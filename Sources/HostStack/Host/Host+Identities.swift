import BluetoothTypes
import RadioPort

// Devices that are known by their keys, though their addresses change.

extension Host {
  /// From now on the private addresses of these devices are resolved: by the host at once, by the controller as soon as
  /// it has paused what it does for that.
  package mutating func setIdentities(_ identities: [KnownIdentity], now: RadioInstant) {
    resolver.setIdentities(identities)
    resolution.want(identities)
    renewAliases()
    isControlDirty = true
    settle(now)
  }

  mutating func resolutionAnswered(_ step: AddressResolution.Step, _ answer: CommandAnswer) {
    if case .refused = resolution.answered(step, answer.status) {
      report(.refusedCommand, "to resolve private addresses in the controller (\(step)): \(answer.status)")
    }
    info.showsPrivateAddresses = resolution.showsPrivateAddresses
    renewAliases()
  }

  /// A device is looked for by its identity where the controller resolves its address, else by what it was heard with.
  private mutating func renewAliases() {
    for address in connector.wished {
      connector.setAlias(resolution.resolves(address) ? address : resolver.currentAddress(of: address), of: address)
    }
  }

  /// Where to listen for devices that wait to be connected and whose address only the host can follow; `nil` if there are
  /// none.
  var hiddenPHYs: LEPHYs? {
    guard !resolver.identities.isEmpty, connector.hasWishes else { return nil }
    return connector.phys(ofHidden: { resolver.knows($0) && !resolution.resolves($0) })
  }
}
