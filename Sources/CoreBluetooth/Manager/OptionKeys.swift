/// Whether a scan reports an advertisement each time that it is heard, an `NSNumber` with a Boolean.
public let CBCentralManagerScanOptionAllowDuplicatesKey = "kCBScanOptionAllowDuplicates"
/// Services: a scan reports devices that look for one of them, `[CBUUID]`.
public let CBCentralManagerScanOptionSolicitedServiceUUIDsKey = "kCBScanOptionSolicitedServiceUUIDs"
/// How many seconds a connect waits before it begins, an `NSNumber`.
public let CBConnectPeripheralOptionStartDelayKey = "kCBConnectOptionStartDelay"
/// Whether the user is told of a connection while the app is suspended, an `NSNumber` with a Boolean. An app on Linux
/// is never suspended, so nothing follows from it here.
public let CBConnectPeripheralOptionNotifyOnConnectionKey = "kCBConnectOptionNotifyOnConnection"
/// The same for the end of a connection.
public let CBConnectPeripheralOptionNotifyOnDisconnectionKey = "kCBConnectOptionNotifyOnDisconnection"
/// The same for values that are notified.
public let CBConnectPeripheralOptionNotifyOnNotificationKey = "kCBConnectOptionNotifyOnNotification"
/// Whether a dialog tells that the radio is off when a central manager is made. Linux has none, so nothing follows.
public let CBCentralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// Whether a dialog tells that the radio is off when a peripheral manager is made. Linux has none, so nothing follows.
public let CBPeripheralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"

/// Not Apple's: the radio that a manager uses, any `Radio` of the module RadioPort, such as that of a virtual world.
/// Without it the manager uses the radio of the process, which `HALCYON_RADIO` names.
public let CBManagerOptionRadioKey = "HalcyonManagerOptionRadio"
