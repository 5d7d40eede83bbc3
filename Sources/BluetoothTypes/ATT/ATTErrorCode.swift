/// An ATT error code (Core 5.4, Vol 3, Part F, 3.4.1.1): an open set, as applications and profiles have their own.
public struct ATTErrorCode: Error, RawRepresentable, Hashable, Sendable {
  /// The code.
  public let rawValue: UInt8

  /// An error from its code.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The codes that each service defines for itself.
  public static let applicationRange: ClosedRange<UInt8> = 0x80...0x9F
  /// The codes that are common to all profiles (Core Specification Supplement 11, Part B).
  public static let commonProfileRange: ClosedRange<UInt8> = 0xE0...0xFF

  /// Whether the code's meaning depends on the service.
  public var isApplicationError: Bool { Self.applicationRange.contains(rawValue) }
  /// Whether the code has the same meaning in all profiles.
  public var isCommonProfileError: Bool { Self.commonProfileRange.contains(rawValue) }
}

extension ATTErrorCode {
  /// 0x01: the server has no attribute with the handle.
  public static let invalidHandle = ATTErrorCode(rawValue: 0x01)
  /// 0x02: the attribute can not be read.
  public static let readNotPermitted = ATTErrorCode(rawValue: 0x02)
  /// 0x03: the attribute can not be written.
  public static let writeNotPermitted = ATTErrorCode(rawValue: 0x03)
  /// 0x04: the request was malformed.
  public static let invalidPDU = ATTErrorCode(rawValue: 0x04)
  /// 0x05: the attribute needs an authenticated link: pair first.
  public static let insufficientAuthentication = ATTErrorCode(rawValue: 0x05)
  /// 0x06: the server does not know or do this request.
  public static let requestNotSupported = ATTErrorCode(rawValue: 0x06)
  /// 0x07: the offset lies behind the end of the value.
  public static let invalidOffset = ATTErrorCode(rawValue: 0x07)
  /// 0x08: the server's user has not allowed the access.
  public static let insufficientAuthorization = ATTErrorCode(rawValue: 0x08)
  /// 0x09: too many prepared writes wait to be executed.
  public static let prepareQueueFull = ATTErrorCode(rawValue: 0x09)
  /// 0x0A: no attribute in the range fits.
  public static let attributeNotFound = ATTErrorCode(rawValue: 0x0A)
  /// 0x0B: the value fits in one response, so that it can not be read in parts.
  public static let attributeNotLong = ATTErrorCode(rawValue: 0x0B)
  /// 0x0C: the link's encryption key is too short for the attribute.
  public static let encryptionKeySizeTooShort = ATTErrorCode(rawValue: 0x0C)
  /// 0x0D: the value has a length that the attribute does not take.
  public static let invalidAttributeValueLength = ATTErrorCode(rawValue: 0x0D)
  /// 0x0E: the request failed for a reason that no other code tells.
  public static let unlikelyError = ATTErrorCode(rawValue: 0x0E)
  /// 0x0F: the attribute needs an encrypted link.
  public static let insufficientEncryption = ATTErrorCode(rawValue: 0x0F)
  /// 0x10: the type is none that groups attributes.
  public static let unsupportedGroupType = ATTErrorCode(rawValue: 0x10)
  /// 0x11: the server has too few resources for the request.
  public static let insufficientResources = ATTErrorCode(rawValue: 0x11)
  /// 0x12: the server's database has changed: discover again.
  public static let databaseOutOfSync = ATTErrorCode(rawValue: 0x12)
  /// 0x13: the server does not take this value.
  public static let valueNotAllowed = ATTErrorCode(rawValue: 0x13)
}

// Core Specification Supplement 11, Part B, 1.2.
extension ATTErrorCode {
  /// 0xFC: the write is not allowed for a reason other than permissions.
  public static let writeRequestRejected = ATTErrorCode(rawValue: 0xFC)
  /// 0xFD: the client has to switch notifications or indications on first.
  public static let clientCharacteristicConfigurationImproperlyConfigured = ATTErrorCode(rawValue: 0xFD)
  /// 0xFE: the server is still busy with the procedure before.
  public static let procedureAlreadyInProgress = ATTErrorCode(rawValue: 0xFE)
  /// 0xFF: the value lies outside the allowed range.
  public static let outOfRange = ATTErrorCode(rawValue: 0xFF)
}

extension ATTErrorCode: CustomStringConvertible {
  /// The specification's name of the code, such as `Read not permitted`; never empty.
  public var name: String {
    switch rawValue {
    case 0x01: "Invalid handle"
    case 0x02: "Read not permitted"
    case 0x03: "Write not permitted"
    case 0x04: "Invalid PDU"
    case 0x05: "Insufficient authentication"
    case 0x06: "Request not supported"
    case 0x07: "Invalid offset"
    case 0x08: "Insufficient authorization"
    case 0x09: "Prepare queue full"
    case 0x0A: "Attribute not found"
    case 0x0B: "Attribute not long"
    case 0x0C: "Encryption key size too short"
    case 0x0D: "Invalid attribute value length"
    case 0x0E: "Unlikely error"
    case 0x0F: "Insufficient encryption"
    case 0x10: "Unsupported group type"
    case 0x11: "Insufficient resources"
    case 0x12: "Database out of sync"
    case 0x13: "Value not allowed"
    case 0x80...0x9F: "Application error"
    case 0xFC: "Write request rejected"
    case 0xFD: "Client Characteristic Configuration descriptor improperly configured"
    case 0xFE: "Procedure already in progress"
    case 0xFF: "Out of range"
    case 0xE0...0xFB: "Common profile error"
    default: "Unknown attribute error"
    }
  }

  /// The name and the code, such as `Read not permitted (0x02)`.
  public var description: String { "\(name) (0x\(hexadecimal(rawValue, digits: 2)))" }
}
