import BluetoothTypes
import RadioPort

/// The GATT client of one link on its ATT bearer: one request at a time, first in first out; commands and confirmations
/// go beside it (Core 5.4, Vol 3, Part F, 3.3.2 and 3.3.3).
struct GATTClient: Sendable {
  /// Core 5.4, Vol 3, Part F, 3.3.3.
  static let transactionTimeout = Duration.seconds(30)
  static let leastMTU = 23
  /// The frame of a Handle Value Confirmation.
  static let confirmation = FrameBuffer(.att, ATTHandleValueConfirmation())

  /// Whether the MTU was exchanged: at most once from this end.
  enum Exchange: Sendable {
    case untried
    case underWay
    case over
  }

  /// The request that waits for its reply.
  struct Outstanding: Sendable {
    let request: ATTOpcode
    let deadline: RadioInstant
  }

  let configuration: HostLink.Configuration
  private(set) var mtu = Self.leastMTU
  var exchange = Exchange.untried
  var exchangeWaiters: [RequestID] = []

  var queue = FIFO<ClientOperation>()
  var current: ClientOperation?
  var outstanding: Outstanding?
  /// Why nothing goes any more; the bearer is dead or the link gone.
  var ended: RadioFailure?

  /// Writes without response that the controller does not have yet.
  var commands = FIFO<RequestID>()

  var table: [RemoteService]?
  /// What was known of the peer before this connection; forgotten once it was of use, or not.
  var remembered: RememberedDatabase?
  /// What is to be done on the client's own, once there is time.
  var housekeeping: Housekeeping?
  /// The look at the services that goes on, if one does.
  var check: TableCheck?
  /// The services were found, or are being found, by a discovery that began before the peer had agreed to tell of
  /// changes: one may have gone by unseen.
  var isUnwatched = true
  /// How often the services were others when they were looked at again, one time after the other.
  var changesSeen = 0
  var discoveryWaiters: [(request: RequestID, services: [BluetoothUUID]?)] = []
  var subscriptions: [Subscription] = []
  /// The value of the peer's Service Changed characteristic, if it has one.
  var serviceChanged: AttributeHandle?

  init(configuration: HostLink.Configuration) { self.configuration = configuration }

  var deadline: RadioInstant? {
    guard let due = housekeeping?.due else { return outstanding?.deadline }
    return min(due, outstanding?.deadline ?? due)
  }

  /// The longest PDU that the peer may send.
  var longestIncoming: Int { mtu }

  // MARK: The slot

  mutating func enqueue(_ operation: ClientOperation, now: RadioInstant, _ outputs: inout [LinkOutput]) {
    if queue.isEmpty, current == nil, ended == nil {
      begin(operation, now: now, &outputs)
    } else {
      queue.append(operation)
    }
    startNext(now: now, &outputs)
  }

  /// Fills the slot if it is free.
  mutating func startNext(now: RadioInstant, _ outputs: inout [LinkOutput]) {
    while !queue.isEmpty, current == nil, ended == nil, let next = queue.popFirst() {
      begin(next, now: now, &outputs)
    }
  }

  /// Gives the free slot to an operation.
  private mutating func begin(_ operation: ClientOperation, now: RadioInstant, _ outputs: inout [LinkOutput]) {
    current = operation
    if case .discover = operation.procedure { isUnwatched = !isWatching }
    guard let step = current?.start(mtu: mtu, ownMTU: configuration.mtu) else { return }
    perform(step, now: now, &outputs)
  }

  private mutating func perform(_ step: ClientStep, now: RadioInstant, _ outputs: inout [LinkOutput]) {
    switch step {
    case .send(let opcode, let frame):
      outstanding = Outstanding(request: opcode, deadline: now.advanced(by: Self.transactionTimeout))
      outputs.append(.frame(frame, nil))
    case .finish(let outcome):
      guard let operation = current.take() else { return }
      finish(operation, outcome, now: now, &outputs)
    }
  }

  // MARK: Replies

  /// Takes a response or an error, as a whole frame.
  mutating func receive(
    response opcode: ATTOpcode,
    frame: FrameBuffer,
    now: RadioInstant,
    _ outputs: inout [LinkOutput]
  ) {
    guard ended == nil else { return }
    guard let request = outstanding?.request else {
      return outputs.append(.violation("the peer sent \(opcode) though nothing was asked; it is ignored"))
    }
    if let mismatch = Self.mismatch(opcode, frame, request) { return desynchronize(mismatch, now, &outputs) }
    guard opcode == .errorResponse else { return reply(.response(frame: frame), now: now, &outputs) }
    do throws(ByteError) {
      let error = try ATTErrorResponse(frame: frame)
      if error.code == .databaseOutOfSync { forgetServices(0x0001...0xFFFF, now: now, &outputs) }
      reply(.error(error), now: now, &outputs)
    } catch {
      reply(fail: .unreadable(opcode, error), now, &outputs)
    }
  }

  /// A response came that is longer than the MTU; its beginning is in `head`.
  mutating func refuse(
    overlong opcode: ATTOpcode,
    head: FrameBuffer,
    length: Int,
    now: RadioInstant,
    _ outputs: inout [LinkOutput]
  ) {
    guard ended == nil, let request = outstanding?.request else { return }
    if let mismatch = Self.mismatch(opcode, head, request) { return desynchronize(mismatch, now, &outputs) }
    reply(fail: .violation("the peer's \(opcode) has \(counted(length, "byte")); the MTU is \(mtu)"), now, &outputs)
  }

  /// Why a response can not be the one to `request`; `nil` if it is, however malformed.
  private static func mismatch(_ opcode: ATTOpcode, _ frame: FrameBuffer, _ request: ATTOpcode) -> RadioFailure? {
    guard opcode == .errorResponse else {
      return opcode == request.response ? nil : .violation("the peer answered \(request) with \(opcode)")
    }
    let place = L2CAPFrame.headerLength + 1
    guard frame.count > place, frame[place] != request.rawValue else { return nil }
    let named = ATTOpcode(rawValue: frame[place])
    return .violation("the peer answered \(request) with an error to \(named)")
  }

  /// The peer's replies have come apart from the requests: the true reply may still come, and would be taken for that
  /// to the next request. So the bearer ends here, and the link with it.
  private mutating func desynchronize(
    _ failure: RadioFailure,
    _ now: RadioInstant,
    _ outputs: inout [LinkOutput]
  ) {
    outputs.append(.violation(failure.reason))
    let loss = RadioFailure(.disconnected, reason: "the link was ended here: " + failure.reason)
    // First of all, so that nothing is begun any more.
    ended = loss
    outstanding = nil
    if let operation = current.take() {
      if operation.owner == .mtu {
        for request in exchangeWaiters { outputs.append(.finished(request, .mtu(.failure(failure)))) }
        exchangeWaiters = []
      }
      finish(operation, .failure(failure), now: now, &outputs)
    }
    end(loss, later: loss, &outputs)
    outputs.append(.dropLink(loss))
  }

  private mutating func reply(fail failure: RadioFailure, _ now: RadioInstant, _ outputs: inout [LinkOutput]) {
    outputs.append(.violation(failure.reason))
    outstanding = nil
    let step = current?.afterUnusableReply(failure) ?? .fail(failure)
    perform(step, now: now, &outputs)
    startNext(now: now, &outputs)
  }

  private mutating func reply(_ reply: ClientReply, now: RadioInstant, _ outputs: inout [LinkOutput]) {
    outstanding = nil
    guard current != nil else { return }
    if case .mtu = current?.owner { takeMTU(reply, &outputs) }
    let step: ClientStep?
    if current?.isAbandoned == true {
      step = current?.afterAbandon() ?? .fail(Self.abandoned)
    } else {
      step = current?.receive(reply, mtu: mtu)
    }
    if let step { perform(step, now: now, &outputs) }
    startNext(now: now, &outputs)
  }

  private static let abandoned = RadioFailure(.invalidArgument, reason: "nobody waits for the result any more")

  // MARK: The MTU

  private mutating func takeMTU(_ reply: ClientReply, _ outputs: inout [LinkOutput]) {
    // A refusal leaves the MTU as it is (Core 5.4, Vol 3, Part F, 3.4.2.1).
    guard case .response(let frame) = reply else { return }
    do throws(ByteError) {
      setMTU(Int(try ATTExchangeMTUResponse(frame: frame).mtu), &outputs)
    } catch {
      outputs.append(.violation(RadioFailure.unreadable(.exchangeMTUResponse, error).reason))
    }
  }

  /// The peer asked for the exchange and has its answer: what it takes is known, so there is nothing left to ask.
  mutating func peerExchangedMTU(_ theirs: Int, _ outputs: inout [LinkOutput]) {
    guard ended == nil else { return }
    if exchange == .untried { exchange = .over }
    setMTU(theirs, &outputs)
  }

  private mutating func setMTU(_ theirs: Int, _ outputs: inout [LinkOutput]) {
    if theirs < Self.leastMTU {
      outputs.append(.violation("the peer announced an MTU of \(theirs); \(Self.leastMTU) is the least"))
    }
    let new = max(Self.leastMTU, min(configuration.mtu, theirs))
    guard new != mtu else { return }
    mtu = new
    outputs.append(.mtuChanged(new))
  }

  // MARK: The end

  mutating func wake(now: RadioInstant, _ outputs: inout [LinkOutput]) {
    if let due = housekeeping?.due, due <= now { keepHouse(now: now, &outputs) }
    guard let outstanding, outstanding.deadline <= now else { return }
    // After this no PDU may go over the bearer any more (Core 5.4, Vol 3, Part F, 3.3.3).
    let failure = RadioFailure(
      .timedOut,
      reason: "the peer did not answer \(outstanding.request) within 30 s; the link can not be used any more"
    )
    end(failure, later: failure, &outputs)
    outputs.append(.dropLink(failure))
  }

  /// Ends all that is pending with `failure`; all that is asked for later ends with `later`.
  mutating func end(_ failure: RadioFailure, later: RadioFailure, _ outputs: inout [LinkOutput]) {
    ended = later
    outstanding = nil
    if let operation = current.take() { fail(operation, failure, &outputs) }
    while let operation = queue.popFirst() { fail(operation, failure, &outputs) }
    for request in exchangeWaiters { outputs.append(.finished(request, .mtu(.failure(failure)))) }
    exchangeWaiters = []
    for waiter in discoveryWaiters { outputs.append(.finished(waiter.request, .services(.failure(failure)))) }
    discoveryWaiters = []
    while let request = commands.popFirst() { outputs.append(.finished(request, .done(.failure(failure)))) }
    endSubscriptions(failure, &outputs)
    table = nil
    housekeeping = nil
    check = nil
  }

  private func fail(_ operation: ClientOperation, _ failure: RadioFailure, _ outputs: inout [LinkOutput]) {
    guard !operation.isAbandoned, case .request(let request) = operation.owner else { return }
    report(request, operation.procedure, .failure(failure), &outputs)
  }

  /// Tells who waits for a read or a write.
  func report(
    _ request: RequestID,
    _ procedure: ClientOperation.Procedure,
    _ outcome: ClientOutcome,
    _ outputs: inout [LinkOutput]
  ) {
    switch (procedure, outcome) {
    case (.read, .value(let value)): outputs.append(.finished(request, .value(.success(value))))
    case (.read, .failure(let failure)):
      outputs.append(.finished(request, .value(.failure(failure))))
    case (.readMultiple, .values(let values)):
      outputs.append(.finished(request, .values(.success(values))))
    case (.readMultiple, .failure(let failure)):
      outputs.append(.finished(request, .values(.failure(failure))))
    case (_, .failure(let failure)): outputs.append(.finished(request, .done(.failure(failure))))
    default: outputs.append(.finished(request, .done(.success(()))))
    }
  }
}
