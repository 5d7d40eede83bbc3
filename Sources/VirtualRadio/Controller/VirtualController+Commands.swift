import BluetoothTypes
import HostStack

/// What a command means for the world outside its controller.
enum CommandEffect: Sendable {
  /// Nothing.
  case none
  /// Another controller may now be heard, or hear, that was not before.
  case activity
  /// All links are to be left without a word.
  case reset
  /// The host has room for data again.
  case room
}

extension VirtualController {
  /// What these controllers do, and so the bits of Read Local Supported Commands. Any other command is unknown here.
  static let supportedCommands: Set<HCIOpcode> = [
    .disconnect, .readRemoteVersionInformation,
    .setEventMask, .reset, .readTransmitPowerLevel, .setControllerToHostFlowControl, .hostBufferSize,
    .hostNumberOfCompletedPackets, .setEventMaskPage2, .readLEHostSupport, .writeLEHostSupport,
    .readLocalVersionInformation, .readLocalSupportedCommands, .readLocalSupportedFeatures,
    .readLocalExtendedFeatures, .readBufferSize, .readBDADDR, .readRSSI, .writeLocalName, .readLocalName,
    .leSetEventMask, .leReadBufferSize, .leReadBufferSizeV2, .leReadLocalSupportedFeatures, .leSetRandomAddress,
    .leSetHostChannelClassification, .leReadSupportedStates, .leEncrypt, .leRand, .leReadTransmitPower,
    .leReadRFPathCompensation, .leWriteRFPathCompensation,
    .leSetAdvertisingParameters, .leReadAdvertisingPhysicalChannelTXPower, .leSetAdvertisingData,
    .leSetScanResponseData, .leSetAdvertisingEnable,
    .leSetScanParameters, .leSetScanEnable,
    .leReadFilterAcceptListSize, .leClearFilterAcceptList, .leAddDeviceToFilterAcceptList,
    .leRemoveDeviceFromFilterAcceptList,
    .leCreateConnection, .leCreateConnectionCancel, .leConnectionUpdate, .leReadChannelMap, .leReadRemoteFeatures,
    .leRemoteConnectionParameterRequestReply, .leRemoteConnectionParameterRequestNegativeReply,
    .leSetDataLength, .leReadSuggestedDefaultDataLength, .leWriteSuggestedDefaultDataLength,
    .leReadMaximumDataLength, .leEnableEncryption, .leLongTermKeyRequestReply, .leLongTermKeyRequestNegativeReply,
    .leReadPHY, .leSetDefaultPHY, .leSetPHY,
    .leAddDeviceToResolvingList, .leRemoveDeviceFromResolvingList, .leClearResolvingList, .leReadResolvingListSize,
    .leReadPeerResolvableAddress, .leReadLocalResolvableAddress, .leSetAddressResolutionEnable,
    .leSetResolvablePrivateAddressTimeout, .leSetPrivacyMode,
    .leSetAdvertisingSetRandomAddress, .leSetExtendedAdvertisingParameters, .leSetExtendedAdvertisingData,
    .leSetExtendedScanResponseData, .leSetExtendedAdvertisingEnable, .leReadMaximumAdvertisingDataLength,
    .leReadNumberOfSupportedAdvertisingSets, .leRemoveAdvertisingSet, .leClearAdvertisingSets,
    .leSetExtendedScanParameters, .leSetExtendedScanEnable, .leExtendedCreateConnection,
  ]

  static let features: LEFeatures = [
    .encryption, .connectionParametersRequest, .extendedRejectIndication, .peripheralInitiatedFeaturesExchange,
    .dataPacketLengthExtension, .privacy, .extendedScanningFilterPolicies, .le2M, .leCoded, .extendedAdvertising,
    .channelSelectionAlgorithm2,
  ]

  /// Whether a command is there with these features (Core 5.4, Vol 4, Part E, 3.1).
  static func supports(_ opcode: HCIOpcode, with features: LEFeatures) -> Bool {
    switch opcode {
    case .leReadPHY, .leSetDefaultPHY, .leSetPHY: !features.isDisjoint(with: [.le2M, .leCoded])
    default: features.isSuperset(of: Self.features(neededFor: opcode))
    }
  }

  /// The features without which a command is unknown.
  private static func features(neededFor opcode: HCIOpcode) -> LEFeatures {
    switch opcode {
    case .leEnableEncryption, .leLongTermKeyRequestReply, .leLongTermKeyRequestNegativeReply: .encryption
    case .leAddDeviceToResolvingList, .leRemoveDeviceFromResolvingList, .leClearResolvingList,
      .leReadResolvingListSize, .leReadPeerResolvableAddress, .leReadLocalResolvableAddress,
      .leSetAddressResolutionEnable, .leSetResolvablePrivateAddressTimeout, .leSetPrivacyMode:
      .privacy
    case .leSetDataLength, .leReadSuggestedDefaultDataLength, .leWriteSuggestedDefaultDataLength,
      .leReadMaximumDataLength:
      .dataPacketLengthExtension
    case .leRemoteConnectionParameterRequestReply, .leRemoteConnectionParameterRequestNegativeReply:
      .connectionParametersRequest
    default: AdvertisingCommandSet(opcode) == .extended ? .extendedAdvertising : []
    }
  }

  /// 5.4, of a company that does not exist.
  static let version = RemoteVersion(version: 0x0D, company: 0xFFFF, subversion: 1)

  // MARK: Answers

  /// Answers a command with Command Complete.
  mutating func complete<Command: HCICommand>(_ command: Command.Type, _ returned: Command.Return) {
    send(CommandComplete(command, returned))
  }

  /// Answers a command that has no other return parameter than its status.
  mutating func complete<Command: HCICommand>(_ command: Command, _ status: HCIStatus = .success)
  where Command.Return == StatusReturn {
    send(CommandComplete(Command.self, StatusReturn(status: status)))
  }

  /// Answers a command with Command Status.
  mutating func acknowledge<Command: HCICommand>(_ command: Command, _ status: HCIStatus = .success)
  where Command.Return == CommandStatusOnly {
    send(CommandStatus(status: status, opcode: Command.opcode))
  }

  /// Answers a command that could not be read or is not known.
  mutating func refuse(_ opcode: HCIOpcode, _ status: HCIStatus) {
    let known = commands.contains(opcode)
    let type = known ? AnyHCICommand.types.first { $0.opcode == opcode } : nil
    if let type, !Self.isAnsweredByStatus(type) {
      send(CommandComplete(opcode: opcode, returnParameters: [status.rawValue]))
    } else {
      send(CommandStatus(status: status, opcode: opcode))
    }
  }

  private static func isAnsweredByStatus<Command: HCICommand>(_ command: Command.Type) -> Bool {
    Command.Return.self == CommandStatusOnly.self
  }

  // MARK: Commands that concern no link

  /// Does what a command asks for and answers it.
  mutating func execute(_ command: AnyHCICommand, now: Int64) -> CommandEffect {
    switch command {
    case .setEventMask(let command):
      eventMask = command.eventMask
      complete(command)
    case .setEventMaskPage2(let command): complete(command)
    case .leSetEventMask(let command):
      leEventMask = command.leEventMask
      complete(command)
    case .reset(let command):
      reset()
      complete(command)
      return .reset
    case .setControllerToHostFlowControl(let command): return setFlowControl(command)
    case .hostBufferSize(let command): return setHostBuffers(command)
    case .hostNumberOfCompletedPackets(let command):
      for entry in command.completed { hostRoom.release(Int(entry.count), of: entry.connectionHandle) }
      return .room
    case .leSetRandomAddress(let command): setRandomAddress(command)
    case .leSetAdvertisingParameters(let command): setAdvertisingParameters(command)
    case .leSetAdvertisingData(let command):
      sets[0].data.bytes = command.advertisingData
      complete(command)
    case .leSetScanResponseData(let command):
      sets[0].response.bytes = command.scanResponseData
      complete(command)
    case .leSetAdvertisingEnable(let command): return setAdvertising(command, now: now)
    case .leSetScanParameters(let command): setScanParameters(command)
    case .leSetScanEnable(let command): return setScanning(command, now: now)
    case .leCreateConnection(let command): return createConnection(command, now: now)
    case .leCreateConnectionCancel(let command): return cancelConnection(command)
    case .leClearFilterAcceptList(let command): clearAcceptList(command)
    case .leAddDeviceToFilterAcceptList(let command): addToAcceptList(command)
    case .leRemoveDeviceFromFilterAcceptList(let command): removeFromAcceptList(command)
    default: return executeLater(command, now: now)
    }
    return .none
  }

  /// The same for commands that came with later versions of the specification.
  private mutating func executeLater(_ command: AnyHCICommand, now: Int64) -> CommandEffect {
    switch command {
    case .leSetAdvertisingSetRandomAddress(let command): setAddress(command)
    case .leSetExtendedAdvertisingParameters(let command): setParameters(command)
    case .leSetExtendedAdvertisingData(let command): setData(command)
    case .leSetExtendedScanResponseData(let command): setResponse(command)
    case .leSetExtendedAdvertisingEnable(let command): return enableSets(command, now: now)
    case .leRemoveAdvertisingSet(let command): removeSet(command)
    case .leClearAdvertisingSets(let command): clearSets(command)
    case .leSetExtendedScanParameters(let command): setScanParameters(command)
    case .leSetExtendedScanEnable(let command): return setScanning(command, now: now)
    case .leExtendedCreateConnection(let command): return createConnection(command, now: now)
    case .leAddDeviceToResolvingList(let command): addToResolvingList(command)
    case .leRemoveDeviceFromResolvingList(let command): removeFromResolvingList(command)
    case .leClearResolvingList(let command): clearResolvingList(command)
    case .leReadPeerResolvableAddress(let command): readPeerAddress(command)
    case .leReadLocalResolvableAddress(let command): readLocalAddress(command, now: now)
    case .leSetAddressResolutionEnable(let command): setResolution(command)
    case .leSetResolvablePrivateAddressTimeout(let command): setLifetime(command, now: now)
    case .leSetPrivacyMode(let command): setPrivacyMode(command)
    default: inform(command)
    }
    return .none
  }

  private mutating func setFlowControl(_ command: SetControllerToHostFlowControl) -> CommandEffect {
    guard command.flowControlEnable <= 3 else {
      complete(command, .invalidHCICommandParameters)
      return .none
    }
    // Not while there are links (Core 5.4, Vol 4, Part E, 7.3.38).
    guard links.isEmpty else {
      complete(command, .commandDisallowed)
      return .none
    }
    hostRoom.isControlled = command.flowControlEnable & 1 != 0
    complete(command)
    return .room
  }

  private mutating func setHostBuffers(_ command: HostBufferSize) -> CommandEffect {
    guard command.hostACLDataPacketLength >= 27, command.hostTotalNumACLDataPackets > 0 else {
      complete(command, .invalidHCICommandParameters)
      return .none
    }
    hostRoom.announce(length: command.hostACLDataPacketLength, count: command.hostTotalNumACLDataPackets)
    complete(command)
    return .room
  }

  private mutating func setRandomAddress(_ command: LESetRandomAddress) {
    guard !sets[0].isEnabled, !scanner.isEnabled, initiator == nil else {
      return complete(command, .commandDisallowed)
    }
    randomAddress = command.randomAddress
    complete(command)
  }
}
