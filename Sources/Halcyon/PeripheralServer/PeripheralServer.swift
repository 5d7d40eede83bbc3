import BluetoothTypes
import RadioPort

/// The peripheral role of a radio: serves values to centrals and advertises.
///
/// ```swift
/// let server = PeripheralServer(advertising: .init(name: "Pulse")) {
///   Service(.heartRate) {
///     Notifying(.heartRateMeasurement)
///     Readable(.bodySensorLocation) { .chest }
///     Writable(.heartRateControlPoint) { command in … }
///   }
/// }
/// try await server.start()
/// try await server.send(HeartRateMeasurement(beatsPerMinute: 72), on: .heartRateMeasurement)
/// ```
/// Several servers can share one radio; each has its own services, and each hears of all centrals. A server stops when
/// the last reference to it goes.
public final class PeripheralServer: Sendable {
  let core: ServerCore

  /// A server on a radio of your choice, such as that of a virtual world.
  ///
  /// - Parameters:
  ///   - advertising: What it says of itself once it has started.
  ///   - services: What it serves. Mistakes in it are told by ``start(timeout:)``.
  public init(
    advertising: Advertising = .init(),
    _ configuration: Configuration = .init(),
    radio: any Radio,
    @ServiceBuilder services: () -> [Service]
  ) {
    core = ServerCore(radio: radio, advertising: advertising, configuration: configuration, services: services())
  }

  /// What the server does where the caller says nothing else.
  public var configuration: Configuration { core.configuration }

  /// The radio's clock, on which all time limits run.
  public var clock: RadioClock { core.executor.clock }

  // MARK: Starting and stopping

  /// Where the server stands.
  public var state: State { core.states.current ?? .stopped(nil) }

  /// The state: the current one first, then each change. A slow reader gets the newest only. Ends with the server.
  public var states: Updates<State> { Updates(hub: core.states) }

  /// Waits for the radio, publishes all services and, when every one of them is there, advertises. Does nothing if the
  /// server runs. If it fails or is cancelled, nothing is left behind.
  ///
  /// - Throws: ``BluetoothError`` of the kinds `.poweredOff`, `.unauthorized`, `.unsupported`, `.timedOut`;
  ///   `.invalidArgument` for a declaration that makes no sense; `.tooLong` if what is to be advertised does not fit;
  ///   `.busy` if it starts already, or another owner of the radio advertises what contradicts it; `.stopped` if it was
  ///   stopped meanwhile. `CancellationError`.
  public func start(timeout: Timeout = .default) async throws { try await core.start(timeout: timeout) }

  /// Stops advertising, takes the services back and returns when the server is off the air. Handlers are cancelled,
  /// sends that wait fail with `.stopped`, and channels are closed.
  public func stop() async { await core.stop() }

  /// Advertises something else from now on. If that is not possible, or the call is cancelled or takes too long, what was
  /// advertised goes on; if even that can not be, ``state`` becomes `.suspended` with the reason.
  ///
  /// - Throws: ``BluetoothError`` as ``start(timeout:)``; `.stopped` if the server does not run.
  public func advertise(_ advertising: Advertising, timeout: Timeout = .default) async throws {
    try await core.advertise(advertising, timeout: timeout)
  }

  // MARK: Centrals

  /// The centrals that are connected, oldest first.
  public var connectedCentrals: [ConnectedCentral] { core.centrals.current ?? [] }

  /// The centrals that are connected: those of now first, then again after each change. A slow reader gets the newest
  /// only. Ends with the server.
  public var centrals: Updates<[ConnectedCentral]> { Updates(hub: core.centrals) }

  /// Who has subscribed to what now.
  public var currentSubscriptions: [Subscription] { core.subscriptions.current ?? [] }

  /// Who has subscribed to what: as it is first, then again after each change. A slow reader gets the newest only. Ends
  /// with the server.
  public var subscriptions: Updates<[Subscription]> { Updates(hub: core.subscriptions) }

  /// All that happens, from the moment of the iteration on and without loss. Ends with the server.
  public var events: Updates<Event> { Updates(hub: core.events) }

  /// The longest value that can be sent to a central, in bytes: 20 until it has asked for more, and once it is gone.
  public func maximumUpdateLength(for central: ConnectedCentral) -> Int { core.updateLength(of: central.link) }

  /// Ends the link to a central, for all who use the radio.
  ///
  /// - Throws: ``BluetoothError`` of the kinds `.notConnected` and, on Apple's systems, `.unsupported`.
  public func disconnect(_ central: ConnectedCentral) async throws { try await core.disconnect(central) }

  /// Asks a central to let the link react more quickly or to save power.
  ///
  /// - Throws: ``BluetoothError`` of the kinds `.refused` and `.notConnected`; `CancellationError`.
  public func setLatency(_ latency: LinkLatency, for central: ConnectedCentral) async throws {
    try await core.requestParameters(latency.options, of: central)
  }

  // MARK: Values

  /// Sends a value to one central, or to all that have subscribed to the characteristic, and returns when the radio has
  /// taken it for each of them; if it is indicated, when it was confirmed. Waits for room: values to one central go out
  /// in the order of the calls, and none is lost or cut. A central that is slow does not hold up the others.
  ///
  /// - Parameters:
  ///   - central: Whom to send it to; `nil` for all who have subscribed. Of those, one that leaves counts as done.
  ///   - timeout: How long to wait; what was not sent by then never is.
  /// - Returns: How many centrals got it; 0 if nobody has subscribed.
  /// - Throws: ``BluetoothError`` of the kinds `.tooLong`, with nothing sent, if one of the links does not take it;
  ///   `.notSubscribed`, `.notConnected` and `.disconnected` if it was for one central; `.characteristicNotFound`,
  ///   `.ambiguous` and `.notPermitted` for a name that means no characteristic that is sent; `.timedOut`; `.stopped`;
  ///   `.poweredOff`, for whomever it was. `CancellationError`.
  @discardableResult
  public func send<Value: ByteWritable>(
    _ value: Value,
    on characteristic: Characteristic<Value>,
    to central: ConnectedCentral? = nil,
    timeout: Timeout = .default
  ) async throws -> Int {
    try await core.send(value.bytes, .name(characteristic.name), to: central, timeout: timeout)
  }

  /// The same for one of several characteristics with the same name: that of this part of the declaration.
  @discardableResult
  public func send<Value: ByteWritable>(
    _ value: Value,
    on part: Notifying<Value>,
    to central: ConnectedCentral? = nil,
    timeout: Timeout = .default
  ) async throws -> Int {
    try await core.send(value.bytes, .part(part.identity, part.name), to: central, timeout: timeout)
  }

  /// The same for one of several characteristics with the same name: that of this part of the declaration.
  @discardableResult
  public func send<Value: ByteWritable>(
    _ value: Value,
    on part: Indicating<Value>,
    to central: ConnectedCentral? = nil,
    timeout: Timeout = .default
  ) async throws -> Int {
    try await core.send(value.bytes, .part(part.identity, part.name), to: central, timeout: timeout)
  }

  /// Replaces the value of a characteristic that was declared with a fixed one. Sends it to nobody.
  ///
  /// - Throws: ``BluetoothError`` of the kinds `.stopped`, `.characteristicNotFound`, `.ambiguous`, `.tooLong`, and
  ///   `.invalidArgument` if the value is not fixed.
  public func setValue<Value: ByteWritable>(_ value: Value, of characteristic: Characteristic<Value>) async throws {
    try await core.setValue(value.bytes, of: characteristic.name)
  }
}
