import BluetoothTypes
import HostStack

/// What the link layers of the two ends say to one another (Core 5.4, Vol 6, Part B, 2.4.2).
enum LinkControl: Hashable, Sendable {
  case connectionUpdate(LinkTiming, askedBy: LinkSide)
  case terminate(HCIStatus)
  case featureRequest(UInt64)
  case featureResponse(UInt64)
  case version(RemoteVersion)
  case parameterRequest(LinkTiming, intervalMin: UInt16)
  /// What the other end has begun is not done, and why.
  case reject(LinkProcedures, HCIStatus)
  case lengthRequest(transmit: PacketLimit, receive: PacketLimit)
  case lengthResponse(transmit: PacketLimit, receive: PacketLimit)
  case phyRequest(PHYChoice)
  case phyResponse(PHYChoice)
  case encryption(EncryptionControl)
  case phyUpdate(centralToPeripheral: LinkPHY, peripheralToCentral: LinkPHY, askedBy: LinkSide)

  /// The length of its PDU.
  var payload: Int {
    switch self {
    case .connectionUpdate: 12
    case .terminate: 2
    case .featureRequest, .featureResponse: 9
    case .version: 6
    case .parameterRequest: 24
    case .reject: 3
    case .lengthRequest, .lengthResponse: 9
    case .phyRequest, .phyResponse: 3
    case .phyUpdate: 5
    case .encryption(let message): message.payload
    }
  }
}

/// Who made a controller.
struct RemoteVersion: Hashable, Sendable {
  var version: UInt8
  var company: UInt16
  var subversion: UInt16
}

/// The PHYs that one end would like; bit 0 is 1M, bit 1 is 2M, bit 2 is Coded.
struct PHYChoice: Hashable, Sendable {
  var transmit: UInt8
  var receive: UInt8

  /// Every PHY that our controllers can have.
  static let any = PHYChoice(transmit: 7, receive: 7)

  /// Every one of those that a controller has.
  static func any(of phys: LEPHYs) -> PHYChoice { PHYChoice(transmit: phys.rawValue, receive: phys.rawValue) }
}

extension LinkPHY {
  /// The fastest of those that both sides want; `current` if they have none in common.
  ///
  /// - Parameter coding: How the sender codes on LE Coded.
  init(from one: UInt8, and other: UInt8, coding: LinkPHY, current: LinkPHY) {
    let common = one & other
    self = common & 2 != 0 ? .le2M : common & 1 != 0 ? .le1M : common & 4 != 0 ? coding : current
  }
}
