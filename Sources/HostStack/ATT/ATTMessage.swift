import BluetoothTypes

/// One kind of ATT PDU: its parameters, how they are read and how they are written.
///
/// `bytes` and `init(bytes:)` are the whole PDU, opcode first. Both sides of an air share these declarations.
package protocol ATTMessage: ByteReadable, ByteWritable, Hashable {
  /// What names the PDU.
  static var opcode: ATTOpcode { get }

  /// Reads what follows the opcode, to the end of the PDU.
  init(parameters reader: inout ByteReader) throws(ByteError)

  /// Writes what follows the opcode.
  func writeParameters(to writer: inout ByteWriter)
}

extension ATTMessage {
  /// Reads a PDU from its opcode on.
  @inlinable
  package init(reading reader: inout ByteReader) throws(ByteError) {
    var copy = reader
    guard try copy.read(UInt8.self) == Self.opcode.rawValue else { throw reader.invalid("another opcode was expected") }
    try self.init(parameters: &copy)
    reader = copy
  }

  /// Reads a whole PDU; bytes behind it are an error.
  @inlinable
  package init(bytes: [UInt8]) throws(ByteError) {
    var reader = ByteReader(bytes)
    guard try reader.read(UInt8.self) == Self.opcode.rawValue else {
      throw ByteError(offset: 0, problem: .invalid("another opcode was expected"))
    }
    try self.init(parameters: &reader)
    try reader.requireEnd()
  }

  /// Reads the PDU that a frame carries, without copying it; offsets in errors count from the beginning of the packet.
  package init(frame: FrameBuffer) throws(ByteError) {
    var reader = frame.payloadReader
    let start = reader.offset
    guard try reader.read(UInt8.self) == Self.opcode.rawValue else {
      throw ByteError(offset: start, problem: .invalid("another opcode was expected"))
    }
    try self.init(parameters: &reader)
    try reader.requireEnd()
  }

  /// The whole PDU. Most are short, so that they are written into memory that is taken at once.
  @inlinable
  package var bytes: [UInt8] {
    var writer = ByteWriter(capacity: 32)
    write(to: &writer)
    return writer.bytes
  }

  /// Writes the PDU from its opcode on.
  @inlinable
  package func write(to writer: inout ByteWriter) {
    writer.write(Self.opcode.rawValue)
    writeParameters(to: &writer)
  }
}

extension ByteReader {
  /// Reads a handle; 0 is let through, since a server answers it with an error of its own.
  @inlinable
  package mutating func readHandle() throws(ByteError) -> AttributeHandle { AttributeHandle(try read(UInt16.self)) }

  /// Reads the UUID that ends a PDU: 2 or 16 bytes (Core 5.4, Vol 3, Part F, 3.2.1).
  package mutating func readTrailingATTUUID() throws(ByteError) -> BluetoothUUID {
    guard remaining == 2 || remaining == 16 else { throw invalid("a type has 2 or 16 bytes") }
    return try BluetoothUUID(reading: &self, byteCount: remaining)
  }

  /// Reads handles to the end of the PDU, at least `least` of them.
  package mutating func readTrailingHandles(atLeast least: Int) throws(ByteError) -> [AttributeHandle] {
    guard remaining % 2 == 0 else { throw invalid("handles have 2 bytes each") }
    guard remaining >= 2 * least else {
      throw ByteError(offset: offset, problem: .truncated(needed: 2 * least, available: remaining))
    }
    var handles: [AttributeHandle] = []
    handles.reserveCapacity(remaining / 2)
    while !isAtEnd { handles.append(try readHandle()) }
    return handles
  }

  /// Reads the record length at the start of a list and checks it against what follows (F42): at least `least`, and the
  /// rest of the PDU is a whole number of records, at least one.
  package mutating func readRecordLength(atLeast least: Int) throws(ByteError) -> Int {
    let atLength = self
    let length = Int(try read(UInt8.self))
    guard length >= least else { throw atLength.invalid("the record length is too small") }
    guard remaining > 0 else { throw ByteError(offset: offset, problem: .truncated(needed: length, available: 0)) }
    guard remaining % length == 0 else { throw atLength.invalid("the record length does not divide the list") }
    return length
  }
}
