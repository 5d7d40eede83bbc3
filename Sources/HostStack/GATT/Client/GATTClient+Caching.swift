import BluetoothTypes
import RadioPort

/// What the client is yet to do on its own after a discovery. It waits until the first request of the owner has its
/// answer, or a moment if there is none, so that nobody waits for it.
struct Housekeeping: Sendable {
  /// How long it waits for a first request.
  static let patience = Duration.milliseconds(250)

  let due: RadioInstant
  /// The hash that the peer has shown with the services, if they were not discovered.
  let hash: DatabaseHash?
}

/// Whether the services are still what they were found to be, now that the peer tells of changes: it may have changed
/// before, between two packets of the discovery or behind it, and have told nobody.
struct TableCheck: Sendable {
  /// How often the peer may change meanwhile.
  static let mostRounds = 3

  /// Whether the peer has a hash that shows it; without one all is discovered once more.
  let isByHash: Bool
  /// The hash that the peer showed with the services, if they were not discovered.
  var expected: DatabaseHash?
  /// The hash that it showed last, which is not that of the services.
  var shown: DatabaseHash?
  /// What was discovered since.
  var found: [RemoteService]?
  var rounds = 0
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
    housekeeping = Housekeeping(due: now.advanced(by: Housekeeping.patience), hash: hash)
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
    // Behind the wish to be told of changes, so that no change falls between the two. And before the server is told to be
    // strict: it then knows that the client is up to date.
    if Self.own(.databaseHash, in: services) != nil {
      check = TableCheck(isByHash: true, expected: work.hash)
      enqueue(ClientOperation(.housekeeping, .readHash), now: now, &outputs)
    } else {
      lookAgain(now: now, &outputs)
    }
    if let features = Self.own(.clientSupportedFeatures, in: services),
      features.properties.contains(.write)
    {
      let write = WriteProcedure(handle: features.handle, value: [ClientFeatures.ours.rawValue])
      enqueue(ClientOperation(.housekeeping, .write(write)), now: now, &outputs)
    }
  }

  // MARK: Whether the services are what they were

  mutating func finishHousekeeping(
    _ operation: ClientOperation,
    _ outcome: ClientOutcome,
    now: RadioInstant,
    _ outputs: inout [LinkOutput]
  ) {
    switch (operation.procedure, outcome) {
    case (.readHash, .value(let bytes)): compare(DatabaseHash(bytes), now: now, &outputs)
    case (.discover, .services(let services)):
      guard let check else { return }
      guard check.isByHash else { return takeAgain(services, now: now, &outputs) }
      self.check?.found = services
      enqueue(ClientOperation(.housekeeping, .readHash), now: now, &outputs)
    case (.discover, .failure):
      guard check != nil else { return }
      forgetServices(0x0001...0xFFFF, now: now, &outputs)
    case (.readHash, .failure):
      guard check.take()?.found == nil else { return }
      // One that is not shown shows nothing.
      lookAgain(trustingHash: false, now: now, &outputs)
    default: break
    }
  }

  /// Whether the peer has agreed to tell of changes.
  var isWatching: Bool {
    guard let serviceChanged else { return false }
    return subscriptions.contains { $0.characteristic == serviceChanged && $0.state == .on && !$0.isStale }
  }

  /// Discovers all once more, behind all that waits, if the services of a peer without a hash may have changed before it
  /// had agreed to tell of that.
  mutating func lookAgain(trustingHash: Bool = true, now: RadioInstant, _ outputs: inout [LinkOutput]) {
    guard isUnwatched, isWatching, check == nil, ended == nil, let table else { return }
    guard !trustingHash || Self.own(.databaseHash, in: table) == nil else { return }
    guard changesSeen <= TableCheck.mostRounds else {
      changesSeen = 0
      return forgetServices(0x0001...0xFFFF, now: now, &outputs)
    }
    check = TableCheck(isByHash: false)
    enqueue(ClientOperation(.housekeeping, .discover(DiscoveryProcedure())), now: now, &outputs)
  }

  /// These are the services now that the peer tells of changes.
  private mutating func takeAgain(_ services: [RemoteService], now: RadioInstant, _ outputs: inout [LinkOutput]) {
    check = nil
    guard let table, services != table else {
      changesSeen = 0
      return
    }
    changesSeen += 1
    forgetServices(Self.difference(table, services), now: now, &outputs)
    adopt(services, hash: nil, now: now, &outputs)
  }

  private mutating func compare(_ hash: DatabaseHash?, now: RadioInstant, _ outputs: inout [LinkOutput]) {
    guard var check = check.take(), let hash, let table else { return }
    let services = check.found ?? table
    let isOfServices = hash.isOf(services)
    let isExpected = check.found == nil && hash == check.expected
    // Some peers make their hash in another way. What was discovered between two times of the same one holds, but is not
    // worth to be remembered: whether that hash changes with the services is not known.
    if isOfServices || isExpected || check.found != nil && hash == check.shown {
      if services != table {
        forgetServices(Self.difference(table, services), now: now, &outputs)
        return adopt(services, hash: isOfServices ? hash : nil, now: now, &outputs)
      }
      if isOfServices || isExpected {
        outputs.append(.databaseKnown(RememberedDatabase(services: services, hash: hash)))
      }
      return
    }
    check.shown = hash
    check.rounds += 1
    guard check.rounds <= TableCheck.mostRounds else { return forgetServices(0x0001...0xFFFF, now: now, &outputs) }
    self.check = check
    enqueue(ClientOperation(.housekeeping, .discover(DiscoveryProcedure())), now: now, &outputs)
  }

  /// The handles of the services that are not in both.
  private static func difference(_ old: [RemoteService], _ new: [RemoteService]) -> ClosedRange<UInt16> {
    let changed = Set(old).symmetricDifference(new)
    let first = changed.map(\.handle.rawValue).min() ?? 0x0001
    let last = changed.map { max($0.handle, $0.endHandle).rawValue }.max() ?? 0xFFFF
    return first...max(first, last)
  }
}
