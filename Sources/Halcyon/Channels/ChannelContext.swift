import BluetoothTypes
import RadioPort

/// What names a channel in errors, and how long things may take on it.
struct ChannelContext: Sendable {
  let psm: L2CAPPSM
  let subject: BluetoothError.Subject
  let language: Language
  /// How long a send waits for room where the caller does not say.
  let sendLimit: Duration?

  func error(
    _ kind: BluetoothError.Kind,
    _ operation: BluetoothError.Operation,
    underlying: (any Error)? = nil,
    detail: BluetoothError.Detail? = nil
  ) -> BluetoothError {
    BluetoothError(
      kind,
      operation,
      peripheral: subject,
      psm: psm,
      underlying: underlying,
      detail: detail,
      language: language
    )
  }

  func timeOut(_ operation: BluetoothError.Operation, _ limit: Duration?) -> BluetoothError {
    error(.timedOut, operation, detail: limit.map { .time($0) })
  }
}

/// How a channel has ended.
enum ChannelEnding: Sendable {
  /// This end has closed it.
  case closedHere
  /// The other end has closed it.
  case closedThere
  /// It was lost.
  case failed(RadioFailure)
  /// The connection is gone.
  case lost(LinkLoss)
  /// Its server was stopped.
  case stopped

  /// Whether what is read comes to a normal end.
  var isClosed: Bool {
    switch self {
    case .closedHere, .closedThere: true
    case .failed, .lost, .stopped: false
    }
  }

  /// The error for who wants to use the channel.
  func error(_ operation: BluetoothError.Operation, _ context: ChannelContext) -> BluetoothError {
    switch self {
    case .closedHere: context.error(.closed, operation, detail: .closedLocally)
    case .closedThere: context.error(.closed, operation)
    case .failed(let failure): context.error(BluetoothError.kind(of: failure), operation, underlying: failure)
    case .lost(let loss):
      context.error(loss.kind, operation, underlying: loss.failure, detail: loss.isLocal ? .releasedLocally : nil)
    case .stopped: context.error(.stopped, operation)
    }
  }
}
