import BluetoothTypes

/// ATT_READ_MULTIPLE_REQ (Core 5.4, Vol 3, Part F, 3.4.4.7).
package struct ATTReadMultipleRequest: ATTMessage {
  package static var opcode: ATTOpcode { .readMultipleRequest }

  /// At least two.
  package var handles: [AttributeHandle]

  package init(handles: [AttributeHandle]) { self.handles = handles }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    handles = try reader.readTrailingHandles(atLeast: 2)
  }

  package func writeParameters(to writer: inout ByteWriter) {
    for handle in handles { writer.write(handle.rawValue) }
  }
}

/// ATT_READ_MULTIPLE_RSP (Core 5.4, Vol 3, Part F, 3.4.4.8).
package struct ATTReadMultipleResponse: ATTMessage {
  package static var opcode: ATTOpcode { .readMultipleResponse }

  /// The values one behind the other; who asked knows their lengths.
  package var values: [UInt8]

  package init(values: [UInt8]) { self.values = values }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    values = reader.readRemaining()
  }

  package func writeParameters(to writer: inout ByteWriter) {
    writer.write(values)
  }
}

/// ATT_READ_MULTIPLE_VARIABLE_REQ (Core 5.4, Vol 3, Part F, 3.4.4.11).
package struct ATTReadMultipleVariableRequest: ATTMessage {
  package static var opcode: ATTOpcode { .readMultipleVariableRequest }

  /// At least two.
  package var handles: [AttributeHandle]

  package init(handles: [AttributeHandle]) { self.handles = handles }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    handles = try reader.readTrailingHandles(atLeast: 2)
  }

  package func writeParameters(to writer: inout ByteWriter) {
    for handle in handles { writer.write(handle.rawValue) }
  }
}

/// ATT_READ_MULTIPLE_VARIABLE_RSP (Core 5.4, Vol 3, Part F, 3.4.4.12).
package struct ATTReadMultipleVariableResponse: ATTMessage {
  package static var opcode: ATTOpcode { .readMultipleVariableResponse }

  package var values: [Value]

  /// One value; the last of a PDU may be longer than what is there of it.
  package struct Value: Hashable, Sendable {
    package var length: Int
    package var bytes: [UInt8]

    package init(length: Int, bytes: [UInt8]) {
      self.length = length
      self.bytes = bytes
    }

    package init(_ bytes: [UInt8]) { self.init(length: bytes.count, bytes: bytes) }
  }

  package init(values: [Value]) { self.values = values }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    values = []
    repeat {
      let length = Int(try reader.read(UInt16.self))
      // The last value may be cut where the PDU is full.
      let bytes = try reader.readBytes(min(length, reader.remaining))
      values.append(Value(length: length, bytes: bytes))
    } while !reader.isAtEnd
  }

  package func writeParameters(to writer: inout ByteWriter) {
    for value in values {
      writer.write(UInt16(truncatingIfNeeded: value.length))
      writer.write(value.bytes)
    }
  }
}
