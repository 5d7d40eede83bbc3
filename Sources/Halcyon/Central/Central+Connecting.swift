import BluetoothTypes
import RadioPort

extension Central {
  /// Connects to a device that a scan has found.
  ///
  /// If this central is connected to it already, that connection is returned; if it is connecting or reconnecting, the
  /// call joins. A scan that runs goes on: leave its loop, or use `connect` on the scan itself.
  /// Keep the peripheral for as long as you need the connection: it ends with the last reference.
  ///
  /// - Parameters:
  ///   - timeout: How long it may take until the connection is ready, set-up included. At a time-out the connect is
  ///     cancelled at the radio.
  ///   - options: How the link is to be made, and what the system tells the user of it; also when it is made again.
  ///   - reconnect: Whether and how it is made again when it is lost; `nil` leaves what was said for this peripheral
  ///     before, for as long as it is kept, and at first what the configuration says.
  ///   - setUp: Work that comes before anything else after each connect and reconnect, such as an authentication. Other
  ///     operations wait for it. If it throws, the connection is closed: a connect throws `.setUpFailed` with the
  ///     thrown error underneath. `nil` leaves what was said for this peripheral before. Use the peripheral that it is
  ///     given; one that it captured would never go.
  /// - Throws: ``BluetoothError`` of the kinds `.timedOut`, `.connectionFailed`, `.setUpFailed`, `.disconnected` if it is
  ///   lost during the set-up, `.poweredOff` and others; what ``Configuration/whenOff`` says decides whether it waits for
  ///   Bluetooth. `CancellationError` at once if the task is cancelled; with the last who waits for it the connect is
  ///   cancelled at the radio, unless the connection is coming back by itself.
  public func connect(
    to discovery: Discovery,
    timeout: Timeout = .default,
    options: LinkOptions = LinkOptions(),
    reconnect: Reconnect? = nil,
    setUp: ConnectionSetUp? = nil
  ) async throws -> Peripheral {
    let wish = ConnectionWish(options: options, reconnect: reconnect, setUp: setUp)
    try await discovery.peripheral.core.connect(wish, timeout: timeout)
    return discovery.peripheral
  }

  /// Connects to a device that is known from before, also by an earlier run of the program. It need not advertise yet.
  ///
  /// Otherwise like ``connect(to:timeout:options:reconnect:setUp:)-(Discovery,_,_,_,_)``.
  public func connect(
    to id: Peripheral.ID,
    timeout: Timeout = .default,
    options: LinkOptions = LinkOptions(),
    reconnect: Reconnect? = nil,
    setUp: ConnectionSetUp? = nil
  ) async throws -> Peripheral {
    let peripheral = await core.peripheral(id)
    let wish = ConnectionWish(options: options, reconnect: reconnect, setUp: setUp)
    try await peripheral.core.connect(wish, timeout: timeout)
    return peripheral
  }

  /// Connects to a peripheral, for the first time or again.
  ///
  /// Otherwise like ``connect(to:timeout:options:reconnect:setUp:)-(Discovery,_,_,_,_)``.
  @discardableResult
  public func connect(
    to peripheral: Peripheral,
    timeout: Timeout = .default,
    options: LinkOptions = LinkOptions(),
    reconnect: Reconnect? = nil,
    setUp: ConnectionSetUp? = nil
  ) async throws -> Peripheral {
    try await connect(to: peripheral.id, timeout: timeout, options: options, reconnect: reconnect, setUp: setUp)
  }
}
