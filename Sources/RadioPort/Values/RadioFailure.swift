import BluetoothTypes

/// Why a radio could not do what it was asked: a kind to act on and what lies underneath.
public struct RadioFailure: Error, Hashable, Sendable {
  /// What a caller can act on; an open set.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The name of the kind.
    public let rawValue: String
    /// A kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The radio is off, or went off meanwhile.
    public static let poweredOff = Self(rawValue: "poweredOff")
    /// This program may not use the radio.
    public static let unauthorized = Self(rawValue: "unauthorized")
    /// The radio or the peer can not do this at all.
    public static let unsupported = Self(rawValue: "unsupported")
    /// The protocol's own time limit passed.
    public static let timedOut = Self(rawValue: "timedOut")
    /// There is no such link (any more).
    public static let notConnected = Self(rawValue: "notConnected")
    /// The link ended while the operation was under way.
    public static let disconnected = Self(rawValue: "disconnected")
    /// The link could not be made.
    public static let connectionFailed = Self(rawValue: "connectionFailed")
    /// The peer answered with an ATT error; see `underlying`.
    public static let att = Self(rawValue: "att")
    /// The controller refused a command; see `underlying`.
    public static let controller = Self(rawValue: "controller")
    /// What the peer sent breaks the protocol.
    public static let protocolViolation = Self(rawValue: "protocolViolation")
    /// The value is longer than the operation can carry.
    public static let tooLong = Self(rawValue: "tooLong")
    /// The radio has no room for another operation of this kind.
    public static let busy = Self(rawValue: "busy")
    /// The peer has said no to a wish that it may refuse.
    public static let refused = Self(rawValue: "refused")
    /// A file could not be opened, read or written; see `underlying`.
    public static let fileFailed = Self(rawValue: "fileFailed")
    /// The arguments make no sense together.
    public static let invalidArgument = Self(rawValue: "invalidArgument")
  }

  /// The code that lies underneath, in the words of who gave it.
  public enum Underlying: Hashable, Sendable {
    /// An ATT error and the attribute that it is about.
    case att(ATTErrorCode, AttributeHandle)
    /// A controller's error code, for a disconnect the reason.
    case hci(HCIStatus)
    /// The result with which a peer refused a channel.
    case channel(L2CAPConnectionResult)
    /// Bytes that could not be read.
    case bytes(ByteError)
    /// An error of the platform below: its domain and its code.
    case platform(domain: String, code: Int)
  }

  /// What a caller can act on.
  public let kind: Kind
  /// The code that lies underneath.
  public let underlying: Underlying?
  /// What happened, in English, for logs and as the last resort of a message.
  public let reason: String

  /// Makes a failure.
  public init(_ kind: Kind, underlying: Underlying? = nil, reason: String) {
    self.kind = kind
    self.underlying = underlying
    self.reason = reason
  }
}

extension RadioFailure: CustomStringConvertible {
  /// The kind and the reason.
  public var description: String { "\(kind.rawValue): \(reason)" }
}
