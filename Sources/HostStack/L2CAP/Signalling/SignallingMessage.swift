import BluetoothTypes

/// The data of one kind of signalling command; the identifier stands in the ``SignallingCommand`` around it.
package protocol SignallingMessage: ByteReadable, ByteWritable, Hashable {
  /// What names the command.
  static var code: SignallingCode { get }

  /// Reads the data of a command.
  init(parameters reader: inout ByteReader) throws(ByteError)
}

extension SignallingMessage {
  /// Reads the data of a command.
  package init(reading reader: inout ByteReader) throws(ByteError) { try self.init(parameters: &reader) }

  /// Reads the whole data of a command; bytes behind it are an error.
  package init(data: [UInt8]) throws(ByteError) {
    var reader = ByteReader(data)
    try self.init(parameters: &reader)
    try reader.requireEnd()
  }
}

/// A signalling command: code, identifier, length and data (Core 5.4, Vol 3, Part A, 4). On a Low Energy link a frame
/// carries exactly one.
package struct SignallingCommand: ByteReadable, ByteWritable, Hashable {
  /// Code, identifier and length.
  package static let headerLength = 4

  package var code: SignallingCode
  /// Pairs a response with its request; never 0.
  package var identifier: UInt8
  package var data: [UInt8]

  package init(code: SignallingCode, identifier: UInt8, data: [UInt8]) {
    self.code = code
    self.identifier = identifier
    self.data = data
  }

  package init(identifier: UInt8, _ message: some SignallingMessage) {
    self.init(code: type(of: message).code, identifier: identifier, data: message.bytes)
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    var copy = reader
    code = SignallingCode(rawValue: try copy.read())
    identifier = try copy.read()
    let length = Int(try copy.read(UInt16.self))
    data = try copy.readBytes(length)
    reader = copy
  }

  /// Reads a whole command; bytes behind it are an error.
  package init(bytes: [UInt8]) throws(ByteError) {
    var reader = ByteReader(bytes)
    try self.init(reading: &reader)
    try reader.requireEnd()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(code.rawValue)
    writer.write(identifier)
    writer.write(UInt16(truncatingIfNeeded: data.count))
    writer.write(data)
  }
}
