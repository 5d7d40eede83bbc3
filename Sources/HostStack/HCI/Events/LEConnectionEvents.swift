import BluetoothTypes

// Low Energy events about links.

/// A link is there, or could not be made; then the fields behind the status mean nothing.
///
/// HCI_LE_Connection_Complete (Core 5.4, Vol 4, Part E, 7.7.65.1).
package struct LEConnectionComplete: LEMetaEvent {
  package static let subeventCode = LESubevent.leConnectionComplete
  package static let name = "LE Connection Complete"

  /// Whether the link is there.
  package var status: HCIStatus
  /// The link.
  package var connectionHandle: UInt16
  /// What we are.
  package var role: LERole
  /// The peer.
  package var peerAddress: BluetoothAddress
  /// In units of 1.25 ms.
  package var connectionInterval: UInt16
  /// How many events the peripheral may leave out.
  package var peripheralLatency: UInt16
  /// In units of 10 ms.
  package var supervisionTimeout: UInt16
  /// 0 for 500 ppm to 7 for 20 ppm; told to peripherals only.
  package var centralClockAccuracy: UInt8

  package init(
    status: HCIStatus = .success,
    connectionHandle: UInt16 = 0,
    role: LERole = .central,
    peerAddress: BluetoothAddress = BluetoothAddress(0, .public),
    connectionInterval: UInt16 = 0,
    peripheralLatency: UInt16 = 0,
    supervisionTimeout: UInt16 = 0,
    centralClockAccuracy: UInt8 = 0
  ) {
    self.status = status
    self.connectionHandle = connectionHandle
    self.role = role
    self.peerAddress = peerAddress
    self.connectionInterval = connectionInterval
    self.peripheralLatency = peripheralLatency
    self.supervisionTimeout = supervisionTimeout
    self.centralClockAccuracy = centralClockAccuracy
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    status = try reader.readStatus(before: 17)
    connectionHandle = try reader.read()
    role = LERole(rawValue: try reader.read())
    peerAddress = try reader.readTypedAddress(isMeaningful: status == .success)
    connectionInterval = try reader.read()
    peripheralLatency = try reader.read()
    supervisionTimeout = try reader.read()
    centralClockAccuracy = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(status.rawValue)
    writer.write(connectionHandle)
    writer.write(role.rawValue)
    writer.writeTyped(peerAddress)
    writer.write(connectionInterval)
    writer.write(peripheralLatency)
    writer.write(supervisionTimeout)
    writer.write(centralClockAccuracy)
  }
}

/// A link is there, or could not be made; with the private addresses in use.
///
/// HCI_LE_Enhanced_Connection_Complete (Core 5.4, Vol 4, Part E, 7.7.65.10).
package struct LEEnhancedConnectionComplete: LEMetaEvent {
  package static let subeventCode = LESubevent.leEnhancedConnectionComplete
  package static let name = "LE Enhanced Connection Complete"

  /// Whether the link is there.
  package var status: HCIStatus
  /// The link.
  package var connectionHandle: UInt16
  /// What we are.
  package var role: LERole
  /// The peer.
  package var peerAddress: BluetoothAddress
  /// Our private address; zero if none was used.
  package var localResolvablePrivateAddress: BluetoothAddress
  /// The peer's private address; zero if none was used.
  package var peerResolvablePrivateAddress: BluetoothAddress
  /// In units of 1.25 ms.
  package var connectionInterval: UInt16
  /// How many events the peripheral may leave out.
  package var peripheralLatency: UInt16
  /// In units of 10 ms.
  package var supervisionTimeout: UInt16
  /// 0 for 500 ppm to 7 for 20 ppm; told to peripherals only.
  package var centralClockAccuracy: UInt8

  package init(
    status: HCIStatus = .success,
    connectionHandle: UInt16 = 0,
    role: LERole = .central,
    peerAddress: BluetoothAddress = BluetoothAddress(0, .public),
    localResolvablePrivateAddress: BluetoothAddress = BluetoothAddress(0, .random),
    peerResolvablePrivateAddress: BluetoothAddress = BluetoothAddress(0, .random),
    connectionInterval: UInt16 = 0,
    peripheralLatency: UInt16 = 0,
    supervisionTimeout: UInt16 = 0,
    centralClockAccuracy: UInt8 = 0
  ) {
    self.status = status
    self.connectionHandle = connectionHandle
    self.role = role
    self.peerAddress = peerAddress
    self.localResolvablePrivateAddress = localResolvablePrivateAddress
    self.peerResolvablePrivateAddress = peerResolvablePrivateAddress
    self.connectionInterval = connectionInterval
    self.peripheralLatency = peripheralLatency
    self.supervisionTimeout = supervisionTimeout
    self.centralClockAccuracy = centralClockAccuracy
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    status = try reader.readStatus(before: 29)
    connectionHandle = try reader.read()
    role = LERole(rawValue: try reader.read())
    peerAddress = try reader.readTypedAddress(isMeaningful: status == .success)
    localResolvablePrivateAddress = try BluetoothAddress(reading: &reader, kind: .random)
    peerResolvablePrivateAddress = try BluetoothAddress(reading: &reader, kind: .random)
    connectionInterval = try reader.read()
    peripheralLatency = try reader.read()
    supervisionTimeout = try reader.read()
    centralClockAccuracy = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(status.rawValue)
    writer.write(connectionHandle)
    writer.write(role.rawValue)
    writer.writeTyped(peerAddress)
    localResolvablePrivateAddress.write(to: &writer)
    peerResolvablePrivateAddress.write(to: &writer)
    writer.write(connectionInterval)
    writer.write(peripheralLatency)
    writer.write(supervisionTimeout)
    writer.write(centralClockAccuracy)
  }
}

/// A link is there, or could not be made; with the private addresses in use, and with the advertising set that led to it.
///
/// HCI_LE_Enhanced_Connection_Complete [v2] (Core 5.4, Vol 4, Part E, 7.7.65.10).
package struct LEEnhancedConnectionCompleteV2: LEMetaEvent {
  package static let subeventCode = LESubevent.leEnhancedConnectionCompleteV2
  package static let name = "LE Enhanced Connection Complete [v2]"

  /// What the first version of the event says.
  package var connection: LEEnhancedConnectionComplete
  /// The advertising set; 0xFF if the link came from none.
  package var advertisingHandle: UInt8
  /// The periodic advertising that the link came from; 0xFFFF for none.
  package var syncHandle: UInt16

  package init(
    _ connection: LEEnhancedConnectionComplete = LEEnhancedConnectionComplete(),
    advertisingHandle: UInt8 = 0xFF,
    syncHandle: UInt16 = 0xFFFF
  ) {
    self.connection = connection
    self.advertisingHandle = advertisingHandle
    self.syncHandle = syncHandle
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    connection = try LEEnhancedConnectionComplete(reading: &reader)
    // Behind a failure some controllers leave out what means nothing.
    let isShort = connection.status != .success && reader.remaining < 3
    advertisingHandle = isShort ? 0xFF : try reader.read()
    syncHandle = isShort ? 0xFFFF : try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    connection.write(to: &writer)
    writer.write(advertisingHandle)
    writer.write(syncHandle)
  }
}

/// The timing of a link changed.
///
/// HCI_LE_Connection_Update_Complete (Core 5.4, Vol 4, Part E, 7.7.65.3).
package struct LEConnectionUpdateComplete: LEMetaEvent {
  package static let subeventCode = LESubevent.leConnectionUpdateComplete
  package static let name = "LE Connection Update Complete"

  /// Whether it did.
  package var status: HCIStatus
  /// The link.
  package var connectionHandle: UInt16
  /// In units of 1.25 ms.
  package var connectionInterval: UInt16
  /// How many events the peripheral may leave out.
  package var peripheralLatency: UInt16
  /// In units of 10 ms.
  package var supervisionTimeout: UInt16

  package init(
    status: HCIStatus = .success,
    connectionHandle: UInt16 = 0,
    connectionInterval: UInt16 = 0,
    peripheralLatency: UInt16 = 0,
    supervisionTimeout: UInt16 = 0
  ) {
    self.status = status
    self.connectionHandle = connectionHandle
    self.connectionInterval = connectionInterval
    self.peripheralLatency = peripheralLatency
    self.supervisionTimeout = supervisionTimeout
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    status = try reader.readStatus(before: 8)
    connectionHandle = try reader.read()
    connectionInterval = try reader.read()
    peripheralLatency = try reader.read()
    supervisionTimeout = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(status.rawValue)
    writer.write(connectionHandle)
    writer.write(connectionInterval)
    writer.write(peripheralLatency)
    writer.write(supervisionTimeout)
  }
}

/// The peer told what its controller can do.
///
/// HCI_LE_Read_Remote_Features_Complete (Core 5.4, Vol 4, Part E, 7.7.65.4).
package struct LEReadRemoteFeaturesComplete: LEMetaEvent {
  package static let subeventCode = LESubevent.leReadRemoteFeaturesComplete
  package static let name = "LE Read Remote Features Complete"

  /// Whether it did.
  package var status: HCIStatus
  /// The link.
  package var connectionHandle: UInt16
  /// The features.
  package var leFeatures: LEFeatures

  package init(status: HCIStatus = .success, connectionHandle: UInt16 = 0, leFeatures: LEFeatures = []) {
    self.status = status
    self.connectionHandle = connectionHandle
    self.leFeatures = leFeatures
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    status = try reader.readStatus(before: 10)
    connectionHandle = try reader.read()
    leFeatures = LEFeatures(rawValue: try reader.read())
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(status.rawValue)
    writer.write(connectionHandle)
    writer.write(leFeatures.rawValue)
  }
}

/// The peer asks for another timing; it waits for a reply.
///
/// HCI_LE_Remote_Connection_Parameter_Request (Core 5.4, Vol 4, Part E, 7.7.65.6).
package struct LERemoteConnectionParameterRequest: LEMetaEvent {
  package static let subeventCode = LESubevent.leRemoteConnectionParameterRequest
  package static let name = "LE Remote Connection Parameter Request"

  /// The link.
  package var connectionHandle: UInt16
  /// In units of 1.25 ms.
  package var intervalMin: UInt16
  /// In units of 1.25 ms.
  package var intervalMax: UInt16
  /// How many events the peripheral may leave out.
  package var maxLatency: UInt16
  /// In units of 10 ms.
  package var timeout: UInt16

  package init(
    connectionHandle: UInt16 = 0,
    intervalMin: UInt16 = 0,
    intervalMax: UInt16 = 0,
    maxLatency: UInt16 = 0,
    timeout: UInt16 = 0
  ) {
    self.connectionHandle = connectionHandle
    self.intervalMin = intervalMin
    self.intervalMax = intervalMax
    self.maxLatency = maxLatency
    self.timeout = timeout
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    connectionHandle = try reader.read()
    intervalMin = try reader.read()
    intervalMax = try reader.read()
    maxLatency = try reader.read()
    timeout = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(connectionHandle)
    writer.write(intervalMin)
    writer.write(intervalMax)
    writer.write(maxLatency)
    writer.write(timeout)
  }
}

/// The length of packets on the air changed.
///
/// HCI_LE_Data_Length_Change (Core 5.4, Vol 4, Part E, 7.7.65.7).
package struct LEDataLengthChange: LEMetaEvent {
  package static let subeventCode = LESubevent.leDataLengthChange
  package static let name = "LE Data Length Change"

  /// The link.
  package var connectionHandle: UInt16
  /// Bytes sent in a packet.
  package var maxTXOctets: UInt16
  /// Their time on the air in microseconds.
  package var maxTXTime: UInt16
  /// Bytes received in a packet.
  package var maxRXOctets: UInt16
  /// Their time on the air in microseconds.
  package var maxRXTime: UInt16

  package init(
    connectionHandle: UInt16 = 0,
    maxTXOctets: UInt16 = 27,
    maxTXTime: UInt16 = 328,
    maxRXOctets: UInt16 = 27,
    maxRXTime: UInt16 = 328
  ) {
    self.connectionHandle = connectionHandle
    self.maxTXOctets = maxTXOctets
    self.maxTXTime = maxTXTime
    self.maxRXOctets = maxRXOctets
    self.maxRXTime = maxRXTime
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    connectionHandle = try reader.read()
    maxTXOctets = try reader.read()
    maxTXTime = try reader.read()
    maxRXOctets = try reader.read()
    maxRXTime = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(connectionHandle)
    writer.write(maxTXOctets)
    writer.write(maxTXTime)
    writer.write(maxRXOctets)
    writer.write(maxRXTime)
  }
}

/// The PHY of a link changed.
///
/// HCI_LE_PHY_Update_Complete (Core 5.4, Vol 4, Part E, 7.7.65.12).
package struct LEPHYUpdateComplete: LEMetaEvent {
  package static let subeventCode = LESubevent.lePHYUpdateComplete
  package static let name = "LE PHY Update Complete"

  /// Whether it did.
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

/// A new link chooses its channels in this way.
///
/// HCI_LE_Channel_Selection_Algorithm (Core 5.4, Vol 4, Part E, 7.7.65.20).
package struct LEChannelSelectionAlgorithm: LEMetaEvent {
  package static let subeventCode = LESubevent.leChannelSelectionAlgorithm
  package static let name = "LE Channel Selection Algorithm"

  /// The link.
  package var connectionHandle: UInt16
  /// 0 for algorithm 1, 1 for algorithm 2.
  package var channelSelectionAlgorithm: UInt8

  package init(connectionHandle: UInt16 = 0, channelSelectionAlgorithm: UInt8 = 0) {
    self.connectionHandle = connectionHandle
    self.channelSelectionAlgorithm = channelSelectionAlgorithm
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    connectionHandle = try reader.read()
    channelSelectionAlgorithm = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(connectionHandle)
    writer.write(channelSelectionAlgorithm)
  }
}
