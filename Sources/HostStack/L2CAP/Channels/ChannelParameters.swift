import BluetoothTypes
import RadioPort

/// How much one end of a channel takes.
struct ChannelParameters: Hashable, Sendable {
  /// The least that an end must take, for both lengths (Core 5.4, Vol 3, Part A, 4.22).
  static let least = 23
  /// The longest part of an SDU that this host takes in one frame. A link keeps room for one frame under way, and a long
  /// one holds all else on the link up.
  static let longestFrame = 1024

  /// The longest SDU.
  var mtu: Int
  /// The longest part of an SDU in one frame.
  var mps: Int
  /// How many frames may be under way.
  var credits: Int

  /// What an owner wishes, brought into range.
  init(_ options: ChannelOptions) {
    mtu = min(max(options.mtu, Self.least), 0xFFFF)
    mps = min(max(options.mps, Self.least), Self.longestFrame)
    credits = min(max(options.credits, 1), 0xFFFF)
  }

  /// What a peer says that it takes; `nil` if that is out of range.
  init?(mtu: UInt16, mps: UInt16, credits: UInt16) {
    guard mtu >= Self.least, mps >= Self.least, mps <= 65533 else { return nil }
    self.mtu = Int(mtu)
    self.mps = Int(mps)
    self.credits = Int(credits)
  }
}

/// What a peer did on a channel that ends it.
enum ChannelFault: Error, Hashable, Sendable {
  case frameTooLong(Int, limit: Int)
  case frameWithoutCredit
  case noLength
  case sduTooLong(Int, limit: Int)
  case moreThanAnnounced(Int, announced: Int)
  case tooManyCredits(Int)
}

extension ChannelFault: CustomStringConvertible {
  var description: String {
    switch self {
    case .frameTooLong(let length, let limit): "a frame of \(counted(length, "byte")) came, and \(limit) are the most"
    case .frameWithoutCredit: "a frame came for which there was no credit"
    case .noLength: "the first frame of an SDU has no room for its length"
    case .sduTooLong(let length, let limit):
      "an SDU of \(counted(length, "byte")) was announced, and \(limit) are the most"
    case .moreThanAnnounced(let length, let announced):
      "\(counted(length, "byte")) came of an SDU that was announced with \(announced)"
    case .tooManyCredits(let credits): "it gave \(counted(credits, "credit")) in all, and 65535 are the most"
    }
  }
}

/// What a channel tells its owner.
package enum ChannelNews: Sendable {
  /// The wish for a channel has ended; `.success` with the longest SDU in each direction.
  case opened(Result<ChannelLimits, RadioFailure>)
  /// An SDU came. It keeps its place until it is consumed.
  case received([UInt8])
  /// There is room to send after a refusal.
  case room
  /// The channel has ended by itself: with `nil` because the peer closed it.
  case ended(RadioFailure?)
  /// The channel was closed here, and that is done.
  case released
}

/// The longest SDUs of a channel.
package struct ChannelLimits: Hashable, Sendable {
  /// What the peer takes.
  package var send: Int
  /// What this end takes.
  package var receive: Int

  package init(send: Int, receive: Int) {
    self.send = send
    self.receive = receive
  }
}
