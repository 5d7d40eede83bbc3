import BluetoothTypes

/// The commands that a controller knows: 64 bytes, a bit for each (Core 5.4, Vol 4, Part E, 6.27).
package struct SupportedCommands: Hashable, Sendable {
  private var octets: [UInt8]

  /// No commands.
  package init() { octets = Array(repeating: 0, count: 64) }

  /// The commands with these opcodes; those without a bit are left out.
  package init(_ opcodes: some Sequence<HCIOpcode>) {
    self.init()
    for opcode in opcodes { insert(opcode) }
  }

  package init(reading reader: inout ByteReader) throws(ByteError) { octets = try reader.readBytes(64) }

  package func write(to writer: inout ByteWriter) { writer.write(octets) }

  /// Whether the command is there; false for one without a bit.
  package func contains(_ opcode: HCIOpcode) -> Bool {
    guard let position = Self.positions[opcode] else { return false }
    return octets[position.octet] & 1 &<< position.bit != 0
  }

  /// Adds a command; does nothing for one without a bit.
  package mutating func insert(_ opcode: HCIOpcode) {
    guard let position = Self.positions[opcode] else { return }
    octets[position.octet] |= 1 &<< position.bit
  }

  /// Takes a command out; does nothing for one without a bit.
  package mutating func remove(_ opcode: HCIOpcode) {
    guard let position = Self.positions[opcode] else { return }
    octets[position.octet] &= ~(1 &<< position.bit)
  }

  private struct Position {
    let octet: Int
    let bit: UInt8
  }

  private static let positions: [HCIOpcode: Position] = {
    var positions: [HCIOpcode: Position] = [:]
    for (octet, opcodes) in rows {
      for (bit, opcode) in opcodes.enumerated() {
        guard let opcode else { continue }
        positions[opcode] = Position(octet: octet, bit: UInt8(truncatingIfNeeded: bit))
      }
    }
    return positions
  }()

  /// The octets that have something for Low Energy, each from its lowest bit up.
  private static let rows: [(Int, [HCIOpcode?])] = [
    (0, [nil, nil, nil, nil, nil, .disconnect]),
    (2, [nil, nil, nil, nil, nil, nil, nil, .readRemoteVersionInformation]),
    (5, [nil, nil, nil, nil, nil, nil, .setEventMask, .reset]),
    (7, [.writeLocalName, .readLocalName]),
    (
      10,
      [
        nil, nil, .readTransmitPowerLevel, nil, nil, .setControllerToHostFlowControl, .hostBufferSize,
        .hostNumberOfCompletedPackets,
      ]
    ),
    (
      14,
      [
        nil, nil, nil, .readLocalVersionInformation, nil, .readLocalSupportedFeatures, .readLocalExtendedFeatures,
        .readBufferSize,
      ]
    ),
    (15, [nil, .readBDADDR, nil, nil, nil, .readRSSI]),
    (22, [nil, nil, .setEventMaskPage2]),
    (24, [nil, nil, nil, nil, nil, .readLEHostSupport, .writeLEHostSupport]),
    (
      25,
      [
        .leSetEventMask, .leReadBufferSize, .leReadLocalSupportedFeatures, nil, .leSetRandomAddress,
        .leSetAdvertisingParameters, .leReadAdvertisingPhysicalChannelTXPower, .leSetAdvertisingData,
      ]
    ),
    (
      26,
      [
        .leSetScanResponseData, .leSetAdvertisingEnable, .leSetScanParameters, .leSetScanEnable, .leCreateConnection,
        .leCreateConnectionCancel, .leReadFilterAcceptListSize, .leClearFilterAcceptList,
      ]
    ),
    (
      27,
      [
        .leAddDeviceToFilterAcceptList, .leRemoveDeviceFromFilterAcceptList, .leConnectionUpdate,
        .leSetHostChannelClassification, .leReadChannelMap, .leReadRemoteFeatures, .leEncrypt, .leRand,
      ]
    ),
    (
      28,
      [
        .leEnableEncryption, .leLongTermKeyRequestReply, .leLongTermKeyRequestNegativeReply, .leReadSupportedStates,
      ]
    ),
    (32, [nil, nil, nil, nil, .readAuthenticatedPayloadTimeout, .writeAuthenticatedPayloadTimeout]),
    (
      33,
      [
        nil, nil, nil, nil, .leRemoteConnectionParameterRequestReply,
        .leRemoteConnectionParameterRequestNegativeReply, .leSetDataLength, .leReadSuggestedDefaultDataLength,
      ]
    ),
    (
      34,
      [
        .leWriteSuggestedDefaultDataLength, .leReadLocalP256PublicKey, .leGenerateDHKey, .leAddDeviceToResolvingList,
        .leRemoveDeviceFromResolvingList, .leClearResolvingList, .leReadResolvingListSize,
        .leReadPeerResolvableAddress,
      ]
    ),
    (
      35,
      [
        .leReadLocalResolvableAddress, .leSetAddressResolutionEnable, .leSetResolvablePrivateAddressTimeout,
        .leReadMaximumDataLength, .leReadPHY, .leSetDefaultPHY, .leSetPHY,
      ]
    ),
    (
      36,
      [
        nil, .leSetAdvertisingSetRandomAddress, .leSetExtendedAdvertisingParameters, .leSetExtendedAdvertisingData,
        .leSetExtendedScanResponseData, .leSetExtendedAdvertisingEnable, .leReadMaximumAdvertisingDataLength,
        .leReadNumberOfSupportedAdvertisingSets,
      ]
    ),
    (
      37,
      [
        .leRemoveAdvertisingSet, .leClearAdvertisingSets, .leSetPeriodicAdvertisingParameters,
        .leSetPeriodicAdvertisingData, .leSetPeriodicAdvertisingEnable, .leSetExtendedScanParameters,
        .leSetExtendedScanEnable, .leExtendedCreateConnection,
      ]
    ),
    (
      38,
      [
        .lePeriodicAdvertisingCreateSync, .lePeriodicAdvertisingCreateSyncCancel,
        .lePeriodicAdvertisingTerminateSync, .leAddDeviceToPeriodicAdvertiserList,
        .leRemoveDeviceFromPeriodicAdvertiserList, .leClearPeriodicAdvertiserList,
        .leReadPeriodicAdvertiserListSize, .leReadTransmitPower,
      ]
    ),
    (39, [.leReadRFPathCompensation, .leWriteRFPathCompensation, .leSetPrivacyMode]),
    (41, [nil, nil, nil, nil, nil, .leReadBufferSizeV2]),
    (44, [nil, .leSetHostFeature]),
  ]
}
