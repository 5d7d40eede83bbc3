import Foundation
import RadioPort

/// What the options of a connect ask for, as far as anything follows from them here.
struct ConnectOptions: Hashable, Sendable {
  /// How long to wait before it begins.
  var delay = Duration.zero
  /// Whether a connection that is lost is made anew.
  var reconnects = false
  /// What the user is told of while the program is suspended; kept for the radio, which may be one that does so.
  var alerts: LinkAlerts = []
  /// Whether the device has to be sent the system's notifications.
  var requiresNotifications = false

  init() {}

  init(_ options: [String: Any]?) {
    setDelay((options?[CBConnectPeripheralOptionStartDelayKey] as? NSNumber)?.doubleValue ?? 0)
    for (alert, key) in Self.alertKeys where Self.flag(options, key) { alerts.insert(alert) }
    reconnects = Self.flag(options, CBConnectPeripheralOptionEnableAutoReconnect)
    requiresNotifications = Self.flag(options, CBConnectPeripheralOptionRequiresANCS)
  }

  private static let alertKeys: [(LinkAlerts, String)] = [
    (.connection, CBConnectPeripheralOptionNotifyOnConnectionKey),
    (.disconnection, CBConnectPeripheralOptionNotifyOnDisconnectionKey),
    (.notification, CBConnectPeripheralOptionNotifyOnNotificationKey),
  ]

  private mutating func setDelay(_ seconds: Double) {
    if seconds.isFinite, seconds > 0 { delay = .seconds(min(seconds, 1e9)) }
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

extension ConnectOptions {
  /// The options of a program that has ended; whatever the file holds, they are within bounds.
  init(_ record: CentralRecord.Options) {
    setDelay(record.delay)
    reconnects = record.reconnects
    alerts = LinkAlerts(rawValue: record.alerts)
    requiresNotifications = record.requiresNotifications
  }

  /// What is kept of them.
  var record: CentralRecord.Options {
    CentralRecord.Options(
      delay: delay / .seconds(1),
      reconnects: reconnects,
      alerts: alerts.rawValue,
      requiresNotifications: requiresNotifications
    )
  }
}
