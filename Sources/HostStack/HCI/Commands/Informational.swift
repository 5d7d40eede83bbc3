import BluetoothTypes

// Commands that ask what the controller is, and how a link stands.

/// Asks for the versions of the controller.
///
/// HCI_Read_Local_Version_Information (Core 5.4, Vol 4, Part E, 7.4.1).
package struct ReadLocalVersionInformation: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// The version of HCI; 0x0D is 5.4.
    package var hciVersion: UInt8
    /// The maker's own number.
    package var hciSubversion: UInt16
    /// The version of the link layer.
    package var lmpVersion: UInt8
    /// Who made the controller.
    package var companyIdentifier: UInt16
    /// The maker's own number.
    package var lmpSubversion: UInt16

    package init(
      status: HCIStatus = .success,
      hciVersion: UInt8 = 0x0D,
      hciSubversion: UInt16 = 0,
      lmpVersion: UInt8 = 0x0D,
      companyIdentifier: UInt16 = 0xFFFF,
      lmpSubversion: UInt16 = 0
    ) {
      self.status = status
      self.hciVersion = hciVersion
      self.hciSubversion = hciSubversion
      self.lmpVersion = lmpVersion
      self.companyIdentifier = companyIdentifier
      self.lmpSubversion = lmpSubversion
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 8)
      hciVersion = try reader.read()
      hciSubversion = try reader.read()
      lmpVersion = try reader.read()
      companyIdentifier = try reader.read()
      lmpSubversion = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(hciVersion)
      writer.write(hciSubversion)
      writer.write(lmpVersion)
      writer.write(companyIdentifier)
      writer.write(lmpSubversion)
    }
  }

  package static let opcode = HCIOpcode.readLocalVersionInformation
  package static let name = "Read Local Version Information"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Asks which commands the controller knows.
///
/// HCI_Read_Local_Supported_Commands (Core 5.4, Vol 4, Part E, 7.4.2).
package struct ReadLocalSupportedCommands: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// The commands.
    package var supportedCommands: SupportedCommands

    package init(status: HCIStatus = .success, supportedCommands: SupportedCommands = SupportedCommands()) {
      self.status = status
      self.supportedCommands = supportedCommands
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 64)
      supportedCommands = try SupportedCommands(reading: &reader)
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      supportedCommands.write(to: &writer)
    }
  }

  package static let opcode = HCIOpcode.readLocalSupportedCommands
  package static let name = "Read Local Supported Commands"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Asks for the Classic features, among them that of Low Energy itself.
///
/// HCI_Read_Local_Supported_Features (Core 5.4, Vol 4, Part E, 7.4.3).
package struct ReadLocalSupportedFeatures: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// The features of page 0.
    package var lmpFeatures: LMPFeatures

    package init(
      status: HCIStatus = .success,
      lmpFeatures: LMPFeatures = [.lowEnergySupported, .classicNotSupported]
    ) {
      self.status = status
      self.lmpFeatures = lmpFeatures
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 8)
      lmpFeatures = LMPFeatures(rawValue: try reader.read())
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(lmpFeatures.rawValue)
    }
  }

  package static let opcode = HCIOpcode.readLocalSupportedFeatures
  package static let name = "Read Local Supported Features"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Asks for one page of the Classic features.
///
/// HCI_Read_Local_Extended_Features (Core 5.4, Vol 4, Part E, 7.4.4).
package struct ReadLocalExtendedFeatures: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// The page.
    package var pageNumber: UInt8
    /// The last page that there is.
    package var maximumPageNumber: UInt8
    /// The features of that page.
    package var extendedLMPFeatures: UInt64

    package init(
      status: HCIStatus = .success,
      pageNumber: UInt8 = 0,
      maximumPageNumber: UInt8 = 0,
      extendedLMPFeatures: UInt64 = 0
    ) {
      self.status = status
      self.pageNumber = pageNumber
      self.maximumPageNumber = maximumPageNumber
      self.extendedLMPFeatures = extendedLMPFeatures
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 10)
      pageNumber = try reader.read()
      maximumPageNumber = try reader.read()
      extendedLMPFeatures = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(pageNumber)
      writer.write(maximumPageNumber)
      writer.write(extendedLMPFeatures)
    }
  }

  package static let opcode = HCIOpcode.readLocalExtendedFeatures
  package static let name = "Read Local Extended Features"

  /// The page.
  package var pageNumber: UInt8

  package init(pageNumber: UInt8 = 0) {
    self.pageNumber = pageNumber
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    pageNumber = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(pageNumber)
  }
}

/// Asks for the buffers that Classic Bluetooth uses, and Low Energy where it has none of its own.
///
/// HCI_Read_Buffer_Size (Core 5.4, Vol 4, Part E, 7.4.5).
package struct ReadBufferSize: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// The longest ACL data, in bytes, without the header.
    package var aclDataPacketLength: UInt16
    /// The longest synchronous data, in bytes.
    package var synchronousDataPacketLength: UInt8
    /// How many ACL packets fit.
    package var totalNumACLDataPackets: UInt16
    /// How many synchronous packets fit.
    package var totalNumSynchronousDataPackets: UInt16

    package init(
      status: HCIStatus = .success,
      aclDataPacketLength: UInt16 = 0,
      synchronousDataPacketLength: UInt8 = 0,
      totalNumACLDataPackets: UInt16 = 0,
      totalNumSynchronousDataPackets: UInt16 = 0
    ) {
      self.status = status
      self.aclDataPacketLength = aclDataPacketLength
      self.synchronousDataPacketLength = synchronousDataPacketLength
      self.totalNumACLDataPackets = totalNumACLDataPackets
      self.totalNumSynchronousDataPackets = totalNumSynchronousDataPackets
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 7)
      aclDataPacketLength = try reader.read()
      synchronousDataPacketLength = try reader.read()
      totalNumACLDataPackets = try reader.read()
      totalNumSynchronousDataPackets = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(aclDataPacketLength)
      writer.write(synchronousDataPacketLength)
      writer.write(totalNumACLDataPackets)
      writer.write(totalNumSynchronousDataPackets)
    }
  }

  package static let opcode = HCIOpcode.readBufferSize
  package static let name = "Read Buffer Size"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Asks for the controller's public address.
///
/// HCI_Read_BD_ADDR (Core 5.4, Vol 4, Part E, 7.4.6).
package struct ReadBDADDR: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// The address; zero if it has none.
    package var bdADDR: BluetoothAddress

    package init(status: HCIStatus = .success, bdADDR: BluetoothAddress = BluetoothAddress(0, .public)) {
      self.status = status
      self.bdADDR = bdADDR
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 6)
      bdADDR = try BluetoothAddress(reading: &reader, kind: .public)
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      bdADDR.write(to: &writer)
    }
  }

  package static let opcode = HCIOpcode.readBDADDR
  package static let name = "Read BD ADDR"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Measures the strength of a link.
///
/// HCI_Read_RSSI (Core 5.4, Vol 4, Part E, 7.5.4).
package struct ReadRSSI: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// The link.
    package var handle: UInt16
    /// In dBm, -127 to 20; 127 if it can not be told.
    package var rssi: Int8

    package init(status: HCIStatus = .success, handle: UInt16 = 0, rssi: Int8 = 0) {
      self.status = status
      self.handle = handle
      self.rssi = rssi
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 3)
      handle = try reader.read()
      rssi = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(handle)
      writer.write(rssi)
    }
  }

  package static let opcode = HCIOpcode.readRSSI
  package static let name = "Read RSSI"

  /// The link.
  package var handle: UInt16

  package init(handle: UInt16 = 0) {
    self.handle = handle
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    handle = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(handle)
  }
}

extension HCIOpcode {
  package static let readLocalVersionInformation = HCIOpcode(group: 0x04, command: 0x0001)
  package static let readLocalSupportedCommands = HCIOpcode(group: 0x04, command: 0x0002)
  package static let readLocalSupportedFeatures = HCIOpcode(group: 0x04, command: 0x0003)
  package static let readLocalExtendedFeatures = HCIOpcode(group: 0x04, command: 0x0004)
  package static let readBufferSize = HCIOpcode(group: 0x04, command: 0x0005)
  package static let readBDADDR = HCIOpcode(group: 0x04, command: 0x0009)
  package static let readRSSI = HCIOpcode(group: 0x05, command: 0x0005)
}
