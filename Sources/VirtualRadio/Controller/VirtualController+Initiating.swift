import BluetoothTypes
import HostStack

// Commands that make connections, and the list of whom to make them with (Core 5.4, Vol 4, Part E, 7.8.12 to 7.8.17).
extension VirtualController {
  mutating func createConnection(_ command: LECreateConnection, now: Int64) -> CommandEffect {
    let refusal = refusal(of: command)
    acknowledge(command, refusal ?? .success)
    guard refusal == nil, let address = ownAddress(command.ownAddressType) else { return .none }
    initiator = Initiator(
      window: ListeningWindow(interval: command.leScanInterval, window: command.leScanWindow, start: now),
      peer: command.initiatorFilterPolicy == .filterAcceptList ? nil : command.peerAddress,
      address: address,
      timing: LinkTiming(
        interval: command.connectionIntervalMax,
        latency: command.maxLatency,
        timeout: command.supervisionTimeout
      )
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
    guard command.ownAddressType.isWithoutPrivacy else { return .unsupportedFeatureOrParameterValue }
    guard ownAddress(command.ownAddressType) != nil else { return .invalidHCICommandParameters }
    return hasRoomForLink ? nil : .connectionLimitExceeded
  }

  mutating func cancelConnection(_ command: LECreateConnectionCancel) -> CommandEffect {
    guard initiator != nil else {
      complete(command, .commandDisallowed)
      return .none
    }
    initiator = nil
    complete(command)
    send(LEConnectionComplete(status: .unknownConnectionIdentifier))
    return .activity
  }

  // MARK: The filter accept list

  /// Whether something that uses the list is going on, so that it must not change (7.8.15 to 7.8.17).
  private var isAcceptListInUse: Bool {
    advertiser.isEnabled && advertiser.filterPolicy != 0
      || scanner.isEnabled && scanner.filtersByAcceptList
      || initiator.map { $0.peer == nil } ?? false
  }

  mutating func changeAcceptList<Command: HCICommand>(
    _ command: Command,
    _ change: (inout [BluetoothAddress]) -> Void
  ) where Command.Return == StatusReturn {
    guard !isAcceptListInUse else { return complete(command, .commandDisallowed) }
    change(&acceptList)
    complete(command)
  }

  mutating func addToAcceptList(_ command: LEAddDeviceToFilterAcceptList) {
    // Anonymous advertisers exist only with extended advertising.
    guard let address = command.address else { return complete(command, .invalidHCICommandParameters) }
    guard acceptList.contains(address) || acceptList.count < Int(configuration.acceptListSize) || isAcceptListInUse
    else { return complete(command, .memoryCapacityExceeded) }
    changeAcceptList(command) { list in
      if !list.contains(address) { list.append(address) }
    }
  }
}
