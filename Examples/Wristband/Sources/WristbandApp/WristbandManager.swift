import CoreBluetooth
import Foundation

/// One place for all that an app does with a wristband: look for it, connect, hear what it sends, send to it.
///
/// All calls and callbacks are on the main queue.
package final class WristbandManager: NSObject {
  /// What became of a wish to connect.
  package enum Outcome: Equatable {
    case connected
    /// It was connected before.
    case alreadyConnected
    case failed(String)
  }

  /// Whether Bluetooth can be used.
  package struct Availability: Equatable {
    package let isAvailable: Bool
    /// Why, for people.
    package let reason: String

    package init(isAvailable: Bool, reason: String) {
      self.isAvailable = isAvailable
      self.reason = reason
    }
  }

  /// Posted when a device is gone, with the device as `object`.
  package static let didDisconnect = Notification.Name("WristbandDidDisconnect")

  /// The devices that were found, each once.
  package private(set) var found: [CBPeripheral] = []
  /// The devices that are connected.
  package private(set) var connected: [CBPeripheral] = []
  /// The device that was connected last.
  package private(set) var current: CBPeripheral?
  /// Where data is sent to.
  package private(set) var target: CBCharacteristic?

  /// Hears each sighting.
  package var onSighting: ((CBPeripheral, NSNumber) -> Void)?
  /// Hears everything that is read or sent by the device.
  package var onValue: ((CBCharacteristic, Data) -> Void)?
  /// Hears that there is where to send to.
  package var onTarget: ((CBCharacteristic) -> Void)?

  private let targetUUID: CBUUID
  private let options: [String: Any]?
  private lazy var central = CBCentralManager(delegate: self, queue: .main, options: options)
  private var outcomes: [UUID: (Outcome) -> Void] = [:]
  /// Whether a scan was asked for before it was known whether there can be one.
  private var wantsScan = false
  /// The characteristics that are to be read when their values are sent.
  private var unread: Set<CBCharacteristic> = []

  /// - Parameters:
  ///   - targetUUID: The characteristic that data is sent to.
  ///   - options: Go to the central manager.
  package init(sendingTo targetUUID: String, options: [String: Any]? = nil) {
    self.targetUUID = CBUUID(string: targetUUID)
    self.options = options
  }

  /// Whether Bluetooth can be used, as far as that is known.
  package var availability: Availability {
    switch central.state {
    case .poweredOn: Availability(isAvailable: true, reason: "Bluetooth is ready")
    case .poweredOff: Availability(isAvailable: false, reason: "Bluetooth is switched off")
    case .unauthorized: Availability(isAvailable: false, reason: "This app may not use Bluetooth")
    case .unsupported: Availability(isAvailable: false, reason: "There is no Bluetooth here")
    case .resetting: Availability(isAvailable: false, reason: "Bluetooth starts again")
    case .unknown: Availability(isAvailable: true, reason: "Bluetooth is not ready yet")
    @unknown default: Availability(isAvailable: false, reason: "Bluetooth is in an unknown state")
    }
  }

  /// Looks for devices, as soon as it can be done.
  ///
  /// - Returns: Why not, if it can not.
  @discardableResult
  package func beginScan() -> Availability {
    let availability = availability
    guard availability.isAvailable else { return availability }
    wantsScan = central.state != .poweredOn
    if !wantsScan { central.scanForPeripherals(withServices: nil) }
    return availability
  }

  /// Looks no more.
  package func endScan() {
    wantsScan = false
    central.stopScan()
  }

  /// Connects to a device, listens to all that it sends, and reads all of that once.
  package func connect(_ peripheral: CBPeripheral, completion: @escaping (Outcome) -> Void) {
    if peripheral.state == .connected { return completion(.alreadyConnected) }
    outcomes[peripheral.identifier] = completion
    central.connect(peripheral)
  }

  /// Lets a device go.
  package func disconnect(_ peripheral: CBPeripheral) { central.cancelPeripheralConnection(peripheral) }

  /// Sends data to the current device.
  ///
  /// - Returns: Whether there was where to send it to, and room.
  @discardableResult
  package func send(_ data: Data) -> Bool {
    guard let target, let current, current.canSendWriteWithoutResponse else { return false }
    current.writeValue(data, for: target, type: .withoutResponse)
    return true
  }

  private func tell(_ outcome: Outcome, of peripheral: CBPeripheral) {
    outcomes.removeValue(forKey: peripheral.identifier)?(outcome)
  }
}

extension WristbandManager: CBCentralManagerDelegate {
  package func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn else { return }
    if wantsScan { beginScan() }
  }

  package func centralManager(
    _ central: CBCentralManager,
    didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    if !found.contains(peripheral) { found.append(peripheral) }
    onSighting?(peripheral, RSSI)
  }

  package func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    current = peripheral
    connected.append(peripheral)
    peripheral.delegate = self
    tell(.connected, of: peripheral)
    peripheral.discoverServices(nil)
  }

  package func centralManager(
    _ central: CBCentralManager,
    didFailToConnect peripheral: CBPeripheral,
    error: (any Error)?
  ) {
    tell(.failed(error?.localizedDescription ?? "for no reason"), of: peripheral)
  }

  package func centralManager(
    _ central: CBCentralManager,
    didDisconnectPeripheral peripheral: CBPeripheral,
    error: (any Error)?
  ) {
    connected.removeAll { $0 == peripheral }
    if current == peripheral {
      current = nil
      target = nil
      unread = []
    }
    NotificationCenter.default.post(name: Self.didDisconnect, object: peripheral)
  }
}

extension WristbandManager: CBPeripheralDelegate {
  package func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
  }

  package func peripheral(
    _ peripheral: CBPeripheral,
    didDiscoverCharacteristicsFor service: CBService,
    error: (any Error)?
  ) {
    for characteristic in service.characteristics ?? [] {
      if characteristic.uuid == targetUUID {
        target = characteristic
        onTarget?(characteristic)
      }
      guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else { continue }
      if characteristic.properties.contains(.read) { unread.insert(characteristic) }
      peripheral.setNotifyValue(true, for: characteristic)
    }
  }

  package func peripheral(
    _ peripheral: CBPeripheral,
    didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    guard characteristic.isNotifying, unread.remove(characteristic) != nil else { return }
    peripheral.readValue(for: characteristic)
  }

  package func peripheral(
    _ peripheral: CBPeripheral,
    didUpdateValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    if let value = characteristic.value, error == nil { onValue?(characteristic, value) }
  }
}
