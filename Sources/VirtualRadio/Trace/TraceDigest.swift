/// A short value that tells whether two runs had the same packets at the same times.
///
/// Every packet of a world goes through it, so it takes eight bytes a step. A step has an inverse: as long as two runs
/// differ in one word only, so do their values.
struct TraceDigest: Hashable, Sendable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ word: UInt64) {
    // The finalizer of SplitMix64.
    var mixed = value ^ word
    mixed = (mixed ^ mixed &>> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed &>> 27) &* 0x94D0_49BB_1331_11EB
    value = mixed ^ mixed &>> 31
  }

  mutating func add(_ bytes: [UInt8]) {
    // The length keeps apart what would otherwise run together.
    add(UInt64(bytes.count))
    bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset &+ 8 <= bytes.count {
        add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        offset &+= 8
      }
      var rest: UInt64 = 0
      for byte in bytes[offset...] { rest = rest &<< 8 | UInt64(byte) }
      add(rest)
    }
  }
}
