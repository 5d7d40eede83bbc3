import BluetoothTypes

// Low Energy events about keys.

/// The peer wants to encrypt; it waits for the key.
///
/// HCI_LE_Long_Term_Key_Request (Core 5.4, Vol 4, Part E, 7.7.65.5).
package struct LELongTermKeyRequest: LEMetaEvent {
  package static let subeventCode = LESubevent.leLongTermKeyRequest
  package static let name = "LE Long Term Key Request"

  /// The link.
  package var connectionHandle: UInt16
  /// Names the key with EDIV.
  package var randomNumber: UInt64
  /// Names the key.
  package var encryptedDiversifier: UInt16

  package init(connectionHandle: UInt16 = 0, randomNumber: UInt64 = 0, encryptedDiversifier: UInt16 = 0) {
    self.connectionHandle = connectionHandle
    self.randomNumber = randomNumber
    self.encryptedDiversifier = encryptedDiversifier
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    connectionHandle = try reader.read()
    randomNumber = try reader.read()
    encryptedDiversifier = try reader.read()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(connectionHandle)
    writer.write(randomNumber)
    writer.write(encryptedDiversifier)
  }
}

/// Our public key is ready.
///
/// HCI_LE_Read_Local_P-256_Public_Key_Complete (Core 5.4, Vol 4, Part E, 7.7.65.8).
package struct LEReadLocalP256PublicKeyComplete: LEMetaEvent {
  package static let subeventCode = LESubevent.leReadLocalP256PublicKeyComplete
  package static let name = "LE Read Local P-256 Public Key Complete"

  /// Whether it is.
  package var status: HCIStatus
  /// Least significant byte first.
  package var keyXCoordinate: [UInt8]
  /// Least significant byte first.
  package var keyYCoordinate: [UInt8]

  package init(status: HCIStatus = .success, keyXCoordinate: [UInt8] = [], keyYCoordinate: [UInt8] = []) {
    self.status = status
    self.keyXCoordinate = keyXCoordinate
    self.keyYCoordinate = keyYCoordinate
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    status = try reader.readStatus(before: 64)
    keyXCoordinate = try reader.readBytes(32)
    keyYCoordinate = try reader.readBytes(32)
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(status.rawValue)
    writer.writePadded(keyXCoordinate, size: 32)
    writer.writePadded(keyYCoordinate, size: 32)
  }
}

/// The shared secret is ready.
///
/// HCI_LE_Generate_DHKey_Complete (Core 5.4, Vol 4, Part E, 7.7.65.9).
package struct LEGenerateDHKeyComplete: LEMetaEvent {
  package static let subeventCode = LESubevent.leGenerateDHKeyComplete
  package static let name = "LE Generate DHKey Complete"

  /// Whether it is.
  package var status: HCIStatus
  /// Least significant byte first.
  package var dhKey: [UInt8]

  package init(status: HCIStatus = .success, dhKey: [UInt8] = []) {
    self.status = status
    self.dhKey = dhKey
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    status = try reader.readStatus(before: 32)
    dhKey = try reader.readBytes(32)
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(status.rawValue)
    writer.writePadded(dhKey, size: 32)
  }
}
