import BluetoothTypes
import RadioPort

// Claims on links: who wants which, and giving them up.

extension Host {
  /// Claims a link to `peer`: joins the one that is there, or waits without limit until the device is heard.
  package mutating func connect(to peer: PeerID, options: LinkOptions = LinkOptions(), now: RadioInstant) -> ClaimID {
    let id = ClaimID(rawValue: nextNumber())
    guard phase == .on else {
      emit(.claimed(id, .failure(offFailure)))
      return id
    }
    guard let address = peer.address?.plain else {
      let reason =
        peer.isAnonymous
        ? "\(peer) advertises without an address, so that nobody can connect to it"
        : "\(peer) names no device of this radio: take the name from a scan"
      emit(.claimed(id, .failure(RadioFailure(.invalidArgument, reason: reason))))
      return id
    }
    guard ConnectionParameters(options).isValid else {
      let reason = """
        a device that may leave out \(options.latency) connection events of up to \(options.interval.upperBound) would be \
        silent for longer than any supervision timeout, which is at most 32 s: lower the latency or the interval
        """
      emit(.claimed(id, .failure(RadioFailure(.invalidArgument, reason: reason))))
      return id
    }
    if let index = links.firstIndex(where: { $0.address == address && $0.isOpen }) {
      links[index].claims.append(id)
      claims.append(Claim(id: id, address: address, handle: links[index].handle))
      emit(.claimed(id, .success(links[index].id)))
      return id
    }
    claims.append(Claim(id: id, address: address))
    let phys = options.phys.map { info.primaryPHYs($0) }
    connector.add(address, options, on: phys ?? (scanner.table.isOnCoded(address) ? .leCoded : .le1M))
    let current = resolver.currentAddress(of: address)
    connector.setAlias(resolution.resolves(address) ? address : current, of: address)
    isControlDirty = true
    settle(now)
    return id
  }

  /// Gives up a claim. `.released` comes at once if the link is pending, gone or wanted by others, else when the link is
  /// gone, or after a bound. The claim gets no other event any more.
  package mutating func release(_ id: ClaimID, now: RadioInstant) {
    guard let position = claims.firstIndex(where: { $0.id == id }) else { return emit(.released(id)) }
    let claim = claims.remove(at: position)
    guard let handle = claim.handle else {
      if !claims.contains(where: { $0.address == claim.address && $0.handle == nil }) {
        connector.remove(claim.address)
      }
      emit(.released(id))
      isControlDirty = true
      return settle(now)
    }
    guard let index = links.firstIndex(where: { $0.handle == handle && $0.claims.contains(id) }) else {
      return emit(.released(id))
    }
    links[index].claims.removeAll { $0 == id }
    // A link that a central made belongs to the server too.
    guard links[index].claims.isEmpty, links[index].link.role == .central else { return emit(.released(id)) }
    close(
      index,
      RadioFailure(.disconnected, reason: "the link to \(claim.address) was ended here"),
      releases: [id],
      now
    )
    settle(now)
  }

  /// Ends a link for all who want it, as the owner of a peripheral may.
  package mutating func disconnect(_ id: LinkID, now: RadioInstant) {
    guard let index = openIndex(of: id) else { return }
    drop(index, RadioFailure(.disconnected, reason: "the link to \(links[index].address) was ended here"), now)
    settle(now)
  }

  // MARK: The connector's outcomes

  mutating func take(_ outcome: Connector.Outcome, _ now: RadioInstant) {
    switch outcome {
    case .none, .connected, .unwanted: break
    case .failed(let addresses, let status): connectFailed(addresses, status)
    case .disallowed:
      if scanner.isActiveInController, turns == nil {
        turns = ExclusiveTurns(connectingSince: now)
        isControlDirty = true
      } else {
        take(connector.failAll(.commandDisallowed), now)
      }
    }
  }

  private mutating func connectFailed(_ addresses: [BluetoothAddress], _ status: HCIStatus) {
    for address in addresses {
      let failure = RadioFailure(
        .connectionFailed,
        underlying: .hci(status),
        reason: "no link to \(address): the controller says \(status); try again"
      )
      for claim in claims where claim.address == address && claim.handle == nil {
        emit(.claimed(claim.id, .failure(failure)))
      }
      claims.removeAll { $0.address == address && $0.handle == nil }
    }
  }

  /// The waiting claims on a device now have their link.
  mutating func claimAll(of address: BluetoothAddress, _ index: Int) {
    for position in claims.indices where claims[position].address == address && claims[position].handle == nil {
      claims[position].handle = links[index].handle
      links[index].claims.append(claims[position].id)
      emit(.claimed(claims[position].id, .success(links[index].id)))
    }
  }
}
