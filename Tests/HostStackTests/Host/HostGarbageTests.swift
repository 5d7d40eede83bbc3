import BluetoothTypes
import RadioPort
import Testing

@testable import HostStack

@Suite("Garbage from the controller")
struct HostGarbageTests {
  @Test("random packets, and good ones cut at every byte, never trap, and the host still works afterwards")
  func random() throws {
    var random = SeededBytes(seed: 17)
    var bench = HostBench.on()
    _ = bench.act { host, now in host.startScan(ScanRequest(), now: now) }
    _ = bench.link(to: HostBench.peer(1))
    _ = bench.act { host, now in host.connect(to: PeerID(HostBench.peer(2)), now: now) }
    for round in 0..<5_000 {
      var bytes: [UInt8] = [round % 3 == 0 ? 2 : 4] + random.bytes(Int(random.next() % 40))
      if bytes.count > 2, bytes[0] == 4 {
        // Mostly events that a host knows, with the right length.
        let codes: [UInt8] = [0x05, 0x0E, 0x0F, 0x13, 0x3E, 0x3E, 0x3E, 0x1A, bytes[1]]
        bytes[1] = codes[Int(random.next() % UInt64(codes.count))]
        bytes[2] = UInt8(bytes.count - 3)
      } else if bytes.count > 4 {
        bytes[1] = 0x40
        bytes[2] = bytes[2] & 0x20
        bytes[3] = UInt8(bytes.count - 5)
        bytes[4] = 0
      }
      if let packet = HCIPacket(bytes) { bench.receive(packet) }
      if round % 500 == 0 { bench.pass(.seconds(1)) }
      bench.events.removeAll()
      bench.commands.removeAll()
      bench.data.removeAll()
    }
    bench.act { host, now in host.powerOn(now: now) }
    #expect(bench.host.state == .poweredOn)
    let made = bench.link(to: HostBench.peer(1))
    #expect(made != nil)
  }

  @Test("F11: scanning right after a disconnect scans")
  func scanAfterDisconnect() throws {
    var bench = HostBench.on()
    let made = bench.link(to: HostBench.peer(1))
    #expect(made != nil)
    bench.disconnected()
    _ = bench.takeCommands()
    _ = bench.act { host, now in host.startScan(ScanRequest(), now: now) }
    #expect(bench.takeNames() == ["LE Set Scan Parameters", "LE Set Scan Enable"])
  }

  @Test("F34: data of many links never exceeds what the controller holds")
  func credits() throws {
    var bench = HostBench.on { $0.aclCount = 3 }
    let first = bench.link(to: HostBench.peer(1), handle: 0x40)
    let second = bench.link(to: HostBench.peer(2), handle: 0x41)
    let links = try [#require(first).link, #require(second).link]
    for value in 0..<20 {
      for link in links {
        _ = bench.act { host, now in
          host.writeWithoutResponse([UInt8(value)], to: AttributeHandle(3), on: link, now: now)
        }
      }
    }
    #expect(bench.data.count == 3)
    var done: Int { bench.events.filter { if case .wrote(_, .success) = $0 { true } else { false } }.count }
    // The MTU exchanges went first.
    #expect(done == 1)
    while !bench.data.isEmpty {
      let packets = bench.takeData()
      #expect(packets.count <= 3)
      for packet in packets {
        bench.receive(NumberOfCompletedPackets(completed: [.init(connectionHandle: packet.connectionHandle, count: 1)]))
      }
    }
    #expect(done == 40)
    #expect(bench.host.data.credits == 3)
  }

  @Test("F26, F28: writes without response that wait for room fail when the link goes")
  func writesWaiting() throws {
    var bench = HostBench.on { $0.aclCount = 1 }
    let made = bench.link(to: HostBench.peer(1))
    let link = try #require(made).link
    let request = bench.act { host, now in
      host.writeWithoutResponse([1], to: AttributeHandle(3), on: link, now: now)
    }
    bench.disconnected()
    #expect(
      bench.events.contains {
        if case .wrote(request, .failure(let failure)) = $0 { failure.kind == .disconnected } else { false }
      }
    )
    #expect(bench.host.data.credits == 1)
  }
}
