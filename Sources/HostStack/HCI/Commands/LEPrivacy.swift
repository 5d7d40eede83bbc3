import BluetoothTypes

// The resolving list and what else belongs to private addresses.

/// Adds a bonded device to the resolving list.
///
/// HCI_LE_Add_Device_To_Resolving_List (Core 5.4, Vol 4, Part E, 7.8.38).
package struct LEAddDeviceToResolvingList: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leAddDeviceToResolvingList
  package static let name = "LE Add Device To Resolving List"

  /// The device; public or random static.
  package var peerIdentityAddress: BluetoothAddress
  /// The peer's identity resolving key, least significant byte first.
  package var peerIRK: [UInt8]
  /// Our identity resolving key, least significant byte first.
  package var localIRK: [UInt8]

  package init(
    peerIdentityAddress: BluetoothAddress = BluetoothAddress(0, .public),
    peerIRK: [UInt8] = [],
    localIRK: [UInt8] = []
  ) {
    self.peerIdentityAddress = peerIdentityAddress
    self.peerIRK = peerIRK
    self.localIRK = localIRK
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    peerIdentityAddress = try reader.readTypedAddress()
    peerIRK = try reader.readBytes(16)
    localIRK = try reader.readBytes(16)
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeTyped(peerIdentityAddress)
    writer.writePadded(peerIRK, size: 16)
    writer.writePadded(localIRK, size: 16)
  }
}

/// Takes a device from the resolving list.
///
/// HCI_LE_Remove_Device_From_Resolving_List (Core 5.4, Vol 4, Part E, 7.8.39).
package struct LERemoveDeviceFromResolvingList: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leRemoveDeviceFromResolvingList
  package static let name = "LE Remove Device From Resolving List"

  /// The device; public or random static.
  package var peerIdentityAddress: BluetoothAddress

  package init(peerIdentityAddress: BluetoothAddress = BluetoothAddress(0, .public)) {
    self.peerIdentityAddress = peerIdentityAddress
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    peerIdentityAddress = try reader.readTypedAddress()
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeTyped(peerIdentityAddress)
  }
}

/// Empties the resolving list.
///
/// HCI_LE_Clear_Resolving_List (Core 5.4, Vol 4, Part E, 7.8.40).
package struct LEClearResolvingList: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leClearResolvingList
  package static let name = "LE Clear Resolving List"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Asks how many devices fit into the resolving list.
///
/// HCI_LE_Read_Resolving_List_Size (Core 5.4, Vol 4, Part E, 7.8.41).
package struct LEReadResolvingListSize: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// How many.
    package var resolvingListSize: UInt8

    package init(status: HCIStatus = .success, resolvingListSize: UInt8 = 8) {
      self.status = status
      self.resolvingListSize = resolvingListSize
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 1)
      resolvingListSize = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(resolvingListSize)
    }
  }

  package static let opcode = HCIOpcode.leReadResolvingListSize
  package static let name = "LE Read Resolving List Size"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Asks for the private address that a device uses now.
///
/// HCI_LE_Read_Peer_Resolvable_Address (Core 5.4, Vol 4, Part E, 7.8.42).
package struct LEReadPeerResolvableAddress: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// Its private address.
    package var peerResolvableAddress: BluetoothAddress

    package init(
      status: HCIStatus = .success,
      peerResolvableAddress: BluetoothAddress = BluetoothAddress(0, .random)
    ) {
      self.status = status
      self.peerResolvableAddress = peerResolvableAddress
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 6)
      peerResolvableAddress = try BluetoothAddress(reading: &reader, kind: .random)
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      peerResolvableAddress.write(to: &writer)
    }
  }

  package static let opcode = HCIOpcode.leReadPeerResolvableAddress
  package static let name = "LE Read Peer Resolvable Address"

  /// The device; public or random static.
  package var peerIdentityAddress: BluetoothAddress

  package init(peerIdentityAddress: BluetoothAddress = BluetoothAddress(0, .public)) {
    self.peerIdentityAddress = peerIdentityAddress
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    peerIdentityAddress = try reader.readTypedAddress()
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeTyped(peerIdentityAddress)
  }
}

/// Asks for the private address that is used with a device now.
///
/// HCI_LE_Read_Local_Resolvable_Address (Core 5.4, Vol 4, Part E, 7.8.43).
package struct LEReadLocalResolvableAddress: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// Our private address.
    package var localResolvableAddress: BluetoothAddress

    package init(
      status: HCIStatus = .success,
      localResolvableAddress: BluetoothAddress = BluetoothAddress(0, .random)
    ) {
      self.status = status
      self.localResolvableAddress = localResolvableAddress
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 6)
      localResolvableAddress = try BluetoothAddress(reading: &reader, kind: .random)
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      localResolvableAddress.write(to: &writer)
    }
  }

  package static let opcode = HCIOpcode.leReadLocalResolvableAddress
  package static let name = "LE Read Local Resolvable Address"

  /// The device; public or random static.
  package var peerIdentityAddress: BluetoothAddress

  package init(peerIdentityAddress: BluetoothAddress = BluetoothAddress(0, .public)) {
    self.peerIdentityAddress = peerIdentityAddress
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    peerIdentityAddress = try reader.readTypedAddress()
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeTyped(peerIdentityAddress)
  }
}

/// Switches the resolving of private addresses.
///
/// HCI_LE_Set_Address_Resolution_Enable (Core 5.4, Vol 4, Part E, 7.8.44).
package struct LESetAddressResolutionEnable: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetAddressResolutionEnable
  package static let name = "LE Set Address Resolution Enable"

  /// Whether to resolve.
  package var addressResolutionEnable: Bool

  package init(addressResolutionEnable: Bool = true) {
    self.addressResolutionEnable = addressResolutionEnable
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    addressResolutionEnable = try reader.readBool()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(addressResolutionEnable)
  }
}

/// Sets how long a private address is kept.
///
/// HCI_LE_Set_Resolvable_Private_Address_Timeout (Core 5.4, Vol 4, Part E, 7.8.45).
package struct LESetResolvablePrivateAddressTimeout: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetResolvablePrivateAddressTimeout
  package static let name = "LE Set Resolvable Private Address Timeout"

  /// In seconds, 1 to 3600.
  package var rpaTimeout: UInt16

  package init(rpaTimeout: UInt16 = 900) {
    self.rpaTimeout = rpaTimeout
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    rpaTimeout = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(rpaTimeout)
  }
}

/// Sets how strict to be with a device's identity address.
///
/// HCI_LE_Set_Privacy_Mode (Core 5.4, Vol 4, Part E, 7.8.77).
package struct LESetPrivacyMode: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetPrivacyMode
  package static let name = "LE Set Privacy Mode"

  /// The device; public or random static.
  package var peerIdentityAddress: BluetoothAddress
  /// How strict to be.
  package var privacyMode: PrivacyMode

  package init(
    peerIdentityAddress: BluetoothAddress = BluetoothAddress(0, .public),
    privacyMode: PrivacyMode = .network
  ) {
    self.peerIdentityAddress = peerIdentityAddress
    self.privacyMode = privacyMode
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    peerIdentityAddress = try reader.readTypedAddress()
    privacyMode = PrivacyMode(rawValue: try reader.read())
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeTyped(peerIdentityAddress)
    writer.write(privacyMode.rawValue)
  }
}

extension HCIOpcode {
  package static let leAddDeviceToResolvingList = HCIOpcode(group: 0x08, command: 0x0027)
  package static let leRemoveDeviceFromResolvingList = HCIOpcode(group: 0x08, command: 0x0028)
  package static let leClearResolvingList = HCIOpcode(group: 0x08, command: 0x0029)
  package static let leReadResolvingListSize = HCIOpcode(group: 0x08, command: 0x002A)
  package static let leReadPeerResolvableAddress = HCIOpcode(group: 0x08, command: 0x002B)
  package static let leReadLocalResolvableAddress = HCIOpcode(group: 0x08, command: 0x002C)
  package static let leSetAddressResolutionEnable = HCIOpcode(group: 0x08, command: 0x002D)
  package static let leSetResolvablePrivateAddressTimeout = HCIOpcode(group: 0x08, command: 0x002E)
  package static let leSetPrivacyMode = HCIOpcode(group: 0x08, command: 0x004E)
}
