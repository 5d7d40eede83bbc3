import BluetoothTypes

// Periodic advertising: that of our own, and synchronization to that of others.

/// Sets how an advertising set advertises periodically.
///
/// HCI_LE_Set_Periodic_Advertising_Parameters (Core 5.4, Vol 4, Part E, 7.8.61).
package struct LESetPeriodicAdvertisingParameters: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetPeriodicAdvertisingParameters
  package static let name = "LE Set Periodic Advertising Parameters"

  /// The set, 0 to 0xEF.
  package var advertisingHandle: UInt8
  /// In units of 1.25 ms, 0x0006 to 0xFFFF.
  package var periodicAdvertisingIntervalMin: UInt16
  /// In units of 1.25 ms, 0x0006 to 0xFFFF.
  package var periodicAdvertisingIntervalMax: UInt16
  /// Bit 6: the transmit power is part of it.
  package var periodicAdvertisingProperties: UInt16

  package init(
    advertisingHandle: UInt8 = 0,
    periodicAdvertisingIntervalMin: UInt16 = 0x0050,
    periodicAdvertisingIntervalMax: UInt16 = 0x0050,
    periodicAdvertisingProperties: UInt16 = 0
  ) {
    self.advertisingHandle = advertisingHandle
    self.periodicAdvertisingIntervalMin = periodicAdvertisingIntervalMin
    self.periodicAdvertisingIntervalMax = periodicAdvertisingIntervalMax
    self.periodicAdvertisingProperties = periodicAdvertisingProperties
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    advertisingHandle = try reader.read()
    periodicAdvertisingIntervalMin = try reader.read()
    periodicAdvertisingIntervalMax = try reader.read()
    periodicAdvertisingProperties = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(advertisingHandle)
    writer.write(periodicAdvertisingIntervalMin)
    writer.write(periodicAdvertisingIntervalMax)
    writer.write(periodicAdvertisingProperties)
  }
}

/// Starts or stops periodic advertising.
///
/// HCI_LE_Set_Periodic_Advertising_Enable (Core 5.4, Vol 4, Part E, 7.8.63).
package struct LESetPeriodicAdvertisingEnable: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetPeriodicAdvertisingEnable
  package static let name = "LE Set Periodic Advertising Enable"

  /// Bit 0: whether to advertise; bit 1: whether the ADI field is part of it.
  package var enable: UInt8
  /// The set, 0 to 0xEF.
  package var advertisingHandle: UInt8

  package init(enable: UInt8 = 1, advertisingHandle: UInt8 = 0) {
    self.enable = enable
    self.advertisingHandle = advertisingHandle
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    enable = try reader.read()
    advertisingHandle = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(enable)
    writer.write(advertisingHandle)
  }
}

/// Starts to follow somebody's periodic advertising.
///
/// HCI_LE_Periodic_Advertising_Create_Sync (Core 5.4, Vol 4, Part E, 7.8.67).
package struct LEPeriodicAdvertisingCreateSync: HCICommand {
  package typealias Return = CommandStatusOnly

  package static let opcode = HCIOpcode.lePeriodicAdvertisingCreateSync
  package static let name = "LE Periodic Advertising Create Sync"

  /// Bit 0: use the periodic advertiser list; bit 1: no reports at first; bit 2: leave out duplicates.
  package var options: UInt8
  /// The set, 0 to 0x0F.
  package var advertisingSID: UInt8
  /// Whom to follow.
  package var advertiserAddress: BluetoothAddress
  /// How many events may be left out, 0 to 0x01F3.
  package var skip: UInt16
  /// In units of 10 ms, 0x000A to 0x4000.
  package var syncTimeout: UInt16
  /// Constant tone extensions not to follow, a bit each.
  package var syncCTEType: UInt8

  package init(
    options: UInt8 = 0,
    advertisingSID: UInt8 = 0,
    advertiserAddress: BluetoothAddress = BluetoothAddress(0, .public),
    skip: UInt16 = 0,
    syncTimeout: UInt16 = 0x0064,
    syncCTEType: UInt8 = 0
  ) {
    self.options = options
    self.advertisingSID = advertisingSID
    self.advertiserAddress = advertiserAddress
    self.skip = skip
    self.syncTimeout = syncTimeout
    self.syncCTEType = syncCTEType
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    options = try reader.read()
    advertisingSID = try reader.read()
    advertiserAddress = try reader.readTypedAddress()
    skip = try reader.read()
    syncTimeout = try reader.read()
    syncCTEType = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(options)
    writer.write(advertisingSID)
    writer.writeTyped(advertiserAddress)
    writer.write(skip)
    writer.write(syncTimeout)
    writer.write(syncCTEType)
  }
}

/// Ends the attempt to follow.
///
/// HCI_LE_Periodic_Advertising_Create_Sync_Cancel (Core 5.4, Vol 4, Part E, 7.8.68).
package struct LEPeriodicAdvertisingCreateSyncCancel: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.lePeriodicAdvertisingCreateSyncCancel
  package static let name = "LE Periodic Advertising Create Sync Cancel"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Stops to follow.
///
/// HCI_LE_Periodic_Advertising_Terminate_Sync (Core 5.4, Vol 4, Part E, 7.8.69).
package struct LEPeriodicAdvertisingTerminateSync: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.lePeriodicAdvertisingTerminateSync
  package static let name = "LE Periodic Advertising Terminate Sync"

  /// What is followed.
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

/// Adds an advertising set to the periodic advertiser list.
///
/// HCI_LE_Add_Device_To_Periodic_Advertiser_List (Core 5.4, Vol 4, Part E, 7.8.70).
package struct LEAddDeviceToPeriodicAdvertiserList: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leAddDeviceToPeriodicAdvertiserList
  package static let name = "LE Add Device To Periodic Advertiser List"

  /// Its advertiser.
  package var advertiserAddress: BluetoothAddress
  /// The set, 0 to 0x0F.
  package var advertisingSID: UInt8

  package init(advertiserAddress: BluetoothAddress = BluetoothAddress(0, .public), advertisingSID: UInt8 = 0) {
    self.advertiserAddress = advertiserAddress
    self.advertisingSID = advertisingSID
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    advertiserAddress = try reader.readTypedAddress()
    advertisingSID = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeTyped(advertiserAddress)
    writer.write(advertisingSID)
  }
}

/// Takes an advertising set from the periodic advertiser list.
///
/// HCI_LE_Remove_Device_From_Periodic_Advertiser_List (Core 5.4, Vol 4, Part E, 7.8.71).
package struct LERemoveDeviceFromPeriodicAdvertiserList: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leRemoveDeviceFromPeriodicAdvertiserList
  package static let name = "LE Remove Device From Periodic Advertiser List"

  /// Its advertiser.
  package var advertiserAddress: BluetoothAddress
  /// The set, 0 to 0x0F.
  package var advertisingSID: UInt8

  package init(advertiserAddress: BluetoothAddress = BluetoothAddress(0, .public), advertisingSID: UInt8 = 0) {
    self.advertiserAddress = advertiserAddress
    self.advertisingSID = advertisingSID
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    advertiserAddress = try reader.readTypedAddress()
    advertisingSID = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeTyped(advertiserAddress)
    writer.write(advertisingSID)
  }
}

/// Empties the periodic advertiser list.
///
/// HCI_LE_Clear_Periodic_Advertiser_List (Core 5.4, Vol 4, Part E, 7.8.72).
package struct LEClearPeriodicAdvertiserList: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leClearPeriodicAdvertiserList
  package static let name = "LE Clear Periodic Advertiser List"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Asks how many sets fit into the periodic advertiser list.
///
/// HCI_LE_Read_Periodic_Advertiser_List_Size (Core 5.4, Vol 4, Part E, 7.8.73).
package struct LEReadPeriodicAdvertiserListSize: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// How many, 1 to 255.
    package var periodicAdvertiserListSize: UInt8

    package init(status: HCIStatus = .success, periodicAdvertiserListSize: UInt8 = 1) {
      self.status = status
      self.periodicAdvertiserListSize = periodicAdvertiserListSize
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 1)
      periodicAdvertiserListSize = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(periodicAdvertiserListSize)
    }
  }

  package static let opcode = HCIOpcode.leReadPeriodicAdvertiserListSize
  package static let name = "LE Read Periodic Advertiser List Size"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

extension HCIOpcode {
  package static let leSetPeriodicAdvertisingParameters = HCIOpcode(group: 0x08, command: 0x003E)
  package static let leSetPeriodicAdvertisingEnable = HCIOpcode(group: 0x08, command: 0x0040)
  package static let lePeriodicAdvertisingCreateSync = HCIOpcode(group: 0x08, command: 0x0044)
  package static let lePeriodicAdvertisingCreateSyncCancel = HCIOpcode(group: 0x08, command: 0x0045)
  package static let lePeriodicAdvertisingTerminateSync = HCIOpcode(group: 0x08, command: 0x0046)
  package static let leAddDeviceToPeriodicAdvertiserList = HCIOpcode(group: 0x08, command: 0x0047)
  package static let leRemoveDeviceFromPeriodicAdvertiserList = HCIOpcode(group: 0x08, command: 0x0048)
  package static let leClearPeriodicAdvertiserList = HCIOpcode(group: 0x08, command: 0x0049)
  package static let leReadPeriodicAdvertiserListSize = HCIOpcode(group: 0x08, command: 0x004A)
}
