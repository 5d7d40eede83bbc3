import BluetoothTypes
import Dispatch
import Foundation
import RadioPort

/// Scans for devices and connects to them.
open class CBCentralManager: CBManager {
  struct State {
    weak var delegate: (any CBCentralManagerDelegate)?
    /// The number of the scan that runs.
    var scan: UInt64?
    var scanCount: UInt64 = 0
    /// What it looks for.
    var scanRecord: CentralRecord.Scan?
    /// What is to be gone on with once the radio's state is known.
    var toRestore: CentralRecord?
    /// The one object of each device, for as long as the app keeps it.
    var peripherals: [PeerID: WeakCarried<CBPeripheral>] = [:]
    /// The devices that have been heard, which can be retrieved.
    var names: [PeerID: String?] = [:]
    var peripheralLimit = 256

    /// Lets go what belongs to objects that are gone.
    mutating func tidyUp() {
      peripherals = peripherals.filter { $0.value.object != nil }
      peripheralLimit = max(256, 2 * peripherals.count)
      // Devices with changing addresses would make it grow for ever.
      if names.count > 4096 { names = names.filter { peripherals[$0.key] != nil } }
    }
  }

  let guarded: Guarded<State>
  private let session: CentralSession
  /// Where is kept what is to survive the program; `nil` without a restore identifier.
  let restoration: RestorationFile?
  private let showsPowerAlert: Bool

  /// A manager without a delegate, on the main queue.
  public convenience init() { self.init(delegate: nil, queue: nil, options: nil) }

  /// A manager with a delegate.
  ///
  /// - Parameter queue: Where the delegate is called; `nil` for the main queue. It should be a serial one.
  public convenience init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?) {
    self.init(delegate: delegate, queue: queue, options: nil)
  }

  /// A manager with options.
  ///
  /// - Parameter options: The keys `CBCentralManagerOption…`, and of ours, `CBManagerOptionRadioKey` and
  ///   `CBManagerOptionStateDirectoryKey`.
  public init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil) {
    restoration = RestorationFile(
      role: "central",
      key: CBCentralManagerOptionRestoreIdentifierKey,
      options: options
    )
    guarded = Guarded(State(delegate: delegate, toRestore: restoration?.load(CentralRecord.self)))
    showsPowerAlert = ConnectOptions.flag(options, CBCentralManagerOptionShowPowerAlertKey)
    let ground = Ground(queue: queue, options: options)
    let manager = LateReference<CBCentralManager>()
    session = CentralSession(
      radio: ground.radio,
      delivery: ground.delivery,
      stateChanged: { manager.object?.didUpdate($0) },
      heard: { manager.object?.didHear($0) },
      connectionEvent: { manager.object?.connectionEventDidOccur($0, $1) },
      scanEnded: { manager.object?.scanEnded($0) }
    )
    super.init(ground)
    manager.set(self)
    session.perform { $0.begin() }
  }

  deinit {
    restoration?.end()
    session.perform { $0.end() }
    for peripheral in guarded.withLock({ $0.peripherals.values.compactMap(\.object) }) { peripheral.managerIsGone() }
  }

  /// Who hears what happens; it is not kept.
  open weak var delegate: (any CBCentralManagerDelegate)? {
    get { guarded.withLock { $0.delegate } }
    set { guarded.withLock { $0.delegate = newValue } }
  }

  // MARK: Scanning

  /// Whether a scan runs.
  open var isScanning: Bool {
    ObservedProperties.note(.isScanning, of: self)
    return guarded.withLock { $0.scan != nil }
  }

  private func setScan(_ change: (inout State) -> Void) {
    ObservedProperties.change(self, .isScanning) { guarded.withLock(change) }
  }

  /// Scans until ``stopScan()``; a scan that runs goes on in the new way.
  ///
  /// - Parameters:
  ///   - serviceUUIDs: Reports only devices that advertise one of these; `nil` for all.
  ///   - options: The keys `CBCentralManagerScanOption…`.
  open func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
    guard isReadyForCommands() else { return }
    let solicited = CBUUID.values(options?[CBCentralManagerScanOptionSolicitedServiceUUIDsKey] as? [CBUUID]) ?? []
    let scan = CentralRecord.Scan(
      services: CBUUID.values(serviceUUIDs)?.map { RecordedUUID($0) },
      allowsDuplicates: ConnectOptions.flag(options, CBCentralManagerScanOptionAllowDuplicatesKey),
      solicited: solicited.map { RecordedUUID($0) }
    )
    beginScan(scan)
    saveRestorableState()
  }

  func beginScan(_ scan: CentralRecord.Scan) {
    let request = ScanRequest(services: scan.services?.map(\.value) ?? [], allowsDuplicates: scan.allowsDuplicates)
    let number = ObservedProperties.change(self, .isScanning) {
      guarded.withLock { state in
        state.scanCount &+= 1
        state.scan = state.scanCount
        state.scanRecord = scan
        return state.scanCount
      }
    }
    session.perform { $0.startScan(number, request, solicited: scan.solicited.map(\.value)) }
  }

  /// Ends the scan. What was heard before may still be told.
  open func stopScan() {
    guard isReadyForCommands() else { return }
    setScan { $0.scan = nil }
    session.perform { $0.stopScan() }
    saveRestorableState()
  }

  // MARK: Connecting

  /// Connects to a device, however long it takes until it is heard. The app has to keep the device's object.
  ///
  /// - Parameter options: The keys `CBConnectPeripheralOption…`.
  open func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
    guard isReadyForCommands(), owns(peripheral) else { return }
    peripheral.beginConnecting(ConnectOptions(options))
  }

  /// Ends a connection or gives up one that is pending.
  open func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
    guard isReadyForCommands(), owns(peripheral) else { return }
    peripheral.cancelConnection()
  }

  /// Tells the delegate of connections of the whole program, whoever asked for them: of devices that have what one of
  /// the options names. Those that are connected already are told at once.
  ///
  /// - Parameter options: What devices to tell of; `nil` for none any more.
  open func registerForConnectionEvents(options: [CBConnectionEventMatchingOption: Any]? = nil) {
    guard isReadyForCommands() else { return }
    let filter = options.map { ConnectionEventFilter($0) }
    session.perform { $0.tellConnectionEvents(filter) }
  }

  private func connectionEventDidOccur(_ event: CBConnectionEvent, _ peer: PeerID) {
    delegate?.centralManager(self, connectionEventDidOccur: event, for: peripheral(peer))
  }

  private func owns(_ peripheral: CBPeripheral) -> Bool {
    if peripheral.manager === self { return true }
    Misuse.log("\(self) was given \(peripheral), which another manager has discovered")
    return false
  }

  // MARK: Known devices

  /// The devices with these identifiers, as far as they are known or the identifier says where to find them.
  open func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
    guard isReadyForCommands() else { return [] }
    return identifiers.compactMap { identifier in
      let peer = PeerID(identifier)
      let isKnown =
        peer.address != nil || guarded.withLock { $0.names[peer] != nil || $0.peripherals[peer]?.object != nil }
      return isKnown ? peripheral(peer) : nil
    }
  }

  /// The devices that this program is connected to, through whichever manager, and on which one of the services was
  /// discovered. This manager has to connect to them too before it can use them.
  open func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral] {
    guard isReadyForCommands() else { return [] }
    return session.connectedPeers(offering: serviceUUIDs.map(\.value)).map(peripheral)
  }

  /// What is to survive the program.
  var restorable: (scan: CentralRecord.Scan?, peripherals: [CBPeripheral]) {
    guarded.withLock { state in
      (state.scan == nil ? nil : state.scanRecord, state.peripherals.values.compactMap(\.object))
    }
  }

  /// The object of a device of which was kept what it is.
  func peripheral(_ device: CentralRecord.Device) -> CBPeripheral {
    let peer = PeerID(device.identifier)
    guarded.withLock { $0.names[peer] = device.name }
    return peripheral(peer)
  }

  /// The one object of a device.
  private func peripheral(_ peer: PeerID) -> CBPeripheral {
    // Made outside of the lock, as one that is not needed goes at once.
    if let known = guarded.withLock({ $0.peripherals[peer]?.object }) { return known }
    let fresh = CBPeripheral(peer, manager: self, name: guarded.withLock { $0.names[peer] ?? nil })
    return guarded.withLock { state in
      if let known = state.peripherals[peer]?.object { return known }
      if state.peripherals.count >= state.peripheralLimit { state.tidyUp() }
      state.peripherals[peer] = WeakCarried(fresh)
      return fresh
    }
  }

  // MARK: What the radio tells, on the app's queue

  private func didUpdate(_ state: RadioState) {
    let (radio, state, former) = (state, CBManagerState(state), self.state)
    guard state != former else { return }
    let toRestore = guarded.withLock { guarded in
      defer { guarded.toRestore = nil }
      return guarded.toRestore
    }
    if let toRestore { restore(toRestore, state) }
    setState(state)
    if state != .poweredOn { setScan { $0.scan = nil } }
    saveRestorableState()
    explain(radio, after: former, showsPowerAlert: showsPowerAlert)
    delegate?.centralManagerDidUpdateState(self)
  }

  /// The radio has ended a scan by itself; a later one may run.
  private func scanEnded(_ number: UInt64) {
    guard guarded.withLock({ $0.scan == number }) else { return }
    setScan { if $0.scan == number { $0.scan = nil } }
    saveRestorableState()
  }

  private func didHear(_ sighting: Sighting) {
    guard isScanning else { return }
    let name = sighting.advertisement.localName
    guarded.withLock { state in
      if let name {
        state.names[sighting.peer] = name
      } else if state.names[sighting.peer] == nil {
        state.names[sighting.peer] = .some(nil)
      }
    }
    let peripheral = peripheral(sighting.peer)
    if let name, peripheral.advertised(name) { peripheral.delegate?.peripheralDidUpdateName(peripheral) }
    delegate?.centralManager(
      self,
      didDiscover: peripheral,
      advertisementData: sighting.advertisementDictionary,
      rssi: sighting.rssiNumber
    )
  }
}
