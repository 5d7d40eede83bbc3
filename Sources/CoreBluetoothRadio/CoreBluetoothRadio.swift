import BluetoothTypes
import CoreBluetooth
import Dispatch
import RadioPort

/// The radio port over CoreBluetooth: Apple's framework, or on Linux our module of that name.
///
/// What the framework hides stays hidden: handles are numbers of this radio's own, addresses are not told, and a value
/// that is notified while a read of the same characteristic is under way can not be told from the read's reply.
///
/// In the peripheral role the framework does less than other radios, and tells less:
/// - It does not tell when a central connects or leaves. A central is there from its first read, write or subscription
///   on; it is gone when it has no subscription and was silent for 30 s, or when the radio goes off. When it leaves, its
///   subscriptions end at once, and its open requests with their answers.
/// - It does not tell a write without response from one with: by what the characteristic allows, it is taken for one
///   with response if it can be one.
/// - It does not tell which of notifications and indications a central has asked for: they are taken for notifications
///   if the characteristic has them. Nor does it tell of confirmations: an indicated value counts as confirmed when the
///   framework has taken it.
/// - It ends no link to a central (`.unsupported`). Of connection parameters it takes one of three wishes, the nearest,
///   and tells no answer, so that each wish succeeds.
/// - It advertises a name and services, connectable, by legacy packets at times of its own choice; all else is
///   `.unsupported`, but intervals and whether to go on while connected, which are ignored. What is to be whole in an
///   advertisement has 28 bytes for both, or 28 for the services and 10 for the name.
/// - Descriptors have fixed values and can be read by all: user descriptions and presentation formats, no others. The
///   extended properties, broadcasts and values that need an authenticated key are `.unsupported`.
/// - It does not show its packets: nothing can be captured of it.
/// - tvOS and watchOS have no peripheral role.
///
/// L2CAP channels are streams of bytes to the framework:
/// - It chooses the PSM that is published, and how much a channel holds; SDUs are cut and joined as it likes.
/// - It opens channels only from the central to the peripheral.
/// - What it has taken counts as sent. A channel that is closed after sending is closed when the framework has taken all;
///   for how long it goes on to send then is its own affair.
/// - It does not tell when the peer has agreed to the end of a channel, so that a close is complete at once.
package actor CoreBluetoothRadio: CentralRadio, PeripheralRadio {
  /// A scan and who hears of it.
  struct Scan {
    let request: ScanRequest
    let sighting: @Sendable (Sighting) -> Void
    let ended: @Sendable (RadioFailure) -> Void
    /// What was told of each device, where it is told only if it changes.
    var told: [PeerID: AdvertisingData] = [:]
  }

  package nonisolated let executor: any RadioExecutor
  let queue: DispatchQueue?
  let options: [String: Any]?
  private var manager: CBCentralManager?
  private var delegate: CentralEvents?
  private var observers: [(id: RadioObservation, observe: @Sendable (RadioState) -> Void)] = []
  var peerObservers: [(id: RadioObservation, observe: @Sendable (PeerEvent) -> Void)] = []
  /// Of whose links observers were told.
  var toldPeers: Set<PeerID> = []
  /// What observers were told last.
  private var toldState = RadioState.unknown
  private var count: UInt64 = 0
  var scans: [ScanID: Scan] = [:]
  /// What devices have said, all told.
  var advertisements: [PeerID: AdvertisingData] = [:]
  var devices: [PeerID: Device] = [:]
  /// The device of each claim, and of each request and subscription.
  var claims: [ClaimID: PeerID] = [:]
  /// Those that are open, until they are closed here.
  var channels: [ChannelID: FrameworkChannel] = [:]
  #if !os(tvOS) && !os(watchOS)
    var serving = Serving()
  #endif

  /// The system's radio, on a queue of its own.
  package init() {
    let executor = QueueExecutor(label: "halcyon.corebluetooth")
    self.init(executor: executor, queue: executor.queue, options: nil)
  }

  /// - Parameters:
  ///   - executor: Where the radio runs.
  ///   - queue: Where the framework is to call, which has to be the same place.
  ///   - options: Go to the framework's manager.
  package init(executor: any RadioExecutor, queue: DispatchQueue?, options: sending [String: Any]?) {
    self.executor = executor
    self.queue = queue
    self.options = options
    executor.submit { self.assumeIsolated { _ = $0.central } }
  }

  /// The framework's manager, made at first use, as making it may ask the user.
  var central: CBCentralManager {
    if let manager { return manager }
    let delegate = CentralEvents(self)
    let manager = CBCentralManager(delegate: delegate, queue: queue, options: options)
    self.delegate = delegate
    self.manager = manager
    return manager
  }

  /// Who hears what devices answer.
  var peripheralDelegate: (any CBPeripheralDelegate)? { delegate }

  func next() -> UInt64 {
    count &+= 1
    return count
  }

  // MARK: State

  /// The framework tells its managers of a change one after the other: the radio is on when all know.
  package var state: RadioState {
    let state = RadioState(central.state)
    guard state.power == .poweredOn, let serverState else { return state }
    return switch serverState {
    case .poweredOff, .resetting: RadioState(serverState)
    default: state
    }
  }

  package func observeState(_ observer: @escaping @Sendable (RadioState) -> Void) -> RadioObservation {
    let id = RadioObservation(rawValue: next())
    observers.append((id, observer))
    return id
  }

  package func endObservation(_ observation: RadioObservation) {
    observers.removeAll { $0.id == observation }
    peerObservers.removeAll { $0.id == observation }
  }

  /// Why nothing can be done; `nil` while all can.
  var offFailure: RadioFailure? { failure(of: central.state) }

  func failure(of state: CBManagerState) -> RadioFailure? {
    switch state {
    case .poweredOn: nil
    case .unsupported: RadioFailure(.unsupported, reason: "there is no Bluetooth Low Energy here")
    case .unauthorized: RadioFailure(.unauthorized, reason: "this program may not use Bluetooth: change it in Settings")
    default: Self.off
    }
  }

  static let off = RadioFailure(.poweredOff, reason: "the radio is off: wait until it is powered on")

  func stateChanged() {
    if let failure = offFailure {
      for device in devices.values.sorted(by: { $0.peer.description < $1.peer.description }) { end(device, failure) }
      devices = devices.filter { !$0.value.claims.isEmpty }
      claims = claims.filter { devices[$0.value] != nil }
      let ended = scans.sorted { $0.key.rawValue < $1.key.rawValue }
      scans = [:]
      for scan in ended { scan.value.ended(failure) }
      tellLinks()
    }
    tellState()
  }

  func tellState() {
    let state = state
    guard state != toldState else { return }
    toldState = state
    for observer in observers { observer.observe(state) }
  }
}

extension RadioState {
  fileprivate init(_ state: CBManagerState) {
    switch state {
    case .unknown: self = .unknown
    case .resetting: self.init(Power.resetting)
    case .unsupported: self.init(.unsupported, reason: "there is no Bluetooth Low Energy here")
    case .unauthorized: self.init(.unauthorized, reason: "this program may not use Bluetooth: change it in Settings")
    case .poweredOff: self.init(Power.poweredOff)
    case .poweredOn: self = .poweredOn
    @unknown default: self = .unknown
    }
  }
}
