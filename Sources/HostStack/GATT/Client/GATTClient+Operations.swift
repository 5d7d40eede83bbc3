import BluetoothTypes
import RadioPort

extension GATTClient {
  // MARK: Calls

  mutating func exchangeMTU(_ request: RequestID?, now: RadioInstant, _ outputs: inout [LinkOutput]) {
    if let ended {
      if let request { outputs.append(.finished(request, .mtu(.failure(ended)))) }
      return
    }
    guard exchange != .over else {
      if let request { outputs.append(.finished(request, .mtu(.success(mtu)))) }
      return
    }
    if let request { exchangeWaiters.append(request) }
    guard exchange == .untried else { return }
    exchange = .underWay
    enqueue(ClientOperation(.mtu, .exchangeMTU), now: now, &outputs)
  }

  mutating func read(
    _ attribute: AttributeHandle,
    request: RequestID,
    now: RadioInstant,
    _ outputs: inout [LinkOutput]
  ) {
    if let ended { return outputs.append(.finished(request, .value(.failure(ended)))) }
    enqueue(ClientOperation(.request(request), .read(ReadProcedure(handle: attribute))), now: now, &outputs)
  }

  mutating func read(
    _ attributes: [AttributeHandle],
    lengths: [Int]?,
    request: RequestID,
    now: RadioInstant,
    _ outputs: inout [LinkOutput]
  ) {
    if let ended { return outputs.append(.finished(request, .values(.failure(ended)))) }
    let procedure = ReadMultipleProcedure(handles: attributes, lengths: lengths)
    enqueue(ClientOperation(.request(request), .readMultiple(procedure)), now: now, &outputs)
  }

  mutating func write(
    _ value: [UInt8],
    to attribute: AttributeHandle,
    request: RequestID,
    now: RadioInstant,
    _ outputs: inout [LinkOutput]
  ) {
    if let ended { return outputs.append(.finished(request, .done(.failure(ended)))) }
    guard value.count <= ReadProcedure.longestValue else {
      let failure = WriteProcedure.tooLong(value.count, attribute)
      return outputs.append(.finished(request, .done(.failure(failure))))
    }
    let procedure = WriteProcedure(handle: attribute, value: value)
    enqueue(ClientOperation(.request(request), .write(procedure)), now: now, &outputs)
  }

  mutating func writeWithoutResponse(
    _ value: [UInt8],
    to attribute: AttributeHandle,
    request: RequestID,
    _ outputs: inout [LinkOutput]
  ) {
    if let ended { return outputs.append(.finished(request, .done(.failure(ended)))) }
    let limit = min(mtu - 3, ReadProcedure.longestValue)
    guard value.count <= limit else {
      let failure = RadioFailure(
        .tooLong,
        reason: "\(value.count) bytes are too long for a write without response to attribute \(attribute): "
          + "the link takes \(limit); write with response, or in pieces"
      )
      return outputs.append(.finished(request, .done(.failure(failure))))
    }
    commands.append(request)
    let command = ATTWriteCommand(handle: attribute, value: value)
    outputs.append(.frame(FrameBuffer(.att, capacity: value.count &+ 3, command), .write(request)))
  }

  mutating func commandSent(_ request: RequestID, _ outputs: inout [LinkOutput]) {
    // One that was abandoned or has failed is not waited for any more.
    guard commands.removeFirst(where: { $0 == request }) != nil else { return }
    outputs.append(.finished(request, .done(.success(()))))
  }

  mutating func discover(
    _ services: [BluetoothUUID]?,
    request: RequestID,
    now: RadioInstant,
    _ outputs: inout [LinkOutput]
  ) {
    if let ended { return outputs.append(.finished(request, .services(.failure(ended)))) }
    if let table {
      return outputs.append(.finished(request, .services(.success(Self.filter(table, services)))))
    }
    discoveryWaiters.append((request, services))
    if current?.owner == .discovery {
      // It may have been given up by all who waited, but its last reply has not come.
      current?.isAbandoned = false
    } else if !queue.contains(where: { $0.owner == .discovery }) {
      exchangeMTU(nil, now: now, &outputs)
      // What is remembered is worth something only if the peer says so; see ``RememberedDatabase``.
      let isRemembered = remembered?.hash != nil
      let procedure =
        isRemembered ? ClientOperation.Procedure.readHash : .discover(DiscoveryProcedure())
      enqueue(ClientOperation(.discovery, procedure), now: now, &outputs)
    }
  }

  private static func filter(_ table: [RemoteService], _ services: [BluetoothUUID]?) -> [RemoteService] {
    guard let services else { return table }
    return table.filter { services.contains($0.uuid) }
  }

  // MARK: Giving up

  mutating func abandon(_ request: RequestID, _ outputs: inout [LinkOutput]) {
    if current?.owner == .request(request) {
      current?.isAbandoned = true
    } else if queue.removeFirst(where: { $0.owner == .request(request) }) != nil {
      return
    } else if commands.removeFirst(where: { $0 == request }) != nil {
      outputs.append(.withdraw(.write(request)))
    } else if let index = discoveryWaiters.firstIndex(where: { $0.request == request }) {
      discoveryWaiters.remove(at: index)
      guard discoveryWaiters.isEmpty else { return }
      if current?.owner == .discovery {
        current?.isAbandoned = true
      } else {
        _ = queue.removeFirst { $0.owner == .discovery }
      }
    } else {
      exchangeWaiters.removeAll { $0 == request }
    }
  }

  // MARK: Ends

  mutating func finish(
    _ operation: ClientOperation,
    _ outcome: ClientOutcome,
    now: RadioInstant,
    _ outputs: inout [LinkOutput]
  ) {
    switch operation.owner {
    case .request(let request):
      if !operation.isAbandoned { report(request, operation.procedure, outcome, &outputs) }
      // The owner has had what it wanted first.
      keepHouse(now: now, &outputs)
    case .housekeeping: finishHousekeeping(operation, outcome, now: now, &outputs)
    case .mtu: finishExchange(&outputs)
    case .discovery: finishDiscovery(operation, outcome, now: now, &outputs)
    case .subscription(let handle): finishConfiguring(handle, outcome, now: now, &outputs)
    }
  }

  /// A reply that could not be used leaves the MTU as it was, like a refusal.
  private mutating func finishExchange(_ outputs: inout [LinkOutput]) {
    exchange = .over
    for request in exchangeWaiters { outputs.append(.finished(request, .mtu(.success(mtu)))) }
    exchangeWaiters = []
  }

  private mutating func finishDiscovery(
    _ operation: ClientOperation,
    _ outcome: ClientOutcome,
    now: RadioInstant,
    _ outputs: inout [LinkOutput]
  ) {
    if case .readHash = operation.procedure {
      return finishHashCheck(outcome, isAbandoned: operation.isAbandoned, now: now, &outputs)
    }
    guard !operation.isAbandoned else { return }
    if case .discover(let procedure) = operation.procedure {
      for note in procedure.notes { outputs.append(.violation(note)) }
    }
    switch outcome {
    case .services(let services): adopt(services, hash: nil, now: now, &outputs)
    case .failure(let failure):
      let waiters = discoveryWaiters
      discoveryWaiters = []
      for waiter in waiters {
        outputs.append(.finished(waiter.request, .services(.failure(failure))))
      }
    case .done, .value, .values: break
    }
  }

  /// These are the peer's services: who waits gets them.
  ///
  /// - Parameter hash: The hash that the peer has just shown, if it has.
  mutating func adopt(
    _ services: [RemoteService],
    hash: DatabaseHash?,
    now: RadioInstant,
    _ outputs: inout [LinkOutput]
  ) {
    table = services
    let waiters = discoveryWaiters
    discoveryWaiters = []
    for waiter in waiters {
      outputs.append(
        .finished(waiter.request, .services(.success(Self.filter(services, waiter.services))))
      )
    }
    beginHousekeeping(services, hash: hash, now: now, &outputs)
  }
}
