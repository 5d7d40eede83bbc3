import BluetoothTypes

// Legacy scanning.

/// Sets how to scan; refused while scanning.
///
/// HCI_LE_Set_Scan_Parameters (Core 5.4, Vol 4, Part E, 7.8.10).
package struct LESetScanParameters: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetScanParameters
  package static let name = "LE Set Scan Parameters"

  /// Whether to ask for scan responses.
  package var leScanType: LEScanType
  /// From one start of listening to the next, in units of 0.625 ms, 0x0004 to 0x4000.
  package var leScanInterval: UInt16
  /// How long to listen each time, in units of 0.625 ms, at most the interval.
  package var leScanWindow: UInt16
  /// The address in scan requests.
  package var ownAddressType: OwnAddressType
  /// Whom to listen to.
  package var scanningFilterPolicy: ScanningFilterPolicy

  package init(
    leScanType: LEScanType = .active,
    leScanInterval: UInt16 = 0x0010,
    leScanWindow: UInt16 = 0x0010,
    ownAddressType: OwnAddressType = .public,
    scanningFilterPolicy: ScanningFilterPolicy = .all
  ) {
    self.leScanType = leScanType
    self.leScanInterval = leScanInterval
    self.leScanWindow = leScanWindow
    self.ownAddressType = ownAddressType
    self.scanningFilterPolicy = scanningFilterPolicy
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    leScanType = LEScanType(rawValue: try reader.read())
    leScanInterval = try reader.read()
    leScanWindow = try reader.read()
    ownAddressType = OwnAddressType(rawValue: try reader.read())
    scanningFilterPolicy = ScanningFilterPolicy(rawValue: try reader.read())
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(leScanType.rawValue)
    writer.write(leScanInterval)
    writer.write(leScanWindow)
    writer.write(ownAddressType.rawValue)
    writer.write(scanningFilterPolicy.rawValue)
  }
}

/// Starts or stops to scan.
///
/// HCI_LE_Set_Scan_Enable (Core 5.4, Vol 4, Part E, 7.8.11).
package struct LESetScanEnable: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetScanEnable
  package static let name = "LE Set Scan Enable"

  /// Whether to scan.
  package var leScanEnable: Bool
  /// Whether to leave out what was reported before.
  package var filterDuplicates: Bool

  package init(leScanEnable: Bool = true, filterDuplicates: Bool = false) {
    self.leScanEnable = leScanEnable
    self.filterDuplicates = filterDuplicates
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    leScanEnable = try reader.readBool()
    filterDuplicates = try reader.readBool()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(leScanEnable)
    writer.write(filterDuplicates)
  }
}

extension HCIOpcode {
  package static let leSetScanParameters = HCIOpcode(group: 0x08, command: 0x000B)
  package static let leSetScanEnable = HCIOpcode(group: 0x08, command: 0x000C)
}
