/// The message authentication code AES-CMAC (RFC 4493; Core 5.4, Vol 3, Part H, 2.2.5).
///
/// Keys and codes are numbers, as those of ``AES128``; of a message the first byte is the most significant.
package enum AESCMAC {
  /// The code of a message of any length.
  package static func code(of message: [UInt8], key: UInt128) -> UInt128 {
    let cipher = AES128(key: key)
    let whole = doubled(cipher.encrypt(0))
    let count = max(1, (message.count &+ 15) / 16)
    var state: UInt128 = 0
    for block in 0..<(count &- 1) {
      state = cipher.encrypt(state ^ number(message[(16 &* block)..<(16 &* block &+ 16)]))
    }
    let rest = message[(16 &* (count &- 1))...]
    if rest.count == 16 { return cipher.encrypt(state ^ number(rest) ^ whole) }
    // Filled up with a one and zeros.
    let filled = (number(rest) &<< 8 | 0x80) &<< UInt128(8 &* (15 &- rest.count))
    return cipher.encrypt(state ^ filled ^ doubled(whole))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt128 {
    bytes.reduce(0) { $0 &<< 8 | UInt128($1) }
  }

  /// Twice a number, in the field of 128 bits.
  private static func doubled(_ value: UInt128) -> UInt128 {
    value &<< 1 ^ (value &>> 127 == 0 ? 0 : 0x87)
  }
}
