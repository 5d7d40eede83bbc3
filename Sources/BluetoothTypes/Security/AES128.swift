/// The block cipher that all keys of Low Energy are made for: AES with 128 bits, encryption only (FIPS 197).
///
/// Keys and blocks are numbers; written in hexadecimal they read as in the specification, most significant byte first.
/// It takes no steps that depend on a key, but it looks up tables: it is for protocols, not against who shares the
/// processor.
package struct AES128: Sendable {
  /// Eleven keys of 16 bytes, one behind the other.
  private let roundKeys: [UInt8]

  /// A cipher with this key.
  package init(key: UInt128) {
    var keys = Self.bytes(key)
    keys.reserveCapacity(176)
    var constant: UInt8 = 1
    for position in stride(from: 16, to: 176, by: 4) {
      var word = Array(keys[(position &- 4)..<position])
      if position % 16 == 0 {
        word = [word[1], word[2], word[3], word[0]].map { Self.box[Int($0)] }
        word[0] ^= constant
        constant = Self.double(constant)
      }
      for index in 0..<4 { keys.append(keys[position &- 16 &+ index] ^ word[index]) }
    }
    roundKeys = keys
  }

  /// The block, encrypted.
  package func encrypt(_ block: UInt128) -> UInt128 {
    var state = Self.bytes(block)
    add(round: 0, to: &state)
    for round in 1...10 {
      // Bytes are substituted, and those of row r of the four columns move r columns to the left.
      state = (0..<16).map { index in Self.box[Int(state[(index &+ 4 &* (index % 4)) % 16])] }
      if round < 10 { Self.mixColumns(&state) }
      add(round: round, to: &state)
    }
    return state.reduce(0) { $0 &<< 8 | UInt128($1) }
  }

  private func add(round: Int, to state: inout [UInt8]) {
    for index in 0..<16 { state[index] ^= roundKeys[16 &* round &+ index] }
  }

  private static func mixColumns(_ state: inout [UInt8]) {
    for column in stride(from: 0, to: 16, by: 4) {
      let (a, b, c, d) = (state[column], state[column &+ 1], state[column &+ 2], state[column &+ 3])
      let all = a ^ b ^ c ^ d
      state[column] = a ^ all ^ double(a ^ b)
      state[column &+ 1] = b ^ all ^ double(b ^ c)
      state[column &+ 2] = c ^ all ^ double(c ^ d)
      state[column &+ 3] = d ^ all ^ double(d ^ a)
    }
  }

  private static func bytes(_ number: UInt128) -> [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: number &>> UInt128(120 &- 8 &* $0)) }
  }

  /// Twice a number, in the field that AES calculates in.
  private static func double(_ value: UInt8) -> UInt8 { value &<< 1 ^ (value & 0x80 == 0 ? 0 : 0x1B) }

  /// The table of substitutions: the inverse in the field, then an affine map.
  private static let box: [UInt8] = {
    var box = [UInt8](repeating: 0, count: 256)
    // As 3 generates all numbers but 0, `inverse` is the inverse of `number` all the way round.
    var (number, inverse): (UInt8, UInt8) = (1, 1)
    repeat {
      number ^= double(number)
      // A division by 3.
      inverse ^= inverse &<< 1
      inverse ^= inverse &<< 2
      inverse ^= inverse &<< 4
      if inverse & 0x80 != 0 { inverse ^= 0x09 }
      box[Int(number)] = (1...4).reduce(inverse ^ 0x63) { $0 ^ (inverse &<< UInt8($1) | inverse &>> UInt8(8 &- $1)) }
    } while number != 1
    box[0] = 0x63
    return box
  }()
}
