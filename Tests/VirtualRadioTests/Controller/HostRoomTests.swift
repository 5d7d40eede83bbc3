import BluetoothTypes
import HostStack
import RadioPort
import Testing

@testable import VirtualRadio

@Suite("The room that a host grants for data")
struct HostRoomTests {
  /// Lets a controller count its host's buffers.
  private func control(_ bench: inout AirBench, _ id: ControllerID, length: UInt16 = 27, count: UInt16) {
    bench.send(HostBufferSize(hostACLDataPacketLength: length, hostTotalNumACLDataPackets: count), to: id)
    bench.send(SetControllerToHostFlowControl(flowControlEnable: 1), to: id)
  }

  private func grant(_ bench: inout AirBench, _ id: ControllerID, _ handle: UInt16, count: UInt16) {
    let completed: CompletedPackets.List = [CompletedPackets(connectionHandle: handle, count: count)]
    bench.send(HostNumberOfCompletedPackets(completed: completed), to: id)
  }

  /// A central's link to a peripheral whose host has so many buffers of 27 bytes; the packets on the air are long.
  private func link(_ bench: inout AirBench, count: UInt16) throws -> AirBench.Pair {
    let (central, peripheral) = (bench.add(), bench.add())
    control(&bench, peripheral, count: count)
    bench.advertise(peripheral)
    bench.connect(central, to: bench.address(2))
    bench.run(for: .seconds(1))
    let handle = try bench.takeFirst(LEConnectionComplete.self, from: central).connectionHandle
    let other = try bench.takeFirst(LEConnectionComplete.self, from: peripheral).connectionHandle
    bench.send(LESetDataLength(connectionHandle: handle), to: central)
    bench.run(for: .seconds(1))
    bench.heard = [:]
    return AirBench.Pair(central: central, peripheral: peripheral, centralHandle: handle, peripheralHandle: other)
  }

  @Test("F34: a packet that is too long for the host comes in parts, and no more of them at once than it has room for")
  func parts() throws {
    var bench = AirBench()
    let link = try link(&bench, count: 2)
    let data = AirBench.bytes(251)
    bench.send(data, on: link.centralHandle, to: link.central)
    bench.send([9], on: link.centralHandle, to: link.central)
    var granted = 0
    while granted < 12 {
      bench.run(for: .seconds(1))
      let count = bench.received(by: link.peripheral).count
      #expect(count == min(11, granted + 2))
      granted += 1
      grant(&bench, link.peripheral, link.peripheralHandle, count: 1)
    }
    let packets = bench.heard[link.peripheral, default: []].compactMap(\.data)
    #expect(packets.map(\.boundary.isFirst) == [true] + Array(repeating: false, count: 9) + [true])
    #expect(packets.dropLast().flatMap(\.data) == data && packets.last?.data == [9])
  }

  @Test("the end of a link makes room for others, whose data comes at once")
  func otherLink() throws {
    var bench = AirBench()
    let (central, one, other) = (bench.add(), bench.add(), bench.add())
    control(&bench, central, count: 4)
    var ends: [UInt16] = []
    for (number, peripheral) in [(UInt64(2), one), (3, other)] {
      bench.advertise(peripheral)
      bench.connect(central, to: bench.address(number))
      bench.run(for: .seconds(1))
      ends += bench.take(LEConnectionComplete.self, from: peripheral).map(\.connectionHandle)
    }
    for number in UInt8(0)..<4 { bench.send([number], on: ends[0], to: one) }
    bench.run(for: .seconds(1))
    bench.send([9], on: ends[1], to: other)
    bench.run(for: .seconds(10))
    #expect(bench.received(by: central) == [[0], [1], [2], [3]])
    bench.send(Disconnect(connectionHandle: ends[0]), to: one)
    bench.run(for: .seconds(1))
    #expect(bench.count(DisconnectionComplete.self, from: central) == 1)
    #expect(bench.received(by: central).last == [9])
  }

  @Test("data that a fault has held back waits for room too, and what the host never makes room for goes with the link")
  func late() throws {
    var bench = AirBench()
    let link = try link(&bench, count: 2)
    var trouble = LinkTrouble()
    trouble.delay = 1_000_000_000
    bench.air.setTrouble(trouble, of: link.central, now: bench.now)
    for number in UInt8(0)..<6 { bench.send([number], on: link.centralHandle, to: link.central) }
    bench.run(for: .seconds(3))
    #expect(bench.received(by: link.peripheral) == [[0], [1]])
    grant(&bench, link.peripheral, link.peripheralHandle, count: 2)
    bench.run(for: .seconds(3))
    #expect(bench.received(by: link.peripheral) == [[0], [1], [2], [3]])
    grant(&bench, link.peripheral, link.peripheralHandle, count: 1)
    bench.send(Disconnect(connectionHandle: link.centralHandle), to: link.central)
    bench.run(for: .seconds(3))
    #expect(bench.received(by: link.peripheral) == (UInt8(0)..<5).map { [$0] })
    #expect(bench.heard[link.peripheral]?.last?.event?.event is DisconnectionComplete)
  }

  @Test("what waits at a controller as the way to its host is full comes as soon as it is not")
  func stalled() throws {
    var bench = AirBench()
    let link = try bench.link()
    var trouble = LinkTrouble()
    trouble.delay = 1_000_000_000
    bench.air.setTrouble(trouble, of: link.central, now: bench.now)
    for number in UInt8(0)..<3 { bench.send([number], on: link.centralHandle, to: link.central) }
    bench.run(for: .milliseconds(500))
    bench.air.setStalled(true, link.peripheral, now: bench.now)
    bench.run(for: .seconds(5))
    #expect(bench.received(by: link.peripheral).isEmpty)
    bench.air.setStalled(false, link.peripheral, now: bench.now)
    bench.run(for: .zero)
    #expect(bench.received(by: link.peripheral) == [[0], [1], [2]])
  }
}
