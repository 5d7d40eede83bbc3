import BluetoothTypes
import RadioPort

/// Why the host sent a command: finds its answer's way back.
package enum CommandPurpose: Sendable {
  case startup(Startup.Step)
  case resolution(AddressResolution.Step)
  case scan(Scanner.Step)
  case connect(Connector.Step)
  case advertise(UInt8, Advertiser.Step)
  case disconnect(LinkID)
  case readRSSI(RequestID)
  case updateConnection(LinkID)
  case setPHYs(LinkID)
  case encrypt(LinkID)
  /// The longest packets of a link; a controller that refuses keeps to short ones.
  case dataLength
  /// What the answer is does not matter beyond the log.
  case courtesy
}

/// A controller's answer to a command: Command Complete and Command Status alike, as controllers use the latter to
/// refuse commands that the former would answer.
package struct CommandAnswer: Sendable {
  /// Whether the command worked.
  package let status: HCIStatus
  /// All return parameters, the status included; empty after a Command Status event.
  package let parameters: [UInt8]

  package init(status: HCIStatus, parameters: [UInt8] = []) {
    self.status = status
    self.parameters = parameters
  }

  /// The answer in a Command Complete event; a status byte that is missing counts as an error.
  package init(_ event: CommandComplete) {
    self.init(status: event.status ?? .unspecifiedError, parameters: event.returnParameters)
  }

  /// Reads the return parameters of a command that worked.
  ///
  /// - Throws: A `ByteError` if they are cut short or were never sent.
  package func decode<Command: HCICommand>(as command: Command.Type) throws -> Command.Return {
    try Command.Return(bytes: parameters)
  }
}
