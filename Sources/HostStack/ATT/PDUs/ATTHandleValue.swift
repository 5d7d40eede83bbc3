import BluetoothTypes

/// ATT_HANDLE_VALUE_NTF (Core 5.4, Vol 3, Part F, 3.4.7.1).
package struct ATTHandleValueNotification: ATTMessage {
  package static var opcode: ATTOpcode { .handleValueNotification }

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

/// ATT_HANDLE_VALUE_IND (Core 5.4, Vol 3, Part F, 3.4.7.2).
package struct ATTHandleValueIndication: ATTMessage {
  package static var opcode: ATTOpcode { .handleValueIndication }

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

/// ATT_HANDLE_VALUE_CFM (Core 5.4, Vol 3, Part F, 3.4.7.3).
package struct ATTHandleValueConfirmation: ATTMessage {
  package static var opcode: ATTOpcode { .handleValueConfirmation }

  package init() {}

  package init(parameters reader: inout ByteReader) throws(ByteError) {}

  package func writeParameters(to writer: inout ByteWriter) {}
}

/// ATT_MULTIPLE_HANDLE_VALUE_NTF (Core 5.4, Vol 3, Part F, 3.4.7.4).
package struct ATTMultipleHandleValueNotification: ATTMessage {
  package static var opcode: ATTOpcode { .multipleHandleValueNotification }

  /// At least two, all whole.
  package var records: [Record]

  /// An attribute and its value.
  package struct Record: Hashable, Sendable {
    package var handle: AttributeHandle
    package var value: [UInt8]

    package init(handle: AttributeHandle, value: [UInt8]) {
      self.handle = handle
      self.value = value
    }
  }

  package init(records: [Record]) { self.records = records }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    records = []
    repeat {
      let handle = try reader.readHandle()
      let length = Int(try reader.read(UInt16.self))
      records.append(Record(handle: handle, value: try reader.readBytes(length)))
    } while !reader.isAtEnd
  }

  package func writeParameters(to writer: inout ByteWriter) {
    for record in records {
      writer.write(record.handle.rawValue)
      writer.write(UInt16(truncatingIfNeeded: record.value.count))
      writer.write(record.value)
    }
  }
}
