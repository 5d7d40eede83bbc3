import BluetoothTypes

/// One end of a link: what its controller still has to send, and what was agreed on.
struct LinkEnd: Sendable {
  let controller: ControllerID
  /// The name of the link at this end.
  let handle: UInt16
  /// The address of the other end.
  let peer: BluetoothAddress
  /// The end is still in the connection; an end that was reset or switched off is not, and the other one does not know.
  var isPresent = true

  /// Link control goes ahead of data.
  private(set) var control: [LinkControl] = []
  private(set) var data: [OutgoingData] = []
  /// What this end asks for.
  var transmitLimit = PacketLimit.initial
  var receiveLimit = PacketLimit.supported
  /// What both ends have agreed on for this end's packets.
  var agreedLimit = PacketLimit.initial
  /// The same for the packets of the other end, as far as this end knows.
  var agreedReceiveLimit = PacketLimit.initial
  /// On which PHY this end sends.
  var phy = LinkPHY.le1M
  /// How this end sends on LE Coded.
  var coding = LinkPHY.codedS8
  /// The PHYs that this end is content with.
  var phyChoice = PHYChoice.any

  /// The packet that was sent last, until the other end has acknowledged it (Core 5.4, Vol 6, Part B, 4.5.9). The same
  /// one is sent until then.
  private var unacknowledged: LinkPacket?
  /// The other end has got that packet; it ignores it when it comes again.
  private(set) var isDelivered = false
  /// How many elements of `control` and `data` are over once it has acknowledged that packet.
  private var deliveredControl = 0
  private var deliveredData = 0
  /// The last event in which this end heard the other; before the first, -1.
  private(set) var heardIndex: Int64 = -1
  /// When that was; before the first, when the link was made. Nanoseconds.
  var heardAt: Int64 = 0

  /// Packets that the other end has acknowledged and that the host has not been told of.
  var completed: UInt16 = 0
  /// Data waits for the other end's host to make room.
  var isHeldBack = false
  var encryption = LinkEncryption()
  /// When this end gives up waiting for the other in a procedure; nanoseconds.
  var procedureDeadline: Int64?
  /// Procedures that this end began and that have not ended.
  var procedures: LinkProcedures = []
  /// The other end's features and version, once known.
  var remoteFeatures: UInt64?
  var remoteVersion: RemoteVersion?
  var hasSentVersion = false
  /// The peripheral asked for another timing and this end's host has not answered.
  var openParameterRequest: LinkTiming?

  init(controller: ControllerID, handle: UInt16, peer: BluetoothAddress) {
    self.controller = controller
    self.handle = handle
    self.peer = peer
  }

  // Asked for with every step of the air. Inlined, as an end is else copied to be asked.

  @inline(__always)
  var hasWork: Bool { isPresent && (unacknowledged != nil || hasNews) }

  /// Whether there is something that the other end has not got.
  @inline(__always)
  var hasNews: Bool {
    isPresent
      && (unacknowledged != nil && !isDelivered || control.count > deliveredControl
        || data.count > deliveredData && !isHeldBack && !encryption.isPausing)
  }

  /// Whether only the acknowledgement is missing.
  @inline(__always)
  var waitsForAcknowledgement: Bool { isPresent && unacknowledged != nil && isDelivered }

  /// The longest payload of a data packet from this end.
  var longestPayload: Int {
    max(27, min(Int(agreedLimit.octets), phy.longestPayload(microseconds: agreedLimit.time)))
  }

  mutating func queue(_ message: LinkControl) { control.append(message) }

  mutating func queue(_ packet: OutgoingData) { data.append(packet) }

  /// The packet to send now; `nil` for an empty one. Data that the other end does not take is held back from now on.
  mutating func packet(otherEndTakesData: Bool) -> LinkPacket? {
    if let unacknowledged { return unacknowledged }
    if let message = control.first {
      unacknowledged = .control(message)
    } else if let first = data.first, !encryption.isPausing {
      guard otherEndTakesData else {
        isHeldBack = true
        return nil
      }
      unacknowledged = .data(first.fragment(longestPayload))
    }
    return unacknowledged
  }

  /// How long the packet will be that this end would send now, if not longer: what follows a packet that the other end
  /// is about to acknowledge may be empty.
  @inline(__always)
  func leastPayload(otherEndTakesData: Bool) -> Int {
    if isDelivered { return 0 }
    var payload = 0
    if let unacknowledged {
      payload = unacknowledged.payload
    } else if let message = control.first {
      payload = message.payload
    } else if let first = data.first, !encryption.isPausing, otherEndTakesData {
      payload = min(first.bytes.count &- first.sent, longestPayload)
    } else {
      return 0
    }
    return payload &+ (encryption.isOn ? 4 : 0)
  }

  /// The bytes on the air of a packet from this end: those that are encrypted have a MIC of four bytes too.
  func payload(of packet: LinkPacket?) -> Int {
    guard let packet else { return 0 }
    return packet.payload &+ (encryption.isOn ? 4 : 0)
  }

  /// The other end has got the packet.
  mutating func markDelivered() {
    guard let packet = unacknowledged else { return }
    isDelivered = true
    switch packet {
    case .control: deliveredControl = 1
    case .data(let fragment): deliveredData = fragment.isLast ? 1 : 0
    }
  }

  /// The other end has acknowledged what it has got.
  mutating func acknowledge() {
    guard isDelivered, let packet = unacknowledged else { return }
    forgetPacket()
    switch packet {
    case .control: if !control.isEmpty { control.removeFirst() }
    case .data(let fragment):
      guard !data.isEmpty else { return }
      data[0].sent &+= fragment.bytes.count
      if fragment.isLast {
        data.removeFirst()
        completed &+= 1
      }
    }
  }

  /// This end has heard the other in event `index`.
  mutating func noteHeard(at index: Int64, time: Int64) {
    heardIndex = max(heardIndex, index)
    heardAt = max(heardAt, time)
  }

  /// The end is no longer in the connection.
  mutating func abandon() {
    isPresent = false
    control = []
    data = []
    forgetPacket()
    completed = 0
    procedureDeadline = nil
  }

  private mutating func forgetPacket() {
    unacknowledged = nil
    isDelivered = false
    deliveredControl = 0
    deliveredData = 0
  }
}

/// An ACL packet of the host on its way through the controller.
struct OutgoingData: Hashable, Sendable {
  var bytes: [UInt8]
  /// Whether it begins an L2CAP PDU.
  var isStart: Bool
  var sent = 0

  init(_ bytes: [UInt8], isStart: Bool) {
    self.bytes = bytes
    self.isStart = isStart
  }

  /// The next `limit` bytes.
  func fragment(_ limit: Int) -> DataFragment {
    let end = min(bytes.count, sent &+ limit)
    return DataFragment(
      // Most packets go in one piece.
      bytes: sent == 0 && end == bytes.count ? bytes : Array(bytes[min(sent, end)..<end]),
      isStart: isStart && sent == 0,
      isLast: end == bytes.count
    )
  }
}

/// A data packet on the air.
struct DataFragment: Hashable, Sendable {
  var bytes: [UInt8]
  var isStart: Bool
  /// Whether it ends the ACL packet that it is a part of.
  var isLast: Bool
}

/// What an end says in one packet.
enum LinkPacket: Hashable, Sendable {
  case control(LinkControl)
  case data(DataFragment)

  var payload: Int {
    switch self {
    case .control(let message): message.payload
    case .data(let fragment): fragment.bytes.count
    }
  }
}

/// The procedures of the link layer that an end has begun.
struct LinkProcedures: OptionSet, Sendable {
  let rawValue: UInt8

  static let features = Self(rawValue: 1)
  static let version = Self(rawValue: 2)
  static let update = Self(rawValue: 4)
  static let length = Self(rawValue: 8)
  static let phy = Self(rawValue: 16)
  static let termination = Self(rawValue: 32)
  static let encryption = Self(rawValue: 64)
}
