import BluetoothTypes
import HostStack

// Commands for legacy advertising (Core 5.4, Vol 4, Part E, 7.8.5 to 7.8.9).
extension VirtualController {
  mutating func setAdvertisingParameters(_ command: LESetAdvertisingParameters) {
    guard !sets[0].isEnabled else { return complete(command, .commandDisallowed) }
    guard
      let properties = command.advertisingType.properties,
      command.advertisingFilterPolicy.rawValue <= 3,
      !command.advertisingChannelMap.isEmpty, command.advertisingChannelMap.rawValue <= 7,
      command.ownAddressType.rawValue <= 3
    else { return complete(command, .invalidHCICommandParameters) }
    // High duty cycle advertising has an interval of its own.
    if !properties.contains(.highDutyCycleDirected) {
      let (least, most) = (command.advertisingIntervalMin, command.advertisingIntervalMax)
      guard least >= 0x0020, most <= 0x4000, least <= most else {
        return complete(command, .invalidHCICommandParameters)
      }
    }
    guard supports(command.ownAddressType) else { return complete(command, .unsupportedFeatureOrParameterValue) }
    sets[0].properties = properties
    sets[0].interval = Int64(command.advertisingIntervalMin) &* 625_000
    sets[0].ownAddressType = command.ownAddressType
    sets[0].peer = command.peerAddress
    sets[0].channels = command.advertisingChannelMap.rawValue
    sets[0].filterPolicy = command.advertisingFilterPolicy.rawValue
    complete(command)
  }

  mutating func setAdvertising(_ command: LESetAdvertisingEnable, now: Int64) -> CommandEffect {
    guard command.advertisingEnable else {
      sets[0].disable()
      complete(command)
      return .activity
    }
    guard advertisingAddress(of: 0, now: now) != nil else {
      complete(command, .invalidHCICommandParameters)
      return .none
    }
    guard !sets[0].isConnectable || hasRoomForLink else {
      complete(command, .connectionLimitExceeded)
      return .none
    }
    if !sets[0].isEnabled { sets[0].enable(now: now) }
    complete(command)
    return .activity
  }

  // MARK: What a set says

  /// The address that a set advertises with; `nil` if it has none.
  mutating func advertisingAddress(of set: Int, now: Int64) -> BluetoothAddress? {
    let random = sets[set].handle == nil ? randomAddress : sets[set].randomAddress
    return ownAddress(sets[set].ownAddressType, towards: sets[set].peer, random: random, now: now)
  }

  /// The packets of a set, without their data; `nil` if it has no address.
  mutating func advertisement(of index: Int, now: Int64) -> Advertisement? {
    guard let address = advertisingAddress(of: index, now: now) else { return nil }
    let set = sets[index]
    var packet = Advertisement(properties: set.properties, address: address)
    if set.isDirected { packet.target = targetAddress(of: set, now: now) }
    guard !set.isLegacy else { return packet }
    if set.properties.contains(.anonymous) { packet.address = nil }
    packet.primaryPHY = set.primaryPHY
    packet.secondaryPHY = set.secondaryPHY
    packet.sid = set.sid
    packet.dataID = set.dataID
    if set.properties.contains(.includeTXPower) { packet.power = configuration.transmitPower }
    return packet
  }

  private mutating func targetAddress(of set: AdvertisingSet, now: Int64) -> BluetoothAddress {
    guard set.ownAddressType.isPrivate, let entry = resolvingList.index(of: set.peer) else { return set.peer.plain }
    var generator = random
    defer { random = generator }
    return resolvingList.peerAddress(at: entry, now: now, random: &generator) ?? set.peer.plain
  }

  // MARK: What goes on

  /// Whether any of the sets advertises.
  var isAdvertising: Bool { sets.contains { $0.isEnabled } }

  /// When it has something to do by itself.
  var nextTime: Int64? {
    var next = scanner.endsAt
    for set in sets {
      guard let time = set.nextTime, time < next ?? .max else { continue }
      next = time
    }
    return next
  }

  /// Somebody listens to its advertising from now on, or nobody any more.
  mutating func setHeard(_ isHeard: Bool, now: Int64) {
    var random = random
    for index in sets.indices where sets[index].isEnabled { sets[index].setHeard(isHeard, now: now, random: &random) }
    self.random = random
  }

  /// An advertising event is over.
  mutating func finishAdvertisingEvent(of set: Int, now: Int64) {
    var random = random
    sets[set].finishEvent(at: now, random: &random)
    self.random = random
  }

  /// A set has come to the end that was set for it.
  mutating func endAdvertising(of index: Int, _ reason: HCIStatus) {
    let set = sets[index]
    sets[index].disable()
    if let handle = set.handle {
      send(
        LEAdvertisingSetTerminated(
          status: reason,
          advertisingHandle: handle,
          numCompletedExtendedAdvertisingEvents: set.eventCount
        )
      )
    } else {
      sendConnectionFailure(reason, role: .peripheral)
    }
  }
}
