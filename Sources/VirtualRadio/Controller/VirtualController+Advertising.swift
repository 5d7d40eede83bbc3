import BluetoothTypes
import HostStack

// Commands for legacy advertising (Core 5.4, Vol 4, Part E, 7.8.5 to 7.8.9).
extension VirtualController {
  mutating func setAdvertisingParameters(_ command: LESetAdvertisingParameters) {
    guard !advertiser.isEnabled else { return complete(command, .commandDisallowed) }
    guard
      let kind = Advertiser.Kind(rawValue: command.advertisingType.rawValue),
      command.advertisingFilterPolicy.rawValue <= 3,
      !command.advertisingChannelMap.isEmpty, command.advertisingChannelMap.rawValue <= 7,
      command.ownAddressType.rawValue <= 3
    else { return complete(command, .invalidHCICommandParameters) }
    // High duty cycle advertising has an interval of its own.
    if kind != .directedHighDuty {
      let (least, most) = (command.advertisingIntervalMin, command.advertisingIntervalMax)
      guard least >= 0x0020, most <= 0x4000, least <= most else {
        return complete(command, .invalidHCICommandParameters)
      }
    }
    guard command.ownAddressType.isWithoutPrivacy else { return complete(command, .unsupportedFeatureOrParameterValue) }
    advertiser.kind = kind
    advertiser.interval = Int64(command.advertisingIntervalMin) &* 625_000
    advertiser.ownAddressType = command.ownAddressType
    advertiser.peer = command.peerAddress
    advertiser.channels = command.advertisingChannelMap.rawValue
    advertiser.filterPolicy = command.advertisingFilterPolicy.rawValue
    complete(command)
  }

  mutating func setAdvertising(_ command: LESetAdvertisingEnable, now: Int64) -> CommandEffect {
    guard command.advertisingEnable else {
      advertiser.disable()
      complete(command)
      return .activity
    }
    guard let address = ownAddress(advertiser.ownAddressType) else {
      complete(command, .invalidHCICommandParameters)
      return .none
    }
    guard !advertiser.kind.isConnectable || hasRoomForLink else {
      complete(command, .connectionLimitExceeded)
      return .none
    }
    advertiser.enable(address: address, now: now)
    complete(command)
    return .activity
  }
}

extension OwnAddressType {
  /// Whether the address is one that the controller has, and not one that it would have to make from a key.
  var isWithoutPrivacy: Bool { self == .public || self == .random }
}
