import BluetoothTypes

// Low Energy events about advertising sets and scans.

/// An extended scan ended because its time was over.
///
/// HCI_LE_Scan_Timeout (Core 5.4, Vol 4, Part E, 7.7.65.17).
package struct LEScanTimeout: LEMetaEvent {
  package static let subeventCode = LESubevent.leScanTimeout
  package static let name = "LE Scan Timeout"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// An advertising set stopped: a link came, or its time was over.
///
/// HCI_LE_Advertising_Set_Terminated (Core 5.4, Vol 4, Part E, 7.7.65.18).
package struct LEAdvertisingSetTerminated: LEMetaEvent {
  package static let subeventCode = LESubevent.leAdvertisingSetTerminated
  package static let name = "LE Advertising Set Terminated"

  /// Success when a link came.
  package var status: HCIStatus
  /// The set.
  package var advertisingHandle: UInt8
  /// The link that came.
  package var connectionHandle: UInt16
  /// How many events there were, if they were limited.
  package var numCompletedExtendedAdvertisingEvents: UInt8

  package init(
    status: HCIStatus = .success,
    advertisingHandle: UInt8 = 0,
    connectionHandle: UInt16 = 0,
    numCompletedExtendedAdvertisingEvents: UInt8 = 0
  ) {
    self.status = status
    self.advertisingHandle = advertisingHandle
    self.connectionHandle = connectionHandle
    self.numCompletedExtendedAdvertisingEvents = numCompletedExtendedAdvertisingEvents
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    status = try reader.readStatus(before: 4)
    advertisingHandle = try reader.read()
    connectionHandle = try reader.read()
    numCompletedExtendedAdvertisingEvents = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(status.rawValue)
    writer.write(advertisingHandle)
    writer.write(connectionHandle)
    writer.write(numCompletedExtendedAdvertisingEvents)
  }
}

/// Somebody asked for the scan response of a set.
///
/// HCI_LE_Scan_Request_Received (Core 5.4, Vol 4, Part E, 7.7.65.19).
package struct LEScanRequestReceived: LEMetaEvent {
  package static let subeventCode = LESubevent.leScanRequestReceived
  package static let name = "LE Scan Request Received"

  /// The set.
  package var advertisingHandle: UInt8
  /// Who asked.
  package var scannerAddress: BluetoothAddress

  package init(advertisingHandle: UInt8 = 0, scannerAddress: BluetoothAddress = BluetoothAddress(0, .public)) {
    self.advertisingHandle = advertisingHandle
    self.scannerAddress = scannerAddress
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    advertisingHandle = try reader.read()
    scannerAddress = try reader.readTypedAddress()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(advertisingHandle)
    writer.writeTyped(scannerAddress)
  }
}
