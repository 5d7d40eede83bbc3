import BluetoothTypes
import RadioPort

/// Reads a value whole: Read, then Read Blob while parts fill the PDU (Core 5.4, Vol 3, Part G, 4.8.1 and 4.8.3).
struct ReadProcedure: Sendable {
  /// The longest value that an attribute may have (Core 5.4, Vol 3, Part F, 3.2.9).
  static let longestValue = 512

  let handle: AttributeHandle
  private var value: [UInt8] = []
  /// How much one part held when the request went out; an exchange of the MTU meanwhile must not make a full part look
  /// like the last one.
  private var partLength = 0
  private var isLong = false

  init(handle: AttributeHandle) { self.handle = handle }

  mutating func start(mtu: Int) -> ClientStep {
    partLength = mtu - 1
    return .send(ATTReadRequest(handle: handle))
  }

  mutating func receive(_ reply: ClientReply, mtu: Int) -> ClientStep {
    switch reply {
    case .error(let error):
      // That the value ends exactly at the end of the last part is what these say.
      let isEnd: [ATTErrorCode] = [.attributeNotLong, .invalidOffset, .requestNotSupported]
      if isLong, isEnd.contains(error.code) { return .finish(.value(value)) }
      return .fail(.att(error, "the read", handle: handle))
    case .response(let frame):
      let part = frame.payload(dropping: 1)
      if isLong { value.append(contentsOf: part) } else { value = Array(part) }
      if isLong, value.count > Self.longestValue {
        return .fail(.violation("the value of attribute \(handle) is longer than \(Self.longestValue) bytes"))
      }
      guard part.count >= partLength, value.count < Self.longestValue else { return .finish(.value(value)) }
      isLong = true
      partLength = mtu - 1
      return .send(ATTReadBlobRequest(handle: handle, offset: UInt16(truncatingIfNeeded: value.count)))
    }
  }
}
