import BluetoothTypes

// Low Energy events about the periodic advertising of others.

/// We follow somebody's periodic advertising, or could not begin to.
///
/// HCI_LE_Periodic_Advertising_Sync_Established (Core 5.4, Vol 4, Part E, 7.7.65.14).
package struct LEPeriodicAdvertisingSyncEstablished: LEMetaEvent {
  package static let subeventCode = LESubevent.lePeriodicAdvertisingSyncEstablished
  package static let name = "LE Periodic Advertising Sync Established"

  /// Whether we do.
  package var status: HCIStatus
  /// What is followed.
  package var syncHandle: UInt16
  /// The set.
  package var advertisingSID: UInt8
  /// Whom we follow.
  package var advertiserAddress: BluetoothAddress
  /// The PHY.
  package var advertiserPHY: LEPHY
  /// In units of 1.25 ms.
  package var periodicAdvertisingInterval: UInt16
  /// 0 for 500 ppm to 7 for 20 ppm.
  package var advertiserClockAccuracy: UInt8

  package init(
    status: HCIStatus = .success,
    syncHandle: UInt16 = 0,
    advertisingSID: UInt8 = 0,
    advertiserAddress: BluetoothAddress = BluetoothAddress(0, .public),
    advertiserPHY: LEPHY = .le1M,
    periodicAdvertisingInterval: UInt16 = 0,
    advertiserClockAccuracy: UInt8 = 0
  ) {
    self.status = status
    self.syncHandle = syncHandle
    self.advertisingSID = advertisingSID
    self.advertiserAddress = advertiserAddress
    self.advertiserPHY = advertiserPHY
    self.periodicAdvertisingInterval = periodicAdvertisingInterval
    self.advertiserClockAccuracy = advertiserClockAccuracy
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    status = try reader.readStatus(before: 14)
    syncHandle = try reader.read()
    advertisingSID = try reader.read()
    advertiserAddress = try reader.readTypedAddress(isMeaningful: status == .success)
    advertiserPHY = LEPHY(rawValue: try reader.read())
    periodicAdvertisingInterval = try reader.read()
    advertiserClockAccuracy = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(status.rawValue)
    writer.write(syncHandle)
    writer.write(advertisingSID)
    writer.writeTyped(advertiserAddress)
    writer.write(advertiserPHY.rawValue)
    writer.write(periodicAdvertisingInterval)
    writer.write(advertiserClockAccuracy)
  }
}

/// What was followed is not heard any more.
///
/// HCI_LE_Periodic_Advertising_Sync_Lost (Core 5.4, Vol 4, Part E, 7.7.65.16).
package struct LEPeriodicAdvertisingSyncLost: LEMetaEvent {
  package static let subeventCode = LESubevent.lePeriodicAdvertisingSyncLost
  package static let name = "LE Periodic Advertising Sync Lost"

  /// What was followed.
  package var syncHandle: UInt16

  package init(syncHandle: UInt16 = 0) {
    self.syncHandle = syncHandle
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    syncHandle = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(syncHandle)
  }
}
