import BluetoothTypes
import RadioPort

extension GATTClient {
  // MARK: Calls

  mutating func subscribe(
    to characteristic: RemoteCharacteristic,
    subscription: SubscriptionID,
    now: RadioInstant,
    _ outputs: inout [LinkOutput]
  ) {
    if let ended { return outputs.append(.subscribed(subscription, .failure(ended))) }
    do throws(RadioFailure) {
      let index = try indexOfSubscription(to: characteristic)
      subscriptions[index].handlers.append(subscription)
      subscriptions[index].waiting.append(subscription)
      settle(index, now: now, &outputs)
    } catch {
      outputs.append(.subscribed(subscription, .failure(error)))
    }
  }

  mutating func unsubscribe(_ subscription: SubscriptionID, now: RadioInstant, _ outputs: inout [LinkOutput]) {
    guard let index = subscriptions.firstIndex(where: { $0.handlers.contains(subscription) }) else {
      // Its link or its subscription failed before; there is nothing to tell the peer.
      return outputs.append(.unsubscribed(subscription, .success(())))
    }
    subscriptions[index].handlers.removeAll { $0 == subscription }
    if let waiter = subscriptions[index].waiting.firstIndex(of: subscription) {
      subscriptions[index].waiting.remove(at: waiter)
      let failure = RadioFailure(
        .invalidArgument,
        reason: "the subscription was ended before the peer had agreed to it"
      )
      outputs.append(.subscribed(subscription, .failure(failure)))
    }
    guard !subscriptions[index].isWanted else {
      return outputs.append(.unsubscribed(subscription, .success(())))
    }
    subscriptions[index].leaving.append(subscription)
    settle(index, now: now, &outputs)
  }

  private mutating func indexOfSubscription(to characteristic: RemoteCharacteristic) throws(RadioFailure) -> Int {
    let new = try Subscription(to: characteristic)
    if let index = subscriptions.firstIndex(where: { $0.characteristic == characteristic.handle }) {
      subscriptions[index].renew(from: new)
      return index
    }
    subscriptions.append(new)
    return subscriptions.count - 1
  }

  // MARK: What the peer is told

  /// Brings what the peer was told nearer to what is wanted; called whenever either has changed.
  private mutating func settle(_ index: Int, now: RadioInstant, _ outputs: inout [LinkOutput]) {
    let handle = subscriptions[index].characteristic
    switch (subscriptions[index].state, subscriptions[index].isWanted) {
    case (.off, true): configure(index, .enabling, now: now, &outputs)
    case (.on, false) where subscriptions[index].isStale:
      // Another attribute may have taken the place of the configuration.
      resolve(index, left: .success(()), &outputs)
      subscriptions.remove(at: index)
    case (.on, false): configure(index, .disabling, now: now, &outputs)
    case (.disabling, true):
      // Not sent yet, it need not be; else it is switched on again after the reply.
      guard queue.removeFirst(where: { $0.owner == .subscription(handle) }) != nil else { return }
      subscriptions[index].state = .on
      resolve(index, left: .success(()), &outputs)
      resolve(index, agreed: .success(()), &outputs)
    case (.enabling, false):
      guard queue.removeFirst(where: { $0.owner == .subscription(handle) }) != nil else { return }
      subscriptions[index].state = .off
      resolve(index, left: .success(()), &outputs)
      subscriptions.remove(at: index)
    case (.on, true):
      // Who left while others came has nothing to wait for: the peer is to go on.
      resolve(index, left: .success(()), &outputs)
      resolve(index, agreed: .success(()), &outputs)
    case (.off, false):
      resolve(index, left: .success(()), &outputs)
      subscriptions.remove(at: index)
    case (.enabling, true): resolve(index, left: .success(()), &outputs)
    case (.disabling, false): break
    }
  }

  private mutating func configure(
    _ index: Int,
    _ state: Subscription.State,
    now: RadioInstant,
    _ outputs: inout [LinkOutput]
  ) {
    subscriptions[index].state = state
    let subscription = subscriptions[index]
    let value: [UInt8] = [state == .enabling ? subscription.bits : 0, 0]
    let write = WriteProcedure(handle: subscription.configuration, value: value)
    enqueue(ClientOperation(.subscription(subscription.characteristic), .write(write)), now: now, &outputs)
  }

  /// The write that switches a characteristic's values on or off has ended.
  mutating func finishConfiguring(
    _ handle: AttributeHandle,
    _ outcome: ClientOutcome,
    now: RadioInstant,
    _ outputs: inout [LinkOutput]
  ) {
    guard let index = subscriptions.firstIndex(where: { $0.characteristic == handle }) else { return }
    var result = Result<Void, RadioFailure>.success(())
    if case .failure(let failure) = outcome { result = .failure(failure) }
    switch (subscriptions[index].state, result) {
    case (.enabling, .success):
      subscriptions[index].state = .on
      resolve(index, agreed: result, &outputs)
    case (.enabling, .failure):
      // F22: the handlers go with the refusal.
      subscriptions[index].state = .off
      subscriptions[index].handlers = []
      subscriptions[index].isHeldByHost = false
      resolve(index, agreed: result, &outputs)
    case (.disabling, _):
      subscriptions[index].state = .off
      resolve(index, left: result, &outputs)
    case (.off, _), (.on, _): break
    }
    settle(index, now: now, &outputs)
    if handle == serviceChanged { lookAgain(now: now, &outputs) }
  }

  private mutating func resolve(_ index: Int, agreed result: Result<Void, RadioFailure>, _ outputs: inout [LinkOutput])
  {
    for waiter in subscriptions[index].waiting { outputs.append(.subscribed(waiter, result)) }
    subscriptions[index].waiting = []
  }

  private mutating func resolve(_ index: Int, left result: Result<Void, RadioFailure>, _ outputs: inout [LinkOutput]) {
    for former in subscriptions[index].leaving { outputs.append(.unsubscribed(former, result)) }
    subscriptions[index].leaving = []
  }

  mutating func endSubscriptions(_ failure: RadioFailure, _ outputs: inout [LinkOutput]) {
    for index in subscriptions.indices {
      resolve(index, agreed: .failure(failure), &outputs)
      resolve(index, left: .failure(failure), &outputs)
    }
    subscriptions = []
  }

  // MARK: Values

  /// Takes a notification or an indication, as a whole frame.
  mutating func receive(value opcode: ATTOpcode, frame: FrameBuffer, now: RadioInstant, _ outputs: inout [LinkOutput]) {
    guard ended == nil else { return }
    // An indication is confirmed whatever it holds, after its delivery: the peer must not wait for ever.
    defer { if opcode == .handleValueIndication { outputs.append(.frame(Self.confirmation, nil)) } }
    do throws(ByteError) {
      switch opcode {
      case .handleValueNotification:
        let notification = try ATTHandleValueNotification(frame: frame)
        deliver(notification.value, of: notification.handle, &outputs)
      case .handleValueIndication:
        let indication = try ATTHandleValueIndication(frame: frame)
        deliver(indication.value, of: indication.handle, &outputs)
        if indication.handle == serviceChanged { takeServiceChange(indication.value, now: now, &outputs) }
      default:
        for record in try ATTMultipleHandleValueNotification(frame: frame).records {
          deliver(record.value, of: record.handle, &outputs)
        }
      }
    } catch {
      outputs.append(.violation(RadioFailure.unreadable(opcode, error).reason))
    }
  }

  private func deliver(_ value: [UInt8], of handle: AttributeHandle, _ outputs: inout [LinkOutput]) {
    guard let index = subscriptions.firstIndex(where: { $0.characteristic == handle }) else { return }
    for handler in subscriptions[index].handlers { outputs.append(.value(handler, value)) }
  }

  // MARK: Service Changed

  /// Asks for Service Changed indications, if the peer has them (Core 5.4, Vol 3, Part G, 7.1).
  mutating func watchServices(
    _ characteristic: RemoteCharacteristic,
    now: RadioInstant,
    _ outputs: inout [LinkOutput]
  ) {
    guard let index = try? indexOfSubscription(to: characteristic) else { return }
    subscriptions[index].isHeldByHost = true
    settle(index, now: now, &outputs)
  }

  private mutating func takeServiceChange(_ value: [UInt8], now: RadioInstant, _ outputs: inout [LinkOutput]) {
    guard value.count == 4 else {
      return outputs.append(.violation("the peer's Service Changed has \(counted(value.count, "byte")) instead of 4"))
    }
    let start = UInt16(value[0]) | UInt16(value[1]) &<< 8
    let end = UInt16(value[2]) | UInt16(value[3]) &<< 8
    guard start > 0, start <= end else {
      return outputs.append(.violation("the peer's Service Changed names the handles \(start) to \(end)"))
    }
    forgetServices(start...end, now: now, &outputs)
  }

  /// The peer's services in a range of handles are not what they were.
  mutating func forgetServices(_ range: ClosedRange<UInt16>, now: RadioInstant, _ outputs: inout [LinkOutput]) {
    table = nil
    remembered = nil
    housekeeping = nil
    check = nil
    for index in subscriptions.indices
    where range.contains(subscriptions[index].characteristic.rawValue) {
      subscriptions[index].isStale = true
    }
    if !isWatching { isUnwatched = true }
    if current?.owner == .discovery, case .discover(var discovery) = current?.procedure {
      discovery.beginAgain()
      current?.procedure = .discover(discovery)
    }
    outputs.append(
      .servicesChanged(AttributeHandle(range.lowerBound)...AttributeHandle(range.upperBound))
    )
    endWaiting(for: range, now: now, &outputs)
  }

  /// What waits for its turn and means an attribute of before would reach another one that has its handle now.
  private mutating func endWaiting(for range: ClosedRange<UInt16>, now: RadioInstant, _ outputs: inout [LinkOutput]) {
    for operation in queue.removeAll(where: { $0.concerns(range) }) {
      let failure = RadioFailure(
        .invalidArgument,
        reason: "it was not sent, as the peer's services have changed meanwhile: discover them, then try again"
      )
      // The end of a subscription needs no telling: what it was to has gone.
      finish(operation, ends(operation) ? .done : .failure(failure), now: now, &outputs)
    }
  }

  private func ends(_ operation: ClientOperation) -> Bool {
    guard case .subscription(let handle) = operation.owner else { return false }
    return subscriptions.contains { $0.characteristic == handle && $0.state == .disabling }
  }
}
