/// What names a remote device to a program: 128 bits, written like a UUID.
///
/// The radio gives it out. It is stable across runs as long as the device's address is, and says nothing by itself.
public struct PeerID: Hashable, Sendable {
  /// The upper 64 bits.
  public let high: UInt64
  /// The lower 64 bits.
  public let low: UInt64

  /// An identifier from its halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The identifier that stands for a device address: a version 8 UUID (RFC 9562, 5.8) that holds the address and its
  /// type, so that it is the same on every run and on every machine.
  public init(_ address: BluetoothAddress) {
    high = 0x48_41_4C_43_59_4F_8000 | UInt64(address.kind.rawValue)
    low = 0x8000_0000_0000_0000 | address.value
  }

  /// The address that this identifier was made from, if it was made from one.
  public var address: BluetoothAddress? {
    guard high &>> 16 == 0x48_41_4C_43_59_4F, low &>> 48 == 0x8000 else { return nil }
    guard let kind = BluetoothAddress.Kind(rawValue: UInt8(truncatingIfNeeded: high & 0x0FFF)) else { return nil }
    let address = BluetoothAddress(low, kind)
    return PeerID(address) == self ? address : nil
  }

  /// Reads 32 hexadecimal digits with or without dashes; `nil` for any other text.
  public init?(_ text: String) {
    guard text.utf8.count >= 32, let uuid = try? BluetoothUUID(text) else { return nil }
    self.init(high: uuid.high, low: uuid.low)
  }
}

extension PeerID: CustomStringConvertible {
  /// The dashed form, in upper case.
  public var description: String {
    [
      hexadecimal(high &>> 32, digits: 8),
      hexadecimal(high &>> 16 & 0xFFFF, digits: 4),
      hexadecimal(high & 0xFFFF, digits: 4),
      hexadecimal(low &>> 48, digits: 4),
      hexadecimal(low & 0xFFFF_FFFF_FFFF, digits: 12),
    ].joined(separator: "-")
  }
}
