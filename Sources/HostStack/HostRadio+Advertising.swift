import BluetoothTypes
import RadioPort

// What several owners advertise: by legacy packets all together, by extended ones each in a set of its own.

extension HostRadio {
  /// What the owners advertise.
  struct Advertising: Sendable {
    /// A request in the advertising set that it belongs to; that of legacy packets is shared.
    struct Placed: Sendable {
      let request: AdvertisingRequest
      let set: UInt8
    }

    /// What one of the owners wants.
    struct Entry: Sendable {
      let server: ServerID
      var wish: Placed
      /// What is on the air until the wish is, and goes on if that is refused.
      var before: Placed?
      /// Who waits for the wish to be on the air; gone once it was called.
      var completion: (@Sendable (Result<Void, RadioFailure>) -> Void)?

      /// What it has in a set.
      func request(in set: UInt8) -> AdvertisingRequest? {
        if wish.set == set { return wish.request }
        return before?.set == set ? before?.request : nil
      }

      var sets: Set<UInt8> { Set([wish.set] + (before.map { [$0.set] } ?? [])) }
    }

    /// The set of legacy packets.
    static let sharedSet: UInt8 = 0

    /// In the order in which they were started.
    var entries: [Entry] = []
    /// What the host was told last, for each set that advertises.
    var current: [UInt8: AdvertisingConfiguration] = [:]
    /// What of that was on the air last.
    var standing: [UInt8: AdvertisingConfiguration] = [:]
    /// Who waits for something to be off the air, and of which sets.
    var stops: [(sets: Set<UInt8>, stop: @Sendable () -> Void)] = []

    /// What is in a set for all owners.
    func requests(in set: UInt8) -> [AdvertisingRequest] { entries.compactMap { $0.request(in: set) } }

    /// Who waits for a wish in a set.
    func waiting(in set: UInt8) -> [Entry] { entries.filter { $0.wish.set == set && $0.completion != nil } }
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
    let isSettled = serving.advertising.waiting(in: set).isEmpty
    let replaced = serving.advertising.entries.first { $0.server == server }
    let entry = Advertising.Entry(
      server: server,
      wish: Advertising.Placed(request: request, set: set),
      before: replaced.flatMap { $0.completion == nil ? $0.wish : $0.before },
      completion: completion
    )
    if let place = serving.advertising.entries.firstIndex(where: { $0.server == server }) {
      serving.advertising.entries[place] = entry
    } else {
      serving.advertising.entries.append(entry)
    }
    nameDevice()
    replaced?.completion?(.failure(Self.givenUp))
    // Where a start that was given up has nothing on the air, nothing is left.
    if let replaced, replaced.completion != nil, replaced.wish.set != set { renew(replaced.wish.set) }
    if configuration == serving.advertising.current[set], isSettled { return advertisingStarted(set) }
    serving.advertising.current[set] = configuration
    host.startAdvertising(configuration, set: set, now: executor.now)
    deliver()
  }

  /// Who connects reads the name that it has heard.
  private func nameDevice() {
    if let name = serving.advertising.entries.compactMap(\.wish.request.name).last { host.setDeviceName(name) }
  }

  /// In which set a request is to be advertised, and with what else.
  private func plan(
    _ request: AdvertisingRequest,
    _ server: ServerID
  ) throws(RadioFailure) -> (UInt8, AdvertisingConfiguration) {
    let others = serving.advertising.entries.filter { $0.server != server }
    let shared = Advertising.sharedSet
    guard case .extended = request.format else {
      guard others.compactMap({ $0.request(in: shared) }).allSatisfy({ $0.format == .legacy }) else { throw Self.noSet }
      // In its place, so that what goes on after a refusal is what was there.
      var together = serving.advertising.entries.compactMap { $0.server == server ? request : $0.request(in: shared) }
      if others.count == serving.advertising.entries.count { together.append(request) }
      let configuration = try AdvertisingMerger.configuration(for: together)
      if let obstacle = configuration.obstacle(host.info) { throw obstacle }
      return (shared, configuration)
    }
    guard host.info.hasExtendedAdvertising else { throw AdvertisingConfiguration.notExtended }
    let taken = others.reduce(into: Set<UInt8>()) { $0.formUnion($1.sets) }
    let count = UInt8(clamping: host.info.advertisingSets)
    let own = serving.advertising.entries.first { $0.server == server }.map(\.wish.set)
    // A set of its own, and that of legacy packets only if there is no other.
    let free = own.flatMap { $0 == shared ? nil : $0 } ?? (1..<max(1, count)).first { !taken.contains($0) }
    guard let set = free ?? (taken.contains(shared) ? nil : shared) else { throw Self.noSet }
    let configuration = try AdvertisingMerger.extended(request, host.info)
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
    serving.advertising.stops.append((removed.sets, completion))
    removed.completion?(.failure(Self.givenUp))
    for set in removed.sets.sorted() { renew(set) }
  }

  /// Has a set advertise what is left of it.
  private func renew(_ set: UInt8) {
    let rest = serving.advertising.requests(in: set)
    guard let configuration = configuration(for: rest) else {
      guard serving.advertising.current.removeValue(forKey: set) != nil else { return finishStops(set) }
      serving.advertising.standing[set] = nil
      host.stopAdvertising(set: set, now: executor.now)
      return deliver()
    }
    guard configuration != serving.advertising.current[set] else { return finishStops(set) }
    serving.advertising.current[set] = configuration
    host.startAdvertising(configuration, set: set, now: executor.now)
    deliver()
  }

  /// What went together with more goes together with less.
  private func configuration(for requests: [AdvertisingRequest]) -> AdvertisingConfiguration? {
    guard let first = requests.first else { return nil }
    guard case .extended = first.format else { return try? AdvertisingMerger.configuration(for: requests) }
    return try? AdvertisingMerger.extended(first, host.info)
  }

  private static let givenUp = RadioFailure(
    .invalidArgument,
    reason: "the start of advertising was given up: it was stopped, or a later start took its place"
  )

  private func finishStops(_ set: UInt8) {
    for index in serving.advertising.stops.indices { serving.advertising.stops[index].sets.remove(set) }
    let done = serving.advertising.stops.filter(\.sets.isEmpty)
    serving.advertising.stops.removeAll(where: \.sets.isEmpty)
    for stop in done { stop.stop() }
  }

  // MARK: What the host tells

  func advertisingStarted(_ set: UInt8) {
    serving.advertising.standing[set] = serving.advertising.current[set]
    let waiting = serving.advertising.waiting(in: set)
    for index in serving.advertising.entries.indices where serving.advertising.entries[index].wish.set == set {
      serving.advertising.entries[index].completion = nil
      serving.advertising.entries[index].before = nil
    }
    finishStops(set)
    for entry in waiting { entry.completion?(.success(())) }
    // What was in another set goes now that this is there.
    for left in Set(waiting.compactMap(\.before?.set)).subtracting([set]).sorted() { renew(left) }
  }

  /// What was to be advertised is refused; what was advertised before goes on.
  func advertisingRefused(_ set: UInt8, _ failure: RadioFailure) {
    serving.advertising.current[set] = serving.advertising.standing[set]
    let waiting = takeBack(in: set)
    nameDevice()
    renew(set)
    for completion in waiting { completion(.failure(failure)) }
  }

  /// Those who wait for a wish in a set have what they had before; gives who is to be told.
  private func takeBack(in set: UInt8) -> [@Sendable (Result<Void, RadioFailure>) -> Void] {
    let waiting = serving.advertising.waiting(in: set).compactMap(\.completion)
    for index in serving.advertising.entries.indices.reversed() {
      let entry = serving.advertising.entries[index]
      guard entry.wish.set == set, entry.completion != nil else { continue }
      guard let before = entry.before else {
        serving.advertising.entries.remove(at: index)
        continue
      }
      serving.advertising.entries[index] = Advertising.Entry(server: entry.server, wish: before)
    }
    return waiting
  }

  func advertisingStopped(_ set: UInt8, _ failure: RadioFailure?) {
    if let failure {
      serving.advertising.current[set] = nil
      serving.advertising.standing[set] = nil
      let waiting = takeBack(in: set)
      // What was on the air in this set is no more, for whomever it was.
      let lost = serving.advertising.entries.filter { $0.request(in: set) != nil }
      serving.advertising.entries.removeAll { $0.wish.set == set }
      for index in serving.advertising.entries.indices where serving.advertising.entries[index].before?.set == set {
        serving.advertising.entries[index].before = nil
      }
      nameDevice()
      for completion in waiting { completion(.failure(failure)) }
      for entry in lost { serving.servers[entry.server]?.events(.advertisingEnded(failure)) }
    }
    finishStops(set)
  }
}
