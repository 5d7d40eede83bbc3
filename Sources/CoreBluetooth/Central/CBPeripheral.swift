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
    /// Whether it was read, or is being read, on this connection.
    var isNameCurrent = false
    /// The strength that was measured last.
    var rssi: NSNumber?
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
    /// The options of the call that counts; without the delay once that is over.
    var options = ConnectOptions()
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
  open var name: String? {
    ObservedProperties.note(.name, of: self)
    return guarded.withLock { $0.name }
  }

  /// The strength of the connection as it was measured last, in dBm.
  @available(*, deprecated, message: "use readRSSI() and the delegate")
  open var rssi: NSNumber? {
    ObservedProperties.note(.rssi, of: self)
    return guarded.withLock { $0.rssi }
  }

  /// Whether the device is connected.
  open var state: CBPeripheralState {
    ObservedProperties.note(.state, of: self)
    return guarded.withLock { $0.state }
  }

  /// The services that the last discovery found.
  open var services: [CBService]? {
    ObservedProperties.note(.services, of: self)
    return guarded.withLock { $0.services }
  }

  /// Whether the device may be sent the system's notifications. Linux sends none (ANCS), so that it is `false`.
  open var ancsAuthorized: Bool { false }

  /// Whether a write without response is sent soon. Where it is not,
  /// ``CBPeripheralDelegate/peripheralIsReady(toSendWriteWithoutResponse:)`` tells when it is again.
  open var canSendWriteWithoutResponse: Bool {
    ObservedProperties.note(.canSendWriteWithoutResponse, of: self)
    return guarded.withLock { state in
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

  func beginConnecting(_ options: ConnectOptions) {
    let attempt = ObservedProperties.change(self, .state) {
      guarded.withLock { state in
        state.attempt &+= 1
        let delay = state.options.delay
        state.options = options
        // What is under way does not wait again.
        if state.state == .connecting || state.state == .connected { state.options.delay = delay }
        if state.state != .connected { state.state = .connecting }
        return state.attempt
      }
    }
    session.perform { $0.connect(attempt, options) }
    manager?.saveRestorableState()
  }

  func cancelConnection() {
    let isNeeded = ObservedProperties.change(self, .state) {
      guarded.withLock { state in
        defer { if state.state != .disconnected { state.state = .disconnecting } }
        return state.state == .connecting || state.state == .connected
      }
    }
    if isNeeded { session.perform { $0.cancelConnection() } }
    manager?.saveRestorableState()
  }

  /// Nobody hears any more what happens, so nothing is wanted any more.
  func managerIsGone() {
    invalidate(as: .disconnected)
    session.perform { $0.cancelConnection() }
  }

  /// Notes the name of an advertisement, unless the device has told its name itself.
  ///
  /// - Returns: Whether it had another one before.
  func advertised(_ name: String) -> Bool {
    let (old, isRead) = guarded.withLock { ($0.name, $0.isNameRead) }
    guard !isRead, old != name else { return false }
    setName(name)
    return old != nil
  }

  func setName(_ name: String) {
    ObservedProperties.change(self, .name) { guarded.withLock { $0.name = name } }
  }

  private func connectionChanged(_ event: PeripheralSession.ConnectionEvent, _ attempt: UInt64) {
    guard let manager else { return }
    defer { manager.saveRestorableState() }
    switch event {
    case .delayEnded:
      guarded.withLock { state in
        if state.attempt == attempt { state.options.delay = .zero }
      }
    case .connected(let link, let mtu):
      let isWanted = ObservedProperties.change(self, .state, .canSendWriteWithoutResponse) {
        guarded.withLock { state in
          // The app may have given it up meanwhile; the end comes next.
          guard state.state == .connecting || state.state == .connected else { return false }
          state.state = .connected
          state.options.delay = .zero
          state.link = link
          state.mtu = mtu
          return true
        }
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
      tellDisconnected(failure, isReconnecting: false)
    case .reconnecting(let failure):
      // The app may have given it up meanwhile: then the end comes next, and is told once.
      let isGivenUp = guarded.withLock { $0.state == .disconnecting }
      invalidate(as: isGivenUp ? .disconnecting : .connecting)
      if !isGivenUp { tellDisconnected(failure, isReconnecting: true) }
    case .mtuChanged(let mtu): guarded.withLock { $0.mtu = mtu }
    case .servicesChanged(let range): servicesChanged(range)
    }
  }

  private func tellDisconnected(_ failure: RadioFailure?, isReconnecting: Bool) {
    guard let manager else { return }
    manager.delegate?.centralManager(
      manager,
      didDisconnectPeripheral: self,
      timestamp: manager.delivery.absoluteTime,
      isReconnecting: isReconnecting,
      error: failure?.error
    )
  }

  private func invalidate(as state: CBPeripheralState) {
    let dropped = ObservedProperties.change(self, .state, .services, .canSendWriteWithoutResponse) {
      guarded.withLock { old in
        let dropped = (old.services, old.known)
        old.state = state
        old.link = nil
        old.mtu = 23
        old.services = nil
        old.known = [:]
        old.isRestored = false
        old.unsent = 0
        old.wasFull = false
        old.isNameCurrent = false
        return dropped
      }
    }
    for case let characteristic as CBCharacteristic in dropped.1.values { characteristic.setNotifying(false) }
  }

  private func servicesChanged(_ range: ClosedRange<AttributeHandle>) {
    let (gone, dropped) = ObservedProperties.change(self, .services) {
      guarded.withLock { state in
        let gone = state.services?.filter { range.contains($0.handle) } ?? []
        state.services?.removeAll { range.contains($0.handle) }
        let dropped = state.known.filter { range.contains($0.key) }
        state.known = state.known.filter { !range.contains($0.key) }
        state.isNameCurrent = false
        return (gone, dropped)
      }
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
      if let rssi {
        ObservedProperties.change(peripheral, .rssi) {
          peripheral.guarded.withLock { $0.rssi = NSNumber(value: rssi) }
        }
      }
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
