import BluetoothTypes
import HostStack
import RadioPort
import Testing
import VirtualRadioTesting

@testable import VirtualRadio

@Suite("Faults that wait for a packet", .reportsWorlds)
struct PacketWatchTests {
  @Test("the air stands still at the packet, however late it is told of the time", arguments: 1...8)
  func pause(number: Int) throws {
    var bench = AirBench()
    let link = try bench.link()
    bench.air.watchPacket(number, of: link.peripheral, as: 1)
    for value in UInt8(0)..<8 {
      bench.send([value], on: link.centralHandle, to: link.central)
      bench.send([value], on: link.peripheralHandle, to: link.peripheral)
    }
    // As in a live world whose thread was busy meanwhile.
    bench.air.advance(to: bench.now.advanced(by: .seconds(5)))
    bench.run(for: .seconds(5))
    #expect(bench.air.isPaused)
    let passed = bench.received(by: link.central).count + bench.received(by: link.peripheral).count
    #expect(passed == number)
    bench.air.dropLinks(of: link.central, reason: .remoteUserTerminatedConnection, now: bench.now)
    bench.air.endPause()
    bench.run(for: .seconds(5))
    #expect(bench.received(by: link.central).count + bench.received(by: link.peripheral).count == number)
    #expect(bench.count(DisconnectionComplete.self, from: link.central) == 1)
    #expect(bench.count(DisconnectionComplete.self, from: link.peripheral) == 1)
  }

  @Test("when nothing is done about the packet all others come behind it, and none twice")
  func goingOn() throws {
    var bench = AirBench()
    let link = try bench.link()
    bench.air.watchPacket(5, of: link.central, as: 1)
    for value in UInt8(0)..<8 {
      bench.send([value], on: link.centralHandle, to: link.central)
      bench.send([value], on: link.peripheralHandle, to: link.peripheral)
    }
    bench.run(for: .seconds(5))
    bench.air.endPause()
    bench.run(for: .seconds(5))
    #expect(bench.received(by: link.central) == (UInt8(0)..<8).map { [$0] })
    #expect(bench.received(by: link.peripheral) == (UInt8(0)..<8).map { [$0] })
    #expect(bench.air.packetWatches.isEmpty && !bench.air.isPaused)
  }

  @Test("a fault that is taken back waits for nothing any more, nor does one of a device that is gone")
  func takenBack() async throws {
    try await World.simulated(seed: 1) { world in
      let band = world.add(.heartRateBand(name: "Pulse"))
      let fault = try #require(band.faults.add(.dropLink(at: .packet(5))))
      #expect(world.space.packetWatchCount == 1)
      band.faults.remove(fault)
      #expect(world.space.packetWatchCount == 0)
      for number in 1...20 { band.faults.add(.losePackets(from: .packet(number))) }
      #expect(world.space.packetWatchCount == 20)
      band.faults.removeAll()
      #expect(world.space.packetWatchCount == 0)
      band.faults.add(.dropLink(at: .packet(5)))
      world.space.removeController(band.device.channel.controller)
      #expect(world.space.packetWatchCount == 0)
    }
  }

  @Test("of what has happened the last thousand are kept, and all are counted")
  func history() {
    var book = FaultBook()
    let controller = ControllerID(rawValue: 1)
    for number in 0..<5000 { book.note(.dropLink(), of: controller, RadioInstant(nanoseconds: Int64(number))) }
    #expect(book.count(of: controller) == 5000)
    #expect(book.history(of: controller).count == 1000)
    #expect(book.history(of: controller).last?.time == RadioInstant(nanoseconds: 4999))
    #expect(book.history(of: controller).first?.time == RadioInstant(nanoseconds: 4000))
    #expect(book.history(of: ControllerID(rawValue: 2)).isEmpty && book.count(of: ControllerID(rawValue: 2)) == 0)
  }
}
