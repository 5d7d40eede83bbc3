#if !os(tvOS) && !os(watchOS)
  import BluetoothTypes
  import CoreBluetooth
  import RadioPort

  // Values that are sent.

  extension CoreBluetoothRadio {
    package func subscribers(of characteristic: AttributeHandle) -> [LinkID] {
      serving.characteristics[characteristic]?.subscribers ?? []
    }

    package func update(
      _ value: [UInt8],
      of characteristic: AttributeHandle,
      to centrals: [LinkID]?,
      mode: UpdateMode,
      by server: ServerID,
      confirmed: (@Sendable (LinkID, Result<Void, RadioFailure>) -> Void)?
    ) throws(RadioFailure) -> UpdateOutcome {
      if let failure = failure(of: server) { throw failure }
      guard let served = serving.characteristics[characteristic], served.server == server,
        !served.definition.properties.isDisjoint(with: [.notify, .indicate])
      else { throw Self.notOwned(characteristic) }
      let isNotified = served.modes == .notifications
      guard mode == .asSubscribed || (mode == .notification) == isNotified else {
        return .sent(notified: [], indicated: [])
      }
      let links = served.subscribers.filter { centrals?.contains($0) ?? true }
      let objects = links.compactMap { central($0)?.object }
      guard let limit = objects.map(\.maximumUpdateValueLength).min() else { return .sent(notified: [], indicated: []) }
      guard value.count <= limit else {
        throw RadioFailure(
          .tooLong,
          reason: "the value of \(served.definition.uuid) has \(value.count) bytes, and one of the links takes \(limit)"
        )
      }
      guard peripheralManager.updateValue(Data(value), for: served.object, onSubscribedCentrals: objects) else {
        serving.servers[server]?.waitsForRoom = true
        return .full
      }
      if isNotified { return .sent(notified: links, indicated: []) }
      // When this has returned, as the caller learns from what it returns whom to expect.
      if let confirmed { executor.submit { for link in links { confirmed(link, .success(())) } } }
      return .sent(notified: [], indicated: links)
    }

    /// There may be room for what was refused.
    func roomAgain() {
      for server in serving.sortedServers where serving.servers[server]?.waitsForRoom == true {
        serving.servers[server]?.waitsForRoom = false
        tell(server, .readyToUpdate)
      }
    }
  }
#endif
