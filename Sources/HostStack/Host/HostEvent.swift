import BluetoothTypes
import RadioPort

/// What a host tells its owner.
package enum HostEvent: Sendable {
  /// Whether the host can be used.
  case state(RadioState)

  // MARK: Central

  /// These scans hear of an advertiser. Indirect, as it alone is twice as long as all others, which are moved often.
  indirect case sighting(Sighting, [ScanID])
  /// A scan ended by itself.
  case scanEnded(ScanID, RadioFailure)
  /// A claim has its link, or never will.
  case claimed(ClaimID, Result<LinkID, RadioFailure>)
  /// What was claimed is given up for good.
  case released(ClaimID)
  /// Something happened to the link of these claims.
  case link(LinkEvent, [ClaimID])
  /// A link of either role has come or gone, or the services of its peer are known.
  case peer(PeerEvent)
  case rssi(RequestID, Result<Int, RadioFailure>)
  case phys(RequestID, Result<LinkPHYs, RadioFailure>)
  /// A link was to be encrypted.
  case encrypted(RequestID, Result<LinkSecurity, RadioFailure>)
  case discovered(RequestID, Result<[RemoteService], RadioFailure>)
  case read(RequestID, Result<[UInt8], RadioFailure>)
  case readSeveral(RequestID, Result<[[UInt8]], RadioFailure>)
  /// A write of either kind is done.
  case wrote(RequestID, Result<Void, RadioFailure>)
  case subscribed(SubscriptionID, Result<Void, RadioFailure>)
  case unsubscribed(SubscriptionID, Result<Void, RadioFailure>)
  case value(SubscriptionID, [UInt8])
  /// A subscription went with its link.
  case subscriptionEnded(SubscriptionID)

  // MARK: Peripheral

  /// Advertising began.
  /// - Parameter 0: The set.
  case advertisingStarted(UInt8)
  /// Advertising ended, as it was told to or for a reason.
  ///
  /// - Parameter 0: The set.
  case advertisingStopped(UInt8, RadioFailure?)
  /// What a set was to advertise is refused for a reason; what it advertised before goes on.
  case advertisingRefused(UInt8, RadioFailure)
  /// A central has connected, or the peer of a link that was made here has used the server for the first time.
  case centralConnected(LinkID)
  /// A central is gone.
  case centralDisconnected(LinkID, RadioFailure)
  /// The MTU of a central's link has changed.
  case centralMTU(LinkID, Int)
  /// The connection parameters of a central's link have changed.
  case centralParameters(LinkID, interval: Duration, latency: UInt16, supervisionTimeout: Duration)
  /// The PHYs of a central's link have changed.
  case centralPHYs(LinkID, LinkPHYs)
  /// The length of packets on a central's link has changed.
  case centralDataLength(LinkID, transmit: Int, receive: Int)
  /// A wish for connection parameters of a central has ended.
  case parametersAnswered(LinkID, Result<Void, RadioFailure>)
  /// A client wants a value of the owner's: give the answer to `answer`.
  case ownerRequest(LinkID, ReplyID, OwnerRequest)
  /// A client has done something to the attributes.
  case serverNotice(LinkID, ServerNotice)
  /// There is room for notifications again after a refusal.
  case roomToNotify(LinkID)
  /// A client has sent this PDU: tell `resolve` what becomes of it.
  case intercepted(InterceptID, LinkID, [UInt8])

  // MARK: Channels

  /// A peer wants a channel on a PSM: tell `resolve(channel:_:now:)` what becomes of it.
  case channelWished(InterceptID, LinkID, L2CAPPSM)
  /// A channel that was asked for is open, or never will be.
  case channelOpened(ChannelID, Result<ChannelInfo, RadioFailure>)
  /// A peer has opened a channel on a PSM that is published.
  case channelArrived(ChannelID, ChannelListenerID, ChannelInfo)
  /// An SDU came: tell ``Host/consumed(_:on:now:)`` when its place is free.
  case channelReceived(ChannelID, [UInt8])
  /// There is room to send on a channel after a refusal.
  case channelRoom(ChannelID)
  /// A channel has ended by itself; with `nil` because the peer closed it.
  case channelEnded(ChannelID, RadioFailure?)
  /// A channel was closed here, and that is done.
  case channelReleased(ChannelID)

  // MARK: Log

  /// Something is not as it should be, and was dealt with.
  case report(HostReport)
}

/// What comes out of a host, in order.
package enum HostOutput: Sendable {
  /// Send this to the controller.
  case send(HCIPacket)
  /// Tell the owner.
  case event(HostEvent)
}

/// Something that a controller or a peer did wrong and that the host got over.
package struct HostReport: Hashable, Sendable, CustomStringConvertible {
  /// What it is about; an open set.
  package struct Kind: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// A packet from the controller could not be read.
    package static let malformedPacket = Self(rawValue: "malformed packet")
    /// An event or a kind of packet that the host does not know.
    package static let unknownPacket = Self(rawValue: "unknown packet")
    /// An event that fits nothing that goes on.
    package static let unexpectedEvent = Self(rawValue: "unexpected event")
    /// Data for a link that is not there.
    package static let unknownLink = Self(rawValue: "unknown link")
    /// The controller's count of packets is impossible.
    package static let flowControl = Self(rawValue: "flow control")
    /// The controller refused a command.
    package static let refusedCommand = Self(rawValue: "refused command")
    /// Advertising data that can not be read to its end.
    package static let malformedAdvertisement = Self(rawValue: "malformed advertisement")
    /// A peer broke the protocol.
    package static let peer = Self(rawValue: "peer")
    /// The owner of a value did what makes no sense.
    package static let owner = Self(rawValue: "owner")
  }

  package let kind: Kind
  package let text: String

  package init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  package var description: String { "\(kind.rawValue): \(text)" }
}

/// Names a PDU of a client that waits for the owner's word.
package struct InterceptID: Hashable, Sendable {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// What becomes of a peer's wish for a channel.
package enum ChannelInterception: Hashable, Sendable {
  /// It is let in, or refused, as if nothing had been.
  case serve
  /// It is refused.
  case refuse(L2CAPConnectionResult)
  /// It never gets an answer.
  case ignore
}

/// What becomes of a PDU that was intercepted. Until the word comes, the client waits.
package enum Interception: Hashable, Sendable {
  /// The server answers as if nothing had been.
  case serve
  /// This PDU goes back, whatever it is.
  case answer([UInt8])
  /// The server refuses.
  case error(ATTErrorCode)
  /// The client never gets an answer.
  case ignore
}
