import BluetoothTypes
import RadioPort

/// Writes a value: in one request, or in prepared parts that are checked against their echo and executed at the end
/// (Core 5.4, Vol 3, Part G, 4.9.3 to 4.9.5).
struct WriteProcedure: Sendable {
  private enum State {
    case plain
    case preparing(Range<Int>)
    case executing
    /// The parts so far are being thrown away; then it has failed.
    case cancelling(RadioFailure)
  }

  let handle: AttributeHandle
  let value: [UInt8]
  private var state = State.plain

  init(handle: AttributeHandle, value: [UInt8]) {
    self.handle = handle
    self.value = value
  }

  mutating func start(mtu: Int) -> ClientStep {
    if value.count <= mtu - 3 { return .send(ATTWriteRequest(handle: handle, value: value)) }
    guard value.count <= ReadProcedure.longestValue else { return .fail(Self.tooLong(value.count, handle)) }
    return prepare(from: 0, mtu: mtu)
  }

  static func tooLong(_ count: Int, _ handle: AttributeHandle) -> RadioFailure {
    RadioFailure(
      .tooLong,
      reason: "\(count) bytes are too long for attribute \(handle); a value has at most \(ReadProcedure.longestValue)"
    )
  }

  mutating func receive(_ reply: ClientReply, mtu: Int) -> ClientStep {
    switch (state, reply) {
    case (.plain, .response(let frame)): finish { () throws(ByteError) in _ = try ATTWriteResponse(frame: frame) }
    case (.executing, .response(let frame)):
      finish { () throws(ByteError) in _ = try ATTExecuteWriteResponse(frame: frame) }
    case (.preparing(let part), .response(let frame)): check(frame, part, mtu: mtu)
    case (.cancelling(let failure), _): .fail(failure)
    case (.preparing(let part), .error(let error)): refused(error, part)
    case (.plain, .error(let error)), (.executing, .error(let error)):
      .fail(.att(error, "the write", handle: handle))
    }
  }

  /// Nobody waits for the write any more: what comes after the reply to what was sent.
  mutating func abandon() -> ClientStep? {
    giveUp(RadioFailure(.invalidArgument, reason: "the write was given up"))
  }

  /// Throws away at the peer what was or may have been prepared there; `nil` if there is nothing.
  mutating func giveUp(_ failure: RadioFailure) -> ClientStep? {
    guard case .preparing = state else { return nil }
    return cancel(failure)
  }

  private func finish(_ parse: () throws(ByteError) -> Void) -> ClientStep {
    do {
      try parse()
      return .finish(.done)
    } catch {
      return .fail(.unreadable(.writeResponse, error))
    }
  }

  private mutating func prepare(from offset: Int, mtu: Int) -> ClientStep {
    let part = offset..<min(value.count, offset + mtu - 5)
    state = .preparing(part)
    return .send(
      ATTPrepareWriteRequest(handle: handle, offset: UInt16(truncatingIfNeeded: offset), value: Array(value[part]))
    )
  }

  private mutating func check(_ frame: FrameBuffer, _ part: Range<Int>, mtu: Int) -> ClientStep {
    guard let echo = try? ATTPrepareWriteResponse(frame: frame), echo.handle == handle,
      Int(echo.offset) == part.lowerBound, echo.value.elementsEqual(value[part])
    else {
      return cancel(.violation("the peer confirmed other bytes than the long write to attribute \(handle) sent"))
    }
    guard part.upperBound == value.count else { return prepare(from: part.upperBound, mtu: mtu) }
    state = .executing
    return .send(ATTExecuteWriteRequest(flags: .write))
  }

  private mutating func refused(_ error: ATTErrorResponse, _ part: Range<Int>) -> ClientStep {
    var failure = RadioFailure.att(error, "the long write", handle: handle)
    if error.code == .requestNotSupported {
      failure = RadioFailure(
        .tooLong,
        underlying: failure.underlying,
        reason: "\(value.count) bytes do not fit into one write to attribute \(handle), and the peer takes no long ones"
      )
    }
    return part.lowerBound == 0 ? .fail(failure) : cancel(failure)
  }

  private mutating func cancel(_ failure: RadioFailure) -> ClientStep {
    state = .cancelling(failure)
    return .send(ATTExecuteWriteRequest(flags: .cancel))
  }
}
