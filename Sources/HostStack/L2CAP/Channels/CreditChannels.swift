import BluetoothTypes
import RadioPort

/// The credit-based channels of one link, of both ends (Core 5.4, Vol 3, Part A, 4.22 to 4.24).
///
/// Their frames go out in turns, and few at a time, so that neither a busy channel nor all of them together keep the
/// attributes or the other channels waiting.
struct CreditChannels: Sendable {
  /// How many frames of channels may wait for the controller: enough to keep it busy, and no more, as what comes next on
  /// another channel waits behind them.
  static let frameLimit = 2
  /// How long a peer may take to answer a request: the Response Timeout Expired timer, whose first value may lie between
  /// 1 and 60 s (Core 5.4, Vol 3, Part A, 6.2.1). The link repeats what is lost, so nothing is sent again.
  static let openTimeout = Duration.seconds(30)
  static let closeTimeout = Duration.seconds(5)
  private static let numbers: ClosedRange<UInt16> = 0x0040...0x007F

  var channels: [CreditChannel] = []
  /// The last number that was given to a channel; it comes round again as late as possible.
  private var lastNumber: UInt16 = 0x003F
  /// Whose frame goes next.
  private var turn = 0
  /// How many frames the controller has yet to take.
  private var framesWaiting = 0

  /// When a peer has taken too long to answer.
  var deadline: RadioInstant? { channels.lazy.compactMap(\.deadline).min() }

  func index(of id: ChannelID) -> Int? { channels.firstIndex { $0.id == id } }

  // MARK: Opening

  /// Asks the peer for a channel; ends with `.opened`.
  mutating func open(
    _ id: ChannelID,
    to psm: L2CAPPSM,
    _ own: ChannelParameters,
    now: RadioInstant,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) {
    guard let local = takeNumber(), let identifier = identifiers.take() else {
      let failure = RadioFailure(
        .busy,
        reason: "the link has \(counted(channels.count, "channel")), and no room for another: close one first"
      )
      return outputs.append(.channel(id, .opened(.failure(failure))))
    }
    var channel = CreditChannel(
      id: id,
      psm: psm,
      local: local,
      own: own,
      state: .opening(identifier: identifier, isWanted: true)
    )
    channel.deadline = now.advanced(by: Self.openTimeout)
    channels.append(channel)
    let request = L2CAPLECreditBasedConnectionRequest(
      spsm: psm.rawValue,
      source: local,
      mtu: UInt16(clamping: own.mtu),
      mps: UInt16(clamping: own.mps),
      initialCredits: UInt16(clamping: own.credits)
    )
    outputs.append(.signalling(identifier, request))
  }

  private mutating func takeNumber() -> L2CAPChannelID? {
    let used = Set(channels.lazy.map(\.local.rawValue))
    guard used.count < Self.numbers.count else { return nil }
    repeat {
      lastNumber = lastNumber >= Self.numbers.upperBound ? Self.numbers.lowerBound : lastNumber &+ 1
    } while used.contains(lastNumber)
    return L2CAPChannelID(rawValue: lastNumber)
  }

  /// Takes a channel that the peer has asked for, on a PSM that is served.
  ///
  /// - Returns: The longest SDUs; `nil` if the request was refused.
  mutating func accept(
    _ request: L2CAPLECreditBasedConnectionRequest,
    identifier: UInt8,
    as id: ChannelID,
    _ own: ChannelParameters,
    _ outputs: inout [LinkOutput]
  ) -> ChannelLimits? {
    func refuse(_ result: L2CAPConnectionResult) {
      outputs.append(.signalling(identifier, L2CAPLECreditBasedConnectionResponse(refused: result)))
    }
    guard request.source.isDynamic else {
      refuse(.invalidSourceChannel)
      return nil
    }
    guard !channels.contains(where: { $0.remote == request.source }) else {
      refuse(.sourceChannelAlreadyAllocated)
      return nil
    }
    let parameters = ChannelParameters(mtu: request.mtu, mps: request.mps, credits: request.initialCredits)
    guard let peer = parameters else {
      refuse(.unacceptableParameters)
      return nil
    }
    guard let local = takeNumber() else {
      refuse(.noResources)
      return nil
    }
    var channel = CreditChannel(id: id, psm: L2CAPPSM(rawValue: request.spsm), local: local, own: own, state: .open)
    channel.open(remote: request.source, peer)
    channels.append(channel)
    let response = L2CAPLECreditBasedConnectionResponse(
      destination: local,
      mtu: UInt16(clamping: own.mtu),
      mps: UInt16(clamping: own.mps),
      initialCredits: UInt16(clamping: own.credits),
      result: .success
    )
    outputs.append(.signalling(identifier, response))
    return channel.limits
  }

  // MARK: Sending

  /// Sends an SDU; `false` if there is no room.
  mutating func send(_ sdu: [UInt8], on id: ChannelID, _ outputs: inout [LinkOutput]) throws(RadioFailure) -> Bool {
    guard let index = index(of: id), channels[index].state == .open else {
      throw RadioFailure(.notConnected, reason: "the channel is not open: open another one")
    }
    guard sdu.count <= channels[index].sendMTU else {
      let limit = channels[index].sendMTU
      throw RadioFailure(
        .tooLong,
        reason: "\(sdu.count) bytes are too long for the channel, which takes \(limit): send them in pieces"
      )
    }
    guard channels[index].enqueue(sdu) else { return false }
    pump(&outputs)
    return true
  }

  /// The controller has all of a frame of a channel.
  mutating func frameSent(
    now: RadioInstant,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) {
    framesWaiting = max(0, framesWaiting &- 1)
    advance(now: now, &identifiers, &outputs)
  }

  /// Sends what can go, and tells who waits for that.
  mutating func advance(
    now: RadioInstant,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) {
    pump(&outputs)
    // Backwards, as one may go.
    for index in channels.indices.reversed() {
      switch channels[index].state {
      case .open: if channels[index].takeRoom() { outputs.append(.channel(channels[index].id, .room)) }
      case .draining:
        if channels[index].isDrained { disconnect(index, isAwaited: true, now: now, &identifiers, &outputs) }
      case .opening, .closing: break
      }
    }
  }

  private mutating func pump(_ outputs: inout [LinkOutput]) {
    while framesWaiting < Self.frameLimit, let index = nextSender, let frame = channels[index].nextFrame() {
      turn = index &+ 1
      framesWaiting &+= 1
      outputs.append(.frame(frame, .channel))
    }
  }

  private var nextSender: Int? {
    for step in channels.indices {
      let index = (turn &+ step) % channels.count
      if channels[index].canSend { return index }
    }
    return nil
  }

  // MARK: Receiving

  /// Takes a whole frame; whether there is such a channel.
  mutating func receive(
    frame: FrameBuffer,
    to local: L2CAPChannelID,
    now: RadioInstant,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) -> Bool {
    guard let index = channels.firstIndex(where: { $0.local == local }) else { return false }
    switch channels[index].state {
    case .opening: return false
    case .closing: return true
    case .open, .draining: break
    }
    do throws(ChannelFault) {
      let sdu = try channels[index].receive(frame.payload())
      if let sdu, channels[index].state == .open { outputs.append(.channel(channels[index].id, .received(sdu))) }
      giveCredits(index, &identifiers, &outputs)
    } catch {
      fault(index, error, now: now, &identifiers, &outputs)
    }
    return true
  }

  /// A frame came that is longer than any channel takes; whether there is such a channel.
  mutating func refuse(
    overlong length: Int,
    to local: L2CAPChannelID,
    now: RadioInstant,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) -> Bool {
    guard let index = channels.firstIndex(where: { $0.local == local }) else { return false }
    switch channels[index].state {
    case .opening: return false
    case .closing: break
    case .open, .draining:
      fault(index, .frameTooLong(length, limit: channels[index].own.mps), now: now, &identifiers, &outputs)
    }
    return true
  }

  /// The owner has the oldest SDUs; their places are free.
  mutating func consume(
    _ id: ChannelID,
    count: Int,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) {
    guard let index = index(of: id), channels[index].state == .open else { return }
    for _ in 0..<max(0, count) { channels[index].consume() }
    giveCredits(index, &identifiers, &outputs)
  }

  private mutating func giveCredits(
    _ index: Int,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) {
    guard let credits = channels[index].takeDueCredits() else { return }
    let message = L2CAPFlowControlCredit(channel: channels[index].local, credits: credits)
    outputs.append(.signalling(identifiers.takeOnce(), message))
  }

  // MARK: Closing

  /// Closes a channel, or gives up a wish for one; ends with `.released`.
  mutating func close(
    _ id: ChannelID,
    _ closing: ChannelClosing,
    now: RadioInstant,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) {
    guard let index = index(of: id) else { return outputs.append(.channel(id, .released)) }
    switch channels[index].state {
    case .opening(let identifier, _):
      // Its number stays taken until the peer has answered.
      channels[index].state = .opening(identifier: identifier, isWanted: false)
      outputs.append(.channel(id, .released))
    case .open where closing == .afterSending && !channels[index].isDrained:
      channels[index].state = .draining
      channels[index].consumeAll()
      giveCredits(index, &identifiers, &outputs)
    case .draining where closing == .afterSending: break
    case .open, .draining: disconnect(index, isAwaited: true, now: now, &identifiers, &outputs)
    case .closing(_, isAwaited: true): break
    case .closing(_, isAwaited: false): outputs.append(.channel(id, .released))
    }
  }

  /// Tells the peer that a channel ends.
  mutating func disconnect(
    _ index: Int,
    isAwaited: Bool,
    now: RadioInstant,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) {
    channels[index].dropQueue()
    guard let identifier = identifiers.take() else { return remove(index, isAwaited: isAwaited, &outputs) }
    channels[index].state = .closing(identifier: identifier, isAwaited: isAwaited)
    channels[index].deadline = now.advanced(by: Self.closeTimeout)
    let request = L2CAPDisconnectionRequest(destination: channels[index].remote, source: channels[index].local)
    outputs.append(.signalling(identifier, request))
  }

  private mutating func remove(_ index: Int, isAwaited: Bool, _ outputs: inout [LinkOutput]) {
    let channel = channels.remove(at: index)
    if turn > index { turn &-= 1 }
    if isAwaited { outputs.append(.channel(channel.id, .released)) }
  }

  /// A channel is gone, as the peer knows: its owner is told in the way that fits.
  mutating func finish(
    _ index: Int,
    _ failure: RadioFailure?,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) {
    let channel = channels[index]
    switch channel.state {
    case .opening(let identifier, let isWanted):
      identifiers.release(identifier)
      if isWanted {
        let failure = failure ?? RadioFailure(.refused, reason: "the peer has closed the channel at once")
        outputs.append(.channel(channel.id, .opened(.failure(failure))))
      }
      remove(index, isAwaited: false, &outputs)
    case .open:
      outputs.append(.channel(channel.id, .ended(failure)))
      remove(index, isAwaited: false, &outputs)
    case .draining: remove(index, isAwaited: true, &outputs)
    case .closing(let identifier, let isAwaited):
      identifiers.release(identifier)
      remove(index, isAwaited: isAwaited, &outputs)
    }
  }

  /// The peer broke the rules of a channel, which ends it (Core 5.4, Vol 3, Part A, 3.4.3 and 10.1).
  mutating func fault(
    _ index: Int,
    _ fault: ChannelFault,
    now: RadioInstant,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) {
    let channel = channels[index]
    outputs.append(.violation("the peer broke the rules of \(channel.local) (\(channel.psm)): \(fault)"))
    if channel.state == .open {
      let failure = RadioFailure(
        .protocolViolation,
        reason: "the channel to \(channel.psm) was ended here: \(fault); the peer's L2CAP is at fault"
      )
      outputs.append(.channel(channel.id, .ended(failure)))
    }
    disconnect(index, isAwaited: channel.state == .draining, now: now, &identifiers, &outputs)
  }

  // MARK: Time and the end

  /// Ends what peers have not answered in time.
  mutating func wake(now: RadioInstant, _ identifiers: inout SignallingIdentifiers, _ outputs: inout [LinkOutput]) {
    for index in channels.indices.reversed() {
      guard let deadline = channels[index].deadline, deadline <= now else { continue }
      channels[index].deadline = nil
      switch channels[index].state {
      case .opening(let identifier, let isWanted):
        // An answer that comes late is still one: its number and its identifier stay taken.
        channels[index].state = .opening(identifier: identifier, isWanted: false)
        guard isWanted else { continue }
        let failure = RadioFailure(
          .timedOut,
          reason: "the peer did not answer the wish for a channel to \(channels[index].psm) within 30 s"
        )
        outputs.append(.channel(channels[index].id, .opened(.failure(failure))))
      default: finish(index, nil, &identifiers, &outputs)
      }
    }
  }

  /// The link is gone, and all channels with it.
  mutating func end(
    _ failure: RadioFailure,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) {
    while !channels.isEmpty { finish(0, failure, &identifiers, &outputs) }
  }
}
