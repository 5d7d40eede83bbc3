// The strings are those that Apple's framework has. Those of a scan show in the log of an app
// (heypiotr/eddystone-ios-background-poc, README.md), the others in apps that spell them out; all are among the framework's
// constants, as published listings of it show them.

/// A central manager with this option, a `String` that is the program's own for it, keeps what it does in a file, and
/// goes on with it after the program ended without letting it go: see
/// ``CBCentralManagerDelegate/centralManager(_:willRestoreState:)``.
public let CBCentralManagerOptionRestoreIdentifierKey = "kCBInitOptionRestoreIdentifier"
/// The same for a peripheral manager: see ``CBPeripheralManagerDelegate/peripheralManager(_:willRestoreState:)``.
public let CBPeripheralManagerOptionRestoreIdentifierKey = "kCBInitOptionRestoreIdentifier"

/// The devices that were connected or were to be, `[CBPeripheral]`.
public let CBCentralManagerRestoredStatePeripheralsKey = "kCBRestoredPeripherals"
/// The services that a scan looked for, `[CBUUID]`; absent if it looked for all.
public let CBCentralManagerRestoredStateScanServicesKey = "kCBRestoredScanServices"
/// The options of a scan, `[String: Any]`; absent if there was no scan.
public let CBCentralManagerRestoredStateScanOptionsKey = "kCBRestoredScanOptions"
/// The services that were published, `[CBMutableService]`.
public let CBPeripheralManagerRestoredStateServicesKey = "kCBRestoredServices"
/// What was advertised, `[String: Any]` by the keys `CBAdvertisementData…`.
public let CBPeripheralManagerRestoredStateAdvertisementDataKey = "kCBRestoredAdvertisement"

/// Not Apple's: where a manager with a restore identifier keeps its file, a `String` with the path of a directory or a
/// file `URL`. Without it that is `halcyon/corebluetooth/` and the program's name in `$XDG_STATE_HOME`, or in
/// `~/.local/state`.
public let CBManagerOptionStateDirectoryKey = "HalcyonManagerOptionStateDirectory"
