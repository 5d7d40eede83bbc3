/// How quickly a link is to react, against how much power it takes.
public enum CBPeripheralManagerConnectionLatency: Int, Sendable {
  /// Quickly.
  case low = 0
  /// In between.
  case medium = 1
  /// Sparingly.
  case high = 2
}

/// Whether a peripheral manager can be used; the older form of ``CBManagerState``.
@available(*, deprecated, message: "use CBManagerState")
public enum CBPeripheralManagerState: Int, Sendable {
  /// Not known yet; it soon will be.
  case unknown = 0
  /// The connection to the radio is lost for the moment.
  case resetting = 1
  /// There is no radio for Low Energy.
  case unsupported = 2
  /// This program may not use the radio.
  case unauthorized = 3
  /// The radio is off.
  case poweredOff = 4
  /// The radio is on and can be used.
  case poweredOn = 5
}

/// Whether the user lets this program use Bluetooth; the older form of ``CBManagerAuthorization``.
@available(*, deprecated, message: "use CBManagerAuthorization")
public enum CBPeripheralManagerAuthorizationStatus: Int, Sendable {
  /// Nobody has asked the user yet.
  case notDetermined = 0
  /// The program may not, and the user can not change that.
  case restricted = 1
  /// The user does not want it.
  case denied = 2
  /// The program may use Bluetooth.
  case authorized = 3
}
