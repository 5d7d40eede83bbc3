#if !os(tvOS) && !os(watchOS)
  import BluetoothTypes
  import CoreBluetooth
  import RadioPort

  // The centrals, as far as the framework tells of them.

  extension CoreBluetoothRadio {
    /// After how long a central that has no subscription and asks for nothing counts as gone: as long as it would wait
    /// for an answer.
    private static let silence = Duration.seconds(30)

    var sortedCentrals: [ServedCentral] {
      serving.centrals.values.sorted { $0.link.generation < $1.link.generation }
    }

    package var centrals: [LinkID] { sortedCentrals.map(\.link) }

    func central(_ link: LinkID) -> ServedCentral? {
      guard let central = serving.centrals[link.peer], central.link == link else { return nil }
      return central
    }

    func servedMTU(of link: LinkID) -> Int? { central(link).map { $0.object.maximumUpdateValueLength + 3 } }

    /// The framework has told something of a central.
    func seen(_ object: CBCentral) -> ServedCentral {
      let peer = PeerID(object)
      let mtu = object.maximumUpdateValueLength + 3
      if let known = serving.centrals[peer] {
        known.object = object
        seen(known)
        if known.mtu != mtu {
          known.mtu = mtu
          tellServers(.mtuChanged(known.link, mtu))
        }
        return known
      }
      // One that this radio has connected to has its link already.
      let link = devices[peer]?.link ?? LinkID(peer: peer, generation: next())
      let central = ServedCentral(link, object, mtu: mtu, now: executor.now)
      serving.centrals[peer] = central
      tellServers(.centralConnected(link))
      watch(central)
      return central
    }

    func seen(_ central: ServedCentral) {
      central.lastSeen = executor.now
      watch(central)
    }

    // MARK: Their end

    private func isInUse(_ central: ServedCentral) -> Bool {
      devices[central.link.peer]?.link == central.link
        || channels.values.contains { $0.info.link == central.link && !$0.hasEnded }
        || serving.requests.values.contains { $0.link == central.link }
        || serving.characteristics.values.contains { $0.subscribers.contains(central.link) }
    }

    /// Looks again when the central may be gone, if it is not known to be there.
    func watch(_ central: ServedCentral) {
      guard central.timer == nil, !isInUse(central) else { return }
      let link = central.link
      central.timer = executor.schedule(at: central.lastSeen.advanced(by: Self.silence)) { [weak self] in
        self?.assumeIsolated { $0.mayBeGone(link) }
      }
    }

    private func mayBeGone(_ link: LinkID) {
      guard let central = central(link) else { return }
      central.timer = nil
      guard !isInUse(central) else { return }
      guard central.lastSeen.advanced(by: Self.silence) <= executor.now else { return watch(central) }
      left(central, RadioFailure(.disconnected, reason: "the central has not used the services for \(Self.silence)"))
    }

    /// A link that this radio had made has ended, and with it the use of the services over it.
    func linkEnded(_ link: LinkID, _ failure: RadioFailure) {
      if let central = central(link) { left(central, failure) }
    }

    func left(_ central: ServedCentral, _ failure: RadioFailure) {
      let link = central.link
      endChannels(on: link, failure)
      let ended = serving.requests.filter { $0.value.link == link }.sorted { $0.key.rawValue < $1.key.rawValue }
      for (id, request) in ended where serving.requests.removeValue(forKey: id) != nil {
        tell(request.server, .requestEnded(id))
      }
      for handle in serving.characteristics.keys.sorted() {
        if let characteristic = serving.characteristics[handle] { subscriptionEnded(characteristic, link) }
      }
      if let timer = central.timer { executor.cancel(timer) }
      central.timer = nil
      guard serving.centrals[link.peer] === central else { return }
      serving.centrals[link.peer] = nil
      tellServers(.centralDisconnected(link, failure))
    }

    // MARK: Subscriptions

    func subscribed(_ object: CBCentral, _ characteristic: CBCharacteristic) {
      let central = seen(object)
      guard let characteristic = serving.objects[ObjectIdentifier(characteristic)],
        characteristic.setSubscribed(true, central.link)
      else { return }
      tell(characteristic.server, .subscriptionChanged(central.link, characteristic.handle, characteristic.modes))
    }

    func unsubscribed(_ object: CBCentral, _ characteristic: CBCharacteristic) {
      guard let central = serving.centrals[PeerID(object)],
        let characteristic = serving.objects[ObjectIdentifier(characteristic)]
      else { return }
      central.lastSeen = executor.now
      subscriptionEnded(characteristic, central.link)
    }

    func subscriptionEnded(_ characteristic: ServedCharacteristic, _ link: LinkID) {
      guard characteristic.setSubscribed(false, link) else { return }
      tell(characteristic.server, .subscriptionChanged(link, characteristic.handle, []))
      if let central = central(link) { watch(central) }
      // Who waited for the room of this one waits for nothing.
      roomAgain()
    }

    // MARK: Links

    package func disconnect(
      _ central: LinkID,
      completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
    ) {
      completion(
        .failure(
          gone(central)
            ?? RadioFailure(.unsupported, reason: "this system does not let a peripheral end the link to a central")
        )
      )
    }

    package func requestParameters(
      _ options: LinkOptions,
      of central: LinkID,
      completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
    ) {
      if let failure = gone(central) ?? options.obstacle { return completion(.failure(failure)) }
      if let object = self.central(central)?.object {
        peripheralManager.setDesiredConnectionLatency(options.wish, for: object)
      }
      completion(.success(()))
    }

    private func gone(_ link: LinkID) -> RadioFailure? {
      if let failure = serverFailure { return failure }
      return central(link) == nil ? RadioFailure(.notConnected, reason: "the central is gone") : nil
    }
  }

  extension LinkOptions {
    /// The latency and the longest interval, within what there can be (Core 5.4, Vol 4, Part E, 7.8.12).
    private func silence(_ interval: Duration) -> Duration {
      min(max(interval, .microseconds(7500)), .seconds(4)) * (1 + Int(min(latency, 499)))
    }

    /// Why there is no such link; `nil` if there can be.
    fileprivate var obstacle: RadioFailure? {
      guard silence(interval.upperBound) * 2 >= .seconds(32) else { return nil }
      return RadioFailure(
        .invalidArgument,
        reason:
          "with the latency \(latency) and intervals of up to \(interval.upperBound) a link would have to live for "
          + "32 s without a packet, and none does: take less of either"
      )
    }

    /// The wish that comes nearest, with the borders halfway between those of ``LinkLatency`` by ratio.
    fileprivate var wish: CBPeripheralManagerConnectionLatency {
      switch silence(interval.lowerBound) {
      case ..<Duration.milliseconds(30): .low
      case ..<Duration.milliseconds(268): .medium
      default: .high
      }
    }
  }
#endif
