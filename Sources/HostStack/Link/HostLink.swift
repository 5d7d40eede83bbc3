import BluetoothTypes
import RadioPort

/// All of the host that belongs to one link: L2CAP's channels, the ATT bearer and the GATT client.
///
/// Payloads of ACL packets, calls and the time go in; ``outputs`` come out. It does no I/O, has no clock, and sends
/// frames whole: cutting them into packets, and credits, are its owner's.
package struct HostLink: Sendable {
  /// Which end of the link this is.
  package enum Role: Hashable, Sendable {
    case central
    case peripheral
  }

  /// What may differ between links.
  package struct Configuration: Hashable, Sendable {
    /// The longest ATT PDU that this end takes: 23 to 517.
    package var mtu: Int
    /// Whether to see to it, once the services are known, that a change of them is noticed: by Service Changed, the
    /// Database Hash and robust caching.
    package var watchesServices: Bool

    package init(mtu: Int = 517, watchesServices: Bool = true) {
      self.mtu = min(max(mtu, 23), 517)
      self.watchesServices = watchesServices
    }
  }

  package let id: LinkID
  package let role: Role
  package let configuration: Configuration

  /// What is to be done, oldest first. The owner takes all and leaves it empty.
  package var outputs: [LinkOutput] = []

  var reassembler: L2CAPReassembler
  var signalling: SignallingChannel
  var identifiers = SignallingIdentifiers()
  var channels = CreditChannels()
  var client: GATTClient
  private(set) var hasEnded = false

  /// - Parameter remembered: What was known of the peer's services before; used if the peer shows that it still holds.
  package init(
    id: LinkID,
    role: Role,
    configuration: Configuration = Configuration(),
    remembered: RememberedDatabase? = nil
  ) {
    self.id = id
    self.role = role
    self.configuration = configuration
    // Room for more than the MTU, so that a PDU that is too long can be named in the complaint.
    reassembler = L2CAPReassembler(limit: 1024)
    signalling = SignallingChannel(role: role)
    client = GATTClient(configuration: configuration)
    client.remember(remembered)
  }

  /// The longest ATT PDU that may be sent now, in bytes: 23 until exchanged.
  package var mtu: Int { client.mtu }

  /// What is known of the peer's services; `nil` before the first discovery and after a change.
  package var table: [RemoteService]? { client.table }

  /// When ``wake(now:)`` is due.
  package var deadline: RadioInstant? {
    var first = client.deadline
    if let other = signalling.deadline { first = min(first ?? other, other) }
    if let other = channels.deadline { first = min(first ?? other, other) }
    return first
  }

  /// The time that ``deadline`` named has come; too early does no harm.
  package mutating func wake(now: RadioInstant) {
    guard !hasEnded else { return }
    signalling.wake(now: now, &identifiers, &outputs)
    channels.wake(now: now, &identifiers, &outputs)
    client.wake(now: now, &outputs)
  }

  /// The link is gone: all that is pending ends with `failure`, and what is asked for later with `.notConnected`.
  package mutating func fail(_ failure: RadioFailure) {
    guard !hasEnded else { return }
    hasEnded = true
    reassembler.reset()
    signalling.end(failure, &outputs)
    channels.end(failure, &identifiers, &outputs)
    client.end(failure, later: Self.goneFailure, &outputs)
  }

  static let goneFailure = RadioFailure(.notConnected, reason: "the link is gone; connect again")
}

// MARK: - The client

extension HostLink {
  /// Exchanges the MTU, once on a link: `.mtu` tells what holds then, which is the old one if the peer refuses.
  /// `discover` does it by itself if nobody has.
  package mutating func exchangeMTU(_ request: RequestID? = nil, now: RadioInstant) {
    client.exchangeMTU(request, now: now, &outputs)
  }

  /// Discovers the peer's services, all at once whatever is asked for; ends with `.services`.
  package mutating func discover(_ services: [BluetoothUUID]?, request: RequestID, now: RadioInstant) {
    client.discover(services, request: request, now: now, &outputs)
  }

  /// Reads an attribute's value, whole; ends with `.value`.
  package mutating func read(_ attribute: AttributeHandle, request: RequestID, now: RadioInstant) {
    client.read(attribute, request: request, now: now, &outputs)
  }

  /// Reads the values of several attributes, whole, in as few requests as the peer knows; ends with `.values`.
  ///
  /// - Parameter lengths: How long the values are, if that is known: then also peers are asked for all at once that do
  ///   not tell the lengths.
  package mutating func read(
    _ attributes: [AttributeHandle],
    lengths: [Int]? = nil,
    request: RequestID,
    now: RadioInstant
  ) {
    client.read(attributes, lengths: lengths, request: request, now: now, &outputs)
  }

  /// Writes an attribute's value, in parts if it is too long for one PDU; ends with `.done`.
  package mutating func write(_ value: [UInt8], to attribute: AttributeHandle, request: RequestID, now: RadioInstant) {
    client.write(value, to: attribute, request: request, now: now, &outputs)
  }

  /// Writes without a reply; ends with `.done` at ``frameSent(_:)``.
  package mutating func writeWithoutResponse(_ value: [UInt8], to attribute: AttributeHandle, request: RequestID) {
    client.writeWithoutResponse(value, to: attribute, request: request, &outputs)
  }

  /// The request's result is not wanted any more and will not come; what was not sent yet never is.
  package mutating func abandon(_ request: RequestID) { client.abandon(request, &outputs) }

  /// Subscribes; ends with `.subscribed`, and values may come before that.
  package mutating func subscribe(
    to characteristic: RemoteCharacteristic,
    subscription: SubscriptionID,
    now: RadioInstant
  ) {
    client.subscribe(to: characteristic, subscription: subscription, now: now, &outputs)
  }

  /// Ends a subscription: no more values at once, and `.unsubscribed` when the peer knows. One whose `.subscribed` is
  /// still due gets that too, as a failure.
  package mutating func unsubscribe(_ subscription: SubscriptionID, now: RadioInstant) {
    client.unsubscribe(subscription, now: now, &outputs)
  }

  /// The controller has all of the frame.
  package mutating func frameSent(_ token: FrameToken, now: RadioInstant) {
    switch token {
    case .write(let request): client.commandSent(request, &outputs)
    case .server: break
    case .channel: if !hasEnded { channels.frameSent(now: now, &identifiers, &outputs) }
    }
  }
}

// MARK: - The server and the link layer

extension HostLink {
  /// Sends a PDU of the server at this end.
  ///
  /// - Throws: `.tooLong` if it is longer than the MTU, and `.notConnected`.
  package mutating func sendServerPDU(_ pdu: [UInt8], token: UInt64? = nil) throws(RadioFailure) {
    guard !hasEnded else { throw Self.goneFailure }
    guard pdu.count <= mtu else {
      let name = pdu.first.map { ATTOpcode(rawValue: $0).description } ?? "PDU"
      throw RadioFailure(.tooLong, reason: "the \(name) has \(counted(pdu.count, "byte")); the link takes \(mtu)")
    }
    outputs.append(.frame(FrameBuffer(.att, payload: pdu), token.map(FrameToken.server)))
  }

  /// Sends bytes as an ATT PDU without a look at them, even if they are longer than the MTU: for devices that are to
  /// misbehave.
  package mutating func sendUncheckedPDU(_ pdu: [UInt8]) {
    guard !hasEnded else { return }
    outputs.append(.frame(FrameBuffer(.att, payload: pdu), nil))
  }

  /// As peripheral, asks the central for connection parameters; ends with `.parameterUpdateAnswered`. A wish that waits
  /// for the answer to an earlier one is replaced.
  ///
  /// - Throws: `.invalidArgument` for parameters out of range, and as central, which asks its controller instead.
  package mutating func requestParameterUpdate(
    _ parameters: L2CAPConnectionParameterUpdateRequest,
    now: RadioInstant
  ) throws(RadioFailure) {
    guard !hasEnded else { throw Self.goneFailure }
    guard role == .peripheral else {
      throw RadioFailure(.invalidArgument, reason: "only a peripheral asks for connection parameters over L2CAP")
    }
    guard parameters.isValid else {
      throw RadioFailure(.invalidArgument, reason: "the connection parameters are out of range: \(parameters)")
    }
    signalling.requestUpdate(parameters, now: now, &identifiers, &outputs)
  }
}
