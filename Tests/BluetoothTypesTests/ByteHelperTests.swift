import BluetoothTypes
import Testing

@Suite("Helpers to read and write values")
struct ByteHelperTests {
  @Test("LBT-05: integers of 24 bits keep their sign and refuse what does not fit")
  func integers24() throws {
    #expect(try UInt24(bytes: [0x56, 0x34, 0x12]).value == 0x123456)
    #expect(try Int24(bytes: [0xFF, 0xFF, 0xFF]).value == -1)
    #expect(try Int24(bytes: [0x00, 0x00, 0x80]) == .min)
    for number in [0, 1, 0x7F_FFFF, 0xFF_FFFF] {
      let value = try #require(UInt24(number))
      #expect(try UInt24(bytes: value.bytes) == value)
    }
    for number in [0, -1, 0x7F_FFFF, -0x80_0000] {
      let value = try #require(Int24(number))
      #expect(value.bytes.count == 3)
      #expect(try Int24(bytes: value.bytes) == value)
    }
    #expect(UInt24(0x100_0000) == nil)
    #expect(UInt24(-1) == nil)
    #expect(Int24(0x80_0000) == nil)
    #expect(Int24(clamping: Int.min) == .min)
    #expect(UInt24(clamping: Int.max) == .max)
    #expect(throws: ByteError(offset: 0, problem: .truncated(needed: 3, available: 2))) { try Int24(bytes: [1, 2]) }
  }

  @Test("LBT-05: bits are taken one by one and in groups, and those that are not there are an error with the offset")
  func bitFields() throws {
    var reader = ByteReader([0xFF, 0b1010_0101, 0b0000_1110])
    try reader.skip(1)
    let field = try reader.readBitField(byteCount: 2)
    #expect(reader.isAtEnd)
    #expect(try field.flag(0))
    #expect(try !field.flag(1))
    #expect(try field.unsigned(4..<12) == 0b1110_1010)
    #expect(try field.signed(9..<12) == -1)
    #expect(try field.unsigned(0..<16) == 0x0EA5)
    #expect(throws: ByteError(offset: 3, problem: .invalid("the bit field does not have these bits"))) {
      try field.flag(16)
    }
    #expect(throws: ByteError.self) { try field.unsigned(3..<3) }
    #expect(throws: ByteError.self) { try field.signed(-1..<3) }
    #expect(throws: ByteError.self) { try field.unsigned(0..<17) }
    #expect(throws: ByteError.self) { try BitField(byteCount: 9) }
    var short = ByteReader([1])
    #expect(throws: ByteError(offset: 0, problem: .truncated(needed: 2, available: 1))) {
      try short.readBitField(byteCount: 2)
    }
  }

  @Test("LBT-05: bits are written where they were read")
  func writtenBitFields() throws {
    var field = try BitField(byteCount: 8)
    try field.set(63, to: true)
    try field.set(0..<4, to: -3)
    try field.set(4..<20, to: 0xABCD)
    #expect(try field.signed(0..<4) == -3)
    #expect(try field.unsigned(4..<20) == 0xABCD)
    #expect(try field.flag(63))
    try field.set(0..<64, to: UInt64.max)
    #expect(try field.signed(0..<64) == -1)
    #expect(throws: ByteError.self) { try field.set(0..<4, to: 16) }
    #expect(throws: ByteError.self) { try field.set(0..<4, to: -9) }
    var writer = ByteWriter()
    writer.write(field)
    var reader = ByteReader(writer.bytes)
    #expect(try reader.readBitField(byteCount: 8).bits == .max)
  }

  @Test("LBT-05: texts of a fixed length, with an end mark and with their length in front")
  func texts() throws {
    var reader = ByteReader(Array("ab\0\0".utf8) + Array("cd\0".utf8) + [3] + Array("höh".utf8))
    #expect(try reader.readString(byteCount: 4) == "ab")
    #expect(try reader.readTerminatedString() == "cd")
    #expect(try reader.readString(lengthAs: UInt8.self) == "hö")
    #expect(try reader.readTerminatedString() == "h")
    #expect(try reader.readTerminatedString() == "")

    var bad = ByteReader([2, 0x61, 0xFF])
    #expect(throws: ByteError(offset: 2, problem: .invalid("the text is not UTF-8"))) {
      try bad.readString(lengthAs: UInt8.self)
    }
    #expect(bad.offset == 0)
    #expect(throws: ByteError(offset: 0, problem: .truncated(needed: 4, available: 3))) {
      try bad.readString(byteCount: 4)
    }
    var huge = ByteReader([UInt8](repeating: 0xFF, count: 8))
    #expect(throws: ByteError.self) { try huge.readString(lengthAs: UInt64.self) }
    var negative = ByteReader([0xFF, 0x61])
    #expect(throws: ByteError.self) { try negative.readString(lengthAs: Int8.self) }
    var writer = ByteWriter()
    try writer.writeString("hö", lengthAs: UInt8.self)
    #expect(writer.bytes == [3, 0x68, 0xC3, 0xB6])
    #expect(throws: ByteError.self) {
      try writer.writeString(String(repeating: "x", count: 256), lengthAs: UInt8.self)
    }
    #expect(writer.count == 4)
  }

  @Test("LBT-05: lists with their count, and values in general; an error leaves the cursor where it was")
  func lists() throws {
    var writer = ByteWriter()
    try writer.writeValues([UInt24(1), UInt24(70_000)].compactMap { $0 }, countAs: UInt8.self)
    writer.writeValue(Float(1.5))
    var reader = ByteReader(writer.bytes)
    #expect(try reader.readValues(UInt24.self, countAs: UInt8.self).map(\.value) == [1, 70_000])
    #expect(try reader.readValue(Float.self) == 1.5)
    #expect(reader.isAtEnd)

    var short = ByteReader([2, 1, 0, 2])
    #expect(throws: ByteError(offset: 3, problem: .truncated(needed: 2, available: 1))) {
      try short.readValues(UInt16.self, countAs: UInt8.self)
    }
    #expect(short.offset == 0)
    #expect(throws: ByteError.self) { try short.readValues(UInt8.self, count: -1) }
    #expect(throws: ByteError.self) { try short.readValue(UInt64.self) }
    #expect(throws: ByteError.self) { try short.readValues(UInt8.self, count: Int.max) }
    #expect(try short.readValues(UInt8.self, count: 4) == [2, 1, 0, 2])
  }

  @Test("F42: no helper traps or reads beyond the end, whatever bytes there are")
  func randomBytes() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...20, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let start = Int.random(in: 0...20, using: &random)
      let fresh = ByteReader(bytes, in: start..<bytes.count + start)
      let attempts: [(inout ByteReader) throws -> Void] = [
        { _ = try $0.readInt24() }, { _ = try $0.readUInt24() }, { _ = try $0.readBitField(byteCount: 5) },
        { _ = try $0.readTerminatedString() }, { _ = try $0.readString(byteCount: 3) },
        { _ = try $0.readString(lengthAs: UInt8.self) }, { _ = try $0.readString(lengthAs: Int32.self) },
        { _ = try $0.readValues(MedFloat16.self, countAs: UInt16.self) }, { _ = try $0.readValue([UInt16].self) },
      ]
      for attempt in attempts {
        var reader = fresh
        do { try attempt(&reader) } catch { #expect(reader.offset == fresh.offset) }
        #expect(fresh.offset...fresh.end ~= reader.offset)
      }
    }
  }
}
