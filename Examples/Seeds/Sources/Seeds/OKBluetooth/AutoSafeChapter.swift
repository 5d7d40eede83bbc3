import Halcyon

// Chapter "auto-safe": arm and disarm by distance.
extension OKBluetooth {
  // readme: begin
  /// Within 2 m the scooter is disarmed; beyond 5 m it is armed, while it is still connected, unless it was started with
  /// one key. The distance comes from the signal, which is -50 dBm at one metre.
  static func lock(for scooter: Peripheral, isStarted: @escaping @Sendable () -> Bool = { false }) -> ProximityLock {
    let zones = ProximityConfiguration(pathLoss: PathLoss(powerAtOneMeter: -50), near: 2, far: 5)
    return ProximityLock(scooter, by: .signal(zones), arm: LockCommand.arm, disarm: .disarm, to: .command) { command in
      command == .disarm || !isStarted()
    }
  }
  // readme: end

  // readme: begin
  /// The same, where the scooter measures the distance to its key and tells it.
  static func lockByKey(for scooter: Peripheral) -> ProximityLock {
    let zones = ProximityConfiguration(pathLoss: PathLoss(powerAtOneMeter: -50))
    let told = ProximityLock.Mode.distance(from: .keyDistance, zones) { Double($0) / 100 }
    return ProximityLock(scooter, by: told, arm: LockCommand.arm, disarm: .disarm, to: .command)
  }
  // readme: end

  // readme: begin
  /// The same, where the scooter goes by the connection: it arms itself when that is gone.
  static func lockByLink(for scooter: Peripheral) -> ProximityLock {
    ProximityLock(scooter, by: .link, arm: LockCommand.arm, disarm: .disarm, to: .command)
  }
  // readme: end

  /// Runs a lock while its user walks.
  ///
  /// - Returns: The commands that were carried out.
  static func followUser(
    _ scooter: Peripheral,
    while walk: () async throws -> Void
  ) async throws -> [ProximityLock.Command] {
    let lock = lock(for: scooter)
    let noting = Task {
      var done: [ProximityLock.Command] = []
      for await event in lock.events {
        if case .done(let command) = event { done.append(command) }
      }
      return done
    }
    let locking = Task { try await lock.run() }
    try await walk()
    locking.cancel()
    noting.cancel()
    return await noting.value
  }
}
