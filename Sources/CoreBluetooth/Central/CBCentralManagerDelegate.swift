import CoreFoundation
import Foundation

/// Hears what happens to a central manager. All calls come on the manager's queue, in order.
///
/// What is optional in Apple's protocol has a default here, as Swift on Linux can not ask an object what it implements.
public protocol CBCentralManagerDelegate: NSObjectProtocol {
  /// The state has changed. It is the first call that a delegate gets.
  func centralManagerDidUpdateState(_ central: CBCentralManager)

  /// A manager with a restore identifier goes on with what it did when the program ended: it scans in the same way, and
  /// connects to the devices that were connected or were to be. It is told before the first state, at which all goes on;
  /// where the radio is off, nothing does and the devices are disconnected.
  ///
  /// - Parameter dict: What it did, by the keys `CBCentralManagerRestoredState…`. The app has to keep the devices and set
  ///   their delegates. They have the services of before, with what was subscribed to, which is subscribed to again when
  ///   they are connected.
  func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any])

  /// A scan has heard a device.
  ///
  /// - Parameters:
  ///   - advertisementData: What it said, by the keys `CBAdvertisementData…`.
  ///   - RSSI: How strongly it was heard, in dBm; 127 if that is not known.
  func centralManager(
    _ central: CBCentralManager,
    didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any],
    rssi RSSI: NSNumber
  )

  /// A device is connected.
  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)

  /// A device could not be connected.
  func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?)

  /// A connection has ended; what was discovered is no longer valid. Without error, this program has ended it.
  func centralManager(
    _ central: CBCentralManager,
    didDisconnectPeripheral peripheral: CBPeripheral,
    error: (any Error)?
  )

  /// The same with the moment, and whether the connection is being made anew. The default calls the method without them,
  /// so that who has both is told by this one alone.
  func centralManager(
    _ central: CBCentralManager,
    didDisconnectPeripheral peripheral: CBPeripheral,
    timestamp: CFAbsoluteTime,
    isReconnecting: Bool,
    error: (any Error)?
  )

  /// A device was connected or disconnected, by whomever; see ``CBCentralManager/registerForConnectionEvents(options:)``.
  func centralManager(
    _ central: CBCentralManager,
    connectionEventDidOccur event: CBConnectionEvent,
    for peripheral: CBPeripheral
  )

  /// Whether a device is sent the system's notifications has changed; see ``CBPeripheral/ancsAuthorized``. Linux sends
  /// none, so that it is never called here.
  func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral)
}

extension CBCentralManagerDelegate {
  /// Does nothing, so that the devices are let go.
  public func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {}

  /// Does nothing.
  public func centralManager(
    _ central: CBCentralManager,
    didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {}

  /// Does nothing.
  public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {}

  /// Does nothing.
  public func centralManager(
    _ central: CBCentralManager,
    didFailToConnect peripheral: CBPeripheral,
    error: (any Error)?
  ) {}

  /// Does nothing.
  public func centralManager(
    _ central: CBCentralManager,
    didDisconnectPeripheral peripheral: CBPeripheral,
    error: (any Error)?
  ) {}

  /// Calls the method without the moment.
  public func centralManager(
    _ central: CBCentralManager,
    didDisconnectPeripheral peripheral: CBPeripheral,
    timestamp: CFAbsoluteTime,
    isReconnecting: Bool,
    error: (any Error)?
  ) {
    centralManager(central, didDisconnectPeripheral: peripheral, error: error)
  }

  /// Does nothing.
  public func centralManager(
    _ central: CBCentralManager,
    connectionEventDidOccur event: CBConnectionEvent,
    for peripheral: CBPeripheral
  ) {}

  /// Does nothing.
  public func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral) {}
}
