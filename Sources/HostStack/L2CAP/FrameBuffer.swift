import BluetoothTypes

/// An L2CAP frame in memory, with room in front for the header of an ACL packet.
///
/// A frame that fits into one packet becomes that packet, and a packet that brings a whole frame is that frame: each
/// layer writes its header in front of what is there, or reads on behind it, and nothing is copied. Places are counted
/// from the frame's own header.
package struct FrameBuffer: Sendable {
  /// How much room there is.
  package static let room = ACLPacket.headerLength

  /// The room, and the frame; or nothing at all.
  private(set) var bytes: [UInt8]

  /// Nothing.
  init() { bytes = [] }

  /// A frame that carries what `write` writes.
  ///
  /// - Parameter capacity: How long that is likely to be.
  init(_ channel: L2CAPChannelID, capacity: Int, write: (inout ByteWriter) -> Void) {
    var writer = ByteWriter(capacity: Self.room &+ L2CAPFrame.headerLength &+ capacity)
    writer.write(Self.blank)
    writer.overwrite(at: Self.room &+ 2, with: channel.rawValue)
    write(&writer)
    let length = writer.count &- Self.room &- L2CAPFrame.headerLength
    writer.overwrite(at: Self.room, with: UInt16(truncatingIfNeeded: length))
    bytes = writer.bytes
  }

  /// A frame that carries `payload`.
  package init(_ channel: L2CAPChannelID, capacity: Int = 24, _ payload: some ByteWritable) {
    self.init(channel, capacity: capacity) { payload.write(to: &$0) }
  }

  /// A frame around a payload that is there already.
  package init(_ channel: L2CAPChannelID, payload: [UInt8]) {
    self.init(channel, capacity: payload.count) { $0.write(payload) }
  }

  /// A frame from its header on, or a part of one.
  package init(_ frame: some Collection<UInt8>) {
    var writer = Self.writer(capacity: frame.count)
    writer.write(frame)
    bytes = writer.bytes
  }

  /// What a packet has brought: a frame, or a part of one.
  package init(_ packet: ACLPacket) { bytes = packet.bytes }

  /// The room and a header.
  private static let blank = [UInt8](repeating: 0, count: room &+ L2CAPFrame.headerLength)

  private static func writer(capacity: Int) -> ByteWriter {
    var writer = ByteWriter(capacity: room &+ capacity)
    for _ in 0..<room { writer.write(UInt8(0)) }
    return writer
  }

  /// How long the frame is, with its header.
  package var count: Int { max(0, bytes.count &- Self.room) }

  package var isEmpty: Bool { count == 0 }

  /// The byte at a place before ``count``.
  package subscript(place: Int) -> UInt8 { bytes[Self.room &+ place] }

  /// The frame from its header on.
  package var frame: ArraySlice<UInt8> { bytes.dropFirst(Self.room) }

  /// What the frame carries, without its first `count` bytes.
  package func payload(dropping count: Int = 0) -> ArraySlice<UInt8> {
    bytes.dropFirst(Self.room &+ L2CAPFrame.headerLength &+ max(0, count))
  }

  /// Reads what the frame carries; offsets in errors count from the beginning of the packet.
  package var payloadReader: ByteReader {
    let start = min(Self.room &+ L2CAPFrame.headerLength, bytes.count)
    return ByteReader(bytes, in: start..<bytes.count)
  }

  /// Puts a further part behind what there is, as far as the frame becomes no longer than `limit`.
  mutating func append(_ part: FrameBuffer, upTo limit: Int) {
    bytes.append(contentsOf: part.frame.prefix(max(0, limit &- count)))
  }

  /// Gives the bytes away, so that they have a new owner alone: the room for the header of a packet, and the frame.
  mutating func takeBytes() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &bytes)
    return taken.isEmpty ? [UInt8](repeating: 0, count: Self.room) : taken
  }
}

extension FrameBuffer: Hashable {
  // What is in the room belongs to the packet.
  package static func == (one: FrameBuffer, other: FrameBuffer) -> Bool { one.frame == other.frame }

  package func hash(into hasher: inout Hasher) { hasher.combine(frame) }
}
