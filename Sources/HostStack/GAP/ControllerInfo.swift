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

  package init() {}

  /// The own address type of commands that scan, connect and advertise.
  package var ownAddressType: OwnAddressType { address.kind == .public ? .public : .random }

  /// Whether the controller has a command; unless it tells otherwise, it has.
  package func supports(_ opcode: HCIOpcode) -> Bool { supportedCommands?.contains(opcode) ?? true }
}
