import BluetoothTypes
import RadioPort

// What several owners advertise, in the one advertisement of the controller.

extension HostRadio {
  /// What the owners advertise.
  struct Advertising: Sendable {
    /// What one of them wants.
    struct Entry: Sendable {
      let server: ServerID
      let request: AdvertisingRequest
      /// Who waits for it to be on the air; gone once it was called.
      var completion: (@Sendable (Result<Void, RadioFailure>) -> Void)?
    }

    /// In the order in which they were started.
    var entries: [Entry] = []
    /// What the host was told last; `nil` for nothing.
    var current: AdvertisingConfiguration?
    /// Who waits for something to be off the air.
    var stops: [@Sendable () -> Void] = []
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
    let others = serving.advertising.entries.filter { $0.server != server }
    let configuration: AdvertisingConfiguration
    do throws(RadioFailure) {
      configuration = try AdvertisingMerger.configuration(for: others.map(\.request) + [request])
    } catch {
      return completion(.failure(error))
    }
    let before = serving.advertising
    let replaced = before.entries.first { $0.server == server }?.completion
    let entry = Advertising.Entry(server: server, request: request, completion: completion)
    serving.advertising.entries = others + [entry]
    serving.advertising.current = configuration
    replaced?(.failure(Self.givenUp))
    if configuration == before.current, before.entries.allSatisfy({ $0.completion == nil }) {
      return advertisingStarted()
    }
    host.startAdvertising(configuration, now: executor.now)
    deliver()
  }

  /// Stops what the owner advertises; see ``PeripheralRadio``.
  public func stopAdvertising(by server: ServerID, completion: @escaping @Sendable () -> Void) {
    guard let index = serving.advertising.entries.firstIndex(where: { $0.server == server }) else {
      return completion()
    }
    let removed = serving.advertising.entries.remove(at: index)
    serving.advertising.stops.append(completion)
    removed.completion?(.failure(Self.givenUp))
    // What goes together with more goes together with less.
    let rest = serving.advertising.entries.map(\.request)
    let configuration = rest.isEmpty ? nil : try? AdvertisingMerger.configuration(for: rest)
    guard configuration != serving.advertising.current else { return finishStops() }
    serving.advertising.current = configuration
    if let configuration {
      host.startAdvertising(configuration, now: executor.now)
    } else {
      host.stopAdvertising(now: executor.now)
    }
    deliver()
  }

  private static let givenUp = RadioFailure(
    .invalidArgument,
    reason: "the start of advertising was given up: it was stopped, or a later start took its place"
  )

  private func finishStops() {
    let stops = serving.advertising.stops
    serving.advertising.stops = []
    for stop in stops { stop() }
  }

  // MARK: What the host tells

  func advertisingStarted() {
    let waiting = serving.advertising.entries.compactMap(\.completion)
    for index in serving.advertising.entries.indices { serving.advertising.entries[index].completion = nil }
    finishStops()
    for completion in waiting { completion(.success(())) }
  }

  func advertisingStopped(_ failure: RadioFailure?) {
    if let failure {
      let entries = serving.advertising.entries
      serving.advertising.entries = []
      serving.advertising.current = nil
      for entry in entries {
        if let completion = entry.completion {
          completion(.failure(failure))
        } else {
          serving.servers[entry.server]?.events(.advertisingEnded(failure))
        }
      }
    }
    finishStops()
  }
}
