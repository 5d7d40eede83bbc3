import BluetoothTypes

// Commands that carry a block of parameters for each PHY that they name.

/// Sets how to scan on each PHY; refused while scanning.
///
/// HCI_LE_Set_Extended_Scan_Parameters (Core 5.4, Vol 4, Part E, 7.8.64).
package struct LESetExtendedScanParameters: HCICommand {
  /// How to scan on one PHY.
  package struct Parameters: Hashable, Sendable {
    /// Whether to ask for scan responses.
    package var scanType: LEScanType
    /// From one start of listening to the next, in units of 0.625 ms, 0x0004 to 0xFFFF.
    package var scanInterval: UInt16
    /// How long to listen each time, in units of 0.625 ms, at most the interval.
    package var scanWindow: UInt16

    package init(scanType: LEScanType = .active, scanInterval: UInt16 = 0x0010, scanWindow: UInt16 = 0x0010) {
      self.scanType = scanType
      self.scanInterval = scanInterval
      self.scanWindow = scanWindow
    }
  }

  package typealias Return = StatusReturn

  package static let opcode = HCIOpcode.leSetExtendedScanParameters
  package static let name = "LE Set Extended Scan Parameters"

  /// The address in scan requests.
  package var ownAddressType: OwnAddressType
  /// Whom to listen to.
  package var scanningFilterPolicy: ScanningFilterPolicy
  /// Where to scan: 1M, coded or both.
  package var scanningPHYs: LEPHYs
  /// A block for each of the PHYs, from the lowest bit up.
  package var parameters: [Parameters]

  package init(
    ownAddressType: OwnAddressType = .public,
    scanningFilterPolicy: ScanningFilterPolicy = .all,
    scanningPHYs: LEPHYs = .le1M,
    parameters: [Parameters] = [Parameters()]
  ) {
    self.ownAddressType = ownAddressType
    self.scanningFilterPolicy = scanningFilterPolicy
    self.scanningPHYs = scanningPHYs
    self.parameters = parameters
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    ownAddressType = OwnAddressType(rawValue: try reader.read())
    scanningFilterPolicy = ScanningFilterPolicy(rawValue: try reader.read())
    scanningPHYs = LEPHYs(rawValue: try reader.read())
    parameters = []
    for _ in 0..<scanningPHYs.count {
      parameters.append(
        Parameters(
          scanType: LEScanType(rawValue: try reader.read()),
          scanInterval: try reader.read(),
          scanWindow: try reader.read()
        )
      )
    }
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(ownAddressType.rawValue)
    writer.write(scanningFilterPolicy.rawValue)
    writer.write(scanningPHYs.rawValue)
    for block in parameters.prefix(scanningPHYs.count) {
      writer.write(block.scanType.rawValue)
      writer.write(block.scanInterval)
      writer.write(block.scanWindow)
    }
  }
}

/// Starts to make a link on any of several PHYs; goes on until it is there or was cancelled.
///
/// HCI_LE_Extended_Create_Connection (Core 5.4, Vol 4, Part E, 7.8.66).
package struct LEExtendedCreateConnection: HCICommand {
  /// How to look for the peer on one PHY, and the timing of a link that begins there.
  package struct Parameters: Hashable, Sendable {
    /// From one start of listening to the next, in units of 0.625 ms, 0x0004 to 0xFFFF.
    package var scanInterval: UInt16
    /// How long to listen each time, in units of 0.625 ms, at most the interval.
    package var scanWindow: UInt16
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
      scanInterval: UInt16 = 0x0060,
      scanWindow: UInt16 = 0x0030,
      connectionIntervalMin: UInt16 = 0x0018,
      connectionIntervalMax: UInt16 = 0x0028,
      maxLatency: UInt16 = 0,
      supervisionTimeout: UInt16 = 0x01F4,
      minCELength: UInt16 = 0,
      maxCELength: UInt16 = 0
    ) {
      self.scanInterval = scanInterval
      self.scanWindow = scanWindow
      self.connectionIntervalMin = connectionIntervalMin
      self.connectionIntervalMax = connectionIntervalMax
      self.maxLatency = maxLatency
      self.supervisionTimeout = supervisionTimeout
      self.minCELength = minCELength
      self.maxCELength = maxCELength
    }

    fileprivate init(reading reader: inout ByteReader) throws(ByteError) {
      scanInterval = try reader.read()
      scanWindow = try reader.read()
      connectionIntervalMin = try reader.read()
      connectionIntervalMax = try reader.read()
      maxLatency = try reader.read()
      supervisionTimeout = try reader.read()
      minCELength = try reader.read()
      maxCELength = try reader.read()
    }

    fileprivate func write(to writer: inout ByteWriter) {
      writer.write(scanInterval)
      writer.write(scanWindow)
      writer.write(connectionIntervalMin)
      writer.write(connectionIntervalMax)
      writer.write(maxLatency)
      writer.write(supervisionTimeout)
      writer.write(minCELength)
      writer.write(maxCELength)
    }
  }

  package typealias Return = CommandStatusOnly

  package static let opcode = HCIOpcode.leExtendedCreateConnection
  package static let name = "LE Extended Create Connection"

  /// Whether to take one peer or any of the filter accept list.
  package var initiatorFilterPolicy: InitiatorFilterPolicy
  /// The address to use.
  package var ownAddressType: OwnAddressType
  /// The peer; not used with the filter accept list.
  package var peerAddress: BluetoothAddress
  /// Where to look for it.
  package var initiatingPHYs: LEPHYs
  /// A block for each of the PHYs, from the lowest bit up.
  package var parameters: [Parameters]

  package init(
    initiatorFilterPolicy: InitiatorFilterPolicy = .peerAddress,
    ownAddressType: OwnAddressType = .public,
    peerAddress: BluetoothAddress = BluetoothAddress(0, .public),
    initiatingPHYs: LEPHYs = .le1M,
    parameters: [Parameters] = [Parameters()]
  ) {
    self.initiatorFilterPolicy = initiatorFilterPolicy
    self.ownAddressType = ownAddressType
    self.peerAddress = peerAddress
    self.initiatingPHYs = initiatingPHYs
    self.parameters = parameters
  }

  package init(reading reader: inout ByteReader) throws(ByteError) {
    initiatorFilterPolicy = InitiatorFilterPolicy(rawValue: try reader.read())
    ownAddressType = OwnAddressType(rawValue: try reader.read())
    peerAddress = try reader.readTypedAddress()
    initiatingPHYs = LEPHYs(rawValue: try reader.read())
    parameters = []
    for _ in 0..<initiatingPHYs.count { parameters.append(try Parameters(reading: &reader)) }
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(initiatorFilterPolicy.rawValue)
    writer.write(ownAddressType.rawValue)
    writer.writeTyped(peerAddress)
    writer.write(initiatingPHYs.rawValue)
    for block in parameters.prefix(initiatingPHYs.count) { block.write(to: &writer) }
  }
}

extension HCIOpcode {
  package static let leSetExtendedScanParameters = HCIOpcode(group: 0x08, command: 0x0041)
  package static let leExtendedCreateConnection = HCIOpcode(group: 0x08, command: 0x0043)
}
