#if !os(tvOS) && !os(watchOS)
  import BluetoothTypes
  import CoreBluetooth
  import RadioPort

  // Owners and what they publish.

  extension CoreBluetoothRadio {
    /// The framework's manager, made when the first owner comes.
    var peripheralManager: CBPeripheralManager {
      if let manager = serving.manager { return manager }
      let delegate = PeripheralEvents(self)
      let manager = CBPeripheralManager(delegate: delegate, queue: queue, options: options)
      serving.delegate = delegate
      serving.manager = manager
      return manager
    }

    /// What the manager of the peripheral role says, if there is one.
    var serverState: CBManagerState? { serving.manager?.state }

    /// Why nothing can be served; `nil` while all can, and until the state is known.
    var serverFailure: RadioFailure? {
      let state = peripheralManager.state
      return state == .unknown ? nil : failure(of: state)
    }

    /// Why the owner can not do anything.
    func failure(of server: ServerID) -> RadioFailure? {
      if let failure = serverFailure { return failure }
      return serving.servers[server] == nil ? Self.closed : nil
    }

    private static let closed = RadioFailure(.invalidArgument, reason: "the server was closed: open a new one")

    static func notOwned(_ handle: AttributeHandle) -> RadioFailure {
      RadioFailure(.invalidArgument, reason: "the owner has nothing of this kind at \(handle)")
    }

    func tell(_ server: ServerID, _ event: ServerEvent) { serving.servers[server]?.events(event) }

    func tellServers(_ event: ServerEvent) {
      for server in serving.sortedServers { tell(server, event) }
    }

    // MARK: Owners

    package func openServer(events: @escaping @Sendable (ServerEvent) -> Void) -> ServerID {
      let id = ServerID(rawValue: next())
      serving.servers[id] = Serving.Server(events: events)
      _ = peripheralManager
      return id
    }

    package func closeServer(_ server: ServerID, completion: @escaping @Sendable () -> Void) {
      guard serving.servers.removeValue(forKey: server) != nil else { return completion() }
      refuseRequests { $0.server == server }
      for publication in serving.publications.reversed() where publication.server == server {
        takeOut(publication)
        publication.finish(.failure(Self.closed))
      }
      stopAdvertising(by: server, completion: completion)
    }

    // MARK: Services

    package func publish(
      _ service: ServiceDefinition,
      by server: ServerID,
      completion: @escaping @Sendable (Result<PublishedService, RadioFailure>) -> Void
    ) {
      if let failure = failure(of: server) ?? service.obstacle { return completion(.failure(failure)) }
      for include in service.includes where !serving.publications.contains(where: { $0.isKnown(as: include) }) {
        return completion(
          .failure(
            RadioFailure(
              .invalidArgument,
              reason:
                "the service \(service.uuid) includes the one at \(include), which is not published: publish it first"
            )
          )
        )
      }
      guard let handles = serving.handles.reserve(Publication.handleCount(of: service)) else {
        return completion(
          .failure(RadioFailure(.busy, reason: "no handles are left for the service \(service.uuid): withdraw others"))
        )
      }
      let publication = Publication(service, handles: handles, server: server, completion: completion)
      serving.publications.append(publication)
      for characteristic in publication.characteristics {
        serving.characteristics[characteristic.handle] = characteristic
      }
      addNext()
    }

    /// Tells the framework of the next service.
    private func addNext() {
      guard serving.adding == nil, peripheralManager.state == .poweredOn,
        let publication = serving.publications.first(where: { $0.phase == .waiting })
      else { return }
      for characteristic in publication.characteristics { forget(characteristic.object) }
      let included = publication.includes.compactMap { include in
        serving.publications.first { $0.place.handle == include && $0.phase == .published }?.service
      }
      let service = publication.renew(including: included)
      for characteristic in publication.characteristics {
        serving.objects[ObjectIdentifier(characteristic.object)] = characteristic
      }
      publication.phase = .adding
      serving.adding = service
      peripheralManager.add(service)
    }

    func added(_ service: CBService, _ error: (any Error)?) {
      guard let adding = serving.adding, adding === service else { return }
      serving.adding = nil
      if let publication = serving.publications.first(where: { $0.service === adding }) {
        finish(publication, error)
      } else if error == nil {
        // It was withdrawn meanwhile.
        peripheralManager.remove(adding)
      }
      addNext()
    }

    private func finish(_ publication: Publication, _ error: (any Error)?) {
      guard error != nil else {
        publication.phase = .published
        return publication.finish(.success(publication.place))
      }
      publication.phase = .lost
      guard publication.completion != nil else { return }
      takeOut(publication)
      publication.finish(.failure(serverFailure(error, "the service \(publication.uuid) could not be published")))
    }

    /// What the framework's error means, which tells that the radio is off as if a link was missing.
    func serverFailure(_ error: (any Error)?, _ what: String) -> RadioFailure {
      let failure = RadioFailure(error, otherwise: .controller, what)
      guard failure.kind == .disconnected else { return failure }
      return RadioFailure(.poweredOff, underlying: failure.underlying, reason: failure.reason)
    }

    package func withdraw(
      _ service: AttributeHandle,
      by server: ServerID,
      completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
    ) {
      guard let publication = serving.publications.first(where: { $0.server == server && $0.isKnown(as: service) })
      else { return completion(.failure(Self.notOwned(service))) }
      takeOut(publication)
      completion(.success(()))
    }

    /// Lets go of a service and of all that goes on with it.
    private func takeOut(_ publication: Publication) {
      serving.publications.removeAll { $0 === publication }
      serving.handles.release(publication.handles)
      for other in serving.publications { other.includes.removeAll { $0 == publication.place.handle } }
      for characteristic in publication.characteristics {
        serving.characteristics[characteristic.handle] = nil
        forget(characteristic.object)
      }
      refuseRequests { $0.attributes.contains(where: publication.contains) }
      if publication.phase == .published, peripheralManager.state == .poweredOn {
        peripheralManager.remove(publication.service)
      }
      for characteristic in publication.characteristics {
        for link in characteristic.subscribers { subscriptionEnded(characteristic, link) }
      }
    }

    private func forget(_ object: CBMutableCharacteristic) { serving.objects[ObjectIdentifier(object)] = nil }

    package func setValue(_ value: [UInt8], of attribute: AttributeHandle, by server: ServerID) throws(RadioFailure) {
      if let characteristic = serving.characteristics[attribute], characteristic.server == server,
        characteristic.stored != nil
      {
        guard value.count <= 512 else { throw .tooLong(value.count, characteristic.definition.uuid) }
        characteristic.stored = value
        for central in serving.centrals.values where central.longRead?.handle == attribute { central.longRead = nil }
        return
      }
      let place = serving.publications.first { $0.server == server && $0.contains(attribute) }?.place
      if place?.characteristics.contains(where: { $0.descriptors.contains(attribute) }) == true {
        throw RadioFailure(.unsupported, reason: "this system does not change the value of a published descriptor")
      }
      throw Self.notOwned(attribute)
    }

    // MARK: Power

    func serverStateChanged() {
      switch peripheralManager.state {
      case .unknown: break
      case .poweredOn:
        // Some systems have kept what there was, others have not: all are told anew.
        if serving.wasOn {
          peripheralManager.stopAdvertising()
          peripheralManager.removeAllServices()
        }
        serving.wasOn = true
        addNext()
        applyAdvertising()
        listenAgain()
      default: serverWentOff(failure(of: peripheralManager.state) ?? Self.off)
      }
      tellState()
    }

    private func serverWentOff(_ failure: RadioFailure) {
      serving.adding = nil
      let unfinished = serving.publications.filter { $0.completion != nil }
      for publication in serving.publications { publication.phase = .waiting }
      for publication in unfinished {
        takeOut(publication)
        publication.finish(.failure(failure))
      }
      for central in sortedCentrals { left(central, failure) }
      advertisingLost(failure)
      listenersWentOff(failure, isLost: peripheralManager.state != .poweredOff)
      roomAgain()
    }
  }

  extension Publication {
    /// Whether its owner knows it by this handle.
    fileprivate func isKnown(as handle: AttributeHandle) -> Bool { place.handle == handle && completion == nil }

    fileprivate func finish(_ result: Result<PublishedService, RadioFailure>) {
      let completion = completion
      self.completion = nil
      completion?(result)
    }
  }
#endif
