import BluetoothTypes

/// ATT_FIND_BY_TYPE_VALUE_REQ (Core 5.4, Vol 3, Part F, 3.4.3.3).
package struct ATTFindByTypeValueRequest: ATTMessage {
  package static var opcode: ATTOpcode { .findByTypeValueRequest }

  package var start: AttributeHandle
  package var end: AttributeHandle
  /// The type, of 16 bits always.
  package var type: UInt16
  package var value: [UInt8]

  package init(start: AttributeHandle, end: AttributeHandle, type: UInt16, value: [UInt8]) {
    self.start = start
    self.end = end
    self.type = type
    self.value = value
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    start = try reader.readHandle()
    end = try reader.readHandle()
    type = try reader.read()
    value = reader.readRemaining()
  }

  package func writeParameters(to writer: inout ByteWriter) {
    writer.write(start.rawValue)
    writer.write(end.rawValue)
    writer.write(type)
    writer.write(value)
  }
}

/// ATT_FIND_BY_TYPE_VALUE_RSP (Core 5.4, Vol 3, Part F, 3.4.3.4).
package struct ATTFindByTypeValueResponse: ATTMessage {
  package static var opcode: ATTOpcode { .findByTypeValueResponse }

  /// An attribute and the end of its group.
  package struct Record: Hashable, Sendable {
    package var handle: AttributeHandle
    package var groupEnd: AttributeHandle

    package init(handle: AttributeHandle, groupEnd: AttributeHandle) {
      self.handle = handle
      self.groupEnd = groupEnd
    }
  }

  package var records: [Record]

  package init(records: [Record]) { self.records = records }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    try reader.require(4)
    guard reader.remaining % 4 == 0 else { throw reader.invalid("the list is no whole number of records") }
    records = []
    records.reserveCapacity(reader.remaining / 4)
    while !reader.isAtEnd {
      let handle = try reader.readHandle()
      records.append(Record(handle: handle, groupEnd: try reader.readHandle()))
    }
  }

  package func writeParameters(to writer: inout ByteWriter) {
    for record in records {
      writer.write(record.handle.rawValue)
      writer.write(record.groupEnd.rawValue)
    }
  }
}
