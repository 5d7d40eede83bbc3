import BluetoothTypes
import RadioPort

/// The signalling channel of a Low Energy link (Core 5.4, Vol 3, Part A, 4): connection parameters, what concerns the
/// credit-based channels, and a proper refusal of all that is not offered here.
struct SignallingChannel {
  /// The longest command that is taken: the least that the specification allows (Vol 3, Part A, 4).
  static let mtu = 23
  /// T_GAP(conn_param_timeout) (Vol 3, Part C, appendix A).
  static let updateTimeout = Duration.seconds(30)

  let role: HostLink.Role
  private var pendingUpdate: (identifier: UInt8, deadline: RadioInstant)?
  /// A later wish, sent when the pending one is answered.
  private var nextUpdate: L2CAPConnectionParameterUpdateRequest?

  init(role: HostLink.Role) { self.role = role }

  var deadline: RadioInstant? { pendingUpdate?.deadline }

  // MARK: Asking

  /// As peripheral, asks the central for connection parameters; a wish that waits already is replaced.
  mutating func requestUpdate(
    _ request: L2CAPConnectionParameterUpdateRequest,
    now: RadioInstant,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) {
    guard pendingUpdate == nil else {
      nextUpdate = request
      return
    }
    guard let identifier = identifiers.take() else {
      let failure = RadioFailure(.busy, reason: "too many requests on the signalling channel wait for an answer")
      return outputs.append(.parameterUpdateAnswered(.failure(failure)))
    }
    pendingUpdate = (identifier, now.advanced(by: Self.updateTimeout))
    outputs.append(.signalling(identifier, request))
  }

  mutating func wake(now: RadioInstant, _ identifiers: inout SignallingIdentifiers, _ outputs: inout [LinkOutput]) {
    guard let pendingUpdate, pendingUpdate.deadline <= now else { return }
    finishUpdate(isAccepted: false, now: now, &identifiers, &outputs)
  }

  /// The link is gone, and this is the reason.
  mutating func end(_ failure: RadioFailure, _ outputs: inout [LinkOutput]) {
    nextUpdate = nil
    guard pendingUpdate != nil else { return }
    pendingUpdate = nil
    outputs.append(.parameterUpdateAnswered(.failure(failure)))
  }

  private mutating func finishUpdate(
    isAccepted: Bool,
    now: RadioInstant,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) {
    if let pendingUpdate { identifiers.release(pendingUpdate.identifier) }
    pendingUpdate = nil
    let refusal = RadioFailure(
      .refused,
      reason: "the central did not take the connection parameters, or did not answer"
    )
    outputs.append(.parameterUpdateAnswered(isAccepted ? .success(()) : .failure(refusal)))
    guard let next = nextUpdate else { return }
    nextUpdate = nil
    requestUpdate(next, now: now, &identifiers, &outputs)
  }

  // MARK: Receiving

  /// Takes the payload of a frame on the channel.
  mutating func receive(
    _ payload: [UInt8],
    now: RadioInstant,
    _ channels: inout CreditChannels,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) {
    guard payload.count <= Self.mtu else { return refuseOverlong(head: payload, length: payload.count, &outputs) }
    do {
      let command = try SignallingCommand(bytes: payload)
      guard command.identifier != 0 else {
        return outputs.append(.violation("the peer sent \(command.code) with identifier 0; it is ignored"))
      }
      do {
        try handle(command, now: now, &channels, &identifiers, &outputs)
      } catch {
        outputs.append(.violation("the peer sent a \(command.code) that can not be read, \(error)"))
        if !command.code.isResponse { reject(command.identifier, .notUnderstood, &outputs) }
      }
    } catch {
      outputs.append(.violation("the peer sent a signalling command that can not be read, \(error)"))
      guard payload.count >= 2, payload[1] != 0, !SignallingCode(rawValue: payload[0]).isResponse else { return }
      reject(payload[1], .notUnderstood, &outputs)
    }
  }

  /// A command that is too long: of what it is, `head` is there.
  func refuseOverlong(head: [UInt8], length: Int, _ outputs: inout [LinkOutput]) {
    outputs.append(.violation("the peer sent a signalling command of \(length) bytes; \(Self.mtu) are the most"))
    guard head.count >= 2, head[1] != 0, !SignallingCode(rawValue: head[0]).isResponse else { return }
    reject(head[1], .mtuExceeded(actual: UInt16(Self.mtu)), &outputs)
  }

  private mutating func handle(
    _ command: SignallingCommand,
    now: RadioInstant,
    _ channels: inout CreditChannels,
    _ identifiers: inout SignallingIdentifiers,
    _ outputs: inout [LinkOutput]
  ) throws(ByteError) {
    switch command.code {
    case .connectionParameterUpdateRequest where role == .central:
      let request = try L2CAPConnectionParameterUpdateRequest(data: command.data)
      answer(command, L2CAPConnectionParameterUpdateResponse(isAccepted: request.isValid), &outputs)
      outputs.append(
        request.isValid
          ? .parameterUpdateRequested(request)
          : .violation("the peer asked for connection parameters out of range: \(command.data)")
      )
    case .connectionParameterUpdateResponse:
      guard pendingUpdate?.identifier == command.identifier else { return }
      let response = try L2CAPConnectionParameterUpdateResponse(data: command.data)
      finishUpdate(isAccepted: response.isAccepted, now: now, &identifiers, &outputs)
    case .commandReject:
      // Whatever the reason, what was asked for is not to be had.
      let reject = try L2CAPCommandReject(data: command.data)
      guard pendingUpdate?.identifier == command.identifier else {
        return channels.take(reject, identifier: command.identifier, &identifiers, &outputs)
      }
      finishUpdate(isAccepted: false, now: now, &identifiers, &outputs)
    case .disconnectionRequest:
      let request = try L2CAPDisconnectionRequest(data: command.data)
      channels.take(request, identifier: command.identifier, &identifiers, &outputs)
    case .disconnectionResponse:
      let response = try L2CAPDisconnectionResponse(data: command.data)
      channels.take(response, identifier: command.identifier, &identifiers, &outputs)
    case .leCreditBasedConnectionRequest:
      let request = try L2CAPLECreditBasedConnectionRequest(data: command.data)
      outputs.append(.channelRequested(identifier: command.identifier, request))
    case .leCreditBasedConnectionResponse:
      let response = try L2CAPLECreditBasedConnectionResponse(data: command.data)
      channels.take(response, identifier: command.identifier, now: now, &identifiers, &outputs)
    case .creditBasedConnectionRequest:
      let request = try L2CAPCreditBasedConnectionRequest(data: command.data)
      let refusal = L2CAPCreditBasedConnectionResponse(refused: .spsmNotSupported, count: request.sources.count)
      answer(command, refusal, &outputs)
    case .creditBasedReconfigureRequest:
      _ = try L2CAPCreditBasedReconfigureRequest(data: command.data)
      answer(command, L2CAPCreditBasedReconfigureResponse(result: .invalidChannels), &outputs)
    case .flowControlCredit:
      channels.take(try L2CAPFlowControlCredit(data: command.data), now: now, &identifiers, &outputs)
    default:
      guard !command.code.isResponse else { return }
      reject(command.identifier, .notUnderstood, &outputs)
    }
  }

  private func answer(_ command: SignallingCommand, _ message: some SignallingMessage, _ outputs: inout [LinkOutput]) {
    outputs.append(.signalling(command.identifier, message))
  }

  private func reject(_ identifier: UInt8, _ reason: L2CAPCommandReject.Reason, _ outputs: inout [LinkOutput]) {
    outputs.append(.signalling(identifier, L2CAPCommandReject(reason)))
  }
}
