import BluetoothTypes
import RadioPort

extension Central {
  /// The devices with these identifiers that the radio can connect to without a scan, in the order of the identifiers,
  /// such as those that the program has kept from an earlier run. One that the radio does not know is not among them.
  ///
  /// - Throws: ``BluetoothError`` with the state of Bluetooth as its kind, unless ``Configuration/whenOff`` says to wait;
  ///   `CancellationError`.
  public func peripherals(withIDs ids: [Peripheral.ID]) async throws -> [Peripheral] {
    try await core.peripherals(withIDs: ids)
  }

  /// The devices that are connected to this radio as peripherals, by whatever program or central, and that offer at least
  /// one of these services; with none named, all that the system tells of. Connect to one to use it: the link is there
  /// already.
  ///
  /// The radio may have to ask a device what it offers.
  ///
  /// - Throws: As ``peripherals(withIDs:)``, and `.timedOut` after the time of a discovery.
  public func connectedPeripherals(offering services: [ServiceID] = []) async throws -> [Peripheral] {
    try await core.connectedPeripherals(offering: services)
  }
}

extension CentralCore {
  func peripherals(withIDs ids: [PeerID]) async throws -> [Peripheral] {
    try await requireRadio(for: .retrieve, peripheral: nil, limit: configuration.timeouts.discover)
    // What a scan of this central has heard is known here, whatever the radio remembers.
    let known = Dictionary(access.knownPeers(among: ids).map { ($0.peer, $0) }) { first, _ in first }
    return ids.compactMap { id in known[id].map { handle(of: $0) } ?? heldPeripheral(id) }
  }

  func connectedPeripherals(offering services: [ServiceID]) async throws -> [Peripheral] {
    let limit = configuration.timeouts.discover
    let deadline = deadline(after: limit)
    let language = configuration.language
    try await requireRadio(for: .retrieve, peripheral: nil, limit: limit)
    let peers = try await PendingOperation<[KnownPeer]>.run(on: executor, deadline: deadline) {
      BluetoothError(.timedOut, .retrieve, detail: limit.map { .time($0) }, language: language)
    } start: { operation in
      access.connectedPeers(offering: services.map(\.uuid)) { operation.finish(.success($0)) }
    }
    return peers.map { handle(of: $0) }
  }

  private func handle(of known: KnownPeer) -> Peripheral {
    let peripheral = peripheralCore(known.peer)
    if let name = known.name { peripheral.assumeIsolated { $0.named(name) } }
    return peripheral.handle
  }
}
