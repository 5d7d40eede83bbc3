import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

/// One end of channels on a link whose peer is written byte by byte.
struct ChannelBench {
  static let psm: L2CAPPSM = 0x0080
  static let peerNumber = L2CAPChannelID(rawValue: 0x0051)

  var link = LinkBench()
  var news: [(id: ChannelID, news: ChannelNews)] = []
  var requests: [(identifier: UInt8, request: L2CAPLECreditBasedConnectionRequest)] = []
  private var lastID: UInt64 = 0

  mutating func id() -> ChannelID {
    lastID += 1
    return ChannelID(rawValue: lastID)
  }

  /// Does something at this end, and sorts what comes out.
  @discardableResult
  mutating func act<Result>(_ body: (inout HostLink, RadioInstant) throws -> Result) rethrows -> Result {
    let result = try body(&link.link, link.now)
    sort()
    return result
  }

  private mutating func sort() {
    link.drain()
    for output in link.others {
      switch output {
      case .channel(let id, let news): self.news.append((id, news))
      case .channelRequested(let identifier, let request): requests.append((identifier, request))
      default: break
      }
    }
    link.others = []
  }

  /// The next signalling command that went out; frames of channels are passed over.
  mutating func nextCommand() -> SignallingCommand? {
    sort()
    guard let index = link.frames.firstIndex(where: { $0.bytes[2] == 5 }) else { return nil }
    return try? SignallingCommand(bytes: Array(link.frames.remove(at: index).bytes.dropFirst(4)))
  }

  mutating func next<Message: SignallingMessage>(_ type: Message.Type) -> (identifier: UInt8, message: Message)? {
    guard let command = nextCommand(), command.code == type.code, let message = try? Message(data: command.data) else {
      return nil
    }
    return (command.identifier, message)
  }

  /// The payloads of the channel frames that went out; the controller takes them, and what follows.
  mutating func takeFrames() -> [[UInt8]] {
    var payloads: [[UInt8]] = []
    sort()
    while let index = link.frames.firstIndex(where: { $0.token == .channel }) {
      payloads.append(Array(link.frames.remove(at: index).bytes.dropFirst(4)))
      act { link, now in link.frameSent(.channel, now: now) }
    }
    return payloads
  }

  mutating func feed(_ identifier: UInt8, _ message: some SignallingMessage) {
    link.feed(.leSignalling, SignallingCommand(identifier: identifier, message).bytes)
    sort()
  }

  mutating func feed(_ channel: L2CAPChannelID, _ payload: [UInt8]) {
    link.feed(channel, payload)
    sort()
  }

  /// Opens a channel from here, as the peer agrees with these parameters.
  mutating func open(
    _ options: ChannelOptions = ChannelOptions(mtu: 100, mps: 50, credits: 4),
    as number: L2CAPChannelID = Self.peerNumber,
    mtu: UInt16 = 100,
    mps: UInt16 = 50,
    credits: UInt16 = 4
  ) -> (id: ChannelID, local: L2CAPChannelID)? {
    let id = id()
    act { link, now in link.openChannel(id, to: Self.psm, options, now: now) }
    guard let asked = next(L2CAPLECreditBasedConnectionRequest.self) else { return nil }
    let response = L2CAPLECreditBasedConnectionResponse(
      destination: number,
      mtu: mtu,
      mps: mps,
      initialCredits: credits,
      result: .success
    )
    feed(asked.identifier, response)
    guard case .opened(.success)? = news.last?.news else { return nil }
    news = []
    return (id, asked.message.source)
  }

  /// The same as ``next(_:)``, which there must be.
  mutating func mustNext<Message: SignallingMessage>(_ type: Message.Type) throws
    -> (identifier: UInt8, message: Message)
  {
    let next = next(type)
    return try #require(next)
  }

  /// The same as ``open(_:as:mtu:mps:credits:)``, which must succeed.
  mutating func mustOpen(
    _ options: ChannelOptions = ChannelOptions(mtu: 100, mps: 50, credits: 4),
    as number: L2CAPChannelID = Self.peerNumber,
    mtu: UInt16 = 100,
    mps: UInt16 = 50,
    credits: UInt16 = 4
  ) throws -> (id: ChannelID, local: L2CAPChannelID) {
    let channel = open(options, as: number, mtu: mtu, mps: mps, credits: credits)
    return try #require(channel)
  }

  mutating func send(_ sdu: [UInt8], on id: ChannelID) throws -> Bool {
    try act { link, _ in try link.send(sdu, on: id) }
  }

  /// What became of channels, in words, since the last call.
  mutating func told() -> [String] {
    defer { news = [] }
    return news.map { entry in
      switch entry.news {
      case .opened(.success): "opened"
      case .opened(.failure(let failure)): "failed \(failure.kind.rawValue)"
      case .received(let sdu): "received \(sdu.count)"
      case .room: "room"
      case .ended(let failure): "ended \(failure?.kind.rawValue ?? "well")"
      case .released: "released"
      }
    }
  }
}
