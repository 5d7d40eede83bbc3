/// A value that can be made from the bytes of a characteristic, a descriptor or a PDU.
public protocol ByteReadable: Sendable {
  /// Reads one value and leaves the cursor behind it.
  ///
  /// - Throws: ``ByteError`` if the bytes end too early or mean nothing; anything else a value of your own wants to say.
  init(reading reader: inout ByteReader) throws
}

/// A value that can be written as bytes.
public protocol ByteWritable: Sendable {
  /// Appends the value's bytes.
  func write(to writer: inout ByteWriter)
}

extension ByteReadable {
  /// Reads one value from the start of `bytes`; bytes behind it are ignored, as a newer peer may append fields.
  public init(bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    try self.init(reading: &reader)
  }
}

extension ByteWritable {
  /// The value as bytes.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    write(to: &writer)
    return writer.bytes
  }
}
