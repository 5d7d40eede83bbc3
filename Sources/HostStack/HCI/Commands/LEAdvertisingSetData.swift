import BluetoothTypes

// Commands about advertising sets whose parameters have no fixed size.

/// Sets the advertisement of a set, or a piece of it.
///
/// HCI_LE_Set_Extended_Advertising_Data (Core 5.4, Vol 4, Part E, 7.8.54).
package struct LESetExtendedAdvertisingData: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetExtendedAdvertisingData
  package static let name = "LE Set Extended Advertising Data"

  /// The set, 0 to 0xEF.
  package var advertisingHandle: UInt8
  /// How the piece stands to the whole.
  package var operation: AdvertisingDataOperation
  /// 1 asks the controller not to fragment the data on the air.
  package var fragmentPreference: UInt8
  /// AD structures, or a piece of them, at most 251 bytes.
  package var advertisingData: [UInt8]

  package init(
    advertisingHandle: UInt8 = 0,
    operation: AdvertisingDataOperation = .complete,
    fragmentPreference: UInt8 = 1,
    advertisingData: [UInt8] = []
  ) {
    self.advertisingHandle = advertisingHandle
    self.operation = operation
    self.fragmentPreference = fragmentPreference
    self.advertisingData = advertisingData
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    advertisingHandle = try reader.read()
    operation = AdvertisingDataOperation(rawValue: try reader.read())
    fragmentPreference = try reader.read()
    advertisingData = try reader.readCounted()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(advertisingHandle)
    writer.write(operation.rawValue)
    writer.write(fragmentPreference)
    writer.writeCounted(advertisingData)
  }
}

/// Sets the scan response of a set, or a piece of it.
///
/// HCI_LE_Set_Extended_Scan_Response_Data (Core 5.4, Vol 4, Part E, 7.8.55).
package struct LESetExtendedScanResponseData: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetExtendedScanResponseData
  package static let name = "LE Set Extended Scan Response Data"

  /// The set, 0 to 0xEF.
  package var advertisingHandle: UInt8
  /// How the piece stands to the whole.
  package var operation: AdvertisingDataOperation
  /// 1 asks the controller not to fragment the data on the air.
  package var fragmentPreference: UInt8
  /// AD structures, or a piece of them, at most 251 bytes.
  package var scanResponseData: [UInt8]

  package init(
    advertisingHandle: UInt8 = 0,
    operation: AdvertisingDataOperation = .complete,
    fragmentPreference: UInt8 = 1,
    scanResponseData: [UInt8] = []
  ) {
    self.advertisingHandle = advertisingHandle
    self.operation = operation
    self.fragmentPreference = fragmentPreference
    self.scanResponseData = scanResponseData
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    advertisingHandle = try reader.read()
    operation = AdvertisingDataOperation(rawValue: try reader.read())
    fragmentPreference = try reader.read()
    scanResponseData = try reader.readCounted()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(advertisingHandle)
    writer.write(operation.rawValue)
    writer.write(fragmentPreference)
    writer.writeCounted(scanResponseData)
  }
}

/// Starts or stops advertising sets.
///
/// HCI_LE_Set_Extended_Advertising_Enable (Core 5.4, Vol 4, Part E, 7.8.56).
package struct LESetExtendedAdvertisingEnable: HCICommand {
  /// One set and how long it goes on.
  package struct AdvertisingSet: Hashable, Sendable {
    /// The set, 0 to 0xEF.
    package var advertisingHandle: UInt8
    /// In units of 10 ms; 0 until stopped.
    package var duration: UInt16
    /// How many events; 0 for no limit.
    package var maxExtendedAdvertisingEvents: UInt8

    package init(advertisingHandle: UInt8 = 0, duration: UInt16 = 0, maxExtendedAdvertisingEvents: UInt8 = 0) {
      self.advertisingHandle = advertisingHandle
      self.duration = duration
      self.maxExtendedAdvertisingEvents = maxExtendedAdvertisingEvents
    }
  }

  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetExtendedAdvertisingEnable
  package static let name = "LE Set Extended Advertising Enable"

  /// Whether to advertise.
  package var enable: Bool
  /// The sets, at most 63; with `enable` false none stands for all.
  package var sets: [AdvertisingSet]

  package init(enable: Bool = true, sets: [AdvertisingSet] = []) {
    self.enable = enable
    self.sets = sets
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    enable = try reader.readBool()
    let count = Int(try reader.read(UInt8.self))
    try reader.require(4 &* count)
    sets = []
    for _ in 0..<count {
      sets.append(
        AdvertisingSet(
          advertisingHandle: try reader.read(),
          duration: try reader.read(),
          maxExtendedAdvertisingEvents: try reader.read()
        )
      )
    }
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(enable)
    writer.write(UInt8(truncatingIfNeeded: min(sets.count, 63)))
    for set in sets.prefix(63) {
      writer.write(set.advertisingHandle)
      writer.write(set.duration)
      writer.write(set.maxExtendedAdvertisingEvents)
    }
  }
}

/// Sets the data of a set's periodic advertising, or a piece of it.
///
/// HCI_LE_Set_Periodic_Advertising_Data (Core 5.4, Vol 4, Part E, 7.8.62).
package struct LESetPeriodicAdvertisingData: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetPeriodicAdvertisingData
  package static let name = "LE Set Periodic Advertising Data"

  /// The set, 0 to 0xEF.
  package var advertisingHandle: UInt8
  /// How the piece stands to the whole.
  package var operation: AdvertisingDataOperation
  /// AD structures, or a piece of them, at most 252 bytes.
  package var advertisingData: [UInt8]

  package init(
    advertisingHandle: UInt8 = 0,
    operation: AdvertisingDataOperation = .complete,
    advertisingData: [UInt8] = []
  ) {
    self.advertisingHandle = advertisingHandle
    self.operation = operation
    self.advertisingData = advertisingData
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    advertisingHandle = try reader.read()
    operation = AdvertisingDataOperation(rawValue: try reader.read())
    advertisingData = try reader.readCounted()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(advertisingHandle)
    writer.write(operation.rawValue)
    writer.writeCounted(advertisingData)
  }
}

extension HCIOpcode {
  package static let leSetExtendedAdvertisingData = HCIOpcode(group: 0x08, command: 0x0037)
  package static let leSetExtendedScanResponseData = HCIOpcode(group: 0x08, command: 0x0038)
  package static let leSetExtendedAdvertisingEnable = HCIOpcode(group: 0x08, command: 0x0039)
  package static let leSetPeriodicAdvertisingData = HCIOpcode(group: 0x08, command: 0x003F)
}
