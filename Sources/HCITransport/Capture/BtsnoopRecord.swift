import BluetoothTypes

/// One packet of a btsnoop file: 24 bytes, then the packet.
package struct BtsnoopRecord: Hashable, Sendable {
  /// What a record says of its packet.
  package struct Flags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The controller sent it to the host.
    package static let received = Flags(rawValue: 1)
    /// It is a command or an event, and no data.
    package static let commandOrEvent = Flags(rawValue: 2)
  }

  /// Microseconds from the file format's year 0 to 1970-01-01 00:00 UTC.
  package static let unixEpoch: Int64 = 0x00DC_DDB3_0F2F_8000

  /// How long the packet was on its way between host and controller, in bytes; the file may hold less of it.
  package var originalLength: UInt32
  package var flags: Flags
  /// How many packets were lost since the file began.
  package var drops: UInt32
  /// When it passed, in microseconds since 1970-01-01 00:00 UTC.
  package var unixMicroseconds: Int64
  package var bytes: [UInt8]

  /// The record of a packet, in a file for ``BtsnoopHeader/DataLink/h4``.
  package init(_ packet: HCIPacket, _ direction: HCIPacket.Direction, unixMicroseconds: Int64) {
    bytes = packet.bytes
    originalLength = UInt32(clamping: bytes.count)
    flags = []
    if direction == .toHost { flags.insert(.received) }
    if packet.kind == .command || packet.kind == .event { flags.insert(.commandOrEvent) }
    drops = 0
    self.unixMicroseconds = unixMicroseconds
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    var rest = reader
    originalLength = try rest.read(UInt32.self).byteSwapped
    let length = try rest.read(UInt32.self).byteSwapped
    flags = Flags(rawValue: try rest.read(UInt32.self).byteSwapped)
    drops = try rest.read(UInt32.self).byteSwapped
    unixMicroseconds = try rest.read(Int64.self).byteSwapped &- Self.unixEpoch
    bytes = try rest.readBytes(Int(clamping: length))
    reader = rest
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(originalLength.byteSwapped)
    writer.write(UInt32(clamping: bytes.count).byteSwapped)
    writer.write(flags.rawValue.byteSwapped)
    writer.write(drops.byteSwapped)
    writer.write((unixMicroseconds &+ Self.unixEpoch).byteSwapped)
    writer.write(bytes)
  }

  /// The packet, of a file for ``BtsnoopHeader/DataLink/h4``; `nil` if it has no indicator that is known.
  package var packet: HCIPacket? { HCIPacket(bytes) }

  /// Which way the packet went.
  package var direction: HCIPacket.Direction { flags.contains(.received) ? .toHost : .toController }
}
