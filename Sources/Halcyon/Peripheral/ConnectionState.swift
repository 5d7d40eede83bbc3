/// Where the connection to a device stands.
public enum ConnectionState: Sendable {
  /// There is none; with the error, if it was lost or could not be made.
  case disconnected(BluetoothError?)
  /// It is being made.
  case connecting
  /// It can be used.
  case ready
  /// The program ended it, and the radio is not done with that yet.
  case disconnecting

  /// Whether it can be used.
  public var isReady: Bool { if case .ready = self { true } else { false } }
  /// Whether there is none and none is on its way.
  public var isDisconnected: Bool { if case .disconnected = self { true } else { false } }
  /// Why there is none, if something went wrong.
  public var error: BluetoothError? { if case .disconnected(let error) = self { error } else { nil } }
}
