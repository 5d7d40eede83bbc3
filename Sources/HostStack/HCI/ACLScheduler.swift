import BluetoothTypes

/// Shares the controller's data buffers among the links (Core 5.4, Vol 4, Part E, 4.1): cuts frames into fragments,
/// serves the links in turn and never has more fragments under way than the controller has buffers.
package struct ACLScheduler: Sendable {
  fileprivate struct Frame: Sendable {
    var buffer: FrameBuffer
    let token: FrameToken?

    /// Gives the frame away, so that its bytes have a new owner alone.
    mutating func take() -> FrameBuffer {
      var taken = FrameBuffer()
      swap(&taken, &buffer)
      return taken
    }
  }

  fileprivate struct Link: Sendable {
    let handle: UInt16
    var frames: [Frame] = []
    /// The frame that goes out now.
    var head = 0
    /// How much of it went out.
    var offset = 0
    var inFlight = 0
    /// How many of the frames have no token.
    var answers = 0

    var isWaiting: Bool { head < frames.count }
  }

  /// A frame whose last fragment was handed over.
  package struct Handed: Equatable, Sendable {
    /// The link's handle.
    package let handle: UInt16
    /// What the sender named the frame.
    package let token: FrameToken
  }

  /// What a controller claims that can not be.
  package enum Problem: Equatable, Sendable {
    /// More packets completed than were under way; the excess was ignored.
    case excess(handle: UInt16, reported: Int, inFlight: Int)
    /// Packets completed on a handle that is not open; ignored.
    case unknownHandle(UInt16)
  }

  /// How many frames without a token may wait on one link. Who sends with a token waits for it; the others are answers
  /// to the peer, which a peer that keeps to the protocol has few of, and our own single request.
  package static let answerLimit = 256

  /// The longest fragment, in bytes.
  package private(set) var fragmentLength = 27
  /// How many buffers the controller has.
  package private(set) var total = 0
  private var inFlight = 0
  private var links: [Link] = []
  private var turn = 0

  package init() {}

  /// How many fragments the controller takes now.
  package var credits: Int { max(0, total - inFlight) }

  /// The controller's buffers: how many, and how long each. Drops all links.
  package mutating func configure(fragmentLength: Int, count: Int) {
    self = ACLScheduler()
    self.fragmentLength = max(1, fragmentLength)
    total = max(0, count)
  }

  /// A link came up.
  package mutating func open(_ handle: UInt16) {
    close(handle)
    links.append(Link(handle: handle))
  }

  /// A link is gone: what waits is dropped, and the controller has freed its buffers.
  package mutating func close(_ handle: UInt16) {
    guard let index = index(of: handle) else { return }
    inFlight -= links[index].inFlight
    links.remove(at: index)
    if turn > index { turn -= 1 }
  }

  /// Drops what waits on a link whose data nobody wants any more; a frame that was begun is finished, as the peer
  /// would else take the next frame for its rest.
  package mutating func discardWaiting(_ handle: UInt16) {
    guard let index = index(of: handle), links[index].isWaiting else { return }
    let keep = links[index].offset > 0 ? links[index].head + 1 : links[index].head
    links[index].answers -= links[index].frames[keep...].count { $0.token == nil }
    links[index].frames.removeSubrange(keep...)
  }

  /// Puts a frame at the end of its link's queue. A frame for a link that is not open is dropped.
  ///
  /// - Returns: Whether there was room; `false` when too many frames without a token wait already.
  @discardableResult
  package mutating func enqueue(_ frame: FrameBuffer, on handle: UInt16, token: FrameToken? = nil) -> Bool {
    guard !frame.isEmpty, let index = index(of: handle) else { return true }
    if token == nil {
      guard links[index].answers < Self.answerLimit else { return false }
      links[index].answers += 1
    }
    links[index].frames.append(Frame(buffer: frame, token: token))
    return true
  }

  /// Takes back a frame of which nothing was sent yet; else does nothing.
  package mutating func withdraw(_ token: FrameToken, on handle: UInt16) {
    guard let index = index(of: handle) else { return }
    let start = links[index].head + (links[index].offset > 0 ? 1 : 0)
    guard start < links[index].frames.count,
      let found = links[index].frames[start...].firstIndex(where: { $0.token == token })
    else { return }
    links[index].frames.remove(at: found)
  }

  /// A Number Of Completed Packets event came.
  package mutating func completed(_ handle: UInt16, count: UInt16) -> Problem? {
    guard let index = index(of: handle) else { return .unknownHandle(handle) }
    let freed = min(Int(count), links[index].inFlight)
    let before = links[index].inFlight
    links[index].inFlight -= freed
    inFlight -= freed
    return freed == Int(count) ? nil : .excess(handle: handle, reported: Int(count), inFlight: before)
  }

  private func index(of handle: UInt16) -> Int? {
    // In a span, as a link is else copied to be asked.
    let links = links.span
    return links.indices.first { links[$0].handle == handle }
  }

  /// Whether frames wait on a link.
  package func isWaiting(on handle: UInt16) -> Bool { links.contains { $0.handle == handle && $0.isWaiting } }

  /// Takes the next fragment that may be sent now, and the frame that it ends, if any.
  package mutating func nextPacket() -> (packet: HCIPacket, handed: Handed?)? {
    guard credits > 0, !links.isEmpty else { return nil }
    // Each other link keeps a buffer in reach, so that one whose peer is silent can not take them all.
    let share = max(1, total - (links.count - 1))
    for step in 0..<links.count {
      let place = turn &+ step
      let index = place < links.count ? place : place &- links.count
      guard links[index].isWaiting, links[index].inFlight < share else { continue }
      turn = index &+ 1 < links.count ? index &+ 1 : 0
      return takeFragment(of: index)
    }
    return nil
  }

  private mutating func takeFragment(of index: Int) -> (packet: HCIPacket, handed: Handed?) {
    let handle = links[index].handle
    let start = links[index].offset
    let count = links[index].headCount
    let end = min(count, start &+ fragmentLength)
    links[index].inFlight += 1
    inFlight += 1
    if start == 0, end == count {
      // The usual case: the frame is the packet's data as it is.
      let (buffer, token) = links[index].takeHead()
      let packet = ACLPacket(connectionHandle: handle, boundary: .firstNonFlushable, consume buffer).packet
      return (packet, token.map { Handed(handle: handle, token: $0) })
    }
    let packet = ACLPacket(
      connectionHandle: handle,
      boundary: start == 0 ? .firstNonFlushable : .continuing,
      data: links[index].part(start..<end)
    ).packet
    guard end == count else {
      links[index].offset = end
      return (packet, nil)
    }
    return (packet, links[index].takeHead().token.map { Handed(handle: handle, token: $0) })
  }
}

extension ACLScheduler.Link {
  /// How long the frame that goes out now is.
  fileprivate var headCount: Int { frames[head].buffer.count }

  /// A part of the frame that goes out now.
  fileprivate func part(_ range: Range<Int>) -> ArraySlice<UInt8> {
    frames[head].buffer.frame.dropFirst(range.lowerBound).prefix(range.count)
  }

  /// Takes out the frame that goes out now, as all of it has gone.
  fileprivate mutating func takeHead() -> (buffer: FrameBuffer, token: FrameToken?) {
    let token = frames[head].token
    let buffer = frames[head].take()
    if token == nil { answers -= 1 }
    offset = 0
    head += 1
    if head == frames.count {
      // Nearly always there is one frame; to take that off the end costs a tenth.
      if head == 1 { frames.removeLast() } else { frames.removeAll(keepingCapacity: true) }
      head = 0
    } else if head >= 64 {
      frames.removeFirst(head)
      head = 0
    }
    return (buffer, token)
  }
}
