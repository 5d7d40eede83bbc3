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
}

extension CompletedPackets {
  /// What a packet tells of each link. Nearly always it is one, which is kept without an array.
  package struct List: RandomAccessCollection, Hashable, Sendable, ExpressibleByArrayLiteral {
    private var first: CompletedPackets?
    private var others: [CompletedPackets] = []

    package init() {}

    package init(_ only: CompletedPackets) { first = only }

    package init(arrayLiteral elements: CompletedPackets...) {
      for element in elements { append(element) }
    }

    package mutating func append(_ entry: CompletedPackets) {
      if first == nil { first = entry } else { others.append(entry) }
    }

    /// The entry, if there is one alone.
    var only: CompletedPackets? { others.isEmpty ? first : nil }

    package var startIndex: Int { 0 }
    package var endIndex: Int { first == nil ? 0 : others.count &+ 1 }
    package subscript(index: Int) -> CompletedPackets {
      guard index == 0, let first else { return others[index - 1] }
      return first
    }
  }
}

extension CompletedPackets.List: ByteReadable, ByteWritable {
  package init(reading reader: inout ByteReader) throws(ByteError) {
    let count = Int(try reader.read(UInt8.self))
    try reader.require(4 &* count)
    for _ in 0..<count {
      append(CompletedPackets(connectionHandle: try reader.read(), count: try reader.read()))
    }
  }

  /// Writes the list; more than 63 entries do not fit into a packet and are left out.
  package func write(to writer: inout ByteWriter) {
    let count = Swift.min(count, 63)
    writer.write(UInt8(truncatingIfNeeded: count))
    for index in 0..<count {
      writer.write(self[index].connectionHandle)
      writer.write(self[index].count)
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
  package var completed: CompletedPackets.List

  package init(completed: CompletedPackets.List = []) { self.completed = completed }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    completed = try CompletedPackets.List(reading: &reader)
  }

  package func write(to writer: inout ByteWriter) { completed.write(to: &writer) }

  // Half of all events with data on the way, and nearly always of one link: written and read at once.

  package var packet: HCIPacket {
    guard let only = completed.only else { return makePacket() }
    let (handle, count) = (only.connectionHandle, only.count)
    return HCIPacket(
      .event,
      whole: [
        HCIPacket.Kind.event.rawValue, Self.code.rawValue, 5, 1,
        UInt8(truncatingIfNeeded: handle), UInt8(truncatingIfNeeded: handle &>> 8),
        UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count &>> 8),
      ]
    )
  }

  /// Reads a whole event packet; `nil` if it is another event, or can not be read.
  init?(packet: HCIPacket) {
    let bytes = packet.bytes
    guard bytes.count > 3, bytes[1] == Self.code.rawValue, Int(bytes[2]) == bytes.count &- 3 else { return nil }
    var reader = packet.reader
    guard (try? reader.skip(2)) != nil, let list = try? CompletedPackets.List(reading: &reader) else { return nil }
    completed = list
  }
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
  package var completed: CompletedPackets.List

  package init(completed: CompletedPackets.List = []) { self.completed = completed }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    completed = try CompletedPackets.List(reading: &reader)
  }

  package func write(to writer: inout ByteWriter) { completed.write(to: &writer) }
}

extension HCIOpcode {
  package static let hostNumberOfCompletedPackets = HCIOpcode(group: 0x03, command: 0x0035)
}
