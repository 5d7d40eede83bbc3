#if !os(tvOS) && !os(watchOS)
  import BluetoothTypes
  import CoreBluetooth
  import RadioPort

  // PSMs that are published, and the channels that centrals open to them.

  /// A wish to be opened channels to.
  struct ChannelListener {
    let id: ChannelListenerID
    let requiresEncryption: Bool
    let incoming: @Sendable (ChannelID, ChannelInfo) -> @Sendable (ChannelEvent) -> Void
    /// Gone once it was called.
    var completion: (@Sendable (Result<L2CAPPSM, RadioFailure>) -> Void)?
    /// What the framework has chosen, as long as it has it published.
    var psm: L2CAPPSM?
  }

  extension CoreBluetoothRadio {
    package func publishChannel(
      _ publication: ChannelPublication,
      incoming: @escaping @Sendable (ChannelID, ChannelInfo) -> @Sendable (ChannelEvent) -> Void,
      completion: @escaping @Sendable (Result<L2CAPPSM, RadioFailure>) -> Void
    ) -> ChannelListenerID {
      let id = ChannelListenerID(rawValue: next())
      if let failure = serverFailure ?? publication.obstacle {
        completion(.failure(failure))
        return id
      }
      serving.listeners.append(
        ChannelListener(
          id: id,
          requiresEncryption: publication.requiresEncryption,
          incoming: incoming,
          completion: completion
        )
      )
      publishNextChannel()
      return id
    }

    package func unpublishChannel(_ listener: ChannelListenerID) {
      guard let index = serving.listeners.firstIndex(where: { $0.id == listener }) else { return }
      if let psm = serving.listeners.remove(at: index).psm { takeBack(psm) }
    }

    private func takeBack(_ psm: L2CAPPSM) {
      if peripheralManager.state == .poweredOn {
        peripheralManager.unpublishL2CAPChannel(psm.rawValue)
      } else {
        // Without power the framework takes no commands.
        serving.unpublished.append(psm)
      }
    }

    /// Asks the framework for the next PSM; for one at a time, as its answers do not name what was asked.
    private func publishNextChannel() {
      guard serving.publishing == nil, peripheralManager.state == .poweredOn,
        let listener = serving.listeners.first(where: { $0.psm == nil })
      else { return }
      serving.publishing = listener.id
      peripheralManager.publishL2CAPChannel(withEncryption: listener.requiresEncryption)
    }

    func channelPublished(_ psm: L2CAPPSM, _ error: (any Error)?) {
      let asked = serving.publishing
      serving.publishing = nil
      defer { publishNextChannel() }
      guard let index = serving.listeners.firstIndex(where: { $0.id == asked }) else {
        // Nobody wants it any more.
        if error == nil { takeBack(psm) }
        return
      }
      let completion = serving.listeners[index].completion
      if error == nil {
        serving.listeners[index].psm = psm
        serving.listeners[index].completion = nil
        completion?(.success(psm))
      } else {
        serving.listeners.remove(at: index)
        completion?(.failure(serverFailure(error, "no PSM could be published")))
      }
    }

    /// A central has opened a channel.
    func channelArrived(_ channel: CBL2CAPChannel?, _ error: (any Error)?) {
      guard let channel, error == nil else { return }
      let psm = L2CAPPSM(rawValue: channel.psm)
      guard let peer = channel.peer as? CBCentral, let listener = serving.listeners.first(where: { $0.psm == psm })
      else { return channel.closeStreams() }
      let link = seen(peer).link
      let id = ChannelID(rawValue: next())
      let open = add(channel, as: id, psm: psm, on: link)
      open.events = listener.incoming(id, open.info)
      open.begin(on: queue)
    }

    // MARK: Power

    func listenAgain() {
      for psm in serving.unpublished { peripheralManager.unpublishL2CAPChannel(psm.rawValue) }
      serving.unpublished = []
      publishNextChannel()
    }

    /// - Parameter isLost: Whether the framework has forgotten what it was told.
    func listenersWentOff(_ failure: RadioFailure, isLost: Bool) {
      serving.publishing = nil
      let unfinished = serving.listeners.filter { $0.completion != nil }
      serving.listeners.removeAll { $0.completion != nil }
      if isLost {
        serving.unpublished = []
        for index in serving.listeners.indices { serving.listeners[index].psm = nil }
      }
      for listener in unfinished { listener.completion?(.failure(failure)) }
    }

    /// A channel is gone, and maybe the last that is known of its central.
    func channelClosed(on link: LinkID) {
      if let central = central(link) { seen(central) }
    }
  }

  extension ChannelPublication {
    /// Why the framework can not publish this; `nil` if it can.
    fileprivate var obstacle: RadioFailure? {
      guard let psm else { return nil }
      guard psm.isValid else {
        return RadioFailure(.invalidArgument, reason: "\(psm) can not be published: take one from 0x0001 to 0x00FF")
      }
      return RadioFailure(.unsupported, reason: "this system chooses the PSM itself: publish without one")
    }
  }
#endif
