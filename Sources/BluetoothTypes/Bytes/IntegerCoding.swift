extension ByteReadable where Self: FixedWidthInteger {
  /// Reads as many bytes as the type has, least significant first.
  @inlinable
  public init(reading reader: inout ByteReader) throws { self = try reader.read() }
}

extension ByteWritable where Self: FixedWidthInteger {
  /// Appends as many bytes as the type has, least significant first.
  @inlinable
  public func write(to writer: inout ByteWriter) { writer.write(self) }
}

extension UInt8: ByteReadable, ByteWritable {}
extension UInt16: ByteReadable, ByteWritable {}
extension UInt32: ByteReadable, ByteWritable {}
extension UInt64: ByteReadable, ByteWritable {}
extension UInt128: ByteReadable, ByteWritable {}
extension Int8: ByteReadable, ByteWritable {}
extension Int16: ByteReadable, ByteWritable {}
extension Int32: ByteReadable, ByteWritable {}
extension Int64: ByteReadable, ByteWritable {}
extension Int128: ByteReadable, ByteWritable {}

extension Bool: ByteReadable, ByteWritable {
  /// Reads one byte: 0 is false, all else true.
  @inlinable
  public init(reading reader: inout ByteReader) throws { self = try reader.readBool() }

  /// Appends 1 or 0.
  @inlinable
  public func write(to writer: inout ByteWriter) { writer.write(self) }
}

extension Float: ByteReadable, ByteWritable {
  /// Reads an IEEE 754 number of four bytes.
  @inlinable
  public init(reading reader: inout ByteReader) throws { self.init(bitPattern: try reader.read()) }

  /// Appends an IEEE 754 number of four bytes.
  @inlinable
  public func write(to writer: inout ByteWriter) { writer.write(bitPattern) }
}

extension Double: ByteReadable, ByteWritable {
  /// Reads an IEEE 754 number of eight bytes.
  @inlinable
  public init(reading reader: inout ByteReader) throws { self.init(bitPattern: try reader.read()) }

  /// Appends an IEEE 754 number of eight bytes.
  @inlinable
  public func write(to writer: inout ByteWriter) { writer.write(bitPattern) }
}
