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

  /// Whether Bluetooth can be used now, and why if not; ``stateMessage`` has it in words.
  public var state: RadioState { core.states.current ?? .unknown }

  /// The state: the current one first, then each change. A slow reader gets the newest only. Ends with the central.
  public var states: Updates<RadioState> { Updates(hub: core.states) }

  /// Whether Bluetooth can be used now.
  public var isReady: Bool { state.isPoweredOn }

  /// The state and the reason for it, for a person to read, in the language of the configuration.
  public var stateMessage: String { state.message(in: configuration.language) }

  /// What the central is busy with: scanning, connecting, discovering.
  public var activity: Activity { core.activity.hub.current ?? [] }

  /// What the central is busy with: the present first, then each change. A slow reader gets the newest only. Ends with
  /// the central.
  public var activities: Updates<Activity> { Updates(hub: core.activity.hub) }

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
}
