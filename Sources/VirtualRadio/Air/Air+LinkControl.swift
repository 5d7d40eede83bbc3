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
      if asker == side {
        links[position][side].waits.end(.update)
      } else {
        _ = takesInstant(.update, at: side, of: position)
      }
      links[position].plan(.timing(timing, askedBy: asker), at: links[position].instant)
    case .parameterRequest(let timing, let least): requestParameters(timing, least, at: side, of: position)
    case .reject(let procedure, let status): finishRejected(procedure, status, at: side, of: position)
    case .lengthRequest(let transmit, let receive):
      agreeLength(transmit, receive, at: side, of: position)
      let end = links[position][side]
      say(.lengthResponse(transmit: end.transmitLimit, receive: end.receiveLimit), from: side, of: position)
    case .lengthResponse(let transmit, let receive):
      links[position][side].procedures.remove(.length)
      links[position][side].waits.end(.length)
      agreeLength(transmit, receive, at: side, of: position)
    case .phyRequest(let choice):
      guard takesInstant(.phy, at: side, of: position) else { return }
      if side == .central {
        decidePHY(peripheral: choice, askedBy: .peripheral, of: position)
      } else {
        ask(.phyResponse(links[position][side].phyChoice), in: .phy, from: side, of: position)
      }
    case .phyResponse(let choice):
      links[position][side].waits.end(.phy)
      decidePHY(peripheral: choice, askedBy: .central, of: position)
    case .phyUpdate(let down, let up, let asker):
      links[position][side].waits.end(.phy)
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
      links[position][asker].procedures.remove(.update)
      for side in [LinkSide.central, .peripheral] where isNew || side == asker {
        tellUpdate(.success, at: side, of: position)
      }
      endInstant(.update, at: asker.other, of: position)
      beginHeld(asker, of: position)
    case .phys(let down, let up, let asker):
      let isNew = links[position].central.phy != down || links[position].peripheral.phy != up
      links[position].central.phy = down
      links[position].peripheral.phy = up
      links[position].refreshPHYs()
      links[position][asker].procedures.remove(.phy)
      for side in [LinkSide.central, .peripheral] where isNew || side == asker {
        tellPHYs(.success, at: side, of: position)
      }
      endInstant(.phy, at: asker.other, of: position)
      beginHeld(asker, of: position)
    }
  }

  // MARK: Ends of procedures

  mutating func finishFeatures(_ features: UInt64, _ side: LinkSide, of position: Int) {
    links[position][side].remoteFeatures = features
    links[position][side].waits.end(.features)
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
    links[position][side].waits.end(.version)
    let event = ReadRemoteVersionInformationComplete(
      status: .success,
      connectionHandle: links[position][side].handle,
      version: version.version,
      companyIdentifier: version.company,
      subversion: version.subversion
    )
    tell(event, side, of: position)
  }

  /// The other end has refused a procedure.
  private mutating func finishRejected(
    _ procedure: LinkProcedures,
    _ status: HCIStatus,
    at side: LinkSide,
    of position: Int
  ) {
    links[position][side].procedures.remove(procedure)
    links[position][side].waits.end(procedure)
    if procedure == .phy {
      tellPHYs(status, at: side, of: position)
    } else {
      tellUpdate(status, at: side, of: position)
    }
    beginHeld(side, of: position)
  }

  private mutating func tellUpdate(_ status: HCIStatus, at side: LinkSide, of position: Int) {
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

  private mutating func tellPHYs(_ status: HCIStatus, at side: LinkSide, of position: Int) {
    let event = LEPHYUpdateComplete(
      status: status,
      connectionHandle: links[position][side].handle,
      txPHY: LEPHY(rawValue: links[position][side].phy.number),
      rxPHY: LEPHY(rawValue: links[position][side.other].phy.number)
    )
    tell(event, side, of: position)
  }

  // MARK: Agreeing

  private mutating func requestParameters(_ timing: LinkTiming, _ least: UInt16, at side: LinkSide, of position: Int) {
    let end = links[position][side]
    // A host that does not want to be asked can not decide (5.1.7).
    guard let index = index(of: end.controller), controllers[index].eventMask.contains(.leMeta),
      controllers[index].leEventMask.contains(.leRemoteConnectionParameterRequest)
    else { return say(.reject(.update, .unsupportedRemoteFeature), from: side, of: position) }
    guard takesInstant(.update, at: side, of: position) else { return }
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
