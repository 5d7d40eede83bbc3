import BluetoothTypes

/// Names one L2CAP channel of one radio, from the call that opens it, or its arrival, until it is closed.
public struct ChannelID: Hashable, Sendable {
  /// Given out by the radio, never twice.
  public let rawValue: UInt64
  /// An identifier from the number that the radio chose.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names one published PSM of one radio.
public struct ChannelListenerID: Hashable, Sendable {
  /// Given out by the radio, never twice.
  public let rawValue: UInt64
  /// An identifier from the number that the radio chose.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// How much a channel is to hold at this end. What is out of a radio's range is brought to its edge; radios that decide
/// this themselves, as Apple's does, pass it over.
public struct ChannelOptions: Hashable, Sendable {
  /// The longest SDU that this end takes, in bytes: 23 to 65535.
  public var mtu: Int
  /// The longest part of an SDU that one frame may carry to this end, in bytes: from 23 to the radio's limit. Short
  /// ones let other traffic of the link in between.
  public var mps: Int
  /// How many frames the peer may send before something was received from the radio: 1 to 65535.
  public var credits: Int

  /// By default SDUs of 2048 bytes, in frames that fill a packet on the air, 96 of them under way.
  public init(mtu: Int = 2048, mps: Int = 247, credits: Int = 96) {
    self.mtu = mtu
    self.mps = mps
    self.credits = credits
  }
}

/// What is to be offered to peers.
public struct ChannelPublication: Hashable, Sendable {
  /// The PSM; `nil` for a dynamic one that the radio chooses.
  public var psm: L2CAPPSM?
  /// Whether a channel needs an encrypted link. A peer without a key is refused with Insufficient authentication, one
  /// that has a key and does not use it with Insufficient encryption.
  public var requiresEncryption: Bool
  /// How much each channel is to hold at this end.
  public var options: ChannelOptions

  /// Makes a publication; by default on a PSM that the radio chooses, open to all.
  public init(psm: L2CAPPSM? = nil, requiresEncryption: Bool = false, options: ChannelOptions = ChannelOptions()) {
    self.psm = psm
    self.requiresEncryption = requiresEncryption
    self.options = options
  }
}

/// What a channel is that is open.
public struct ChannelInfo: Hashable, Sendable {
  /// What it is for.
  public var psm: L2CAPPSM
  /// The link that it belongs to.
  public var link: LinkID
  /// The longest SDU that can be sent, in bytes.
  public var sendLimit: Int
  /// The longest SDU that can come, in bytes.
  public var receiveLimit: Int
  /// Whether what is sent as one SDU is received as one. Where the platform has streams of bytes in place of SDUs, as
  /// Apple's does, it may be received in other pieces.
  public var keepsBoundaries: Bool

  /// Makes a description.
  public init(psm: L2CAPPSM, link: LinkID, sendLimit: Int, receiveLimit: Int, keepsBoundaries: Bool = true) {
    self.psm = psm
    self.link = link
    self.sendLimit = sendLimit
    self.receiveLimit = receiveLimit
    self.keepsBoundaries = keepsBoundaries
  }
}

/// What happens to a channel that is open.
public enum ChannelEvent: Hashable, Sendable {
  /// There is something to receive: for the first time, or again after `receive` had nothing.
  case readyToReceive
  /// There is room to send again after `send` had none.
  case readyToSend
  /// The channel has ended: with `nil` because the peer closed it, else with the cause. The last event; what came before
  /// can still be received, until the channel is closed here.
  case ended(RadioFailure?)
}

/// What became of an SDU that was to be sent.
public enum ChannelSendOutcome: Hashable, Sendable {
  /// It is on its way, behind all that came before.
  case taken
  /// There is no room, so nothing was taken; `readyToSend` tells when to try again.
  case full
}

/// How a channel is closed at this end.
public enum ChannelClosing: Hashable, Sendable {
  /// At once; what was taken to be sent and has not gone yet is dropped.
  case now
  /// After all that was taken has gone, for which the peer has to give credits. Closing it again, with `now`, ends the
  /// wait.
  case afterSending
}
