import BluetoothTypes
import RadioPort

/// What comes next in a procedure of the GATT client.
enum ClientStep: Sendable {
  /// Send this request, a whole L2CAP frame, and wait for its reply.
  case send(ATTOpcode, frame: FrameBuffer)
  /// The procedure has ended.
  case finish(ClientOutcome)

  static func send(_ request: some ATTMessage) -> ClientStep {
    .send(type(of: request).opcode, frame: FrameBuffer(.att, request))
  }

  static func fail(_ failure: RadioFailure) -> ClientStep { .finish(.failure(failure)) }
}

/// How a procedure ended.
enum ClientOutcome: Sendable {
  case done
  case value([UInt8])
  case values([[UInt8]])
  case services([RemoteService])
  case failure(RadioFailure)
}

/// A reply to the outstanding request, of the right kind.
enum ClientReply: Sendable {
  /// The response, as a whole L2CAP frame; its opcode is the one that belongs to the request.
  case response(frame: FrameBuffer)
  case error(ATTErrorResponse)
}

extension RadioFailure {
  /// The peer's ATT error in answer to what was tried.
  static func att(_ error: ATTErrorResponse, _ tried: String, handle: AttributeHandle)
    -> RadioFailure
  {
    let advice =
      error.code == .databaseOutOfSync
      ? "; its services have changed: discover them, then try again" : ""
    return RadioFailure(
      .att,
      underlying: .att(error.code, handle),
      reason: "the peer refused \(tried) of attribute \(handle): \(error.code)\(advice)"
    )
  }

  /// A reply that can not be read.
  static func unreadable(_ what: ATTOpcode, _ error: ByteError) -> RadioFailure {
    RadioFailure(
      .protocolViolation,
      underlying: .bytes(error),
      reason: "the peer's \(what) can not be read, \(error); its GATT server is at fault"
    )
  }

  static func violation(_ reason: String) -> RadioFailure {
    RadioFailure(.protocolViolation, reason: reason + "; the peer's GATT server is at fault")
  }
}
