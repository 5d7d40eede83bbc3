import BluetoothTypes

/// An HCI command: its parameters in the order of the specification, with what comes back for it.
///
/// Host and virtual controller share these declarations: one writes what the other reads.
package protocol HCICommand: ByteReadable, ByteWritable, Equatable {
  /// What the Command Complete event carries; ``CommandStatusOnly`` where only a Command Status event comes.
  associatedtype Return: HCIReturnParameters

  /// What names the command.
  static var opcode: HCIOpcode { get }
  /// Its name in words, as in the specification without `HCI`.
  static var name: String { get }
}

/// The return parameters of a command: a status first, then what belongs to success.
///
/// Where the status is not success, the fields behind it mean nothing and may be missing.
package protocol HCIReturnParameters: ByteReadable, ByteWritable, Equatable {
  /// Whether the command worked.
  var status: HCIStatus { get }
}

/// Return parameters that are a status and no more.
package struct StatusReturn: HCIReturnParameters {
  package var status: HCIStatus

  package init(status: HCIStatus = .success) { self.status = status }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    status = HCIStatus(rawValue: try reader.read())
  }

  package func write(to writer: inout ByteWriter) { writer.write(status.rawValue) }
}

/// Marks a command that is answered by a Command Status event, and later by an event of its own.
package struct CommandStatusOnly: HCIReturnParameters {
  package var status: HCIStatus

  package init(status: HCIStatus = .success) { self.status = status }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    status = HCIStatus(rawValue: try reader.read())
  }

  package func write(to writer: inout ByteWriter) { writer.write(status.rawValue) }
}

extension HCICommand {
  /// The whole packet: indicator, opcode, length, parameters.
  package var packet: HCIPacket {
    var writer = ByteWriter(capacity: 16)
    writer.write(Self.opcode.rawValue)
    writer.write(UInt8(0))
    write(to: &writer)
    writer.overwrite(at: 2, with: UInt8(truncatingIfNeeded: writer.count - 3))
    return HCIPacket(.command, payload: writer.bytes)
  }
}

extension AnyHCICommand {
  /// Reads a whole command packet; parameters that are too short or too long are an error.
  package init(_ packet: HCIPacket) throws(ByteError) {
    let opcode = try Self.opcode(of: packet)
    var reader = packet.reader
    try reader.skip(2)
    let length = Int(try reader.read(UInt8.self))
    var parameters = try reader.readSlice(length)
    try reader.requireEnd()
    self = try .parse(opcode, &parameters)
    try parameters.requireEnd()
  }

  /// Reads no more than the opcode of a command packet, for the answer to one whose parameters can not be read.
  package static func opcode(of packet: HCIPacket) throws(ByteError) -> HCIOpcode {
    guard packet.kind == .command else {
      throw ByteError(offset: 0, problem: .invalid("the packet indicator of a command was expected"))
    }
    var reader = packet.reader
    return HCIOpcode(rawValue: try reader.read())
  }
}
