import BluetoothTypes

/// What a radio can do in the peripheral role: serve values, and advertise.
///
/// The rules are those of ``CentralRadio``: a completion is called exactly once, for each call, whatever happens, and
/// perhaps before the method returns; all closures are called on the radio's executor. Besides:
/// - Several owners share the radio's one database and its advertising. Each opens a server and has what it publishes to
///   itself: requests and subscriptions are told to the owner of the value, centrals that come and go to all owners.
/// - The owner answers each request exactly once, in any order. A second answer, and one that nobody waits for any
///   more, is ignored. Requests of one central other than writes without response come one at a time.
/// - What is published stays when the radio goes off and is there again when it comes back; advertising ends.
/// - Values longer than a link takes are refused, never cut.
public protocol PeripheralRadio: ChannelRadio {
  // MARK: Owners

  /// Begins to serve. `events` is called for all that happens from now on, until `closeServer`; of the centrals that are
  /// there already ``centrals`` tells.
  func openServer(events: @escaping @Sendable (ServerEvent) -> Void) -> ServerID

  /// Ends a server: its advertising stops, its services are withdrawn, its requests are refused, and none of its events
  /// comes any more. With the last server the links of centrals that nobody else wants are ended.
  ///
  /// - Parameter completion: Called once, when all that is done.
  func closeServer(_ server: ServerID, completion: @escaping @Sendable () -> Void)

  /// The links over which the services are used, oldest first.
  var centrals: [LinkID] { get }

  // MARK: Services

  /// Adds a service behind all others. Centrals that have asked for it are told that the services have changed.
  ///
  /// - Parameter completion: Called once with the handles, or with the failure: `.invalidArgument` for a definition that
  ///   makes no sense or includes a service that is not there, `.tooLong` for a stored value of more than 512 bytes,
  ///   `.busy` if no handles are left.
  func publish(
    _ service: ServiceDefinition,
    by server: ServerID,
    completion: @escaping @Sendable (Result<PublishedService, RadioFailure>) -> Void
  )

  /// Removes a service of the owner's, named by its handle. Its requests are refused and told to have ended, its
  /// subscriptions end, and centrals that have asked for it are told that the services have changed. Services that
  /// include it lose the reference.
  ///
  /// - Parameter completion: Called once; `.invalidArgument` if the owner has no such service.
  func withdraw(
    _ service: AttributeHandle,
    by server: ServerID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  )

  /// Replaces a value that the radio keeps. Who has subscribed to it is not told by this alone.
  ///
  /// - Throws: `.invalidArgument` if the owner has no such attribute or it is not stored; `.tooLong` above 512 bytes.
  func setValue(_ value: [UInt8], of attribute: AttributeHandle, by server: ServerID) throws(RadioFailure)

  // MARK: Requests

  /// Answers a request: with the value for a read, from the request's offset on; with anything for a write; or with the
  /// error that the central gets.
  func respond(to request: ServerRequestID, with result: Result<[UInt8], ATTErrorCode>)

  // MARK: Values that are sent

  /// The centrals that have subscribed to a characteristic, in the order in which they connected.
  func subscribers(of characteristic: AttributeHandle) -> [LinkID]

  /// Sends a value to those who have subscribed to it: to all of them or, if there is no room for one, to nobody. Check
  /// and send are one step.
  ///
  /// - Parameters:
  ///   - centrals: Whom to send it to, as far as they have subscribed; `nil` for all who have.
  ///   - mode: In which way to send it.
  ///   - confirmed: Called once for each central to which the value is indicated: when it has confirmed it, or with the
  ///     reason that it never will. Called for nobody if this throws or nothing is sent.
  /// - Throws: `.tooLong` if the value is longer than one of the links takes, which is its MTU less 3, and at most
  ///   512 bytes; `.poweredOff`; `.invalidArgument` if the owner has no such characteristic.
  func update(
    _ value: [UInt8],
    of characteristic: AttributeHandle,
    to centrals: [LinkID]?,
    mode: UpdateMode,
    by server: ServerID,
    confirmed: (@Sendable (LinkID, Result<Void, RadioFailure>) -> Void)?
  ) throws(RadioFailure) -> UpdateOutcome

  /// Notifies values of several characteristics at once to those who have subscribed to notifications of them, each
  /// central those that it has: in one packet where a central takes that and they fit, so that they belong together
  /// (Core 5.4, Vol 3, Part F, 3.4.7.4). All are sent to all or, if there is no room for one central, nothing to
  /// anybody.
  ///
  /// - Throws: As the other `update`; `.unsupported` if the radio sends one value at a time.
  func update(
    _ values: [ValueUpdate],
    to centrals: [LinkID]?,
    by server: ServerID
  ) throws(RadioFailure) -> UpdateOutcome

  // MARK: Advertising

  /// Advertises until `stopAdvertising`; what the owner advertised before is replaced, or goes on if this fails: if it
  /// can not go on, the owner is told `.advertisingEnded` after the failure. Where the radio has one advertisement for
  /// all, what several owners ask for is put together.
  ///
  /// - Parameter completion: Called once, when it is on the air, or with the failure: `.tooLong` if it does not fit,
  ///   `.busy` if it can not be put together with what another owner advertises, `.unsupported`, `.controller`,
  ///   `.poweredOff`.
  func startAdvertising(
    _ request: AdvertisingRequest,
    by server: ServerID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  )

  /// Stops what the owner advertises; links stay.
  ///
  /// - Parameter completion: Called once, when it is off the air. A start that is pending ends with `.invalidArgument`.
  func stopAdvertising(by server: ServerID, completion: @escaping @Sendable () -> Void)

  // MARK: Links

  /// Ends the link to a central, for all owners.
  ///
  /// - Parameter completion: Called once: when the link is ended, or with `.notConnected`, or `.unsupported`.
  func disconnect(_ central: LinkID, completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void)

  /// Asks a central for other connection parameters; see ``LinkLatency`` for usual ones.
  ///
  /// - Parameter completion: Called once with the central's answer, which is `.refused` if it says no or nothing.
  ///   `.invalidArgument` for what is out of range.
  func requestParameters(
    _ options: LinkOptions,
    of central: LinkID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  )
}

extension PeripheralRadio {
  /// Throws `.unsupported`.
  public func update(
    _ values: [ValueUpdate],
    to centrals: [LinkID]?,
    by server: ServerID
  ) throws(RadioFailure) -> UpdateOutcome {
    throw RadioFailure(
      .unsupported,
      reason: "this radio sends one value at a time: send each by itself"
    )
  }
}

/// A new value of one characteristic.
public struct ValueUpdate: Hashable, Sendable {
  /// The characteristic's value.
  public var characteristic: AttributeHandle
  /// The bytes.
  public var value: [UInt8]

  /// Makes an update.
  public init(_ value: [UInt8], of characteristic: AttributeHandle) {
    self.value = value
    self.characteristic = characteristic
  }
}

/// How quickly a link is to react, against how much power it takes.
public enum LinkLatency: Hashable, Sendable, CaseIterable {
  /// Quickly: 15 to 30 ms from one chance to send to the next.
  case low
  /// In between: 60 to 90 ms.
  case medium
  /// Sparingly: 300 to 375 ms, and the peripheral may leave out three of four chances.
  case high

  /// The parameters to ask for.
  public var options: LinkOptions {
    switch self {
    case .low: LinkOptions(interval: .milliseconds(15) ... .milliseconds(30), supervisionTimeout: .seconds(4))
    case .medium: LinkOptions(interval: .milliseconds(60) ... .milliseconds(90), supervisionTimeout: .seconds(5))
    case .high:
      LinkOptions(interval: .milliseconds(300) ... .milliseconds(375), latency: 3, supervisionTimeout: .seconds(6))
    }
  }
}
