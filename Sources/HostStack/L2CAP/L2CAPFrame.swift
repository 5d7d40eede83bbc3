import BluetoothTypes

/// Names a channel of one link (Core 5.4, Vol 3, Part A, 2.1): an open set.
package struct L2CAPChannelID: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt16

  @inlinable
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The Attribute Protocol.
  package static let att = Self(rawValue: 0x0004)
  /// Signalling on a Low Energy link.
  package static let leSignalling = Self(rawValue: 0x0005)
  /// The Security Manager Protocol.
  package static let security = Self(rawValue: 0x0006)

  /// Whether a credit-based channel may have this number.
  package var isDynamic: Bool { (0x0040...0x007F).contains(rawValue) }
}

extension L2CAPChannelID: CustomStringConvertible {
  /// The name of a fixed channel, else `channel 0x0040`.
  package var description: String {
    switch self {
    case .att: "ATT"
    case .leSignalling: "L2CAP signalling"
    case .security: "SMP"
    default: "channel 0x" + hexadecimal(rawValue, digits: 4)
    }
  }
}

/// A basic L2CAP frame: a length, a channel and what it carries (Core 5.4, Vol 3, Part A, 3.1).
package struct L2CAPFrame: ByteReadable, ByteWritable, Hashable {
  /// Length and channel.
  package static let headerLength = 4

  package var channel: L2CAPChannelID
  package var payload: [UInt8]

  package init(channel: L2CAPChannelID, payload: [UInt8]) {
    self.channel = channel
    self.payload = payload
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    var copy = reader
    let length = Int(try copy.read(UInt16.self))
    channel = L2CAPChannelID(rawValue: try copy.read())
    payload = try copy.readBytes(length)
    reader = copy
  }

  /// Reads a whole frame; bytes behind it are an error.
  package init(bytes: [UInt8]) throws(ByteError) {
    var reader = ByteReader(bytes)
    try self.init(reading: &reader)
    try reader.requireEnd()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(UInt16(truncatingIfNeeded: payload.count))
    writer.write(channel.rawValue)
    writer.write(payload)
  }
}
