extension ByteReader {
  /// Reads a value of any type that can be read: `try reader.readValue(Float.self)`.
  ///
  /// - Throws: What the type throws; the cursor stays where it was then.
  public mutating func readValue<Value: ByteReadable>(_ type: Value.Type = Value.self) throws -> Value {
    var ahead = self
    let value = try Value(reading: &ahead)
    self = ahead
    return value
  }

  /// Reads `count` values, one behind the other.
  ///
  /// - Throws: What the type throws, with the offset of the value at fault; ``ByteError`` for a count below 0 and for
  ///   values that take no bytes. The cursor stays where it was then.
  public mutating func readValues<Value: ByteReadable>(
    _ type: Value.Type = Value.self,
    count: Int
  ) throws -> [Value] {
    guard count >= 0 else { throw invalid("a list can not have fewer than no values") }
    var ahead = self
    var values: [Value] = []
    // A count from the wire says nothing about how much really comes.
    values.reserveCapacity(min(count, remaining))
    for _ in 0..<count {
      let start = ahead.offset
      values.append(try Value(reading: &ahead))
      guard ahead.offset > start else { throw ahead.invalid("a value of the list takes no bytes") }
    }
    self = ahead
    return values
  }

  /// Reads a list that begins with the number of its values: `try reader.readValues(UInt16.self, countAs: UInt8.self)`.
  ///
  /// - Throws: As ``readValues(_:count:)``.
  public mutating func readValues<Value: ByteReadable, Count: FixedWidthInteger>(
    _ type: Value.Type = Value.self,
    countAs countType: Count.Type
  ) throws -> [Value] {
    var ahead = self
    let count: Count = try ahead.read()
    guard let number = Int(exactly: count) else { throw invalid("a list can not have that many values") }
    let values: [Value] = try ahead.readValues(count: number)
    self = ahead
    return values
  }

  /// Reads a text of `byteCount` bytes in UTF-8. Zeros at its end, with which short texts are filled up, do not belong
  /// to it.
  ///
  /// - Throws: ``ByteError`` if the bytes end too early, or at the first byte that is not UTF-8.
  public mutating func readString(byteCount: Int) throws(ByteError) -> String {
    var ahead = self
    let start = ahead.offset
    var bytes = try ahead.readBytes(byteCount)
    while bytes.last == 0 { bytes.removeLast() }
    let text = try Self.text(bytes, at: start)
    self = ahead
    return text
  }

  /// Reads a text in UTF-8 up to a zero, which is left out; without a zero, all that is left.
  ///
  /// - Throws: ``ByteError`` at the first byte that is not UTF-8.
  public mutating func readTerminatedString() throws(ByteError) -> String {
    var ahead = self
    let start = ahead.offset
    let length = bytes[start..<end].firstIndex(of: 0).map { $0 &- start }
    let text = try Self.text(try ahead.readBytes(length ?? remaining), at: start)
    if length != nil { try ahead.skip(1) }
    self = ahead
    return text
  }

  /// Reads a text in UTF-8 that begins with the number of its bytes: `try reader.readString(lengthAs: UInt8.self)`.
  ///
  /// - Throws: ``ByteError`` if the bytes end too early, or at the first byte that is not UTF-8.
  public mutating func readString<Length: FixedWidthInteger>(
    lengthAs lengthType: Length.Type
  ) throws(ByteError) -> String {
    var ahead = self
    let length: Length = try ahead.read()
    guard let count = Int(exactly: length) else { throw invalid("a text can not be that long") }
    let start = ahead.offset
    let text = try Self.text(try ahead.readBytes(count), at: start)
    self = ahead
    return text
  }

  private static func text(_ bytes: [UInt8], at start: Int) throws(ByteError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ByteError(offset: start &+ bytes.validUTF8Count, problem: .invalid("the text is not UTF-8"))
    }
    return text
  }
}

extension ByteWriter {
  /// Writes a value of any type that can be written.
  public mutating func writeValue(_ value: some ByteWritable) { value.write(to: &self) }

  /// Writes a list behind the number of its values.
  ///
  /// - Throws: ``ByteError``, and writes nothing, if the number does not fit its type.
  public mutating func writeValues<Count: FixedWidthInteger>(
    _ values: [some ByteWritable],
    countAs countType: Count.Type
  ) throws(ByteError) {
    guard let number = Count(exactly: values.count) else {
      throw ByteError(offset: count, problem: .invalid("the number of values does not fit"))
    }
    write(number)
    for value in values { value.write(to: &self) }
  }

  /// Writes a text in UTF-8 behind the number of its bytes.
  ///
  /// - Throws: ``ByteError``, and writes nothing, if the number does not fit its type.
  public mutating func writeString<Length: FixedWidthInteger>(
    _ text: String,
    lengthAs lengthType: Length.Type
  ) throws(ByteError) {
    guard let length = Length(exactly: text.utf8.count) else {
      throw ByteError(offset: count, problem: .invalid("the length of the text does not fit"))
    }
    write(length)
    write(text.utf8)
  }
}
