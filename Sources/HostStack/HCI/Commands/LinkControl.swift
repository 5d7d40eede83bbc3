import BluetoothTypes

// Commands that end a link or ask about its other end.

/// Ends a link.
///
/// HCI_Disconnect (Core 5.4, Vol 4, Part E, 7.1.6).
package struct Disconnect: HCICommand {
  package typealias Return = CommandStatusOnly

  package static let opcode = HCIOpcode.disconnect
  package static let name = "Disconnect"

  /// The link.
  package var connectionHandle: UInt16
  /// What the peer is told; 0x13 is "remote user terminated connection".
  package var reason: HCIStatus

  package init(connectionHandle: UInt16 = 0, reason: HCIStatus = .remoteUserTerminatedConnection) {
    self.connectionHandle = connectionHandle
    self.reason = reason
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    connectionHandle = try reader.read()
    reason = HCIStatus(rawValue: try reader.read())
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(connectionHandle)
    writer.write(reason.rawValue)
  }
}

/// Asks the peer for its controller's version.
///
/// HCI_Read_Remote_Version_Information (Core 5.4, Vol 4, Part E, 7.1.23).
package struct ReadRemoteVersionInformation: HCICommand {
  package typealias Return = CommandStatusOnly

  package static let opcode = HCIOpcode.readRemoteVersionInformation
  package static let name = "Read Remote Version Information"

  /// The link.
  package var connectionHandle: UInt16

  package init(connectionHandle: UInt16 = 0) {
    self.connectionHandle = connectionHandle
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    connectionHandle = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(connectionHandle)
  }
}

extension HCIOpcode {
  package static let disconnect = HCIOpcode(group: 0x01, command: 0x0006)
  package static let readRemoteVersionInformation = HCIOpcode(group: 0x01, command: 0x001D)
}
