import BluetoothTypes
import HostStack
import RadioPort

/// A link whose peer is written byte by byte: collects what the link puts out, sorted by kind.
struct LinkBench {
  var link: HostLink
  var now = RadioInstant.zero
  /// The frames that wait to be looked at, in order.
  var frames: [(bytes: [UInt8], token: FrameToken?)] = []
  var results: [RequestID: LinkResult] = [:]
  /// How often each request ended; more than once is a fault.
  var endings: [RequestID: Int] = [:]
  var subscribed: [SubscriptionID: Result<Void, RadioFailure>] = [:]
  var unsubscribed: [SubscriptionID: Result<Void, RadioFailure>] = [:]
  var values: [(SubscriptionID, [UInt8])] = []
  var serverPDUs: [[UInt8]] = []
  var violations: [String] = []
  var others: [LinkOutput] = []
  var all: [String] = []
  private var lastID: UInt64 = 0

  init(role: HostLink.Role = .central, mtu: Int = 517, watchesServices: Bool = false) {
    link = HostLink(
      id: LinkID(peer: PeerID(high: 1, low: 2), generation: 1),
      role: role,
      configuration: .init(mtu: mtu, watchesServices: watchesServices)
    )
  }

  mutating func request() -> RequestID {
    lastID += 1
    return RequestID(rawValue: lastID)
  }

  mutating func subscription() -> SubscriptionID {
    lastID += 1
    return SubscriptionID(rawValue: lastID)
  }

  mutating func drain() {
    let outputs = link.outputs
    link.outputs = []
    for output in outputs {
      all.append("\(output)")
      switch output {
      case .frame(let frame, let token): frames.append((Array(frame.frame), token))
      case .finished(let request, let result):
        results[request] = result
        endings[request, default: 0] += 1
      case .subscribed(let id, let result): subscribed[id] = result
      case .unsubscribed(let id, let result): unsubscribed[id] = result
      case .value(let id, let value): values.append((id, value))
      case .serverPDU(let pdu): serverPDUs.append(pdu)
      case .violation(let text): violations.append(text)
      default: others.append(output)
      }
    }
  }

  /// The next frame that went out, as the PDU of its channel.
  mutating func nextPDU() -> [UInt8]? {
    drain()
    return frames.isEmpty ? nil : Array(frames.removeFirst().bytes.dropFirst(4))
  }

  /// The next frame read as one kind of PDU; `nil` for another.
  mutating func next<Message: ATTMessage>(_ type: Message.Type = Message.self) -> Message? {
    nextPDU().flatMap { try? Message(bytes: $0) }
  }

  mutating func feed(_ channel: L2CAPChannelID, _ payload: [UInt8]) {
    link.receive(FrameBuffer(channel, payload: payload), isContinuation: false, now: now)
    drain()
  }

  mutating func feed(_ pdu: [UInt8]) { feed(.att, pdu) }

  mutating func feed(_ message: some ATTMessage) { feed(message.bytes) }

  /// Lets `server` answer all requests until the link asks nothing more; the number of requests.
  mutating func run(with server: inout TestServer) -> Int {
    var count = 0
    while let pdu = nextPDU(), count < 10_000 {
      let opcode = pdu.first.map { ATTOpcode(rawValue: $0) }
      guard let opcode, opcode.isRequest else { continue }
      count += 1
      feed(server.answer(pdu))
    }
    return count
  }

  /// Lets the time pass after which the client does what it does on its own.
  mutating func idle() {
    now = now.advanced(by: .milliseconds(250))
    link.wake(now: now)
    drain()
  }

  /// Exchanges the MTU so that `mtu` holds.
  mutating func exchange(_ mtu: Int) {
    link.exchangeMTU(now: now)
    _ = nextPDU()
    feed(ATTExchangeMTUResponse(mtu: UInt16(mtu)))
  }

  func value(_ request: RequestID) -> Result<[UInt8], RadioFailure>? {
    guard case .value(let result)? = results[request] else { return nil }
    return result
  }

  func values(_ request: RequestID) -> Result<[[UInt8]], RadioFailure>? {
    guard case .values(let result)? = results[request] else { return nil }
    return result
  }

  func done(_ request: RequestID) -> Result<Void, RadioFailure>? {
    guard case .done(let result)? = results[request] else { return nil }
    return result
  }

  func services(_ request: RequestID) -> Result<[RemoteService], RadioFailure>? {
    guard case .services(let result)? = results[request] else { return nil }
    return result
  }

  func mtu(_ request: RequestID) -> Int? {
    guard case .mtu(.success(let mtu))? = results[request] else { return nil }
    return mtu
  }
}

extension Result {
  var failure: Failure? {
    if case .failure(let failure) = self { return failure }
    return nil
  }

  var value: Success? { try? get() }
}

/// The generator of Steele, Lea and Flood; the same numbers for the same seed.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z &>> 31)
  }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
