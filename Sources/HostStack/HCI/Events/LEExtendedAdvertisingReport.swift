import BluetoothTypes

/// Advertisements were heard by an extended scan.
///
/// HCI_LE_Extended_Advertising_Report (Core 5.4, Vol 4, Part E, 7.7.65.13).
package struct LEExtendedAdvertisingReport: LEMetaEvent {
  /// One advertisement, or a piece of one.
  package struct Report: Hashable, Sendable {
    /// What was heard.
    package var eventType: ExtendedAdvertisingReportType
    /// Who sent it; `nil` if anonymous.
    package var address: BluetoothAddress?
    /// Where it was heard first.
    package var primaryPHY: LEPHY
    /// Where the auxiliary packets are.
    package var secondaryPHY: LEPHY
    /// The advertising set; 0xFF if none was told.
    package var advertisingSID: UInt8
    /// The power that the advertiser tells in dBm, -127 to 20; 127 if it does not.
    package var txPower: Int8
    /// In dBm, -127 to 20; 127 if it can not be told.
    package var rssi: Int8
    /// Of the periodic advertising that goes with it, in units of 1.25 ms; 0 if there is none.
    package var periodicAdvertisingInterval: UInt16
    /// Whom directed advertising is for; `nil` if it is not directed.
    package var directAddress: BluetoothAddress?
    /// Whether that is a private address which the controller could not resolve.
    package var isDirectAddressUnresolved: Bool
    /// AD structures, or a piece of them, at most 229 bytes.
    package var data: [UInt8]

    package init(
      eventType: ExtendedAdvertisingReportType,
      address: BluetoothAddress?,
      primaryPHY: LEPHY = .le1M,
      secondaryPHY: LEPHY = .none,
      advertisingSID: UInt8 = 0xFF,
      txPower: Int8 = 127,
      rssi: Int8 = 127,
      periodicAdvertisingInterval: UInt16 = 0,
      directAddress: BluetoothAddress? = nil,
      isDirectAddressUnresolved: Bool = false,
      data: [UInt8] = []
    ) {
      self.eventType = eventType
      self.address = address
      self.primaryPHY = primaryPHY
      self.secondaryPHY = secondaryPHY
      self.advertisingSID = advertisingSID
      self.txPower = txPower
      self.rssi = rssi
      self.periodicAdvertisingInterval = periodicAdvertisingInterval
      self.directAddress = directAddress
      self.isDirectAddressUnresolved = isDirectAddressUnresolved
      self.data = data
    }

    fileprivate init(reading reader: inout ByteReader) throws(ByteError) {
      eventType = ExtendedAdvertisingReportType(rawValue: try reader.read())
      address = try reader.readOptionalTypedAddress()
      primaryPHY = LEPHY(rawValue: try reader.read())
      secondaryPHY = LEPHY(rawValue: try reader.read())
      advertisingSID = try reader.read()
      txPower = try reader.read()
      rssi = try reader.read()
      periodicAdvertisingInterval = try reader.read()
      // The field has a meaning only for directed advertising; controllers leave anything in it otherwise.
      try reader.require(7)
      if eventType.contains(.directed) {
        isDirectAddressUnresolved = reader.bytes[reader.offset] == 0xFE
        directAddress = try reader.readOptionalTypedAddress()
      } else {
        try reader.skip(7)
        isDirectAddressUnresolved = false
        directAddress = nil
      }
      data = try reader.readCounted()
    }

    fileprivate func write(to writer: inout ByteWriter) {
      writer.write(eventType.rawValue)
      writer.writeOptionalTyped(address)
      writer.write(primaryPHY.rawValue)
      writer.write(secondaryPHY.rawValue)
      writer.write(advertisingSID)
      writer.write(txPower)
      writer.write(rssi)
      writer.write(periodicAdvertisingInterval)
      if eventType.contains(.directed) {
        if isDirectAddressUnresolved, let directAddress {
          writer.write(UInt8(0xFE))
          directAddress.write(to: &writer)
        } else {
          writer.writeOptionalTyped(directAddress)
        }
      } else {
        writer.writeTyped(BluetoothAddress(0, .public))
      }
      writer.writeCounted(data)
    }
  }

  package static let subeventCode = LESubevent.leExtendedAdvertisingReport
  package static let name = "LE Extended Advertising Report"

  /// What was heard, at most 10.
  package var reports: [Report]

  package init(reports: [Report] = []) { self.reports = reports }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    let count = Int(try reader.read(UInt8.self))
    reports = []
    for _ in 0..<count { reports.append(try Report(reading: &reader)) }
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(UInt8(truncatingIfNeeded: min(reports.count, 10)))
    for report in reports.prefix(10) { report.write(to: &writer) }
  }
}

/// A packet of a periodic advertising that is followed.
///
/// HCI_LE_Periodic_Advertising_Report (Core 5.4, Vol 4, Part E, 7.7.65.15).
package struct LEPeriodicAdvertisingReport: LEMetaEvent {
  package static let subeventCode = LESubevent.lePeriodicAdvertisingReport
  package static let name = "LE Periodic Advertising Report"

  /// What is followed.
  package var syncHandle: UInt16
  /// The power that the advertiser tells in dBm; 127 if it does not.
  package var txPower: Int8
  /// In dBm, -127 to 20; 127 if it can not be told.
  package var rssi: Int8
  /// The constant tone extension of the packet; 0xFF for none.
  package var cteType: UInt8
  /// 0 complete, 1 more will come, 2 the rest is lost, 0xFF nothing was received.
  package var dataStatus: UInt8
  /// AD structures, or a piece of them, at most 247 bytes.
  package var data: [UInt8]

  package init(
    syncHandle: UInt16 = 0,
    txPower: Int8 = 127,
    rssi: Int8 = 127,
    cteType: UInt8 = 0xFF,
    dataStatus: UInt8 = 0,
    data: [UInt8] = []
  ) {
    self.syncHandle = syncHandle
    self.txPower = txPower
    self.rssi = rssi
    self.cteType = cteType
    self.dataStatus = dataStatus
    self.data = data
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    syncHandle = try reader.read()
    txPower = try reader.read()
    rssi = try reader.read()
    cteType = try reader.read()
    dataStatus = try reader.read()
    data = try reader.readCounted()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(syncHandle)
    writer.write(txPower)
    writer.write(rssi)
    writer.write(cteType)
    writer.write(dataStatus)
    writer.writeCounted(data)
  }
}
