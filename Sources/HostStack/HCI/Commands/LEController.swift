import BluetoothTypes

// Commands for the Low Energy part of the controller as a whole.

/// Chooses the Low Energy events that the controller may send.
///
/// HCI_LE_Set_Event_Mask (Core 5.4, Vol 4, Part E, 7.8.1).
package struct LESetEventMask: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetEventMask
  package static let name = "LE Set Event Mask"

  /// The events.
  package var leEventMask: LEEventMask

  package init(leEventMask: LEEventMask = .standard) {
    self.leEventMask = leEventMask
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    leEventMask = LEEventMask(rawValue: try reader.read())
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(leEventMask.rawValue)
  }
}

/// Asks for the ACL buffers of Low Energy.
///
/// HCI_LE_Read_Buffer_Size (Core 5.4, Vol 4, Part E, 7.8.2).
package struct LEReadBufferSize: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// The longest ACL data, in bytes, without the header; 0 if the buffers of Classic serve both.
    package var leACLDataPacketLength: UInt16
    /// How many such packets fit.
    package var totalNumLEACLDataPackets: UInt8

    package init(
      status: HCIStatus = .success,
      leACLDataPacketLength: UInt16 = 0,
      totalNumLEACLDataPackets: UInt8 = 0
    ) {
      self.status = status
      self.leACLDataPacketLength = leACLDataPacketLength
      self.totalNumLEACLDataPackets = totalNumLEACLDataPackets
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 3)
      leACLDataPacketLength = try reader.read()
      totalNumLEACLDataPackets = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(leACLDataPacketLength)
      writer.write(totalNumLEACLDataPackets)
    }
  }

  package static let opcode = HCIOpcode.leReadBufferSize
  package static let name = "LE Read Buffer Size"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Asks for the ACL and isochronous buffers of Low Energy.
///
/// HCI_LE_Read_Buffer_Size [v2] (Core 5.4, Vol 4, Part E, 7.8.2).
package struct LEReadBufferSizeV2: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// The longest ACL data, in bytes, without the header; 0 if the buffers of Classic serve both.
    package var leACLDataPacketLength: UInt16
    /// How many such packets fit.
    package var totalNumLEACLDataPackets: UInt8
    /// The longest isochronous data, in bytes.
    package var isoDataPacketLength: UInt16
    /// How many such packets fit.
    package var totalNumISODataPackets: UInt8

    package init(
      status: HCIStatus = .success,
      leACLDataPacketLength: UInt16 = 0,
      totalNumLEACLDataPackets: UInt8 = 0,
      isoDataPacketLength: UInt16 = 0,
      totalNumISODataPackets: UInt8 = 0
    ) {
      self.status = status
      self.leACLDataPacketLength = leACLDataPacketLength
      self.totalNumLEACLDataPackets = totalNumLEACLDataPackets
      self.isoDataPacketLength = isoDataPacketLength
      self.totalNumISODataPackets = totalNumISODataPackets
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 6)
      leACLDataPacketLength = try reader.read()
      totalNumLEACLDataPackets = try reader.read()
      isoDataPacketLength = try reader.read()
      totalNumISODataPackets = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(leACLDataPacketLength)
      writer.write(totalNumLEACLDataPackets)
      writer.write(isoDataPacketLength)
      writer.write(totalNumISODataPackets)
    }
  }

  package static let opcode = HCIOpcode.leReadBufferSizeV2
  package static let name = "LE Read Buffer Size (v2)"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Asks what the controller can do.
///
/// HCI_LE_Read_Local_Supported_Features (Core 5.4, Vol 4, Part E, 7.8.3).
package struct LEReadLocalSupportedFeatures: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// The features.
    package var leFeatures: LEFeatures

    package init(status: HCIStatus = .success, leFeatures: LEFeatures = []) {
      self.status = status
      self.leFeatures = leFeatures
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 8)
      leFeatures = LEFeatures(rawValue: try reader.read())
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(leFeatures.rawValue)
    }
  }

  package static let opcode = HCIOpcode.leReadLocalSupportedFeatures
  package static let name = "LE Read Local Supported Features"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Sets the random address that the device uses.
///
/// HCI_LE_Set_Random_Address (Core 5.4, Vol 4, Part E, 7.8.4).
package struct LESetRandomAddress: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetRandomAddress
  package static let name = "LE Set Random Address"

  /// The address.
  package var randomAddress: BluetoothAddress

  package init(randomAddress: BluetoothAddress = BluetoothAddress(0, .random)) {
    self.randomAddress = randomAddress
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    randomAddress = try BluetoothAddress(reading: &reader, kind: .random)
  }

  package func write(to writer: inout ByteWriter) {
    randomAddress.write(to: &writer)
  }
}

/// Tells the controller which data channels are bad.
///
/// HCI_LE_Set_Host_Channel_Classification (Core 5.4, Vol 4, Part E, 7.8.19).
package struct LESetHostChannelClassification: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetHostChannelClassification
  package static let name = "LE Set Host Channel Classification"

  /// A bit for each of the 37 data channels; set if it may be used.
  package var channelMap: UInt64

  package init(channelMap: UInt64 = 0x1F_FFFF_FFFF) {
    self.channelMap = channelMap
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    channelMap = try reader.readInteger(byteCount: 5)
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeInteger(channelMap, byteCount: 5)
  }
}

/// Asks which activities the controller can do at the same time.
///
/// HCI_LE_Read_Supported_States (Core 5.4, Vol 4, Part E, 7.8.27).
package struct LEReadSupportedStates: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// The combinations, a bit each.
    package var leStates: UInt64

    package init(status: HCIStatus = .success, leStates: UInt64 = 0x3FF_FFFF_FFFF) {
      self.status = status
      self.leStates = leStates
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 8)
      leStates = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(leStates)
    }
  }

  package static let opcode = HCIOpcode.leReadSupportedStates
  package static let name = "LE Read Supported States"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Tells peers that the host can do something.
///
/// HCI_LE_Set_Host_Feature (Core 5.4, Vol 4, Part E, 7.8.115).
package struct LESetHostFeature: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetHostFeature
  package static let name = "LE Set Host Feature"

  /// The bit of the feature.
  package var bitNumber: UInt8
  /// Whether it can.
  package var bitValue: Bool

  package init(bitNumber: UInt8 = 0, bitValue: Bool = false) {
    self.bitNumber = bitNumber
    self.bitValue = bitValue
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    bitNumber = try reader.read()
    bitValue = try reader.readBool()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(bitNumber)
    writer.write(bitValue)
  }
}

/// Asks for the range of transmit powers.
///
/// HCI_LE_Read_Transmit_Power (Core 5.4, Vol 4, Part E, 7.8.74).
package struct LEReadTransmitPower: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// In dBm, -127 to 20.
    package var minTXPower: Int8
    /// In dBm, -127 to 20.
    package var maxTXPower: Int8

    package init(status: HCIStatus = .success, minTXPower: Int8 = -20, maxTXPower: Int8 = 10) {
      self.status = status
      self.minTXPower = minTXPower
      self.maxTXPower = maxTXPower
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 2)
      minTXPower = try reader.read()
      maxTXPower = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(minTXPower)
      writer.write(maxTXPower)
    }
  }

  package static let opcode = HCIOpcode.leReadTransmitPower
  package static let name = "LE Read Transmit Power"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Asks what is lost or won between chip and antenna.
///
/// HCI_LE_Read_RF_Path_Compensation (Core 5.4, Vol 4, Part E, 7.8.75).
package struct LEReadRFPathCompensation: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// In units of 0.1 dB.
    package var rfTXPathCompensationValue: Int16
    /// In units of 0.1 dB.
    package var rfRXPathCompensationValue: Int16

    package init(
      status: HCIStatus = .success,
      rfTXPathCompensationValue: Int16 = 0,
      rfRXPathCompensationValue: Int16 = 0
    ) {
      self.status = status
      self.rfTXPathCompensationValue = rfTXPathCompensationValue
      self.rfRXPathCompensationValue = rfRXPathCompensationValue
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 4)
      rfTXPathCompensationValue = try reader.read()
      rfRXPathCompensationValue = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(rfTXPathCompensationValue)
      writer.write(rfRXPathCompensationValue)
    }
  }

  package static let opcode = HCIOpcode.leReadRFPathCompensation
  package static let name = "LE Read RF Path Compensation"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Tells the controller what is lost or won between chip and antenna.
///
/// HCI_LE_Write_RF_Path_Compensation (Core 5.4, Vol 4, Part E, 7.8.76).
package struct LEWriteRFPathCompensation: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leWriteRFPathCompensation
  package static let name = "LE Write RF Path Compensation"

  /// In units of 0.1 dB.
  package var rfTXPathCompensationValue: Int16
  /// In units of 0.1 dB.
  package var rfRXPathCompensationValue: Int16

  package init(rfTXPathCompensationValue: Int16 = 0, rfRXPathCompensationValue: Int16 = 0) {
    self.rfTXPathCompensationValue = rfTXPathCompensationValue
    self.rfRXPathCompensationValue = rfRXPathCompensationValue
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    rfTXPathCompensationValue = try reader.read()
    rfRXPathCompensationValue = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(rfTXPathCompensationValue)
    writer.write(rfRXPathCompensationValue)
  }
}

extension HCIOpcode {
  package static let leSetEventMask = HCIOpcode(group: 0x08, command: 0x0001)
  package static let leReadBufferSize = HCIOpcode(group: 0x08, command: 0x0002)
  package static let leReadBufferSizeV2 = HCIOpcode(group: 0x08, command: 0x0060)
  package static let leReadLocalSupportedFeatures = HCIOpcode(group: 0x08, command: 0x0003)
  package static let leSetRandomAddress = HCIOpcode(group: 0x08, command: 0x0005)
  package static let leSetHostChannelClassification = HCIOpcode(group: 0x08, command: 0x0014)
  package static let leReadSupportedStates = HCIOpcode(group: 0x08, command: 0x001C)
  package static let leSetHostFeature = HCIOpcode(group: 0x08, command: 0x0074)
  package static let leReadTransmitPower = HCIOpcode(group: 0x08, command: 0x004B)
  package static let leReadRFPathCompensation = HCIOpcode(group: 0x08, command: 0x004C)
  package static let leWriteRFPathCompensation = HCIOpcode(group: 0x08, command: 0x004D)
}
