import BluetoothTypes
import HostStack

// Commands that make connections, and the list of whom to make them with (Core 5.4, Vol 4, Part E, 7.8.12 to 7.8.17 and
// 7.8.66).
extension VirtualController {
  mutating func createConnection(_ command: LECreateConnection, now: Int64) -> CommandEffect {
    let refusal = refusal(of: command)
    acknowledge(command, refusal ?? .success)
    guard refusal == nil else { return .none }
    let window = ListeningWindow(interval: command.leScanInterval, window: command.leScanWindow, start: now)
    let timing = LinkTiming(
      interval: command.connectionIntervalMax,
      latency: command.maxLatency,
      timeout: command.supervisionTimeout
    )
    initiator = Initiator(
      modes: [Initiator.Mode(phy: .le1M, window: window)],
      timings: [(.le1M, timing)],
      peer: command.initiatorFilterPolicy == .filterAcceptList ? nil : command.peerAddress,
      ownAddressType: command.ownAddressType,
      session: now
    )
    return .activity
  }

  private func refusal(of command: LECreateConnection) -> HCIStatus? {
    guard initiator == nil else { return .commandDisallowed }
    guard
      Self.isListeningValid(interval: command.leScanInterval, window: command.leScanWindow),
      command.initiatorFilterPolicy.rawValue <= 1, command.ownAddressType.rawValue <= 3,
      command.connectionIntervalMin <= command.connectionIntervalMax,
      LinkTiming.isValid(
        intervals: command.connectionIntervalMin...command.connectionIntervalMax,
        latency: command.maxLatency,
        timeout: command.supervisionTimeout
      ),
      command.minCELength <= command.maxCELength
    else { return .invalidHCICommandParameters }
    return obstacle(to: command.ownAddressType)
  }

  mutating func createConnection(_ command: LEExtendedCreateConnection, now: Int64) -> CommandEffect {
    let refusal = refusal(of: command)
    acknowledge(command, refusal ?? .success)
    guard refusal == nil else { return .none }
    let blocks = Array(zip(command.initiatingPHYs.linkPHYs, command.parameters))
    var modes = blocks.filter { $0.0 != .le2M }.map { phy, block in
      Initiator.Mode(
        phy: phy,
        window: ListeningWindow(interval: block.scanInterval, window: block.scanWindow, start: now)
      )
    }
    for index in modes.indices {
      modes[index].window.turn = Int64(index)
      modes[index].window.turns = Int64(modes.count)
    }
    initiator = Initiator(
      modes: modes,
      timings: blocks.map { phy, block in
        (
          phy,
          LinkTiming(
            interval: block.connectionIntervalMax,
            latency: block.maxLatency,
            timeout: block.supervisionTimeout
          )
        )
      },
      isExtended: true,
      peer: command.initiatorFilterPolicy == .filterAcceptList ? nil : command.peerAddress,
      ownAddressType: command.ownAddressType,
      session: now
    )
    return .activity
  }

  private func refusal(of command: LEExtendedCreateConnection) -> HCIStatus? {
    guard initiator == nil else { return .commandDisallowed }
    let phys = command.initiatingPHYs
    guard
      command.initiatorFilterPolicy.rawValue <= 1, command.ownAddressType.rawValue <= 3,
      // Nobody advertises on 2M first.
      !phys.isDisjoint(with: [.le1M, .leCoded]), command.parameters.count == phys.count,
      command.parameters.allSatisfy({ block in
        Self.isListeningValid(interval: block.scanInterval, window: block.scanWindow, isExtended: true)
          && block.connectionIntervalMin <= block.connectionIntervalMax
          && LinkTiming.isValid(
            intervals: block.connectionIntervalMin...block.connectionIntervalMax,
            latency: block.maxLatency,
            timeout: block.supervisionTimeout
          ) && block.minCELength <= block.maxCELength
      })
    else { return .invalidHCICommandParameters }
    guard [LEPHY.le1M, .le2M, .leCoded].allSatisfy({ !phys.contains($0) || supports($0) }), phys.rawValue <= 7 else {
      return .unsupportedFeatureOrParameterValue
    }
    return obstacle(to: command.ownAddressType)
  }

  private func obstacle(to address: OwnAddressType) -> HCIStatus? {
    guard supports(address) else { return .unsupportedFeatureOrParameterValue }
    guard !address.isRandom || randomAddress != nil else { return .invalidHCICommandParameters }
    return hasRoomForLink ? nil : .connectionLimitExceeded
  }

  mutating func cancelConnection(_ command: LECreateConnectionCancel) -> CommandEffect {
    guard initiator != nil else {
      complete(command, .commandDisallowed)
      return .none
    }
    initiator = nil
    complete(command)
    sendConnectionFailure(.unknownConnectionIdentifier, role: .central)
    return .activity
  }

  // MARK: The filter accept list

  /// Whether something that uses the list is going on, so that it must not change (7.8.15 to 7.8.17).
  private var isAcceptListInUse: Bool {
    sets.contains { $0.isEnabled && $0.filterPolicy != 0 }
      || scanner.isEnabled && scanner.filtersByAcceptList
      || initiator.map { $0.peer == nil } ?? false
  }

  mutating func clearAcceptList(_ command: LEClearFilterAcceptList) {
    guard !isAcceptListInUse else { return complete(command, .commandDisallowed) }
    acceptList = []
    acceptsAnonymous = false
    complete(command)
  }

  mutating func addToAcceptList(_ command: LEAddDeviceToFilterAcceptList) {
    guard !isAcceptListInUse else { return complete(command, .commandDisallowed) }
    let count = acceptList.count &+ (acceptsAnonymous ? 1 : 0)
    let isThere = command.address.map { acceptList.contains($0.plain) } ?? acceptsAnonymous
    guard isThere || count < Int(configuration.acceptListSize) else {
      return complete(command, .memoryCapacityExceeded)
    }
    if let address = command.address {
      if !isThere { acceptList.append(address.plain) }
    } else {
      acceptsAnonymous = true
    }
    complete(command)
  }

  mutating func removeFromAcceptList(_ command: LERemoveDeviceFromFilterAcceptList) {
    guard !isAcceptListInUse else { return complete(command, .commandDisallowed) }
    if let address = command.address {
      acceptList.removeAll { $0 == address.plain }
    } else {
      acceptsAnonymous = false
    }
    complete(command)
  }
}

extension LEPHYs {
  /// Whether one of them is `phy`.
  func contains(_ phy: LEPHY) -> Bool { phy.rawValue > 0 && rawValue & 1 &<< (phy.rawValue &- 1) != 0 }
}
