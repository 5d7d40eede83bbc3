extension ByteReadable where Self: RawRepresentable, RawValue: ByteReadable {
  /// Reads the raw value.
  ///
  /// - Throws: ``ByteError`` if the bytes end too early, or if the raw value stands for nothing.
  public init(reading reader: inout ByteReader) throws {
    let start = reader.offset
    guard let value = Self(rawValue: try RawValue(reading: &reader)) else {
      throw ByteError(offset: start, problem: .invalid("the value stands for nothing"))
    }
    self = value
  }
}

extension ByteWritable where Self: RawRepresentable, RawValue: ByteWritable {
  /// Appends the raw value.
  public func write(to writer: inout ByteWriter) { rawValue.write(to: &writer) }
}
