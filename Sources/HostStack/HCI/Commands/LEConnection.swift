import BluetoothTypes

// Commands that make, change and ask about links.

/// Starts to make a link; goes on until it is there or was cancelled.
///
/// HCI_LE_Create_Connection (Core 5.4, Vol 4, Part E, 7.8.12).
package struct LECreateConnection: HCICommand {
  package typealias Return = CommandStatusOnly

  package static let opcode = HCIOpcode.leCreateConnection
  package static let name = "LE Create Connection"

  /// From one start of listening to the next, in units of 0.625 ms, 0x0004 to 0x4000.
  package var leScanInterval: UInt16
  /// How long to listen each time, in units of 0.625 ms, at most the interval.
  package var leScanWindow: UInt16
  /// Whether to take one peer or any of the filter accept list.
  package var initiatorFilterPolicy: InitiatorFilterPolicy
  /// The peer; not used with the filter accept list.
  package var peerAddress: BluetoothAddress
  /// The address to use.
  package var ownAddressType: OwnAddressType
  /// In units of 1.25 ms, 0x0006 to 0x0C80.
  package var connectionIntervalMin: UInt16
  /// In units of 1.25 ms, 0x0006 to 0x0C80.
  package var connectionIntervalMax: UInt16
  /// How many events the peripheral may leave out, 0 to 0x01F3.
  package var maxLatency: UInt16
  /// In units of 10 ms, 0x000A to 0x0C80.
  package var supervisionTimeout: UInt16
  /// A hint for the length of an event, in units of 0.625 ms.
  package var minCELength: UInt16
  /// A hint for the length of an event, in units of 0.625 ms.
  package var maxCELength: UInt16

  package init(
    leScanInterval: UInt16 = 0x0060,
    leScanWindow: UInt16 = 0x0030,
    initiatorFilterPolicy: InitiatorFilterPolicy = .peerAddress,
    peerAddress: BluetoothAddress = BluetoothAddress(0, .public),
    ownAddressType: OwnAddressType = .public,
    connectionIntervalMin: UInt16 = 0x0018,
    connectionIntervalMax: UInt16 = 0x0028,
    maxLatency: UInt16 = 0,
    supervisionTimeout: UInt16 = 0x01F4,
    minCELength: UInt16 = 0,
    maxCELength: UInt16 = 0
  ) {
    self.leScanInterval = leScanInterval
    self.leScanWindow = leScanWindow
    self.initiatorFilterPolicy = initiatorFilterPolicy
    self.peerAddress = peerAddress
    self.ownAddressType = ownAddressType
    self.connectionIntervalMin = connectionIntervalMin
    self.connectionIntervalMax = connectionIntervalMax
    self.maxLatency = maxLatency
    self.supervisionTimeout = supervisionTimeout
    self.minCELength = minCELength
    self.maxCELength = maxCELength
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    leScanInterval = try reader.read()
    leScanWindow = try reader.read()
    initiatorFilterPolicy = InitiatorFilterPolicy(rawValue: try reader.read())
    peerAddress = try reader.readTypedAddress()
    ownAddressType = OwnAddressType(rawValue: try reader.read())
    connectionIntervalMin = try reader.read()
    connectionIntervalMax = try reader.read()
    maxLatency = try reader.read()
    supervisionTimeout = try reader.read()
    minCELength = try reader.read()
    maxCELength = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(leScanInterval)
    writer.write(leScanWindow)
    writer.write(initiatorFilterPolicy.rawValue)
    writer.writeTyped(peerAddress)
    writer.write(ownAddressType.rawValue)
    writer.write(connectionIntervalMin)
    writer.write(connectionIntervalMax)
    writer.write(maxLatency)
    writer.write(supervisionTimeout)
    writer.write(minCELength)
    writer.write(maxCELength)
  }
}

/// Ends the making of a link; LE Connection Complete with "unknown connection identifier" follows.
///
/// HCI_LE_Create_Connection_Cancel (Core 5.4, Vol 4, Part E, 7.8.13).
package struct LECreateConnectionCancel: HCICommand {
  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leCreateConnectionCancel
  package static let name = "LE Create Connection Cancel"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Changes the timing of a link.
///
/// HCI_LE_Connection_Update (Core 5.4, Vol 4, Part E, 7.8.18).
package struct LEConnectionUpdate: HCICommand {
  package typealias Return = CommandStatusOnly

  package static let opcode = HCIOpcode.leConnectionUpdate
  package static let name = "LE Connection Update"

  /// The link.
  package var connectionHandle: UInt16
  /// In units of 1.25 ms, 0x0006 to 0x0C80.
  package var connectionIntervalMin: UInt16
  /// In units of 1.25 ms, 0x0006 to 0x0C80.
  package var connectionIntervalMax: UInt16
  /// How many events the peripheral may leave out, 0 to 0x01F3.
  package var maxLatency: UInt16
  /// In units of 10 ms, 0x000A to 0x0C80.
  package var supervisionTimeout: UInt16
  /// A hint for the length of an event, in units of 0.625 ms.
  package var minCELength: UInt16
  /// A hint for the length of an event, in units of 0.625 ms.
  package var maxCELength: UInt16

  package init(
    connectionHandle: UInt16 = 0,
    connectionIntervalMin: UInt16 = 0x0018,
    connectionIntervalMax: UInt16 = 0x0028,
    maxLatency: UInt16 = 0,
    supervisionTimeout: UInt16 = 0x01F4,
    minCELength: UInt16 = 0,
    maxCELength: UInt16 = 0
  ) {
    self.connectionHandle = connectionHandle
    self.connectionIntervalMin = connectionIntervalMin
    self.connectionIntervalMax = connectionIntervalMax
    self.maxLatency = maxLatency
    self.supervisionTimeout = supervisionTimeout
    self.minCELength = minCELength
    self.maxCELength = maxCELength
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    connectionHandle = try reader.read()
    connectionIntervalMin = try reader.read()
    connectionIntervalMax = try reader.read()
    maxLatency = try reader.read()
    supervisionTimeout = try reader.read()
    minCELength = try reader.read()
    maxCELength = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(connectionHandle)
    writer.write(connectionIntervalMin)
    writer.write(connectionIntervalMax)
    writer.write(maxLatency)
    writer.write(supervisionTimeout)
    writer.write(minCELength)
    writer.write(maxCELength)
  }
}

/// Asks which data channels a link uses.
///
/// HCI_LE_Read_Channel_Map (Core 5.4, Vol 4, Part E, 7.8.20).
package struct LEReadChannelMap: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// The link.
    package var connectionHandle: UInt16
    /// A bit for each of the 37 data channels; set if it is used.
    package var channelMap: UInt64

    package init(status: HCIStatus = .success, connectionHandle: UInt16 = 0, channelMap: UInt64 = 0x1F_FFFF_FFFF) {
      self.status = status
      self.connectionHandle = connectionHandle
      self.channelMap = channelMap
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 7)
      connectionHandle = try reader.read()
      channelMap = try reader.readInteger(byteCount: 5)
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(connectionHandle)
      writer.writeInteger(channelMap, byteCount: 5)
    }
  }

  package static let opcode = HCIOpcode.leReadChannelMap
  package static let name = "LE Read Channel Map"

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

/// Asks what the peer's controller can do.
///
/// HCI_LE_Read_Remote_Features (Core 5.4, Vol 4, Part E, 7.8.21).
package struct LEReadRemoteFeatures: HCICommand {
  package typealias Return = CommandStatusOnly

  package static let opcode = HCIOpcode.leReadRemoteFeatures
  package static let name = "LE Read Remote Features"

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

/// Agrees to the timing that the peer asks for.
///
/// HCI_LE_Remote_Connection_Parameter_Request_Reply (Core 5.4, Vol 4, Part E, 7.8.31).
package struct LERemoteConnectionParameterRequestReply: HCICommand {
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

  package static let opcode = HCIOpcode.leRemoteConnectionParameterRequestReply
  package static let name = "LE Remote Connection Parameter Request Reply"

  /// The link.
  package var connectionHandle: UInt16
  /// In units of 1.25 ms, 0x0006 to 0x0C80.
  package var intervalMin: UInt16
  /// In units of 1.25 ms, 0x0006 to 0x0C80.
  package var intervalMax: UInt16
  /// How many events the peripheral may leave out, 0 to 0x01F3.
  package var maxLatency: UInt16
  /// In units of 10 ms, 0x000A to 0x0C80.
  package var timeout: UInt16
  /// A hint for the length of an event, in units of 0.625 ms.
  package var minCELength: UInt16
  /// A hint for the length of an event, in units of 0.625 ms.
  package var maxCELength: UInt16

  package init(
    connectionHandle: UInt16 = 0,
    intervalMin: UInt16 = 0x0018,
    intervalMax: UInt16 = 0x0028,
    maxLatency: UInt16 = 0,
    timeout: UInt16 = 0x01F4,
    minCELength: UInt16 = 0,
    maxCELength: UInt16 = 0
  ) {
    self.connectionHandle = connectionHandle
    self.intervalMin = intervalMin
    self.intervalMax = intervalMax
    self.maxLatency = maxLatency
    self.timeout = timeout
    self.minCELength = minCELength
    self.maxCELength = maxCELength
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    connectionHandle = try reader.read()
    intervalMin = try reader.read()
    intervalMax = try reader.read()
    maxLatency = try reader.read()
    timeout = try reader.read()
    minCELength = try reader.read()
    maxCELength = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(connectionHandle)
    writer.write(intervalMin)
    writer.write(intervalMax)
    writer.write(maxLatency)
    writer.write(timeout)
    writer.write(minCELength)
    writer.write(maxCELength)
  }
}

/// Refuses the timing that the peer asks for.
///
/// HCI_LE_Remote_Connection_Parameter_Request_Negative_Reply (Core 5.4, Vol 4, Part E, 7.8.32).
package struct LERemoteConnectionParameterRequestNegativeReply: HCICommand {
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

  package static let opcode = HCIOpcode.leRemoteConnectionParameterRequestNegativeReply
  package static let name = "LE Remote Connection Parameter Request Negative Reply"

  /// The link.
  package var connectionHandle: UInt16
  /// Why; 0x3B is "unacceptable connection parameters".
  package var reason: HCIStatus

  package init(connectionHandle: UInt16 = 0, reason: HCIStatus = .unacceptableConnectionParameters) {
    self.connectionHandle = connectionHandle
    self.reason = reason
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    connectionHandle = try reader.read()
    reason = HCIStatus(rawValue: try reader.read())
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(connectionHandle)
    writer.write(reason.rawValue)
  }
}

extension HCIOpcode {
  package static let leCreateConnection = HCIOpcode(group: 0x08, command: 0x000D)
  package static let leCreateConnectionCancel = HCIOpcode(group: 0x08, command: 0x000E)
  package static let leConnectionUpdate = HCIOpcode(group: 0x08, command: 0x0013)
  package static let leReadChannelMap = HCIOpcode(group: 0x08, command: 0x0015)
  package static let leReadRemoteFeatures = HCIOpcode(group: 0x08, command: 0x0016)
  package static let leRemoteConnectionParameterRequestReply = HCIOpcode(group: 0x08, command: 0x0020)
  package static let leRemoteConnectionParameterRequestNegativeReply = HCIOpcode(group: 0x08, command: 0x0021)
}
