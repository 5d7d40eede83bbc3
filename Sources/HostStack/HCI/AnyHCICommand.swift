import BluetoothTypes

/// Any command, read from its packet: what a controller has to tell apart.
package enum AnyHCICommand: Equatable, Sendable {
  case disconnect(Disconnect)
  case readRemoteVersionInformation(ReadRemoteVersionInformation)
  case setEventMask(SetEventMask)
  case reset(Reset)
  case writeLocalName(WriteLocalName)
  case readLocalName(ReadLocalName)
  case readTransmitPowerLevel(ReadTransmitPowerLevel)
  case setControllerToHostFlowControl(SetControllerToHostFlowControl)
  case hostBufferSize(HostBufferSize)
  case hostNumberOfCompletedPackets(HostNumberOfCompletedPackets)
  case setEventMaskPage2(SetEventMaskPage2)
  case readLEHostSupport(ReadLEHostSupport)
  case writeLEHostSupport(WriteLEHostSupport)
  case readAuthenticatedPayloadTimeout(ReadAuthenticatedPayloadTimeout)
  case writeAuthenticatedPayloadTimeout(WriteAuthenticatedPayloadTimeout)
  case readLocalVersionInformation(ReadLocalVersionInformation)
  case readLocalSupportedCommands(ReadLocalSupportedCommands)
  case readLocalSupportedFeatures(ReadLocalSupportedFeatures)
  case readLocalExtendedFeatures(ReadLocalExtendedFeatures)
  case readBufferSize(ReadBufferSize)
  case readBDADDR(ReadBDADDR)
  case readRSSI(ReadRSSI)
  case leSetEventMask(LESetEventMask)
  case leReadBufferSize(LEReadBufferSize)
  case leReadBufferSizeV2(LEReadBufferSizeV2)
  case leReadLocalSupportedFeatures(LEReadLocalSupportedFeatures)
  case leSetRandomAddress(LESetRandomAddress)
  case leSetHostChannelClassification(LESetHostChannelClassification)
  case leReadSupportedStates(LEReadSupportedStates)
  case leSetHostFeature(LESetHostFeature)
  case leReadTransmitPower(LEReadTransmitPower)
  case leReadRFPathCompensation(LEReadRFPathCompensation)
  case leWriteRFPathCompensation(LEWriteRFPathCompensation)
  case leSetAdvertisingParameters(LESetAdvertisingParameters)
  case leReadAdvertisingPhysicalChannelTXPower(LEReadAdvertisingPhysicalChannelTXPower)
  case leSetAdvertisingData(LESetAdvertisingData)
  case leSetScanResponseData(LESetScanResponseData)
  case leSetAdvertisingEnable(LESetAdvertisingEnable)
  case leSetScanParameters(LESetScanParameters)
  case leSetScanEnable(LESetScanEnable)
  case leCreateConnection(LECreateConnection)
  case leCreateConnectionCancel(LECreateConnectionCancel)
  case leConnectionUpdate(LEConnectionUpdate)
  case leReadChannelMap(LEReadChannelMap)
  case leReadRemoteFeatures(LEReadRemoteFeatures)
  case leRemoteConnectionParameterRequestReply(LERemoteConnectionParameterRequestReply)
  case leRemoteConnectionParameterRequestNegativeReply(LERemoteConnectionParameterRequestNegativeReply)
  case leSetDataLength(LESetDataLength)
  case leReadSuggestedDefaultDataLength(LEReadSuggestedDefaultDataLength)
  case leWriteSuggestedDefaultDataLength(LEWriteSuggestedDefaultDataLength)
  case leReadMaximumDataLength(LEReadMaximumDataLength)
  case leReadPHY(LEReadPHY)
  case leSetDefaultPHY(LESetDefaultPHY)
  case leSetPHY(LESetPHY)
  case leReadFilterAcceptListSize(LEReadFilterAcceptListSize)
  case leClearFilterAcceptList(LEClearFilterAcceptList)
  case leAddDeviceToFilterAcceptList(LEAddDeviceToFilterAcceptList)
  case leRemoveDeviceFromFilterAcceptList(LERemoveDeviceFromFilterAcceptList)
  case leAddDeviceToResolvingList(LEAddDeviceToResolvingList)
  case leRemoveDeviceFromResolvingList(LERemoveDeviceFromResolvingList)
  case leClearResolvingList(LEClearResolvingList)
  case leReadResolvingListSize(LEReadResolvingListSize)
  case leReadPeerResolvableAddress(LEReadPeerResolvableAddress)
  case leReadLocalResolvableAddress(LEReadLocalResolvableAddress)
  case leSetAddressResolutionEnable(LESetAddressResolutionEnable)
  case leSetResolvablePrivateAddressTimeout(LESetResolvablePrivateAddressTimeout)
  case leSetPrivacyMode(LESetPrivacyMode)
  case leEncrypt(LEEncrypt)
  case leRand(LERand)
  case leEnableEncryption(LEEnableEncryption)
  case leLongTermKeyRequestReply(LELongTermKeyRequestReply)
  case leLongTermKeyRequestNegativeReply(LELongTermKeyRequestNegativeReply)
  case leReadLocalP256PublicKey(LEReadLocalP256PublicKey)
  case leGenerateDHKey(LEGenerateDHKey)
  case leSetAdvertisingSetRandomAddress(LESetAdvertisingSetRandomAddress)
  case leSetExtendedAdvertisingParameters(LESetExtendedAdvertisingParameters)
  case leSetExtendedAdvertisingData(LESetExtendedAdvertisingData)
  case leSetExtendedScanResponseData(LESetExtendedScanResponseData)
  case leSetExtendedAdvertisingEnable(LESetExtendedAdvertisingEnable)
  case leReadMaximumAdvertisingDataLength(LEReadMaximumAdvertisingDataLength)
  case leReadNumberOfSupportedAdvertisingSets(LEReadNumberOfSupportedAdvertisingSets)
  case leRemoveAdvertisingSet(LERemoveAdvertisingSet)
  case leClearAdvertisingSets(LEClearAdvertisingSets)
  case leSetPeriodicAdvertisingParameters(LESetPeriodicAdvertisingParameters)
  case leSetPeriodicAdvertisingData(LESetPeriodicAdvertisingData)
  case leSetPeriodicAdvertisingEnable(LESetPeriodicAdvertisingEnable)
  case lePeriodicAdvertisingCreateSync(LEPeriodicAdvertisingCreateSync)
  case lePeriodicAdvertisingCreateSyncCancel(LEPeriodicAdvertisingCreateSyncCancel)
  case lePeriodicAdvertisingTerminateSync(LEPeriodicAdvertisingTerminateSync)
  case leAddDeviceToPeriodicAdvertiserList(LEAddDeviceToPeriodicAdvertiserList)
  case leRemoveDeviceFromPeriodicAdvertiserList(LERemoveDeviceFromPeriodicAdvertiserList)
  case leClearPeriodicAdvertiserList(LEClearPeriodicAdvertiserList)
  case leReadPeriodicAdvertiserListSize(LEReadPeriodicAdvertiserListSize)
  case leSetExtendedScanParameters(LESetExtendedScanParameters)
  case leSetExtendedScanEnable(LESetExtendedScanEnable)
  case leExtendedCreateConnection(LEExtendedCreateConnection)
  /// One that is not known here.
  case unknown(HCIOpcode, parameters: [UInt8])
}

extension AnyHCICommand {
  /// All commands that are known here.
  package static let types: [any HCICommand.Type] = [
    Disconnect.self,
    ReadRemoteVersionInformation.self,
    SetEventMask.self,
    Reset.self,
    WriteLocalName.self,
    ReadLocalName.self,
    ReadTransmitPowerLevel.self,
    SetControllerToHostFlowControl.self,
    HostBufferSize.self,
    HostNumberOfCompletedPackets.self,
    SetEventMaskPage2.self,
    ReadLEHostSupport.self,
    WriteLEHostSupport.self,
    ReadAuthenticatedPayloadTimeout.self,
    WriteAuthenticatedPayloadTimeout.self,
    ReadLocalVersionInformation.self,
    ReadLocalSupportedCommands.self,
    ReadLocalSupportedFeatures.self,
    ReadLocalExtendedFeatures.self,
    ReadBufferSize.self,
    ReadBDADDR.self,
    ReadRSSI.self,
    LESetEventMask.self,
    LEReadBufferSize.self,
    LEReadBufferSizeV2.self,
    LEReadLocalSupportedFeatures.self,
    LESetRandomAddress.self,
    LESetHostChannelClassification.self,
    LEReadSupportedStates.self,
    LESetHostFeature.self,
    LEReadTransmitPower.self,
    LEReadRFPathCompensation.self,
    LEWriteRFPathCompensation.self,
    LESetAdvertisingParameters.self,
    LEReadAdvertisingPhysicalChannelTXPower.self,
    LESetAdvertisingData.self,
    LESetScanResponseData.self,
    LESetAdvertisingEnable.self,
    LESetScanParameters.self,
    LESetScanEnable.self,
    LECreateConnection.self,
    LECreateConnectionCancel.self,
    LEConnectionUpdate.self,
    LEReadChannelMap.self,
    LEReadRemoteFeatures.self,
    LERemoteConnectionParameterRequestReply.self,
    LERemoteConnectionParameterRequestNegativeReply.self,
    LESetDataLength.self,
    LEReadSuggestedDefaultDataLength.self,
    LEWriteSuggestedDefaultDataLength.self,
    LEReadMaximumDataLength.self,
    LEReadPHY.self,
    LESetDefaultPHY.self,
    LESetPHY.self,
    LEReadFilterAcceptListSize.self,
    LEClearFilterAcceptList.self,
    LEAddDeviceToFilterAcceptList.self,
    LERemoveDeviceFromFilterAcceptList.self,
    LEAddDeviceToResolvingList.self,
    LERemoveDeviceFromResolvingList.self,
    LEClearResolvingList.self,
    LEReadResolvingListSize.self,
    LEReadPeerResolvableAddress.self,
    LEReadLocalResolvableAddress.self,
    LESetAddressResolutionEnable.self,
    LESetResolvablePrivateAddressTimeout.self,
    LESetPrivacyMode.self,
    LEEncrypt.self,
    LERand.self,
    LEEnableEncryption.self,
    LELongTermKeyRequestReply.self,
    LELongTermKeyRequestNegativeReply.self,
    LEReadLocalP256PublicKey.self,
    LEGenerateDHKey.self,
    LESetAdvertisingSetRandomAddress.self,
    LESetExtendedAdvertisingParameters.self,
    LESetExtendedAdvertisingData.self,
    LESetExtendedScanResponseData.self,
    LESetExtendedAdvertisingEnable.self,
    LEReadMaximumAdvertisingDataLength.self,
    LEReadNumberOfSupportedAdvertisingSets.self,
    LERemoveAdvertisingSet.self,
    LEClearAdvertisingSets.self,
    LESetPeriodicAdvertisingParameters.self,
    LESetPeriodicAdvertisingData.self,
    LESetPeriodicAdvertisingEnable.self,
    LEPeriodicAdvertisingCreateSync.self,
    LEPeriodicAdvertisingCreateSyncCancel.self,
    LEPeriodicAdvertisingTerminateSync.self,
    LEAddDeviceToPeriodicAdvertiserList.self,
    LERemoveDeviceFromPeriodicAdvertiserList.self,
    LEClearPeriodicAdvertiserList.self,
    LEReadPeriodicAdvertiserListSize.self,
    LESetExtendedScanParameters.self,
    LESetExtendedScanEnable.self,
    LEExtendedCreateConnection.self,
  ]

  /// The command itself; `nil` if it is not known.
  package var command: (any HCICommand)? {
    switch self {
    case .disconnect(let command): command
    case .readRemoteVersionInformation(let command): command
    case .setEventMask(let command): command
    case .reset(let command): command
    case .writeLocalName(let command): command
    case .readLocalName(let command): command
    case .readTransmitPowerLevel(let command): command
    case .setControllerToHostFlowControl(let command): command
    case .hostBufferSize(let command): command
    case .hostNumberOfCompletedPackets(let command): command
    case .setEventMaskPage2(let command): command
    case .readLEHostSupport(let command): command
    case .writeLEHostSupport(let command): command
    case .readAuthenticatedPayloadTimeout(let command): command
    case .writeAuthenticatedPayloadTimeout(let command): command
    case .readLocalVersionInformation(let command): command
    case .readLocalSupportedCommands(let command): command
    case .readLocalSupportedFeatures(let command): command
    case .readLocalExtendedFeatures(let command): command
    case .readBufferSize(let command): command
    case .readBDADDR(let command): command
    case .readRSSI(let command): command
    case .leSetEventMask(let command): command
    case .leReadBufferSize(let command): command
    case .leReadBufferSizeV2(let command): command
    case .leReadLocalSupportedFeatures(let command): command
    case .leSetRandomAddress(let command): command
    case .leSetHostChannelClassification(let command): command
    case .leReadSupportedStates(let command): command
    case .leSetHostFeature(let command): command
    case .leReadTransmitPower(let command): command
    case .leReadRFPathCompensation(let command): command
    case .leWriteRFPathCompensation(let command): command
    case .leSetAdvertisingParameters(let command): command
    case .leReadAdvertisingPhysicalChannelTXPower(let command): command
    case .leSetAdvertisingData(let command): command
    case .leSetScanResponseData(let command): command
    case .leSetAdvertisingEnable(let command): command
    case .leSetScanParameters(let command): command
    case .leSetScanEnable(let command): command
    case .leCreateConnection(let command): command
    case .leCreateConnectionCancel(let command): command
    case .leConnectionUpdate(let command): command
    case .leReadChannelMap(let command): command
    case .leReadRemoteFeatures(let command): command
    case .leRemoteConnectionParameterRequestReply(let command): command
    case .leRemoteConnectionParameterRequestNegativeReply(let command): command
    case .leSetDataLength(let command): command
    case .leReadSuggestedDefaultDataLength(let command): command
    case .leWriteSuggestedDefaultDataLength(let command): command
    case .leReadMaximumDataLength(let command): command
    case .leReadPHY(let command): command
    case .leSetDefaultPHY(let command): command
    case .leSetPHY(let command): command
    case .leReadFilterAcceptListSize(let command): command
    case .leClearFilterAcceptList(let command): command
    case .leAddDeviceToFilterAcceptList(let command): command
    case .leRemoveDeviceFromFilterAcceptList(let command): command
    case .leAddDeviceToResolvingList(let command): command
    case .leRemoveDeviceFromResolvingList(let command): command
    case .leClearResolvingList(let command): command
    case .leReadResolvingListSize(let command): command
    case .leReadPeerResolvableAddress(let command): command
    case .leReadLocalResolvableAddress(let command): command
    case .leSetAddressResolutionEnable(let command): command
    case .leSetResolvablePrivateAddressTimeout(let command): command
    case .leSetPrivacyMode(let command): command
    case .leEncrypt(let command): command
    case .leRand(let command): command
    case .leEnableEncryption(let command): command
    case .leLongTermKeyRequestReply(let command): command
    case .leLongTermKeyRequestNegativeReply(let command): command
    case .leReadLocalP256PublicKey(let command): command
    case .leGenerateDHKey(let command): command
    case .leSetAdvertisingSetRandomAddress(let command): command
    case .leSetExtendedAdvertisingParameters(let command): command
    case .leSetExtendedAdvertisingData(let command): command
    case .leSetExtendedScanResponseData(let command): command
    case .leSetExtendedAdvertisingEnable(let command): command
    case .leReadMaximumAdvertisingDataLength(let command): command
    case .leReadNumberOfSupportedAdvertisingSets(let command): command
    case .leRemoveAdvertisingSet(let command): command
    case .leClearAdvertisingSets(let command): command
    case .leSetPeriodicAdvertisingParameters(let command): command
    case .leSetPeriodicAdvertisingData(let command): command
    case .leSetPeriodicAdvertisingEnable(let command): command
    case .lePeriodicAdvertisingCreateSync(let command): command
    case .lePeriodicAdvertisingCreateSyncCancel(let command): command
    case .lePeriodicAdvertisingTerminateSync(let command): command
    case .leAddDeviceToPeriodicAdvertiserList(let command): command
    case .leRemoveDeviceFromPeriodicAdvertiserList(let command): command
    case .leClearPeriodicAdvertiserList(let command): command
    case .leReadPeriodicAdvertiserListSize(let command): command
    case .leSetExtendedScanParameters(let command): command
    case .leSetExtendedScanEnable(let command): command
    case .leExtendedCreateConnection(let command): command
    case .unknown: nil
    }
  }

  static func parse(_ opcode: HCIOpcode, _ reader: inout ByteReader) throws(ByteError) -> AnyHCICommand {
    switch opcode {
    case .disconnect: .disconnect(try Disconnect(reading: &reader))
    case .readRemoteVersionInformation:
      .readRemoteVersionInformation(try ReadRemoteVersionInformation(reading: &reader))
    case .setEventMask: .setEventMask(try SetEventMask(reading: &reader))
    case .reset: .reset(try Reset(reading: &reader))
    case .writeLocalName: .writeLocalName(try WriteLocalName(reading: &reader))
    case .readLocalName: .readLocalName(try ReadLocalName(reading: &reader))
    case .readTransmitPowerLevel: .readTransmitPowerLevel(try ReadTransmitPowerLevel(reading: &reader))
    case .setControllerToHostFlowControl:
      .setControllerToHostFlowControl(try SetControllerToHostFlowControl(reading: &reader))
    case .hostBufferSize: .hostBufferSize(try HostBufferSize(reading: &reader))
    case .hostNumberOfCompletedPackets:
      .hostNumberOfCompletedPackets(try HostNumberOfCompletedPackets(reading: &reader))
    case .setEventMaskPage2: .setEventMaskPage2(try SetEventMaskPage2(reading: &reader))
    case .readLEHostSupport: .readLEHostSupport(try ReadLEHostSupport(reading: &reader))
    case .writeLEHostSupport: .writeLEHostSupport(try WriteLEHostSupport(reading: &reader))
    case .readAuthenticatedPayloadTimeout:
      .readAuthenticatedPayloadTimeout(try ReadAuthenticatedPayloadTimeout(reading: &reader))
    case .writeAuthenticatedPayloadTimeout:
      .writeAuthenticatedPayloadTimeout(try WriteAuthenticatedPayloadTimeout(reading: &reader))
    case .readLocalVersionInformation: .readLocalVersionInformation(try ReadLocalVersionInformation(reading: &reader))
    case .readLocalSupportedCommands: .readLocalSupportedCommands(try ReadLocalSupportedCommands(reading: &reader))
    case .readLocalSupportedFeatures: .readLocalSupportedFeatures(try ReadLocalSupportedFeatures(reading: &reader))
    case .readLocalExtendedFeatures: .readLocalExtendedFeatures(try ReadLocalExtendedFeatures(reading: &reader))
    case .readBufferSize: .readBufferSize(try ReadBufferSize(reading: &reader))
    case .readBDADDR: .readBDADDR(try ReadBDADDR(reading: &reader))
    case .readRSSI: .readRSSI(try ReadRSSI(reading: &reader))
    case .leSetEventMask: .leSetEventMask(try LESetEventMask(reading: &reader))
    case .leReadBufferSize: .leReadBufferSize(try LEReadBufferSize(reading: &reader))
    case .leReadBufferSizeV2: .leReadBufferSizeV2(try LEReadBufferSizeV2(reading: &reader))
    case .leReadLocalSupportedFeatures:
      .leReadLocalSupportedFeatures(try LEReadLocalSupportedFeatures(reading: &reader))
    case .leSetRandomAddress: .leSetRandomAddress(try LESetRandomAddress(reading: &reader))
    case .leSetHostChannelClassification:
      .leSetHostChannelClassification(try LESetHostChannelClassification(reading: &reader))
    case .leReadSupportedStates: .leReadSupportedStates(try LEReadSupportedStates(reading: &reader))
    case .leSetHostFeature: .leSetHostFeature(try LESetHostFeature(reading: &reader))
    case .leReadTransmitPower: .leReadTransmitPower(try LEReadTransmitPower(reading: &reader))
    case .leReadRFPathCompensation: .leReadRFPathCompensation(try LEReadRFPathCompensation(reading: &reader))
    case .leWriteRFPathCompensation: .leWriteRFPathCompensation(try LEWriteRFPathCompensation(reading: &reader))
    case .leSetAdvertisingParameters: .leSetAdvertisingParameters(try LESetAdvertisingParameters(reading: &reader))
    case .leReadAdvertisingPhysicalChannelTXPower:
      .leReadAdvertisingPhysicalChannelTXPower(try LEReadAdvertisingPhysicalChannelTXPower(reading: &reader))
    case .leSetAdvertisingData: .leSetAdvertisingData(try LESetAdvertisingData(reading: &reader))
    case .leSetScanResponseData: .leSetScanResponseData(try LESetScanResponseData(reading: &reader))
    case .leSetAdvertisingEnable: .leSetAdvertisingEnable(try LESetAdvertisingEnable(reading: &reader))
    case .leSetScanParameters: .leSetScanParameters(try LESetScanParameters(reading: &reader))
    case .leSetScanEnable: .leSetScanEnable(try LESetScanEnable(reading: &reader))
    case .leCreateConnection: .leCreateConnection(try LECreateConnection(reading: &reader))
    case .leCreateConnectionCancel: .leCreateConnectionCancel(try LECreateConnectionCancel(reading: &reader))
    case .leConnectionUpdate: .leConnectionUpdate(try LEConnectionUpdate(reading: &reader))
    case .leReadChannelMap: .leReadChannelMap(try LEReadChannelMap(reading: &reader))
    case .leReadRemoteFeatures: .leReadRemoteFeatures(try LEReadRemoteFeatures(reading: &reader))
    case .leRemoteConnectionParameterRequestReply:
      .leRemoteConnectionParameterRequestReply(try LERemoteConnectionParameterRequestReply(reading: &reader))
    case .leRemoteConnectionParameterRequestNegativeReply:
      .leRemoteConnectionParameterRequestNegativeReply(
        try LERemoteConnectionParameterRequestNegativeReply(reading: &reader)
      )
    case .leSetDataLength: .leSetDataLength(try LESetDataLength(reading: &reader))
    case .leReadSuggestedDefaultDataLength:
      .leReadSuggestedDefaultDataLength(try LEReadSuggestedDefaultDataLength(reading: &reader))
    case .leWriteSuggestedDefaultDataLength:
      .leWriteSuggestedDefaultDataLength(try LEWriteSuggestedDefaultDataLength(reading: &reader))
    case .leReadMaximumDataLength: .leReadMaximumDataLength(try LEReadMaximumDataLength(reading: &reader))
    case .leReadPHY: .leReadPHY(try LEReadPHY(reading: &reader))
    case .leSetDefaultPHY: .leSetDefaultPHY(try LESetDefaultPHY(reading: &reader))
    case .leSetPHY: .leSetPHY(try LESetPHY(reading: &reader))
    case .leReadFilterAcceptListSize: .leReadFilterAcceptListSize(try LEReadFilterAcceptListSize(reading: &reader))
    case .leClearFilterAcceptList: .leClearFilterAcceptList(try LEClearFilterAcceptList(reading: &reader))
    case .leAddDeviceToFilterAcceptList:
      .leAddDeviceToFilterAcceptList(try LEAddDeviceToFilterAcceptList(reading: &reader))
    case .leRemoveDeviceFromFilterAcceptList:
      .leRemoveDeviceFromFilterAcceptList(try LERemoveDeviceFromFilterAcceptList(reading: &reader))
    case .leAddDeviceToResolvingList: .leAddDeviceToResolvingList(try LEAddDeviceToResolvingList(reading: &reader))
    case .leRemoveDeviceFromResolvingList:
      .leRemoveDeviceFromResolvingList(try LERemoveDeviceFromResolvingList(reading: &reader))
    case .leClearResolvingList: .leClearResolvingList(try LEClearResolvingList(reading: &reader))
    case .leReadResolvingListSize: .leReadResolvingListSize(try LEReadResolvingListSize(reading: &reader))
    case .leReadPeerResolvableAddress: .leReadPeerResolvableAddress(try LEReadPeerResolvableAddress(reading: &reader))
    case .leReadLocalResolvableAddress:
      .leReadLocalResolvableAddress(try LEReadLocalResolvableAddress(reading: &reader))
    case .leSetAddressResolutionEnable:
      .leSetAddressResolutionEnable(try LESetAddressResolutionEnable(reading: &reader))
    case .leSetResolvablePrivateAddressTimeout:
      .leSetResolvablePrivateAddressTimeout(try LESetResolvablePrivateAddressTimeout(reading: &reader))
    case .leSetPrivacyMode: .leSetPrivacyMode(try LESetPrivacyMode(reading: &reader))
    case .leEncrypt: .leEncrypt(try LEEncrypt(reading: &reader))
    case .leRand: .leRand(try LERand(reading: &reader))
    case .leEnableEncryption: .leEnableEncryption(try LEEnableEncryption(reading: &reader))
    case .leLongTermKeyRequestReply: .leLongTermKeyRequestReply(try LELongTermKeyRequestReply(reading: &reader))
    case .leLongTermKeyRequestNegativeReply:
      .leLongTermKeyRequestNegativeReply(try LELongTermKeyRequestNegativeReply(reading: &reader))
    case .leReadLocalP256PublicKey: .leReadLocalP256PublicKey(try LEReadLocalP256PublicKey(reading: &reader))
    case .leGenerateDHKey: .leGenerateDHKey(try LEGenerateDHKey(reading: &reader))
    case .leSetAdvertisingSetRandomAddress:
      .leSetAdvertisingSetRandomAddress(try LESetAdvertisingSetRandomAddress(reading: &reader))
    case .leSetExtendedAdvertisingParameters:
      .leSetExtendedAdvertisingParameters(try LESetExtendedAdvertisingParameters(reading: &reader))
    case .leSetExtendedAdvertisingData:
      .leSetExtendedAdvertisingData(try LESetExtendedAdvertisingData(reading: &reader))
    case .leSetExtendedScanResponseData:
      .leSetExtendedScanResponseData(try LESetExtendedScanResponseData(reading: &reader))
    case .leSetExtendedAdvertisingEnable:
      .leSetExtendedAdvertisingEnable(try LESetExtendedAdvertisingEnable(reading: &reader))
    case .leReadMaximumAdvertisingDataLength:
      .leReadMaximumAdvertisingDataLength(try LEReadMaximumAdvertisingDataLength(reading: &reader))
    case .leReadNumberOfSupportedAdvertisingSets:
      .leReadNumberOfSupportedAdvertisingSets(try LEReadNumberOfSupportedAdvertisingSets(reading: &reader))
    case .leRemoveAdvertisingSet: .leRemoveAdvertisingSet(try LERemoveAdvertisingSet(reading: &reader))
    case .leClearAdvertisingSets: .leClearAdvertisingSets(try LEClearAdvertisingSets(reading: &reader))
    case .leSetPeriodicAdvertisingParameters:
      .leSetPeriodicAdvertisingParameters(try LESetPeriodicAdvertisingParameters(reading: &reader))
    case .leSetPeriodicAdvertisingData:
      .leSetPeriodicAdvertisingData(try LESetPeriodicAdvertisingData(reading: &reader))
    case .leSetPeriodicAdvertisingEnable:
      .leSetPeriodicAdvertisingEnable(try LESetPeriodicAdvertisingEnable(reading: &reader))
    case .lePeriodicAdvertisingCreateSync:
      .lePeriodicAdvertisingCreateSync(try LEPeriodicAdvertisingCreateSync(reading: &reader))
    case .lePeriodicAdvertisingCreateSyncCancel:
      .lePeriodicAdvertisingCreateSyncCancel(try LEPeriodicAdvertisingCreateSyncCancel(reading: &reader))
    case .lePeriodicAdvertisingTerminateSync:
      .lePeriodicAdvertisingTerminateSync(try LEPeriodicAdvertisingTerminateSync(reading: &reader))
    case .leAddDeviceToPeriodicAdvertiserList:
      .leAddDeviceToPeriodicAdvertiserList(try LEAddDeviceToPeriodicAdvertiserList(reading: &reader))
    case .leRemoveDeviceFromPeriodicAdvertiserList:
      .leRemoveDeviceFromPeriodicAdvertiserList(try LERemoveDeviceFromPeriodicAdvertiserList(reading: &reader))
    case .leClearPeriodicAdvertiserList:
      .leClearPeriodicAdvertiserList(try LEClearPeriodicAdvertiserList(reading: &reader))
    case .leReadPeriodicAdvertiserListSize:
      .leReadPeriodicAdvertiserListSize(try LEReadPeriodicAdvertiserListSize(reading: &reader))
    case .leSetExtendedScanParameters: .leSetExtendedScanParameters(try LESetExtendedScanParameters(reading: &reader))
    case .leSetExtendedScanEnable: .leSetExtendedScanEnable(try LESetExtendedScanEnable(reading: &reader))
    case .leExtendedCreateConnection: .leExtendedCreateConnection(try LEExtendedCreateConnection(reading: &reader))
    default: .unknown(opcode, parameters: reader.readRemaining())
    }
  }
}
