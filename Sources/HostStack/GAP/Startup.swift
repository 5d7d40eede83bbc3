import BluetoothTypes
import RadioPort

/// Brings a controller from anywhere to where the host can use it, one command at a time.
package struct Startup: Sendable {
  /// The commands in the order in which they are sent.
  package enum Step: Int, CaseIterable, Sendable {
    case reset
    case readLocalVersion
    case readSupportedCommands
    case readSupportedFeatures
    case readAddress
    case setEventMask
    case readLEFeatures
    case setLEEventMask
    case readLEBufferSize
    case readBufferSize
    case readAcceptListSize
    case readAdvertisingLength
    case readAdvertisingSets
    case readResolvingListSize
    case setRandomAddress
  }

  /// What an answer leads to.
  package enum Progress: Sendable {
    case continuing
    case finished(ControllerInfo)
    case failed(RadioState)
  }

  private var info = ControllerInfo()
  private var step: Step?
  private let randomAddress: BluetoothAddress
  private let prefersRandomAddress: Bool

  /// - Parameters:
  ///   - randomness: Makes the static random address, for a controller that has no public one.
  ///   - randomAddress: A static random address to use in any case.
  package init(randomness: UInt64, randomAddress: BluetoothAddress? = nil) {
    self.randomAddress = randomAddress ?? Self.staticAddress(randomness)
    prefersRandomAddress = randomAddress != nil
  }

  /// A static random address: the two highest bits are set, and the others are not all alike
  /// (Core 5.4, Vol 6, Part B, 1.3.2.1).
  static func staticAddress(_ randomness: UInt64) -> BluetoothAddress {
    let mask: UInt64 = 0x3FFF_FFFF_FFFF
    let part = min(max(randomness & mask, 1), mask - 1)
    return BluetoothAddress(part | 0xC000_0000_0000, .random)
  }

  /// Sends the first command.
  package mutating func begin(_ commands: inout CommandQueue<CommandPurpose>) {
    step = .reset
    send(.reset, &commands)
  }

  /// Takes an answer and sends the next command.
  package mutating func answered(
    _ answered: Step,
    _ answer: CommandAnswer,
    _ commands: inout CommandQueue<CommandPurpose>
  ) -> Progress {
    guard answered == step else { return .continuing }
    if answer.status == .success {
      do { try take(answer, of: answered) } catch {
        return .failed(
          RadioState(
            .poweredOff,
            reason:
              "the controller's answer to \(Self.name(answered)) can not be read: \(error); try another controller"
          )
        )
      }
    } else if let failure = refusal(answer.status, of: answered) {
      return .failed(failure)
    }
    guard let next = nextStep(after: answered) else {
      step = nil
      guard info.aclCount > 0, info.aclLength > 0 else {
        return .failed(RadioState(.unsupported, reason: "the controller has no buffers for data"))
      }
      return .finished(info)
    }
    step = next
    send(next, &commands)
    return .continuing
  }

  private func nextStep(after step: Step) -> Step? {
    Step.allCases.dropFirst(step.rawValue + 1).first { isNeeded($0) }
  }

  private func isNeeded(_ step: Step) -> Bool {
    switch step {
    case .readSupportedFeatures: info.supports(.readLocalSupportedFeatures)
    case .readAddress: info.supports(.readBDADDR)
    case .readBufferSize: info.aclCount == 0 || info.aclLength == 0
    case .readAcceptListSize:
      info.supports(.leReadFilterAcceptListSize) && info.supports(.leAddDeviceToFilterAcceptList)
    // With the feature come all of its commands, though some controllers forget to list them.
    case .readAdvertisingLength: info.leFeatures.contains(.extendedAdvertising)
    case .readAdvertisingSets: info.maximumAdvertisingData > 0
    case .readResolvingListSize: info.leFeatures.contains(.privacy)
    case .setRandomAddress: prefersRandomAddress || info.address.value == 0
    default: true
    }
  }

  private func send(_ step: Step, _ commands: inout CommandQueue<CommandPurpose>) {
    let purpose = CommandPurpose.startup(step)
    switch step {
    case .reset: commands.enqueue(Reset(), purpose)
    case .readLocalVersion: commands.enqueue(ReadLocalVersionInformation(), purpose)
    case .readSupportedCommands: commands.enqueue(ReadLocalSupportedCommands(), purpose)
    case .readSupportedFeatures: commands.enqueue(ReadLocalSupportedFeatures(), purpose)
    case .readAddress: commands.enqueue(ReadBDADDR(), purpose)
    case .setEventMask: commands.enqueue(SetEventMask(eventMask: .standard), purpose)
    case .readLEFeatures: commands.enqueue(LEReadLocalSupportedFeatures(), purpose)
    case .setLEEventMask: commands.enqueue(LESetEventMask(leEventMask: leEventMask), purpose)
    case .readLEBufferSize: commands.enqueue(LEReadBufferSize(), purpose)
    case .readBufferSize: commands.enqueue(ReadBufferSize(), purpose)
    case .readAcceptListSize: commands.enqueue(LEReadFilterAcceptListSize(), purpose)
    case .readAdvertisingLength: commands.enqueue(LEReadMaximumAdvertisingDataLength(), purpose)
    case .readAdvertisingSets: commands.enqueue(LEReadNumberOfSupportedAdvertisingSets(), purpose)
    case .readResolvingListSize: commands.enqueue(LEReadResolvingListSize(), purpose)
    case .setRandomAddress: commands.enqueue(LESetRandomAddress(randomAddress: randomAddress), purpose)
    }
  }

  /// The events that are dealt with. Some take the place of others, or must be answered, so each is asked for only where
  /// the controller has what it belongs to.
  private var leEventMask: LEEventMask {
    var events: [LESubevent] = [
      .leConnectionComplete, .leAdvertisingReport, .leConnectionUpdateComplete, .leReadRemoteFeaturesComplete,
      .leLongTermKeyRequest,
    ]
    if info.leFeatures.contains(.connectionParametersRequest) { events.append(.leRemoteConnectionParameterRequest) }
    if info.leFeatures.contains(.dataPacketLengthExtension) { events.append(.leDataLengthChange) }
    if !info.leFeatures.isDisjoint(with: [.le2M, .leCoded]) { events.append(.lePHYUpdateComplete) }
    if info.leFeatures.contains(.privacy) { events.append(.leEnhancedConnectionComplete) }
    if info.leFeatures.contains(.extendedAdvertising) {
      events += [.leExtendedAdvertisingReport, .leScanTimeout, .leAdvertisingSetTerminated]
    }
    return LEEventMask(events)
  }

  private mutating func take(_ answer: CommandAnswer, of step: Step) throws {
    switch step {
    case .reset, .setEventMask, .setLEEventMask: break
    case .readAdvertisingLength:
      let length = try answer.decode(as: LEReadMaximumAdvertisingDataLength.self).maxAdvertisingDataLength
      info.maximumAdvertisingData = Int(length)
    case .readAdvertisingSets:
      let count = try answer.decode(as: LEReadNumberOfSupportedAdvertisingSets.self).numSupportedAdvertisingSets
      info.advertisingSets = Int(count)
    case .readResolvingListSize:
      info.resolvingListSize = Int(try answer.decode(as: LEReadResolvingListSize.self).resolvingListSize)
    case .setRandomAddress: info.address = randomAddress
    case .readLocalVersion:
      let version = try answer.decode(as: ReadLocalVersionInformation.self)
      info.hciVersion = version.hciVersion
      info.manufacturer = version.companyIdentifier
    case .readSupportedCommands:
      info.supportedCommands = try answer.decode(as: ReadLocalSupportedCommands.self).supportedCommands
    case .readSupportedFeatures:
      info.lmpFeatures = try answer.decode(as: ReadLocalSupportedFeatures.self).lmpFeatures
    case .readAddress: info.address = try answer.decode(as: ReadBDADDR.self).bdADDR
    case .readLEFeatures: info.leFeatures = try answer.decode(as: LEReadLocalSupportedFeatures.self).leFeatures
    case .readLEBufferSize:
      let size = try answer.decode(as: LEReadBufferSize.self)
      info.aclLength = Int(size.leACLDataPacketLength)
      info.aclCount = Int(size.totalNumLEACLDataPackets)
    case .readBufferSize:
      let size = try answer.decode(as: ReadBufferSize.self)
      info.aclLength = Int(size.aclDataPacketLength)
      info.aclCount = Int(size.totalNumACLDataPackets)
    case .readAcceptListSize:
      info.acceptListSize = Int(try answer.decode(as: LEReadFilterAcceptListSize.self).filterAcceptListSize)
    }
  }

  /// The state that a refusal leads to; `nil` where the host gets along without.
  private func refusal(_ status: HCIStatus, of step: Step) -> RadioState? {
    switch step {
    case .readLocalVersion, .readSupportedCommands, .readSupportedFeatures, .readAddress, .readLEFeatures,
      .readAcceptListSize, .readAdvertisingLength, .readAdvertisingSets, .readResolvingListSize:
      return nil
    case .setEventMask:
      // The mask's default has all but LE Meta, without which nothing works; a controller for LE alone may lack the
      // command and send all events.
      return status == .unknownHCICommand ? nil : failure(status, of: step)
    case .readLEBufferSize, .setLEEventMask:
      if status == .unknownHCICommand {
        return RadioState(.unsupported, reason: "the controller does not know Low Energy: use one that does")
      }
      return failure(status, of: step)
    case .reset, .readBufferSize, .setRandomAddress:
      return failure(status, of: step)
    }
  }

  private func failure(_ status: HCIStatus, of step: Step) -> RadioState {
    RadioState(.poweredOff, reason: "the controller refused \(Self.name(step)) at start-up: \(status)")
  }

  private static func name(_ step: Step) -> String {
    switch step {
    case .reset: "HCI_Reset"
    case .readLocalVersion: "HCI_Read_Local_Version_Information"
    case .readSupportedCommands: "HCI_Read_Local_Supported_Commands"
    case .readSupportedFeatures: "HCI_Read_Local_Supported_Features"
    case .readAddress: "HCI_Read_BD_ADDR"
    case .setEventMask: "HCI_Set_Event_Mask"
    case .readLEFeatures: "HCI_LE_Read_Local_Supported_Features"
    case .setLEEventMask: "HCI_LE_Set_Event_Mask"
    case .readLEBufferSize: "HCI_LE_Read_Buffer_Size"
    case .readBufferSize: "HCI_Read_Buffer_Size"
    case .readAcceptListSize: "HCI_LE_Read_Filter_Accept_List_Size"
    case .readAdvertisingLength: "HCI_LE_Read_Maximum_Advertising_Data_Length"
    case .readAdvertisingSets: "HCI_LE_Read_Number_of_Supported_Advertising_Sets"
    case .readResolvingListSize: "HCI_LE_Read_Resolving_List_Size"
    case .setRandomAddress: "HCI_LE_Set_Random_Address"
    }
  }
}
