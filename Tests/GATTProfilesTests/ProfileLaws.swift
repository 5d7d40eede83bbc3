import BluetoothTypes
import GATTProfiles
import Testing

/// A value that can be read and written.
typealias ByteCodable = ByteReadable & ByteWritable

/// A whole value is read and written as it was, and is an error within the bytes when cut anywhere.
func expectVector(_ type: any ByteCodable.Type, _ bytes: [UInt8], _ location: SourceLocation = #_sourceLocation) {
  #expect((try? type.init(bytes: bytes))?.bytes == bytes, "\(type)", sourceLocation: location)
  for count in 0..<bytes.count {
    let error = #expect(throws: ByteError.self, "\(type) of \(count) bytes", sourceLocation: location) {
      try type.init(bytes: Array(bytes[..<count]))
    }
    if let error { #expect(0...count ~= error.offset, sourceLocation: location) }
  }
}

/// Random bytes give a value that is stable when written, or an error within the bytes.
func expectStable(_ type: any ByteCodable.Type, seed: UInt64, _ location: SourceLocation = #_sourceLocation) throws {
  var random = SplitMix64(seed: seed)
  for _ in 0..<2000 {
    let bytes = random.bytes(upTo: 40)
    do {
      let written = try type.init(bytes: bytes).bytes
      #expect(try type.init(bytes: written).bytes == written, "\(type)", sourceLocation: location)
    } catch let error as ByteError {
      #expect(0...bytes.count ~= error.offset, sourceLocation: location)
    }
  }
}

/// Every combination of flags reads as many bytes as it writes. The bytes behind the flags are sevens, which are a
/// valid date at every place.
func expectCombinations(
  _ type: any ByteCodable.Type,
  flagBits: Int,
  _ location: SourceLocation = #_sourceLocation
) throws {
  let size = flagBits > 8 ? 2 : 1
  for flags in 0..<(1 << flagBits) {
    var writer = ByteWriter()
    writer.writeInteger(flags, byteCount: size)
    var reader = ByteReader(writer.bytes + [UInt8](repeating: 7, count: 64))
    let value = try type.init(reading: &reader)
    let written = value.bytes
    #expect(written.count == reader.offset, "\(type), flags \(flags)", sourceLocation: location)
    #expect(written.dropFirst(size).allSatisfy { $0 == 7 }, "\(type), flags \(flags)", sourceLocation: location)
    #expect(try type.init(bytes: written).bytes == written, sourceLocation: location)
  }
}
