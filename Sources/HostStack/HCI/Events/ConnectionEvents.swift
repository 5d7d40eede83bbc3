import BluetoothTypes

// Events about links of any kind.

/// A link ended, or could not be ended.
///
/// HCI_Disconnection_Complete (Core 5.4, Vol 4, Part E, 7.7.5).
package struct DisconnectionComplete: HCIEvent {
  package static let code = HCIEventCode.disconnectionComplete
  package static let name = "Disconnection Complete"

  /// Whether it ended.
  package var status: HCIStatus
  /// The link.
  package var connectionHandle: UInt16
  /// Why it ended.
  package var reason: HCIStatus

  package init(status: HCIStatus = .success, connectionHandle: UInt16 = 0, reason: HCIStatus = .success) {
    self.status = status
    self.connectionHandle = connectionHandle
    self.reason = reason
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    status = try reader.readStatus(before: 3)
    connectionHandle = try reader.read()
    reason = HCIStatus(rawValue: try reader.read())
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(status.rawValue)
    writer.write(connectionHandle)
    writer.write(reason.rawValue)
  }
}

/// The encryption of a link was switched.
///
/// HCI_Encryption_Change (Core 5.4, Vol 4, Part E, 7.7.8).
package struct EncryptionChange: HCIEvent {
  package static let code = HCIEventCode.encryptionChange
  package static let name = "Encryption Change"

  /// Whether that worked.
  package var status: HCIStatus
  /// The link.
  package var connectionHandle: UInt16
  /// 0 off, 1 on.
  package var encryptionEnabled: UInt8

  package init(status: HCIStatus = .success, connectionHandle: UInt16 = 0, encryptionEnabled: UInt8 = 0) {
    self.status = status
    self.connectionHandle = connectionHandle
    self.encryptionEnabled = encryptionEnabled
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    status = try reader.readStatus(before: 3)
    connectionHandle = try reader.read()
    encryptionEnabled = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(status.rawValue)
    writer.write(connectionHandle)
    writer.write(encryptionEnabled)
  }
}

/// The peer told its controller's version.
///
/// HCI_Read_Remote_Version_Information_Complete (Core 5.4, Vol 4, Part E, 7.7.12).
package struct ReadRemoteVersionInformationComplete: HCIEvent {
  package static let code = HCIEventCode.readRemoteVersionInformationComplete
  package static let name = "Read Remote Version Information Complete"

  /// Whether it did.
  package var status: HCIStatus
  /// The link.
  package var connectionHandle: UInt16
  /// The version of the link layer; 0x0D is 5.4.
  package var version: UInt8
  /// Who made the controller.
  package var companyIdentifier: UInt16
  /// The maker's own number.
  package var subversion: UInt16

  package init(
    status: HCIStatus = .success,
    connectionHandle: UInt16 = 0,
    version: UInt8 = 0,
    companyIdentifier: UInt16 = 0,
    subversion: UInt16 = 0
  ) {
    self.status = status
    self.connectionHandle = connectionHandle
    self.version = version
    self.companyIdentifier = companyIdentifier
    self.subversion = subversion
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    status = try reader.readStatus(before: 7)
    connectionHandle = try reader.read()
    version = try reader.read()
    companyIdentifier = try reader.read()
    subversion = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(status.rawValue)
    writer.write(connectionHandle)
    writer.write(version)
    writer.write(companyIdentifier)
    writer.write(subversion)
  }
}

/// The key of an encrypted link was renewed.
///
/// HCI_Encryption_Key_Refresh_Complete (Core 5.4, Vol 4, Part E, 7.7.39).
package struct EncryptionKeyRefreshComplete: HCIEvent {
  package static let code = HCIEventCode.encryptionKeyRefreshComplete
  package static let name = "Encryption Key Refresh Complete"

  /// Whether that worked.
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

/// No authenticated packet came for too long.
///
/// HCI_Authenticated_Payload_Timeout_Expired (Core 5.4, Vol 4, Part E, 7.7.75).
package struct AuthenticatedPayloadTimeoutExpired: HCIEvent {
  package static let code = HCIEventCode.authenticatedPayloadTimeoutExpired
  package static let name = "Authenticated Payload Timeout Expired"

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

/// The encryption of a link was switched; with the size of the key.
///
/// HCI_Encryption_Change [v2] (Core 5.4, Vol 4, Part E, 7.7.8).
package struct EncryptionChangeV2: HCIEvent {
  package static let code = HCIEventCode.encryptionChangeV2
  package static let name = "Encryption Change (v2)"

  /// Whether that worked.
  package var status: HCIStatus
  /// The link.
  package var connectionHandle: UInt16
  /// 0 off, 1 on.
  package var encryptionEnabled: UInt8
  /// In bytes, 1 to 16.
  package var encryptionKeySize: UInt8

  package init(
    status: HCIStatus = .success,
    connectionHandle: UInt16 = 0,
    encryptionEnabled: UInt8 = 0,
    encryptionKeySize: UInt8 = 16
  ) {
    self.status = status
    self.connectionHandle = connectionHandle
    self.encryptionEnabled = encryptionEnabled
    self.encryptionKeySize = encryptionKeySize
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    status = try reader.readStatus(before: 4)
    connectionHandle = try reader.read()
    encryptionEnabled = try reader.read()
    encryptionKeySize = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(status.rawValue)
    writer.write(connectionHandle)
    writer.write(encryptionEnabled)
    writer.write(encryptionKeySize)
  }
}
