import BluetoothTypes

/// L2CAP_COMMAND_REJECT_RSP (Core 5.4, Vol 3, Part A, 4.1).
package struct L2CAPCommandReject: SignallingMessage {
  package static var code: SignallingCode { .commandReject }

  /// Why the command was refused.
  package enum Reason: Hashable, Sendable {
    case notUnderstood
    /// The command is longer than what can be received: so many bytes.
    case mtuExceeded(actual: UInt16)
    /// The command names a channel that does not exist: first as the receiver of this, then as its sender numbers it.
    case invalidChannel(local: L2CAPChannelID, remote: L2CAPChannelID)
    /// A reason that is not known here, with its data.
    case other(UInt16, [UInt8])
  }

  package var reason: Reason

  package init(_ reason: Reason) { self.reason = reason }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    let code = try reader.read(UInt16.self)
    switch code {
    case 0: reason = .notUnderstood
    case 1: reason = .mtuExceeded(actual: try reader.read())
    case 2:
      let local = L2CAPChannelID(rawValue: try reader.read())
      reason = .invalidChannel(local: local, remote: L2CAPChannelID(rawValue: try reader.read()))
    default: reason = .other(code, reader.readRemaining())
    }
  }

  package func write(to writer: inout ByteWriter) {
    switch reason {
    case .notUnderstood: writer.write(UInt16(0))
    case .mtuExceeded(let actual):
      writer.write(UInt16(1))
      writer.write(actual)
    case .invalidChannel(let local, let remote):
      writer.write(UInt16(2))
      writer.write(local.rawValue)
      writer.write(remote.rawValue)
    case .other(let code, let data):
      writer.write(code)
      writer.write(data)
    }
  }
}
