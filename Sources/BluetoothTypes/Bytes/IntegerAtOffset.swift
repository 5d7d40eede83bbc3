extension ByteReader {
  /// The little-endian integer of `byteCount` bytes at `offset`, counted from the start of ``bytes``; the cursor stays
  /// where it is.
  ///
  /// A signed integer that is shorter than its type keeps its sign.
  /// - Parameter byteCount: 1 up to the size of the type; by default all of it.
  /// - Throws: ``ByteError`` if the integer does not lie within the bytes, or can not have that length.
  public func integer<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self,
    at offset: Int,
    byteCount: Int = Value.bitWidth / 8
  ) throws(ByteError) -> Value {
    guard 1...(Value.bitWidth / 8) ~= byteCount else {
      throw ByteError(offset: offset, problem: .invalid("an integer of this type can not have that many bytes"))
    }
    guard 0...end ~= offset, end &- offset >= byteCount else {
      let available = 0...end ~= offset ? end &- offset : 0
      throw ByteError(offset: offset, problem: .truncated(needed: byteCount, available: available))
    }
    var field = ByteReader(bytes, in: offset..<(offset &+ byteCount))
    let value: Value = try field.readInteger(byteCount: byteCount)
    let unused = Value(truncatingIfNeeded: Value.bitWidth &- 8 &* byteCount)
    return (value &<< unused) &>> unused
  }
}

extension [UInt8] {
  /// The little-endian integer of `byteCount` bytes at `offset`.
  ///
  /// A signed integer that is shorter than its type keeps its sign.
  /// - Parameter byteCount: 1 up to the size of the type; by default all of it.
  /// - Throws: ``ByteError`` if the integer does not lie within the bytes, or can not have that length.
  public func integer<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self,
    at offset: Int,
    byteCount: Int = Value.bitWidth / 8
  ) throws(ByteError) -> Value {
    try ByteReader(self).integer(type, at: offset, byteCount: byteCount)
  }
}
