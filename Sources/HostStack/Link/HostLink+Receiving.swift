import BluetoothTypes
import RadioPort

extension HostLink {
  /// Takes the data of one ACL packet that came over the link.
  package mutating func receive(_ data: FrameBuffer, isContinuation: Bool, now: RadioInstant) {
    guard !hasEnded else { return }
    let result = reassembler.push(data, isContinuation: isContinuation)
    if let fault = result.fault { outputs.append(.violation(fault.description)) }
    switch result.arrival {
    case .frame(let frame): receive(frame: frame, now: now)
    case .overlong(let length, let head): refuse(overlong: length, head: head, now: now)
    case nil: break
    }
  }

  private mutating func receive(frame: FrameBuffer, now: RadioInstant) {
    guard frame.count >= L2CAPFrame.headerLength else { return }
    switch Self.channel(of: frame) {
    case .att: receive(att: frame, now: now)
    case .leSignalling:
      signalling.receive(
        Array(frame.payload()),
        now: now,
        &channels,
        &identifiers,
        &outputs
      )
    case .security: refuse(security: frame)
    case let channel:
      if channels.receive(frame: frame, to: channel, now: now, &identifiers, &outputs) { return }
      // Fixed channels that are not offered and dynamic ones that were never opened are passed over
      // (Core 5.4, Vol 3, Part A, 2.1 and 3.4).
      outputs.append(.violation("the peer sent \(counted(frame.count - 4, "byte")) to \(channel), which is not open"))
    }
  }

  private static func channel(of frame: FrameBuffer) -> L2CAPChannelID {
    L2CAPChannelID(rawValue: UInt16(frame[2]) | UInt16(frame[3]) &<< 8)
  }

  private mutating func receive(att frame: FrameBuffer, now: RadioInstant) {
    guard frame.count > L2CAPFrame.headerLength else {
      return outputs.append(.violation("the peer sent an empty ATT PDU; it is ignored"))
    }
    let length = frame.count &- L2CAPFrame.headerLength
    guard length <= client.longestIncoming else { return refuse(overlong: length, head: frame, now: now) }
    let opcode = ATTOpcode(rawValue: frame[L2CAPFrame.headerLength])
    if opcode.isResponse {
      client.receive(response: opcode, frame: frame, now: now, &outputs)
    } else if opcode.isServerInitiated {
      client.receive(value: opcode, frame: frame, now: now, &outputs)
    } else if opcode == .exchangeMTURequest {
      answerMTU(frame)
    } else {
      outputs.append(.serverPDU(Array(frame.payload())))
    }
  }

  /// The peer's exchange is answered whenever it comes (F31).
  private mutating func answerMTU(_ frame: FrameBuffer) {
    guard let request = try? ATTExchangeMTURequest(frame: frame) else {
      outputs.append(.violation("the peer sent an Exchange MTU Request that can not be read"))
      return answer(error: .invalidPDU, to: .exchangeMTURequest)
    }
    let response = ATTExchangeMTUResponse(mtu: UInt16(truncatingIfNeeded: configuration.mtu))
    outputs.append(.frame(FrameBuffer(.att, response), nil))
    client.peerExchangedMTU(Int(request.mtu), &outputs)
  }

  private mutating func answer(error code: ATTErrorCode, to opcode: ATTOpcode) {
    let error = ATTErrorResponse(request: opcode, handle: AttributeHandle(0), code: code)
    outputs.append(.frame(FrameBuffer(.att, error), nil))
  }

  /// A frame is longer than what this end announced: an error for what it belongs to, and the link goes on (F41).
  private mutating func refuse(overlong length: Int, head: FrameBuffer, now: RadioInstant) {
    guard head.count > L2CAPFrame.headerLength else { return }
    let channel = Self.channel(of: head)
    switch channel {
    case .leSignalling:
      signalling.refuseOverlong(head: Array(head.payload()), length: length, &outputs)
    case .att:
      let opcode = ATTOpcode(rawValue: head[L2CAPFrame.headerLength])
      outputs.append(.violation("the peer sent \(opcode) of \(length) bytes; \(client.longestIncoming) are the most"))
      if opcode.isResponse {
        client.refuse(overlong: opcode, head: head, length: length, now: now, &outputs)
      } else if opcode == .handleValueIndication {
        // Without the confirmation the peer would wait, and drop the link after 30 s.
        outputs.append(.frame(GATTClient.confirmation, nil))
      } else if opcode.isRequest {
        answer(error: .invalidPDU, to: opcode)
      }
    default:
      if channels.refuse(overlong: length, to: channel, now: now, &identifiers, &outputs) { return }
      outputs.append(.violation("the peer sent \(counted(length, "byte")) to \(channel), which is not open"))
    }
  }

  /// There is no pairing yet: a request for it is refused, so that the peer need not wait for its timeout
  /// (Core 5.4, Vol 3, Part H, 3.5.5: Pairing Failed, Pairing Not Supported).
  private mutating func refuse(security frame: FrameBuffer) {
    guard frame.count > L2CAPFrame.headerLength else { return }
    let code = frame[L2CAPFrame.headerLength]
    guard code == (role == .central ? 0x0B : 0x01) else { return }
    outputs.append(.frame(FrameBuffer(.security, payload: [0x05, 0x05]), nil))
  }
}
