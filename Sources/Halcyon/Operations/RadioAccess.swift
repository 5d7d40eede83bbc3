import BluetoothTypes
import RadioPort

/// The radio as it is seen by who runs on its executor already: each call is made at once.
struct RadioAccess: Sendable {
  let radio: any CentralRadio
  let executor: any RadioExecutor

  init(_ radio: any CentralRadio) {
    self.radio = radio
    executor = radio.executor
  }

  private func enter<Result: Sendable>(_ body: @Sendable (isolated any CentralRadio) -> Result) -> Result {
    func open<Opened: CentralRadio>(_ radio: Opened) -> Result { radio.assumeIsolated { body($0) } }
    return open(radio)
  }

  var state: RadioState { enter { $0.state } }

  func observeState(_ observer: @escaping @Sendable (RadioState) -> Void) -> RadioObservation {
    enter { $0.observeState(observer) }
  }

  func endObservation(_ observation: RadioObservation) { enter { $0.endObservation(observation) } }

  func startScan(
    _ request: ScanRequest,
    sighting: @escaping @Sendable (Sighting) -> Void,
    ended: @escaping @Sendable (RadioFailure) -> Void
  ) -> ScanID {
    enter { $0.startScan(request, sighting: sighting, ended: ended) }
  }

  func stopScan(_ scan: ScanID) { enter { $0.stopScan(scan) } }

  func connect(
    to peer: PeerID,
    options: LinkOptions,
    events: @escaping @Sendable (LinkEvent) -> Void,
    completion: @escaping @Sendable (Result<LinkID, RadioFailure>) -> Void
  ) -> ClaimID {
    enter { $0.connect(to: peer, options: options, events: events, completion: completion) }
  }

  func release(_ claim: ClaimID, completion: @escaping @Sendable () -> Void = {}) {
    enter { $0.release(claim, completion: completion) }
  }

  func knownPeers(among peers: [PeerID]) -> [KnownPeer] { enter { $0.knownPeers(among: peers) } }

  func connectedPeers(
    offering services: [BluetoothUUID],
    completion: @escaping @Sendable ([KnownPeer]) -> Void
  ) {
    enter { $0.connectedPeers(offering: services, completion: completion) }
  }

  /// A number by chance that is at least 0 and less than 1.
  var chance: Double { enter { Double($0.randomNumber() &>> 11) * 0x1p-53 } }

  func mtu(of link: LinkID) -> Int { enter { $0.mtu(of: link) } }

  func readRSSI(
    of link: LinkID,
    completion: @escaping @Sendable (Result<Int, RadioFailure>) -> Void
  ) -> RequestID {
    enter { $0.readRSSI(of: link, completion: completion) }
  }

  func discover(
    _ services: [BluetoothUUID]?,
    on link: LinkID,
    completion: @escaping @Sendable (Result<[RemoteService], RadioFailure>) -> Void
  ) -> RequestID {
    enter { $0.discover(services, on: link, completion: completion) }
  }

  func read(
    _ attribute: AttributeHandle,
    on link: LinkID,
    completion: @escaping @Sendable (Result<[UInt8], RadioFailure>) -> Void
  ) -> RequestID {
    enter { $0.read(attribute, on: link, completion: completion) }
  }

  func write(
    _ value: [UInt8],
    to attribute: AttributeHandle,
    on link: LinkID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> RequestID {
    enter { $0.write(value, to: attribute, on: link, completion: completion) }
  }

  func writeWithoutResponse(
    _ value: [UInt8],
    to attribute: AttributeHandle,
    on link: LinkID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> RequestID {
    enter { $0.writeWithoutResponse(value, to: attribute, on: link, completion: completion) }
  }

  func abandon(_ request: RequestID) { enter { $0.abandon(request) } }

  func subscribe(
    to characteristic: RemoteCharacteristic,
    on link: LinkID,
    handler: @escaping @Sendable ([UInt8]) -> Void,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> SubscriptionID {
    enter { $0.subscribe(to: characteristic, on: link, handler: handler, completion: completion) }
  }

  func unsubscribe(_ subscription: SubscriptionID) {
    enter { $0.unsubscribe(subscription, completion: { _ in }) }
  }
}
