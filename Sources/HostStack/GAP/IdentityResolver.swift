import BluetoothTypes

/// Finds the device behind a private address by the keys that the host knows (Core 5.4, Vol 6, Part B, 1.3.2.3), for
/// controllers that do not, or whose list is too short. An address is resolved once.
package struct IdentityResolver: Sendable {
  /// The devices whose keys are known.
  package private(set) var identities: [KnownIdentity] = []
  private var addresses: Set<BluetoothAddress> = []
  /// The private address that each was heard with last.
  private var heard: [BluetoothAddress: BluetoothAddress] = [:]
  /// What addresses were found to be; `nil` for unknown ones.
  private var cache: [BluetoothAddress: BluetoothAddress?] = [:]
  /// How many addresses are remembered.
  private let limit: Int

  package init(_ identities: [KnownIdentity] = [], limit: Int = 1024) {
    self.identities = identities
    addresses = Set(identities.map(\.address))
    self.limit = max(1, limit)
  }

  /// From now on these are known.
  package mutating func setIdentities(_ identities: [KnownIdentity]) {
    self.identities = identities
    addresses = Set(identities.map(\.address))
    cache.removeAll()
    heard = heard.filter { addresses.contains($0.key) }
  }

  /// Whether the key of a device is known.
  package func knows(_ identity: BluetoothAddress) -> Bool { addresses.contains(identity) }

  /// The identity behind an address; the address itself, if it is none that is known.
  package mutating func resolve(_ address: BluetoothAddress) -> BluetoothAddress {
    guard !identities.isEmpty, address.kind == .random, address.randomKind == .resolvablePrivate else { return address }
    if let known = cache[address] { return known ?? address }
    if cache.count >= limit { cache.removeAll() }
    let found = identities.first { $0.key.resolves(address) }?.address
    cache[address] = .some(found)
    return found ?? address
  }

  /// Takes note of the address that a device is heard with now; whether it has changed.
  package mutating func note(_ address: BluetoothAddress, of identity: BluetoothAddress) -> Bool {
    guard heard[identity] != address else { return false }
    heard[identity] = address
    return true
  }

  /// The address with which a device is to be found.
  package func currentAddress(of identity: BluetoothAddress) -> BluetoothAddress { heard[identity] ?? identity }
}
