import BluetoothTypes
import RadioPort

/// What the client is yet to do on its own after a discovery. It waits until the first request of the owner has its
/// answer, or a moment if there is none, so that nobody waits for it.
struct Housekeeping: Sendable {
  /// How long it waits for a first request.
  static let patience = Duration.milliseconds(250)

  let due: RadioInstant
  /// Whether the hash is still to be read.
  let needsHash: Bool
}

// Remembering the peer's services, and noticing that they change.

extension GATTClient {
  mutating func remember(_ database: RememberedDatabase?) { remembered = database }

  // MARK: Instead of a discovery

  /// The peer has shown its hash, or has none any more: what is remembered holds, or all is discovered.
  mutating func finishHashCheck(
    _ outcome: ClientOutcome,
    isAbandoned: Bool,
    now: RadioInstant,
    _ outputs: inout [LinkOutput]
  ) {
    if case .value(let bytes) = outcome, let hash = DatabaseHash(bytes), let known = remembered,
      known.hash == hash
    {
      // Also if nobody waits any more: the next who asks need not.
      remembered = nil
      return adopt(known.services, hash: hash, now: now, &outputs)
    }
    remembered = nil
    guard !isAbandoned, !discoveryWaiters.isEmpty else { return }
    // Before all that came after the wish for it.
    queue.prepend(ClientOperation(.discovery, .discover(DiscoveryProcedure())))
  }

  // MARK: Afterwards

  /// - Parameter hash: The hash, if the peer has shown it already.
  mutating func beginHousekeeping(
    _ services: [RemoteService],
    hash: DatabaseHash?,
    now: RadioInstant,
    _ outputs: inout [LinkOutput]
  ) {
    serviceChanged = Self.own(.serviceChanged, in: services)?.handle
    guard configuration.watchesServices else { return }
    if Self.own(.databaseHash, in: services) == nil {
      // Nothing shows that it still holds; with a bond Service Changed may.
      outputs.append(.databaseKnown(RememberedDatabase(services: services, hash: nil)))
    }
    let needsHash = hash == nil && Self.own(.databaseHash, in: services) != nil
    housekeeping = Housekeeping(due: now.advanced(by: Housekeeping.patience), needsHash: needsHash)
  }

  /// A characteristic of the peer's Generic Attribute service.
  private static func own(_ uuid: BluetoothUUID, in services: [RemoteService])
    -> RemoteCharacteristic?
  {
    let all = services.lazy.filter { $0.uuid == .genericAttribute }.flatMap(\.characteristics)
    return all.first { $0.uuid == uuid }
  }

  /// Asks for what is to be asked for, behind all that waits.
  mutating func keepHouse(now: RadioInstant, _ outputs: inout [LinkOutput]) {
    guard let work = housekeeping.take(), let services = table else { return }
    if let characteristic = Self.own(.serviceChanged, in: services) {
      watchServices(characteristic, now: now, &outputs)
    }
    // Before the server is told to be strict: it then knows that the client is up to date.
    if work.needsHash { enqueue(ClientOperation(.housekeeping, .readHash), now: now, &outputs) }
    if let features = Self.own(.clientSupportedFeatures, in: services),
      features.properties.contains(.write)
    {
      let write = WriteProcedure(handle: features.handle, value: [ClientFeatures.ours.rawValue])
      enqueue(ClientOperation(.housekeeping, .write(write)), now: now, &outputs)
    }
  }

  /// The hash is remembered only if it is that of the table: then nothing has changed between the two.
  mutating func finishHousekeeping(
    _ operation: ClientOperation,
    _ outcome: ClientOutcome,
    _ outputs: inout [LinkOutput]
  ) {
    guard case .readHash = operation.procedure, case .value(let bytes) = outcome,
      let services = table,
      let hash = DatabaseHash(bytes), hash == DatabaseHash(of: services)
    else { return }
    outputs.append(.databaseKnown(RememberedDatabase(services: services, hash: hash)))
  }
}
