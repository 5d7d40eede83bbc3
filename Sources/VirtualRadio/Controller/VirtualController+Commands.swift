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
    .readLocalExtendedFeatures, .readBufferSize, .readBDADDR, .readRSSI,
    .leSetEventMask, .leReadBufferSize, .leReadBufferSizeV2, .leReadLocalSupportedFeatures, .leSetRandomAddress,
    .leSetHostChannelClassification, .leReadSupportedStates, .leRand,
    .leSetAdvertisingParameters, .leReadAdvertisingPhysicalChannelTXPower, .leSetAdvertisingData,
    .leSetScanResponseData, .leSetAdvertisingEnable,
    .leSetScanParameters, .leSetScanEnable,
    .leReadFilterAcceptListSize, .leClearFilterAcceptList, .leAddDeviceToFilterAcceptList,
    .leRemoveDeviceFromFilterAcceptList,
    .leCreateConnection, .leCreateConnectionCancel, .leConnectionUpdate, .leReadChannelMap, .leReadRemoteFeatures,
    .leRemoteConnectionParameterRequestReply, .leRemoteConnectionParameterRequestNegativeReply,
    .leSetDataLength, .leReadSuggestedDefaultDataLength, .leWriteSuggestedDefaultDataLength,
    .leReadMaximumDataLength, .leReadPHY, .leSetDefaultPHY, .leSetPHY,
  ]

  static let features: LEFeatures = [
    .connectionParametersRequest, .extendedRejectIndication, .peripheralInitiatedFeaturesExchange,
    .dataPacketLengthExtension, .le2M, .leCoded,
  ]

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
    let known = Self.supportedCommands.contains(opcode)
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
      advertiser.data = command.advertisingData
      complete(command)
    case .leSetScanResponseData(let command):
      advertiser.response = command.scanResponseData
      complete(command)
    case .leSetAdvertisingEnable(let command): return setAdvertising(command, now: now)
    case .leSetScanParameters(let command): setScanParameters(command)
    case .leSetScanEnable(let command): return setScanning(command, now: now)
    case .leCreateConnection(let command): return createConnection(command, now: now)
    case .leCreateConnectionCancel(let command): return cancelConnection(command)
    case .leClearFilterAcceptList(let command): changeAcceptList(command) { $0.removeAll() }
    case .leAddDeviceToFilterAcceptList(let command): addToAcceptList(command)
    case .leRemoveDeviceFromFilterAcceptList(let command):
      changeAcceptList(command) { list in list.removeAll { $0 == command.address } }
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
    guard !advertiser.isEnabled, !scanner.isEnabled, initiator == nil else {
      return complete(command, .commandDisallowed)
    }
    randomAddress = command.randomAddress
    complete(command)
  }
}
