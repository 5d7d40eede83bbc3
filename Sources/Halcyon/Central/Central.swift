import BluetoothTypes
import RadioPort

/// The central role of a radio: finds devices and connects to them.
///
/// ```swift
/// let central = Central()
/// try await central.ready()
/// for try await discovery in central.scan(for: [.heartRate]) { print(discovery.name ?? "?") }
/// ```
/// Several centrals can share one radio; each has its own peripherals, scans and connections, and none takes anything
/// from another.
public final class Central: Sendable {
  let core: CentralCore

  /// A central on a radio of your choice, such as that of a virtual world.
  public init(_ configuration: Configuration = .init(), radio: any Radio) {
    core = CentralCore(radio: radio, configuration: configuration)
    core.begin()
  }

  /// What the central does where the caller says nothing else.
  public var configuration: Configuration { core.configuration }

  /// The radio's clock, on which all time limits run.
  public var clock: RadioClock { core.executor.clock }

  /// Whether Bluetooth can be used now, and why if not.
  public var state: RadioState { core.states.current ?? .unknown }

  /// The state: the current one first, then each change. A slow reader gets the newest only. Ends with the central.
  public var states: Updates<RadioState> { Updates(hub: core.states) }

  /// Connections as they come, fail and go, from the moment of the iteration on and without loss. Ends with the central.
  public var connectionEvents: Updates<ConnectionEvent> { Updates(hub: core.connectionEvents) }

  /// Waits until Bluetooth can be used; also while it is off.
  ///
  /// - Throws: ``BluetoothError`` of the kinds `.unsupported` and `.unauthorized` as soon as that is known, and
  ///   `.timedOut` with the reason of the state that it is still in; `CancellationError`.
  public func ready(within timeout: Timeout = .default) async throws {
    try await core.ready(within: timeout)
  }

  /// Looks for devices. Scanning begins when the result is iterated and stops when the iteration ends, however it ends.
  ///
  /// - Parameters:
  ///   - services: Only devices that advertise at least one of these; empty means all.
  ///   - filter: Only what this lets through.
  ///   - duplicates: Whether to tell of each advertisement or of each device.
  ///   - duration: The scan ends normally after this time.
  ///   - timeout: The scan ends with the error `.timedOut` if it goes on for this long. The default does not apply
  ///     to a scan with a `duration`.
  ///   - limit: The scan ends normally once this many different devices were found.
  public func scan(
    for services: [ServiceID] = [],
    where filter: ScanFilter = .any,
    duplicates: Duplicates = .merge,
    duration: Duration? = nil,
    timeout: Timeout = .default,
    limit: Int? = nil
  ) -> Scan {
    let bound = timeout.duration(standard: duration == nil ? configuration.timeouts.scan : nil)
    let plan = ScanPlan(
      services: services,
      filter: filter,
      duplicates: duplicates,
      duration: duration,
      timeout: bound,
      limit: limit
    )
    return Scan(core: core, plan: plan)
  }

  /// Ends all scans of this central; their iterations end normally.
  public func stopScan() async { await core.stopAllScans() }

  /// Connects to a device that a scan has found.
  ///
  /// If this central is connected to it already, that connection is returned; if it is connecting, the call joins.
  /// Keep the peripheral for as long as you need the connection: it ends with the last reference.
  ///
  /// - Throws: ``BluetoothError`` of the kinds `.timedOut`, `.connectionFailed`, `.poweredOff` and others; at a time-out
  ///   the connect is cancelled at the radio. `CancellationError` at once if the task is cancelled, and the same is done.
  public func connect(
    to discovery: Discovery,
    timeout: Timeout = .default,
    options: LinkOptions = LinkOptions()
  ) async throws -> Peripheral {
    try await connect(to: discovery.peripheral.id, timeout: timeout, options: options)
  }

  /// Connects to a device that is known from before, also by an earlier run of the program. It need not advertise yet.
  ///
  /// Otherwise like ``connect(to:timeout:options:)-(Discovery,_,_)``.
  public func connect(
    to id: Peripheral.ID,
    timeout: Timeout = .default,
    options: LinkOptions = LinkOptions()
  ) async throws -> Peripheral {
    let peripheral = await core.peripheral(id)
    try await peripheral.core.connect(options, timeout: timeout)
    return peripheral
  }

  /// Connects to a peripheral again.
  ///
  /// Otherwise like ``connect(to:timeout:options:)-(Discovery,_,_)``.
  @discardableResult
  public func connect(
    to peripheral: Peripheral,
    timeout: Timeout = .default,
    options: LinkOptions = LinkOptions()
  ) async throws -> Peripheral {
    try await connect(to: peripheral.id, timeout: timeout, options: options)
  }
}
