import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

extension ACLScheduler {
  fileprivate mutating func enqueue(_ frame: [UInt8], on handle: UInt16, token: FrameToken? = nil) {
    enqueue(FrameBuffer(frame), on: handle, token: token)
  }
}

@Suite("ACL flow control")
struct ACLSchedulerTests {
  private func all(_ scheduler: inout ACLScheduler) -> [ACLPacket] {
    var packets: [ACLPacket] = []
    while let next = scheduler.nextPacket() { if let packet = try? ACLPacket(next.packet) { packets.append(packet) } }
    return packets
  }

  private func scheduler(_ count: Int, length: Int = 27, links: [UInt16] = [1]) -> ACLScheduler {
    var scheduler = ACLScheduler()
    scheduler.configure(fragmentLength: length, count: count)
    for link in links { scheduler.open(link) }
    return scheduler
  }

  @Test("frames are cut to the controller's length, and the token comes with the last fragment")
  func fragments() {
    var scheduler = scheduler(8, length: 10)
    scheduler.enqueue(Array(0..<25), on: 1, token: .server(7))
    var handed: [ACLScheduler.Handed?] = []
    var packets: [ACLPacket] = []
    while let next = scheduler.nextPacket() {
      handed.append(next.handed)
      if let packet = try? ACLPacket(next.packet) { packets.append(packet) }
    }
    #expect(packets.map(\.data.count) == [10, 10, 5])
    #expect(packets.map(\.boundary) == [.firstNonFlushable, .continuing, .continuing])
    #expect(packets.flatMap(\.data) == Array(0..<25))
    #expect(handed == [nil, nil, .init(handle: 1, token: .server(7))])
  }

  @Test("F34: never more is under way than the controller holds, and credits stay between zero and the total")
  func bounds() {
    var scheduler = scheduler(3)
    for number in 0..<10 { scheduler.enqueue([UInt8(number)], on: 1) }
    #expect(all(&scheduler).count == 3)
    #expect(scheduler.credits == 0)
    #expect(scheduler.completed(1, count: 2) == nil)
    #expect(all(&scheduler).map(\.data) == [[3], [4]])
    // More than there can be: taken for what there was, and told.
    #expect(scheduler.completed(1, count: 60000) == .excess(handle: 1, reported: 60000, inFlight: 3))
    #expect(scheduler.credits == 3)
    #expect(scheduler.completed(9, count: 1) == .unknownHandle(9))
    #expect(scheduler.credits == 3)
    #expect(all(&scheduler).count == 3)
  }

  @Test("F34: a random history of frames, completions and ends keeps the count")
  func history() {
    var random = SeededBytes(seed: 5)
    var scheduler = scheduler(5, links: [1, 2, 3])
    var inFlight: [UInt16: Int] = [:]
    for _ in 0..<5000 {
      let handle = UInt16(random.next() % 4)
      switch random.next() % 4 {
      case 0: scheduler.enqueue(Array(repeating: 1, count: Int(random.next() % 60)), on: handle, token: .server(1))
      case 1:
        let count = random.next() % 7
        _ = scheduler.completed(handle, count: UInt16(count))
        inFlight[handle] = max(0, inFlight[handle, default: 0] - Int(count))
      case 2 where random.next() % 20 == 0:
        scheduler.close(handle)
        scheduler.open(handle)
        inFlight[handle] = 0
      default: scheduler.withdraw(.server(1), on: handle)
      }
      for packet in all(&scheduler) { inFlight[packet.connectionHandle, default: 0] += 1 }
      let total = inFlight.values.reduce(0, +)
      #expect(total <= 5)
      #expect(scheduler.credits == 5 - total)
    }
  }

  @Test("links are served in turn, and a silent one can not take all buffers")
  func fairness() {
    var scheduler = scheduler(4, links: [1, 2])
    for _ in 0..<10 { scheduler.enqueue([1], on: 1) }
    #expect(all(&scheduler).count == 3)
    for _ in 0..<10 { scheduler.enqueue([2], on: 2) }
    #expect(all(&scheduler).map(\.connectionHandle) == [2])
    _ = scheduler.completed(2, count: 1)
    #expect(all(&scheduler).map(\.connectionHandle) == [2])
    _ = scheduler.completed(1, count: 3)
    #expect(all(&scheduler).map(\.connectionHandle).sorted() == [1, 1, 2])
  }

  @Test("what a link had under way comes back when it ends")
  func ending() {
    var scheduler = scheduler(2, links: [1, 2])
    for _ in 0..<4 { scheduler.enqueue([1], on: 1) }
    #expect(all(&scheduler).count == 1)
    scheduler.close(1)
    #expect(scheduler.credits == 2)
    scheduler.enqueue([1], on: 1)
    #expect(all(&scheduler).isEmpty)
  }

  @Test("a frame is taken back only while none of it was sent")
  func withdrawal() {
    var scheduler = scheduler(1, length: 2)
    scheduler.enqueue([1, 2, 3], on: 1, token: .server(1))
    scheduler.enqueue([4], on: 1, token: .server(2))
    #expect(all(&scheduler).map(\.data) == [[1, 2]])
    scheduler.withdraw(.server(1), on: 1)
    scheduler.withdraw(.server(2), on: 1)
    _ = scheduler.completed(1, count: 1)
    #expect(all(&scheduler).map(\.data) == [[3]])
    _ = scheduler.completed(1, count: 1)
    #expect(all(&scheduler).isEmpty)
  }

  @Test("a frame that was begun is finished when the rest of the queue is dropped")
  func discard() {
    var scheduler = scheduler(1, length: 2)
    scheduler.enqueue([1, 2, 3], on: 1)
    scheduler.enqueue([4], on: 1)
    _ = all(&scheduler)
    scheduler.discardWaiting(1)
    _ = scheduler.completed(1, count: 1)
    #expect(all(&scheduler).map(\.data) == [[3]])
    #expect(!scheduler.isWaiting(on: 1))
  }
}

@Suite("Command flow control")
struct CommandQueueTests {
  @Test("commands wait for room, and answers find who asked")
  func flow() {
    var queue = CommandQueue<Int>()
    queue.enqueue(Reset(), 1)
    queue.enqueue(ReadRSSI(handle: 1), 2)
    queue.enqueue(ReadRSSI(handle: 2), 3)
    #expect(queue.nextPacket(now: .zero) == Reset().packet)
    #expect(queue.nextPacket(now: .zero) == nil)
    #expect(purpose(queue.answered(.reset, allowed: 2)) == 1)
    #expect(queue.nextPacket(now: .zero) == ReadRSSI(handle: 1).packet)
    #expect(queue.nextPacket(now: .zero) == ReadRSSI(handle: 2).packet)
    #expect(purpose(queue.answered(.readRSSI, allowed: 0)) == 2)
    #expect(purpose(queue.answered(.readRSSI, allowed: 0)) == 3)
    #expect(queue.isIdle)
    queue.enqueue(Reset(), 4)
    #expect(queue.nextPacket(now: .zero) == nil)
    guard case .none = queue.answered(.none, allowed: 1) else {
      Issue.record("opcode 0 answers nothing")
      return
    }
    #expect(queue.nextPacket(now: .zero) != nil)
  }

  @Test("an answer that nobody waits for is told as such")
  func unknown() {
    var queue = CommandQueue<Int>()
    guard case .unknown(.reset) = queue.answered(.reset, allowed: 1) else {
      Issue.record("nobody waits")
      return
    }
  }

  @Test("silence and lack of room are bounded")
  func bounds() {
    var queue = CommandQueue<Int>(timeout: .seconds(5))
    #expect(queue.deadline == nil)
    queue.enqueue(Reset(), 1)
    let start = RadioInstant(nanoseconds: 1_000_000_000)
    _ = queue.nextPacket(now: start)
    #expect(queue.deadline == start.advanced(by: .seconds(5)))
    #expect(queue.overdue(now: start.advanced(by: .seconds(4))) == nil)
    #expect(queue.overdue(now: start.advanced(by: .seconds(5))) != nil)
    _ = queue.answered(.reset, allowed: 0)
    #expect(queue.deadline == nil)
    queue.enqueue(Reset(), 2)
    _ = queue.nextPacket(now: start)
    #expect(queue.deadline == start.advanced(by: .seconds(5)))
    #expect(queue.overdue(now: start.advanced(by: .seconds(5))) != nil)
  }

  private func purpose(_ match: CommandQueue<Int>.Match) -> Int? {
    if case .command(let purpose) = match { purpose } else { nil }
  }
}
