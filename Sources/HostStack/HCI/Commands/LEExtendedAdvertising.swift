import BluetoothTypes

// Advertising sets.

/// Sets the random address of an advertising set.
///
/// HCI_LE_Set_Advertising_Set_Random_Address (Core 5.4, Vol 4, Part E, 7.8.52).
package struct LESetAdvertisingSetRandomAddress: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetAdvertisingSetRandomAddress
  package static let name = "LE Set Advertising Set Random Address"

  /// The set, 0 to 0xEF.
  package var advertisingHandle: UInt8
  /// The address.
  package var randomAddress: BluetoothAddress

  package init(advertisingHandle: UInt8 = 0, randomAddress: BluetoothAddress = BluetoothAddress(0, .random)) {
    self.advertisingHandle = advertisingHandle
    self.randomAddress = randomAddress
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    advertisingHandle = try reader.read()
    randomAddress = try BluetoothAddress(reading: &reader, kind: .random)
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(advertisingHandle)
    randomAddress.write(to: &writer)
  }
}

/// Sets how an advertising set advertises.
///
/// HCI_LE_Set_Extended_Advertising_Parameters (Core 5.4, Vol 4, Part E, 7.8.53).
package struct LESetExtendedAdvertisingParameters: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// In dBm, -127 to 20.
    package var selectedTXPower: Int8

    package init(status: HCIStatus = .success, selectedTXPower: Int8 = 0) {
      self.status = status
      self.selectedTXPower = selectedTXPower
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 1)
      selectedTXPower = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(selectedTXPower)
    }
  }

  package static let opcode = HCIOpcode.leSetExtendedAdvertisingParameters
  package static let name = "LE Set Extended Advertising Parameters"

  /// The set, 0 to 0xEF.
  package var advertisingHandle: UInt8
  /// What kind of advertising it is.
  package var advertisingEventProperties: AdvertisingEventProperties
  /// In units of 0.625 ms, 0x20 to 0xFFFFFF.
  package var primaryAdvertisingIntervalMin: UInt32
  /// In units of 0.625 ms, 0x20 to 0xFFFFFF.
  package var primaryAdvertisingIntervalMax: UInt32
  /// The channels to use.
  package var primaryAdvertisingChannelMap: AdvertisingChannelMap
  /// The address to use.
  package var ownAddressType: OwnAddressType
  /// Whom directed advertising is for.
  package var peerAddress: BluetoothAddress
  /// Whom to listen to.
  package var advertisingFilterPolicy: AdvertisingFilterPolicy
  /// In dBm, -127 to 20; 127 leaves it to the controller.
  package var advertisingTXPower: Int8
  /// 1M or coded.
  package var primaryAdvertisingPHY: LEPHY
  /// How many events may be left out before the auxiliary packet.
  package var secondaryAdvertisingMaxSkip: UInt8
  /// The PHY of the auxiliary packets.
  package var secondaryAdvertisingPHY: LEPHY
  /// Names the set to scanners, 0 to 0x0F.
  package var advertisingSID: UInt8
  /// Whether to report scan requests.
  package var scanRequestNotificationEnable: Bool

  package init(
    advertisingHandle: UInt8 = 0,
    advertisingEventProperties: AdvertisingEventProperties = .legacyConnectable,
    primaryAdvertisingIntervalMin: UInt32 = 0x800,
    primaryAdvertisingIntervalMax: UInt32 = 0x800,
    primaryAdvertisingChannelMap: AdvertisingChannelMap = .all,
    ownAddressType: OwnAddressType = .public,
    peerAddress: BluetoothAddress = BluetoothAddress(0, .public),
    advertisingFilterPolicy: AdvertisingFilterPolicy = .all,
    advertisingTXPower: Int8 = 127,
    primaryAdvertisingPHY: LEPHY = .le1M,
    secondaryAdvertisingMaxSkip: UInt8 = 0,
    secondaryAdvertisingPHY: LEPHY = .le1M,
    advertisingSID: UInt8 = 0,
    scanRequestNotificationEnable: Bool = false
  ) {
    self.advertisingHandle = advertisingHandle
    self.advertisingEventProperties = advertisingEventProperties
    self.primaryAdvertisingIntervalMin = primaryAdvertisingIntervalMin
    self.primaryAdvertisingIntervalMax = primaryAdvertisingIntervalMax
    self.primaryAdvertisingChannelMap = primaryAdvertisingChannelMap
    self.ownAddressType = ownAddressType
    self.peerAddress = peerAddress
    self.advertisingFilterPolicy = advertisingFilterPolicy
    self.advertisingTXPower = advertisingTXPower
    self.primaryAdvertisingPHY = primaryAdvertisingPHY
    self.secondaryAdvertisingMaxSkip = secondaryAdvertisingMaxSkip
    self.secondaryAdvertisingPHY = secondaryAdvertisingPHY
    self.advertisingSID = advertisingSID
    self.scanRequestNotificationEnable = scanRequestNotificationEnable
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    advertisingHandle = try reader.read()
    advertisingEventProperties = AdvertisingEventProperties(rawValue: try reader.read())
    primaryAdvertisingIntervalMin = try reader.readInteger(byteCount: 3)
    primaryAdvertisingIntervalMax = try reader.readInteger(byteCount: 3)
    primaryAdvertisingChannelMap = AdvertisingChannelMap(rawValue: try reader.read())
    ownAddressType = OwnAddressType(rawValue: try reader.read())
    peerAddress = try reader.readTypedAddress()
    advertisingFilterPolicy = AdvertisingFilterPolicy(rawValue: try reader.read())
    advertisingTXPower = try reader.read()
    primaryAdvertisingPHY = LEPHY(rawValue: try reader.read())
    secondaryAdvertisingMaxSkip = try reader.read()
    secondaryAdvertisingPHY = LEPHY(rawValue: try reader.read())
    advertisingSID = try reader.read()
    scanRequestNotificationEnable = try reader.readBool()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(advertisingHandle)
    writer.write(advertisingEventProperties.rawValue)
    writer.writeInteger(primaryAdvertisingIntervalMin, byteCount: 3)
    writer.writeInteger(primaryAdvertisingIntervalMax, byteCount: 3)
    writer.write(primaryAdvertisingChannelMap.rawValue)
    writer.write(ownAddressType.rawValue)
    writer.writeTyped(peerAddress)
    writer.write(advertisingFilterPolicy.rawValue)
    writer.write(advertisingTXPower)
    writer.write(primaryAdvertisingPHY.rawValue)
    writer.write(secondaryAdvertisingMaxSkip)
    writer.write(secondaryAdvertisingPHY.rawValue)
    writer.write(advertisingSID)
    writer.write(scanRequestNotificationEnable)
  }
}

/// Asks how long the data of a set may be.
///
/// HCI_LE_Read_Maximum_Advertising_Data_Length (Core 5.4, Vol 4, Part E, 7.8.57).
package struct LEReadMaximumAdvertisingDataLength: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// In bytes, 31 to 1650.
    package var maxAdvertisingDataLength: UInt16

    package init(status: HCIStatus = .success, maxAdvertisingDataLength: UInt16 = 1650) {
      self.status = status
      self.maxAdvertisingDataLength = maxAdvertisingDataLength
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 2)
      maxAdvertisingDataLength = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(maxAdvertisingDataLength)
    }
  }

  package static let opcode = HCIOpcode.leReadMaximumAdvertisingDataLength
  package static let name = "LE Read Maximum Advertising Data Length"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Asks how many advertising sets there may be.
///
/// HCI_LE_Read_Number_Of_Supported_Advertising_Sets (Core 5.4, Vol 4, Part E, 7.8.58).
package struct LEReadNumberOfSupportedAdvertisingSets: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// How many, 1 to 0xF0.
    package var numSupportedAdvertisingSets: UInt8

    package init(status: HCIStatus = .success, numSupportedAdvertisingSets: UInt8 = 1) {
      self.status = status
      self.numSupportedAdvertisingSets = numSupportedAdvertisingSets
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 1)
      numSupportedAdvertisingSets = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(numSupportedAdvertisingSets)
    }
  }

  package static let opcode = HCIOpcode.leReadNumberOfSupportedAdvertisingSets
  package static let name = "LE Read Number Of Supported Advertising Sets"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Removes an advertising set.
///
/// HCI_LE_Remove_Advertising_Set (Core 5.4, Vol 4, Part E, 7.8.59).
package struct LERemoveAdvertisingSet: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leRemoveAdvertisingSet
  package static let name = "LE Remove Advertising Set"

  /// The set, 0 to 0xEF.
  package var advertisingHandle: UInt8

  package init(advertisingHandle: UInt8 = 0) {
    self.advertisingHandle = advertisingHandle
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    advertisingHandle = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(advertisingHandle)
  }
}

/// Removes all advertising sets.
///
/// HCI_LE_Clear_Advertising_Sets (Core 5.4, Vol 4, Part E, 7.8.60).
package struct LEClearAdvertisingSets: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leClearAdvertisingSets
  package static let name = "LE Clear Advertising Sets"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

extension HCIOpcode {
  package static let leSetAdvertisingSetRandomAddress = HCIOpcode(group: 0x08, command: 0x0035)
  package static let leSetExtendedAdvertisingParameters = HCIOpcode(group: 0x08, command: 0x0036)
  package static let leReadMaximumAdvertisingDataLength = HCIOpcode(group: 0x08, command: 0x003A)
  package static let leReadNumberOfSupportedAdvertisingSets = HCIOpcode(group: 0x08, command: 0x003B)
  package static let leRemoveAdvertisingSet = HCIOpcode(group: 0x08, command: 0x003C)
  package static let leClearAdvertisingSets = HCIOpcode(group: 0x08, command: 0x003D)
}
