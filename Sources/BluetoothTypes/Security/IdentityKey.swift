/// An identity resolving key: with it a device makes private addresses that change, and who was given it recognises the
/// device behind them (Core 5.4, Vol 6, Part B, 1.3.2.2).
public struct IdentityKey: Hashable, Sendable {
  /// The key as a number; in hexadecimal it reads as in the specification, most significant byte first.
  public let value: UInt128

  /// A key from its number.
  public init(_ value: UInt128) { self.value = value }

  /// A key from its 16 bytes, least significant first, as they stand in PDUs; `nil` for any other count.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    value = bytes.reversed().reduce(0) { $0 &<< 8 | UInt128($1) }
  }

  /// The 16 bytes, least significant first, as they stand in PDUs.
  public var bytes: [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: value &>> UInt128(8 &* $0)) } }

  /// Whether this is no key: all zero stands for a device that has none.
  public var isZero: Bool { value == 0 }

  /// Whether `address` is a resolvable private address that was made with this key.
  public func resolves(_ address: BluetoothAddress) -> Bool {
    guard !isZero, address.kind == .random, address.randomKind == .resolvablePrivate else { return false }
    return hash(UInt32(truncatingIfNeeded: address.value &>> 24))
      == UInt32(truncatingIfNeeded: address.value & 0xFF_FFFF)
  }

  /// The resolvable private address with these random bits, of which 22 count.
  public func address(randomBits: UInt32) -> BluetoothAddress {
    // Neither all zeros nor all ones.
    let part = min(max(randomBits & 0x3F_FFFF, 1), 0x3F_FFFE) | 0x40_0000
    return BluetoothAddress(UInt64(part) &<< 24 | UInt64(hash(part)), .random)
  }

  /// The random address hash function `ah` (Core 5.4, Vol 3, Part H, 2.2.2).
  private func hash(_ random: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: AES128(key: value).encrypt(UInt128(random & 0xFF_FFFF)) & 0xFF_FFFF)
  }
}

/// A device that is known for good, and the key that resolves its private addresses.
public struct KnownIdentity: Hashable, Sendable {
  /// The identity address: public or static random.
  public var address: BluetoothAddress
  /// The device's key.
  public var key: IdentityKey

  /// Makes an entry; an address of the kinds that resolution gives is taken for what it stands for.
  public init(address: BluetoothAddress, key: IdentityKey) {
    self.address = address.plain
    self.key = key
  }
}

extension BluetoothAddress {
  /// The address as devices use it on the air: public or random, where an identity came from resolution.
  public var plain: BluetoothAddress {
    switch kind {
    case .public, .random: self
    case .publicIdentity: BluetoothAddress(value, .public)
    case .randomIdentity: BluetoothAddress(value, .random)
    }
  }

  /// The same address as the outcome of resolution (Core 5.4, Vol 4, Part E, 7.7.65.2).
  public var asIdentity: BluetoothAddress {
    BluetoothAddress(value, kind == .public || kind == .publicIdentity ? .publicIdentity : .randomIdentity)
  }
}
