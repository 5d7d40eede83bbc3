import BluetoothTypes
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
  }
}
