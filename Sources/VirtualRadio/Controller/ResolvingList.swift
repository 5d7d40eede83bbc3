import BluetoothTypes
import HostStack

/// The devices whose private addresses a controller knows, and the private addresses that it shows to them
/// (Core 5.4, Vol 6, Part B, 6). All times are nanoseconds.
struct ResolvingList: Sendable {
  /// One device.
  struct Entry: Sendable {
    /// Public or static random.
    let identity: BluetoothAddress
    /// Zero for a device that has none.
    let peerKey: IdentityKey
    /// Zero if we have none for it.
    let localKey: IdentityKey
    var mode = PrivacyMode.network
    /// The private address that we show to the device.
    fileprivate(set) var local: (address: BluetoothAddress, until: Int64)?
    /// The private address that the device was heard with last, or that was made for it.
    fileprivate(set) var peer: (address: BluetoothAddress, until: Int64)?
  }

  private(set) var entries: [Entry] = []
  /// Whether addresses that are heard are resolved.
  var isEnabled = false
  /// How long a private address is kept.
  private(set) var lifetime: Int64 = 900_000_000_000

  /// The place of a device.
  func index(of identity: BluetoothAddress) -> Int? {
    let plain = identity.plain
    return entries.firstIndex { $0.identity == plain }
  }

  /// Puts a device in; one of that identity must not be there.
  mutating func add(_ identity: BluetoothAddress, peerKey: IdentityKey, localKey: IdentityKey) {
    entries.append(Entry(identity: identity.plain, peerKey: peerKey, localKey: localKey))
  }

  mutating func remove(at index: Int) { entries.remove(at: index) }
  mutating func removeAll() { entries = [] }
  mutating func setMode(_ mode: PrivacyMode, at index: Int) { entries[index].mode = mode }

  /// Private addresses are kept for so many seconds from now on.
  mutating func setLifetime(seconds: UInt16, now: Int64) {
    lifetime = Int64(seconds) &* 1_000_000_000
    for index in entries.indices {
      if let until = entries[index].local?.until { entries[index].local?.until = min(until, now &+ lifetime) }
      if let until = entries[index].peer?.until { entries[index].peer?.until = min(until, now &+ lifetime) }
    }
  }

  /// The private address that we show to a device; `nil` without a key.
  mutating func localAddress(at index: Int, now: Int64, random: inout SeededGenerator) -> BluetoothAddress? {
    guard !entries[index].localKey.isZero else { return nil }
    if let local = entries[index].local, local.until > now { return local.address }
    let address = entries[index].localKey.address(randomBits: UInt32(truncatingIfNeeded: random.next()))
    entries[index].local = (address, now &+ lifetime)
    return address
  }

  /// A private address of a device's own, for directed advertising; `nil` without a key.
  mutating func peerAddress(at index: Int, now: Int64, random: inout SeededGenerator) -> BluetoothAddress? {
    guard !entries[index].peerKey.isZero else { return nil }
    if let peer = entries[index].peer, peer.until > now { return peer.address }
    let address = entries[index].peerKey.address(randomBits: UInt32(truncatingIfNeeded: random.next()))
    entries[index].peer = (address, now &+ lifetime)
    return address
  }

  /// The device that a private address belongs to, of which note is taken.
  mutating func resolve(_ address: BluetoothAddress, now: Int64) -> Int? {
    guard isEnabled, address.kind == .random, address.randomKind == .resolvablePrivate else { return nil }
    if let known = entries.firstIndex(where: { $0.peer?.address == address }) { return known }
    guard let index = entries.firstIndex(where: { $0.peerKey.resolves(address) }) else { return nil }
    entries[index].peer = (address, now &+ lifetime)
    return index
  }

  /// Whether a private address is one of ours, towards any device.
  func isLocal(_ address: BluetoothAddress) -> Bool {
    guard isEnabled, address.kind == .random, address.randomKind == .resolvablePrivate else { return false }
    return entries.contains { $0.local?.address == address || $0.localKey.resolves(address) }
  }
}

/// The address of a packet, with the device behind it.
struct HeardAddress: Hashable, Sendable {
  /// As it was on the air.
  var onAir: BluetoothAddress
  /// The identity behind a private address that was resolved.
  var identity: BluetoothAddress?

  /// The device as lists and hosts name it.
  var device: BluetoothAddress { identity ?? onAir }
  /// As events name it: an identity that came from resolution has a type of its own.
  var reported: BluetoothAddress { identity?.asIdentity ?? onAir }
  /// The private address, where one was resolved.
  var resolved: BluetoothAddress? { identity == nil ? nil : onAir }
}

extension VirtualController {
  /// Looks up the device behind an address; `nil` if its packets are to be ignored, as it shows an identity address
  /// where only private ones are taken (Core 5.4, Vol 6, Part B, 6.2 to 6.5).
  mutating func recognise(_ address: BluetoothAddress, now: Int64) -> HeardAddress? {
    guard resolvingList.isEnabled else { return HeardAddress(onAir: address) }
    if let index = resolvingList.resolve(address, now: now) {
      return HeardAddress(onAir: address, identity: resolvingList.entries[index].identity)
    }
    if let index = resolvingList.index(of: address) {
      let entry = resolvingList.entries[index]
      if entry.mode == .network, !entry.peerKey.isZero { return nil }
    }
    return HeardAddress(onAir: address)
  }

  /// Whether a device is in the filter accept list.
  func accepts(_ address: HeardAddress) -> Bool {
    acceptList.contains(address.device) || acceptList.contains(address.onAir)
  }

  /// The address to show to a device; `nil` if the host means one that it has not set.
  ///
  /// - Parameters:
  ///   - type: What the host has asked for.
  ///   - peer: The identity of the device; `nil` for nobody in particular.
  ///   - random: The random address to use where one is asked for.
  mutating func ownAddress(
    _ type: OwnAddressType,
    towards peer: BluetoothAddress?,
    random: BluetoothAddress?,
    now: Int64
  ) -> BluetoothAddress? {
    if type.isPrivate, let peer, let index = resolvingList.index(of: peer) {
      var generator = self.random
      defer { self.random = generator }
      if let address = resolvingList.localAddress(at: index, now: now, random: &generator) { return address }
    }
    return type.isRandom ? random : configuration.address
  }

  /// Whether `target`, to which something is directed, is this device as it shows itself by `type`.
  func isTarget(_ target: BluetoothAddress, _ type: OwnAddressType) -> Bool {
    if resolvingList.isLocal(target) { return true }
    return target.plain == (type.isRandom ? randomAddress : configuration.address)
  }
}

extension OwnAddressType {
  /// Whether it is made from a key where there is one.
  var isPrivate: Bool { self == .resolvableOrPublic || self == .resolvableOrRandom }
  /// Whether the random address is used, at least where there is no key.
  var isRandom: Bool { self == .random || self == .resolvableOrRandom }
}
