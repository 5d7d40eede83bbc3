import BluetoothTypes

// Fields that several PDUs of HCI share.

extension ByteReader {
  /// Reads the status in front of `size` bytes of fields. Behind a failure they mean nothing, and some controllers
  /// leave them out: what is missing then reads as zeros.
  mutating func readStatus(before size: Int) throws(ByteError) -> HCIStatus {
    let status = HCIStatus(rawValue: try read())
    if status != .success, remaining < size {
      let padded = Array(bytes[..<end]) + Array(repeating: 0, count: size &- remaining)
      self = ByteReader(padded, in: offset..<padded.count)
    }
    return status
  }

  /// Reads an address type and the address. With `isMeaningful` false, any type is taken.
  mutating func readTypedAddress(isMeaningful: Bool = true) throws(ByteError) -> BluetoothAddress {
    try require(7)
    var kind = BluetoothAddress.Kind(rawValue: bytes[offset])
    if kind == nil, !isMeaningful { kind = .public }
    guard let kind else { throw invalid("an address type of 0 to 3 was expected") }
    try skip(1)
    return try BluetoothAddress(reading: &self, kind: kind)
  }

  /// Reads an address type and the address; 0xFF stands for "anonymous" and 0xFE for a random address that could not
  /// be resolved.
  mutating func readOptionalTypedAddress() throws(ByteError) -> BluetoothAddress? {
    try require(7)
    switch bytes[offset] {
    case 0xFF:
      try skip(7)
      return nil
    case 0xFE:
      try skip(1)
      return try BluetoothAddress(reading: &self, kind: .random)
    default: return try readTypedAddress()
    }
  }

  /// Reads a length byte and a field of fixed size of which only that many bytes count.
  mutating func readCounted(fixedSize: Int) throws(ByteError) -> [UInt8] {
    try require(1)
    let count = Int(bytes[offset])
    guard count <= fixedSize else { throw invalid("the length exceeds the field behind it") }
    try require(1 &+ fixedSize)
    try skip(1)
    let data = try readBytes(count)
    try skip(fixedSize &- count)
    return data
  }

  /// Reads a length byte and as many bytes.
  mutating func readCounted() throws(ByteError) -> [UInt8] {
    try require(1)
    let count = Int(bytes[offset])
    try require(1 &+ count)
    try skip(1)
    return try readBytes(count)
  }
}

extension ByteWriter {
  /// Writes the type and the address.
  mutating func writeTyped(_ address: BluetoothAddress) {
    write(address.kind.rawValue)
    address.write(to: &self)
  }

  /// Writes the type and the address; for none, 0xFF and zeros.
  mutating func writeOptionalTyped(_ address: BluetoothAddress?) {
    if let address { return writeTyped(address) }
    write(UInt8(0xFF))
    writeInteger(UInt64(0), byteCount: 6)
  }

  /// Writes `size` bytes: those given, then zeros. More than `size` can not be expressed and are left out.
  mutating func writePadded(_ bytes: [UInt8], size: Int) {
    write(bytes.prefix(size))
    if bytes.count < size { write(repeatElement(UInt8(0), count: size &- bytes.count)) }
  }

  /// Writes a length byte and a field of fixed size. More than `fixedSize` can not be expressed and are left out.
  mutating func writeCounted(_ bytes: [UInt8], fixedSize: Int) {
    write(UInt8(truncatingIfNeeded: min(bytes.count, fixedSize)))
    writePadded(bytes, size: fixedSize)
  }

  /// Writes a length byte and the bytes. More than 255 can not be expressed and are left out.
  mutating func writeCounted(_ bytes: [UInt8]) {
    write(UInt8(truncatingIfNeeded: min(bytes.count, 255)))
    write(bytes.prefix(255))
  }
}
