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
    askForPHYs(index, PHYWishes.Wish(preference: preference, request: id))
    settle(now)
    return id
  }

  /// Brings the wish to the controller as soon as those before it are over.
  mutating func askForPHYs(_ index: Int, _ wish: PHYWishes.Wish) {
    guard info.supports(.leSetPHY), !info.leFeatures.isDisjoint(with: [.le2M, .leCoded]) else { return }
    if let first = links[index].phyWishes.add(wish) { send(first, index) }
  }

  private mutating func send(_ wish: PHYWishes.Wish, _ index: Int) {
    // A controller refuses the whole wish for one PHY that it does not have (Core 5.4, Vol 4, Part E, 7.8.49); where it has
    // none of them, that is for it to say.
    let transmit = LEPHYs(wish.preference.transmit).limited(to: info.leFeatures)
    let receive = LEPHYs(wish.preference.receive).limited(to: info.leFeatures)
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
    guard let index = links.firstIndex(where: { $0.id == link && $0.isOpen }) else { return }
    guard answer.status != .success else { return links[index].phyWishes.taken() }
    report(.refusedCommand, "another PHY for \(links[index].address): \(answer.status)")
    if let request = links[index].phyWishes.refused() {
      let reason = "the controller refused another PHY: \(answer.status)"
      emit(.phys(request, .failure(Self.refusal(answer.status, reason: reason))))
    }
    if let next = links[index].phyWishes.next() { send(next, index) }
  }

  mutating func physChanged(_ event: LEPHYUpdateComplete) {
    guard let index = links.firstIndex(where: { $0.handle == event.connectionHandle && $0.isOpen }) else { return }
    // An answer to one wish; what the peer asked for meanwhile comes to the same.
    let request = links[index].phyWishes.changed()
    defer { if let next = links[index].phyWishes.next() { send(next, index) } }
    guard event.status == .success, let transmit = RadioPHY(rawValue: event.txPHY.rawValue),
      let receive = RadioPHY(rawValue: event.rxPHY.rawValue)
    else {
      report(.refusedCommand, "another PHY for \(links[index].address): \(event.status)")
      let reason = "the link has no other PHY: \(event.status)"
      if let request { emit(.phys(request, .failure(Self.refusal(event.status, reason: reason)))) }
      return
    }
    let phys = LinkPHYs(transmit: transmit, receive: receive)
    let isNew = phys != links[index].phys
    links[index].phys = phys
    if let request { emit(.phys(request, .success(phys))) }
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

  /// Those of them that go with a controller's features; all of them if none does.
  fileprivate func limited(to features: LEFeatures) -> LEPHYs {
    var supported = LEPHYs.le1M
    if features.contains(.le2M) { supported.insert(.le2M) }
    if features.contains(.leCoded) { supported.insert(.leCoded) }
    let limited = intersection(supported)
    return limited.isEmpty ? self : limited
  }
}
