import BluetoothTypes

/// ATT_READ_BY_TYPE_REQ (Core 5.4, Vol 3, Part F, 3.4.4.1).
package struct ATTReadByTypeRequest: ATTMessage {
  package static var opcode: ATTOpcode { .readByTypeRequest }

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

/// ATT_READ_BY_TYPE_RSP (Core 5.4, Vol 3, Part F, 3.4.4.2).
package struct ATTReadByTypeResponse: ATTMessage {
  package static var opcode: ATTOpcode { .readByTypeResponse }

  /// An attribute and its value, or the part of it that fits.
  package struct Record: Hashable, Sendable {
    package var handle: AttributeHandle
    package var value: [UInt8]

    package init(handle: AttributeHandle, value: [UInt8]) {
      self.handle = handle
      self.value = value
    }
  }

  /// The values are equally long, at most 253 bytes.
  package var records: [Record]

  package init(records: [Record]) { self.records = records }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    let length = try reader.readRecordLength(atLeast: 2)
    records = []
    records.reserveCapacity(reader.remaining / length)
    while !reader.isAtEnd {
      let handle = try reader.readHandle()
      records.append(Record(handle: handle, value: try reader.readBytes(length - 2)))
    }
  }

  package func writeParameters(to writer: inout ByteWriter) {
    writer.write(UInt8(truncatingIfNeeded: (records.first?.value.count ?? 0) &+ 2))
    for record in records {
      writer.write(record.handle.rawValue)
      writer.write(record.value)
    }
  }
}
