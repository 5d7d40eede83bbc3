import BluetoothTypes
import HostStack
import Testing

extension L2CAPReassembler {
  fileprivate mutating func push(_ payload: [UInt8], isContinuation: Bool) -> Result {
    push(FrameBuffer(payload), isContinuation: isContinuation)
  }
}

@Suite("L2CAP frames")
struct L2CAPTests {
  @Test("a frame is cut into ACL payloads and put together again, for every length", arguments: [1, 4, 5, 27, 251])
  func fragments(length: Int) {
    var generator = SplitMix64(seed: UInt64(length))
    for count in [0, 1, 22, 23, 27, 247, 513] {
      let frame = Array(FrameBuffer(.att, payload: generator.bytes(count)).frame)
      var reassembler = L2CAPReassembler(limit: 1024)
      var arrivals: [L2CAPReassembler.Arrival] = []
      let fragments = L2CAPFragmenter(frame, length: length)
      #expect(fragments.remaining == Array(fragments).count)
      for (index, fragment) in fragments.enumerated() {
        #expect(fragment.bytes.count <= length && fragment.isContinuation == (index > 0))
        let result = reassembler.push(Array(fragment.bytes), isContinuation: fragment.isContinuation)
        #expect(result.fault == nil)
        if let arrival = result.arrival { arrivals.append(arrival) }
      }
      #expect(arrivals == [.frame(FrameBuffer(frame))])
      #expect(!reassembler.isUnfinished)
    }
  }

  @Test("a frame that begins before the last is whole replaces it, and the loss is told")
  func unfinished() {
    var reassembler = L2CAPReassembler(limit: 100)
    #expect(reassembler.push([3, 0, 4, 0, 1], isContinuation: false) == .init())
    let whole: [UInt8] = [1, 0, 4, 0, 9]
    #expect(
      reassembler.push(whole, isContinuation: false)
        == .init(fault: .unfinished(missing: 2), arrival: .frame(FrameBuffer(whole)))
    )
  }

  @Test("a continuation of nothing is ignored, and told")
  func noStart() {
    var reassembler = L2CAPReassembler(limit: 100)
    #expect(reassembler.push([1, 2], isContinuation: true).fault == .noStart)
    #expect(reassembler.push([], isContinuation: false).fault == .empty)
    #expect(
      reassembler.push([0, 0, 4, 0], isContinuation: false).arrival == .frame(FrameBuffer([0, 0, 4, 0] as [UInt8]))
    )
  }

  @Test("F41: more bytes than announced end the frame, not the link")
  func tooMany() {
    var reassembler = L2CAPReassembler(limit: 100)
    let fault = L2CAPReassembler.Fault.tooManyBytes(announced: 1, received: 3)
    #expect(reassembler.push([1, 0, 4, 0, 1, 2, 3], isContinuation: false) == .init(fault: fault))
    _ = reassembler.push([2, 0, 4, 0, 1], isContinuation: false)
    #expect(reassembler.push([1, 2], isContinuation: true).fault == .tooManyBytes(announced: 2, received: 3))
    #expect(reassembler.push([0, 0, 4, 0], isContinuation: false).arrival != nil)
  }

  @Test("F41: a frame over the limit is not kept, but what it was is known")
  func overlong() {
    var reassembler = L2CAPReassembler(limit: 4)
    _ = reassembler.push([10, 0, 4, 0, 1, 2], isContinuation: false)
    let result = reassembler.push([3, 4, 5, 6, 7, 8, 9, 10], isContinuation: true)
    #expect(result.arrival == .overlong(length: 10, head: FrameBuffer([10, 0, 4, 0, 1, 2, 3, 4] as [UInt8])))
  }

  @Test("random payloads never trap the reassembler, and after them it works")
  func random() {
    var generator = SplitMix64(seed: 11)
    var reassembler = L2CAPReassembler(limit: 64)
    for _ in 0..<20_000 {
      var bytes = generator.bytes(Int.random(in: 0...30, using: &generator))
      if bytes.count > 1, Bool.random(using: &generator) { bytes[1] = 0 }
      _ = reassembler.push(bytes, isContinuation: Bool.random(using: &generator))
    }
    #expect(
      reassembler.push([1, 0, 4, 0, 7], isContinuation: false).arrival
        == .frame(FrameBuffer([1, 0, 4, 0, 7] as [UInt8]))
    )
  }

  @Test("every signalling command is read back as it was written; cut at any byte it is an error")
  func signalling() throws {
    let channel = L2CAPChannelID(rawValue: 0x40)
    let samples: [any SignallingMessage] = [
      L2CAPCommandReject(.notUnderstood),
      L2CAPCommandReject(.mtuExceeded(actual: 23)),
      L2CAPCommandReject(.invalidChannel(local: channel, remote: .att)),
      L2CAPDisconnectionRequest(destination: channel, source: channel),
      L2CAPDisconnectionResponse(destination: channel, source: channel),
      L2CAPConnectionParameterUpdateRequest(intervalMin: 6, intervalMax: 12, latency: 0, timeout: 100),
      L2CAPConnectionParameterUpdateResponse(isAccepted: true),
      L2CAPLECreditBasedConnectionRequest(spsm: 0x80, source: channel, mtu: 512, mps: 247, initialCredits: 8),
      L2CAPLECreditBasedConnectionResponse(
        destination: channel,
        mtu: 512,
        mps: 247,
        initialCredits: 8,
        result: .success
      ),
      L2CAPFlowControlCredit(channel: channel, credits: 3),
      L2CAPCreditBasedConnectionRequest(spsm: 0x27, mtu: 64, mps: 64, initialCredits: 1, sources: [channel]),
      L2CAPCreditBasedConnectionResponse(refused: .noResources, count: 2),
      L2CAPCreditBasedReconfigureRequest(mtu: 128, mps: 64, channels: [channel]),
      L2CAPCreditBasedReconfigureResponse(result: .mtuReduced),
    ]
    for sample in samples {
      func check<Message: SignallingMessage>(_ message: Message) throws {
        let command = SignallingCommand(identifier: 7, message)
        #expect(try SignallingCommand(bytes: command.bytes) == command)
        #expect(try Message(data: command.data) == message)
        #expect(L2CAPDescription.line(forSignalling: command.bytes).contains(Message.code.description))
        for length in 0..<command.bytes.count {
          #expect(throws: ByteError.self) { try SignallingCommand(bytes: Array(command.bytes.prefix(length))) }
        }
      }
      try check(sample)
    }
  }
}
