import Foundation

/// What the options of a connect ask for, as far as anything follows from them here.
struct ConnectOptions: Hashable, Sendable {
  /// How long to wait before it begins.
  var delay = Duration.zero
  /// Whether a connection that is lost is made anew.
  var reconnects = false
  /// Whether the device has to be sent the system's notifications.
  var requiresNotifications = false

  init() {}

  init(_ options: [String: Any]?) {
    let seconds = (options?[CBConnectPeripheralOptionStartDelayKey] as? NSNumber)?.doubleValue ?? 0
    if seconds.isFinite, seconds > 0 { delay = .seconds(min(seconds, 1e9)) }
    reconnects = Self.flag(options, CBConnectPeripheralOptionEnableAutoReconnect)
    requiresNotifications = Self.flag(options, CBConnectPeripheralOptionRequiresANCS)
  }

  /// A Boolean among options, as it was given: as `NSNumber` or as `Bool`.
  static func flag(_ options: [String: Any]?, _ key: String) -> Bool {
    switch options?[key] {
    case let value as Bool: value
    case let value as NSNumber: value.boolValue
    default: false
    }
  }
}
