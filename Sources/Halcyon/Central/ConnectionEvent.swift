/// What happened to a connection of a central.
///
/// A connect tells `connected` and then `ready`; one that comes back by itself `disconnected` with the error, `failed`
/// for each attempt that came to nothing, `reconnected` and `ready`.
public enum ConnectionEvent: Sendable {
  /// A connection came up because the program has asked for it. Its set-up is still to come.
  case connected(Peripheral)
  /// A connection that was lost came up again, as its ``Reconnect`` says. Its set-up is still to come.
  case reconnected(Peripheral)
  /// A connection can be used: its set-up is done.
  case ready(Peripheral)
  /// A connection could not be made, or its set-up failed.
  case failed(Peripheral, BluetoothError)
  /// A connection is over: lost, with the error, or ended by the program, without.
  case disconnected(Peripheral, BluetoothError?)

  /// The device that it is about.
  public var peripheral: Peripheral {
    switch self {
    case .connected(let peripheral), .reconnected(let peripheral), .ready(let peripheral), .failed(let peripheral, _),
      .disconnected(let peripheral, _):
      peripheral
    }
  }

  /// Why, if something went wrong.
  public var error: BluetoothError? {
    switch self {
    case .connected, .reconnected, .ready: nil
    case .failed(_, let error): error
    case .disconnected(_, let error): error
    }
  }
}
