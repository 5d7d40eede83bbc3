import BluetoothTypes

/// The public addresses of the controllers of guests: the next one each time, and never one that is in use.
struct GuestAddresses: Sendable {
  /// Locally administered, and none that a radio of the world has. The lowest 16 bits count.
  private static let base: UInt64 = 0x0241_4952_0000

  private var last: UInt64 = 0
  private var used: Set<UInt64> = []

  /// An address that nobody has. Only where 65,536 have one each is it one more time the same.
  mutating func take() -> BluetoothAddress {
    repeat { last = (last &+ 1) & 0xFFFF } while used.contains(last) && used.count <= 0xFFFF
    used.insert(last)
    return BluetoothAddress(Self.base &+ last, .public)
  }

  /// An address is free again.
  mutating func giveBack(_ address: BluetoothAddress) { used.remove(address.value & 0xFFFF) }
}
