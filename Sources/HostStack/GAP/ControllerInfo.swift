import BluetoothTypes

/// What the start-up learnt of a controller.
package struct ControllerInfo: Sendable {
  /// The address that the host uses, with its type.
  package var address = BluetoothAddress(0, .public)
  /// The HCI version, by its assigned number.
  package var hciVersion: UInt8 = 0
  /// Whose controller it is, by its company identifier.
  package var manufacturer: UInt16 = 0
  /// The commands that the controller knows; `nil` if it does not tell.
  package var supportedCommands: SupportedCommands?
  /// The features of the whole controller.
  package var lmpFeatures: LMPFeatures = []
  /// The features of its Low Energy part.
  package var leFeatures: LEFeatures = []
  /// The longest data packet the controller takes.
  package var aclLength = 0
  /// How many data packets it holds.
  package var aclCount = 0
  /// How many devices the filter accept list holds.
  package var acceptListSize = 0
  /// How long the data of an advertising set can be, in bytes; 0 without extended advertising.
  package var maximumAdvertisingData = 0
  /// How many advertising sets there can be; 0 without extended advertising.
  package var advertisingSets = 0
  /// How many devices the resolving list holds; 0 if private addresses are not resolved by the controller.
  package var resolvingListSize = 0
  /// Whether the controller shows changing addresses of its own, made with the host's key.
  package var showsPrivateAddresses = false

  package init() {}

  /// The own address type of commands that scan, connect and advertise.
  package var ownAddressType: OwnAddressType {
    if showsPrivateAddresses { return address.kind == .public ? .resolvableOrPublic : .resolvableOrRandom }
    return address.kind == .public ? .public : .random
  }

  /// Whether all of advertising, scanning and connecting goes by extended commands; a controller takes no mixture
  /// (Core 5.4, Vol 4, Part E, 3.1.1).
  package var hasExtendedAdvertising: Bool { advertisingSets > 0 && maximumAdvertisingData >= 31 }

  /// Whether the controller has a command; unless it tells otherwise, it has.
  package func supports(_ opcode: HCIOpcode) -> Bool { supportedCommands?.contains(opcode) ?? true }
}
