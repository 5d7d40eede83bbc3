import BluetoothTypes
import Foundation
import RadioPort

/// Whether a device is connected.
public enum CBPeripheralState: Int, Sendable {
  /// No connection.
  case disconnected = 0
  /// The connection is wanted but not there yet.
  case connecting = 1
  /// Connected.
  case connected = 2
  /// The connection is being ended by this program.
  case disconnecting = 3
}

/// How a characteristic's value is written.
public enum CBCharacteristicWriteType: Int, Sendable {
  /// The device answers.
  case withResponse = 0
  /// Nobody answers.
  case withoutResponse = 1
}

/// A remote device that a central manager has heard.
open class CBPeripheral: CBPeer {
  struct State {
    weak var delegate: (any CBPeripheralDelegate)?
    var name: String?
    /// Whether the name is the one that the device tells itself, which counts more than an advertised one.
    var isNameRead = false
    var state = CBPeripheralState.disconnected
    var link: LinkID?
    var mtu = 23
    var services: [CBService]?
    /// Every attribute that was discovered on this connection, so that each has one object.
    var known: [AttributeHandle: CBAttribute] = [:]
    /// Whether these are from before the program ended, and the device was not seen since.
    var isRestored = false
    /// Counts the calls that connect.
    var attempt: UInt64 = 0
    /// Writes without response that the radio has not sent yet.
    var unsent = 0
    /// Whether the app is to be told when there is room again.
    var wasFull = false
  }

  /// How many writes without response may wait at once.
  static let writeRoom = 10

  let guarded: Guarded<State>
  private(set) weak var manager: CBCentralManager?
  let session: PeripheralSession

  init(_ peer: PeerID, manager: CBCentralManager, name: String?) {
    guarded = Guarded(State(name: name))
    self.manager = manager
    let peripheral = LateReference<CBPeripheral>()
    session = PeripheralSession(peer: peer, radio: manager.radio, delivery: manager.delivery) { attempt, event in
      peripheral.object?.connectionChanged(event, attempt)
    }
    super.init(peer)
    peripheral.set(self)
  }

  deinit {
    let state = guarded.withLock { $0.state }
    guard state != .disconnected else { return }
    if state != .disconnecting {
      Misuse.log("Cancelling connection for unused peripheral \(peer), Did you forget to keep a reference to it?")
    }
    session.perform { $0.cancelConnection() }
    manager?.saveRestorableState()
  }

  /// Who hears what the device answers; it is not kept.
  open weak var delegate: (any CBPeripheralDelegate)? {
    get { guarded.withLock { $0.delegate } }
    set { guarded.withLock { $0.delegate = newValue } }
  }

  /// The device's name, if it has told one.
  open var name: String? { guarded.withLock { $0.name } }

  /// Whether the device is connected.
  open var state: CBPeripheralState { guarded.withLock { $0.state } }

  /// The services that the last discovery found.
  open var services: [CBService]? { guarded.withLock { $0.services } }

  /// Whether a write without response is sent soon. Where it is not,
  /// ``CBPeripheralDelegate/peripheralIsReady(toSendWriteWithoutResponse:)`` tells when it is again.
  open var canSendWriteWithoutResponse: Bool {
    guarded.withLock { state in
      let hasRoom = state.state == .connected && state.unsent < Self.writeRoom
      if !hasRoom { state.wasFull = true }
      return hasRoom
    }
  }

  /// The longest value that can be written at once: with response up to 512 bytes, without as many as fit in a packet.
  open func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int {
    switch type {
    case .withResponse: 512
    case .withoutResponse: min(512, guarded.withLock { $0.mtu } - 3)
    }
  }

  /// The class, the identifier, the name, the MTU and the state.
  open override var description: String {
    let (name, mtu, state) = guarded.withLock { ($0.name, $0.mtu, $0.state) }
    return "\(address(of: self)), identifier = \(peer), name = \(name ?? "(null)"), mtu = \(mtu), state = \(state)>"
  }

  // MARK: Connection

  func beginConnecting(after delay: Duration) {
    let attempt = guarded.withLock { state in
      state.attempt &+= 1
      if state.state != .connected { state.state = .connecting }
      return state.attempt
    }
    session.perform { $0.connect(attempt, after: delay) }
    manager?.saveRestorableState()
  }

  func cancelConnection() {
    let isNeeded = guarded.withLock { state in
      defer { if state.state != .disconnected { state.state = .disconnecting } }
      return state.state == .connecting || state.state == .connected
    }
    if isNeeded { session.perform { $0.cancelConnection() } }
    manager?.saveRestorableState()
  }

  /// Nobody hears any more what happens, so nothing is wanted any more.
  func managerIsGone() {
    invalidate(as: .disconnected)
    session.perform { $0.cancelConnection() }
  }

  func advertised(_ name: String) {
    guarded.withLock { if !$0.isNameRead { $0.name = name } }
  }

  private func connectionChanged(_ event: PeripheralSession.ConnectionEvent, _ attempt: UInt64) {
    guard let manager else { return }
    defer { manager.saveRestorableState() }
    switch event {
    case .connected(let link, let mtu):
      let isWanted = guarded.withLock { state in
        // The app may have given it up meanwhile; the end comes next.
        guard state.state == .connecting || state.state == .connected else { return false }
        state.state = .connected
        state.link = link
        state.mtu = mtu
        return true
      }
      if isWanted {
        manager.delegate?.centralManager(manager, didConnect: self)
        subscribeAgain()
      }
    case .failed(let failure):
      invalidate(as: guarded.withLock { $0.attempt == attempt } ? .disconnected : .connecting)
      manager.delegate?.centralManager(manager, didFailToConnect: self, error: failure.error)
    case .disconnected(let failure):
      // A later connect may be on its way already.
      invalidate(as: guarded.withLock { $0.attempt == attempt } ? .disconnected : .connecting)
      manager.delegate?.centralManager(
        manager,
        didDisconnectPeripheral: self,
        timestamp: manager.delivery.absoluteTime,
        isReconnecting: false,
        error: failure?.error
      )
    case .mtuChanged(let mtu): guarded.withLock { $0.mtu = mtu }
    case .servicesChanged(let range): servicesChanged(range)
    }
  }

  private func invalidate(as state: CBPeripheralState) {
    let dropped = guarded.withLock { old in
      let dropped = (old.services, old.known)
      old.state = state
      old.link = nil
      old.mtu = 23
      old.services = nil
      old.known = [:]
      old.isRestored = false
      old.unsent = 0
      old.wasFull = false
      return dropped
    }
    for case let characteristic as CBCharacteristic in dropped.1.values { characteristic.setNotifying(false) }
  }

  private func servicesChanged(_ range: ClosedRange<AttributeHandle>) {
    let (gone, dropped) = guarded.withLock { state in
      let gone = state.services?.filter { range.contains($0.handle) } ?? []
      state.services?.removeAll { range.contains($0.handle) }
      let dropped = state.known.filter { range.contains($0.key) }
      state.known = state.known.filter { !range.contains($0.key) }
      return (gone, dropped)
    }
    for case let characteristic as CBCharacteristic in dropped.values { characteristic.setNotifying(false) }
    delegate?.peripheral(self, didModifyServices: gone)
  }

  // MARK: Operations

  /// The link, if the device is connected; says so in the log if it is not.
  func usableLink() -> LinkID? {
    let (state, link) = guarded.withLock { ($0.state, $0.link) }
    if state == .connected, let link { return link }
    Misuse.log("\(self) can only accept commands while in the connected state")
    return nil
  }

  /// Calls `body` with the object if it is still there; for what comes on the app's queue.
  func later<Value>(
    _ body: @escaping (CBPeripheral, Result<Value, RadioFailure>) -> Void
  ) -> @Sendable (Result<Value, RadioFailure>) -> Void {
    let peripheral = WeakCarried(self)
    let body = Carried(body)
    return { result in if let peripheral = peripheral.object { body.object(peripheral, result) } }
  }

  /// Measures the strength of the connection.
  open func readRSSI() {
    guard let link = usableLink() else { return }
    let finish = later { (peripheral, result: Result<Int, RadioFailure>) in
      let (rssi, error) = result.parts
      peripheral.delegate?.peripheral(peripheral, didReadRSSI: NSNumber(value: rssi ?? 127), error: error)
    }
    session.perform { $0.readRSSI(on: link, finish) }
  }
}

extension Result where Failure == RadioFailure {
  /// The value or the error, as delegates are told.
  var parts: (value: Success?, error: (any Error)?) {
    switch self {
    case .success(let value): (value, nil)
    case .failure(let failure): (nil, failure.error)
    }
  }
}
