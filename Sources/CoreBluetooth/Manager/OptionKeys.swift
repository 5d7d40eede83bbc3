// The names are those of Apple's headers (CBCentralManagerConstants.h, CBPeripheralManagerConstants.h), which do not tell
// the strings. They are seen
// - in programs that speak with the system's own Bluetooth service, as noble and bleno do on macOS:
//   kCBInitOptionShowPowerAlert, kCBScanOptionAllowDuplicates, kCBConnectOptionNotifyOnDisconnection;
// - in programs that spell out what their SDK does not have yet: kCBConnectOptionEnableTransportBridging and
//   kCBConnectOptionRequiresANCS (tidev/appcelerator.ble, ios/Classes/AppceleratorBleModule.swift),
//   kCBConnectOptionAutoReconnect (asmagill/hammerspoon_asm, btle/src/libbtle.m);
// - among the constants of the framework and of the service, as published listings of both show them: all of these, the
//   other alerts, kCBConnectOptionStartDelay and kCBScanOptionSolicitedServiceUUIDs.
// kCBInitOptionDeviceAccessForMedia is in none of them: it stands in other implementations of this API only, so that it
// rests on the pattern of its neighbours.

// MARK: Making a manager

/// Whether a dialog tells that the radio is off when a central manager is made, an `NSNumber` with a Boolean. Linux has
/// no dialog: it is told on standard error.
public let CBCentralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// Whether the devices are for media, an `NSNumber` with a Boolean. What Apple's system grants for that is not kept from
/// anybody on Linux, so nothing follows.
public let CBCentralManagerOptionDeviceAccessForMedia = "kCBInitOptionDeviceAccessForMedia"
/// The same for a peripheral manager.
public let CBPeripheralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"

/// Not Apple's: the radio that a manager uses, any `Radio` of the module RadioPort, such as that of a virtual world.
/// Without it the manager uses the radio of the process, which `HALCYON_RADIO` names.
public let CBManagerOptionRadioKey = "HalcyonManagerOptionRadio"

// MARK: Scanning

/// Whether a scan reports an advertisement each time that it is heard, an `NSNumber` with a Boolean.
public let CBCentralManagerScanOptionAllowDuplicatesKey = "kCBScanOptionAllowDuplicates"
/// Services: a scan reports devices that look for one of them, `[CBUUID]`.
public let CBCentralManagerScanOptionSolicitedServiceUUIDsKey = "kCBScanOptionSolicitedServiceUUIDs"

// MARK: Connecting

/// How many seconds a connect waits before it begins, an `NSNumber`.
public let CBConnectPeripheralOptionStartDelayKey = "kCBConnectOptionStartDelay"
/// Whether a connection that is lost is made anew by itself, an `NSNumber` with a Boolean.
public let CBConnectPeripheralOptionEnableAutoReconnect = "kCBConnectOptionAutoReconnect"
/// Whether the user is told of a connection while the app is suspended, an `NSNumber` with a Boolean. An app on Linux
/// is never suspended, so nothing follows from it here.
public let CBConnectPeripheralOptionNotifyOnConnectionKey = "kCBConnectOptionNotifyOnConnection"
/// The same for the end of a connection.
public let CBConnectPeripheralOptionNotifyOnDisconnectionKey = "kCBConnectOptionNotifyOnDisconnection"
/// The same for values that are notified.
public let CBConnectPeripheralOptionNotifyOnNotificationKey = "kCBConnectOptionNotifyOnNotification"
/// Whether classic profiles of the device are connected too, an `NSNumber` with a Boolean. There are none here, so
/// nothing follows.
public let CBConnectPeripheralOptionEnableTransportBridgingKey = "kCBConnectOptionEnableTransportBridging"
/// Whether the device has to be sent the notifications of the system, an `NSNumber` with a Boolean. Linux does not send
/// them, so that such a connect fails with ``CBError/Code/operationNotSupported``.
public let CBConnectPeripheralOptionRequiresANCS = "kCBConnectOptionRequiresANCS"
