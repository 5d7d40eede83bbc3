/// An integer in upper-case hexadecimal with leading zeros.
public func hexadecimal(_ value: some BinaryInteger, digits: Int) -> String {
  let text = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}

/// Bytes in upper-case hexadecimal, two digits each, separated by blanks.
public func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { hexadecimal($0, digits: 2) }.joined(separator: " ")
}
