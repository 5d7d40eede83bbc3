/// What happened to a connection of a central.
public enum ConnectionEvent: Sendable {
  /// A connection came up.
  case connected(Peripheral)
  /// A connection could not be made.
  case failed(Peripheral, BluetoothError)
  /// A connection is over: lost, with the error, or ended by the program, without.
  case disconnected(Peripheral, BluetoothError?)

  /// The device that it is about.
  public var peripheral: Peripheral {
    switch self {
    case .connected(let peripheral), .failed(let peripheral, _), .disconnected(let peripheral, _): peripheral
    }
  }

  /// Why, if something went wrong.
  public var error: BluetoothError? {
    switch self {
    case .connected: nil
    case .failed(_, let error): error
    case .disconnected(_, let error): error
    }
  }
}
