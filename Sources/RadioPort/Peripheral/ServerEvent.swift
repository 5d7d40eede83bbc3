import BluetoothTypes

/// Names one owner of services, from `openServer` to `closeServer`.
public struct ServerID: Hashable, Sendable {
  /// Given out by the radio, never twice.
  public let rawValue: UInt64
  /// An identifier from the number that the radio chose.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names one request of a central to the owner of a value.
public struct ServerRequestID: Hashable, Sendable {
  /// Given out by the radio, never twice.
  public let rawValue: UInt64
  /// An identifier from the number that the radio chose.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// What happens to the services of one owner and to the centrals of the radio.
public enum ServerEvent: Hashable, Sendable {
  /// A central has connected; or a peer that this radio had connected to has used a service for the first time.
  case centralConnected(LinkID)
  /// A central is gone; the last event of its link. The ends of its requests and subscriptions came before.
  case centralDisconnected(LinkID, RadioFailure)
  /// The longest ATT PDU on a central's link has changed.
  case mtuChanged(LinkID, Int)
  /// The connection parameters of a central's link have changed.
  case parametersChanged(LinkID, interval: Duration, latency: UInt16, supervisionTimeout: Duration)
  /// The packets of a central's link are sent on other PHYs from now on.
  case phyChanged(LinkID, transmit: RadioPHY, receive: RadioPHY)
  /// The longest payload of a packet on the air of a central's link has changed, in bytes.
  case dataLengthChanged(LinkID, transmit: Int, receive: Int)

  /// A central reads: answer once.
  case read(ReadRequest)
  /// A central writes: answer once, unless it wants no answer.
  case write(WriteRequest)
  /// Nobody waits for the answer to this request any more: its central is gone, or its service was withdrawn. An answer
  /// does no harm.
  case requestEnded(ServerRequestID)
  /// A central has written a value that the radio keeps.
  case stored(LinkID, AttributeHandle, [UInt8])

  /// What a central has subscribed to at a characteristic has changed; with the empty set it has unsubscribed, by itself
  /// or by leaving.
  case subscriptionChanged(LinkID, AttributeHandle, SubscriptionModes)
  /// After an `update` that was refused as full: there is room again on a link that had none. Comes once for each such
  /// link, however many updates it has refused; where several had none, an update may be refused again.
  case readyToUpdate

  /// The owner's advertising ended though it was not told to.
  case advertisingEnded(RadioFailure)
}

/// A central reads a value of the owner's.
public struct ReadRequest: Hashable, Sendable {
  /// What to answer to.
  public var id: ServerRequestID
  /// Who asks.
  public var central: LinkID
  /// The characteristic's value or the descriptor.
  public var attribute: AttributeHandle
  /// Where the part that is wanted begins: the answer is the value from this byte on, to its end. The radio sends what
  /// fits and keeps the rest for the requests that follow.
  public var offset: Int

  /// Makes a request.
  public init(id: ServerRequestID, central: LinkID, attribute: AttributeHandle, offset: Int) {
    self.id = id
    self.central = central
    self.attribute = attribute
    self.offset = offset
  }
}

/// A central writes values of the owner's: one, or all that it has prepared and now executes. Take all or refuse all.
///
/// Where a central executes writes to values of several owners, each is asked for its own, one after the other in the order
/// of their first parts; the first refusal is the answer, who comes behind it is not asked, and what was taken before it
/// stays taken. Values that the radio keeps are written last, when all owners have agreed.
public struct WriteRequest: Hashable, Sendable {
  /// One value.
  public struct Part: Hashable, Sendable {
    /// The characteristic's value or the descriptor.
    public var attribute: AttributeHandle
    /// Where in the value the bytes belong; what follows them is cut off. 0 but for prepared writes.
    public var offset: Int
    /// The bytes.
    public var value: [UInt8]

    /// Makes a part.
    public init(attribute: AttributeHandle, offset: Int, value: [UInt8]) {
      self.attribute = attribute
      self.offset = offset
      self.value = value
    }
  }

  /// What to answer to.
  public var id: ServerRequestID
  /// Who writes.
  public var central: LinkID
  /// What is written, in order; never empty. Prepared parts of one value that follow each other come joined.
  public var parts: [Part]
  /// Whether the central waits for the answer; to a write without response none is due and one does no harm.
  public var wantsResponse: Bool

  /// Makes a request.
  public init(id: ServerRequestID, central: LinkID, parts: [Part], wantsResponse: Bool) {
    self.id = id
    self.central = central
    self.parts = parts
    self.wantsResponse = wantsResponse
  }
}

/// What a central has subscribed to at one characteristic: the value of a Client Characteristic Configuration descriptor
/// (Core 5.4, Vol 3, Part G, 3.3.3.3).
public struct SubscriptionModes: OptionSet, Hashable, Sendable {
  /// The bits of the descriptor.
  public let rawValue: UInt16
  /// Modes from the bits of the descriptor.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Values that are not confirmed.
  public static let notifications = Self(rawValue: 0x0001)
  /// Values that are confirmed one by one.
  public static let indications = Self(rawValue: 0x0002)
}

/// In which way a value goes to who has subscribed.
public enum UpdateMode: Hashable, Sendable {
  /// As each has subscribed: notified to who has asked for that, else indicated.
  case asSubscribed
  /// Only to who has asked for notifications.
  case notification
  /// Only to who has asked for indications.
  case indication
}

/// What became of a value that was to be sent.
public enum UpdateOutcome: Hashable, Sendable {
  /// It is on its way to these, behind all that came before.
  case sent(notified: [LinkID], indicated: [LinkID])
  /// There is no room for at least one of them, so nothing was sent to anybody; `readyToUpdate` tells when to try again.
  case full
}
