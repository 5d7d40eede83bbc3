import BluetoothTypes
import RadioPort

// Values that are sent, in order for each central, as there is room.

extension ServerCore {
  /// What names the characteristic that a value is sent for.
  enum SendTarget: Sendable {
    case name(CharacteristicName)
    case part(PartIdentity, CharacteristicName)
    case handle(AttributeHandle)
  }

  /// A value that waits for room on one link.
  struct WaitingValue {
    let handle: AttributeHandle
    let bytes: [UInt8]
    let ticket: UInt64
  }

  /// One call of `send`: over when every central that it is for has the value or is gone.
  struct SendTicket {
    let operation: PendingOperation<Int>
    /// Whether it is for one central, whose loss is then a failure.
    let isForOne: Bool
    var open: Set<LinkID>
    var taken = 0
  }

  /// A central has the value.
  private func done(_ id: UInt64, _ link: LinkID) {
    guard tickets[id]?.open.remove(link) != nil else { return }
    tickets[id]?.taken += 1
    finishIfDone(id)
  }

  /// A central will never have the value.
  func lost(_ id: UInt64, _ link: LinkID, _ error: BluetoothError) {
    guard let ticket = tickets[id], tickets[id]?.open.remove(link) != nil else { return }
    // One that leaves is no failure of a value for all; that nobody can be reached any more is.
    if ticket.isForOne || error.kind == .stopped || error.kind == .poweredOff {
      return ticket.operation.finish(.failure(error))
    }
    finishIfDone(id)
  }

  private func finishIfDone(_ id: UInt64) {
    guard let ticket = tickets[id], ticket.open.isEmpty else { return }
    ticket.operation.finish(.success(ticket.taken))
  }

  /// Sends a value to one central or to all that have subscribed; returns how many have it.
  @discardableResult
  func send(
    _ bytes: [UInt8],
    _ target: SendTarget,
    to central: ConnectedCentral?,
    timeout: Timeout
  ) async throws -> Int {
    let (handle, name) = try resolve(target)
    let link = central?.link
    if let link {
      guard let client = clients[link] else { throw error(.notConnected, .send, on: link, of: name) }
      guard client.subscriptions[handle] != nil else { throw error(.notSubscribed, .send, on: link, of: name) }
    }
    let links = link.map { [$0] } ?? sortedLinks.filter { clients[$0]?.subscriptions[handle] != nil }
    guard let limit = links.map({ PeripheralCore.writeLength(mtu: access.mtu(of: $0)) }).min() else { return 0 }
    guard bytes.count <= limit else {
      throw error(.tooLong, .send, on: link, of: name, detail: .length(bytes.count, maximum: limit))
    }
    let time = timeout.duration(standard: configuration.timeouts.send)
    return try await PendingOperation<Int>.run(
      on: executor,
      deadline: deadline(after: time),
      timeout: timeOut(.send, time, on: link, of: name)
    ) { operation in
      let ticket = nextNumber()
      tickets[ticket] = SendTicket(operation: operation, isForOne: link != nil, open: Set(links))
      operation.onEnd { [weak self] _ in self?.assumeIsolated { $0.forget(ticket) } }
      for link in links {
        clients[link]?.waiting.append(WaitingValue(handle: handle, bytes: bytes, ticket: ticket))
        pump(link)
      }
    }
  }

  /// What nobody waits for any more and was not sent yet never is.
  private func forget(_ id: UInt64) {
    guard let ticket = tickets.removeValue(forKey: id) else { return }
    for link in ticket.open { clients[link]?.waiting.removeAll { $0.ticket == id } }
  }

  /// Sends what waits for one central, as far as there is room.
  private func pump(_ link: LinkID) {
    guard let server else { return }
    while let value = clients[link]?.waiting.first, clients[link]?.isFull == false {
      let name = characteristics[value.handle]?.name
      let ticket = value.ticket
      do throws(RadioFailure) {
        let outcome = try access.update(value.bytes, of: value.handle, to: link, by: server) {
          [weak self] link, result in
          self?.assumeIsolated { $0.confirmed(ticket, link, name, result) }
        }
        switch outcome {
        case .full: clients[link]?.isFull = true
        case .sent(let notified, let indicated):
          takeFirst(link)
          if notified.contains(link) {
            done(ticket, link)
          } else if !indicated.contains(link) {
            lost(ticket, link, error(.notSubscribed, .send, on: link, of: name))
          }
        }
      } catch {
        takeFirst(link)
        lost(ticket, link, self.error(error, .send, on: link, of: name))
      }
    }
  }

  private func takeFirst(_ link: LinkID) {
    guard clients[link]?.waiting.isEmpty == false else { return }
    clients[link]?.waiting.removeFirst()
  }

  private func confirmed(
    _ ticket: UInt64,
    _ link: LinkID,
    _ name: CharacteristicName?,
    _ result: Result<Void, RadioFailure>
  ) {
    switch result {
    case .success: done(ticket, link)
    case .failure(let failure) where failure.kind == .refused:
      lost(ticket, link, error(.notSubscribed, .send, on: link, of: name, underlying: failure))
    case .failure(let failure): lost(ticket, link, error(failure, .send, on: link, of: name))
    }
  }

  /// There is room again on a link that had none.
  func readyToUpdate() {
    for link in sortedLinks where clients[link]?.isFull == true {
      clients[link]?.isFull = false
      pump(link)
    }
  }

  // MARK: Names

  /// The handle that is meant.
  private func resolve(_ target: SendTarget) throws -> (AttributeHandle, CharacteristicName) {
    guard phase == .running || phase == .suspended || phase == .starting else { throw error(.stopped, .send) }
    let found: [AttributeHandle]
    let name: CharacteristicName
    switch target {
    case .handle(let handle):
      guard let characteristic = characteristics[handle] else { throw error(.stopped, .send) }
      return (handle, characteristic.name)
    case .name(let wanted):
      name = wanted
      found = handles(of: wanted)
    case .part(let identity, let wanted):
      name = wanted
      found = characteristics.filter { $0.value.parts.contains(identity) }.keys.sorted()
    }
    guard let handle = found.first, let characteristic = characteristics[handle] else {
      throw error(.characteristicNotFound, .send, of: name, detail: .undeclared)
    }
    guard found.count == 1 else { throw error(.ambiguous, .send, of: name, detail: .count(found.count)) }
    let properties = characteristic.definition.properties
    guard !properties.isDisjoint(with: [.notify, .indicate]) else {
      throw error(.notPermitted, .send, of: name, detail: .allowed(properties))
    }
    return (handle, characteristic.name)
  }

  private func handles(of name: CharacteristicName) -> [AttributeHandle] {
    characteristics.filter { $0.value.name.uuid == name.uuid && $0.value.name.service == name.service }.keys.sorted()
  }

  /// Replaces a fixed value.
  func setValue(_ bytes: [UInt8], of name: CharacteristicName) throws {
    guard let server else { throw error(.stopped, .setValue, of: name) }
    let found = handles(of: name)
    guard let handle = found.first else {
      throw error(.characteristicNotFound, .setValue, of: name, detail: .undeclared)
    }
    guard found.count == 1 else { throw error(.ambiguous, .setValue, of: name, detail: .count(found.count)) }
    do throws(RadioFailure) { try access.setValue(bytes, of: handle, by: server) } catch {
      throw self.error(error, .setValue, of: name)
    }
  }
}
