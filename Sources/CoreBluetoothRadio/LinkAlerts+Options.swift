import CoreBluetooth
import RadioPort

extension LinkAlerts {
  /// The framework's options for a connect; `nil` where there is nothing to say.
  var connectOptions: [String: Any]? {
    let keys: [(LinkAlerts, String)] = [
      (.connection, CBConnectPeripheralOptionNotifyOnConnectionKey),
      (.disconnection, CBConnectPeripheralOptionNotifyOnDisconnectionKey),
      (.notification, CBConnectPeripheralOptionNotifyOnNotificationKey),
    ]
    guard !isEmpty else { return nil }
    var options: [String: Any] = [:]
    for (alert, key) in keys where contains(alert) { options[key] = true }
    return options
  }
}
