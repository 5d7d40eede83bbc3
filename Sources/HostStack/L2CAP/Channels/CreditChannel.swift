import BluetoothTypes
import RadioPort

/// One credit-based channel: cuts SDUs into frames and joins them again, and keeps account of the credits of both
/// directions (Core 5.4, Vol 3, Part A, 3.4 and 10.1).
struct CreditChannel: Sendable {
  enum State: Hashable, Sendable {
    /// The peer was asked, with this identifier. If nobody wants it any more, it is closed when the peer agrees.
    case opening(identifier: UInt8, isWanted: Bool)
    case open
    /// Its owner has given it up, but what was taken is to go first.
    case draining
    /// The peer was told of the end. Whether its owner waits for that.
    case closing(identifier: UInt8, isAwaited: Bool)
  }

  /// How many bytes may wait to be sent, if the peer takes no longer SDUs; one SDU may always wait.
  static let leastRoom = 8192

  let id: ChannelID
  let psm: L2CAPPSM
  /// The channel as this end numbers it.
  let local: L2CAPChannelID
  /// What this end takes.
  let own: ChannelParameters
  /// The channel as the peer numbers it; 0 until it is open.
  private(set) var remote = L2CAPChannelID(rawValue: 0)
  var state: State
  /// When the peer has waited too long with an answer.
  var deadline: RadioInstant?

  // Sending: what the peer takes, and what waits.
  private(set) var sendMTU = 0
  private var sendMPS = 0
  private(set) var sendCredits = 0
  private var queue = FIFO<[UInt8]>()
  /// The SDU that goes out now.
  private var head: [UInt8]?
  /// How much of it has gone.
  private var offset = 0
  private var waitingBytes = 0
  private var wantsRoom = false

  // Receiving: what the peer may still send, and what was not consumed.
  private var receiveCredits: Int
  private var partial: [UInt8] = []
  private var announced: Int?
  private var partialFrames = 0
  /// How many frames each SDU has taken that was not consumed, oldest first.
  private var held = FIFO<Int>()
  private var heldFrames = 0

  init(id: ChannelID, psm: L2CAPPSM, local: L2CAPChannelID, own: ChannelParameters, state: State) {
    self.id = id
    self.psm = psm
    self.local = local
    self.own = own
    self.state = state
    receiveCredits = own.credits
  }

  /// The peer has its end.
  mutating func open(remote: L2CAPChannelID, _ peer: ChannelParameters) {
    self.remote = remote
    sendMTU = peer.mtu
    sendMPS = min(peer.mps, ChannelParameters.longestFrame)
    sendCredits = peer.credits
    state = .open
    deadline = nil
  }

  var limits: ChannelLimits { ChannelLimits(send: sendMTU, receive: own.mtu) }

  // MARK: Sending

  private var room: Int { max(Self.leastRoom, sendMTU &* 2) }
  /// Whether nothing waits to be sent.
  var isDrained: Bool { head == nil }
  /// Whether a frame can go.
  var canSend: Bool { head != nil && sendCredits > 0 && (state == .open || state == .draining) }

  /// Takes an SDU that is not too long; `false` if there is no room.
  mutating func enqueue(_ sdu: [UInt8]) -> Bool {
    guard head == nil || waitingBytes &+ sdu.count <= room else {
      wantsRoom = true
      return false
    }
    waitingBytes &+= sdu.count
    if head == nil { head = sdu } else { queue.append(sdu) }
    return true
  }

  /// The next frame; it costs a credit.
  mutating func nextFrame() -> FrameBuffer? {
    guard canSend, let sdu = head else { return nil }
    sendCredits &-= 1
    let prefix = offset == 0 ? 2 : 0
    let end = min(sdu.count, offset &+ sendMPS &- prefix)
    let part = sdu[offset..<end]
    let frame = FrameBuffer(remote, capacity: prefix &+ part.count) { writer in
      if prefix > 0 { writer.write(UInt16(truncatingIfNeeded: sdu.count)) }
      writer.write(part)
    }
    waitingBytes &-= part.count
    offset = end
    if end == sdu.count {
      head = queue.popFirst()
      offset = 0
    }
    return frame
  }

  /// Whether who was refused is to be told that there is room; says so once.
  mutating func takeRoom() -> Bool {
    guard wantsRoom, head == nil || waitingBytes <= room / 2 else { return false }
    wantsRoom = false
    return true
  }

  /// Forgets what waits to be sent.
  mutating func dropQueue() {
    head = nil
    offset = 0
    queue = FIFO()
    waitingBytes = 0
  }

  /// The peer takes so many more frames.
  mutating func addCredits(_ credits: UInt16) throws(ChannelFault) {
    let sum = sendCredits &+ Int(credits)
    guard sum <= 0xFFFF else { throw .tooManyCredits(sum) }
    sendCredits = sum
  }

  // MARK: Receiving

  /// Takes a frame's payload; the SDU that it ends, if any.
  mutating func receive(_ payload: ArraySlice<UInt8>) throws(ChannelFault) -> [UInt8]? {
    guard payload.count <= own.mps else { throw .frameTooLong(payload.count, limit: own.mps) }
    guard receiveCredits > 0 else { throw .frameWithoutCredit }
    receiveCredits &-= 1
    partialFrames &+= 1
    var part = payload
    if announced == nil {
      guard part.count >= 2 else { throw .noLength }
      let length = Int(part[part.startIndex]) | Int(part[part.startIndex &+ 1]) &<< 8
      guard length <= own.mtu else { throw .sduTooLong(length, limit: own.mtu) }
      announced = length
      part = part.dropFirst(2)
      partial.reserveCapacity(length)
    }
    guard let announced else { return nil }
    guard partial.count &+ part.count <= announced else {
      throw .moreThanAnnounced(partial.count &+ part.count, announced: announced)
    }
    partial.append(contentsOf: part)
    guard partial.count == announced else { return nil }
    let sdu = partial
    partial = []
    self.announced = nil
    if state == .open {
      held.append(partialFrames)
      heldFrames &+= partialFrames
    }
    partialFrames = 0
    return sdu
  }

  /// The owner has the oldest SDU.
  mutating func consume() {
    if let frames = held.popFirst() { heldFrames &-= frames }
  }

  /// Nobody will consume anything any more.
  mutating func consumeAll() {
    held = FIFO()
    heldFrames = 0
  }

  /// The credits that the peer is to get now, in few commands; they count as given. The frames of an SDU under way do
  /// not keep their places, as the peer needs more to end it, however long it is.
  mutating func takeDueCredits() -> UInt16? {
    let due = own.credits &- heldFrames &- receiveCredits
    guard due > 0, receiveCredits == 0 || due &* 2 >= own.credits else { return nil }
    receiveCredits &+= due
    return UInt16(exactly: due)
  }
}
