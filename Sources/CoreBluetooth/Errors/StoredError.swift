import Foundation

/// An error of a fixed domain that keeps the `NSError` that it stands for, so that it can be taken for one and back:
/// `error as NSError`, `error as? CBError` and `catch CBError.connectionTimeout` work as on Apple's platforms.
protocol StoredError: Error, CustomNSError, Hashable, _ObjectiveCBridgeable where _ObjectiveCType == NSError {
  static var errorDomain: String { get }
  var stored: NSError { get }
  init(stored: NSError)
}

extension StoredError {
  /// The error as Foundation's.
  public func _bridgeToObjectiveC() -> NSError { stored }

  /// From an error of the same domain.
  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) {
    result = source.domain == errorDomain ? Self(stored: source) : nil
  }

  /// From an error of the same domain; `false` for others.
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout Self?) -> Bool {
    _forceBridgeFromObjectiveC(source, result: &result)
    return result != nil
  }

  /// From whatever is there.
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self {
    Self(stored: source ?? NSError(domain: errorDomain, code: 0))
  }

  /// The number of the code, also of one that has no name.
  public var errorCode: Int { stored.code }
  /// What is known beside the code.
  public var errorUserInfo: [String: Any] { stored.userInfo }
  /// A text for people.
  public var localizedDescription: String { stored.localizedDescription }

  /// Equal if domain, code and user info are.
  public static func == (left: Self, right: Self) -> Bool { left.stored.isEqual(right.stored) }

  /// Goes by the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(stored.code) }

  /// Adds a text for the code where the caller gives none.
  static func make(_ code: Int, _ userInfo: [String: Any], _ text: String) -> NSError {
    var userInfo = userInfo
    if userInfo[NSLocalizedDescriptionKey] == nil { userInfo[NSLocalizedDescriptionKey] = text }
    return NSError(domain: errorDomain, code: code, userInfo: userInfo)
  }
}
