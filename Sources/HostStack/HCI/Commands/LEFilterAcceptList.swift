import BluetoothTypes

// The filter accept list.

/// Asks how many devices fit into the filter accept list.
///
/// HCI_LE_Read_Filter_Accept_List_Size (Core 5.4, Vol 4, Part E, 7.8.14).
package struct LEReadFilterAcceptListSize: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// How many, 1 to 255.
    package var filterAcceptListSize: UInt8

    package init(status: HCIStatus = .success, filterAcceptListSize: UInt8 = 8) {
      self.status = status
      self.filterAcceptListSize = filterAcceptListSize
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 1)
      filterAcceptListSize = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(filterAcceptListSize)
    }
  }

  package static let opcode = HCIOpcode.leReadFilterAcceptListSize
  package static let name = "LE Read Filter Accept List Size"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Empties the filter accept list.
///
/// HCI_LE_Clear_Filter_Accept_List (Core 5.4, Vol 4, Part E, 7.8.15).
package struct LEClearFilterAcceptList: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leClearFilterAcceptList
  package static let name = "LE Clear Filter Accept List"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Adds a device to the filter accept list.
///
/// HCI_LE_Add_Device_To_Filter_Accept_List (Core 5.4, Vol 4, Part E, 7.8.16).
package struct LEAddDeviceToFilterAcceptList: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leAddDeviceToFilterAcceptList
  package static let name = "LE Add Device To Filter Accept List"

  /// The device; `nil` for all that advertise anonymously.
  package var address: BluetoothAddress?

  package init(address: BluetoothAddress? = BluetoothAddress(0, .public)) {
    self.address = address
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    address = try reader.readOptionalTypedAddress()
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeOptionalTyped(address)
  }
}

/// Takes a device from the filter accept list.
///
/// HCI_LE_Remove_Device_From_Filter_Accept_List (Core 5.4, Vol 4, Part E, 7.8.17).
package struct LERemoveDeviceFromFilterAcceptList: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leRemoveDeviceFromFilterAcceptList
  package static let name = "LE Remove Device From Filter Accept List"

  /// The device; `nil` for all that advertise anonymously.
  package var address: BluetoothAddress?

  package init(address: BluetoothAddress? = BluetoothAddress(0, .public)) {
    self.address = address
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    address = try reader.readOptionalTypedAddress()
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeOptionalTyped(address)
  }
}

extension HCIOpcode {
  package static let leReadFilterAcceptListSize = HCIOpcode(group: 0x08, command: 0x000F)
  package static let leClearFilterAcceptList = HCIOpcode(group: 0x08, command: 0x0010)
  package static let leAddDeviceToFilterAcceptList = HCIOpcode(group: 0x08, command: 0x0011)
  package static let leRemoveDeviceFromFilterAcceptList = HCIOpcode(group: 0x08, command: 0x0012)
}
