import BluetoothTypes

/// ATT_FIND_INFORMATION_REQ (Core 5.4, Vol 3, Part F, 3.4.3.1).
package struct ATTFindInformationRequest: ATTMessage {
  package static var opcode: ATTOpcode { .findInformationRequest }

  package var start: AttributeHandle
  package var end: AttributeHandle

  package init(start: AttributeHandle, end: AttributeHandle) {
    self.start = start
    self.end = end
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    start = try reader.readHandle()
    end = try reader.readHandle()
  }

  package func writeParameters(to writer: inout ByteWriter) {
    writer.write(start.rawValue)
    writer.write(end.rawValue)
  }
}

/// ATT_FIND_INFORMATION_RSP (Core 5.4, Vol 3, Part F, 3.4.3.2).
package struct ATTFindInformationResponse: ATTMessage {
  package static var opcode: ATTOpcode { .findInformationResponse }

  /// An attribute and its type.
  package struct Record: Hashable, Sendable {
    package var handle: AttributeHandle
    package var uuid: BluetoothUUID

    package init(handle: AttributeHandle, uuid: BluetoothUUID) {
      self.handle = handle
      self.uuid = uuid
    }
  }

  /// How long the types are: all the same in one PDU.
  package enum Format: UInt8, Hashable, Sendable {
    /// 16-bit types.
    case short = 0x01
    /// 128-bit types.
    case long = 0x02

    var uuidLength: Int { self == .short ? 2 : 16 }
  }

  package var format: Format
  package var records: [Record]

  /// A list in the format that is named; types must have a form of that length.
  package init(format: Format, records: [Record]) {
    self.format = format
    self.records = records
  }

  package init(parameters reader: inout ByteReader) throws(ByteError) {
    let atFormat = reader
    guard let format = Format(rawValue: try reader.read()) else { throw atFormat.invalid("the format is 1 or 2") }
    let length = 2 + format.uuidLength
    guard reader.remaining > 0 else {
      throw ByteError(offset: reader.offset, problem: .truncated(needed: length, available: 0))
    }
    guard reader.remaining % length == 0 else { throw reader.invalid("the list is no whole number of records") }
    self.format = format
    records = []
    records.reserveCapacity(reader.remaining / length)
    while !reader.isAtEnd {
      let handle = try reader.readHandle()
      records.append(Record(handle: handle, uuid: try BluetoothUUID(reading: &reader, byteCount: format.uuidLength)))
    }
  }

  package func writeParameters(to writer: inout ByteWriter) {
    writer.write(format.rawValue)
    for record in records {
      writer.write(record.handle.rawValue)
      record.uuid.write(to: &writer, byteCount: format.uuidLength)
    }
  }
}
