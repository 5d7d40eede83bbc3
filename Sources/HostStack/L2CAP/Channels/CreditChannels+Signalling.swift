import BluetoothTypes
import RadioPort

// What the peer signals about channels.

extension CreditChannels {
  /// The peer's answer to a wish for a channel.
  mutating func take(
    _ response: L2CAPLECreditBasedConnectionResponse,
    identifier: UInt8,
    now: RadioInstant,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) {
    guard let (index, isWanted) = opening(identifier) else { return }
    let psm = channels[index].psm
    guard response.result == .success else {
      let failure = RadioFailure(
        .refused,
        underlying: .channel(response.result),
        reason: "the peer refused a channel to \(psm): \(response.result)"
      )
      return finish(index, failure, &identifiers, &outputs)
    }
    let parameters = ChannelParameters(mtu: response.mtu, mps: response.mps, credits: response.initialCredits)
    let isTaken = channels.contains { $0.remote == response.destination }
    guard response.destination.isDynamic, !isTaken, let parameters else {
      let failure = RadioFailure(
        .protocolViolation,
        reason: "the peer opened a channel to \(psm) as \(response.destination) with an MTU of \(response.mtu) and an "
          + "MPS of \(response.mps), which can not be; its L2CAP is at fault"
      )
      outputs.append(.violation(failure.reason))
      return finish(index, failure, &identifiers, &outputs)
    }
    identifiers.release(identifier)
    let id = channels[index].id
    channels[index].open(remote: response.destination, parameters)
    if isWanted {
      outputs.append(.channel(id, .opened(.success(channels[index].limits))))
    } else {
      disconnect(index, isAwaited: false, now: now, &identifiers, &outputs)
    }
  }

  private func opening(_ identifier: UInt8) -> (index: Int, isWanted: Bool)? {
    for index in channels.indices {
      if case .opening(identifier, let isWanted) = channels[index].state { return (index, isWanted) }
    }
    return nil
  }

  private func closing(_ identifier: UInt8) -> Int? {
    channels.firstIndex { if case .closing(identifier, _) = $0.state { true } else { false } }
  }

  /// The peer gives credits.
  mutating func take(
    _ message: L2CAPFlowControlCredit,
    now: RadioInstant,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) {
    // Nothing answers an indication, not even one for a channel that does not exist.
    guard let index = channels.firstIndex(where: { $0.remote == message.channel }) else { return }
    guard message.credits > 0 else {
      return outputs.append(.violation("the peer gave 0 credits to \(message.channel); they are ignored"))
    }
    switch channels[index].state {
    case .opening, .closing: return
    case .open, .draining: break
    }
    do throws(ChannelFault) {
      try channels[index].addCredits(message.credits)
    } catch {
      return fault(index, error, now: now, &identifiers, &outputs)
    }
    advance(now: now, &identifiers, &outputs)
  }

  /// The peer ends a channel. Both ends may do that at once.
  mutating func take(
    _ request: L2CAPDisconnectionRequest,
    identifier: UInt8,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) {
    let index = channels.firstIndex { $0.local == request.destination && $0.remote.rawValue != 0 }
    guard let index else {
      let reason = L2CAPCommandReject.Reason.invalidChannel(local: request.destination, remote: request.source)
      return outputs.append(.signalling(identifier, L2CAPCommandReject(reason)))
    }
    // Where only one of the numbers fits, the request is passed over (Core 5.4, Vol 3, Part A, 4.6).
    guard channels[index].remote == request.source else {
      return outputs.append(
        .violation("the peer ended \(request.destination) as its \(request.source), which it is not; it is ignored")
      )
    }
    let response = L2CAPDisconnectionResponse(destination: request.destination, source: request.source)
    outputs.append(.signalling(identifier, response))
    finish(index, nil, &identifiers, &outputs)
  }

  /// The peer has ended a channel that was ended here.
  mutating func take(
    _ response: L2CAPDisconnectionResponse,
    identifier: UInt8,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) {
    guard let index = closing(identifier), channels[index].local == response.source,
      channels[index].remote == response.destination
    else { return }
    finish(index, nil, &identifiers, &outputs)
  }

  /// The peer does not take a command.
  mutating func take(
    _ reject: L2CAPCommandReject,
    identifier: UInt8,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) {
    if let (index, _) = opening(identifier) {
      let failure = RadioFailure(
        .unsupported,
        reason: "the peer does not know the wish for a channel to \(channels[index].psm): it has no L2CAP channels"
      )
      finish(index, failure, &identifiers, &outputs)
    } else if let index = closing(identifier) {
      // It knows nothing of the channel, so that is gone.
      finish(index, nil, &identifiers, &outputs)
    }
  }
}
