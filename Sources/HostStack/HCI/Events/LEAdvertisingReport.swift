import BluetoothTypes

/// Advertisements were heard by a legacy scan.
///
/// HCI_LE_Advertising_Report (Core 5.4, Vol 4, Part E, 7.7.65.2).
package struct LEAdvertisingReport: LEMetaEvent {
  /// One advertisement.
  package struct Report: Hashable, Sendable {
    /// What was heard.
    package var eventType: AdvertisingReportType
    /// Who sent it.
    package var address: BluetoothAddress
    /// AD structures, at most 31 bytes.
    package var data: [UInt8]
    /// In dBm, -127 to 20; 127 if it can not be told.
    package var rssi: Int8

    package init(
      eventType: AdvertisingReportType = .connectableUndirected,
      address: BluetoothAddress,
      data: [UInt8] = [],
      rssi: Int8 = 127
    ) {
      self.eventType = eventType
      self.address = address
      self.data = data
      self.rssi = rssi
    }
  }

  package static let subeventCode = LESubevent.leAdvertisingReport
  package static let name = "LE Advertising Report"

  /// What was heard; controllers nearly always send one a time.
  package var reports: [Report]

  package init(reports: [Report] = []) { self.reports = reports }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    let count = Int(try reader.read(UInt8.self))
    reports = []
    reports.reserveCapacity(min(count, 25))
    for _ in 0..<count {
      reports.append(
        Report(
          eventType: AdvertisingReportType(rawValue: try reader.read()),
          address: try reader.readTypedAddress(),
          data: try reader.readCounted(),
          rssi: try reader.read()
        )
      )
    }
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(UInt8(truncatingIfNeeded: min(reports.count, 25)))
    for report in reports.prefix(25) {
      writer.write(report.eventType.rawValue)
      writer.writeTyped(report.address)
      writer.writeCounted(report.data)
      writer.write(report.rssi)
    }
  }
}

/// Advertisements were heard that are directed to a private address which the controller could not resolve.
///
/// HCI_LE_Directed_Advertising_Report (Core 5.4, Vol 4, Part E, 7.7.65.11).
package struct LEDirectedAdvertisingReport: LEMetaEvent {
  /// One advertisement.
  package struct Report: Hashable, Sendable {
    /// Always ``AdvertisingReportType/connectableDirected``.
    package var eventType: AdvertisingReportType
    /// Who sent it.
    package var address: BluetoothAddress
    /// Whom it is for.
    package var directAddress: BluetoothAddress
    /// In dBm, -127 to 20; 127 if it can not be told.
    package var rssi: Int8

    package init(
      eventType: AdvertisingReportType = .connectableDirected,
      address: BluetoothAddress,
      directAddress: BluetoothAddress,
      rssi: Int8 = 127
    ) {
      self.eventType = eventType
      self.address = address
      self.directAddress = directAddress
      self.rssi = rssi
    }
  }

  package static let subeventCode = LESubevent.leDirectedAdvertisingReport
  package static let name = "LE Directed Advertising Report"

  /// What was heard, at most 15.
  package var reports: [Report]

  package init(reports: [Report] = []) { self.reports = reports }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    let count = Int(try reader.read(UInt8.self))
    try reader.require(16 &* count)
    reports = []
    for _ in 0..<count {
      reports.append(
        Report(
          eventType: AdvertisingReportType(rawValue: try reader.read()),
          address: try reader.readTypedAddress(),
          directAddress: try reader.readTypedAddress(),
          rssi: try reader.read()
        )
      )
    }
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(UInt8(truncatingIfNeeded: min(reports.count, 15)))
    for report in reports.prefix(15) {
      writer.write(report.eventType.rawValue)
      writer.writeTyped(report.address)
      writer.writeTyped(report.directAddress)
      writer.write(report.rssi)
    }
  }
}
