extension Array: ByteReadable where Element: ByteReadable {
  /// Reads elements until the bytes end; `[UInt8]` takes all the bytes that are left.
  ///
  /// - Throws: What the element throws; ``ByteError`` for an element that takes no bytes, as that list would have no end.
  public init(reading reader: inout ByteReader) throws {
    if Element.self == UInt8.self, let rest = reader.readRemaining() as? [Element] {
      self = rest
      return
    }
    self.init()
    while !reader.isAtEnd {
      let start = reader.offset
      append(try Element(reading: &reader))
      guard reader.offset > start else { throw reader.invalid("an element of the list takes no bytes") }
    }
  }
}

extension Array: ByteWritable where Element: ByteWritable {
  /// Appends the elements one behind the other.
  public func write(to writer: inout ByteWriter) {
    for element in self { element.write(to: &writer) }
  }
}

extension String: ByteReadable, ByteWritable {
  /// Reads all the bytes that are left as UTF-8.
  ///
  /// - Throws: ``ByteError`` at the first byte that is not UTF-8; read `[UInt8]` to have the bytes as they are.
  public init(reading reader: inout ByteReader) throws {
    let start = reader.offset
    let bytes = reader.readRemaining()
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ByteError(offset: start &+ bytes.validUTF8Count, problem: .invalid("the text is not UTF-8"))
    }
    self = text
  }

  /// Appends the text as UTF-8, without an end mark.
  public func write(to writer: inout ByteWriter) { writer.write(utf8) }
}

extension [UInt8] {
  /// How many bytes from the start are well-formed UTF-8.
  var validUTF8Count: Int {
    var parser = UTF8.ForwardParser()
    var iterator = makeIterator()
    var count = 0
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { count &+= scalar.count }
    return count
  }
}
