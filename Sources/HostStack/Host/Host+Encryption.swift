import BluetoothTypes
import RadioPort

// How well links are protected: keys, the procedure that switches encryption on, and what the server is told of it.

/// A key that this host shares with a peer, from pairing (Core 5.4, Vol 3, Part H, 2.4.4).
package struct LongTermKey: Hashable, Sendable {
  /// The key as a number; in hexadecimal it reads as in the specification, most significant byte first.
  package var value: UInt128
  /// Names the key together with the diversifier; both are 0 with LE Secure Connections.
  package var randomNumber: UInt64
  /// Names the key together with the random number.
  package var encryptedDiversifier: UInt16
  /// Whether the key was made with protection against a man in the middle.
  package var isAuthenticated: Bool

  package init(
    _ value: UInt128,
    randomNumber: UInt64 = 0,
    encryptedDiversifier: UInt16 = 0,
    isAuthenticated: Bool = false
  ) {
    self.value = value
    self.randomNumber = randomNumber
    self.encryptedDiversifier = encryptedDiversifier
    self.isAuthenticated = isAuthenticated
  }

  /// The 16 bytes, least significant first, as they stand in commands.
  var bytes: [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: value &>> UInt128(8 &* $0)) } }

  /// How well a link is protected by it.
  var security: LinkSecurity { isAuthenticated ? .authenticated : .encrypted }
}

extension Host {
  // MARK: Keys

  /// From now on these are the keys that the host shares with peers, by their identities. Links that are encrypted stay
  /// so.
  package mutating func setKeys(_ keys: [BluetoothAddress: LongTermKey]) {
    self.keys = keys
    for index in links.indices where links[index].security < .encrypted { setSecurity(unencrypted(index), index) }
  }

  /// What a link is before it is encrypted.
  private func unencrypted(_ index: Int) -> LinkSecurity { keys[links[index].address] == nil ? .open : .keyed }

  /// A link has come up.
  mutating func beginSecurity(_ index: Int) { setSecurity(unencrypted(index), index) }

  private mutating func setSecurity(_ security: LinkSecurity, _ index: Int) {
    links[index].security = security
    server.setSecurity(security, of: links[index].id)
  }

  // MARK: As central

  /// Encrypts a link with the key that there is for the peer; `.encrypted` tells how that ended.
  package mutating func encrypt(_ id: LinkID, now: RadioInstant) -> RequestID {
    let request = RequestID(rawValue: nextNumber())
    guard let index = openIndex(of: id) else {
      emit(.encrypted(request, .failure(goneFailure)))
      return request
    }
    guard links[index].security < .encrypted else {
      emit(.encrypted(request, .success(links[index].security)))
      return request
    }
    guard links[index].link.role == .central, let key = keys[links[index].address] else {
      let reason =
        links[index].link.role == .central
        ? "there is no key for \(links[index].address): pair first"
        : "only the central of a link switches its encryption on"
      emit(.encrypted(request, .failure(RadioFailure(.invalidArgument, reason: reason))))
      return request
    }
    links[index].encryptions.append(request)
    if links[index].encryptions.count == 1 {
      let handle = links[index].handle
      commands.enqueue(
        LEEnableEncryption(
          connectionHandle: handle,
          randomNumber: key.randomNumber,
          encryptedDiversifier: key.encryptedDiversifier,
          longTermKey: key.bytes
        ),
        .encrypt(id),
        about: handle
      )
    }
    settle(now)
    return request
  }

  mutating func encryptAnswered(_ id: LinkID, _ answer: CommandAnswer) {
    guard answer.status != .success, let index = links.firstIndex(where: { $0.id == id }) else { return }
    encryptionFailed(index, answer.status)
  }

  private mutating func encryptionFailed(_ index: Int, _ status: HCIStatus) {
    let reason = "the link to \(links[index].address) was not encrypted: \(status)"
    endEncryptions(index, .failure(Self.refusal(status, reason: reason)))
  }

  mutating func endEncryptions(_ index: Int, _ result: Result<LinkSecurity, RadioFailure>) {
    let requests = links[index].encryptions
    links[index].encryptions.removeAll()
    for request in requests { emit(.encrypted(request, result)) }
  }

  // MARK: As peripheral

  /// The peer encrypts the link, and the controller needs the key. Without an answer the peer would wait for its timeout.
  mutating func keyRequested(_ event: LELongTermKeyRequest) {
    let handle = event.connectionHandle
    let index = links.firstIndex { $0.handle == handle }
    guard let key = index.flatMap({ keys[links[$0].address] }), key.randomNumber == event.randomNumber,
      key.encryptedDiversifier == event.encryptedDiversifier
    else {
      return commands.enqueue(
        LELongTermKeyRequestNegativeReply(connectionHandle: handle),
        .courtesy,
        about: handle
      )
    }
    commands.enqueue(
      LELongTermKeyRequestReply(connectionHandle: handle, longTermKey: key.bytes),
      .courtesy,
      about: handle
    )
  }

  // MARK: What the controller tells

  /// Encryption was switched, or could not be: then the link is what it was.
  mutating func encryptionChanged(_ handle: UInt16, _ status: HCIStatus, isOn: Bool) {
    guard let index = links.firstIndex(where: { $0.handle == handle && $0.isOpen }) else { return }
    guard status == .success else { return encryptionFailed(index, status) }
    let key = keys[links[index].address]
    setSecurity(isOn ? key?.security ?? .encrypted : unencrypted(index), index)
    endEncryptions(index, .success(links[index].security))
  }
}
