import BluetoothTypes

/// Names an HCI command (Core 5.4, Vol 4, Part E, 5.4.1): an open set; the members stand beside their commands.
package struct HCIOpcode: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// An opcode from its group (6 bits) and its command (10 bits).
  package init(group: UInt16, command: UInt16) { rawValue = group &<< 10 | command & 0x3FF }
}
