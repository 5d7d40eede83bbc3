import BluetoothTypes

/// ATT_READ_BY_GROUP_TYPE_REQ (Core 5.4, Vol 3, Part F, 3.4.4.9).
package struct ATTReadByGroupTypeRequest: ATTMessage {
  package static var opcode: ATTOpcode { .readByGroupTypeRequest }

  package var start: AttributeHandle
  package var end: AttributeHandle
  package var type: BluetoothUUID

  package init(start: AttributeHandle, end: AttributeHandle, type: BluetoothUUID) {
    self.start = start
    self.end = end
    self.type = type
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    start = try reader.readHandle()
    end = try reader.readHandle()
    type = try reader.readTrailingATTUUID()
  }

  package func writeParameters(to writer: inout ByteWriter) {
    writer.write(start.rawValue)
    writer.write(end.rawValue)
    type.writeATT(to: &writer)
  }
}

/// ATT_READ_BY_GROUP_TYPE_RSP (Core 5.4, Vol 3, Part F, 3.4.4.10).
package struct ATTReadByGroupTypeResponse: ATTMessage {
  package static var opcode: ATTOpcode { .readByGroupTypeResponse }

  /// A group: its first attribute, its last, and the value of the first.
  package struct Record: Hashable, Sendable {
    package var handle: AttributeHandle
    package var groupEnd: AttributeHandle
    package var value: [UInt8]

    package init(handle: AttributeHandle, groupEnd: AttributeHandle, value: [UInt8]) {
      self.handle = handle
      self.groupEnd = groupEnd
      self.value = value
    }
  }

  /// The values are equally long, at most 251 bytes.
  package var records: [Record]

  package init(records: [Record]) { self.records = records }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    let length = try reader.readRecordLength(atLeast: 4)
    records = []
    records.reserveCapacity(reader.remaining / length)
    while !reader.isAtEnd {
      let handle = try reader.readHandle()
      let groupEnd = try reader.readHandle()
      records.append(Record(handle: handle, groupEnd: groupEnd, value: try reader.readBytes(length - 4)))
    }
  }

  package func writeParameters(to writer: inout ByteWriter) {
    writer.write(UInt8(truncatingIfNeeded: (records.first?.value.count ?? 0) &+ 4))
    for record in records {
      writer.write(record.handle.rawValue)
      writer.write(record.groupEnd.rawValue)
      writer.write(record.value)
    }
  }
}
