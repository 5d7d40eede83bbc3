import BluetoothTypes
import HostStack

// Commands for extended advertising (Core 5.4, Vol 4, Part E, 7.8.52 to 7.8.60).
extension VirtualController {
  /// The place of a set.
  func place(ofSet handle: UInt8) -> Int? { sets.firstIndex { $0.handle == handle } }

  mutating func setAddress(_ command: LESetAdvertisingSetRandomAddress) {
    guard let index = place(ofSet: command.advertisingHandle) else {
      return complete(command, .unknownAdvertisingIdentifier)
    }
    guard !sets[index].isEnabled || !sets[index].isConnectable else { return complete(command, .commandDisallowed) }
    sets[index].randomAddress = command.randomAddress
    complete(command)
  }

  // MARK: Parameters

  mutating func setParameters(_ command: LESetExtendedAdvertisingParameters) {
    let status = prepareSet(command)
    complete(
      LESetExtendedAdvertisingParameters.self,
      .init(status: status, selectedTXPower: status == .success ? configuration.transmitPower : 0)
    )
  }

  private mutating func prepareSet(_ command: LESetExtendedAdvertisingParameters) -> HCIStatus {
    guard command.advertisingHandle <= 0xEF else { return .invalidHCICommandParameters }
    let place = place(ofSet: command.advertisingHandle)
    if let place, sets[place].isEnabled { return .commandDisallowed }
    if let refusal = refusal(of: command) { return refusal }
    let properties = command.advertisingEventProperties
    guard
      let primary = LinkPHY(number: command.primaryAdvertisingPHY.rawValue),
      let secondary = properties.contains(.legacy) ? .le1M : LinkPHY(number: command.secondaryAdvertisingPHY.rawValue)
    else { return .unsupportedFeatureOrParameterValue }
    if let place {
      // What is in the set already must go with its new kind.
      let (data, response) = (sets[place].data.bytes, sets[place].response.bytes)
      guard data.isEmpty || properties.takesData, response.isEmpty || properties.takesResponse,
        !properties.contains(.legacy) || max(data.count, response.count) <= 31
      else { return .invalidHCICommandParameters }
    } else {
      // The first one belongs to the legacy commands.
      guard sets.count <= Int(configuration.advertisingSetLimit) else { return .memoryCapacityExceeded }
    }
    let index = place ?? sets.count
    if place == nil {
      sets.append(AdvertisingSet(handle: command.advertisingHandle))
      sets[index].dataID = UInt16(truncatingIfNeeded: random.next()) & 0xFFF
    }
    sets[index].properties = properties
    sets[index].interval = Int64(command.primaryAdvertisingIntervalMin) &* 625_000
    sets[index].channels = command.primaryAdvertisingChannelMap.rawValue
    sets[index].ownAddressType = command.ownAddressType
    sets[index].peer = command.peerAddress
    sets[index].filterPolicy = command.advertisingFilterPolicy.rawValue
    sets[index].primaryPHY = primary
    sets[index].secondaryPHY = secondary
    sets[index].sid = command.advertisingSID
    sets[index].notifiesScanRequests = command.scanRequestNotificationEnable
    return .success
  }

  private func refusal(of command: LESetExtendedAdvertisingParameters) -> HCIStatus? {
    let properties = command.advertisingEventProperties
    let (least, most) = (command.primaryAdvertisingIntervalMin, command.primaryAdvertisingIntervalMax)
    guard
      properties.rawValue & ~0x7F == 0, !properties.makesNoSense,
      properties.contains(.highDutyCycleDirected) || least >= 0x20 && least <= most,
      !command.primaryAdvertisingChannelMap.isEmpty, command.primaryAdvertisingChannelMap.rawValue <= 7,
      command.ownAddressType.rawValue <= 3, command.advertisingFilterPolicy.rawValue <= 3,
      (-127...20).contains(command.advertisingTXPower) || command.advertisingTXPower == 127,
      command.primaryAdvertisingPHY == .le1M || command.primaryAdvertisingPHY == .leCoded,
      properties.contains(.legacy) || (1...3).contains(command.secondaryAdvertisingPHY.rawValue),
      !properties.contains(.legacy) || command.primaryAdvertisingPHY == .le1M,
      command.advertisingSID <= 0x0F
    else { return .invalidHCICommandParameters }
    guard supports(command.ownAddressType) else { return .unsupportedFeatureOrParameterValue }
    let phys = [command.primaryAdvertisingPHY] + (properties.contains(.legacy) ? [] : [command.secondaryAdvertisingPHY])
    return phys.allSatisfy(supports) ? nil : .unsupportedFeatureOrParameterValue
  }

  // MARK: Data

  mutating func setData(_ command: LESetExtendedAdvertisingData) {
    let status = change(
      \.data,
      of: command.advertisingHandle,
      command.operation,
      command.advertisingData,
      isTaken: \.takesData
    )
    complete(command, status)
  }

  mutating func setResponse(_ command: LESetExtendedScanResponseData) {
    guard command.operation != .unchanged else { return complete(command, .invalidHCICommandParameters) }
    if let index = place(ofSet: command.advertisingHandle), sets[index].isEnabled, !sets[index].isLegacy,
      command.scanResponseData.isEmpty
    {
      return complete(command, .commandDisallowed)
    }
    let status = change(
      \.response,
      of: command.advertisingHandle,
      command.operation,
      command.scanResponseData,
      isTaken: \.takesResponse
    )
    complete(command, status)
  }

  private mutating func change(
    _ content: WritableKeyPath<AdvertisingSet, AdvertisingContent>,
    of handle: UInt8,
    _ operation: AdvertisingDataOperation,
    _ bytes: [UInt8],
    isTaken: KeyPath<AdvertisingEventProperties, Bool>
  ) -> HCIStatus {
    guard let index = place(ofSet: handle) else { return .unknownAdvertisingIdentifier }
    let set = sets[index]
    guard set.properties[keyPath: isTaken], operation.rawValue <= 4, bytes.count <= 251 else {
      return .invalidHCICommandParameters
    }
    if set.isLegacy, operation != .complete || bytes.count > 31 { return .invalidHCICommandParameters }
    if operation == .unchanged {
      // Only the identifier changes, so that scanners report the data anew.
      guard set.isEnabled, !set.isLegacy, !set[keyPath: content].bytes.isEmpty, bytes.isEmpty else {
        return .invalidHCICommandParameters
      }
      renewDataID(of: index)
      return .success
    }
    if operation != .complete {
      guard !bytes.isEmpty else { return .invalidHCICommandParameters }
      guard !set.isEnabled else { return .commandDisallowed }
    }
    var whole = AdvertisingContent(bytes: bytes, isPartial: operation == .firstFragment)
    if operation == .intermediateFragment || operation == .lastFragment {
      guard set[keyPath: content].isPartial else { return .commandDisallowed }
      whole.bytes = set[keyPath: content].bytes + bytes
      whole.isPartial = operation == .intermediateFragment
    }
    guard whole.bytes.count <= Int(configuration.advertisingDataLimit) else {
      sets[index][keyPath: content] = AdvertisingContent()
      return .memoryCapacityExceeded
    }
    if set.isEnabled, set.isConnectable, !set.isLegacy, !fitsOnePacket(set, whole.bytes) { return .packetTooLong }
    sets[index][keyPath: content] = whole
    renewDataID(of: index)
    return .success
  }

  private mutating func renewDataID(of index: Int) {
    // Any other number of 12 bits.
    let step = UInt16(truncatingIfNeeded: random.below(0xFFE)) &+ 1
    sets[index].dataID = (sets[index].dataID &+ step) & 0xFFF
  }

  /// A connectable set has one packet for its data, without a chain behind it.
  private func fitsOnePacket(_ set: AdvertisingSet, _ data: [UInt8]) -> Bool {
    var packet = Advertisement(properties: set.properties, address: configuration.address)
    if set.isDirected { packet.target = set.peer }
    if set.properties.contains(.includeTXPower) { packet.power = 0 }
    return data.count <= packet.room(in: .advertisement, isChained: false)
  }

  // MARK: On and off

  mutating func enableSets(_ command: LESetExtendedAdvertisingEnable, now: Int64) -> CommandEffect {
    let handles = command.sets.map(\.advertisingHandle)
    if let refusal = refusal(of: command, handles, now: now) {
      complete(command, refusal)
      return .none
    }
    if command.enable {
      for entry in command.sets {
        guard let index = place(ofSet: entry.advertisingHandle) else { continue }
        sets[index].enable(duration: entry.duration, events: entry.maxExtendedAdvertisingEvents, now: now)
      }
    } else {
      for index in sets.indices {
        if let handle = sets[index].handle, handles.isEmpty || handles.contains(handle) { sets[index].disable() }
      }
    }
    complete(command)
    return .activity
  }

  private mutating func refusal(
    of command: LESetExtendedAdvertisingEnable,
    _ handles: [UInt8],
    now: Int64
  ) -> HCIStatus? {
    guard !handles.isEmpty || !command.enable, handles.count <= 0x3F, Set(handles).count == handles.count else {
      return .invalidHCICommandParameters
    }
    for entry in command.sets {
      guard let index = place(ofSet: entry.advertisingHandle) else { return .unknownAdvertisingIdentifier }
      guard command.enable else { continue }
      let set = sets[index]
      if set.isHighDuty, entry.duration == 0 || Int64(entry.duration) &* 10_000_000 > AdvertisingSet.highDutyLimit {
        return .invalidHCICommandParameters
      }
      guard !set.data.isPartial, !set.response.isPartial else { return .commandDisallowed }
      if set.isScannable, !set.isLegacy, set.response.bytes.isEmpty { return .commandDisallowed }
      guard advertisingAddress(of: index, now: now) != nil else { return .invalidHCICommandParameters }
      if set.isConnectable, !set.isLegacy, !fitsOnePacket(set, set.data.bytes) { return .packetTooLong }
      if set.isConnectable, !hasRoomForLink { return .connectionLimitExceeded }
    }
    return nil
  }

  // MARK: Removing

  mutating func removeSet(_ command: LERemoveAdvertisingSet) {
    guard let index = place(ofSet: command.advertisingHandle) else {
      return complete(command, .unknownAdvertisingIdentifier)
    }
    guard !sets[index].isEnabled else { return complete(command, .commandDisallowed) }
    sets.remove(at: index)
    complete(command)
  }

  mutating func clearSets(_ command: LEClearAdvertisingSets) {
    guard !sets.contains(where: { $0.handle != nil && $0.isEnabled }) else {
      return complete(command, .commandDisallowed)
    }
    sets.removeAll { $0.handle != nil }
    complete(command)
  }
}

extension AdvertisingEventProperties {
  /// Whether there is no packet of this kind (Core 5.4, Vol 4, Part E, 7.8.53).
  fileprivate var makesNoSense: Bool {
    if contains(.legacy) { return !Self.allLegacy.contains(self) }
    return isSuperset(of: [.connectable, .scannable]) || contains(.highDutyCycleDirected)
      || contains(.anonymous) && contains(.connectable)
  }
}
