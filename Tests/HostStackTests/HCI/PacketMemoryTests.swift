import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("The memory of packets")
struct PacketMemoryTests {
  private func address(_ bytes: [UInt8]) -> UInt { bytes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }

  @Test("a frame that fits into one packet becomes that packet, and a packet's frame is read where it lies")
  func frameBecomesPacket() throws {
    let frame = FrameBuffer(.att, payload: [0x0A, 3, 0])
    let place = address(frame.bytes)
    var scheduler = ACLScheduler()
    scheduler.configure(fragmentLength: 27, count: 1)
    scheduler.open(0x40)
    scheduler.enqueue(consume frame, on: 0x40)
    let next = scheduler.nextPacket()
    let packet = try #require(next).packet
    #expect(packet.bytes == [0x02, 0x40, 0x00, 7, 0, 3, 0, 4, 0, 0x0A, 3, 0])
    #expect(address(packet.bytes) == place)
    let read = FrameBuffer(try ACLPacket(packet))
    #expect(address(read.bytes) == place)
    #expect(Array(read.payload()) == [0x0A, 3, 0] && read.count == 7 && read[2] == 4)
  }

  @Test("a packet that goes on under another handle leaves who still holds it the old one")
  func readdressed() {
    let original = ACLPacket(connectionHandle: 0x40, boundary: .firstNonFlushable, data: [1, 2, 3])
    var other = original
    other.address(to: 0x0ABC, .continuing, broadcast: 2)
    #expect(original.packet.bytes == [0x02, 0x40, 0x00, 3, 0, 1, 2, 3])
    #expect(other.packet.bytes == [0x02, 0xBC, 0x9A, 3, 0, 1, 2, 3])
    #expect(other.connectionHandle == 0x0ABC && other.boundary == .continuing && other.broadcast == 2)
    #expect(other.data == original.data)
  }

  @Test("frames are compared without what stands in their room")
  func equality() {
    let packet = ACLPacket(connectionHandle: 0x41, boundary: .firstFlushable, data: [1, 0, 4, 0, 9])
    #expect(FrameBuffer(packet) == FrameBuffer(.att, payload: [9]))
    #expect(FrameBuffer(packet).hashValue == FrameBuffer(.att, payload: [9]).hashValue)
    #expect(FrameBuffer() == FrameBuffer([] as [UInt8]) && FrameBuffer().isEmpty)
  }

  @Test(
    "completed packets of no, one and several links are read back as they were written",
    arguments: [0, 1, 2, 63, 64]
  )
  func completed(count: Int) throws {
    var list: CompletedPackets.List = []
    for number in 0..<count {
      list.append(CompletedPackets(connectionHandle: UInt16(number), count: UInt16(number + 1)))
    }
    #expect(list.count == count)
    let packet = NumberOfCompletedPackets(completed: list).packet
    #expect(packet.bytes.count == 4 + 4 * min(count, 63))
    guard case .numberOfCompletedPackets(let event) = try AnyHCIEvent(packet) else {
      Issue.record("another event was read")
      return
    }
    #expect(event.completed.elementsEqual(list.prefix(63)))
    #expect(NumberOfCompletedPackets(packet: packet) == event)
    #expect(packet == event.makePacket())
  }

  @Test("the short way to completed packets reads what the long way reads, and nothing else")
  func shortWay() throws {
    var random = SplitMix64(seed: 3)
    for round in 0..<20_000 {
      var parameters = random.bytes(Int(random.next() % 14))
      if !parameters.isEmpty, round % 2 == 0 { parameters[0] %= 4 }
      var bytes: [UInt8] =
        [4, round % 8 == 0 ? UInt8(random.next() % 0x40) : 0x13, UInt8(parameters.count)] + parameters
      if round % 16 == 1 { bytes[2] = UInt8(random.next() % 16) }
      if round % 16 == 3 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
      guard let packet = HCIPacket(bytes) else { continue }
      var expected: NumberOfCompletedPackets?
      if case .numberOfCompletedPackets(let event)? = try? AnyHCIEvent(packet) { expected = event }
      #expect(NumberOfCompletedPackets(packet: packet) == expected, "\(bytes)")
    }
  }

  @Test("who waits for the result of a request is told once, in whatever order the results come")
  func requests() {
    var table = RequestTable()
    var random = SplitMix64(seed: 4)
    var waiting: [UInt64] = []
    for number in 1...5_000 as ClosedRange<UInt64> {
      table.note(.done { _ in }, of: RequestID(rawValue: number))
      waiting.append(number)
      while waiting.count > random.next() % 20, let index = waiting.indices.randomElement(using: &random) {
        let id = RequestID(rawValue: waiting.remove(at: index))
        #expect(table.take(id) != nil && table.take(id) == nil)
      }
    }
    #expect(table.take(RequestID(rawValue: 6_000)) == nil)
    for number in waiting { #expect(table.take(RequestID(rawValue: number)) != nil) }
    #expect(table.isEmpty)
  }
}
