import BluetoothTypes
import RadioPort

/// The peripheral role of a radio as it is seen by who runs on its executor already: each call is made at once.
struct PeripheralAccess: Sendable {
  let radio: any PeripheralRadio
  let executor: any RadioExecutor

  init(_ radio: any PeripheralRadio) {
    self.radio = radio
    executor = radio.executor
  }

  private func enter<Result: Sendable>(_ body: @Sendable (isolated any PeripheralRadio) -> Result) -> Result {
    func open<Opened: PeripheralRadio>(_ radio: Opened) -> Result { radio.assumeIsolated { body($0) } }
    return open(radio)
  }

  var state: RadioState { enter { $0.state } }

  func observeState(_ observer: @escaping @Sendable (RadioState) -> Void) -> RadioObservation {
    enter { $0.observeState(observer) }
  }

  func endObservation(_ observation: RadioObservation) { enter { $0.endObservation(observation) } }

  func mtu(of link: LinkID) -> Int { enter { $0.mtu(of: link) } }

  var centrals: [LinkID] { enter { $0.centrals } }

  func openServer(events: @escaping @Sendable (ServerEvent) -> Void) -> ServerID {
    enter { $0.openServer(events: events) }
  }

  func closeServer(_ server: ServerID, completion: @escaping @Sendable () -> Void = {}) {
    enter { $0.closeServer(server, completion: completion) }
  }

  func publish(
    _ service: ServiceDefinition,
    by server: ServerID,
    completion: @escaping @Sendable (Result<PublishedService, RadioFailure>) -> Void
  ) {
    enter { $0.publish(service, by: server, completion: completion) }
  }

  func setValue(_ value: [UInt8], of attribute: AttributeHandle, by server: ServerID) throws(RadioFailure) {
    let result: Result<Void, RadioFailure> = enter { radio in
      Result { () throws(RadioFailure) in try radio.setValue(value, of: attribute, by: server) }
    }
    try result.get()
  }

  func respond(to request: ServerRequestID, with result: Result<[UInt8], ATTErrorCode>) {
    enter { $0.respond(to: request, with: result) }
  }

  func update(
    _ value: [UInt8],
    of characteristic: AttributeHandle,
    to central: LinkID,
    by server: ServerID,
    confirmed: @escaping @Sendable (LinkID, Result<Void, RadioFailure>) -> Void
  ) throws(RadioFailure) -> UpdateOutcome {
    let result: Result<UpdateOutcome, RadioFailure> = enter { radio in
      Result { () throws(RadioFailure) in
        try radio.update(
          value,
          of: characteristic,
          to: [central],
          mode: .asSubscribed,
          by: server,
          confirmed: confirmed
        )
      }
    }
    return try result.get()
  }

  func startAdvertising(
    _ request: AdvertisingRequest,
    by server: ServerID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) {
    enter { $0.startAdvertising(request, by: server, completion: completion) }
  }

  func stopAdvertising(by server: ServerID, completion: @escaping @Sendable () -> Void) {
    enter { $0.stopAdvertising(by: server, completion: completion) }
  }

  func disconnect(_ central: LinkID, completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void) {
    enter { $0.disconnect(central, completion: completion) }
  }

  func requestParameters(
    _ options: LinkOptions,
    of central: LinkID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) {
    enter { $0.requestParameters(options, of: central, completion: completion) }
  }
}
