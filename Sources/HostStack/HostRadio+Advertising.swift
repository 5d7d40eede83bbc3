import BluetoothTypes
import RadioPort

// What several owners advertise: by legacy packets all together, by extended ones each in a set of its own.

extension HostRadio {
  /// What the owners advertise.
  struct Advertising: Sendable {
    /// What one of them wants.
    struct Entry: Sendable {
      let server: ServerID
      let request: AdvertisingRequest
      /// The advertising set; that of legacy packets is shared.
      let set: UInt8
      /// Who waits for it to be on the air; gone once it was called.
      var completion: (@Sendable (Result<Void, RadioFailure>) -> Void)?
    }

    /// The set of legacy packets.
    static let sharedSet: UInt8 = 0

    /// In the order in which they were started.
    var entries: [Entry] = []
    /// What the host was told last, for each set that advertises.
    var current: [UInt8: AdvertisingConfiguration] = [:]
    /// Who waits for something to be off the air.
    var stops: [(set: UInt8, stop: @Sendable () -> Void)] = []
  }

  /// Advertises until told otherwise; see ``PeripheralRadio``.
  public func startAdvertising(
    _ request: AdvertisingRequest,
    by server: ServerID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) {
    guard host.phase == .on else { return completion(.failure(host.offFailure)) }
    guard serving.servers[server] != nil else {
      return completion(.failure(RadioFailure(.invalidArgument, reason: "the server was closed: open a new one")))
    }
    let set: UInt8
    let configuration: AdvertisingConfiguration
    do throws(RadioFailure) {
      (set, configuration) = try plan(request, server)
    } catch {
      return completion(.failure(error))
    }
    let before = serving.advertising
    let replaced = before.entries.first { $0.server == server }
    serving.advertising.entries.removeAll { $0.server == server }
    serving.advertising.entries.append(
      Advertising.Entry(server: server, request: request, set: set, completion: completion)
    )
    // Who connects reads the name that it has heard.
    if let name = serving.advertising.entries.compactMap(\.request.name).last { host.setDeviceName(name) }
    replaced?.completion?(.failure(Self.givenUp))
    if let replaced, replaced.set != set { renew(replaced.set) }
    let isSettled = before.entries.allSatisfy { $0.set != set || $0.completion == nil }
    if configuration == before.current[set], isSettled { return advertisingStarted(set) }
    serving.advertising.current[set] = configuration
    host.startAdvertising(configuration, set: set, now: executor.now)
    deliver()
  }

  /// In which set a request is to be advertised, and with what else.
  private func plan(
    _ request: AdvertisingRequest,
    _ server: ServerID
  ) throws(RadioFailure) -> (UInt8, AdvertisingConfiguration) {
    let others = serving.advertising.entries.filter { $0.server != server }
    let shared = Advertising.sharedSet
    guard case .extended = request.format else {
      let together = others.filter { $0.set == shared }
      guard together.allSatisfy({ $0.request.format == .legacy }) else { throw Self.noSet }
      return (shared, try AdvertisingMerger.configuration(for: together.map(\.request) + [request]))
    }
    guard host.info.hasExtendedAdvertising else { throw AdvertisingConfiguration.notExtended }
    let taken = others.map(\.set)
    let count = UInt8(clamping: host.info.advertisingSets)
    let own = serving.advertising.entries.first { $0.server == server }.map(\.set)
    // A set of its own, and that of legacy packets only if there is no other.
    let free = own.flatMap { $0 == shared ? nil : $0 } ?? (1..<max(1, count)).first { !taken.contains($0) }
    guard let set = free ?? (taken.contains(shared) ? nil : shared) else { throw Self.noSet }
    let capacity = host.info.extendedCapacity(isConnectable: request.isConnectable)
    let configuration = try AdvertisingMerger.extended(request, capacity: max(31, capacity))
    if let obstacle = configuration.obstacle(host.info) { throw obstacle }
    return (set, configuration)
  }

  private static let noSet = RadioFailure(
    .busy,
    reason: "all advertising sets of the controller are in use: stop another one first"
  )

  /// Stops what the owner advertises; see ``PeripheralRadio``.
  public func stopAdvertising(by server: ServerID, completion: @escaping @Sendable () -> Void) {
    guard let index = serving.advertising.entries.firstIndex(where: { $0.server == server }) else {
      return completion()
    }
    let removed = serving.advertising.entries.remove(at: index)
    serving.advertising.stops.append((removed.set, completion))
    removed.completion?(.failure(Self.givenUp))
    renew(removed.set)
  }

  /// Has a set advertise what is left of it.
  private func renew(_ set: UInt8) {
    // What goes together with more goes together with less.
    let rest = serving.advertising.entries.filter { $0.set == set }.map(\.request)
    let configuration = rest.isEmpty ? nil : try? AdvertisingMerger.configuration(for: rest)
    guard configuration != serving.advertising.current[set] else { return finishStops(set) }
    serving.advertising.current[set] = configuration
    if let configuration {
      host.startAdvertising(configuration, set: set, now: executor.now)
    } else {
      host.stopAdvertising(set: set, now: executor.now)
    }
    deliver()
  }

  private static let givenUp = RadioFailure(
    .invalidArgument,
    reason: "the start of advertising was given up: it was stopped, or a later start took its place"
  )

  private func finishStops(_ set: UInt8) {
    let stops = serving.advertising.stops.filter { $0.set == set }
    serving.advertising.stops.removeAll { $0.set == set }
    for stop in stops { stop.stop() }
  }

  // MARK: What the host tells

  func advertisingStarted(_ set: UInt8) {
    let waiting = serving.advertising.entries.filter { $0.set == set }.compactMap(\.completion)
    for index in serving.advertising.entries.indices where serving.advertising.entries[index].set == set {
      serving.advertising.entries[index].completion = nil
    }
    finishStops(set)
    for completion in waiting { completion(.success(())) }
  }

  func advertisingStopped(_ set: UInt8, _ failure: RadioFailure?) {
    if let failure {
      let entries = serving.advertising.entries.filter { $0.set == set }
      serving.advertising.entries.removeAll { $0.set == set }
      serving.advertising.current[set] = nil
      for entry in entries {
        if let completion = entry.completion {
          completion(.failure(failure))
        } else {
          serving.servers[entry.server]?.events(.advertisingEnded(failure))
        }
      }
    }
    finishStops(set)
  }
}
