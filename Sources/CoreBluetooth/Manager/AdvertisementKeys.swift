// The strings are those that Apple's framework has; they show in logs and in code that spells them out.

/// An advertisement's name, a `String`.
public let CBAdvertisementDataLocalNameKey = "kCBAdvDataLocalName"
/// The power that an advertisement was sent with in dBm, an `NSNumber`.
public let CBAdvertisementDataTxPowerLevelKey = "kCBAdvDataTxPowerLevel"
/// The services that are advertised, `[CBUUID]`.
public let CBAdvertisementDataServiceUUIDsKey = "kCBAdvDataServiceUUIDs"
/// The data of services, `[CBUUID: Data]`.
public let CBAdvertisementDataServiceDataKey = "kCBAdvDataServiceData"
/// Data in the terms of a company, `Data`: the company's number, least significant byte first, and what follows.
public let CBAdvertisementDataManufacturerDataKey = "kCBAdvDataManufacturerData"
/// The services for which the advertisement had no room, `[CBUUID]`.
public let CBAdvertisementDataOverflowServiceUUIDsKey = "kCBAdvDataHashedServiceUUIDs"
/// Whether the device takes connections, an `NSNumber`.
public let CBAdvertisementDataIsConnectable = "kCBAdvDataIsConnectable"
/// The services that the device looks for, `[CBUUID]`.
public let CBAdvertisementDataSolicitedServiceUUIDsKey = "kCBAdvDataSolicitedServiceUUIDs"
