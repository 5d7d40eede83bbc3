import BluetoothTypes
import Foundation

/// The domain of the errors that a server of attributes answers with.
public let CBATTErrorDomain = "CBATTErrorDomain"

/// An error that the server of attributes answered with (Core 5.4, Vol 3, Part F, 3.4.1.1).
/// - Note: A code without a name here is kept; see `errorCode`.
public struct CBATTError: StoredError {
  let stored: NSError

  init(stored: NSError) { self.stored = stored }

  /// An error with a code and what is known beside it.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    stored = Self.make(code.rawValue, userInfo, code.text)
  }

  /// The domain of these errors.
  public static var errorDomain: String { CBATTErrorDomain }

  /// What went wrong; ``Code/unlikelyError`` where the number has no name here, see `errorCode`.
  public var code: Code { Code(rawValue: stored.code) ?? .unlikelyError }

  /// What is known beside the code.
  public var userInfo: [String: Any] { stored.userInfo }

  /// What went wrong, with the numbers that Apple gives it.
  public enum Code: Int, Sendable {
    /// No error.
    case success = 0
    /// The server has no attribute with the handle.
    case invalidHandle = 1
    /// The attribute can not be read.
    case readNotPermitted = 2
    /// The attribute can not be written.
    case writeNotPermitted = 3
    /// The request was malformed.
    case invalidPdu = 4
    /// The attribute needs an authenticated link.
    case insufficientAuthentication = 5
    /// The server does not know or do this request.
    case requestNotSupported = 6
    /// The offset lies behind the end of the value.
    case invalidOffset = 7
    /// The server's user has not allowed the access.
    case insufficientAuthorization = 8
    /// Too many prepared writes wait.
    case prepareQueueFull = 9
    /// No attribute in the range fits.
    case attributeNotFound = 10
    /// The value can not be read in parts.
    case attributeNotLong = 11
    /// The encryption key is too short.
    case insufficientEncryptionKeySize = 12
    /// The attribute does not take values of this length.
    case invalidAttributeValueLength = 13
    /// The request failed for a reason that no other code tells.
    case unlikelyError = 14
    /// The attribute needs an encrypted link.
    case insufficientEncryption = 15
    /// The type is none that groups attributes.
    case unsupportedGroupType = 16
    /// The server has too few resources.
    case insufficientResources = 17
    // Apple's enumeration takes every number; these are those without a name that servers answer with: two of the
    // specification's, those that services define for themselves, and those that are common to all profiles.
    case _12 = 0x12, _13 = 0x13, _80 = 0x80, _81 = 0x81, _82 = 0x82, _83 = 0x83, _84 = 0x84, _85 = 0x85
    case _86 = 0x86, _87 = 0x87, _88 = 0x88, _89 = 0x89, _8A = 0x8A, _8B = 0x8B, _8C = 0x8C, _8D = 0x8D
    case _8E = 0x8E, _8F = 0x8F, _90 = 0x90, _91 = 0x91, _92 = 0x92, _93 = 0x93, _94 = 0x94, _95 = 0x95
    case _96 = 0x96, _97 = 0x97, _98 = 0x98, _99 = 0x99, _9A = 0x9A, _9B = 0x9B, _9C = 0x9C, _9D = 0x9D
    case _9E = 0x9E, _9F = 0x9F, _E0 = 0xE0, _E1 = 0xE1, _E2 = 0xE2, _E3 = 0xE3, _E4 = 0xE4, _E5 = 0xE5
    case _E6 = 0xE6, _E7 = 0xE7, _E8 = 0xE8, _E9 = 0xE9, _EA = 0xEA, _EB = 0xEB, _EC = 0xEC, _ED = 0xED
    case _EE = 0xEE, _EF = 0xEF, _F0 = 0xF0, _F1 = 0xF1, _F2 = 0xF2, _F3 = 0xF3, _F4 = 0xF4, _F5 = 0xF5
    case _F6 = 0xF6, _F7 = 0xF7, _F8 = 0xF8, _F9 = 0xF9, _FA = 0xFA, _FB = 0xFB, _FC = 0xFC, _FD = 0xFD
    case _FE = 0xFE, _FF = 0xFF

    /// Whether an error is one of this domain with this code; what `catch` and `case` ask.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? CBATTError)?.errorCode == code.rawValue
    }

    /// The text for people.
    var text: String {
      switch self {
      case .success: "Success."
      case .invalidHandle: "The attribute handle is invalid."
      case .readNotPermitted: "Reading is not permitted."
      case .writeNotPermitted: "Writing is not permitted."
      case .invalidPdu: "The command is invalid."
      case .insufficientAuthentication: "Authentication is insufficient."
      case .requestNotSupported: "The request is not supported."
      case .invalidOffset: "The offset is invalid."
      case .insufficientAuthorization: "Authorization is insufficient."
      case .prepareQueueFull: "The prepare queue is full."
      case .attributeNotFound: "The attribute could not be found."
      case .attributeNotLong: "The attribute is not long."
      case .insufficientEncryptionKeySize: "The encryption key size is insufficient."
      case .invalidAttributeValueLength: "The value's length is invalid."
      case .unlikelyError: "Unlikely error."
      case .insufficientEncryption: "Encryption is insufficient."
      case .unsupportedGroupType: "The group type is not supported."
      case .insufficientResources: "Resources are insufficient."
      default: "The device answered with the ATT error \(ATTErrorCode(rawValue: UInt8(truncatingIfNeeded: rawValue)))."
      }
    }
  }
}

extension CBATTError {
  /// No error.
  public static var success: Code { .success }
  /// The server has no attribute with the handle.
  public static var invalidHandle: Code { .invalidHandle }
  /// The attribute can not be read.
  public static var readNotPermitted: Code { .readNotPermitted }
  /// The attribute can not be written.
  public static var writeNotPermitted: Code { .writeNotPermitted }
  /// The request was malformed.
  public static var invalidPdu: Code { .invalidPdu }
  /// The attribute needs an authenticated link.
  public static var insufficientAuthentication: Code { .insufficientAuthentication }
  /// The server does not know or do this request.
  public static var requestNotSupported: Code { .requestNotSupported }
  /// The offset lies behind the end of the value.
  public static var invalidOffset: Code { .invalidOffset }
  /// The server's user has not allowed the access.
  public static var insufficientAuthorization: Code { .insufficientAuthorization }
  /// Too many prepared writes wait.
  public static var prepareQueueFull: Code { .prepareQueueFull }
  /// No attribute in the range fits.
  public static var attributeNotFound: Code { .attributeNotFound }
  /// The value can not be read in parts.
  public static var attributeNotLong: Code { .attributeNotLong }
  /// The encryption key is too short.
  public static var insufficientEncryptionKeySize: Code { .insufficientEncryptionKeySize }
  /// The attribute does not take values of this length.
  public static var invalidAttributeValueLength: Code { .invalidAttributeValueLength }
  /// The request failed for a reason that no other code tells.
  public static var unlikelyError: Code { .unlikelyError }
  /// The attribute needs an encrypted link.
  public static var insufficientEncryption: Code { .insufficientEncryption }
  /// The type is none that groups attributes.
  public static var unsupportedGroupType: Code { .unsupportedGroupType }
  /// The server has too few resources.
  public static var insufficientResources: Code { .insufficientResources }
}
