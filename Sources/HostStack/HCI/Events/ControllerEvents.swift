import BluetoothTypes

// Events about the controller itself.

/// The controller failed.
///
/// HCI_Hardware_Error (Core 5.4, Vol 4, Part E, 7.7.16).
package struct HardwareError: HCIEvent {
  package static let code = HCIEventCode.hardwareError
  package static let name = "Hardware Error"

  /// The maker's own code.
  package var hardwareCode: UInt8

  package init(hardwareCode: UInt8 = 0) {
    self.hardwareCode = hardwareCode
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    hardwareCode = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(hardwareCode)
  }
}

/// The host sent more packets than the controller granted.
///
/// HCI_Data_Buffer_Overflow (Core 5.4, Vol 4, Part E, 7.7.26).
package struct DataBufferOverflow: HCIEvent {
  package static let code = HCIEventCode.dataBufferOverflow
  package static let name = "Data Buffer Overflow"

  /// 0 synchronous, 1 ACL, 2 isochronous.
  package var linkType: UInt8

  package init(linkType: UInt8 = 1) {
    self.linkType = linkType
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    linkType = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(linkType)
  }
}
