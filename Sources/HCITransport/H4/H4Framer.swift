import BluetoothTypes

/// Cuts a stream of bytes into HCI packets (Core 5.4, Vol 4, Part A): takes chunks of any size and gives whole packets.
///
/// H4 has no mark to find the next packet by: once something else than HCI was read, the stream is lost, and the framer
/// repeats its error from then on.
package struct H4Framer: Sendable {
  /// Who listens to the stream.
  package enum Side: Hashable, Sendable {
    /// A host: no command may come.
    case host
    /// A controller: no event may come.
    case controller
  }

  private let side: Side
  private let lengthLimit: Int
  /// What has come and was not given out; the bytes in front of `start` were.
  private var buffer: [UInt8] = []
  private var start = 0
  /// The offset of the buffer's first byte in the stream.
  private var bufferOffset: UInt64 = 0
  private var failure: H4Error?

  /// The longest packet that H4 can express: ACL data with indicator and header.
  package static let greatestLength = 1 + 4 + 0xFFFF

  /// - Parameters:
  ///   - side: Who listens, which says what may come.
  ///   - lengthLimit: The longest packet to take, in bytes with the indicator.
  package init(side: Side, lengthLimit: Int = H4Framer.greatestLength) {
    self.side = side
    self.lengthLimit = lengthLimit
  }

  /// How many bytes of an unfinished packet are there.
  package var pendingCount: Int { buffer.count &- start }

  /// Takes the next bytes of the stream.
  package mutating func append(_ chunk: some Collection<UInt8>) {
    if start == buffer.count {
      bufferOffset &+= UInt64(start)
      buffer.removeAll(keepingCapacity: true)
      start = 0
    } else if start > 4096 {
      bufferOffset &+= UInt64(start)
      buffer.removeSubrange(..<start)
      start = 0
    }
    buffer.append(contentsOf: chunk)
  }

  /// The next whole packet; `nil` until more bytes come.
  ///
  /// - Throws: ``H4Error`` if what comes next is no packet.
  package mutating func next() throws(H4Error) -> HCIPacket? {
    if let failure { throw failure }
    guard start < buffer.count else { return nil }
    let indicator = buffer[start]
    guard let kind = HCIPacket.Kind(rawValue: indicator) else { throw fail(.unknownIndicator(indicator)) }
    guard side.takes(kind) else { throw fail(.wrongDirection(kind)) }
    guard let length = packetLength(kind) else { return nil }
    guard length <= lengthLimit else { throw fail(.tooLong(kind, length: length, limit: lengthLimit)) }
    guard pendingCount >= length else { return nil }
    let packet = HCIPacket(Array(buffer[start..<(start &+ length)]))
    start &+= length
    return packet
  }

  /// The length of the packet at `start`, with indicator and header; `nil` as long as the header is not there.
  private func packetLength(_ kind: HCIPacket.Kind) -> Int? { Self.packetLength(kind, in: buffer, at: start) }

  /// The length of the packet of this kind that begins at `start`, with indicator and header; `nil` if the header is not
  /// all there.
  static func packetLength(_ kind: HCIPacket.Kind, in bytes: [UInt8], at start: Int) -> Int? {
    let headerLength =
      switch kind {
      case .event: 3
      case .command, .synchronous: 4
      case .acl, .isochronous: 5
      }
    guard bytes.count &- start >= headerLength else { return nil }
    let last = start &+ headerLength &- 1
    let payload =
      switch kind {
      case .event, .command, .synchronous: Int(bytes[last])
      case .acl: Int(bytes[last &- 1]) | Int(bytes[last]) &<< 8
      // The two highest bits are reserved.
      case .isochronous: Int(bytes[last &- 1]) | Int(bytes[last] & 0x3F) &<< 8
      }
    return headerLength &+ payload
  }

  private mutating func fail(_ problem: H4Error.Problem) -> H4Error {
    let error = H4Error(offset: bufferOffset &+ UInt64(start), problem: problem)
    failure = error
    return error
  }
}

extension H4Framer.Side {
  fileprivate func takes(_ kind: HCIPacket.Kind) -> Bool {
    switch self {
    case .host: kind != .command
    case .controller: kind != .event
    }
  }
}

/// Why a stream of bytes is not H4, and where that showed.
package struct H4Error: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was found.
  package enum Problem: Hashable, Sendable {
    /// No kind of packet begins with this byte.
    case unknownIndicator(UInt8)
    /// Such a packet goes only the other way.
    case wrongDirection(HCIPacket.Kind)
    /// The header announces more than is allowed.
    case tooLong(HCIPacket.Kind, length: Int, limit: Int)
  }

  /// The offset of the packet's first byte in the stream.
  package let offset: UInt64
  /// What was found there.
  package let problem: Problem

  package init(offset: UInt64, problem: Problem) {
    self.offset = offset
    self.problem = problem
  }

  /// For example `at byte 12 of the stream: 0x7F, where a packet indicator (1 to 5) was expected`.
  package var description: String {
    let found =
      switch problem {
      case .unknownIndicator(let byte):
        "0x\(hexadecimal(byte, digits: 2)), where a packet indicator (1 to 5) was expected"
      case .wrongDirection(let kind): "a packet of the kind “\(kind)”, which goes only the other way"
      case .tooLong(let kind, let length, let limit):
        "a packet of the kind “\(kind)” of \(counted(length, "byte")), where at most \(limit) are allowed"
      }
    return "at byte \(offset) of the stream: \(found)"
  }
}
