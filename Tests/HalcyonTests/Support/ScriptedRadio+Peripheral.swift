import BluetoothTypes
import RadioPort

// The scripted radio has no peripheral role.

extension ScriptedRadio {
  private static let noServer = RadioFailure(.unsupported, reason: "the scripted radio serves nothing")

  func openServer(events: @escaping @Sendable (ServerEvent) -> Void) -> ServerID { ServerID(rawValue: 0) }

  func closeServer(_ server: ServerID, completion: @escaping @Sendable () -> Void) { completion() }

  var centrals: [LinkID] { [] }

  func publish(
    _ service: ServiceDefinition,
    by server: ServerID,
    completion: @escaping @Sendable (Result<PublishedService, RadioFailure>) -> Void
  ) { completion(.failure(Self.noServer)) }

  func withdraw(
    _ service: AttributeHandle,
    by server: ServerID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) { completion(.failure(Self.noServer)) }

  func setValue(_ value: [UInt8], of attribute: AttributeHandle, by server: ServerID) throws(RadioFailure) {
    throw Self.noServer
  }

  func respond(to request: ServerRequestID, with result: Result<[UInt8], ATTErrorCode>) {}

  func subscribers(of characteristic: AttributeHandle) -> [LinkID] { [] }

  func update(
    _ value: [UInt8],
    of characteristic: AttributeHandle,
    to centrals: [LinkID]?,
    mode: UpdateMode,
    by server: ServerID,
    confirmed: (@Sendable (LinkID, Result<Void, RadioFailure>) -> Void)?
  ) throws(RadioFailure) -> UpdateOutcome { throw Self.noServer }

  func startAdvertising(
    _ request: AdvertisingRequest,
    by server: ServerID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) { completion(.failure(Self.noServer)) }

  func stopAdvertising(by server: ServerID, completion: @escaping @Sendable () -> Void) { completion() }

  func disconnect(
    _ central: LinkID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) { completion(.failure(Self.noServer)) }

  func requestParameters(
    _ options: LinkOptions,
    of central: LinkID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) { completion(.failure(Self.noServer)) }
}
