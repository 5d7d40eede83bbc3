import BluetoothTypes

/// One packet of data of a link, between host and controller (Core 5.4, Vol 4, Part E, 5.4.2).
///
/// It is its bytes, and its fields are read and written where they stand: so the data lies still while a packet is read,
/// handed on and sent again under another handle.
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

  /// Indicator, handle and flags, length.
  package static let headerLength = 5

  /// The whole packet; never shorter than its header.
  package private(set) var bytes: [UInt8]

  package init(connectionHandle: UInt16, boundary: Boundary, broadcast: UInt8 = 0, data: some Collection<UInt8>) {
    bytes = []
    bytes.reserveCapacity(Self.headerLength + data.count)
    for _ in 0..<Self.headerLength { bytes.append(0) }
    bytes.append(contentsOf: data.prefix(0xFFFF))
    writeHeader(connectionHandle, boundary, broadcast)
  }

  /// Makes the packet of a whole frame, in the frame's own memory.
  package init(connectionHandle: UInt16, boundary: Boundary, _ frame: consuming FrameBuffer) {
    var frame = consume frame
    bytes = frame.takeBytes()
    writeHeader(connectionHandle, boundary, 0)
  }

  /// Reads a whole packet, whose length must be what its header says.
  package init(_ packet: HCIPacket) throws(ByteError) {
    guard packet.kind == .acl else {
      throw ByteError(offset: 0, problem: .invalid("the packet indicator of ACL data was expected"))
    }
    bytes = packet.bytes
    guard bytes.count >= Self.headerLength else {
      throw ByteError(
        offset: 1,
        problem: .truncated(needed: Self.headerLength &- 1, available: max(0, bytes.count &- 1))
      )
    }
    let length = Int(bytes[3]) | Int(bytes[4]) &<< 8
    guard dataCount >= length else {
      throw ByteError(offset: Self.headerLength, problem: .truncated(needed: length, available: dataCount))
    }
    guard dataCount == length else {
      throw ByteError(offset: Self.headerLength &+ length, problem: .trailing(dataCount &- length))
    }
  }

  private mutating func writeHeader(_ handle: UInt16, _ boundary: Boundary, _ broadcast: UInt8) {
    let length = dataCount
    bytes[0] = HCIPacket.Kind.acl.rawValue
    bytes[3] = UInt8(truncatingIfNeeded: length)
    bytes[4] = UInt8(truncatingIfNeeded: length &>> 8)
    address(to: handle, boundary, broadcast: broadcast)
  }

  /// Puts another handle and other flags in front of the same data.
  package mutating func address(to handle: UInt16, _ boundary: Boundary, broadcast: UInt8 = 0) {
    bytes[1] = UInt8(truncatingIfNeeded: handle)
    bytes[2] = UInt8(truncatingIfNeeded: handle &>> 8 & 0x0F) | boundary.rawValue &<< 4 | broadcast &<< 6
  }

  /// The link, 12 bits: 0x0000 to 0x0EFF.
  package var connectionHandle: UInt16 { UInt16(bytes[1]) | UInt16(bytes[2] & 0x0F) &<< 8 }

  /// Whether a PDU begins here.
  package var boundary: Boundary { Boundary(rawValue: bytes[2] &>> 4 & 0b11) ?? .continuing }

  /// 0 for a link; other values were for Classic broadcasts.
  package var broadcast: UInt8 { bytes[2] &>> 6 }

  /// How long the data is: at most 65535 bytes, and no more than the receiver said it takes.
  package var dataCount: Int { bytes.count &- Self.headerLength }

  /// The data.
  package var data: [UInt8] { Array(bytes[Self.headerLength...]) }

  /// The packet as it goes over the interface.
  package var packet: HCIPacket { HCIPacket(.acl, whole: bytes) }
}
