import BluetoothTypes

// Legacy advertising.

/// Sets how to advertise; refused while advertising.
///
/// HCI_LE_Set_Advertising_Parameters (Core 5.4, Vol 4, Part E, 7.8.5).
package struct LESetAdvertisingParameters: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetAdvertisingParameters
  package static let name = "LE Set Advertising Parameters"

  /// In units of 0.625 ms, 0x0020 to 0x4000.
  package var advertisingIntervalMin: UInt16
  /// In units of 0.625 ms, 0x0020 to 0x4000.
  package var advertisingIntervalMax: UInt16
  /// Who may connect or ask for more.
  package var advertisingType: AdvertisingType
  /// The address to use.
  package var ownAddressType: OwnAddressType
  /// Whom directed advertising is for.
  package var peerAddress: BluetoothAddress
  /// The channels to use.
  package var advertisingChannelMap: AdvertisingChannelMap
  /// Whom to listen to.
  package var advertisingFilterPolicy: AdvertisingFilterPolicy

  package init(
    advertisingIntervalMin: UInt16 = 0x0800,
    advertisingIntervalMax: UInt16 = 0x0800,
    advertisingType: AdvertisingType = .connectableUndirected,
    ownAddressType: OwnAddressType = .public,
    peerAddress: BluetoothAddress = BluetoothAddress(0, .public),
    advertisingChannelMap: AdvertisingChannelMap = .all,
    advertisingFilterPolicy: AdvertisingFilterPolicy = .all
  ) {
    self.advertisingIntervalMin = advertisingIntervalMin
    self.advertisingIntervalMax = advertisingIntervalMax
    self.advertisingType = advertisingType
    self.ownAddressType = ownAddressType
    self.peerAddress = peerAddress
    self.advertisingChannelMap = advertisingChannelMap
    self.advertisingFilterPolicy = advertisingFilterPolicy
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    advertisingIntervalMin = try reader.read()
    advertisingIntervalMax = try reader.read()
    advertisingType = AdvertisingType(rawValue: try reader.read())
    ownAddressType = OwnAddressType(rawValue: try reader.read())
    peerAddress = try reader.readTypedAddress()
    advertisingChannelMap = AdvertisingChannelMap(rawValue: try reader.read())
    advertisingFilterPolicy = AdvertisingFilterPolicy(rawValue: try reader.read())
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(advertisingIntervalMin)
    writer.write(advertisingIntervalMax)
    writer.write(advertisingType.rawValue)
    writer.write(ownAddressType.rawValue)
    writer.writeTyped(peerAddress)
    writer.write(advertisingChannelMap.rawValue)
    writer.write(advertisingFilterPolicy.rawValue)
  }
}

/// Asks for the power of legacy advertising.
///
/// HCI_LE_Read_Advertising_Physical_Channel_TX_Power (Core 5.4, Vol 4, Part E, 7.8.6).
package struct LEReadAdvertisingPhysicalChannelTXPower: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// In dBm, -20 to 10.
    package var txPowerLevel: Int8

    package init(status: HCIStatus = .success, txPowerLevel: Int8 = 0) {
      self.status = status
      self.txPowerLevel = txPowerLevel
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 1)
      txPowerLevel = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(txPowerLevel)
    }
  }

  package static let opcode = HCIOpcode.leReadAdvertisingPhysicalChannelTXPower
  package static let name = "LE Read Advertising Physical Channel TX Power"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Sets the advertisement.
///
/// HCI_LE_Set_Advertising_Data (Core 5.4, Vol 4, Part E, 7.8.7).
package struct LESetAdvertisingData: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetAdvertisingData
  package static let name = "LE Set Advertising Data"

  /// AD structures, at most 31 bytes.
  package var advertisingData: [UInt8]

  package init(advertisingData: [UInt8] = []) {
    self.advertisingData = advertisingData
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    advertisingData = try reader.readCounted(fixedSize: 31)
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeCounted(advertisingData, fixedSize: 31)
  }
}

/// Sets the scan response.
///
/// HCI_LE_Set_Scan_Response_Data (Core 5.4, Vol 4, Part E, 7.8.8).
package struct LESetScanResponseData: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetScanResponseData
  package static let name = "LE Set Scan Response Data"

  /// AD structures, at most 31 bytes.
  package var scanResponseData: [UInt8]

  package init(scanResponseData: [UInt8] = []) {
    self.scanResponseData = scanResponseData
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    scanResponseData = try reader.readCounted(fixedSize: 31)
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeCounted(scanResponseData, fixedSize: 31)
  }
}

/// Starts or stops to advertise.
///
/// HCI_LE_Set_Advertising_Enable (Core 5.4, Vol 4, Part E, 7.8.9).
package struct LESetAdvertisingEnable: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetAdvertisingEnable
  package static let name = "LE Set Advertising Enable"

  /// Whether to advertise.
  package var advertisingEnable: Bool

  package init(advertisingEnable: Bool = true) {
    self.advertisingEnable = advertisingEnable
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    advertisingEnable = try reader.readBool()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(advertisingEnable)
  }
}

extension HCIOpcode {
  package static let leSetAdvertisingParameters = HCIOpcode(group: 0x08, command: 0x0006)
  package static let leReadAdvertisingPhysicalChannelTXPower = HCIOpcode(group: 0x08, command: 0x0007)
  package static let leSetAdvertisingData = HCIOpcode(group: 0x08, command: 0x0008)
  package static let leSetScanResponseData = HCIOpcode(group: 0x08, command: 0x0009)
  package static let leSetAdvertisingEnable = HCIOpcode(group: 0x08, command: 0x000A)
}
