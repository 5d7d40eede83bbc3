import BluetoothTypes

/// ATT_WRITE_REQ (Core 5.4, Vol 3, Part F, 3.4.5.1).
package struct ATTWriteRequest: ATTMessage {
  package static var opcode: ATTOpcode { .writeRequest }

  package var handle: AttributeHandle
  package var value: [UInt8]

  package init(handle: AttributeHandle, value: [UInt8]) {
    self.handle = handle
    self.value = value
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    handle = try reader.readHandle()
    value = reader.readRemaining()
  }

  package func writeParameters(to writer: inout ByteWriter) {
    writer.write(handle.rawValue)
    writer.write(value)
  }
}

/// ATT_WRITE_RSP (Core 5.4, Vol 3, Part F, 3.4.5.2).
package struct ATTWriteResponse: ATTMessage {
  package static var opcode: ATTOpcode { .writeResponse }

  package init() {}

  package init(parameters reader: inout ByteReader) throws(ByteError) {}

  package func writeParameters(to writer: inout ByteWriter) {}
}

/// ATT_WRITE_CMD (Core 5.4, Vol 3, Part F, 3.4.5.3).
package struct ATTWriteCommand: ATTMessage {
  package static var opcode: ATTOpcode { .writeCommand }

  package var handle: AttributeHandle
  package var value: [UInt8]

  package init(handle: AttributeHandle, value: [UInt8]) {
    self.handle = handle
    self.value = value
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    handle = try reader.readHandle()
    value = reader.readRemaining()
  }

  package func writeParameters(to writer: inout ByteWriter) {
    writer.write(handle.rawValue)
    writer.write(value)
  }
}

/// ATT_SIGNED_WRITE_CMD (Core 5.4, Vol 3, Part F, 3.4.5.4).
package struct ATTSignedWriteCommand: ATTMessage {
  package static var opcode: ATTOpcode { .signedWriteCommand }

  package var handle: AttributeHandle
  package var value: [UInt8]
  /// Counter and signature: 12 bytes.
  package var signature: [UInt8]

  package init(handle: AttributeHandle, value: [UInt8], signature: [UInt8]) {
    self.handle = handle
    self.value = value
    self.signature = signature
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    let whole = reader
    handle = try reader.readHandle()
    guard reader.remaining >= 12 else {
      throw ByteError(offset: whole.offset, problem: .truncated(needed: 14, available: whole.remaining))
    }
    value = try reader.readBytes(reader.remaining - 12)
    signature = try reader.readBytes(12)
  }

  package func writeParameters(to writer: inout ByteWriter) {
    writer.write(handle.rawValue)
    writer.write(value)
    writer.write(signature)
  }
}
