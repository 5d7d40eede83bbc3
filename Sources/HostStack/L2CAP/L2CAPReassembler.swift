import BluetoothTypes

/// Puts the ACL payloads of one link together to frames again (Core 5.4, Vol 3, Part A, 7.2.2).
///
/// Payloads may be longer than the host announced (Bumble's controller sends such), and the header may be cut in two.
package struct L2CAPReassembler: Sendable {
  /// What was wrong with what came; the link goes on with the next frame.
  package enum Fault: Hashable, Sendable {
    /// A frame began before the last one was whole, which is lost.
    case unfinished(missing: Int)
    /// A payload continues a frame that did not begin.
    case noStart
    /// More bytes came than the frame announced; it is lost.
    case tooManyBytes(announced: Int, received: Int)
    /// A start without any byte.
    case empty
  }

  /// What one payload brought.
  package struct Result: Hashable, Sendable {
    package var fault: Fault?
    package var arrival: Arrival?

    package init(fault: Fault? = nil, arrival: Arrival? = nil) {
      self.fault = fault
      self.arrival = arrival
    }
  }

  /// A frame that has ended.
  package enum Arrival: Hashable, Sendable {
    /// The whole frame.
    case frame(FrameBuffer)
    /// A frame whose payload is longer than the limit: its announced length and its beginning.
    case overlong(length: Int, head: FrameBuffer)
  }

  /// The longest payload that is kept whole.
  package let limit: Int

  private var buffer = FrameBuffer()
  /// How many bytes came of the frame under way; 0 when there is none.
  private var received = 0

  package init(limit: Int) { self.limit = limit }

  /// Whether a frame is under way.
  package var isUnfinished: Bool { received > 0 }

  /// Takes the data of one ACL packet.
  package mutating func push(_ payload: FrameBuffer, isContinuation: Bool) -> Result {
    // The usual case, a frame in one packet, is passed on as it is.
    if !isContinuation, received == 0, payload.count <= capacity, Self.announced(in: payload) == payload.count {
      return Result(arrival: .frame(payload))
    }
    guard isContinuation else { return begin(payload) }
    guard received > 0 else { return Result(fault: .noStart) }
    buffer.append(payload, upTo: capacity)
    received &+= payload.count
    return finishIfWhole()
  }

  /// Forgets what is under way.
  package mutating func reset() {
    buffer = FrameBuffer()
    received = 0
  }

  private var capacity: Int { limit &+ L2CAPFrame.headerLength }

  private mutating func begin(_ payload: FrameBuffer) -> Result {
    var result = Result()
    if received > 0 {
      result.fault = .unfinished(missing: max(1, (announced ?? received) &- received))
      reset()
    }
    guard !payload.isEmpty else {
      result.fault = result.fault ?? .empty
      return result
    }
    received = payload.count
    buffer = payload.count <= capacity ? payload : FrameBuffer(payload.frame.prefix(capacity))
    let next = finishIfWhole()
    return Result(fault: result.fault ?? next.fault, arrival: next.arrival)
  }

  /// The length of the whole frame, once its header's length field is there.
  private var announced: Int? { Self.announced(in: buffer) }

  private static func announced(in buffer: FrameBuffer) -> Int? {
    buffer.count >= 2 ? Int(buffer[0]) &+ Int(buffer[1]) &<< 8 &+ L2CAPFrame.headerLength : nil
  }

  private mutating func finishIfWhole() -> Result {
    guard let announced, received >= announced else { return Result() }
    defer { reset() }
    let length = announced &- L2CAPFrame.headerLength
    guard received == announced else {
      return Result(
        fault: .tooManyBytes(announced: length, received: received &- L2CAPFrame.headerLength)
      )
    }
    return Result(arrival: length > limit ? .overlong(length: length, head: buffer) : .frame(buffer))
  }
}

extension L2CAPReassembler.Fault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unfinished(let missing):
      "a new L2CAP frame began while the last one lacked \(counted(missing, "byte")); that one is lost"
    case .noStart: "an ACL packet continues an L2CAP frame that did not begin; it is ignored"
    case .tooManyBytes(let announced, let received):
      "an L2CAP frame announced \(counted(announced, "byte")) and brought \(received); it is ignored"
    case .empty: "an ACL packet that starts an L2CAP frame is empty; it is ignored"
    }
  }
}
