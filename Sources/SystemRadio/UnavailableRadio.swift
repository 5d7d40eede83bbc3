import BluetoothTypes
import RadioPort

/// The radio of a system that has none, or of a program that may not use it: with a reason that says what to do, which
/// every operation fails with too.
package actor UnavailableRadio: CentralRadio, PeripheralRadio {
  package nonisolated let executor: any RadioExecutor
  package let state: RadioState
  let failure: RadioFailure
  private var count: UInt64 = 0
  private var scans: Set<ScanID> = []

  /// - Parameters:
  ///   - power: The state that it has for ever.
  ///   - reason: Why there is no radio and what to do.
  package init(
    executor: any RadioExecutor = PollLoop(),
    power: RadioState.Power = .unsupported,
    reason: String
  ) {
    self.executor = executor
    state = RadioState(power, reason: reason)
    let kind: RadioFailure.Kind =
      switch power {
      case .unauthorized: .unauthorized
      case .unsupported: .unsupported
      default: .poweredOff
      }
    failure = RadioFailure(kind, reason: reason)
  }

  package func observeState(_ observer: @escaping @Sendable (RadioState) -> Void) -> RadioObservation {
    RadioObservation(rawValue: next())
  }

  package func endObservation(_ observation: RadioObservation) {}

  package func startScan(
    _ request: ScanRequest,
    sighting: @escaping @Sendable (Sighting) -> Void,
    ended: @escaping @Sendable (RadioFailure) -> Void
  ) -> ScanID {
    let scan = ScanID(rawValue: next())
    scans.insert(scan)
    // In a turn of its own, so that the caller knows the scan's name by then.
    executor.submit {
      self.assumeIsolated { radio in
        if radio.scans.remove(scan) != nil { ended(radio.failure) }
      }
    }
    return scan
  }

  package func stopScan(_ scan: ScanID) { scans.remove(scan) }

  package func connect(
    to peer: PeerID,
    options: LinkOptions,
    events: @escaping @Sendable (LinkEvent) -> Void,
    completion: @escaping @Sendable (Result<LinkID, RadioFailure>) -> Void
  ) -> ClaimID {
    completion(.failure(failure))
    return ClaimID(rawValue: next())
  }

  package func release(_ claim: ClaimID, completion: @escaping @Sendable () -> Void) { completion() }

  package func mtu(of link: LinkID) -> Int { 23 }

  package func readRSSI(
    of link: LinkID,
    completion: @escaping @Sendable (Result<Int, RadioFailure>) -> Void
  ) -> RequestID { refuse(completion) }

  package func discover(
    _ services: [BluetoothUUID]?,
    on link: LinkID,
    completion: @escaping @Sendable (Result<[RemoteService], RadioFailure>) -> Void
  ) -> RequestID { refuse(completion) }

  package func read(
    _ attribute: AttributeHandle,
    on link: LinkID,
    completion: @escaping @Sendable (Result<[UInt8], RadioFailure>) -> Void
  ) -> RequestID { refuse(completion) }

  package func write(
    _ value: [UInt8],
    to attribute: AttributeHandle,
    on link: LinkID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> RequestID { refuse(completion) }

  package func writeWithoutResponse(
    _ value: [UInt8],
    to attribute: AttributeHandle,
    on link: LinkID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> RequestID { refuse(completion) }

  package func abandon(_ request: RequestID) {}

  package func subscribe(
    to characteristic: RemoteCharacteristic,
    on link: LinkID,
    handler: @escaping @Sendable ([UInt8]) -> Void,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> SubscriptionID {
    completion(.failure(failure))
    return SubscriptionID(rawValue: next())
  }

  package func unsubscribe(
    _ subscription: SubscriptionID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) { completion(.failure(failure)) }

  private func refuse<Value>(_ completion: @Sendable (Result<Value, RadioFailure>) -> Void) -> RequestID {
    completion(.failure(failure))
    return RequestID(rawValue: next())
  }

  func next() -> UInt64 {
    count &+= 1
    return count
  }
}
