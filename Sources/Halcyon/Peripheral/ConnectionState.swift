/// Where the connection to a device stands.
public enum ConnectionState: Sendable {
  /// There is none; with the error, if it was lost or could not be made.
  case disconnected(BluetoothError?)
  /// It is being made.
  case connecting
  /// It is there, and the program's own set-up runs on it. All other operations wait.
  case settingUp
  /// It can be used.
  case ready
  /// It was lost and is being made again, as its ``Reconnect`` says. The first attempt is 1.
  case reconnecting(attempt: Int)
  /// The program ended it, and the radio is not done with that yet.
  case disconnecting

  /// Whether it can be used.
  public var isReady: Bool { if case .ready = self { true } else { false } }
  /// Whether there is none and none is on its way.
  public var isDisconnected: Bool { if case .disconnected = self { true } else { false } }
  /// Whether it was lost and is being made again.
  public var isReconnecting: Bool { if case .reconnecting = self { true } else { false } }
  /// Why there is none, if something went wrong.
  public var error: BluetoothError? { if case .disconnected(let error) = self { error } else { nil } }
}
