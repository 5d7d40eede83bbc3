import BluetoothTypes
import CoreBluetooth
import RadioPort

/// Who has subscribed to one characteristic, and what the framework was told.
struct Subscribers {
  struct Handler {
    let id: SubscriptionID
    let value: @Sendable ([UInt8]) -> Void
    /// Gone once it was called.
    var completion: Device.Completion<Void>?
  }

  let characteristic: CBCharacteristic
  var handlers: [Handler] = []
  /// Who waits until values are no longer sent.
  var leaving: [Device.Completion<Void>] = []
  var isOn = false
  /// What the framework was asked for and has not answered.
  var asked: Bool?

  func deliver(_ bytes: [UInt8]) {
    for handler in handlers { handler.value(bytes) }
  }

  func end(_ failure: RadioFailure) {
    for handler in handlers { handler.completion?(.failure(failure)) }
    for completion in leaving { completion(.success(())) }
  }
}

extension Device {
  func hasSubscription(_ id: SubscriptionID) -> Bool {
    subscriptions.values.contains { $0.handlers.contains { $0.id == id } }
  }

  func subscribe(
    to handle: AttributeHandle,
    _ id: SubscriptionID,
    _ value: @escaping @Sendable ([UInt8]) -> Void,
    _ completion: @escaping Completion<Void>
  ) {
    guard let characteristic = attributes.object(handle) as? CBCharacteristic else {
      let reason = "there is no characteristic \(handle): discover services again"
      return completion(.failure(RadioFailure(.invalidArgument, reason: reason)))
    }
    guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else {
      let reason = "\(characteristic.uuid) has neither notifications nor indications: read it instead"
      return completion(.failure(RadioFailure(.unsupported, reason: reason)))
    }
    var subscribers = subscriptions[handle] ?? Subscribers(characteristic: characteristic)
    subscribers.handlers.append(.init(id: id, value: value, completion: completion))
    subscriptions[handle] = subscribers
    settle(handle)
  }

  func unsubscribe(_ id: SubscriptionID, _ completion: @escaping Completion<Void>) {
    guard let handle = subscriptions.first(where: { $0.value.handlers.contains { $0.id == id } })?.key,
      let index = subscriptions[handle]?.handlers.firstIndex(where: { $0.id == id }),
      let handler = subscriptions[handle]?.handlers.remove(at: index)
    else { return completion(.success(())) }
    handler.completion?(
      .failure(RadioFailure(.invalidArgument, reason: "the subscription was ended before the peer had agreed to it"))
    )
    if subscriptions[handle]?.handlers.isEmpty == true {
      subscriptions[handle]?.leaving.append(completion)
      settle(handle)
    } else {
      completion(.success(()))
    }
  }

  /// Brings what the framework was told nearer to what is wanted.
  private func settle(_ handle: AttributeHandle) {
    guard let subscribers = subscriptions[handle], subscribers.asked == nil else { return }
    let isWanted = !subscribers.handlers.isEmpty
    if isWanted != subscribers.isOn {
      subscriptions[handle]?.asked = isWanted
      peripheral?.setNotifyValue(isWanted, for: subscribers.characteristic)
      return
    }
    if !isWanted { subscriptions[handle] = nil } else { resolve(handle, .success(())) }
    for completion in subscribers.leaving { completion(.success(())) }
    subscriptions[handle]?.leaving = []
  }

  private func resolve(_ handle: AttributeHandle, _ result: Result<Void, RadioFailure>) {
    guard let subscribers = subscriptions[handle] else { return }
    for index in subscribers.handlers.indices { subscriptions[handle]?.handlers[index].completion = nil }
    for handler in subscribers.handlers { handler.completion?(result) }
  }

  func notificationsChanged(_ characteristic: CBCharacteristic, _ error: (any Error)?) {
    guard let handle = attributes.handle(characteristic), let asked = subscriptions[handle]?.asked else { return }
    subscriptions[handle]?.asked = nil
    if error == nil {
      subscriptions[handle]?.isOn = asked
    } else if asked {
      // The handlers go with the refusal.
      let refused = subscriptions[handle]?.handlers ?? []
      subscriptions[handle]?.handlers = []
      let failure = RadioFailure(error, otherwise: .att, "the values of \(characteristic.uuid) are not sent")
      for handler in refused { handler.completion?(.failure(failure)) }
    } else {
      subscriptions[handle]?.isOn = false
    }
    settle(handle)
  }
}
