import BluetoothTypes

/// ATT_PREPARE_WRITE_REQ (Core 5.4, Vol 3, Part F, 3.4.6.1).
package struct ATTPrepareWriteRequest: ATTMessage {
  package static var opcode: ATTOpcode { .prepareWriteRequest }

  package var handle: AttributeHandle
  package var offset: UInt16
  package var value: [UInt8]

  package init(handle: AttributeHandle, offset: UInt16, value: [UInt8]) {
    self.handle = handle
    self.offset = offset
    self.value = value
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    handle = try reader.readHandle()
    offset = try reader.read()
    value = reader.readRemaining()
  }

  package func writeParameters(to writer: inout ByteWriter) {
    writer.write(handle.rawValue)
    writer.write(offset)
    writer.write(value)
  }
}

/// ATT_PREPARE_WRITE_RSP (Core 5.4, Vol 3, Part F, 3.4.6.2).
package struct ATTPrepareWriteResponse: ATTMessage {
  package static var opcode: ATTOpcode { .prepareWriteResponse }

  package var handle: AttributeHandle
  package var offset: UInt16
  package var value: [UInt8]

  package init(handle: AttributeHandle, offset: UInt16, value: [UInt8]) {
    self.handle = handle
    self.offset = offset
    self.value = value
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    handle = try reader.readHandle()
    offset = try reader.read()
    value = reader.readRemaining()
  }

  package func writeParameters(to writer: inout ByteWriter) {
    writer.write(handle.rawValue)
    writer.write(offset)
    writer.write(value)
  }
}

/// ATT_EXECUTE_WRITE_REQ (Core 5.4, Vol 3, Part F, 3.4.6.3).
package struct ATTExecuteWriteRequest: ATTMessage {
  package static var opcode: ATTOpcode { .executeWriteRequest }

  package var flags: Flags

  /// What to do with the prepared parts.
  package struct Flags: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Forget them.
    package static let cancel = Flags(rawValue: 0x00)
    /// Write them now.
    package static let write = Flags(rawValue: 0x01)
  }

  package init(flags: Flags) { self.flags = flags }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    flags = Flags(rawValue: try reader.read())
  }

  package func writeParameters(to writer: inout ByteWriter) {
    writer.write(flags.rawValue)
  }
}

/// ATT_EXECUTE_WRITE_RSP (Core 5.4, Vol 3, Part F, 3.4.6.4).
package struct ATTExecuteWriteResponse: ATTMessage {
  package static var opcode: ATTOpcode { .executeWriteResponse }

  package init() {}

  package init(parameters reader: inout ByteReader) throws(ByteError) {}

  package func writeParameters(to writer: inout ByteWriter) {}
}
