import BluetoothTypes
import RadioPort

/// Why an operation failed: a kind to act on, what was tried and on what, what lies underneath, and a message that says
/// what to do.
///
/// The cancellation of a task is not among the kinds: it is always Swift's `CancellationError`.
public struct BluetoothError: Error, Sendable {
  /// What a program can act on.
  public let kind: Kind
  /// What was tried.
  public let operation: Operation
  /// The device that it was tried on, if there was one.
  public let peripheral: Subject?
  /// The characteristic that it was tried on, if there was one.
  public let characteristic: Characteristic<[UInt8]>?
  /// The PSM of the channel that it was tried on, if there was one.
  public let psm: L2CAPPSM?
  /// What lies underneath: a `RadioFailure`, or what a value's own reading threw.
  public let underlying: (any Error)?
  /// For ``Kind/ambiguous``, all that the name could mean; each can be used in its place.
  public let choices: [Characteristic<[UInt8]>]
  /// The language of ``message``.
  public let language: Language
  let detail: Detail?

  init(
    _ kind: Kind,
    _ operation: Operation,
    peripheral: Subject? = nil,
    characteristic: Characteristic<[UInt8]>? = nil,
    psm: L2CAPPSM? = nil,
    underlying: (any Error)? = nil,
    choices: [Characteristic<[UInt8]>] = [],
    detail: Detail? = nil,
    language: Language
  ) {
    self.kind = kind
    self.operation = operation
    self.peripheral = peripheral
    self.characteristic = characteristic
    self.psm = psm
    self.underlying = underlying
    self.choices = choices
    self.detail = detail
    self.language = language
  }

  /// The device that an operation was tried on, as it was known then.
  public struct Subject: Hashable, Sendable {
    /// What names it.
    public let id: PeerID
    /// What it calls itself, if that was known.
    public let name: String?
  }

  /// Numbers and words that the message needs.
  enum Detail: Hashable, Sendable {
    case time(Duration)
    case length(Int, maximum: Int)
    case allowed(CharacteristicProperties)
    case count(Int)
    case reason(String)
    /// The program itself ended the connection.
    case releasedLocally
    /// The program itself closed the channel.
    case closedLocally
    /// A discovered characteristic of a connection that is over.
    case outdated
    /// A characteristic that the server's declaration does not have.
    case undeclared
    /// The descriptor is that of subscriptions.
    case subscription
  }
}

extension BluetoothError {
  /// What a program can act on; an open set.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The name of the kind.
    public let name: String
    /// For ``att(_:)``, the peer's answer.
    public let attCode: ATTErrorCode?

    /// A kind from its name.
    public init(_ name: String) { self.init(name, attCode: nil) }

    private init(_ name: String, attCode: ATTErrorCode?) {
      self.name = name
      self.attCode = attCode
    }

    /// Bluetooth is off, or went off meanwhile.
    public static let poweredOff = Kind("poweredOff")
    /// The program may not use Bluetooth.
    public static let unauthorized = Kind("unauthorized")
    /// The radio or the device can not do this at all.
    public static let unsupported = Kind("unsupported")
    /// A time limit passed, the caller's or the protocol's.
    public static let timedOut = Kind("timedOut")
    /// A scan ended without a device that was looked for.
    public static let notFound = Kind("notFound")
    /// There is no connection to the device.
    public static let notConnected = Kind("notConnected")
    /// The connection ended while the operation was under way.
    public static let disconnected = Kind("disconnected")
    /// The connection could not be made.
    public static let connectionFailed = Kind("connectionFailed")
    /// The program's own set-up of the connection has failed; what it threw lies underneath.
    public static let setUpFailed = Kind("setUpFailed")
    /// The device has no such service.
    public static let serviceNotFound = Kind("serviceNotFound")
    /// The service has no such characteristic.
    public static let characteristicNotFound = Kind("characteristicNotFound")
    /// The characteristic has no such descriptor.
    public static let descriptorNotFound = Kind("descriptorNotFound")
    /// The name means several characteristics; see ``BluetoothError/choices``.
    public static let ambiguous = Kind("ambiguous")
    /// The characteristic does not allow the operation; nothing was sent.
    public static let notPermitted = Kind("notPermitted")
    /// The value is longer than the operation can carry; nothing was sent.
    public static let tooLong = Kind("tooLong")
    /// There are no bytes where a value needs some.
    public static let empty = Kind("empty")
    /// The bytes do not make a value of the expected type.
    public static let undecodable = Kind("undecodable")
    /// The reader of a stream was slower than its buffer allows.
    public static let overflow = Kind("overflow")
    /// The radio has no room for another operation of this kind.
    public static let busy = Kind("busy")
    /// The device broke the protocol.
    public static let protocolViolation = Kind("protocolViolation")
    /// The controller refused a command.
    public static let controller = Kind("controller")
    /// The arguments make no sense together.
    public static let invalidArgument = Kind("invalidArgument")
    /// A file could not be opened or written.
    public static let fileFailed = Kind("fileFailed")
    /// The other device has said no to a wish that it may refuse.
    public static let refused = Kind("refused")
    /// The central has not subscribed to the characteristic.
    public static let notSubscribed = Kind("notSubscribed")
    /// The peripheral server does not run, or was stopped meanwhile.
    public static let stopped = Kind("stopped")
    /// The channel was closed, at this end or at the other.
    public static let closed = Kind("closed")
    /// The device refused with this ATT error.
    public static func att(_ code: ATTErrorCode) -> Kind { Kind("att", attCode: code) }

    /// The name, with the code if there is one.
    public var description: String { attCode.map { "\(name)(\($0))" } ?? name }
  }

  /// What was tried; an open set.
  public struct Operation: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name of the operation.
    public let rawValue: String
    /// An operation from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name.
    public var description: String { rawValue }

    /// Waiting until Bluetooth can be used.
    public static let ready = Operation(rawValue: "ready")
    /// Looking for devices.
    public static let scan = Operation(rawValue: "scan")
    /// Making a connection.
    public static let connect = Operation(rawValue: "connect")
    /// The program's own set-up of a connection.
    public static let setUp = Operation(rawValue: "setUp")
    /// Finding devices that are known or connected already.
    public static let retrieve = Operation(rawValue: "retrieve")
    /// Holding a connection.
    public static let connection = Operation(rawValue: "connection")
    /// Asking a device what it offers.
    public static let discover = Operation(rawValue: "discover")
    /// Reading a value.
    public static let read = Operation(rawValue: "read")
    /// Writing a value.
    public static let write = Operation(rawValue: "write")
    /// Reading the value of a descriptor.
    public static let readDescriptor = Operation(rawValue: "readDescriptor")
    /// Writing the value of a descriptor.
    public static let writeDescriptor = Operation(rawValue: "writeDescriptor")
    /// Ending the connection to a device.
    public static let endConnection = Operation(rawValue: "endConnection")
    /// Receiving values as they change.
    public static let subscribe = Operation(rawValue: "subscribe")
    /// Writing a command and waiting for its answer.
    public static let request = Operation(rawValue: "request")
    /// Receiving all that comes, in one place.
    public static let receive = Operation(rawValue: "receive")
    /// Measuring the strength of a connection.
    public static let readRSSI = Operation(rawValue: "readRSSI")
    /// Writing the packets that pass to a file.
    public static let capture = Operation(rawValue: "capture")
    /// Starting a peripheral server.
    public static let startServer = Operation(rawValue: "startServer")
    /// Answering the requests of centrals.
    public static let serve = Operation(rawValue: "serve")
    /// Advertising.
    public static let advertise = Operation(rawValue: "advertise")
    /// Sending a value to centrals.
    public static let send = Operation(rawValue: "send")
    /// Changing a value that a peripheral server offers.
    public static let setValue = Operation(rawValue: "setValue")
    /// Ending the connection of a central.
    public static let disconnect = Operation(rawValue: "disconnect")
    /// Asking for another latency of a connection.
    public static let requestLatency = Operation(rawValue: "requestLatency")

    /// Opening a channel to a device.
    public static let openChannel = Operation(rawValue: "openChannel")
    /// Letting others open channels.
    public static let publishChannel = Operation(rawValue: "publishChannel")
    /// Sending a message on a channel.
    public static let sendOnChannel = Operation(rawValue: "sendOnChannel")
    /// Receiving messages on a channel.
    public static let receiveOnChannel = Operation(rawValue: "receiveOnChannel")
    /// Closing a channel, after what was sent has gone.
    public static let closeChannel = Operation(rawValue: "closeChannel")

    /// Whether it is one of a peripheral server, so that the other device is a central.
    var isOfServer: Bool {
      [.startServer, .serve, .advertise, .send, .setValue, .disconnect, .requestLatency, .publishChannel].contains(self)
    }
  }
}

extension BluetoothError {
  /// The radio's failure underneath, if there is one.
  public var radioFailure: RadioFailure? { underlying as? RadioFailure }

  /// The device's own answer, if it refused.
  public var attCode: ATTErrorCode? {
    if let code = kind.attCode { return code }
    guard case .att(let code, _) = radioFailure?.underlying else { return nil }
    return code
  }

  /// The device's own answer, if it refused a channel.
  public var channelResult: L2CAPConnectionResult? {
    guard case .channel(let result) = radioFailure?.underlying else { return nil }
    return result
  }

  /// The controller's code, such as the reason of a disconnect, if it gave one.
  public var controllerStatus: HCIStatus? {
    guard case .hci(let status) = radioFailure?.underlying else { return nil }
    return status
  }

  /// The kind that a radio's failure is for a program.
  static func kind(of failure: RadioFailure) -> Kind {
    if failure.kind == .att, case .att(let code, _) = failure.underlying { return .att(code) }
    return Kind(failure.kind.rawValue)
  }

  /// The kind that a state is for who needs the radio.
  static func kind(of state: RadioState) -> Kind {
    switch state.power {
    case .unsupported: .unsupported
    case .unauthorized: .unauthorized
    default: .poweredOff
    }
  }
}

extension BluetoothError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
