import BluetoothTypes
import HostStack

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
  /// one is sent until then; what is in it stays the first in its queue.
  private var unacknowledged: SentPacket?
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
  /// Procedures that this end began and that have not ended.
  var procedures: LinkProcedures = []
  /// In which procedures this end waits for the other.
  var waits = ProcedureWaits()
  /// Which procedures with an instant stand in the way of others.
  var instants = InstantProcedures()
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

  /// When this end gives up waiting for the other in a procedure; nanoseconds.
  @inline(__always)
  var procedureDeadline: Int64? { waits.deadline }

  // Asked for with every step of the air. Inlined, as an end is else copied to be asked.

  /// Who this end is.
  @inline(__always)
  var name: LinkEnds.Name { LinkEnds.Name(controller: controller, handle: handle, isPresent: isPresent) }

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

  /// When it gives up unless it hears the other end before; `nil` if it has left the link itself.
  @inline(__always)
  func lossTime(_ timing: LinkTiming) -> Int64? {
    guard isPresent else { return nil }
    // Before the first packet six intervals are allowed (Core 5.4, Vol 6, Part B, 4.5.2).
    return heardAt &+ (heardIndex >= 0 ? timing.timeoutNanoseconds : 6 &* timing.intervalNanoseconds)
  }

  /// The longest payload of a data packet from this end.
  @inline(__always)
  var longestPayload: Int {
    max(27, min(Int(agreedLimit.octets), phy.longestPayload(microseconds: agreedLimit.time)))
  }

  mutating func queue(_ message: LinkControl) { control.append(message) }

  mutating func queue(_ packet: consuming OutgoingData) { data.append(packet) }

  /// Settles which packet is sent now: the one that is not acknowledged, else the next one, else an empty one. Data that
  /// the other end does not take is held back from now on.
  mutating func choosePacket(otherEndTakesData: Bool) {
    guard unacknowledged == nil else { return }
    unacknowledged = nextPacket(after: nil, otherEndTakesData: otherEndTakesData)
    if unacknowledged == nil, !data.isEmpty, !encryption.isPausing { isHeldBack = true }
  }

  /// What is sent behind `packet`, or if that is `nil` first of all; `nil` for an empty packet.
  @inline(__always)
  private func nextPacket(after packet: SentPacket?, otherEndTakesData: Bool) -> SentPacket? {
    let passed = packet.map { $0.isControl ? 1 : 0 } ?? 0
    if control.count > passed { return SentPacket(isControl: true, payload: control[passed].payload) }
    guard otherEndTakesData, !encryption.isPausing else { return nil }
    var (place, sent) = (0, data.first?.sent ?? 0)
    if let packet, !packet.isControl, let first = data.first {
      sent &+= packet.payload
      if sent >= first.count { (place, sent) = (1, 0) }
    }
    guard data.count > place else { return nil }
    return SentPacket(isControl: false, payload: min(data[place].count &- sent, longestPayload))
  }

  /// The bytes on the air of the packet that is sent now.
  @inline(__always)
  var payload: Int { payload(of: unacknowledged) }

  /// Those of the packet that would be sent now if the other end acknowledged the one that it has got.
  @inline(__always)
  func payloadAfterAcknowledgement(otherEndTakesData: Bool) -> Int {
    payload(of: nextPacket(after: unacknowledged, otherEndTakesData: otherEndTakesData))
  }

  /// Packets that are encrypted have a MIC of four bytes too, unless they are empty.
  @inline(__always)
  private func payload(of packet: SentPacket?) -> Int {
    packet.map { $0.payload &+ (encryption.isOn ? 4 : 0) } ?? 0
  }

  /// How long the packet will be that this end would send now, if not longer: what follows a packet that the other end
  /// is about to acknowledge may be empty.
  @inline(__always)
  mutating func leastPayload(otherEndTakesData: Bool) -> Int {
    if isDelivered { return 0 }
    var payload = 0
    if let unacknowledged {
      payload = unacknowledged.payload
    } else if let message = control.first {
      payload = message.payload
    } else if let first = data.first, !encryption.isPausing, otherEndTakesData {
      payload = min(first.count &- first.sent, longestPayload)
    } else {
      return 0
    }
    return payload &+ (encryption.isOn ? 4 : 0)
  }

  /// The other end gets the packet that was sent; `nil` for an empty one, and for one that it has had already.
  mutating func deliver() -> LinkPacket? {
    guard let packet = unacknowledged, !isDelivered else { return nil }
    isDelivered = true
    guard !packet.isControl else {
      deliveredControl = 1
      return control.first.map(LinkPacket.control)
    }
    guard !data.isEmpty, let fragment = data[0].fragment(packet.payload) else { return nil }
    deliveredData = fragment.isLast ? 1 : 0
    return .data(fragment)
  }

  /// The other end has acknowledged what it has got.
  mutating func acknowledge() {
    guard isDelivered, let packet = unacknowledged else { return }
    forgetPacket()
    if packet.isControl {
      control.removeHead()
    } else if !data.isEmpty {
      data[0].sent &+= packet.payload
      guard data[0].isSent else { return }
      data.removeHead()
      completed &+= 1
    }
  }

  /// Why it gives up now; `nil` if it does not.
  mutating func ending(at now: Int64, lossTime: Int64?) -> HCIStatus? {
    if let lossTime, lossTime <= now {
      // One that has said good-bye, and nobody was there to hear it, ends as it wished (Core 5.4, Vol 6, Part B, 5.1.6).
      if procedures.contains(.termination) { return .connectionTerminatedByLocalHost }
      return heardIndex >= 0 ? .connectionTimeout : .connectionFailedToBeEstablished
    }
    guard let deadline = procedureDeadline, deadline <= now else { return nil }
    return .llResponseTimeout
  }

  /// How many packets the other end has got by now, if the host is to be told as so many wait for that.
  mutating func takeCompleted(atLeast least: UInt16) -> UInt16? {
    guard completed > 0, completed >= least else { return nil }
    defer { completed = 0 }
    return completed
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
    waits = ProcedureWaits()
    instants = InstantProcedures()
  }

  private mutating func forgetPacket() {
    unacknowledged = nil
    isDelivered = false
    deliveredControl = 0
    deliveredData = 0
  }
}

extension Array {
  /// Removes the first element, which is nearly always the only one and then costs a tenth of what `removeFirst` does.
  fileprivate mutating func removeHead() {
    if count < 2 { _ = popLast() } else { removeFirst() }
  }
}

/// An ACL packet of the host on its way through the controller.
struct OutgoingData: Hashable, Sendable {
  /// Gone once the other end has got it as a whole: what is left to do needs only its length.
  private var packet: ACLPacket?
  /// How long the data is.
  let count: Int
  var sent = 0
  /// Whether the other end has all of it.
  var isSent: Bool { sent >= count }

  init(_ packet: consuming ACLPacket) {
    count = packet.dataCount
    self.packet = packet
  }

  /// The next `limit` bytes, which the other end gets now. Most packets go in one piece, which is moved and not copied.
  mutating func fragment(_ limit: Int) -> DataFragment? {
    let end = min(count, sent &+ limit)
    let isLast = end == count
    if sent == 0, isLast { return packet.take().map { DataFragment(packet: $0, isLast: true) } }
    guard let packet else { return nil }
    let part = ACLPacket(
      connectionHandle: packet.connectionHandle,
      boundary: sent == 0 ? packet.boundary : .continuing,
      data: packet.bytes[ACLPacket.headerLength...].dropFirst(sent).prefix(end &- sent)
    )
    return DataFragment(packet: part, isLast: isLast)
  }
}

/// A data packet on the air.
struct DataFragment: Hashable, Sendable {
  /// The data, with the sender's name for the link.
  var packet: ACLPacket
  /// Whether it ends the ACL packet that it is a part of.
  var isLast: Bool
}

/// What an end says in one packet.
enum LinkPacket: Hashable, Sendable {
  case control(LinkControl)
  case data(DataFragment)
}

/// A packet that an end has sent: from which of its queues, and how many bytes.
struct SentPacket: Hashable, Sendable {
  var isControl: Bool
  var payload: Int
}
