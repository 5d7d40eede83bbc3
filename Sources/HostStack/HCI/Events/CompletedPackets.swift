import BluetoothTypes

/// How many packets of one link left the buffers.
package struct CompletedPackets: Hashable, Sendable {
  /// The link.
  package var connectionHandle: UInt16
  /// How many since the last report.
  package var count: UInt16

  package init(connectionHandle: UInt16, count: UInt16) {
    self.connectionHandle = connectionHandle
    self.count = count
  }

  fileprivate static func readList(_ reader: inout ByteReader) throws(ByteError) -> [CompletedPackets] {
    try reader.require(1)
    let count = Int(try reader.read(UInt8.self))
    try reader.require(4 &* count)
    var list: [CompletedPackets] = []
    list.reserveCapacity(count)
    for _ in 0..<count {
      list.append(CompletedPackets(connectionHandle: try reader.read(), count: try reader.read()))
    }
    return list
  }

  /// Writes the list; more than 63 entries do not fit into a packet and are left out.
  fileprivate static func write(_ list: [CompletedPackets], to writer: inout ByteWriter) {
    writer.write(UInt8(truncatingIfNeeded: min(list.count, 63)))
    for entry in list.prefix(63) {
      writer.write(entry.connectionHandle)
      writer.write(entry.count)
    }
  }
}

/// Packets left the controller's buffers: the host may send as many again.
///
/// HCI_Number_Of_Completed_Packets (Core 5.4, Vol 4, Part E, 7.7.19).
package struct NumberOfCompletedPackets: HCIEvent {
  package static let code = HCIEventCode.numberOfCompletedPackets
  package static let name = "Number Of Completed Packets"

  /// An entry a link, at most 63.
  package var completed: [CompletedPackets]

  package init(completed: [CompletedPackets] = []) { self.completed = completed }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    completed = try CompletedPackets.readList(&reader)
  }

  package func write(to writer: inout ByteWriter) { CompletedPackets.write(completed, to: &writer) }
}

/// Packets left the host's buffers: the controller may send as many again. Never answered, and outside of the count of
/// commands.
///
/// HCI_Host_Number_Of_Completed_Packets (Core 5.4, Vol 4, Part E, 7.3.40).
package struct HostNumberOfCompletedPackets: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.hostNumberOfCompletedPackets
  package static let name = "Host Number Of Completed Packets"

  /// An entry a link, at most 63.
  package var completed: [CompletedPackets]

  package init(completed: [CompletedPackets] = []) { self.completed = completed }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    completed = try CompletedPackets.readList(&reader)
  }

  package func write(to writer: inout ByteWriter) { CompletedPackets.write(completed, to: &writer) }
}

extension HCIOpcode {
  package static let hostNumberOfCompletedPackets = HCIOpcode(group: 0x03, command: 0x0035)
}
