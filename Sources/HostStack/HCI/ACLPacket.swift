import BluetoothTypes

/// One packet of data of a link, between host and controller (Core 5.4, Vol 4, Part E, 5.4.2).
package struct ACLPacket: Hashable, Sendable {
  /// How the data stands to the L2CAP PDU that it belongs to.
  package enum Boundary: UInt8, Hashable, Sendable, CaseIterable {
    /// The beginning of a PDU, from host to controller on Low Energy.
    case firstNonFlushable = 0
    /// The middle or the end of a PDU.
    case continuing = 1
    /// The beginning of a PDU, from controller to host, or flushable.
    case firstFlushable = 2
    /// A whole PDU; not used on Low Energy.
    case complete = 3

    /// Whether a PDU begins here.
    package var isFirst: Bool { self != .continuing }
  }

  /// The link, 12 bits: 0x0000 to 0x0EFF.
  package var connectionHandle: UInt16
  /// Whether a PDU begins here.
  package var boundary: Boundary
  /// 0 for a link; other values were for Classic broadcasts.
  package var broadcast: UInt8
  /// The data, at most 65535 bytes and no more than the receiver said it takes.
  package var data: [UInt8]

  package init(connectionHandle: UInt16, boundary: Boundary, broadcast: UInt8 = 0, data: [UInt8]) {
    self.connectionHandle = connectionHandle
    self.boundary = boundary
    self.broadcast = broadcast
    self.data = data
  }

  /// Reads a whole packet, whose length must be what its header says.
  package init(_ packet: HCIPacket) throws(ByteError) {
    guard packet.kind == .acl else {
      throw ByteError(offset: 0, problem: .invalid("the packet indicator of ACL data was expected"))
    }
    var reader = packet.reader
    let flagged: UInt16 = try reader.read()
    connectionHandle = flagged & 0x0FFF
    boundary = Boundary(rawValue: UInt8(truncatingIfNeeded: flagged &>> 12 & 0b11)) ?? .continuing
    broadcast = UInt8(truncatingIfNeeded: flagged &>> 14)
    let length = Int(try reader.read(UInt16.self))
    data = try reader.readBytes(length)
    try reader.requireEnd()
  }

  /// The whole packet: indicator, handle and flags, length, data.
  package var packet: HCIPacket {
    var writer = ByteWriter(capacity: 5 + data.count)
    writer.write(HCIPacket.Kind.acl.rawValue)
    writer.write(
      connectionHandle & 0x0FFF | UInt16(boundary.rawValue) &<< 12 | UInt16(broadcast & 0b11) &<< 14
    )
    writer.write(UInt16(truncatingIfNeeded: min(data.count, 0xFFFF)))
    writer.write(data.prefix(0xFFFF))
    return HCIPacket(.acl, whole: writer.bytes)
  }
}
