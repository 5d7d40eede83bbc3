import BluetoothTypes

/// ATT_READ_REQ (Core 5.4, Vol 3, Part F, 3.4.4.3).
package struct ATTReadRequest: ATTMessage {
  package static var opcode: ATTOpcode { .readRequest }

  package var handle: AttributeHandle

  package init(handle: AttributeHandle) { self.handle = handle }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    handle = try reader.readHandle()
  }

  package func writeParameters(to writer: inout ByteWriter) {
    writer.write(handle.rawValue)
  }
}

/// ATT_READ_RSP (Core 5.4, Vol 3, Part F, 3.4.4.4).
package struct ATTReadResponse: ATTMessage {
  package static var opcode: ATTOpcode { .readResponse }

  /// The value, or its beginning if it fills the PDU.
  package var value: [UInt8]

  package init(value: [UInt8]) { self.value = value }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    value = reader.readRemaining()
  }

  package func writeParameters(to writer: inout ByteWriter) {
    writer.write(value)
  }
}

/// ATT_READ_BLOB_REQ (Core 5.4, Vol 3, Part F, 3.4.4.5).
package struct ATTReadBlobRequest: ATTMessage {
  package static var opcode: ATTOpcode { .readBlobRequest }

  package var handle: AttributeHandle
  /// The first byte of the value that is wanted.
  package var offset: UInt16

  package init(handle: AttributeHandle, offset: UInt16) {
    self.handle = handle
    self.offset = offset
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    handle = try reader.readHandle()
    offset = try reader.read()
  }

  package func writeParameters(to writer: inout ByteWriter) {
    writer.write(handle.rawValue)
    writer.write(offset)
  }
}

/// ATT_READ_BLOB_RSP (Core 5.4, Vol 3, Part F, 3.4.4.6).
package struct ATTReadBlobResponse: ATTMessage {
  package static var opcode: ATTOpcode { .readBlobResponse }

  /// The value from the offset on, or as much of it as fills the PDU.
  package var value: [UInt8]

  package init(value: [UInt8]) { self.value = value }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    value = reader.readRemaining()
  }

  package func writeParameters(to writer: inout ByteWriter) {
    writer.write(value)
  }
}
