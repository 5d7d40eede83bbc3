import BluetoothTypes
import RadioPort

// How the packets of links are on the air: their length and their PHY.

extension Host {
  // MARK: Length

  /// Asks for the longest packets that there are: with the ones that links begin with, most of the time goes into what
  /// is around the data (Core 5.4, Vol 4, Part E, 7.8.33).
  mutating func askForDataLength(_ index: Int) {
    guard info.leFeatures.contains(.dataPacketLengthExtension), info.supports(.leSetDataLength) else { return }
    let handle = links[index].handle
    commands.enqueue(
      LESetDataLength(
        connectionHandle: handle,
        txOctets: 251,
        // The same packet takes eight times as long on the Coded PHY.
        txTime: info.leFeatures.contains(.leCoded) ? 17040 : 2120
      ),
      .dataLength,
      about: handle
    )
  }

  mutating func dataLengthChanged(_ event: LEDataLengthChange) {
    guard let index = links.firstIndex(where: { $0.handle == event.connectionHandle && $0.isOpen }) else { return }
    let (transmit, receive) = (Int(event.maxTXOctets), Int(event.maxRXOctets))
    tell(index, .dataLengthChanged(transmit: transmit, receive: receive))
    if links[index].isServed { emit(.centralDataLength(links[index].id, transmit: transmit, receive: receive)) }
  }

  // MARK: PHY

  /// Asks for other PHYs; `.phys` tells those that are in use then.
  package mutating func setPHYs(_ preference: PHYPreference, of link: LinkID, now: RadioInstant) -> RequestID {
    let id = RequestID(rawValue: nextNumber())
    guard let index = openIndex(of: link) else {
      emit(.phys(id, .failure(goneFailure)))
      return id
    }
    guard info.supports(.leSetPHY), !info.leFeatures.isDisjoint(with: [.le2M, .leCoded]) else {
      emit(.phys(id, .failure(RadioFailure(.unsupported, reason: "the controller has no PHY but 1M"))))
      return id
    }
    links[index].physRequests.append(id)
    askForPHYs(index, preference)
    settle(now)
    return id
  }

  mutating func askForPHYs(_ index: Int, _ preference: PHYPreference) {
    guard info.supports(.leSetPHY), !info.leFeatures.isDisjoint(with: [.le2M, .leCoded]) else { return }
    let (transmit, receive) = (LEPHYs(preference.transmit), LEPHYs(preference.receive))
    let handle = links[index].handle
    commands.enqueue(
      LESetPHY(
        connectionHandle: handle,
        allPHYs: (transmit.isEmpty ? 1 : 0) | (receive.isEmpty ? 2 : 0),
        txPHYs: transmit,
        rxPHYs: receive,
        phyOptions: 0
      ),
      .setPHYs(links[index].id),
      about: handle
    )
  }

  mutating func setPHYsAnswered(_ link: LinkID, _ answer: CommandAnswer) {
    guard answer.status != .success, let index = links.firstIndex(where: { $0.id == link }) else { return }
    report(.refusedCommand, "another PHY for \(links[index].address): \(answer.status)")
    guard !links[index].physRequests.isEmpty else { return }
    let request = links[index].physRequests.removeFirst()
    let reason = "the controller refused another PHY: \(answer.status)"
    emit(.phys(request, .failure(Self.refusal(answer.status, reason: reason))))
  }

  mutating func physChanged(_ event: LEPHYUpdateComplete) {
    guard let index = links.firstIndex(where: { $0.handle == event.connectionHandle && $0.isOpen }) else { return }
    guard event.status == .success, let transmit = RadioPHY(rawValue: event.txPHY.rawValue),
      let receive = RadioPHY(rawValue: event.rxPHY.rawValue)
    else {
      report(.refusedCommand, "another PHY for \(links[index].address): \(event.status)")
      let requests = links[index].physRequests
      links[index].physRequests = []
      let reason = "the link has no other PHY: \(event.status)"
      for request in requests { emit(.phys(request, .failure(Self.refusal(event.status, reason: reason)))) }
      return
    }
    let phys = LinkPHYs(transmit: transmit, receive: receive)
    let isNew = phys != links[index].phys
    links[index].phys = phys
    // An answer to one wish; one that the peer asked for meanwhile comes to the same.
    if !links[index].physRequests.isEmpty { emit(.phys(links[index].physRequests.removeFirst(), .success(phys))) }
    guard isNew else { return }
    tell(index, .phyChanged(transmit: transmit, receive: receive))
    if links[index].isServed { emit(.centralPHYs(links[index].id, phys)) }
  }
}

extension LEPHYs {
  /// The PHYs that a wish names.
  fileprivate init(_ phys: Set<RadioPHY>) {
    self = phys.reduce(LEPHYs()) { $0.union(LEPHYs(rawValue: 1 &<< ($1.rawValue &- 1))) }
  }
}
