import BluetoothTypes

/// A command was carried out, or refused.
///
/// HCI_Command_Complete (Core 5.4, Vol 4, Part E, 7.7.14).
package struct CommandComplete: HCIEvent {
  package static let code = HCIEventCode.commandComplete
  package static let name = "Command Complete"

  /// How many commands the host may send now.
  package var numHCICommandPackets: UInt8
  /// Which command; zero if the event only grants commands.
  package var opcode: HCIOpcode
  /// What came of it; the first byte is nearly always a status.
  package var returnParameters: [UInt8]

  package init(numHCICommandPackets: UInt8 = 1, opcode: HCIOpcode = .none, returnParameters: [UInt8] = []) {
    self.numHCICommandPackets = numHCICommandPackets
    self.opcode = opcode
    self.returnParameters = returnParameters
  }

  /// The answer to a command of type `command`.
  package init<Command: HCICommand>(
    _ command: Command.Type,
    _ returned: Command.Return,
    numHCICommandPackets: UInt8 = 1
  ) {
    self.init(
      numHCICommandPackets: numHCICommandPackets,
      opcode: Command.opcode,
      returnParameters: returned.bytes
    )
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    numHCICommandPackets = try reader.read()
    opcode = HCIOpcode(rawValue: try reader.read())
    returnParameters = reader.readRemaining()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(numHCICommandPackets)
    writer.write(opcode.rawValue)
    writer.write(returnParameters)
  }

  /// The status in front of the return parameters; `nil` if there are none.
  package var status: HCIStatus? { returnParameters.first.map { HCIStatus(rawValue: $0) } }

  /// What came of the command, if it was one of type `command`.
  ///
  /// - Throws: ``ByteError`` if the parameters are not those of the command.
  package func returned<Command: HCICommand>(by command: Command.Type) throws -> Command.Return {
    guard opcode == Command.opcode else {
      throw ByteError(offset: 1, problem: .invalid("the event answers another command"))
    }
    return try Command.Return(bytes: returnParameters)
  }
}

/// A command was begun, or refused; what comes of it is told by an event of its own.
///
/// HCI_Command_Status (Core 5.4, Vol 4, Part E, 7.7.15).
package struct CommandStatus: HCIEvent {
  package static let code = HCIEventCode.commandStatus
  package static let name = "Command Status"

  /// Whether the command was begun.
  package var status: HCIStatus
  /// How many commands the host may send now.
  package var numHCICommandPackets: UInt8
  /// Which command; zero if the event only grants commands.
  package var opcode: HCIOpcode

  package init(status: HCIStatus = .success, numHCICommandPackets: UInt8 = 1, opcode: HCIOpcode = .none) {
    self.status = status
    self.numHCICommandPackets = numHCICommandPackets
    self.opcode = opcode
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    status = HCIStatus(rawValue: try reader.read())
    numHCICommandPackets = try reader.read()
    opcode = HCIOpcode(rawValue: try reader.read())
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(status.rawValue)
    writer.write(numHCICommandPackets)
    writer.write(opcode.rawValue)
  }
}

extension HCIOpcode {
  /// No command.
  package static let none = HCIOpcode(rawValue: 0)
}

/// Something that only the maker of the controller can explain.
///
/// Event code 0xFF (Core 5.4, Vol 4, Part E, 5.4.4).
package struct VendorSpecific: HCIEvent {
  package static let code = HCIEventCode.vendorSpecific
  package static let name = "Vendor Specific"

  /// All of it.
  package var parameters: [UInt8]

  package init(parameters: [UInt8] = []) { self.parameters = parameters }

  package init(reading reader: inout ByteReader) throws(ByteError) { parameters = reader.readRemaining() }

  package func write(to writer: inout ByteWriter) { writer.write(parameters) }
}
