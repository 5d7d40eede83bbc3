import Foundation

/// The domain of the errors of connections and of the framework itself.
public let CBErrorDomain = "CBErrorDomain"

/// An error of connections and of the framework itself.
/// - Note: A code without a name here is kept; see `errorCode`.
public struct CBError: StoredError {
  let stored: NSError

  init(stored: NSError) { self.stored = stored }

  /// An error with a code and what is known beside it.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    stored = Self.make(code.rawValue, userInfo, code.text)
  }

  /// The domain of these errors.
  public static var errorDomain: String { CBErrorDomain }

  /// What went wrong; ``Code/unknown`` where the number has no name here, see `errorCode`.
  public var code: Code { Code(rawValue: stored.code) ?? .unknown }

  /// What is known beside the code.
  public var userInfo: [String: Any] { stored.userInfo }

  /// What went wrong, with the numbers that Apple gives it.
  public enum Code: Int, Sendable {
    /// The reason is not known.
    case unknown = 0
    /// The arguments make no sense.
    case invalidParameters = 1
    /// There is no such attribute.
    case invalidHandle = 2
    /// The device is not connected.
    case notConnected = 3
    /// There is no room for another operation.
    case outOfSpace = 4
    /// The operation was cancelled.
    case operationCancelled = 5
    /// The device was not heard for too long.
    case connectionTimeout = 6
    /// The device ended the connection.
    case peripheralDisconnected = 7
    /// The UUID may not be used for this.
    case uuidNotAllowed = 8
    /// Advertising is on already.
    case alreadyAdvertising = 9
    /// The connection could not be made.
    case connectionFailed = 10
    /// There are as many connections as there can be.
    case connectionLimitReached = 11
    /// The device is not known; the name as Apple misspelled it.
    case unkownDevice = 12
    /// The radio or the device can not do this.
    case operationNotSupported = 13
    /// The device has forgotten the pairing.
    case peerRemovedPairingInformation = 14
    /// The connection could not be encrypted in time.
    case encryptionTimedOut = 15
    /// There are as many paired devices as there can be.
    case tooManyLEPairedDevices = 16
    /// Too many notifications came in the background.
    case leGattExceededBackgroundNotificationLimit = 17
    /// Nearly too many notifications came in the background.
    case leGattNearBackgroundNotificationLimit = 18
    /// The device is not known.
    public static var unknownDevice: Code { .unkownDevice }

    /// Whether an error is one of this domain with this code; what `catch` and `case` ask.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? CBError)?.errorCode == code.rawValue
    }

    /// The text for people.
    var text: String {
      switch self {
      case .unknown: "An unknown error occurred."
      case .invalidParameters: "One or more of the arguments are invalid."
      case .invalidHandle: "The attribute handle is invalid."
      case .notConnected: "The device is not connected."
      case .outOfSpace: "There is no room left for the operation."
      case .operationCancelled: "The operation was cancelled."
      case .connectionTimeout: "The connection timed out: the device was not heard for too long."
      case .peripheralDisconnected: "The device has ended the connection."
      case .uuidNotAllowed: "The UUID is not allowed for this operation."
      case .alreadyAdvertising: "The peripheral is already advertising."
      case .connectionFailed: "The connection failed."
      case .connectionLimitReached: "The maximum number of connections is reached."
      case .unkownDevice: "The device is not known."
      case .operationNotSupported: "The operation is not supported."
      case .peerRemovedPairingInformation: "The device has removed its pairing information."
      case .encryptionTimedOut: "The encryption of the connection timed out."
      case .tooManyLEPairedDevices: "Too many devices are paired."
      case .leGattExceededBackgroundNotificationLimit: "The limit of notifications in the background is exceeded."
      case .leGattNearBackgroundNotificationLimit: "The limit of notifications in the background is near."
      }
    }
  }
}

extension CBError {
  /// The reason is not known.
  public static var unknown: Code { .unknown }
  /// The arguments make no sense.
  public static var invalidParameters: Code { .invalidParameters }
  /// There is no such attribute.
  public static var invalidHandle: Code { .invalidHandle }
  /// The device is not connected.
  public static var notConnected: Code { .notConnected }
  /// There is no room for another operation.
  public static var outOfSpace: Code { .outOfSpace }
  /// The operation was cancelled.
  public static var operationCancelled: Code { .operationCancelled }
  /// The device was not heard for too long.
  public static var connectionTimeout: Code { .connectionTimeout }
  /// The device ended the connection.
  public static var peripheralDisconnected: Code { .peripheralDisconnected }
  /// The UUID may not be used for this.
  public static var uuidNotAllowed: Code { .uuidNotAllowed }
  /// Advertising is on already.
  public static var alreadyAdvertising: Code { .alreadyAdvertising }
  /// The connection could not be made.
  public static var connectionFailed: Code { .connectionFailed }
  /// There are as many connections as there can be.
  public static var connectionLimitReached: Code { .connectionLimitReached }
  /// The device is not known; the name as Apple misspelled it.
  public static var unkownDevice: Code { .unkownDevice }
  /// The radio or the device can not do this.
  public static var operationNotSupported: Code { .operationNotSupported }
  /// The device has forgotten the pairing.
  public static var peerRemovedPairingInformation: Code { .peerRemovedPairingInformation }
  /// The connection could not be encrypted in time.
  public static var encryptionTimedOut: Code { .encryptionTimedOut }
  /// There are as many paired devices as there can be.
  public static var tooManyLEPairedDevices: Code { .tooManyLEPairedDevices }
  /// Too many notifications came in the background.
  public static var leGattExceededBackgroundNotificationLimit: Code { .leGattExceededBackgroundNotificationLimit }
  /// Nearly too many notifications came in the background.
  public static var leGattNearBackgroundNotificationLimit: Code { .leGattNearBackgroundNotificationLimit }
  /// The device is not known.
  public static var unknownDevice: Code { .unkownDevice }
}
