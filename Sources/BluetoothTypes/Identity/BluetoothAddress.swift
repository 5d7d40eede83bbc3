/// A device address with its type (Core 5.4, Vol 6, Part B, 1.3).
public struct BluetoothAddress: Hashable, Sendable {
  /// Where an address comes from, with the numbers that HCI gives the types.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// Assigned by the IEEE to the maker.
    case `public` = 0
    /// Chosen by the device.
    case random = 1
    /// A public identity address behind a resolved private one.
    case publicIdentity = 2
    /// A random static identity address behind a resolved private one.
    case randomIdentity = 3
  }

  /// What a random address is for; told by its two highest bits (Core 5.4, Vol 6, Part B, 1.3.2).
  public enum RandomKind: Hashable, Sendable {
    /// Kept at least until the device restarts.
    case `static`
    /// Changes, and can be resolved by who holds the key.
    case resolvablePrivate
    /// Changes, and can not be resolved.
    case nonResolvablePrivate
    /// The bits have no meaning yet.
    case reserved
  }

  /// The 48 bits, most significant first as written.
  public let value: UInt64
  /// The type.
  public let kind: Kind

  /// An address from its 48 bits; higher ones are cut off.
  public init(_ value: UInt64, _ kind: Kind) {
    self.value = value & 0xFFFF_FFFF_FFFF
    self.kind = kind
  }

  /// What a random address is for; `nil` for a public one.
  public var randomKind: RandomKind? {
    guard kind == .random || kind == .randomIdentity else { return nil }
    return switch value &>> 46 {
    case 0b11: .static
    case 0b01: .resolvablePrivate
    case 0b00: .nonResolvablePrivate
    default: .reserved
    }
  }

  /// Whether the device may be known by this address tomorrow: public, static or an identity.
  public var isStable: Bool { kind != .random || randomKind == .static }

  /// Reads the six bytes as they stand in a PDU, least significant first.
  public init(reading reader: inout ByteReader, kind: Kind) throws(ByteError) {
    self.init(try reader.readInteger(byteCount: 6), kind)
  }

  /// Writes the six bytes without the type.
  public func write(to writer: inout ByteWriter) { writer.writeInteger(value, byteCount: 6) }

  /// Reads `E0:E1:E2:E3:E4:E5`; `nil` for any other text.
  public init?(_ text: String, _ kind: Kind) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 6 else { return nil }
    var value: UInt64 = 0
    for part in parts {
      guard part.utf8.count == 2, part.allSatisfy(\.isHexDigit), let byte = UInt8(part, radix: 16) else { return nil }
      value = value &<< 8 | UInt64(byte)
    }
    self.init(value, kind)
  }
}

extension BluetoothAddress: CustomStringConvertible {
  /// For example `E0:E1:E2:E3:E4:E5`.
  public var description: String {
    stride(from: 40, through: 0, by: -8)
      .map { hexadecimal(value &>> UInt64($0) & 0xFF, digits: 2) }
      .joined(separator: ":")
  }
}
