#if os(tvOS) || os(watchOS)
  import BluetoothTypes
  import CoreBluetooth
  import RadioPort

  // The peripheral role of a system that has none.

  extension CoreBluetoothRadio {
    private static let missing = RadioFailure(.unsupported, reason: "this system has no peripheral role")

    var serverState: CBManagerState? { nil }

    func servedMTU(of link: LinkID) -> Int? { nil }

    func linkEnded(_ link: LinkID, _ failure: RadioFailure) {}

    func channelClosed(on link: LinkID) {}

    package func openServer(events: @escaping @Sendable (ServerEvent) -> Void) -> ServerID {
      ServerID(rawValue: next())
    }

    package func closeServer(_ server: ServerID, completion: @escaping @Sendable () -> Void) { completion() }

    package var centrals: [LinkID] { [] }

    package func publish(
      _ service: ServiceDefinition,
      by server: ServerID,
      completion: @escaping @Sendable (Result<PublishedService, RadioFailure>) -> Void
    ) { completion(.failure(Self.missing)) }

    package func withdraw(
      _ service: AttributeHandle,
      by server: ServerID,
      completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
    ) { completion(.failure(Self.missing)) }

    package func setValue(_ value: [UInt8], of attribute: AttributeHandle, by server: ServerID) throws(RadioFailure) {
      throw Self.missing
    }

    package func respond(to request: ServerRequestID, with result: Result<[UInt8], ATTErrorCode>) {}

    package func subscribers(of characteristic: AttributeHandle) -> [LinkID] { [] }

    package func update(
      _ value: [UInt8],
      of characteristic: AttributeHandle,
      to centrals: [LinkID]?,
      mode: UpdateMode,
      by server: ServerID,
      confirmed: (@Sendable (LinkID, Result<Void, RadioFailure>) -> Void)?
    ) throws(RadioFailure) -> UpdateOutcome { throw Self.missing }

    package func startAdvertising(
      _ request: AdvertisingRequest,
      by server: ServerID,
      completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
    ) { completion(.failure(Self.missing)) }

    package func stopAdvertising(by server: ServerID, completion: @escaping @Sendable () -> Void) { completion() }

    package func disconnect(
      _ central: LinkID,
      completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
    ) { completion(.failure(Self.missing)) }

    package func requestParameters(
      _ options: LinkOptions,
      of central: LinkID,
      completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
    ) { completion(.failure(Self.missing)) }
  }
#endif
