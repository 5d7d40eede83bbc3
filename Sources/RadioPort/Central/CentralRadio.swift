import BluetoothTypes

/// What a radio can do in the central role.
///
/// A radio is an actor on its own executor. Its users are actors on the same executor and enter with `assumeIsolated`,
/// so that a call and all it causes is one step. Every closure that a radio is given is called on that executor too.
///
/// Rules for who implements a radio, and for who uses one:
/// - A completion is called exactly once, for each call, whatever happens: with the reply, or with the cause of its
///   absence. It may be called before the method returns. After `abandon` it is not called any more.
/// - Several owners share a radio. Scans, claims on links and subscriptions are counted by the radio: what one owner
///   gives up stays in place for the others.
/// - Where a link is named that is gone, the failure is `.notConnected`; where it goes while the operation runs,
///   `.disconnected`; where the radio is off or goes off, `.poweredOff`.
/// - Time limits of callers are the callers' own; a radio knows only those of the protocol.
public protocol CentralRadio: ChannelRadio {
  // MARK: Scanning

  /// Starts a scan of its own next to all others. `ended` is called once if the scan ends without `stopScan`: it could
  /// not start, or the radio went off.
  func startScan(
    _ request: ScanRequest,
    sighting: @escaping @Sendable (Sighting) -> Void,
    ended: @escaping @Sendable (RadioFailure) -> Void
  ) -> ScanID

  /// Ends a scan; `ended` is not called.
  func stopScan(_ scan: ScanID)

  // MARK: Links

  /// Claims a link to `peer`: makes one, or joins the one that is there. Waits without limit until the device is heard.
  ///
  /// - Parameters:
  ///   - events: Called for everything that happens to the link after `completion` had it, until it is gone.
  ///   - completion: Called once with the link or with the reason that there is none.
  func connect(
    to peer: PeerID,
    options: LinkOptions,
    events: @escaping @Sendable (LinkEvent) -> Void,
    completion: @escaping @Sendable (Result<LinkID, RadioFailure>) -> Void
  ) -> ClaimID

  /// Those of the named devices that this radio can connect to without having heard them in a scan of this run, in the
  /// order of the names.
  func knownPeers(among peers: [PeerID]) -> [KnownPeer]

  /// The devices that this radio is connected to as their central, whoever of the system has asked for that, and that
  /// offer at least one of these services; with none named, as far as the radio can tell without them. To know what a
  /// device offers the radio may have to ask it.
  func connectedPeers(offering services: [BluetoothUUID], completion: @escaping @Sendable ([KnownPeer]) -> Void)

  /// Gives up a claim; none of its closures is called any more. A connect that is pending is cancelled at the radio at
  /// once, and a link that comes up in spite of it is dropped. When the last claim on a link goes, the link is ended.
  ///
  /// - Parameter completion: Called once, when the link is gone or was left to its other owners; within a bound of the
  ///   radio's own, whatever the peer does.
  func release(_ claim: ClaimID, completion: @escaping @Sendable () -> Void)

  /// The strength of the link in dBm.
  func readRSSI(
    of link: LinkID,
    completion: @escaping @Sendable (Result<Int, RadioFailure>) -> Void
  ) -> RequestID

  /// Asks for other PHYs on a link of either role. Where they change, both ends are told by an event of the link.
  ///
  /// - Parameter completion: Called once: with the PHYs that are in use then, which need not be those that were asked
  ///   for, or with the failure: `.unsupported` where the radio or the peer has no other PHY.
  func setPHYs(
    _ preference: PHYPreference,
    of link: LinkID,
    completion: @escaping @Sendable (Result<LinkPHYs, RadioFailure>) -> Void
  )

  // MARK: All links

  /// Tells of every link of the radio, whoever asked for it and whichever end made it, until `endObservation`: of those
  /// that there are before this returns, in the order in which they came, and of each that comes or goes from then on.
  func observePeers(_ observer: @escaping @Sendable (PeerEvent) -> Void) -> RadioObservation

  /// Whether the radio hears, and connects to, what is advertised by the extended packets of Bluetooth 5. `false` until
  /// the radio is on.
  var hasExtendedAdvertising: Bool { get }

  // MARK: The peer's attributes

  /// Discovers what the peer offers: the named services or, with `nil`, all; with included services, characteristics and
  /// descriptors. What the radio knows of this link is not asked for again.
  func discover(
    _ services: [BluetoothUUID]?,
    on link: LinkID,
    completion: @escaping @Sendable (Result<[RemoteService], RadioFailure>) -> Void
  ) -> RequestID

  /// Reads a characteristic's or a descriptor's value, whole, however long it is.
  func read(
    _ attribute: AttributeHandle,
    on link: LinkID,
    completion: @escaping @Sendable (Result<[UInt8], RadioFailure>) -> Void
  ) -> RequestID

  /// Reads the values of several characteristics or descriptors, whole, in their order, in as few requests as the peer
  /// knows. If one of them can not be read, all fail with that. A radio that can only read one value at a time fails
  /// with `.unsupported`.
  func read(
    _ attributes: [AttributeHandle],
    on link: LinkID,
    completion: @escaping @Sendable (Result<[[UInt8]], RadioFailure>) -> Void
  ) -> RequestID

  /// Writes a characteristic's or a descriptor's value and waits for the peer's reply.
  func write(
    _ value: [UInt8],
    to attribute: AttributeHandle,
    on link: LinkID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> RequestID

  /// Writes a characteristic's value without a reply, in order. Completes when the controller has taken the packet, so
  /// who waits for it never has more under way than there is room for.
  func writeWithoutResponse(
    _ value: [UInt8],
    to attribute: AttributeHandle,
    on link: LinkID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> RequestID

  /// The caller no longer wants the result of a request. What was not sent yet is never sent; what was sent keeps its
  /// place until its reply comes. Without effect on a request that has ended: the caller may have given up from another
  /// thread just then.
  func abandon(_ request: RequestID)

  /// Subscribes to a characteristic. The handler is in place before the peer is asked, each value reaches each handler
  /// once, and the peer is asked only for the first subscriber.
  ///
  /// - Parameters:
  ///   - handler: Called for each value, until `unsubscribe` or the link's end.
  ///   - completion: Called once, when the peer has agreed; at a failure the handler is gone.
  func subscribe(
    to characteristic: RemoteCharacteristic,
    on link: LinkID,
    handler: @escaping @Sendable ([UInt8]) -> Void,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  ) -> SubscriptionID

  /// Ends a subscription at once; the peer is told when it was the last of its characteristic.
  ///
  /// - Parameter completion: Called once, when the peer has agreed or was not asked.
  func unsubscribe(
    _ subscription: SubscriptionID,
    completion: @escaping @Sendable (Result<Void, RadioFailure>) -> Void
  )
}

extension CentralRadio {
  /// Fails with `.unsupported`.
  public func read(
    _ attributes: [AttributeHandle],
    on link: LinkID,
    completion: @escaping @Sendable (Result<[[UInt8]], RadioFailure>) -> Void
  ) -> RequestID {
    completion(
      .failure(RadioFailure(.unsupported, reason: "this radio reads one value at a time: read each by itself"))
    )
    return RequestID(rawValue: 0)
  }

  /// The devices whose names hold their address.
  public func knownPeers(among peers: [PeerID]) -> [KnownPeer] {
    peers.filter { $0.address != nil }.map { KnownPeer($0) }
  }

  /// None, for radios that are not shared.
  public func connectedPeers(
    offering services: [BluetoothUUID],
    completion: @escaping @Sendable ([KnownPeer]) -> Void
  ) {
    completion([])
  }

  /// For radios that do not let one choose.
  public func setPHYs(
    _ preference: PHYPreference,
    of link: LinkID,
    completion: @escaping @Sendable (Result<LinkPHYs, RadioFailure>) -> Void
  ) {
    completion(.failure(RadioFailure(.unsupported, reason: "this radio chooses the PHY of its links by itself")))
  }
}

/// The PHYs of a link.
public struct LinkPHYs: Hashable, Sendable {
  /// Of the packets from here to the peer.
  public var transmit: RadioPHY
  /// Of the packets from the peer.
  public var receive: RadioPHY

  /// The PHYs of both directions.
  public init(transmit: RadioPHY, receive: RadioPHY) {
    self.transmit = transmit
    self.receive = receive
  }
}

/// Names one request of one radio.
public struct RequestID: Hashable, Sendable {
  /// Given out by the radio, never twice.
  public let rawValue: UInt64
  /// An identifier from the number that the radio chose.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names one subscription of one radio.
public struct SubscriptionID: Hashable, Sendable {
  /// Given out by the radio, never twice.
  public let rawValue: UInt64
  /// An identifier from the number that the radio chose.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}
