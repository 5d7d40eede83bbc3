/// FNV-1a with 64 bits: a short value that tells whether two runs had the same packets at the same times.
struct TraceDigest: Hashable, Sendable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  mutating func add(_ number: Int64) {
    for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number &>> Int64(shift))) }
  }

  mutating func add(_ bytes: [UInt8]) {
    // The length keeps apart what would otherwise run together.
    add(Int64(bytes.count))
    for byte in bytes { add(byte) }
  }
}

extension TraceDigest {
  /// The digest of a text.
  static func of(_ text: String) -> UInt64 {
    var digest = TraceDigest()
    for byte in text.utf8 { digest.add(byte) }
    return digest.value
  }
}
