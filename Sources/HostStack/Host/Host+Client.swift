import BluetoothTypes
import RadioPort

// Requests on links, and what the links say.

extension Host {
  /// The longest ATT PDU on a link, in bytes; 23 until exchanged and for a link that is gone.
  package func mtu(of id: LinkID) -> Int { openIndex(of: id).map { links[$0].link.mtu } ?? 23 }

  /// Measures the strength of a link in dBm.
  package mutating func readRSSI(of id: LinkID, now: RadioInstant) -> RequestID {
    let request = RequestID(rawValue: nextNumber())
    guard let index = openIndex(of: id) else {
      emit(.rssi(request, .failure(goneFailure)))
      return request
    }
    links[index].rssi.append(request)
    let handle = links[index].handle
    commands.enqueue(ReadRSSI(handle: handle), .readRSSI(request), about: handle)
    settle(now)
    return request
  }

  mutating func rssiAnswered(_ request: RequestID, _ answer: CommandAnswer) {
    guard let index = links.firstIndex(where: { $0.rssi.contains(request) }) else { return }
    links[index].rssi.removeAll { $0 == request }
    let address = links[index].address
    guard answer.status == .success else {
      let reason = "the controller can not tell the strength of the link to \(address): \(answer.status)"
      return emit(.rssi(request, .failure(Self.refusal(answer.status, reason: reason))))
    }
    guard let value = try? answer.decode(as: ReadRSSI.self).rssi, value != 127 else {
      let reason = "the controller does not know the strength of the link to \(address); try again"
      return emit(.rssi(request, .failure(RadioFailure(.controller, reason: reason))))
    }
    emit(.rssi(request, .success(Int(value))))
  }

  package mutating func discover(_ services: [BluetoothUUID]?, on id: LinkID, now: RadioInstant) -> RequestID {
    let request = RequestID(rawValue: nextNumber())
    if let index = openIndex(of: id) {
      links[index].link.discover(services, request: request, now: now)
      settle(now)
    } else {
      emit(.discovered(request, .failure(goneFailure)))
    }
    return request
  }

  package mutating func read(_ attribute: AttributeHandle, on id: LinkID, now: RadioInstant) -> RequestID {
    let request = RequestID(rawValue: nextNumber())
    if let index = openIndex(of: id) {
      links[index].link.read(attribute, request: request, now: now)
      settle(now)
    } else {
      emit(.read(request, .failure(goneFailure)))
    }
    return request
  }

  /// Reads several values, whole; see ``HostLink/read(_:lengths:request:now:)``.
  package mutating func read(
    _ attributes: [AttributeHandle],
    lengths: [Int]? = nil,
    on id: LinkID,
    now: RadioInstant
  ) -> RequestID {
    let request = RequestID(rawValue: nextNumber())
    if let index = openIndex(of: id) {
      links[index].link.read(attributes, lengths: lengths, request: request, now: now)
      settle(now)
    } else {
      emit(.readSeveral(request, .failure(goneFailure)))
    }
    return request
  }

  package mutating func write(
    _ value: [UInt8],
    to attribute: AttributeHandle,
    on id: LinkID,
    now: RadioInstant
  ) -> RequestID {
    let request = RequestID(rawValue: nextNumber())
    if let index = openIndex(of: id) {
      links[index].link.write(value, to: attribute, request: request, now: now)
      settle(now)
    } else {
      emit(.wrote(request, .failure(goneFailure)))
    }
    return request
  }

  package mutating func writeWithoutResponse(
    _ value: [UInt8],
    to attribute: AttributeHandle,
    on id: LinkID,
    now: RadioInstant
  ) -> RequestID {
    let request = RequestID(rawValue: nextNumber())
    if let index = openIndex(of: id) {
      links[index].link.writeWithoutResponse(value, to: attribute, request: request)
      settle(now)
    } else {
      emit(.wrote(request, .failure(goneFailure)))
    }
    return request
  }

  /// The result of a request is not wanted any more; no event will bring it.
  package mutating func abandon(_ request: RequestID, now: RadioInstant) {
    for index in links.indices {
      links[index].rssi.removeAll { $0 == request }
      links[index].link.abandon(request)
    }
    settle(now)
  }

  package mutating func subscribe(
    to characteristic: RemoteCharacteristic,
    on id: LinkID,
    now: RadioInstant
  ) -> SubscriptionID {
    let subscription = SubscriptionID(rawValue: nextNumber())
    if let index = openIndex(of: id) {
      subscriptions[subscription] = id
      links[index].link.subscribe(to: characteristic, subscription: subscription, now: now)
      settle(now)
    } else {
      emit(.subscribed(subscription, .failure(goneFailure)))
    }
    return subscription
  }

  package mutating func unsubscribe(_ subscription: SubscriptionID, now: RadioInstant) {
    guard let id = subscriptions.removeValue(forKey: subscription), let index = openIndex(of: id) else {
      // It went with its link, or it failed: there is nobody to ask.
      return emit(.unsubscribed(subscription, .success(())))
    }
    links[index].link.unsubscribe(subscription, now: now)
    settle(now)
  }

  /// Asks the peer for a longer MTU, if nobody has on this link; `centralMTU` tells what holds then.
  package mutating func exchangeMTU(on id: LinkID, now: RadioInstant) {
    guard let index = openIndex(of: id) else { return }
    links[index].link.exchangeMTU(now: now)
    settle(now)
  }

  /// As central, asks the controller for other parameters; as peripheral, the central.
  ///
  /// - Throws: `.notConnected`, and `.invalidArgument` for what is out of range.
  package mutating func updateParameters(
    of id: LinkID,
    to options: LinkOptions,
    now: RadioInstant
  ) throws(RadioFailure) {
    guard let index = openIndex(of: id) else { throw goneFailure }
    let wished = ConnectionParameters(options)
    if links[index].link.role == .central {
      update(index, wished)
    } else {
      try links[index].link.requestParameterUpdate(
        L2CAPConnectionParameterUpdateRequest(
          intervalMin: wished.intervalMin,
          intervalMax: wished.intervalMax,
          latency: wished.latency,
          timeout: wished.timeout
        ),
        now: now
      )
    }
    settle(now)
  }

  // MARK: Out of the links

  mutating func drainLinks(_ now: RadioInstant) {
    var isQuiet: Bool
    repeat {
      isQuiet = true
      for index in links.indices where !links[index].link.outputs.isEmpty {
        isQuiet = false
        drain(index, now)
      }
      if server.hasOutputs {
        isQuiet = false
        drainServer(now)
      }
    } while !isQuiet
  }

  mutating func drain(_ index: Int, _ now: RadioInstant) {
    var taken: [LinkOutput] = []
    swap(&taken, &scratch)
    swap(&taken, &links[index].link.outputs)
    // Taken from the end they are moved: such an output costs more to copy than to handle.
    if taken.count > 1 { taken.reverse() }
    while let output = taken.popLast() { take(output, index, now) }
    scratch = taken
  }

  private mutating func take(_ output: LinkOutput, _ index: Int, _ now: RadioInstant) {
    switch output {
    case .frame(let frame, let token):
      send(frame, token, index, now)
    case .withdraw(let token): data.withdraw(token, on: links[index].handle)
    case .finished(let request, let result):
      if case .services = result { announceServices(index) }
      finished(request, result)
    case .subscribed(let subscription, let result):
      if case .failure = result { subscriptions[subscription] = nil }
      emit(.subscribed(subscription, result))
    case .unsubscribed(let subscription, let result): emit(.unsubscribed(subscription, result))
    case .value(let subscription, let bytes): emit(.value(subscription, bytes))
    case .mtuChanged(let mtu):
      server.setMTU(mtu, of: links[index].id)
      tell(index, .mtuChanged(mtu))
      if links[index].isServed { emit(.centralMTU(links[index].id, mtu)) }
    case .parameterUpdateRequested(let wished):
      update(
        index,
        ConnectionParameters(
          intervalMin: wished.intervalMin,
          intervalMax: wished.intervalMax,
          latency: wished.latency,
          timeout: wished.timeout
        )
      )
    case .parameterUpdateAnswered(let result): emit(.parametersAnswered(links[index].id, result))
    case .databaseKnown(let database): gattCache.store(database, of: links[index].address)
    case .servicesChanged(let range):
      gattCache.forget(links[index].address)
      tell(index, .servicesChanged(range))
    case .channelRequested(let identifier, let request):
      channelRequested(request, identifier, index)
    case .channel(let id, let news): take(news, of: id)
    case .serverPDU(let pdu): receive(pdu, index, now)
    case .violation(let text): report(.peer, "\(links[index].address): \(text)")
    case .dropLink(let failure): drop(index, failure, now)
    }
  }

  private mutating func send(_ frame: FrameBuffer, _ token: FrameToken?, _ index: Int, _ now: RadioInstant) {
    guard links[index].isOpen, !data.enqueue(frame, on: links[index].handle, token: token) else { return }
    let failure = RadioFailure(
      .disconnected,
      reason: "the link to \(links[index].address) was ended here: \(ACLScheduler.answerLimit) answers wait for it, as "
        + "the peer asks ever more and takes none of them"
    )
    report(.peer, failure.reason)
    drop(index, failure, now)
  }

  private mutating func finished(_ request: RequestID, _ result: LinkResult) {
    switch result {
    case .services(let services): emit(.discovered(request, services))
    case .value(let value): emit(.read(request, value))
    case .values(let values): emit(.readSeveral(request, values))
    case .done(let done): emit(.wrote(request, done))
    case .mtu: break
    }
  }
}
