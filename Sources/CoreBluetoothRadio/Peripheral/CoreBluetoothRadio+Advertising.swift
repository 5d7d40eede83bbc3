#if !os(tvOS) && !os(watchOS)
  import BluetoothTypes
  import CoreBluetooth
  import RadioPort

  // What several owners advertise, in the one advertisement of the framework.

  extension Serving {
    /// What the owners advertise.
    struct Advertising {
      /// What one of them wants.
      struct Entry {
        let server: ServerID
        let request: AdvertisingRequest
        /// What is on the air until the request is, and goes on if that is refused.
        var before: AdvertisingRequest?
        /// Who waits for it to be on the air; gone once it was called.
        var completion: (@Sendable (Result<Void, RadioFailure>) -> Void)?
      }

      /// In the order in which they were started.
      var entries: [Entry] = []
      /// What the framework was told last; `nil` for nothing.
      var current: FrameworkAdvertisement?
      /// Whether the framework has not answered yet. Until then it is told nothing else, as its answer names no start.
      var isStarting = false
      /// Who waits for something to be off the air.
      var stops: [@Sendable () -> Void] = []

      /// What all of them together want.
      var wanted: FrameworkAdvertisement? {
        guard !entries.isEmpty, let request = try? AdvertisingRequest.combined(entries.map(\.request)) else {
          return nil
        }
        return FrameworkAdvertisement(name: request.name, services: request.services)
      }
    }
  }

  /// What the framework can advertise.
  struct FrameworkAdvertisement: Equatable {
    var name: String?
    var services: [BluetoothUUID]

    /// What the framework has room for, in bytes with the heads of the structures; flags are not counted.
    private static let room = 28
    /// What there is for the name alone if it finds no room there.
    private static let roomOfName = 10

    /// Whether the framework leaves nothing out.
    var fits: Bool {
      let lists = ADStructure.serviceLists(services).reduce(0) { $0 + $1.encodedCount }
      let name = name.map { ADStructure.completeLocalName($0).encodedCount } ?? 0
      return lists + name <= Self.room || lists <= Self.room && name - 2 <= Self.roomOfName
    }

    var dictionary: [String: Any] {
      var dictionary: [String: Any] = [:]
      if let name { dictionary[CBAdvertisementDataLocalNameKey] = name }
      if !services.isEmpty { dictionary[CBAdvertisementDataServiceUUIDsKey] = services.map(\.object) }
      return dictionary
    }
  }

  extension AdvertisingRequest {
    /// Why the framework can not advertise this; `nil` if it can.
    fileprivate var obstacle: RadioFailure? {
      if let structure = more.first {
        return RadioFailure(
          .unsupported,
          reason: "this system advertises a name and services only: leave \(structure.type.name) out"
        )
      }
      guard format == .legacy else {
        return RadioFailure(.unsupported, reason: "this system does not let one advertise by extended packets")
      }
      guard isConnectable else {
        return RadioFailure(.unsupported, reason: "this system always lets centrals connect to what it advertises")
      }
      guard overflow == .shorten || FrameworkAdvertisement(name: name, services: services).fits else {
        return RadioFailure(
          .tooLong,
          reason: "this system advertises 28 bytes of services and name, or 28 of services and 10 of the name, and "
            + "\(name.map { "the name \($0)" } ?? "no name") with \(counted(services.count, "service")) takes more; shorten the "
            + "name, or leave something out"
        )
      }
      return nil
    }
  }

  extension CoreBluetoothRadio {
    package func startAdvertising(
      _ request: AdvertisingRequest,
      by server: ServerID,
      completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
    ) {
      if let failure = failure(of: server) ?? request.obstacle { return completion(.failure(failure)) }
      let others = serving.advertising.entries.filter { $0.server != server }
      do throws(RadioFailure) {
        let all = try AdvertisingRequest.combined(others.map(\.request) + [request])
        if let failure = all.obstacle { throw failure }
      } catch {
        return completion(.failure(error))
      }
      let replaced = serving.advertising.entries.first { $0.server == server }
      let entry = Serving.Advertising.Entry(
        server: server,
        request: request,
        before: replaced.flatMap { $0.completion == nil ? $0.request : $0.before },
        completion: completion
      )
      serving.advertising.entries = others + [entry]
      replaced?.completion?(.failure(Self.givenUp))
      applyAdvertising()
    }

    package func stopAdvertising(by server: ServerID, completion: @escaping @Sendable () -> Void) {
      guard let index = serving.advertising.entries.firstIndex(where: { $0.server == server }) else {
        return completion()
      }
      let removed = serving.advertising.entries.remove(at: index)
      serving.advertising.stops.append(completion)
      removed.completion?(.failure(Self.givenUp))
      applyAdvertising()
    }

    private static let givenUp = RadioFailure(
      .invalidArgument,
      reason: "the start of advertising was given up: it was stopped, or a later start took its place"
    )

    /// Tells the framework what is wanted now, if that is something else than before.
    func applyAdvertising() {
      guard peripheralManager.state == .poweredOn, !serving.advertising.isStarting else {
        // Nothing is on the air, and nothing will be.
        if serving.advertising.entries.isEmpty, !serving.advertising.isStarting { settleAdvertising() }
        return
      }
      let wanted = serving.advertising.wanted
      guard wanted != serving.advertising.current else { return settleAdvertising() }
      if serving.advertising.current != nil { peripheralManager.stopAdvertising() }
      serving.advertising.current = wanted
      guard let wanted else { return settleAdvertising() }
      serving.advertising.isStarting = true
      peripheralManager.startAdvertising(wanted.dictionary)
    }

    /// What is on the air is what is wanted.
    private func settleAdvertising() {
      let waiting = serving.advertising.entries.compactMap(\.completion)
      for index in serving.advertising.entries.indices {
        serving.advertising.entries[index].completion = nil
        serving.advertising.entries[index].before = nil
      }
      finishStops()
      for completion in waiting { completion(.success(())) }
    }

    private func finishStops() {
      let stops = serving.advertising.stops
      serving.advertising.stops = []
      for stop in stops { stop() }
    }

    func advertisingStarted(_ error: (any Error)?) {
      guard serving.advertising.isStarting else { return }
      serving.advertising.isStarting = false
      if let error {
        let refused = serving.advertising.current
        serving.advertising.current = nil
        if serving.advertising.wanted == refused {
          return advertisingRefused(serverFailure(error, "this system refuses to advertise"))
        }
      }
      applyAdvertising()
    }

    /// What was wanted last is refused: what was there before goes on, if there was something.
    private func advertisingRefused(_ failure: RadioFailure) {
      let waiting = serving.advertising.entries.compactMap(\.completion)
      guard !waiting.isEmpty else { return advertisingLost(failure) }
      serving.advertising.entries = serving.advertising.entries.compactMap { entry in
        guard entry.completion != nil else { return entry }
        return entry.before.map { Serving.Advertising.Entry(server: entry.server, request: $0) }
      }
      for completion in waiting { completion(.failure(failure)) }
      applyAdvertising()
      if serving.advertising.entries.isEmpty { finishStops() }
    }

    /// Nothing is advertised any more, for any owner.
    func advertisingLost(_ failure: RadioFailure) {
      let entries = serving.advertising.entries
      serving.advertising.entries = []
      serving.advertising.current = nil
      serving.advertising.isStarting = false
      for entry in entries {
        if let completion = entry.completion {
          completion(.failure(failure))
        } else {
          tell(entry.server, .advertisingEnded(failure))
        }
      }
      finishStops()
    }
  }
#endif
