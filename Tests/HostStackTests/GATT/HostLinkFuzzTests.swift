import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("A link that is fed anything")
struct HostLinkFuzzTests {
  /// Bytes that look like something on one of the fixed channels often enough to get past the first check.
  /// Mostly a response is one to the request that is under way, as any other ends the link.
  private func payload(_ generator: inout SplitMix64, _ request: ATTOpcode?) -> [UInt8] {
    let opcodes: [UInt8] = [
      0x01, 0x02, 0x03, 0x05, 0x09, 0x0B, 0x0D, 0x11, 0x13, 0x17, 0x19, 0x1B, 0x1D, 0x1E, 0x23, 0x0A, 0x52, 0x12, 0x14,
    ]
    var body = generator.bytes(Int.random(in: 0...30, using: &generator))
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return body
    case 1:
      if body.count > 4 { body[2] = UInt8(body.count - 4) }
      return Array(FrameBuffer(.leSignalling, payload: body).frame)
    default:
      if !body.isEmpty { body[0] = opcodes.randomElement(using: &generator) ?? 0 }
      if let request, let first = body.first, ATTOpcode(rawValue: first).isResponse,
        Int.random(in: 0..<20, using: &generator) > 0
      {
        body[0] = (first == 0x01 ? .errorResponse : request.response)?.rawValue ?? first
        if body[0] == 0x01, body.count > 1 { body[1] = request.rawValue }
      }
      return Array(FrameBuffer(.att, payload: body).frame)
    }
  }

  @Test(
    "thousands of random payloads: no trap, and every operation ends exactly once",
    arguments: 0..<6 as Range<UInt64>
  )
  func random(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<100 {
      var bench = LinkBench(role: Bool.random(using: &generator) ? .central : .peripheral, watchesServices: true)
      var requests: [RequestID] = []
      var subscriptions: [SubscriptionID] = []
      var abandoned: Set<RequestID> = []
      var left: Set<SubscriptionID> = []
      var subscribedCount: [SubscriptionID: Int] = [:]
      for _ in 0..<60 {
        let handle = AttributeHandle(UInt16.random(in: 0...40, using: &generator))
        let request = bench.request()
        switch Int.random(in: 0..<16, using: &generator) {
        case 0:
          bench.link.read(handle, request: request, now: bench.now)
          requests.append(request)
        case 1:
          let value = generator.bytes([2, 30, 600].randomElement(using: &generator) ?? 2)
          bench.link.write(value, to: handle, request: request, now: bench.now)
          requests.append(request)
        case 2:
          bench.link.writeWithoutResponse([1], to: handle, request: request)
          requests.append(request)
          if Bool.random(using: &generator) { bench.link.frameSent(.write(request), now: bench.now) }
        case 3:
          bench.link.discover(nil, request: request, now: bench.now)
          requests.append(request)
        case 4:
          bench.link.exchangeMTU(request, now: bench.now)
          requests.append(request)
        case 5:
          let id = bench.subscription()
          let characteristic = SubscriptionTests.characteristic(
            2 + 3 * UInt16.random(in: 0...2, using: &generator),
            .notify
          )
          bench.link.subscribe(to: characteristic, subscription: id, now: bench.now)
          subscriptions.append(id)
        case 6:
          if let id = subscriptions.randomElement(using: &generator), left.insert(id).inserted {
            bench.link.unsubscribe(id, now: bench.now)
          }
        case 7:
          if let id = requests.randomElement(using: &generator), bench.endings[id] == nil {
            bench.link.abandon(id)
            abandoned.insert(id)
          }
        case 8:
          bench.now = bench.now.advanced(by: .seconds(Int.random(in: 0...3, using: &generator)))
          bench.link.wake(now: bench.now)
        default:
          let payload = payload(&generator, bench.link.client.outstanding?.request)
          let isContinuation = Int.random(in: 0..<10, using: &generator) == 0
          bench.link.receive(FrameBuffer(payload), isContinuation: isContinuation, now: bench.now)
        }
        bench.drain()
        let client = bench.link.client
        if client.current == nil {
          #expect(client.queue.isEmpty && client.outstanding == nil)
          #expect(client.subscriptions.allSatisfy { $0.waiting.isEmpty && $0.leaving.isEmpty })
        }
      }
      bench.link.fail(RadioFailure(.disconnected, reason: "the end"))
      bench.drain()
      #expect(bench.link.deadline == nil)
      for request in requests {
        let count = bench.endings[request, default: 0]
        #expect(count == (abandoned.contains(request) ? 0 : 1))
      }
      for text in bench.all where text.hasPrefix("subscribed") {
        for id in subscriptions where text.contains("(rawValue: \(id.rawValue))") {
          subscribedCount[id, default: 0] += 1
        }
      }
      for id in subscriptions {
        #expect(subscribedCount[id] == 1)
        #expect((bench.unsubscribed[id] != nil) == left.contains(id))
      }
    }
  }
}
