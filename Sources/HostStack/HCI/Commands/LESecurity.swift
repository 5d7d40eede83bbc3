import BluetoothTypes

// Encryption of links and what pairing needs of the controller.

/// Encrypts one block with AES-128.
///
/// HCI_LE_Encrypt (Core 5.4, Vol 4, Part E, 7.8.22).
package struct LEEncrypt: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// Least significant byte first.
    package var encryptedData: [UInt8]

    package init(status: HCIStatus = .success, encryptedData: [UInt8] = []) {
      self.status = status
      self.encryptedData = encryptedData
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 16)
      encryptedData = try reader.readBytes(16)
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.writePadded(encryptedData, size: 16)
    }
  }

  package static let opcode = HCIOpcode.leEncrypt
  package static let name = "LE Encrypt"

  /// Least significant byte first.
  package var key: [UInt8]
  /// Least significant byte first.
  package var plaintextData: [UInt8]

  package init(key: [UInt8] = [], plaintextData: [UInt8] = []) {
    self.key = key
    self.plaintextData = plaintextData
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    key = try reader.readBytes(16)
    plaintextData = try reader.readBytes(16)
  }

  package func write(to writer: inout ByteWriter) {
    writer.writePadded(key, size: 16)
    writer.writePadded(plaintextData, size: 16)
  }
}

/// Asks for random bits.
///
/// HCI_LE_Rand (Core 5.4, Vol 4, Part E, 7.8.23).
package struct LERand: HCICommand {
  /// What the controller answers.
  package struct Return: HCIReturnParameters {
    /// Whether it worked; if not, the rest means nothing.
    package var status: HCIStatus
    /// 64 of them.
    package var randomNumber: UInt64

    package init(status: HCIStatus = .success, randomNumber: UInt64 = 0) {
      self.status = status
      self.randomNumber = randomNumber
    }

    package init(reading reader: inout ByteReader) throws(ByteError) {
      status = try reader.readStatus(before: 8)
      randomNumber = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
      writer.write(status.rawValue)
      writer.write(randomNumber)
    }
  }

  package static let opcode = HCIOpcode.leRand
  package static let name = "LE Rand"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Starts or renews the encryption of a link; the central's command.
///
/// HCI_LE_Enable_Encryption (Core 5.4, Vol 4, Part E, 7.8.24).
package struct LEEnableEncryption: HCICommand {
  package typealias Return = CommandStatusOnly

  package static let opcode = HCIOpcode.leEnableEncryption
  package static let name = "LE Enable Encryption"

  /// The link.
  package var connectionHandle: UInt16
  /// Names the key with EDIV; 0 with LE Secure Connections.
  package var randomNumber: UInt64
  /// Names the key; 0 with LE Secure Connections.
  package var encryptedDiversifier: UInt16
  /// Least significant byte first.
  package var longTermKey: [UInt8]

  package init(
    connectionHandle: UInt16 = 0,
    randomNumber: UInt64 = 0,
    encryptedDiversifier: UInt16 = 0,
    longTermKey: [UInt8] = []
  ) {
    self.connectionHandle = connectionHandle
    self.randomNumber = randomNumber
    self.encryptedDiversifier = encryptedDiversifier
    self.longTermKey = longTermKey
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    connectionHandle = try reader.read()
    randomNumber = try reader.read()
    encryptedDiversifier = try reader.read()
    longTermKey = try reader.readBytes(16)
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(connectionHandle)
    writer.write(randomNumber)
    writer.write(encryptedDiversifier)
    writer.writePadded(longTermKey, size: 16)
  }
}

/// Gives the key that the controller asked for.
///
/// HCI_LE_Long_Term_Key_Request_Reply (Core 5.4, Vol 4, Part E, 7.8.25).
package struct LELongTermKeyRequestReply: HCICommand {
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

  package static let opcode = HCIOpcode.leLongTermKeyRequestReply
  package static let name = "LE Long Term Key Request Reply"

  /// The link.
  package var connectionHandle: UInt16
  /// Least significant byte first.
  package var longTermKey: [UInt8]

  package init(connectionHandle: UInt16 = 0, longTermKey: [UInt8] = []) {
    self.connectionHandle = connectionHandle
    self.longTermKey = longTermKey
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    connectionHandle = try reader.read()
    longTermKey = try reader.readBytes(16)
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(connectionHandle)
    writer.writePadded(longTermKey, size: 16)
  }
}

/// Says that there is no such key.
///
/// HCI_LE_Long_Term_Key_Request_Negative_Reply (Core 5.4, Vol 4, Part E, 7.8.26).
package struct LELongTermKeyRequestNegativeReply: HCICommand {
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

  package static let opcode = HCIOpcode.leLongTermKeyRequestNegativeReply
  package static let name = "LE Long Term Key Request Negative Reply"

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

/// Makes a key pair; its public key comes in an event.
///
/// HCI_LE_Read_Local_P-256_Public_Key (Core 5.4, Vol 4, Part E, 7.8.36).
package struct LEReadLocalP256PublicKey: HCICommand {
  package typealias Return = CommandStatusOnly

  package static let opcode = HCIOpcode.leReadLocalP256PublicKey
  package static let name = "LE Read Local P-256 Public Key"

  package init() {}

  package init(reading reader: inout ByteReader) throws(ByteError) {}

  package func write(to writer: inout ByteWriter) {}
}

/// Makes the shared secret from the peer's public key; it comes in an event.
///
/// HCI_LE_Generate_DHKey (Core 5.4, Vol 4, Part E, 7.8.37).
package struct LEGenerateDHKey: HCICommand {
  package typealias Return = CommandStatusOnly

  package static let opcode = HCIOpcode.leGenerateDHKey
  package static let name = "LE Generate DHKey"

  /// Least significant byte first.
  package var keyXCoordinate: [UInt8]
  /// Least significant byte first.
  package var keyYCoordinate: [UInt8]

  package init(keyXCoordinate: [UInt8] = [], keyYCoordinate: [UInt8] = []) {
    self.keyXCoordinate = keyXCoordinate
    self.keyYCoordinate = keyYCoordinate
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    keyXCoordinate = try reader.readBytes(32)
    keyYCoordinate = try reader.readBytes(32)
  }

  package func write(to writer: inout ByteWriter) {
    writer.writePadded(keyXCoordinate, size: 32)
    writer.writePadded(keyYCoordinate, size: 32)
  }
}

extension HCIOpcode {
  package static let leEncrypt = HCIOpcode(group: 0x08, command: 0x0017)
  package static let leRand = HCIOpcode(group: 0x08, command: 0x0018)
  package static let leEnableEncryption = HCIOpcode(group: 0x08, command: 0x0019)
  package static let leLongTermKeyRequestReply = HCIOpcode(group: 0x08, command: 0x001A)
  package static let leLongTermKeyRequestNegativeReply = HCIOpcode(group: 0x08, command: 0x001B)
  package static let leReadLocalP256PublicKey = HCIOpcode(group: 0x08, command: 0x0025)
  package static let leGenerateDHKey = HCIOpcode(group: 0x08, command: 0x0026)
}
