import BluetoothTypes
import Testing

@Suite struct ByteCodingTests {
  @Test("LBT-05: integers of every width are read and written little-endian")
  func integers() throws {
    #expect(UInt16(0x1234).bytes == [0x34, 0x12])
    #expect(Int32(-2).bytes == [0xFE, 0xFF, 0xFF, 0xFF])
    #expect(try UInt8(bytes: [7]) == 7)
    #expect(try Int8(bytes: [0xFF]) == -1)
    #expect(try UInt32(bytes: [1, 2, 3, 4]) == 0x0403_0201)
    #expect(try UInt64(bytes: UInt64.max.bytes) == .max)
    #expect(try Int64(bytes: Int64.min.bytes) == .min)
    #expect(try UInt128(bytes: UInt128.max.bytes) == .max)
    #expect(try Int128(bytes: Int128.min.bytes) == .min)
    #expect(try Double(bytes: 36.6.bytes) == 36.6)
    #expect(try Float(bytes: Float(-0.5).bytes) == -0.5)
    #expect(try Bool(bytes: [2]))
    #expect(false.bytes == [0])
  }

  @Test("LBT-05: an integer in too few bytes, or in none, is an error that says what is missing")
  func truncatedIntegers() {
    #expect(throws: ByteError(offset: 0, problem: .truncated(needed: 2, available: 1))) { try UInt16(bytes: [1]) }
    #expect(throws: ByteError(offset: 0, problem: .truncated(needed: 1, available: 0))) { try UInt8(bytes: []) }
    #expect(throws: ByteError(offset: 0, problem: .truncated(needed: 1, available: 0))) { try Bool(bytes: []) }
  }

  @Test("LBT-05: an integer is taken from any offset, with any length")
  func integerAtOffset() throws {
    let bytes: [UInt8] = [0x01, 0xFE, 0xFF, 0xFF, 0x7F]
    #expect(try bytes.integer(UInt16.self, at: 0) == 0xFE01)
    #expect(try bytes.integer(UInt32.self, at: 1, byteCount: 3) == 0xFF_FFFE)
    #expect(try bytes.integer(Int32.self, at: 1, byteCount: 3) == -2)
    #expect(try bytes.integer(Int8.self, at: 4) == 127)
    #expect(try bytes.integer(Int64.self, at: 3, byteCount: 2) == 0x7FFF)
    var reader = ByteReader(bytes)
    try reader.skip(3)
    #expect(try reader.integer(UInt8.self, at: 0) == 1)
    #expect(reader.offset == 3)
  }

  @Test("LBT-05: an integer outside the bytes is an error that names the offset, whatever the offset is")
  func integerOutOfBounds() {
    let bytes: [UInt8] = [1, 2, 3]
    #expect(throws: ByteError(offset: 2, problem: .truncated(needed: 2, available: 1))) {
      try bytes.integer(UInt16.self, at: 2)
    }
    for offset in [-1, 4, Int.min, Int.max] {
      #expect(throws: ByteError(offset: offset, problem: .truncated(needed: 1, available: 0))) {
        try bytes.integer(UInt8.self, at: offset)
      }
    }
    for byteCount in [0, -1, 3, Int.max, Int.min] {
      #expect(throws: ByteError.self) { try bytes.integer(UInt16.self, at: 0, byteCount: byteCount) }
    }
    let part = ByteReader(bytes, in: 0..<2)
    #expect(throws: ByteError.self) { try part.integer(UInt8.self, at: 2) }
  }

  @Test("LBT-05: bytes are all that is left, and so are lists of values")
  func lists() throws {
    #expect(try [UInt8](bytes: [1, 2, 3]) == [1, 2, 3])
    #expect(try [UInt8](bytes: []) == [])
    var reader = ByteReader([9, 1, 2])
    _ = try reader.read(UInt8.self)
    #expect(try [UInt8](reading: &reader) == [1, 2])
    #expect(reader.isAtEnd)
    #expect(try [UInt16](bytes: [1, 0, 2, 0]) == [1, 2])
    #expect([UInt16(1), 2].bytes == [1, 0, 2, 0])
    #expect(throws: ByteError(offset: 2, problem: .truncated(needed: 2, available: 1))) {
      try [UInt16](bytes: [1, 0, 2])
    }
  }

  @Test("F42: a list of values that take no bytes is an error, not an endless loop")
  func emptyElements() {
    struct Nothing: ByteReadable {
      init(reading reader: inout ByteReader) throws {}
    }
    #expect(throws: ByteError.self) { try [Nothing](bytes: [1]) }
  }

  @Test("Text is UTF-8; a byte that is not is named by its offset")
  func text() throws {
    #expect(try String(bytes: Array("Grüße 心".utf8)) == "Grüße 心")
    #expect("é".bytes == [0xC3, 0xA9])
    #expect(try String(bytes: []) == "")
    #expect(throws: ByteError(offset: 3, problem: .invalid("the text is not UTF-8"))) {
      try String(bytes: [0x61, 0xC3, 0xA9, 0xE9])
    }
    #expect(throws: ByteError(offset: 1, problem: .invalid("the text is not UTF-8"))) {
      try String(bytes: [0x61, 0xE5, 0xBF])
    }
  }
}
