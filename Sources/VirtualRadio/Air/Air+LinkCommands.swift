import BluetoothTypes
import HostStack

// Commands that name a link.
extension Air {
  /// Does what a command asks of a link; `false` if it is about no link.
  mutating func executeLinkCommand(_ command: AnyHCICommand, at index: Int) -> Bool {
    switch command {
    case .disconnect(let command): disconnect(command, at: index)
    case .readRemoteVersionInformation(let command): readRemoteVersion(command, at: index)
    case .leReadRemoteFeatures(let command): readRemoteFeatures(command, at: index)
    case .leConnectionUpdate(let command): updateConnection(command, at: index)
    case .leRemoteConnectionParameterRequestReply(let command): acceptParameters(command, at: index)
    case .leRemoteConnectionParameterRequestNegativeReply(let command): rejectParameters(command, at: index)
    case .leSetDataLength(let command): setDataLength(command, at: index)
    case .leSetPHY(let command): setPHY(command, at: index)
    case .leEnableEncryption(let command): enableEncryption(command, at: index)
    case .leLongTermKeyRequestReply(let command): giveKey(command, at: index)
    case .leLongTermKeyRequestNegativeReply(let command): refuseKey(command, at: index)
    case .readRSSI, .readTransmitPowerLevel, .leReadChannelMap, .leReadPHY: read(command, at: index)
    default: return false
    }
    return true
  }

  // MARK: Reading

  private mutating func read(_ command: AnyHCICommand, at index: Int) {
    switch command {
    case .readRSSI(let command):
      var answer = ReadRSSI.Return(status: .unknownConnectionIdentifier, handle: command.handle)
      if let (position, side) = locate(command.handle, at: index) {
        // A link whose other end is gone still has the strength of the last packet; here that of a peer at the edge.
        let sender = self.index(of: links[position][side.other].controller)
        answer.status = .success
        answer.rssi =
          sender.map { Propagation.reading(packetStrength(of: $0, at: index, time: time)) } ?? -127
      }
      controllers[index].complete(ReadRSSI.self, answer)
    case .readTransmitPowerLevel(let command):
      var answer = ReadTransmitPowerLevel.Return(
        status: .unknownConnectionIdentifier,
        connectionHandle: command.connectionHandle
      )
      if command.type > 1 {
        answer.status = .invalidHCICommandParameters
      } else if locate(command.connectionHandle, at: index) != nil {
        answer.status = .success
        answer.txPowerLevel = controllers[index].configuration.transmitPower
      }
      controllers[index].complete(ReadTransmitPowerLevel.self, answer)
    case .leReadChannelMap(let command):
      var answer = LEReadChannelMap.Return(
        status: .unknownConnectionIdentifier,
        connectionHandle: command.connectionHandle
      )
      if let (position, _) = locate(command.connectionHandle, at: index) {
        answer.status = .success
        let central = self.index(of: links[position].central.controller)
        answer.channelMap = central.map { controllers[$0].channelMap } ?? 0x1F_FFFF_FFFF
      }
      controllers[index].complete(LEReadChannelMap.self, answer)
    case .leReadPHY(let command):
      var answer = LEReadPHY.Return(
        status: .unknownConnectionIdentifier,
        connectionHandle: command.connectionHandle
      )
      if let (position, side) = locate(command.connectionHandle, at: index) {
        answer.status = .success
        answer.txPHY = LEPHY(rawValue: links[position][side].phy.number)
        answer.rxPHY = LEPHY(rawValue: links[position][side.other].phy.number)
      }
      controllers[index].complete(LEReadPHY.self, answer)
    default: break
    }
  }

  private mutating func readRemoteVersion(_ command: ReadRemoteVersionInformation, at index: Int) {
    guard let (position, side) = begin(command, .version, command.connectionHandle, at: index) else { return }
    if let version = links[position][side].remoteVersion {
      finishVersion(version, side, of: position)
    } else {
      links[position][side].hasSentVersion = true
      ask(.version(VirtualController.version), in: .version, from: side, of: position)
    }
  }

  private mutating func readRemoteFeatures(_ command: LEReadRemoteFeatures, at index: Int) {
    guard let (position, side) = begin(command, .features, command.connectionHandle, at: index) else { return }
    if let features = links[position][side].remoteFeatures {
      finishFeatures(features, side, of: position)
    } else {
      let features = controllers[index].features.rawValue
      ask(.featureRequest(features), in: .features, from: side, of: position)
    }
  }

  // MARK: Changing

  private mutating func disconnect(_ command: Disconnect, at index: Int) {
    // The reasons that a host may give (Core 5.4, Vol 4, Part E, 7.1.6).
    guard [0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B].contains(command.reason.rawValue) else {
      return controllers[index].acknowledge(command, .invalidHCICommandParameters)
    }
    let handle = command.connectionHandle
    guard let (position, side) = begin(command, .termination, handle, at: index) else { return }
    say(.terminate(command.reason), from: side, of: position)
  }

  private mutating func updateConnection(_ command: LEConnectionUpdate, at index: Int) {
    let (least, most) = (command.connectionIntervalMin, command.connectionIntervalMax)
    guard least <= most, command.minCELength <= command.maxCELength,
      LinkTiming.isValid(intervals: least...most, latency: command.maxLatency, timeout: command.supervisionTimeout)
    else { return controllers[index].acknowledge(command, .invalidHCICommandParameters) }
    guard let (position, side) = begin(command, .update, command.connectionHandle, at: index) else { return }
    let timing = LinkTiming(interval: most, latency: command.maxLatency, timeout: command.supervisionTimeout)
    let message: LinkControl =
      side == .central
      ? .connectionUpdate(timing, askedBy: .central) : .parameterRequest(timing, intervalMin: least)
    beginInstant(message, in: .update, from: side, of: position)
  }

  private mutating func acceptParameters(_ command: LERemoteConnectionParameterRequestReply, at index: Int) {
    typealias Command = LERemoteConnectionParameterRequestReply
    let handle = command.connectionHandle
    var status = HCIStatus.success
    if let (position, side) = locate(handle, at: index) {
      if links[position][side].openParameterRequest == nil {
        status = .commandDisallowed
      } else if command.intervalMin > command.intervalMax
        || !LinkTiming.isValid(
          intervals: command.intervalMin...command.intervalMax,
          latency: command.maxLatency,
          timeout: command.timeout
        )
      {
        status = .invalidHCICommandParameters
      } else {
        links[position][side].openParameterRequest = nil
        let timing = LinkTiming(
          interval: command.intervalMax,
          latency: command.maxLatency,
          timeout: command.timeout
        )
        say(.connectionUpdate(timing, askedBy: side.other), from: side, of: position)
      }
    } else {
      status = .unknownConnectionIdentifier
    }
    controllers[index].complete(Command.self, .init(status: status, connectionHandle: handle))
  }

  private mutating func rejectParameters(_ command: LERemoteConnectionParameterRequestNegativeReply, at index: Int) {
    typealias Command = LERemoteConnectionParameterRequestNegativeReply
    let handle = command.connectionHandle
    var status = HCIStatus.success
    if let (position, side) = locate(handle, at: index) {
      if links[position][side].openParameterRequest == nil {
        status = .commandDisallowed
      } else {
        links[position][side].openParameterRequest = nil
        say(.reject(.update, command.reason), from: side, of: position)
        endInstant(.update, at: side, of: position)
      }
    } else {
      status = .unknownConnectionIdentifier
    }
    controllers[index].complete(Command.self, .init(status: status, connectionHandle: handle))
  }

  private mutating func setDataLength(_ command: LESetDataLength, at index: Int) {
    let handle = command.connectionHandle
    let limit = PacketLimit(octets: command.txOctets, time: command.txTime)
    var status = HCIStatus.success
    if let (position, side) = locate(handle, at: index) {
      if limit.isValid {
        links[position][side].transmitLimit = limit.limited(by: .supported)
        if !links[position][side].procedures.contains(.length) {
          links[position][side].procedures.insert(.length)
          let end = links[position][side]
          let request = LinkControl.lengthRequest(transmit: end.transmitLimit, receive: end.receiveLimit)
          ask(request, in: .length, from: side, of: position)
        }
      } else {
        status = .invalidHCICommandParameters
      }
    } else {
      status = .unknownConnectionIdentifier
    }
    controllers[index].complete(LESetDataLength.self, .init(status: status, connectionHandle: handle))
  }

  private mutating func setPHY(_ command: LESetPHY, at index: Int) {
    let choice = PHYChoice(
      all: command.allPHYs,
      transmit: command.txPHYs,
      receive: command.rxPHYs,
      supported: controllers[index].supportedPHYs
    )
    guard let choice else { return controllers[index].acknowledge(command, .unsupportedFeatureOrParameterValue) }
    guard let (position, side) = begin(command, .phy, command.connectionHandle, at: index) else { return }
    links[position][side].phyChoice = choice
    links[position][side].coding = command.phyOptions == 1 ? .codedS2 : .codedS8
    beginInstant(.phyRequest(choice), in: .phy, from: side, of: position)
  }

  /// Begins a procedure and answers the command that asked for it; `nil` if there is no such link, or if the same
  /// procedure is under way.
  mutating func begin<Command: HCICommand>(
    _ command: Command,
    _ procedure: LinkProcedures,
    _ handle: UInt16,
    at index: Int
  ) -> (position: Int, side: LinkSide)? where Command.Return == CommandStatusOnly {
    guard let (position, side) = locate(handle, at: index) else {
      controllers[index].acknowledge(command, .unknownConnectionIdentifier)
      return nil
    }
    guard links[position][side].procedures.isDisjoint(with: [procedure, .termination]) else {
      controllers[index].acknowledge(command, .commandDisallowed)
      return nil
    }
    links[position][side].procedures.insert(procedure)
    controllers[index].acknowledge(command)
    return (position, side)
  }
}
