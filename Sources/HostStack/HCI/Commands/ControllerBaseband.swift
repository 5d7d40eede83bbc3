import BluetoothTypes

// Commands for the controller as a whole.

/// Chooses the events that the controller may send.
///
/// HCI_Set_Event_Mask (Core 5.4, Vol 4, Part E, 7.3.1).
package struct SetEventMask: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.setEventMask
  package static let name = "Set Event Mask"

  /// The events.
  package var eventMask: HCIEventMask

  package init(eventMask: HCIEventMask = .standard) {
    self.eventMask = eventMask
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    eventMask = HCIEventMask(rawValue: try reader.read())
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(eventMask.rawValue)
  }
}

/// Ends all links and activities and returns the controller to its first state.
///
/// HCI_Reset (Core 5.4, Vol 4, Part E, 7.3.2).
package struct Reset: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.reset
  package static let name = "Reset"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Stores the name that Classic Bluetooth tells others.
///
/// HCI_Write_Local_Name (Core 5.4, Vol 4, Part E, 7.3.11).
package struct WriteLocalName: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.writeLocalName
  package static let name = "Write Local Name"

  /// UTF-8, at most 248 bytes, padded with zeros.
  package var localName: [UInt8]

  package init(localName: [UInt8] = []) {
    self.localName = localName
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    localName = try reader.readBytes(248)
  }

  package func write(to writer: inout ByteWriter) {
    writer.writePadded(localName, size: 248)
  }
}

/// Reads the name that was stored.
///
/// HCI_Read_Local_Name (Core 5.4, Vol 4, Part E, 7.3.12).
package struct ReadLocalName: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// UTF-8, 248 bytes, padded with zeros.
    package var localName: [UInt8]

    package init(status: HCIStatus = .success, localName: [UInt8] = []) {
      self.status = status
      self.localName = localName
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 248)
      localName = try reader.readBytes(248)
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.writePadded(localName, size: 248)
    }
  }

  package static let opcode = HCIOpcode.readLocalName
  package static let name = "Read Local Name"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Reads the transmit power of a link.
///
/// HCI_Read_Transmit_Power_Level (Core 5.4, Vol 4, Part E, 7.3.35).
package struct ReadTransmitPowerLevel: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// The link.
    package var connectionHandle: UInt16
    /// In dBm, -30 to 20.
    package var txPowerLevel: Int8

    package init(status: HCIStatus = .success, connectionHandle: UInt16 = 0, txPowerLevel: Int8 = 0) {
      self.status = status
      self.connectionHandle = connectionHandle
      self.txPowerLevel = txPowerLevel
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 3)
      connectionHandle = try reader.read()
      txPowerLevel = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(connectionHandle)
      writer.write(txPowerLevel)
    }
  }

  package static let opcode = HCIOpcode.readTransmitPowerLevel
  package static let name = "Read Transmit Power Level"

  /// The link.
  package var connectionHandle: UInt16
  /// 0 for the power now, 1 for the greatest.
  package var type: UInt8

  package init(connectionHandle: UInt16 = 0, type: UInt8 = 0) {
    self.connectionHandle = connectionHandle
    self.type = type
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    connectionHandle = try reader.read()
    type = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(connectionHandle)
    writer.write(type)
  }
}

/// Switches on that the host grants buffers to the controller.
///
/// HCI_Set_Controller_To_Host_Flow_Control (Core 5.4, Vol 4, Part E, 7.3.38).
package struct SetControllerToHostFlowControl: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.setControllerToHostFlowControl
  package static let name = "Set Controller To Host Flow Control"

  /// 0 off, 1 for ACL data, 2 for synchronous data, 3 for both.
  package var flowControlEnable: UInt8

  package init(flowControlEnable: UInt8 = 0) {
    self.flowControlEnable = flowControlEnable
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    flowControlEnable = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(flowControlEnable)
  }
}

/// Tells the controller how much the host can take.
///
/// HCI_Host_Buffer_Size (Core 5.4, Vol 4, Part E, 7.3.39).
package struct HostBufferSize: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.hostBufferSize
  package static let name = "Host Buffer Size"

  /// The longest ACL data, in bytes, without the header.
  package var hostACLDataPacketLength: UInt16
  /// The longest synchronous data, in bytes.
  package var hostSynchronousDataPacketLength: UInt8
  /// How many ACL packets fit.
  package var hostTotalNumACLDataPackets: UInt16
  /// How many synchronous packets fit.
  package var hostTotalNumSynchronousDataPackets: UInt16

  package init(
    hostACLDataPacketLength: UInt16 = 0,
    hostSynchronousDataPacketLength: UInt8 = 0,
    hostTotalNumACLDataPackets: UInt16 = 0,
    hostTotalNumSynchronousDataPackets: UInt16 = 0
  ) {
    self.hostACLDataPacketLength = hostACLDataPacketLength
    self.hostSynchronousDataPacketLength = hostSynchronousDataPacketLength
    self.hostTotalNumACLDataPackets = hostTotalNumACLDataPackets
    self.hostTotalNumSynchronousDataPackets = hostTotalNumSynchronousDataPackets
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    hostACLDataPacketLength = try reader.read()
    hostSynchronousDataPacketLength = try reader.read()
    hostTotalNumACLDataPackets = try reader.read()
    hostTotalNumSynchronousDataPackets = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(hostACLDataPacketLength)
    writer.write(hostSynchronousDataPacketLength)
    writer.write(hostTotalNumACLDataPackets)
    writer.write(hostTotalNumSynchronousDataPackets)
  }
}

/// Chooses the events of the second page.
///
/// HCI_Set_Event_Mask_Page_2 (Core 5.4, Vol 4, Part E, 7.3.69).
package struct SetEventMaskPage2: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.setEventMaskPage2
  package static let name = "Set Event Mask Page 2"

  /// The events; bit 23 is Authenticated Payload Timeout Expired.
  package var eventMaskPage2: UInt64

  package init(eventMaskPage2: UInt64 = 0) {
    self.eventMaskPage2 = eventMaskPage2
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    eventMaskPage2 = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(eventMaskPage2)
  }
}

/// Reads whether the host does Low Energy.
///
/// HCI_Read_LE_Host_Support (Core 5.4, Vol 4, Part E, 7.3.78).
package struct ReadLEHostSupport: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// Whether it does.
    package var leSupportedHost: Bool
    /// Was once "simultaneous Classic and Low Energy"; zero.
    package var unused: UInt8

    package init(status: HCIStatus = .success, leSupportedHost: Bool = true, unused: UInt8 = 0) {
      self.status = status
      self.leSupportedHost = leSupportedHost
      self.unused = unused
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 2)
      leSupportedHost = try reader.readBool()
      unused = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(leSupportedHost)
      writer.write(unused)
    }
  }

  package static let opcode = HCIOpcode.readLEHostSupport
  package static let name = "Read LE Host Support"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Tells the controller that the host does Low Energy.
///
/// HCI_Write_LE_Host_Support (Core 5.4, Vol 4, Part E, 7.3.79).
package struct WriteLEHostSupport: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.writeLEHostSupport
  package static let name = "Write LE Host Support"

  /// Whether it does.
  package var leSupportedHost: Bool
  /// Was once "simultaneous Classic and Low Energy"; zero.
  package var unused: UInt8

  package init(leSupportedHost: Bool = true, unused: UInt8 = 0) {
    self.leSupportedHost = leSupportedHost
    self.unused = unused
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    leSupportedHost = try reader.readBool()
    unused = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(leSupportedHost)
    writer.write(unused)
  }
}

/// Reads how long a link may go without an authenticated packet.
///
/// HCI_Read_Authenticated_Payload_Timeout (Core 5.4, Vol 4, Part E, 7.3.93).
package struct ReadAuthenticatedPayloadTimeout: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// The link.
    package var connectionHandle: UInt16
    /// In units of 10 ms.
    package var authenticatedPayloadTimeout: UInt16

    package init(
      status: HCIStatus = .success,
      connectionHandle: UInt16 = 0,
      authenticatedPayloadTimeout: UInt16 = 3000
    ) {
      self.status = status
      self.connectionHandle = connectionHandle
      self.authenticatedPayloadTimeout = authenticatedPayloadTimeout
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 4)
      connectionHandle = try reader.read()
      authenticatedPayloadTimeout = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(connectionHandle)
      writer.write(authenticatedPayloadTimeout)
    }
  }

  package static let opcode = HCIOpcode.readAuthenticatedPayloadTimeout
  package static let name = "Read Authenticated Payload Timeout"

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

/// Sets how long a link may go without an authenticated packet.
///
/// HCI_Write_Authenticated_Payload_Timeout (Core 5.4, Vol 4, Part E, 7.3.94).
package struct WriteAuthenticatedPayloadTimeout: HCICommand {
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

  package static let opcode = HCIOpcode.writeAuthenticatedPayloadTimeout
  package static let name = "Write Authenticated Payload Timeout"

  /// The link.
  package var connectionHandle: UInt16
  /// In units of 10 ms.
  package var authenticatedPayloadTimeout: UInt16

  package init(connectionHandle: UInt16 = 0, authenticatedPayloadTimeout: UInt16 = 3000) {
    self.connectionHandle = connectionHandle
    self.authenticatedPayloadTimeout = authenticatedPayloadTimeout
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    connectionHandle = try reader.read()
    authenticatedPayloadTimeout = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(connectionHandle)
    writer.write(authenticatedPayloadTimeout)
  }
}

extension HCIOpcode {
  package static let setEventMask = HCIOpcode(group: 0x03, command: 0x0001)
  package static let reset = HCIOpcode(group: 0x03, command: 0x0003)
  package static let writeLocalName = HCIOpcode(group: 0x03, command: 0x0013)
  package static let readLocalName = HCIOpcode(group: 0x03, command: 0x0014)
  package static let readTransmitPowerLevel = HCIOpcode(group: 0x03, command: 0x002D)
  package static let setControllerToHostFlowControl = HCIOpcode(group: 0x03, command: 0x0031)
  package static let hostBufferSize = HCIOpcode(group: 0x03, command: 0x0033)
  package static let setEventMaskPage2 = HCIOpcode(group: 0x03, command: 0x0063)
  package static let readLEHostSupport = HCIOpcode(group: 0x03, command: 0x006C)
  package static let writeLEHostSupport = HCIOpcode(group: 0x03, command: 0x006D)
  package static let readAuthenticatedPayloadTimeout = HCIOpcode(group: 0x03, command: 0x007B)
  package static let writeAuthenticatedPayloadTimeout = HCIOpcode(group: 0x03, command: 0x007C)
}
