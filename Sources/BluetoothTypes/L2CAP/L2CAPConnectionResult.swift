/// How the wish for a credit-based channel ended (Core 5.4, Vol 3, Part A, 4.23 and 4.26): an open set.
public struct L2CAPConnectionResult: RawRepresentable, Hashable, Sendable {
  /// The code.
  public let rawValue: UInt16

  /// A result from its code.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// 0x0000: the channel is open.
  public static let success = Self(rawValue: 0x0000)
  /// 0x0002: nobody listens on this PSM.
  public static let spsmNotSupported = Self(rawValue: 0x0002)
  /// 0x0004: the device has no room for another channel.
  public static let noResources = Self(rawValue: 0x0004)
  /// 0x0005: the channel needs an authenticated or an encrypted link, and there is no key: pair first.
  public static let insufficientAuthentication = Self(rawValue: 0x0005)
  /// 0x0006: the device's user has not allowed it.
  public static let insufficientAuthorization = Self(rawValue: 0x0006)
  /// 0x0007: the link's encryption key is too short.
  public static let encryptionKeySizeTooShort = Self(rawValue: 0x0007)
  /// 0x0008: the channel needs an encrypted link.
  public static let insufficientEncryption = Self(rawValue: 0x0008)
  /// 0x0009: the number of the channel is none that a channel can have.
  public static let invalidSourceChannel = Self(rawValue: 0x0009)
  /// 0x000A: the number of the channel is in use.
  public static let sourceChannelAlreadyAllocated = Self(rawValue: 0x000A)
  /// 0x000B: the lengths that were asked for are out of range, or not wanted.
  public static let unacceptableParameters = Self(rawValue: 0x000B)
  /// 0x000C: the request makes no sense.
  public static let invalidParameters = Self(rawValue: 0x000C)
}

extension L2CAPConnectionResult: CustomStringConvertible {
  /// What the code says, in words; never empty.
  public var name: String {
    switch self {
    case .success: "Success"
    case .spsmNotSupported: "PSM not supported"
    case .noResources: "No resources available"
    case .insufficientAuthentication: "Insufficient authentication"
    case .insufficientAuthorization: "Insufficient authorization"
    case .encryptionKeySizeTooShort: "Encryption key size too short"
    case .insufficientEncryption: "Insufficient encryption"
    case .invalidSourceChannel: "Invalid source channel"
    case .sourceChannelAlreadyAllocated: "Source channel already allocated"
    case .unacceptableParameters: "Unacceptable parameters"
    case .invalidParameters: "Invalid parameters"
    default: "Unknown result"
    }
  }

  /// The words and the code, such as `PSM not supported (0x0002)`.
  public var description: String { "\(name) (0x\(hexadecimal(rawValue, digits: 4)))" }
}
