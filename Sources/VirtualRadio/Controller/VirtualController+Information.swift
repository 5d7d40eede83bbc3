import BluetoothTypes
import HostStack

// Commands that ask what the controller is and what it can do.
extension VirtualController {
  mutating func inform(_ command: AnyHCICommand) {
    switch command {
    case .readLocalVersionInformation:
      complete(
        ReadLocalVersionInformation.self,
        .init(
          hciVersion: Self.version.version,
          hciSubversion: Self.version.subversion,
          lmpVersion: Self.version.version,
          companyIdentifier: Self.version.company,
          lmpSubversion: Self.version.subversion
        )
      )
    case .readLocalSupportedCommands:
      complete(
        ReadLocalSupportedCommands.self,
        .init(supportedCommands: SupportedCommands(commands))
      )
    case .readLocalSupportedFeatures:
      complete(ReadLocalSupportedFeatures.self, .init(lmpFeatures: Self.lmpFeatures))
    case .readLocalExtendedFeatures(let command): readExtendedFeatures(command)
    case .readBufferSize:
      // Data of Low Energy has buffers of its own, which LE Read Buffer Size tells.
      complete(ReadBufferSize.self, .init(aclDataPacketLength: 0, totalNumACLDataPackets: 0))
    case .readBDADDR: complete(ReadBDADDR.self, .init(bdADDR: configuration.address))
    case .readLEHostSupport: complete(ReadLEHostSupport.self, .init(leSupportedHost: true))
    case .writeLEHostSupport(let command): complete(command)
    case .leReadBufferSize:
      complete(
        LEReadBufferSize.self,
        .init(
          leACLDataPacketLength: configuration.aclBufferLength,
          totalNumLEACLDataPackets: configuration.aclBufferCount
        )
      )
    case .leReadBufferSizeV2:
      complete(
        LEReadBufferSizeV2.self,
        .init(
          leACLDataPacketLength: configuration.aclBufferLength,
          totalNumLEACLDataPackets: configuration.aclBufferCount,
          isoDataPacketLength: 0,
          totalNumISODataPackets: 0
        )
      )
    case .leReadLocalSupportedFeatures:
      complete(LEReadLocalSupportedFeatures.self, .init(leFeatures: features))
    case .leReadSupportedStates: complete(LEReadSupportedStates.self, .init())
    case .leEncrypt(let command):
      let cipher = AES128(key: UInt128(leastSignificantFirst: command.key))
      let block = cipher.encrypt(UInt128(leastSignificantFirst: command.plaintextData))
      complete(LEEncrypt.self, .init(encryptedData: block.leastSignificantFirst))
    case .leRand: complete(LERand.self, .init(randomNumber: random.next()))
    case .leReadAdvertisingPhysicalChannelTXPower:
      complete(LEReadAdvertisingPhysicalChannelTXPower.self, .init(txPowerLevel: configuration.transmitPower))
    case .leReadFilterAcceptListSize:
      complete(LEReadFilterAcceptListSize.self, .init(filterAcceptListSize: configuration.acceptListSize))
    case .leReadMaximumDataLength:
      let limit = PacketLimit.supported
      complete(
        LEReadMaximumDataLength.self,
        .init(
          supportedMaxTXOctets: limit.octets,
          supportedMaxTXTime: limit.time,
          supportedMaxRXOctets: limit.octets,
          supportedMaxRXTime: limit.time
        )
      )
    case .leReadSuggestedDefaultDataLength:
      complete(
        LEReadSuggestedDefaultDataLength.self,
        .init(suggestedMaxTXOctets: suggestedLimit.octets, suggestedMaxTXTime: suggestedLimit.time)
      )
    case .leWriteSuggestedDefaultDataLength(let command):
      let limit = PacketLimit(octets: command.suggestedMaxTXOctets, time: command.suggestedMaxTXTime)
      guard limit.isValid else { return complete(command, .invalidHCICommandParameters) }
      suggestedLimit = limit
      complete(command)
    case .leSetDefaultPHY(let command):
      let choice = PHYChoice(
        all: command.allPHYs,
        transmit: command.txPHYs,
        receive: command.rxPHYs,
        supported: supportedPHYs
      )
      guard let choice else { return complete(command, .unsupportedFeatureOrParameterValue) }
      phyChoice = choice
      complete(command)
    case .leSetHostChannelClassification(let command):
      // At least two channels must be left (Core 5.4, Vol 4, Part E, 7.8.19).
      let map = command.channelMap & 0x1F_FFFF_FFFF
      guard map == command.channelMap, map.nonzeroBitCount >= 2 else {
        return complete(command, .invalidHCICommandParameters)
      }
      channelMap = map
      complete(command)
    default: informOnAdvertising(command)
    }
  }

  private mutating func informOnAdvertising(_ command: AnyHCICommand) {
    switch command {
    case .writeLocalName(let command):
      localName = command.localName
      complete(command)
    case .readLocalName: complete(ReadLocalName.self, .init(localName: localName))
    case .leReadTransmitPower:
      let power = configuration.transmitPower
      complete(LEReadTransmitPower.self, .init(minTXPower: power, maxTXPower: power))
    case .leReadRFPathCompensation:
      complete(
        LEReadRFPathCompensation.self,
        .init(rfTXPathCompensationValue: pathCompensation.transmit, rfRXPathCompensationValue: pathCompensation.receive)
      )
    case .leWriteRFPathCompensation(let command):
      // In units of 0.1 dB, -128 to 128 dB.
      let (transmit, receive) = (command.rfTXPathCompensationValue, command.rfRXPathCompensationValue)
      guard (-1280...1280).contains(transmit), (-1280...1280).contains(receive) else {
        return complete(command, .invalidHCICommandParameters)
      }
      pathCompensation = (transmit, receive)
      complete(command)
    case .leReadResolvingListSize:
      complete(LEReadResolvingListSize.self, .init(resolvingListSize: configuration.resolvingListSize))
    case .leReadMaximumAdvertisingDataLength:
      complete(
        LEReadMaximumAdvertisingDataLength.self,
        .init(maxAdvertisingDataLength: configuration.advertisingDataLimit)
      )
    case .leReadNumberOfSupportedAdvertisingSets:
      complete(
        LEReadNumberOfSupportedAdvertisingSets.self,
        .init(numSupportedAdvertisingSets: configuration.advertisingSetLimit)
      )
    // The air has seen to these, and what stands above to the next ones. By name, so that none is forgotten.
    case .disconnect, .readRemoteVersionInformation, .readTransmitPowerLevel, .readRSSI, .leConnectionUpdate,
      .leReadChannelMap, .leReadRemoteFeatures, .leRemoteConnectionParameterRequestReply,
      .leRemoteConnectionParameterRequestNegativeReply, .leSetDataLength, .leReadPHY, .leSetPHY, .leEnableEncryption,
      .leLongTermKeyRequestReply, .leLongTermKeyRequestNegativeReply:
      break
    case .setEventMask, .reset, .setControllerToHostFlowControl, .hostBufferSize, .hostNumberOfCompletedPackets,
      .setEventMaskPage2, .readLEHostSupport, .writeLEHostSupport, .readLocalVersionInformation,
      .readLocalSupportedCommands, .readLocalSupportedFeatures, .readLocalExtendedFeatures, .readBufferSize,
      .readBDADDR, .leSetEventMask, .leReadBufferSize, .leReadBufferSizeV2, .leReadLocalSupportedFeatures,
      .leSetRandomAddress, .leSetHostChannelClassification, .leReadSupportedStates, .leSetAdvertisingParameters,
      .leReadAdvertisingPhysicalChannelTXPower, .leSetAdvertisingData, .leSetScanResponseData,
      .leSetAdvertisingEnable, .leSetScanParameters, .leSetScanEnable, .leCreateConnection,
      .leCreateConnectionCancel, .leReadSuggestedDefaultDataLength, .leWriteSuggestedDefaultDataLength,
      .leReadMaximumDataLength, .leSetDefaultPHY, .leReadFilterAcceptListSize, .leClearFilterAcceptList,
      .leAddDeviceToFilterAcceptList, .leRemoveDeviceFromFilterAcceptList, .leAddDeviceToResolvingList,
      .leRemoveDeviceFromResolvingList, .leClearResolvingList, .leReadPeerResolvableAddress,
      .leReadLocalResolvableAddress, .leSetAddressResolutionEnable, .leSetResolvablePrivateAddressTimeout,
      .leSetPrivacyMode, .leEncrypt, .leRand, .leSetAdvertisingSetRandomAddress, .leSetExtendedAdvertisingParameters,
      .leSetExtendedAdvertisingData, .leSetExtendedScanResponseData, .leSetExtendedAdvertisingEnable,
      .leRemoveAdvertisingSet, .leClearAdvertisingSets, .leSetExtendedScanParameters, .leSetExtendedScanEnable,
      .leExtendedCreateConnection:
      break
    // These controllers do not have them, and have said so.
    case .readAuthenticatedPayloadTimeout, .writeAuthenticatedPayloadTimeout, .leSetHostFeature,
      .leReadLocalP256PublicKey, .leGenerateDHKey, .leSetPeriodicAdvertisingParameters,
      .leSetPeriodicAdvertisingData, .leSetPeriodicAdvertisingEnable, .lePeriodicAdvertisingCreateSync,
      .lePeriodicAdvertisingCreateSyncCancel, .lePeriodicAdvertisingTerminateSync,
      .leAddDeviceToPeriodicAdvertiserList, .leRemoveDeviceFromPeriodicAdvertiserList,
      .leClearPeriodicAdvertiserList, .leReadPeriodicAdvertiserListSize, .unknown:
      break
    }
  }

  private static let lmpFeatures: LMPFeatures = [.classicNotSupported, .lowEnergySupported]

  private mutating func readExtendedFeatures(_ command: ReadLocalExtendedFeatures) {
    let pages: [UInt64] = [Self.lmpFeatures.rawValue, 0b10, 0]
    guard Int(command.pageNumber) < pages.count else {
      return complete(
        ReadLocalExtendedFeatures.self,
        .init(status: .invalidHCICommandParameters, pageNumber: command.pageNumber)
      )
    }
    complete(
      ReadLocalExtendedFeatures.self,
      .init(
        pageNumber: command.pageNumber,
        maximumPageNumber: 2,
        extendedLMPFeatures: pages[Int(command.pageNumber)]
      )
    )
  }
}

extension PacketLimit {
  /// Whether HCI allows it (Core 5.4, Vol 4, Part E, 7.8.33).
  var isValid: Bool { (27...251).contains(octets) && (328...17040).contains(time) }
}

extension PHYChoice {
  /// What a host prefers; `nil` if that is nothing, or if a PHY is among it that the controller does not have: one that
  /// others have, or one that is yet to come (Core 5.4, Vol 4, Part E, 7.8.48 and 7.8.49).
  init?(all: UInt8, transmit: LEPHYs, receive: LEPHYs, supported: LEPHYs) {
    let supported = supported.rawValue
    let transmit = all & 1 != 0 ? supported : transmit.rawValue
    let receive = all & 2 != 0 ? supported : receive.rawValue
    guard transmit != 0, receive != 0, transmit & ~supported == 0, receive & ~supported == 0 else { return nil }
    self.init(transmit: transmit, receive: receive)
  }
}

extension VirtualController {
  /// The PHYs that links can use.
  var supportedPHYs: LEPHYs {
    LEPHYs([LEPHY.le1M, .le2M, .leCoded].filter(supports).map { LEPHYs(rawValue: 1 &<< ($0.rawValue &- 1)) })
  }
}

extension UInt128 {
  /// A number from its bytes, as they stand in PDUs.
  init(leastSignificantFirst bytes: [UInt8]) { self = bytes.reversed().reduce(0) { $0 &<< 8 | UInt128($1) } }

  /// Its 16 bytes, as they stand in PDUs.
  var leastSignificantFirst: [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: self &>> UInt128(8 &* $0)) } }
}
