import BluetoothTypes

// Scanning and connecting on all PHYs.

/// Starts or stops to scan.
///
/// HCI_LE_Set_Extended_Scan_Enable (Core 5.4, Vol 4, Part E, 7.8.65).
package struct LESetExtendedScanEnable: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetExtendedScanEnable
  package static let name = "LE Set Extended Scan Enable"

  /// Whether to scan.
  package var enable: Bool
  /// Whether to leave out what was reported before.
  package var filterDuplicates: DuplicateFiltering
  /// In units of 10 ms; 0 until stopped.
  package var duration: UInt16
  /// From one start to the next, in units of 1.28 s; 0 for one scan.
  package var period: UInt16

  package init(
    enable: Bool = true,
    filterDuplicates: DuplicateFiltering = .off,
    duration: UInt16 = 0,
    period: UInt16 = 0
  ) {
    self.enable = enable
    self.filterDuplicates = filterDuplicates
    self.duration = duration
    self.period = period
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    enable = try reader.readBool()
    filterDuplicates = DuplicateFiltering(rawValue: try reader.read())
    duration = try reader.read()
    period = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(enable)
    writer.write(filterDuplicates.rawValue)
    writer.write(duration)
    writer.write(period)
  }
}

extension HCIOpcode {
  package static let leSetExtendedScanEnable = HCIOpcode(group: 0x08, command: 0x0042)
}
