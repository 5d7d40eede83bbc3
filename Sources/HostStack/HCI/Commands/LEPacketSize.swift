import BluetoothTypes

// Commands for the length of packets on the air and for the PHY.

/// Proposes how long packets on the air may be.
///
/// HCI_LE_Set_Data_Length (Core 5.4, Vol 4, Part E, 7.8.33).
package struct LESetDataLength: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// The link.
    package var connectionHandle: UInt16

    package init(status: HCIStatus = .success, connectionHandle: UInt16 = 0) {
      self.status = status
      self.connectionHandle = connectionHandle
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 2)
      connectionHandle = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(connectionHandle)
    }
  }

  package static let opcode = HCIOpcode.leSetDataLength
  package static let name = "LE Set Data Length"

  /// The link.
  package var connectionHandle: UInt16
  /// Bytes in a packet, 27 to 251.
  package var txOctets: UInt16
  /// Its time on the air in microseconds, 328 to 17040.
  package var txTime: UInt16

  package init(connectionHandle: UInt16 = 0, txOctets: UInt16 = 251, txTime: UInt16 = 2120) {
    self.connectionHandle = connectionHandle
    self.txOctets = txOctets
    self.txTime = txTime
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    connectionHandle = try reader.read()
    txOctets = try reader.read()
    txTime = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(connectionHandle)
    writer.write(txOctets)
    writer.write(txTime)
  }
}

/// Asks for the length that new links begin with.
///
/// HCI_LE_Read_Suggested_Default_Data_Length (Core 5.4, Vol 4, Part E, 7.8.34).
package struct LEReadSuggestedDefaultDataLength: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// Bytes in a packet, 27 to 251.
    package var suggestedMaxTXOctets: UInt16
    /// Its time on the air in microseconds, 328 to 17040.
    package var suggestedMaxTXTime: UInt16

    package init(status: HCIStatus = .success, suggestedMaxTXOctets: UInt16 = 27, suggestedMaxTXTime: UInt16 = 328) {
      self.status = status
      self.suggestedMaxTXOctets = suggestedMaxTXOctets
      self.suggestedMaxTXTime = suggestedMaxTXTime
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 4)
      suggestedMaxTXOctets = try reader.read()
      suggestedMaxTXTime = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(suggestedMaxTXOctets)
      writer.write(suggestedMaxTXTime)
    }
  }

  package static let opcode = HCIOpcode.leReadSuggestedDefaultDataLength
  package static let name = "LE Read Suggested Default Data Length"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Sets the length that new links begin with.
///
/// HCI_LE_Write_Suggested_Default_Data_Length (Core 5.4, Vol 4, Part E, 7.8.35).
package struct LEWriteSuggestedDefaultDataLength: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leWriteSuggestedDefaultDataLength
  package static let name = "LE Write Suggested Default Data Length"

  /// Bytes in a packet, 27 to 251.
  package var suggestedMaxTXOctets: UInt16
  /// Its time on the air in microseconds, 328 to 17040.
  package var suggestedMaxTXTime: UInt16

  package init(suggestedMaxTXOctets: UInt16 = 251, suggestedMaxTXTime: UInt16 = 2120) {
    self.suggestedMaxTXOctets = suggestedMaxTXOctets
    self.suggestedMaxTXTime = suggestedMaxTXTime
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    suggestedMaxTXOctets = try reader.read()
    suggestedMaxTXTime = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(suggestedMaxTXOctets)
    writer.write(suggestedMaxTXTime)
  }
}

/// Asks how long packets on the air can be.
///
/// HCI_LE_Read_Maximum_Data_Length (Core 5.4, Vol 4, Part E, 7.8.46).
package struct LEReadMaximumDataLength: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// Bytes sent in a packet, 27 to 251.
    package var supportedMaxTXOctets: UInt16
    /// Their time on the air in microseconds, 328 to 17040.
    package var supportedMaxTXTime: UInt16
    /// Bytes received in a packet, 27 to 251.
    package var supportedMaxRXOctets: UInt16
    /// Their time on the air in microseconds, 328 to 17040.
    package var supportedMaxRXTime: UInt16

    package init(
      status: HCIStatus = .success,
      supportedMaxTXOctets: UInt16 = 251,
      supportedMaxTXTime: UInt16 = 2120,
      supportedMaxRXOctets: UInt16 = 251,
      supportedMaxRXTime: UInt16 = 2120
    ) {
      self.status = status
      self.supportedMaxTXOctets = supportedMaxTXOctets
      self.supportedMaxTXTime = supportedMaxTXTime
      self.supportedMaxRXOctets = supportedMaxRXOctets
      self.supportedMaxRXTime = supportedMaxRXTime
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 8)
      supportedMaxTXOctets = try reader.read()
      supportedMaxTXTime = try reader.read()
      supportedMaxRXOctets = try reader.read()
      supportedMaxRXTime = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(supportedMaxTXOctets)
      writer.write(supportedMaxTXTime)
      writer.write(supportedMaxRXOctets)
      writer.write(supportedMaxRXTime)
    }
  }

  package static let opcode = HCIOpcode.leReadMaximumDataLength
  package static let name = "LE Read Maximum Data Length"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Asks for the PHY of a link.
///
/// HCI_LE_Read_PHY (Core 5.4, Vol 4, Part E, 7.8.47).
package struct LEReadPHY: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// The link.
    package var connectionHandle: UInt16
    /// The PHY to send on.
    package var txPHY: LEPHY
    /// The PHY to receive on.
    package var rxPHY: LEPHY

    package init(
      status: HCIStatus = .success,
      connectionHandle: UInt16 = 0,
      txPHY: LEPHY = .le1M,
      rxPHY: LEPHY = .le1M
    ) {
      self.status = status
      self.connectionHandle = connectionHandle
      self.txPHY = txPHY
      self.rxPHY = rxPHY
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 4)
      connectionHandle = try reader.read()
      txPHY = LEPHY(rawValue: try reader.read())
      rxPHY = LEPHY(rawValue: try reader.read())
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(connectionHandle)
      writer.write(txPHY.rawValue)
      writer.write(rxPHY.rawValue)
    }
  }

  package static let opcode = HCIOpcode.leReadPHY
  package static let name = "LE Read PHY"

  /// The link.
  package var connectionHandle: UInt16

  package init(connectionHandle: UInt16 = 0) {
    self.connectionHandle = connectionHandle
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    connectionHandle = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(connectionHandle)
  }
}

/// Sets the PHYs that new links prefer.
///
/// HCI_LE_Set_Default_PHY (Core 5.4, Vol 4, Part E, 7.8.48).
package struct LESetDefaultPHY: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetDefaultPHY
  package static let name = "LE Set Default PHY"

  /// Bit 0: no preference for sending; bit 1: none for receiving.
  package var allPHYs: UInt8
  /// The PHYs to send on.
  package var txPHYs: LEPHYs
  /// The PHYs to receive on.
  package var rxPHYs: LEPHYs

  package init(allPHYs: UInt8 = 0, txPHYs: LEPHYs = .le1M, rxPHYs: LEPHYs = .le1M) {
    self.allPHYs = allPHYs
    self.txPHYs = txPHYs
    self.rxPHYs = rxPHYs
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    allPHYs = try reader.read()
    txPHYs = LEPHYs(rawValue: try reader.read())
    rxPHYs = LEPHYs(rawValue: try reader.read())
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(allPHYs)
    writer.write(txPHYs.rawValue)
    writer.write(rxPHYs.rawValue)
  }
}

/// Sets the PHYs that a link prefers.
///
/// HCI_LE_Set_PHY (Core 5.4, Vol 4, Part E, 7.8.49).
package struct LESetPHY: HCICommand {
  package typealias Return = CommandStatusOnly

  package static let opcode = HCIOpcode.leSetPHY
  package static let name = "LE Set PHY"

  /// The link.
  package var connectionHandle: UInt16
  /// Bit 0: no preference for sending; bit 1: none for receiving.
  package var allPHYs: UInt8
  /// The PHYs to send on.
  package var txPHYs: LEPHYs
  /// The PHYs to receive on.
  package var rxPHYs: LEPHYs
  /// The coding that is preferred for sending: 0 any, 1 S=2, 2 S=8.
  package var phyOptions: UInt16

  package init(
    connectionHandle: UInt16 = 0,
    allPHYs: UInt8 = 0,
    txPHYs: LEPHYs = .le1M,
    rxPHYs: LEPHYs = .le1M,
    phyOptions: UInt16 = 0
  ) {
    self.connectionHandle = connectionHandle
    self.allPHYs = allPHYs
    self.txPHYs = txPHYs
    self.rxPHYs = rxPHYs
    self.phyOptions = phyOptions
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    connectionHandle = try reader.read()
    allPHYs = try reader.read()
    txPHYs = LEPHYs(rawValue: try reader.read())
    rxPHYs = LEPHYs(rawValue: try reader.read())
    phyOptions = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(connectionHandle)
    writer.write(allPHYs)
    writer.write(txPHYs.rawValue)
    writer.write(rxPHYs.rawValue)
    writer.write(phyOptions)
  }
}

extension HCIOpcode {
  package static let leSetDataLength = HCIOpcode(group: 0x08, command: 0x0022)
  package static let leReadSuggestedDefaultDataLength = HCIOpcode(group: 0x08, command: 0x0023)
  package static let leWriteSuggestedDefaultDataLength = HCIOpcode(group: 0x08, command: 0x0024)
  package static let leReadMaximumDataLength = HCIOpcode(group: 0x08, command: 0x002F)
  package static let leReadPHY = HCIOpcode(group: 0x08, command: 0x0030)
  package static let leSetDefaultPHY = HCIOpcode(group: 0x08, command: 0x0031)
  package static let leSetPHY = HCIOpcode(group: 0x08, command: 0x0032)
}
