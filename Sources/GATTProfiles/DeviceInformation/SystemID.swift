import BluetoothTypes

/// The number of one device, from its maker's numbers (Device Information Service 1.2, 3.7).
public struct SystemID: Hashable, Sendable {
  /// What the maker chose: 40 bits.
  public let manufacturerIdentifier: UInt64
  /// The maker's number at the IEEE: 24 bits.
  public let organizationallyUniqueIdentifier: UInt32

  /// A number from its two parts; bits beyond 40 and 24 are cut off.
  public init(manufacturerIdentifier: UInt64, organizationallyUniqueIdentifier: UInt32) {
    self.manufacturerIdentifier = manufacturerIdentifier & 0xFF_FFFF_FFFF
    self.organizationallyUniqueIdentifier = organizationallyUniqueIdentifier & 0xFF_FFFF
  }

  /// The number that belongs to a public device address: its lower half, 0xFFFE and its upper half.
  public init(_ address: BluetoothAddress) {
    self.init(
      manufacturerIdentifier: 0xFF_FE00_0000 | address.value & 0xFF_FFFF,
      organizationallyUniqueIdentifier: UInt32(truncatingIfNeeded: address.value &>> 24)
    )
  }
}

extension SystemID: ByteReadable, ByteWritable {
  /// Reads eight bytes.
  public init(reading reader: inout ByteReader) throws {
    try reader.require(8)
    self.init(
      manufacturerIdentifier: try reader.readInteger(byteCount: 5),
      organizationallyUniqueIdentifier: try reader.readInteger(byteCount: 3)
    )
  }

  /// Appends eight bytes.
  public func write(to writer: inout ByteWriter) {
    writer.writeInteger(manufacturerIdentifier, byteCount: 5)
    writer.writeInteger(organizationallyUniqueIdentifier, byteCount: 3)
  }
}

extension SystemID: CustomStringConvertible {
  /// The 64 bits, most significant first.
  public var description: String {
    hexadecimal(organizationallyUniqueIdentifier, digits: 6) + hexadecimal(manufacturerIdentifier, digits: 10)
  }
}
