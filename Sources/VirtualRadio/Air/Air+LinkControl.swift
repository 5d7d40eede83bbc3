import BluetoothTypes
import HostStack

// What the link layers do about what they hear from each other (Core 5.4, Vol 6, Part B, 5.1).
extension Air {
  /// The end on `side` hears `message`.
  mutating func receive(_ message: LinkControl, at side: LinkSide, of position: Int, now: Int64) {
    switch message {
    case .encryption(let message): receive(message, at: side, of: position, now: now)
    case .terminate: break  // Ends the link instead of being answered.
    case .featureRequest(let features):
      links[position][side].remoteFeatures = features
      let own = index(of: links[position][side].controller).map { controllers[$0].features } ?? []
      say(.featureResponse(own.rawValue), from: side, of: position)
    case .featureResponse(let features): finishFeatures(features, side, of: position)
    case .version(let version):
      links[position][side].remoteVersion = version
      // Each end says its version once in a link's life.
      if !links[position][side].hasSentVersion {
        links[position][side].hasSentVersion = true
        say(.version(VirtualController.version), from: side, of: position)
      }
      if links[position][side].procedures.contains(.version) { finishVersion(version, side, of: position) }
    case .connectionUpdate(let timing, let asker):
      links[position].plan(.timing(timing, askedBy: asker), at: links[position].instant)
    case .parameterRequest(let timing, let least): requestParameters(timing, least, at: side, of: position)
    case .parameterReject(let status): finishUpdate(status, at: side, of: position)
    case .lengthRequest(let transmit, let receive):
      agreeLength(transmit, receive, at: side, of: position)
      let end = links[position][side]
      say(.lengthResponse(transmit: end.transmitLimit, receive: end.receiveLimit), from: side, of: position)
    case .lengthResponse(let transmit, let receive):
      links[position][side].procedures.remove(.length)
      agreeLength(transmit, receive, at: side, of: position)
    case .phyRequest(let choice):
      if side == .central {
        decidePHY(peripheral: choice, askedBy: .peripheral, of: position)
      } else {
        say(.phyResponse(links[position][side].phyChoice), from: side, of: position)
      }
    case .phyResponse(let choice): decidePHY(peripheral: choice, askedBy: .central, of: position)
    case .phyUpdate(let down, let up, let asker):
      let change = LinkChange.phys(centralToPeripheral: down, peripheralToCentral: up, askedBy: asker)
      links[position].plan(change, at: links[position].instant)
    }
  }

  /// Lets a change take effect at both ends.
  mutating func apply(_ change: LinkChange, of id: Int, at index: Int64) {
    guard let position = position(ofLink: id) else { return }
    switch change {
    case .timing(let timing, let asker):
      let isNew = timing != links[position].timing
      links[position].adopt(timing, at: index)
      for side in [LinkSide.central, .peripheral] where isNew || side == asker {
        finishUpdate(.success, at: side, of: position)
      }
    case .phys(let down, let up, let asker):
      let isNew = links[position].central.phy != down || links[position].peripheral.phy != up
      links[position].central.phy = down
      links[position].peripheral.phy = up
      links[position].refreshPHYs()
      links[position][asker].procedures.remove(.phy)
      for side in [LinkSide.central, .peripheral] where isNew || side == asker {
        let (end, other) = (links[position][side], links[position][side.other])
        let event = LEPHYUpdateComplete(
          status: .success,
          connectionHandle: end.handle,
          txPHY: LEPHY(rawValue: end.phy.number),
          rxPHY: LEPHY(rawValue: other.phy.number)
        )
        tell(event, side, of: position)
      }
    }
  }

  // MARK: Ends of procedures

  mutating func finishFeatures(_ features: UInt64, _ side: LinkSide, of position: Int) {
    links[position][side].remoteFeatures = features
    guard links[position][side].procedures.remove(.features) != nil else { return }
    let event = LEReadRemoteFeaturesComplete(
      status: .success,
      connectionHandle: links[position][side].handle,
      leFeatures: LEFeatures(rawValue: features)
    )
    tell(event, side, of: position)
  }

  mutating func finishVersion(_ version: RemoteVersion, _ side: LinkSide, of position: Int) {
    links[position][side].procedures.remove(.version)
    let event = ReadRemoteVersionInformationComplete(
      status: .success,
      connectionHandle: links[position][side].handle,
      version: version.version,
      companyIdentifier: version.company,
      subversion: version.subversion
    )
    tell(event, side, of: position)
  }

  private mutating func finishUpdate(_ status: HCIStatus, at side: LinkSide, of position: Int) {
    links[position][side].procedures.remove(.update)
    let timing = links[position].timing
    let event = LEConnectionUpdateComplete(
      status: status,
      connectionHandle: links[position][side].handle,
      connectionInterval: timing.interval,
      peripheralLatency: timing.latency,
      supervisionTimeout: timing.timeout
    )
    tell(event, side, of: position)
  }

  // MARK: Agreeing

  private mutating func requestParameters(_ timing: LinkTiming, _ least: UInt16, at side: LinkSide, of position: Int) {
    let end = links[position][side]
    // A host that does not want to be asked can not decide; two updates at once do not go (5.1.7).
    guard let index = index(of: end.controller), controllers[index].eventMask.contains(.leMeta),
      controllers[index].leEventMask.contains(.leRemoteConnectionParameterRequest)
    else { return say(.parameterReject(.unsupportedRemoteFeature), from: side, of: position) }
    guard !end.procedures.contains(.update) else {
      return say(.parameterReject(.llProcedureCollision), from: side, of: position)
    }
    links[position][side].openParameterRequest = timing
    let event = LERemoteConnectionParameterRequest(
      connectionHandle: end.handle,
      intervalMin: least,
      intervalMax: timing.interval,
      maxLatency: timing.latency,
      timeout: timing.timeout
    )
    tell(event, side, of: position)
  }

  /// The other end can send `transmit` and receive `receive`.
  private mutating func agreeLength(
    _ transmit: PacketLimit,
    _ receive: PacketLimit,
    at side: LinkSide,
    of position: Int
  ) {
    let end = links[position][side]
    let sent = end.transmitLimit.limited(by: receive)
    let received = transmit.limited(by: end.receiveLimit)
    guard sent != end.agreedLimit || received != end.agreedReceiveLimit else { return }
    links[position][side].agreedLimit = sent
    links[position][side].agreedReceiveLimit = received
    let event = LEDataLengthChange(
      connectionHandle: end.handle,
      maxTXOctets: sent.octets,
      maxTXTime: sent.time,
      maxRXOctets: received.octets,
      maxRXTime: received.time
    )
    tell(event, side, of: position)
  }

  private mutating func decidePHY(peripheral: PHYChoice, askedBy asker: LinkSide, of position: Int) {
    let link = links[position]
    let wish = link.central.phyChoice
    let (central, other) = (link.central, link.peripheral)
    let down = LinkPHY(
      from: wish.transmit,
      and: peripheral.receive,
      coding: central.coding,
      current: central.phy
    )
    let up = LinkPHY(from: peripheral.transmit, and: wish.receive, coding: other.coding, current: other.phy)
    say(.phyUpdate(centralToPeripheral: down, peripheralToCentral: up, askedBy: asker), from: .central, of: position)
  }
}
